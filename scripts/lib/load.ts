import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The process ends at its deadline and when its parent is gone, so that a crash leaves nothing running. */
const BUSY = `
  const [parent, until] = process.argv.slice(1).map(Number);
  let rounds = 0;
  while (Date.now() < until && (++rounds % 1000 > 0 || process.ppid === parent));
`;

export interface Load {
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

/** Keeps `count` processor cores busy until `stop`, and for at most `limitMs`. */
export function startLoad(count: number, limitMs: number): Load {
  const until = String(Date.now() + limitMs);
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', BUSY, String(process.pid), until], { stdio: 'ignore' }),
  );
  const ends = children.map((child) => once(child, 'exit'));
  return {
    pids: children.flatMap(({ pid }) => pid ?? []),
    stop: async () => {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}

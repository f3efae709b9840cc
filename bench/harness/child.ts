import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadOutcome } from './load.ts';

const START_MS = 60_000;
const RESPONSE_MS = 150_000;
const root = fileURLToPath(new URL('../../', import.meta.url));

export type ProcessUsage = { cpuMs: number; rssMb: number };

export type Child = {
  readonly port: number;
  request<T>(question: object): Promise<T>;
  usage(): Promise<ProcessUsage>;
  stop(): Promise<void>;
};

const running = new Set<ChildProcess>();

/** Kills all running child processes. Called at the end of every run, including failed ones. */
export function killChildren(): void {
  for (const child of running) child.kill('SIGKILL');
}

export function trackProcess(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Forks a file of `bench/` and waits for its message `{ ready: port }`. */
export async function startChild(file: string, args: string[] = [], env: Record<string, string> = {}): Promise<Child> {
  const child = fork(new URL(`../${file}`, import.meta.url), args, {
    cwd: root,
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/tmp', NODE_ENV: 'production', ...env },
  });
  trackProcess(child);
  const waitForMessage = (field: string, timeoutMs: number) =>
    new Promise<unknown>((resolve, reject) => {
      const limit = setTimeout(
        () => finish(new Error(`${file} did not answer within ${timeoutMs / 1000} s`)),
        timeoutMs,
      );
      const onExit = (code: number | null) => finish(new Error(`${file} ended with ${code}`));
      const onMessage = (message: unknown) => {
        if (typeof message === 'object' && message !== null && field in message)
          finish(undefined, Object(message)[field]);
      };
      const finish = (error: Error | undefined, response?: unknown) => {
        clearTimeout(limit);
        child.off('exit', onExit).off('message', onMessage);
        if (error) reject(error);
        else resolve(response);
      };
      child.on('exit', onExit).on('message', onMessage);
    });
  const port = Number(await waitForMessage('ready', START_MS));
  const request = async <T>(question: object): Promise<T> => {
    child.send(question);
    return (await waitForMessage('answer', RESPONSE_MS)) as T;
  };
  return {
    port,
    request,
    usage: () => request<ProcessUsage>({ usage: true }),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const limit = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(limit);
    },
  };
}

export async function startLoader(): Promise<{ run(job: LoadJob): Promise<LoadOutcome>; stop(): Promise<void> }> {
  const child = await startChild('harness/load.ts');
  return { run: (job) => child.request<LoadOutcome>(job), stop: child.stop };
}

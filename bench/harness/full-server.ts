/** Starts `server/main.ts` with its own PostgreSQL and the demo data. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createServerEnvironment, serverArguments } from '../../scripts/lib/serve.mjs';
import { trackProcess } from './child.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const FIRST_START_MS = 300_000;

export type FullServer = {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly startMs: number;
  stop(): Promise<void>;
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('There is no free port.');
  return address.port;
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}

/** Starts the product on `dataDir`, which keeps its data for the next start, and waits until it is ready. */
export async function startFullServer(dataDir: string, mode: 'development' | 'production'): Promise<FullServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const started = performance.now();
  const child = spawn(process.execPath, serverArguments, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: createServerEnvironment({
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '/tmp',
      NODE_ENV: mode,
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      SEED_DEMO: mode === 'development' ? '1' : '0',
      LOG_LEVEL: 'error',
      RATE_LIMIT_FACTOR: '1000000',
      SESSION_SECRET: 'a secret of the bench, thirty-two characters and more',
      CCBILL_SALT: 'bench-salt',
      CCBILL_WEBHOOK_SECRET: 'bench-webhook-secret',
      LEDGER_LOG_SIGNING_KEY: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
      VAPID_PRIVATE_KEY: 'v'.repeat(43),
    }),
  });
  trackProcess(child);
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`server/main.ts ended with ${child.exitCode} before it was ready`);
    if (performance.now() - started > FIRST_START_MS) throw new Error('server/main.ts was not ready in time');
    await sleep(5);
  }
  return {
    url,
    port,
    pid: child.pid ?? 0,
    startMs: performance.now() - started,
    stop: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

let demoDataDir: Promise<string> | undefined;

export function ensureDemoWorld(folder: string, logProgress: (text: string) => void): Promise<string> {
  const create = async () => {
    logProgress('making the demo data');
    const dataDir = join(folder, 'demo');
    const first = await startFullServer(dataDir, 'development');
    await first.stop();
    return dataDir;
  };
  demoDataDir ??= create();
  return demoDataDir;
}

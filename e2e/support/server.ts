/** Runs the product as a separate process on its own data folder. It can be started, killed, restarted and stopped. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const START_MS = 600_000;
const root = fileURLToPath(new URL('../../', import.meta.url));

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('no free port');
  return address.port;
}

/** A temporary data folder. PostgreSQL runs as another user than root and needs access to it. */
export async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stagedoor-e2e-'));
  await chmod(dataDir, 0o711);
  return dataDir;
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

export type RunningServer = {
  readonly url: string;
  output(): string;
  /** Sends SIGTERM. Returns the exit code. */
  end(): Promise<number | null>;
  kill(): Promise<void>;
};

export type ServerOptions = {
  dataDir: string;
  port: number;
  hasDemo: boolean;
  isEchoed?: boolean;
  env?: Record<string, string>;
};

function createEnvironment({ dataDir, port, hasDemo, env }: ServerOptions): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: 'development',
    NODE_COMPILE_CACHE: path.join(root, '.cache', 'compile'),
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: '',
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    SMTP_URL: '',
    SEED_DEMO: hasDemo ? '1' : '0',
    RATE_LIMIT_FACTOR: '1000',
    LOG_LEVEL: 'warn',
    ACH_BANK: '091000019',
    ...env,
  };
}

async function waitUntilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${output()}`);
    const isReady = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the server was not ready in time:\n${output()}`);
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const url = `http://localhost:${options.port}`;
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: createEnvironment(options),
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      lines.push(chunk.toString());
      if (options.isEchoed) process.stdout.write(chunk);
    });
  }
  const output = () => lines.join('');
  await waitUntilReady(url, child, output);
  const stop = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return {
    url,
    output,
    end: async () => {
      await stop('SIGTERM');
      return child.exitCode;
    },
    kill: () => stop('SIGKILL'),
  };
}

/** Creates the demo world in a data folder without a running server (create-world.ts). */
export async function createWorld(dataDir: string): Promise<void> {
  const env = createEnvironment({ dataDir, port: 0, hasDemo: true });
  await promisify(execFile)(process.execPath, ['e2e/support/create-world.ts'], { cwd: root, env });
}

/** The output of `npm run ledger:check` for a data folder. Throws with it when the ledger is inconsistent. */
export async function runLedgerCheck(dataDir: string): Promise<string> {
  const run = promisify(execFile);
  const env = createEnvironment({ dataDir, port: 0, hasDemo: false });
  const { stdout } = await run(process.execPath, ['scripts/ledger-check.mjs'], { cwd: root, env }).catch(
    (error: Error & { stdout?: string }) => {
      throw new Error(`The ledger is not in order.\n${error.stdout ?? ''}\n${error.message}`);
    },
  );
  return stdout;
}

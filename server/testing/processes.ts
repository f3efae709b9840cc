/** Separate processes and a real Redis. Call `endAll` at the end of the test file. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import type { TestApp } from './app.ts';

export type TestProcess = { child: ChildProcess; port: number; address: string };

export type TestProcesses = {
  startProcess(app: TestApp, env?: Record<string, string>): Promise<TestProcess>;
  startRedis(port: number): Promise<ChildProcess>;
  add(child: ChildProcess): ChildProcess;
  endAll(): Promise<void>;
};

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

export function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

export function createProcesses(): TestProcesses {
  const children: ChildProcess[] = [];
  const folders: string[] = [];
  const folder = async () => {
    const made = await mkdtemp(path.join(tmpdir(), 'stagedoor-node-'));
    folders.push(made);
    return made;
  };
  const add = (child: ChildProcess) => {
    children.push(child);
    return child;
  };
  return {
    add,
    startProcess: async ({ ctx }, env = {}) => {
      const child = spawn(process.execPath, [fileURLToPath(new URL('serve.ts', import.meta.url))], {
        env: {
          ...process.env,
          NODE_ENV: 'test',
          PORT: '0',
          LOG_LEVEL: 'error',
          RATE_LIMIT_FACTOR: '1000',
          DATABASE_POOL: '12',
          DATABASE_URL: ctx.config.databaseUrl,
          SESSION_SECRET: ctx.config.sessionSecret,
          DATA_DIR: await folder(),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      add(child);
      const [line] = await once(createInterface({ input: child.stdout }), 'line');
      return { child, port: Number(line), address: `http://127.0.0.1:${line}` };
    },
    startRedis: async (port) => {
      const options = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', await folder()];
      const child = add(spawn('redis-server', ['--port', String(port), ...options], { stdio: 'ignore' }));
      await vi.waitFor(() => execFileSync('redis-cli', ['-p', String(port), 'ping'], { stdio: 'ignore' }), {
        timeout: 30_000,
      });
      return child;
    },
    endAll: async () => {
      await Promise.all(children.splice(0).map(killProcess));
      await Promise.all(folders.splice(0).map((made) => rm(made, { recursive: true, force: true })));
    },
  };
}

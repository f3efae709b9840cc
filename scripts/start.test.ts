/**
 * Tests `npm start` as a service manager runs it: a signal to the process group at any moment, with any Node version
 * and sent repeatedly, drains the server and leaves no process behind. A data folder can have only one server.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const START_MS = 240_000;
const OPEN = 'Stagedoor is running at';

/** Another Node on this machine that is too old for the server, which then runs under a downloaded one. */
function findOlderNode(): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find(
      (program) =>
        existsSync(program) && /^v(18|20|22)\./.test(execFileSync(program, ['--version'], { encoding: 'utf8' })),
    );
}

const older = findOlderNode();
const commandLines: Record<string, string[]> = {
  'npm start': ['npm', 'start'],
  'a Node that becomes the server': [process.execPath, 'scripts/start.mjs'],
  'a Node that stays before the server': [
    process.execPath,
    '--import',
    'data:text/javascript,process.execve=undefined',
    'scripts/start.mjs',
  ],
  ...(older === undefined ? {} : { 'an older Node': [older, 'scripts/start.mjs'] }),
};

type Product = { child: ChildProcess; group: number; port: number; dataDir: string; getOutput: () => string };
type Run = { product: Product; status: number; workers: number; exitCode: number | null };

let folder: string;
/** A data folder without a demo world, after a clean stop. Most tests copy it, which is faster than a first start. */
let prepared: string;
let first: Run;
let products: Product[] = [];
beforeAll(async () => {
  prepared = join(mkdtempSync(join(tmpdir(), 'stagedoor-start-')), 'data');
  chmodSync(dirname(prepared), 0o711);
  first = await runOnce(commandLines['npm start'] ?? [], prepared);
}, START_MS);
afterAll(() => rmSync(dirname(prepared), { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stagedoor-start-'));
  // PostgreSQL's user needs access when the tests run as root.
  chmodSync(folder, 0o711);
});
afterEach(async () => {
  for (const product of products) if (isGroupAlive(product.group)) await end(product);
  products = [];
  rmSync(folder, { recursive: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function startProduct(
  commandLine: string[],
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Product> {
  const port = await freePort();
  const [command = '', ...args] = commandLine;
  const child = spawn(command, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: String(port),
      DATA_DIR: dataDir,
      SEED_DEMO: '0',
      ...env,
    },
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const product = {
    child,
    group: child.pid ?? 0,
    port,
    dataDir,
    getOutput: () => Buffer.concat(chunks).toString('utf8'),
  };
  products.push(product);
  return product;
}

async function waitFor(product: Product, isReached: () => boolean): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (!isReached()) {
    if (product.child.exitCode !== null || Date.now() > deadline)
      throw new Error(`it ended, or hangs:\n${product.getOutput()}`);
    await sleep(2);
  }
}

const isOpen = (product: Product) => () => product.getOutput().includes(OPEN);

function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

/** Processes whose working directory is in the folder, such as PostgreSQL's. Empty on systems without /proc. */
function listWorkers(dataDir: string): string[] {
  const processes: string[] = [];
  for (const pid of existsSync('/proc/self/cwd') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []) {
    try {
      if (readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDir))
        processes.push(`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`);
    } catch {
      // The process has ended or belongs to another user.
    }
  }
  return processes;
}

function copyPrepared(name: string): string {
  const target = join(folder, name);
  execFileSync('cp', ['-rp', prepared, target]);
  return target;
}

async function end(product: Product): Promise<number | null> {
  const ended = product.child.exitCode === null ? once(product.child, 'exit') : undefined;
  process.kill(-product.group, 'SIGTERM');
  await sleep(30);
  if (isGroupAlive(product.group)) process.kill(-product.group, 'SIGTERM');
  await ended;
  return product.child.exitCode;
}

async function expectCleanExit({ group, dataDir }: Product): Promise<void> {
  await expect.poll(() => isGroupAlive(group)).toBe(false);
  expect(listWorkers(dataDir)).toEqual([]);
  expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false);
}

/** Starts the product, and ends it as soon as it is open. */
async function runOnce(commandLine: string[], dataDir: string): Promise<Run> {
  const product = await startProduct(commandLine, dataDir);
  await waitFor(product, isOpen(product));
  const { status } = await fetch(`http://localhost:${product.port}/readyz`);
  const workers = listWorkers(dataDir).length;
  return { product, status, workers, exitCode: await end(product) };
}

async function expectDrained({ product, status, workers, exitCode }: Run): Promise<void> {
  expect(status).toBe(200);
  expect(workers, 'PostgreSQL works in the folder').toBeGreaterThan(0);
  expect(exitCode).toBe(0);
  expect(product.getOutput()).toContain('SIGTERM: shutting down');
  await expectCleanExit(product);
}

test('SIGTERM to the process group of npm start drains the server and leaves nothing behind', () =>
  expectDrained(first));

/** Closes the output, as when a terminal is closed or the parent process has died. */
function stopReading({ child }: Product): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}

const startsPostgres = (dataDir: string) => existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'));

test('npm start fails and leaves nothing behind when it cannot write its output any more', {
  timeout: START_MS,
}, async () => {
  const product = await startProduct(commandLines['a Node that becomes the server'] ?? [], copyPrepared('data'));
  await waitFor(product, () => startsPostgres(product.dataDir));
  const ended = once(product.child, 'exit');
  stopReading(product);
  expect(await ended).toEqual([1, null]);
  await expectCleanExit(product);
});

type StartMoment = { isFirstStart: boolean; isReached: (dataDir: string, output: string) => boolean };
const moments: Record<string, StartMoment> = {
  'the cluster is made': {
    isFirstStart: true,
    isReached: (dataDir) =>
      existsSync(join(dataDir, 'postgres')) &&
      readdirSync(join(dataDir, 'postgres')).some((name) => name.startsWith('cluster.next')),
  },
  'PostgreSQL starts': { isFirstStart: false, isReached: startsPostgres },
  'migrations run': {
    isFirstStart: true,
    isReached: (dataDir) => existsSync(join(dataDir, 'postgres/holders')),
  },
  'the demo world is made': { isFirstStart: false, isReached: (_, output) => output.includes('making the demo world') },
};

test.each(Object.entries(moments))(
  'SIGTERM leaves nothing behind, sent while %s',
  { timeout: START_MS },
  async (_, { isFirstStart, isReached }) => {
    const commandLine = commandLines['a Node that stays before the server'] ?? [];
    const dataDir = isFirstStart ? join(folder, 'data') : copyPrepared('data');
    const product = await startProduct(commandLine, dataDir, { SEED_DEMO: '1' });
    await waitFor(product, () => isReached(product.dataDir, product.getOutput()));
    expect(await end(product)).toBe(0);
    await expectCleanExit(product);
    expect(product.getOutput()).not.toContain(OPEN);
  },
);

// With an older Node on this machine, that one is the parent process that stays.
const remaining = older === undefined ? 'a Node that stays before the server' : 'an older Node';

test(`a second start on a data folder names its owner, a copy of a stopped folder runs and ends in parallel with ${remaining}, and an unread server ends cleanly`, {
  timeout: START_MS,
}, async () => {
  const commandLine = commandLines['a Node that becomes the server'] ?? [];
  const [dataDir, copy] = [copyPrepared('data'), copyPrepared('copy')];
  const restarted = await startProduct(commandLine, dataDir);
  await waitFor(restarted, isOpen(restarted));
  const second = await startProduct(commandLine, dataDir);
  const [code] = await once(second.child, 'exit');
  expect(code).toBe(1);
  expect(second.getOutput().trim()).toBe(
    `${dataDir} is in use by process ${restarted.child.pid}, which is running at http://localhost:${restarted.port}. Stop it first or set a different DATA_DIR.`,
  );

  await expectDrained(await runOnce(commandLines[remaining] ?? [], copy));
  expect((await fetch(`http://localhost:${restarted.port}/readyz`)).status).toBe(200);
  stopReading(restarted);
  expect(await end(restarted)).toBe(0);
  await expectCleanExit(restarted);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryValue } from '../../testing/database.ts';
import { type EmbeddedPostgres, startPostgres } from './postgres.ts';
import { getSocketFolder } from './postgres-paths.ts';
import { isAlive } from './process-lock.ts';

const cache = fileURLToPath(new URL('../../../.cache', import.meta.url));
const messages: string[] = [];
const note = (message: string) => void messages.push(message);
const log = { info: note, warn: note, error: note };
let dataDir: string;

const start = () => startPostgres({ dataDir, log, durable: false });
const pidFile = () => join(dataDir, 'cluster', 'postmaster.pid');
const postgresPid = () => Number.parseInt(readFileSync(pidFile(), 'utf8'), 10);

beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  dataDir = mkdtempSync(join(cache, 'pg-'));
});

afterAll(async () => {
  await (await start()).stop();
  removeData(dataDir);
});

function removeData(folder: string): void {
  for (const path of [realpathSync(join(folder, 'cluster')), getSocketFolder(folder), folder]) {
    rmSync(path, { recursive: true, force: true });
  }
}

async function startInOtherProcess(): Promise<ChildProcess> {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(new URL('./postgres.ts', import.meta.url).href)});
    await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: console, durable: false });
    process.stdout.write('ready');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function waitUntil(condition: () => Promise<boolean> | boolean): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await condition()) return;
    await sleep(100);
  }
  throw new Error('Waited for too long.');
}

test('the embedded PostgreSQL starts from nothing, stores data and stops', async () => {
  const first: EmbeddedPostgres = await start();
  expect(first.isReused).toBe(false);
  expect(await queryValue(first.url, 'SELECT current_database()')).toBe('stagedoor');
  expect(await queryValue(first.url, "SELECT current_setting('listen_addresses')")).toBe('');
  await queryValue(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  expect(existsSync(pidFile())).toBe(false);
  const second = await start();
  expect(await queryValue(second.ownerUrl, 'SELECT answer FROM kept')).toBe(42);
  await second.stop();
});

test('the embedded PostgreSQL is shared by two holders and stops with the last one', async () => {
  const first = await start();
  const second = await start();
  expect(second.isReused).toBe(true);
  await first.stop();
  expect(await queryValue(second.url, 'SELECT 1')).toBe(1);
  await second.stop();
  expect(existsSync(pidFile())).toBe(false);
});

test('two processes that start at once share one PostgreSQL', async () => {
  const [other, own] = await Promise.all([startInOtherProcess(), start()]);
  await own.stop();
  expect(isAlive(postgresPid())).toBe(true);
  await kill(other);
});

test('the embedded PostgreSQL survives a killed node process and is reused', async () => {
  const other = await startInOtherProcess();
  const pid = postgresPid();
  await kill(other);
  expect(isAlive(pid)).toBe(true);
  const own = await start();
  expect(own.isReused).toBe(true);
  expect(postgresPid()).toBe(pid);
  await own.stop();
  expect(isAlive(pid)).toBe(false);
});

test('the embedded PostgreSQL is restarted when it is killed', async () => {
  const own = await start();
  const pid = postgresPid();
  process.kill(pid, 'SIGKILL');
  await waitUntil(async () => (await queryValue(own.url, 'SELECT 1').catch(() => 0)) === 1);
  expect(postgresPid()).not.toBe(pid);
  expect(messages).toContain('PostgreSQL ended unexpectedly and is started again.');
  await own.stop();
});

test('the embedded PostgreSQL starts after it and its node process were killed', async () => {
  const other = await startInOtherProcess();
  process.kill(postgresPid(), 'SIGKILL');
  await kill(other);
  const own = await start();
  expect(await queryValue(own.url, 'SELECT 1')).toBe(1);
  await own.stop();
});

test("another process with the id in PostgreSQL's pid file is left alone", async () => {
  const unrelated = spawn('sleep', ['60']);
  writeFileSync(pidFile(), `${unrelated.pid}\n${join(dataDir, 'cluster')}\n0\n5432\n\n\n\n`, { mode: 0o644 });
  const own = await start();
  expect(own.isReused).toBe(false);
  expect(unrelated.exitCode).toBeNull();
  await own.stop();
  unrelated.kill();
});

test('an interrupted first start does not prevent the next one', async () => {
  const partial = mkdtempSync(join(cache, 'pg-'));
  mkdirSync(join(partial, 'cluster'));
  writeFileSync(join(partial, 'lock'), '999999999 -');
  const own = await startPostgres({ dataDir: partial, log, durable: false });
  expect(await queryValue(own.url, 'SELECT 1')).toBe(1);
  await own.stop();
  expect(readdirSync(join(partial, 'holders'))).toEqual([]);
  removeData(partial);
});

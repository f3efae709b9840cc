import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { queryValue } from '../../testing/database.ts';
import { signalIfRunning } from '../../testing/processes.ts';
import { type EmbeddedPostgres, startPostgres } from './postgres.ts';
import { getCommonFolder } from './postgres-paths.ts';
import { stopPostmaster } from './postgres-process.ts';
import { isAlive, listChildren } from './process-lock.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
const isRoot = process.getuid?.() === 0;
let folder: string;
let seed: string;
let messages: string[] = [];
const running = new Set<EmbeddedPostgres>();
const note = (message: string) => void messages.push(message);

async function start(dataDir: string, durable = false): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres({ dataDir, log: { info: note, warn: note, error: note }, durable });
  running.add(postgres);
  return postgres;
}

async function stop(postgres: EmbeddedPostgres): Promise<void> {
  running.delete(postgres);
  await postgres.stop();
}

const readPid = (dataDir: string) => Number.parseInt(readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8'), 10);
const copy = (flags: string, from: string, to: string) => execFileSync('cp', [flags, from, to]);
const isInside = (dataDir: string) => lstatSync(join(dataDir, 'cluster')).isDirectory();
const copySeed = (name: string) => {
  const dataDir = join(folder, name);
  copy('-a', seed, dataDir);
  return dataDir;
};
const listOutsideClusters = () => readdirSync(getCommonFolder()).filter((name) => name.startsWith('cluster-'));

async function createLinked(name: string): Promise<{ dataDir: string; outside: string }> {
  const dataDir = copySeed(name);
  await stop(await start(dataDir));
  const outside = join(getCommonFolder(), `cluster-test-${process.pid}-${name}`);
  renameSync(join(dataDir, 'cluster'), outside);
  symlinkSync(outside, join(dataDir, 'cluster'));
  return { dataDir, outside };
}

beforeAll(async () => {
  seed = join(mkdtempSync(join(tmpdir(), 'stagedoor-cluster-seed-')), 'data');
  chmodSync(dirname(seed), 0o711);
  const postgres = await start(seed);
  await queryValue(postgres.ownerUrl, "create table kept as select 'seed' as word");
  await stop(postgres);
});

beforeEach(() => {
  messages = [];
  folder = mkdtempSync(join(tmpdir(), 'stagedoor-cluster-'));
  chmodSync(folder, 0o711);
});

afterEach(async () => {
  for (const postgres of running) await postgres.stop();
  running.clear();
  chmodSync(folder, 0o711);
  for (const name of readdirSync(folder)) {
    const cluster = join(folder, name, 'cluster');
    if (existsSync(cluster)) rmSync(realpathSync(cluster), { recursive: true });
  }
  rmSync(folder, { recursive: true });
});

afterAll(() => rmSync(dirname(seed), { recursive: true }));

test.for(['-a', '-r'])(
  'a stopped folder copied with cp %s starts while the original runs and is independent',
  async (flags) => {
    const original = copySeed('original');
    copy(flags, original, join(folder, 'copy'));
    const [first, second] = [await start(original), await start(join(folder, 'copy'))];
    expect(second.isReused).toBe(false);
    await queryValue(second.ownerUrl, "update kept set word = 'copy'");
    expect(await queryValue(first.ownerUrl, 'select word from kept')).toBe('seed');
    expect(await queryValue(second.ownerUrl, 'select word from kept')).toBe('copy');
    expect(isInside(original) && isInside(join(folder, 'copy'))).toBe(true);
    expect(statSync(join(folder, 'copy', 'cluster')).mode & 0o777).toBe(0o700);
  },
);

test('a copy of a running folder never uses or stops the original’s PostgreSQL', async () => {
  const original = copySeed('original');
  const first = await start(original);
  await queryValue(first.ownerUrl, 'checkpoint');
  copy('-a', original, join(folder, 'copy'));
  const pid = readPid(original);
  expect(readPid(join(folder, 'copy'))).toBe(pid);
  const second = await start(join(folder, 'copy'));
  const other = readPid(join(folder, 'copy'));
  expect(other).not.toBe(pid);
  expect(await queryValue(second.ownerUrl, 'select word from kept')).toBe('seed');
  await stop(second);
  expect(isAlive(other)).toBe(false);
  expect(isAlive(pid)).toBe(true);
  expect(await queryValue(first.ownerUrl, 'select word from kept')).toBe('seed');
});

test('a database outside the folder, as earlier versions had it, is moved inside', async () => {
  const { dataDir, outside } = await createLinked('linked');
  const postgres = await start(dataDir);
  expect(await queryValue(postgres.ownerUrl, 'select word from kept')).toBe('seed');
  expect(isInside(dataDir)).toBe(true);
  expect(existsSync(outside)).toBe(false);
});

test('a copy whose database is outside gets its own, and the original keeps its database', async () => {
  const { dataDir, outside } = await createLinked('linked');
  copy('-a', dataDir, join(folder, 'copy'));
  const second = await start(join(folder, 'copy'));
  await queryValue(second.ownerUrl, "update kept set word = 'copy'");
  expect(existsSync(outside)).toBe(true);
  const first = await start(dataDir);
  expect(await queryValue(first.ownerUrl, 'select word from kept')).toBe('seed');
});

test('a copy whose database is outside refuses to start while the original runs', async () => {
  const { dataDir, outside } = await createLinked('linked');
  copy('-a', dataDir, join(folder, 'copy'));
  await start(dataDir);
  renameSync(join(dataDir, 'cluster'), outside);
  symlinkSync(outside, join(dataDir, 'cluster'));
  const pid = readPid(dataDir);
  const began = performance.now();
  await expect(start(join(folder, 'copy'))).rejects.toThrow(`in use by process ${pid}`);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(isAlive(pid)).toBe(true);
});

test.each(['a link', 'nothing'])('an interrupted replacement that left %s is completed', async (leftover) => {
  const { dataDir, outside } = await createLinked('linked');
  renameSync(outside, join(dataDir, 'cluster.next'));
  if (leftover === 'nothing') renameSync(join(dataDir, 'cluster'), join(dataDir, 'cluster.old'));
  mkdirSync(join(dataDir, 'cluster.next.0d9b7a36-3c1f-4a52-9f52-0a4be8f5d1c4'));
  mkdirSync(join(dataDir, 'cluster.mine'));
  const postgres = await start(dataDir);
  expect(await queryValue(postgres.ownerUrl, 'select word from kept')).toBe('seed');
  expect(readdirSync(dataDir).filter((name) => name.startsWith('cluster'))).toEqual(['cluster', 'cluster.mine']);
});

test('a missing or incomplete database is never replaced by an empty one', async () => {
  const { dataDir, outside } = await createLinked('linked');
  rmSync(outside, { recursive: true });
  await expect(start(dataDir, true)).rejects.toThrow(`was in ${outside} and is gone`);
  const partial = copySeed('partial');
  rmSync(join(partial, 'cluster', 'PG_VERSION'));
  await expect(start(partial, true)).rejects.toThrow('contains an incomplete database');
  expect(existsSync(join(partial, 'cluster', 'base'))).toBe(true);
});

test('a folder that was moved while its PostgreSQL was running is opened at the new path', async () => {
  const before = copySeed('before');
  await start(before);
  const pid = readPid(before);
  rmSync(join(before, 'holders'), { recursive: true });
  renameSync(before, join(folder, 'after'));
  const moved = await start(join(folder, 'after'));
  expect(await queryValue(moved.ownerUrl, 'select word from kept')).toBe('seed');
  expect(isAlive(pid)).toBe(false);
});

test('a PostgreSQL that hangs is ended with all its processes', async () => {
  const dataDir = copySeed('frozen');
  await start(dataDir);
  const family = [readPid(dataDir), ...listChildren(readPid(dataDir))];
  for (const pid of family) signalIfRunning(pid, 'SIGSTOP');
  await stopPostmaster(readPid(dataDir), { warn: note }, { stopMs: 200, killMs: 200 });
  expect(family.filter(isAlive)).toEqual([]);
});

test('an aborted start leaves nothing running', async () => {
  const dataDir = copySeed('given-up');
  const giveUp = new AbortController();
  const starting = startPostgres({ dataDir, log: { info: note, warn: note, error: note }, signal: giveUp.signal });
  await expect.poll(() => existsSync(join(dataDir, 'cluster/postmaster.pid')), { interval: 1 }).toBe(true);
  const pid = readPid(dataDir);
  giveUp.abort();
  await expect(starting).rejects.toThrow();
  expect(isAlive(pid)).toBe(false);
});

test.runIf(isRoot)('a database outside an unreachable folder is reported, and its copies are complete', async () => {
  const hidden = join(folder, 'hidden');
  mkdirSync(hidden, { mode: 0o700 });
  const dataDir = join(hidden, 'data');
  copy('-a', seed, dataDir);
  const before = listOutsideClusters();
  const first = await start(dataDir);
  expect(await queryValue(first.ownerUrl, 'select word from kept')).toBe('seed');
  const outside = readlinkSync(join(dataDir, 'cluster'));
  expect(messages).toContainEqual(
    `The database is in ${outside}, outside the data folder, because PostgreSQL runs as user 65534, who has no access to ${hidden}.`,
  );
  await stop(first);
  copy('-a', dataDir, join(hidden, 'copy'));
  const second = await start(join(hidden, 'copy'));
  await queryValue(second.ownerUrl, "update kept set word = 'copy'");
  const restarted = await start(dataDir);
  expect(await queryValue(restarted.ownerUrl, 'select word from kept')).toBe('seed');
  await stop(second);
  await stop(restarted);

  chmodSync(hidden, 0o711);
  for (const [name, word] of [
    ['data', 'seed'],
    ['copy', 'copy'],
  ] as const) {
    const postgres = await start(join(hidden, name));
    expect(await queryValue(postgres.ownerUrl, 'select word from kept')).toBe(word);
    expect(isInside(join(hidden, name))).toBe(true);
    await stop(postgres);
  }
  expect(listOutsideClusters()).toEqual(before);
});

test.runIf(isRoot)('an interrupted first start outside the folder does not prevent the next one', async () => {
  const hidden = join(folder, 'hidden');
  mkdirSync(join(hidden, 'data'), { recursive: true, mode: 0o700 });
  writeFileSync(join(hidden, 'data', 'lock'), '999999999 - 1:1');
  const postgres = await start(join(hidden, 'data'), true);
  expect(await queryValue(postgres.url, 'select 1')).toBe(1);
  const outside = readlinkSync(join(hidden, 'data', 'cluster'));
  await stop(postgres);
  rmSync(outside, { recursive: true });
});

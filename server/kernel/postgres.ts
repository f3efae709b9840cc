/**
 * Runs the embedded PostgreSQL that Stagedoor uses when no DATABASE_URL is given: makes the cluster once, starts it,
 * keeps it running, finds it again after a crash of ours, and stops it when its last user leaves.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { clusterFolder, findBinaries, makePrivateFolder, postgresUid, socketFolder } from './postgres-places.ts';
import { addHolder, countHolders, isAlive, withProcessLock } from './process-lock.ts';

const run = promisify(execFile);

export interface PostgresLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface PostgresOptions {
  /** A folder that is ours alone; made when missing. */
  dataDir: string;
  log: PostgresLog;
  /** False gives up safety against power cuts for speed, for data that a test throws away. */
  durable?: boolean;
}

export interface EmbeddedPostgres {
  url: string;
  /** True when a PostgreSQL that was already running on the folder is used. */
  reused: boolean;
  /** Lets go of PostgreSQL, and stops it when nobody else uses it. */
  stop(): Promise<void>;
}

const startTimeoutMs = 60_000;
const stopTimeoutMs = 30_000;
const logLimitBytes = 20_000_000;
/** Nothing of our own environment, so that no PG* variable or locale of the machine changes what PostgreSQL does. */
const environment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };
const identity = postgresUid === undefined ? {} : { uid: postgresUid, gid: postgresUid };

const settings: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: '5432',
  max_connections: '200',
  shared_buffers: '128MB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // A failed statement may hold personal data: the log names the error only.
  log_min_error_statement: 'panic',
};
const durableSettings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const fastSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

interface Places {
  dataDir: string;
  cluster: string;
  socket: string;
  logFile: string;
}

/** The address of the PostgreSQL on `dataDir`, whether or not it runs; the same on every start. */
export function postgresUrl(dataDir: string, database = 'stagedoor'): string {
  return `postgresql://postgres@/${database}?host=${encodeURI(socketFolder(dataDir)).replaceAll('&', '%26')}`;
}

function prepare(dataDir: string): Places {
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true });
  if (postgresUid !== undefined) chmodSync(folder, 0o711);
  const socket = socketFolder(folder);
  makePrivateFolder(socket);
  return { dataDir: folder, cluster: clusterFolder(folder), socket, logFile: join(folder, 'postgres.log') };
}

/** Makes a new cluster aside and moves it into place whole, so that an interrupted first start leaves no trap. */
async function ensureCluster(places: Places, durable: boolean, log: PostgresLog): Promise<void> {
  const versionFile = join(places.cluster, 'PG_VERSION');
  if (existsSync(versionFile)) {
    const version = readFileSync(versionFile, 'utf8').trim();
    if (version === '18') return;
    throw new Error(
      `${places.cluster} was made by PostgreSQL ${version}; this is 18. Dump it with ${version} and restore it here.`,
    );
  }
  log.info('Preparing the database cluster.');
  const partial = `${places.cluster}.${randomUUID()}`;
  makePrivateFolder(partial);
  const args = ['-D', partial, '-U', 'postgres', '--auth-local=trust', '--auth-host=reject', '-E', 'UTF8'];
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions');
  if (!durable) args.push('--no-sync');
  try {
    await run(join(findBinaries(), 'bin', 'initdb'), args, { ...identity, env: environment, cwd: partial });
    rmSync(places.cluster, { recursive: true, force: true });
    renameSync(partial, places.cluster);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

function readPid(places: Places): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(places.cluster, 'postmaster.pid'), 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** True when `pid` is a PostgreSQL working in this cluster, and not a stranger that got the same number. */
async function isOurs(pid: number, places: Places): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (existsSync('/proc/self/exe')) {
    try {
      const exe = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
      return basename(exe) === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(places.cluster);
    } catch {
      return false;
    }
  }
  const { stdout } = await run('ps', ['-p', String(pid), '-o', 'command=']).catch(() => ({ stdout: '' }));
  return stdout.includes('postgres') && stdout.includes(places.cluster);
}

async function connect(places: Places, database: string): Promise<pg.Client> {
  const client = new pg.Client({
    host: places.socket,
    port: 5432,
    user: 'postgres',
    password: '',
    database,
    ssl: false,
    application_name: 'stagedoor-supervisor',
    connectionTimeoutMillis: 5000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function answers(places: Places): Promise<boolean> {
  try {
    const client = await connect(places, 'postgres');
    await client.end();
    return true;
  } catch {
    return false;
  }
}

function logTail(places: Places): string {
  try {
    return readFileSync(places.logFile, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
  } catch {
    return '';
  }
}

/** A PostgreSQL that outlived the node that started it is used again; one that is on its way out is waited for. */
async function findRunning(places: Places): Promise<number | undefined> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const pid = readPid(places);
    if (pid === undefined) return undefined;
    if (!(await isOurs(pid, places))) {
      rmSync(join(places.cluster, 'postmaster.pid'), { force: true });
      return undefined;
    }
    if (await answers(places)) return pid;
    if (performance.now() > deadline) {
      throw new Error(`PostgreSQL (process ${pid}) runs on ${places.cluster} but does not answer.\n${logTail(places)}`);
    }
    await sleep(25);
  }
}

/** Starts in a session of its own: Ctrl-C in the terminal is for node, which stops PostgreSQL after it has drained. */
function spawnPostgres(places: Places, durable: boolean): ChildProcess {
  // A killed PostgreSQL leaves these; a new one would refuse while the dead one's number is in use by anybody.
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) rmSync(join(places.socket, name), { force: true });
  const all = { ...settings, ...(durable ? durableSettings : fastSettings), unix_socket_directories: places.socket };
  const args = ['-D', places.cluster];
  for (const [name, value] of Object.entries(all)) args.push('-c', `${name}=${value}`);
  const large = (statSync(places.logFile, { throwIfNoEntry: false })?.size ?? 0) > logLimitBytes;
  const logFd = openSync(places.logFile, large ? 'w' : 'a', 0o600);
  try {
    const binary = join(findBinaries(), 'bin', 'postgres');
    const stdio: ['ignore', number, number] = ['ignore', logFd, logFd];
    const child = spawn(binary, args, { ...identity, env: environment, cwd: places.cluster, detached: true, stdio });
    child.on('error', () => undefined);
    child.unref();
    return child;
  } finally {
    closeSync(logFd);
  }
}

async function startNew(places: Places, durable: boolean): Promise<number> {
  const deadline = performance.now() + startTimeoutMs;
  let child = spawnPostgres(places, durable);
  for (;;) {
    if (child.pid !== undefined && (await answers(places))) return child.pid;
    const ended = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
    if (performance.now() > deadline) {
      child.kill('SIGQUIT');
      throw new Error(`PostgreSQL did not start within ${startTimeoutMs / 1000} s.\n${logTail(places)}`);
    }
    if (ended) {
      // Children of a killed PostgreSQL hold its shared memory for a moment longer.
      if (!logTail(places).includes('shared memory block')) {
        throw new Error(`PostgreSQL did not start; see ${places.logFile}.\n${logTail(places)}`);
      }
      await sleep(200);
      child = spawnPostgres(places, durable);
    }
    await sleep(10);
  }
}

async function ensureDatabase(places: Places, name: string): Promise<void> {
  const client = await connect(places, 'postgres');
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

async function waitForEnd(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}

async function stopPostgres(places: Places, log: PostgresLog): Promise<void> {
  const pid = readPid(places);
  if (pid === undefined || !(await isOurs(pid, places))) return;
  process.kill(pid, 'SIGINT');
  if (await waitForEnd(pid, stopTimeoutMs)) return;
  log.warn('PostgreSQL did not stop in time and is ended at once; it recovers from its log on the next start.');
  process.kill(pid, 'SIGQUIT');
  await waitForEnd(pid, 5000);
}

/**
 * Gives a running PostgreSQL 18 on `dataDir`, with the database `stagedoor` in it. Several processes may share one
 * folder. Should PostgreSQL die while it is held, it is started again; connections break, committed data does not.
 */
export async function startPostgres({ dataDir, log, durable = true }: PostgresOptions): Promise<EmbeddedPostgres> {
  const places = prepare(dataDir);
  const lock = join(places.dataDir, 'lock');
  const holders = join(places.dataDir, 'holders');

  const ensureRunning = async () => {
    const running = await findRunning(places);
    if (running !== undefined) return { pid: running, reused: true };
    await ensureCluster(places, durable, log);
    return { pid: await startNew(places, durable), reused: false };
  };
  const first = await withProcessLock(lock, startTimeoutMs * 2, async () => {
    const started = await ensureRunning();
    await ensureDatabase(places, 'stagedoor');
    return { ...started, holder: addHolder(holders) };
  });

  let { pid } = first;
  let stopping = false;
  let busy = false;
  const restart = async () => {
    try {
      await withProcessLock(lock, startTimeoutMs, async () => {
        if (stopping || isAlive(pid)) return;
        log.error('PostgreSQL ended unexpectedly and is started again.');
        pid = (await ensureRunning()).pid;
      });
    } catch (error) {
      log.error(`PostgreSQL cannot be started again: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const watch = setInterval(async () => {
    if (busy || isAlive(pid)) return;
    busy = true;
    await restart();
    busy = false;
  }, 500);
  watch.unref();

  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopping = true;
    clearInterval(watch);
    stopped ??= withProcessLock(lock, startTimeoutMs, async () => {
      first.holder.remove();
      if (countHolders(holders) === 0) await stopPostgres(places, log);
    });
    return stopped;
  };
  return { url: postgresUrl(places.dataDir), reused: first.reused, stop };
}

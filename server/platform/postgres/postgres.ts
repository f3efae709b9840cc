/**
 * Runs the embedded PostgreSQL for installations without DATABASE_URL. It outlives a crash of ours and stops with its
 * last user.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { postgresEnvironment, postgresIdentity, prepareCluster } from './postgres-cluster.ts';
import { createPrivateFolder, findBinaries, getSocketFolder, postgresUid } from './postgres-paths.ts';
import { deletePidFile, findPostmaster, stopPostmaster } from './postgres-process.ts';
import { addHolder, countHolders, isAlive, withProcessLock } from './process-lock.ts';

export interface PostgresLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface PostgresOptions {
  dataDir: string;
  log: PostgresLog;
  durable?: boolean;
  signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  url: string;
  ownerUrl: string;
  isReused: boolean;
  stop(): Promise<void>;
}

const startTimeoutMs = 60_000;
const noticeMs = 3_000;
const logLimitBytes = 20_000_000;

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
  // A failed statement may contain personal data, so only the error is logged.
  log_min_error_statement: 'panic',
};
const durableSettings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '128MB',
  min_wal_size: '32MB',
};

interface PostgresPaths {
  dataDir: string;
  socket: string;
  logFile: string;
  lock: string;
  holders: string;
}

type Start = PostgresPaths & { log: PostgresLog; durable: boolean; signal: AbortSignal };

const OWNER = 'postgres';
export const PRODUCT_ROLE = 'stagedoor_app';

export function toPostgresUrl(dataDir: string, database = 'stagedoor', role = OWNER): string {
  return `postgresql://${role}@/${database}?host=${encodeURI(getSocketFolder(dataDir)).replaceAll('&', '%26')}`;
}

function preparePaths(dataDir: string): PostgresPaths {
  mkdirSync(resolve(dataDir), { recursive: true });
  const folder = realpathSync(dataDir);
  if (postgresUid !== undefined) chmodSync(folder, 0o711);
  const socket = getSocketFolder(folder);
  createPrivateFolder(socket);
  const inside = (name: string) => join(folder, name);
  return { dataDir: folder, socket, logFile: inside('postgres.log'), lock: inside('lock'), holders: inside('holders') };
}

async function connect(paths: PostgresPaths, database: string): Promise<pg.Client> {
  const client = new pg.Client({
    host: paths.socket,
    port: 5432,
    user: OWNER,
    password: '',
    database,
    ssl: false,
    application_name: 'stagedoor-supervisor',
    connectionTimeoutMillis: 5000,
    query_timeout: 30_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function isResponding(paths: PostgresPaths): Promise<boolean> {
  try {
    const client = await connect(paths, 'postgres');
    await client.end();
    return true;
  } catch {
    return false;
  }
}

function readLogTail({ logFile }: PostgresPaths, from = 0): string {
  try {
    return readFileSync(logFile).subarray(from).toString('utf8').trimEnd().split('\n').slice(-5).join('\n');
  } catch {
    return '';
  }
}

/**
 * Reuses a PostgreSQL that outlived its node process. One that listens at another path, because the folder was moved,
 * is ended.
 */
async function findRunning(cluster: string, start: Start): Promise<number | undefined> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const running = await findPostmaster(cluster);
    if (running === undefined) {
      deletePidFile(cluster);
      return undefined;
    }
    const { pid, socket } = running;
    if (socket !== undefined && socket !== start.socket && countHolders(start.holders) === 0) {
      await stopPostmaster(pid, start.log);
      continue;
    }
    if (await isResponding(start)) return pid;
    if (performance.now() > deadline) {
      throw new Error(`PostgreSQL (process ${pid}) runs on ${cluster} but does not answer.\n${readLogTail(start)}`);
    }
    await sleep(25, undefined, { signal: start.signal });
  }
}

/** Detached, so that signals to the process group reach only node, which drains first. */
function spawnPostgres(cluster: string, { socket, logFile, durable }: Start): { child: ChildProcess; logFrom: number } {
  // A killed PostgreSQL leaves these files, and a new one refuses to start while the old process id is in use.
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) rmSync(join(socket, name), { force: true });
  const allSettings = { ...settings, ...(durable ? durableSettings : fastSettings), unix_socket_directories: socket };
  const args = ['-D', cluster];
  for (const [name, value] of Object.entries(allSettings)) args.push('-c', `${name}=${value}`);
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  const isLarge = size > logLimitBytes;
  const logFd = openSync(logFile, isLarge ? 'w' : 'a', 0o600);
  try {
    const stdio: ['ignore', number, number] = ['ignore', logFd, logFd];
    const options = { ...postgresIdentity, env: postgresEnvironment, cwd: cluster, detached: true, stdio };
    const child = spawn(join(findBinaries(), 'bin', 'postgres'), args, options);
    child.on('error', () => undefined);
    child.unref();
    return { child, logFrom: isLarge ? 0 : size };
  } finally {
    closeSync(logFd);
  }
}

async function startCluster(cluster: string, start: Start): Promise<number> {
  const deadline = performance.now() + startTimeoutMs;
  let { child, logFrom } = spawnPostgres(cluster, start);
  try {
    for (;;) {
      if (child.pid !== undefined && (await isResponding(start))) return child.pid;
      const hasEnded = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
      if (performance.now() > deadline) {
        throw new Error(`PostgreSQL did not start within ${startTimeoutMs / 1000} s.\n${readLogTail(start, logFrom)}`);
      }
      if (hasEnded) {
        if (!readLogTail(start, logFrom).includes('shared memory block')) {
          throw new Error(`PostgreSQL did not start; see ${start.logFile}.\n${readLogTail(start, logFrom)}`);
        }
        await sleep(200, undefined, { signal: start.signal });
        ({ child, logFrom } = spawnPostgres(cluster, start));
      }
      await sleep(10, undefined, { signal: start.signal });
    }
  } catch (error) {
    if (child.pid !== undefined) await stopPostmaster(child.pid, start.log);
    throw error;
  }
}

/** The caller holds the lock. */
async function ensureRunning(start: Start): Promise<{ pid: number; isReused: boolean }> {
  const cluster = await prepareCluster(start);
  start.signal.throwIfAborted();
  const noticeTimer = setTimeout(() => start.log.info(`Waiting for PostgreSQL; see ${start.logFile}.`), noticeMs);
  try {
    const running = await findRunning(cluster, start);
    return running === undefined
      ? { pid: await startCluster(cluster, start), isReused: false }
      : { pid: running, isReused: true };
  } finally {
    clearTimeout(noticeTimer);
  }
}

/** The product's role has no rights of its own. Migrations grant them. */
async function ensureDatabase(paths: PostgresPaths, name: string): Promise<void> {
  const client = await connect(paths, 'postgres');
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    const role = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [PRODUCT_ROLE]);
    if (role.rowCount === 0) await client.query(`CREATE ROLE ${PRODUCT_ROLE}`);
    await client.query(
      `ALTER ROLE ${PRODUCT_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT PASSWORD NULL`,
    );
    // Settings that the role made for itself would outlast a start.
    await client.query(`ALTER ROLE ${PRODUCT_ROLE} RESET ALL`);
    await client.query(`ALTER ROLE ${PRODUCT_ROLE} IN DATABASE ${pg.escapeIdentifier(name)} RESET ALL`);
  } finally {
    await client.end();
  }
}

async function stopPostgres({ dataDir, socket }: PostgresPaths, log: PostgresLog): Promise<void> {
  const running = await findPostmaster(join(dataDir, 'cluster'));
  // Behind the symlink of a copy this is the original's PostgreSQL, which listens elsewhere.
  if (running !== undefined && running.socket === socket) await stopPostmaster(running.pid, log);
  if (dirname(socket) !== dataDir) rmSync(socket, { recursive: true, force: true });
}

/**
 * Starts PostgreSQL 18 on `dataDir` with the database `stagedoor`. Several processes may share one folder. If it dies,
 * it is restarted: connections break, committed data does not.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durable = true } = options;
  const paths = preparePaths(options.dataDir);
  const { lock, holders } = paths;
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, ...(options.signal ? [options.signal] : [])]);
  const start: Start = { ...paths, log, durable, signal };

  const first = await withProcessLock(
    lock,
    startTimeoutMs * 2,
    async () => {
      try {
        const started = await ensureRunning(start);
        await ensureDatabase(paths, 'stagedoor');
        signal.throwIfAborted();
        return { ...started, holder: addHolder(holders) };
      } catch (error) {
        if (countHolders(holders) === 0) await stopPostgres(paths, log);
        throw error;
      }
    },
    signal,
  );

  let { pid } = first;
  let isRestarting = false;
  const restart = async () => {
    try {
      await withProcessLock(
        lock,
        startTimeoutMs,
        async () => {
          if (stopping.signal.aborted || isAlive(pid)) return;
          log.error('PostgreSQL ended unexpectedly and is started again.');
          pid = (await ensureRunning({ ...start, signal: stopping.signal })).pid;
        },
        stopping.signal,
      );
    } catch (error) {
      if (stopping.signal.aborted) return;
      log.error(`PostgreSQL cannot be started again: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const watch = setInterval(async () => {
    if (isRestarting || isAlive(pid)) return;
    isRestarting = true;
    await restart();
    isRestarting = false;
  }, 500);
  watch.unref();

  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopping.abort();
    clearInterval(watch);
    stopped ??= existsSync(paths.dataDir)
      ? withProcessLock(lock, startTimeoutMs, async () => {
          first.holder.remove();
          if (countHolders(holders) === 0) await stopPostgres(paths, log);
        })
      : stopPostmaster(pid, log);
    return stopped;
  };
  const url = toPostgresUrl(paths.dataDir, 'stagedoor', PRODUCT_ROLE);
  return { url, ownerUrl: toPostgresUrl(paths.dataDir), isReused: first.isReused, stop };
}

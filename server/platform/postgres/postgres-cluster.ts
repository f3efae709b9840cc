/**
 * Prepares the cluster of a data folder: inside it where PostgreSQL's user can reach it, otherwise elsewhere behind a
 * symlink. A cluster at the wrong path, or of the folder that this one was copied from, is moved or copied atomically
 * before PostgreSQL starts.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  createPrivateFolder,
  findBarrier,
  findBinaries,
  getCommonFolder,
  getSocketFolders,
  postgresUid,
} from './postgres-paths.ts';
import { findPostmaster } from './postgres-process.ts';

const VERSION = '18';
const LEFTOVER = /^cluster\.(?:old|(?:next\.)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Isolated from our environment, so that no PG* variable or locale affects PostgreSQL. */
export const postgresEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };
export const postgresIdentity = postgresUid === undefined ? {} : { uid: postgresUid, gid: postgresUid };

export interface ClusterOptions {
  dataDir: string;
  log: { info(message: string): void; warn(message: string): void };
  /** False for test data, which is not synced to disk and recreated when missing. */
  durable: boolean;
}

function getClusterPaths(dataDir: string) {
  return { current: join(dataDir, 'cluster'), next: join(dataDir, 'cluster.next'), old: join(dataDir, 'cluster.old') };
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function findLinkTarget(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
}

function isCluster(folder: string): boolean {
  return existsSync(join(folder, 'PG_VERSION'));
}

function syncToDisk(path: string): void {
  const file = openSync(path, constants.O_RDONLY);
  fsyncSync(file);
  closeSync(file);
}

function* walkFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walkFiles(path);
    else yield path;
  }
  yield folder;
}

/** Replaces `cluster` by `cluster.next`. Also completes an interrupted replacement. */
function finishSwap(dataDir: string): void {
  const { current, next, old } = getClusterPaths(dataDir);
  if (exists(next)) {
    if (exists(current)) {
      rmSync(old, { recursive: true, force: true });
      renameSync(current, old);
    }
    renameSync(next, current);
    syncToDisk(dataDir);
  }
  for (const name of readdirSync(dataDir))
    if (LEFTOVER.test(name)) rmSync(join(dataDir, name), { recursive: true, force: true });
}

/**
 * A copy made by root belongs to root. The folder itself changes its owner last, so that an interruption is noticed.
 */
function takeOwnership(cluster: string): void {
  const { uid, mode } = lstatSync(cluster);
  const owner = postgresUid ?? process.getuid?.() ?? uid;
  if (uid !== owner) {
    if (postgresUid === undefined || uid !== 0) {
      throw new Error(`${cluster} belongs to user ${uid}, but PostgreSQL would run as user ${owner}.`);
    }
    for (const path of walkFiles(cluster)) lchownSync(path, owner, owner);
  }
  if ((mode & 0o777) !== 0o700) chmodSync(cluster, 0o700);
}

/** Copies a cluster that is not running. `target` appears only when it is complete and on disk. */
async function copyCluster(source: string, target: string, durable: boolean): Promise<void> {
  const partial = `${target}.${randomUUID()}`;
  try {
    await cp(source, partial, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    rmSync(join(partial, 'postmaster.pid'), { force: true });
    for (const path of walkFiles(partial)) {
      if (postgresUid !== undefined) lchownSync(path, postgresUid, postgresUid);
      if (durable && !lstatSync(path).isSymbolicLink()) syncToDisk(path);
    }
    chmodSync(partial, 0o700);
    renameSync(partial, target);
    syncToDisk(dirname(target));
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

async function moveCluster(
  source: string,
  { dataDir, durable, log }: ClusterOptions,
  isOwnCluster: boolean,
): Promise<void> {
  const { next } = getClusterPaths(dataDir);
  const target = findBarrier(dataDir) === undefined ? next : join(getCommonFolder(), `cluster-${randomUUID()}`);
  log.info(`Moving the database from ${source} to ${target === next ? dataDir : target}.`);
  if (isOwnCluster && target === next) {
    try {
      renameSync(source, next);
    } catch {}
  }
  if (!exists(target)) await copyCluster(source, target, durable);
  if (target !== next) symlinkSync(target, next);
  finishSwap(dataDir);
  if (isOwnCluster) rmSync(source, { recursive: true, force: true });
}

/** PostgreSQL stores the options of its last start, which name the socket of the data folder. */
function wasLastUsedBy(dataDir: string, cluster: string): boolean {
  const file = join(cluster, 'postmaster.opts');
  const lastOptions = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return Object.values(getSocketFolders(dataDir)).some((socket) =>
    lastOptions.includes(`unix_socket_directories=${socket}"`),
  );
}

async function prepareLinkedCluster(link: string, options: ClusterOptions): Promise<void> {
  const { dataDir, durable, log } = options;
  const { current } = getClusterPaths(dataDir);
  if (!isCluster(link)) {
    if (durable)
      throw new Error(`The database of ${dataDir} was in ${link} and is gone. To start over, delete ${current}.`);
    rmSync(current);
    return;
  }
  const running = await findPostmaster(link);
  const isOwnCluster = wasLastUsedBy(dataDir, link);
  if (running !== undefined && !isOwnCluster) {
    throw new Error(
      `${dataDir} is a copy without its database, which is in ${link} and in use by process ${running.pid}. Stop that process and try again.`,
    );
  }
  if (running !== undefined || (isOwnCluster && findBarrier(dataDir) !== undefined)) return;
  try {
    await moveCluster(link, options, isOwnCluster);
  } catch (error) {
    if (!isOwnCluster || !isCluster(current)) throw error;
    log.warn(`The database was not moved: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Detached, so that signals to the process group reach only node. */
async function initdb(args: string[], cwd: string): Promise<void> {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const options = { ...postgresIdentity, env: postgresEnvironment, cwd, detached: true, stdio };
  const child = spawn(join(findBinaries(), 'bin', 'initdb'), args, options);
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void output.push(chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`initdb failed.\n${Buffer.concat(output).toString('utf8').trim()}`);
}

/**
 * Creates the cluster aside and moves it into position, so that an interrupted first start leaves no incomplete one.
 */
async function createCluster({ dataDir, durable, log }: ClusterOptions): Promise<void> {
  const { current, next } = getClusterPaths(dataDir);
  if (exists(current) && readdirSync(current).length > 0) {
    throw new Error(
      `${current} contains an incomplete database (PG_VERSION is missing). Copy it again, or delete it to start over.`,
    );
  }
  log.info('Preparing the database cluster.');
  const target = findBarrier(dataDir) === undefined ? next : join(getCommonFolder(), `cluster-${randomUUID()}`);
  const partial = `${target}.${randomUUID()}`;
  createPrivateFolder(partial);
  const args = ['-D', partial, '-U', 'postgres', '--auth-local=trust', '--auth-host=reject', '-E', 'UTF8'];
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions');
  if (!durable) args.push('--no-sync');
  try {
    await initdb(args, partial);
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
  if (target !== next) symlinkSync(target, next);
  finishSwap(dataDir);
}

/**
 * Returns the path of the complete cluster of a data folder and creates it when missing. Call it from one process at a
 * time. A running PostgreSQL is left alone.
 */
export async function prepareCluster(options: ClusterOptions): Promise<string> {
  const { dataDir, log } = options;
  const { current } = getClusterPaths(dataDir);
  finishSwap(dataDir);
  const link = findLinkTarget(current);
  if (exists(link ?? current)) takeOwnership(link ?? current);
  if (link !== undefined) await prepareLinkedCluster(link, options);
  else if (findBarrier(dataDir) !== undefined && isCluster(current)) await moveCluster(current, options, false);
  if (!isCluster(current)) await createCluster(options);
  const cluster = findLinkTarget(current) ?? current;
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version !== VERSION) {
    throw new Error(
      `${cluster} was created by PostgreSQL ${version}, but this is ${VERSION}. Dump it with ${version} and restore it here.`,
    );
  }
  const barrier = findBarrier(dataDir);
  if (cluster !== current && barrier !== undefined) {
    log.warn(
      `The database is in ${cluster}, outside the data folder, because PostgreSQL runs as user ${postgresUid}, who has no access to ${barrier}.`,
    );
  }
  return cluster;
}

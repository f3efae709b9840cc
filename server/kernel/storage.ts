/** Where files live: one folder, or any S3-compatible store. Keys are made by us, never from a name somebody gave. */
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, link, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export type StoredFile = {
  byteSize: number;
  stream: (range?: { start: number; end: number }) => Promise<Readable>;
  /** Where it lies on this machine, if it does. */
  path?: string;
};

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

/** A folder as the store. */
export function localStorage(dir: string): Storage {
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
    check: async () => {
      await mkdir(dir, { recursive: true });
      const probe = path.join(dir, `.probe-${process.pid}`);
      await writeFile(probe, '');
      await rm(probe, { force: true });
    },
  };
}

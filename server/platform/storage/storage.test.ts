import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ObjectStore, startObjectStore } from '../../testing/object-store.ts';
import { readConfig } from '../config.ts';
import { createLocalStorage, type ListedFile, type Storage } from './storage.ts';
import { createS3Storage } from './storage-s3.ts';

/** Keys that are listed by one request. */
const AT_ONCE = 20;

let dir: string;
let objects: ObjectStore;
const stores = new Map<string, Storage>();

function createBucketStorage(changes: Record<string, string> = {}): Storage {
  const env = { NODE_ENV: 'test', DATA_DIR: path.join(dir, 'data'), ...objects.env, ...changes };
  const { storage } = readConfig(env);
  if (storage.kind !== 's3') throw new Error('not a bucket');
  return createS3Storage(storage, AT_ONCE);
}

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-storage-'));
  objects = await startObjectStore();
  stores.set('local', createLocalStorage(path.join(dir, 'media'), AT_ONCE));
  stores.set('s3', createBucketStorage());
});
afterAll(async () => {
  await objects.close();
  await rm(dir, { recursive: true, force: true });
});

describe.each(['local', 's3'])('storage: %s', (kind) => {
  const storage = (): Storage => {
    const store = stores.get(kind);
    if (!store) throw new Error(kind);
    return store;
  };
  const read = async (key: string, range?: { start: number; end: number }) => {
    const file = await storage().open(key);
    return file && { byteSize: file.byteSize, text: (await buffer(await file.stream(range))).toString() };
  };

  it('stores buffers and streams, and returns ranges', async () => {
    await storage().check();
    await storage().put('public/a/1.webp', Buffer.from('0123456789'), 'image/webp');
    await storage().put('public/a/2.webp', Readable.from([Buffer.from('strea'), Buffer.from('med')]), 'image/webp');
    expect(await read('public/a/1.webp')).toEqual({ byteSize: 10, text: '0123456789' });
    expect(await read('public/a/2.webp')).toEqual({ byteSize: 8, text: 'streamed' });
    expect(await read('public/a/1.webp', { start: 2, end: 4 })).toEqual({ byteSize: 10, text: '234' });
    expect(await read('public/a/1.webp', { start: 9, end: 9 })).toEqual({ byteSize: 10, text: '9' });
    await storage().put('public/a/1.webp', Buffer.from('new'), 'image/webp');
    expect(await read('public/a/1.webp')).toEqual({ byteSize: 3, text: 'new' });
  });

  it('stores a stream of 12 MB', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    await storage().put('private/large', Readable.from(Array.from({ length: 12 }, () => chunk)), 'image/jpeg');
    expect((await storage().open('private/large'))?.byteSize).toBe(12 * 1024 * 1024);
  });

  it('stores nothing of a stream that breaks', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('the upload broke');
      })(),
    );
    await expect(storage().put('private/broken/1.webp', broken, 'image/webp')).rejects.toThrow('the upload broke');
    expect(await storage().open('private/broken/1.webp')).toBeUndefined();
    if (kind === 'local') expect(await readdir(path.join(dir, 'media', 'private', 'broken'))).toEqual([]);
  });

  it('finds nothing for an unknown key or for the prefix of other keys', async () => {
    await storage().put('private/m/1/2.webp', Buffer.from('x'), 'image/webp');
    for (const key of ['private/none', 'private/m/1', 'private/m/1/2.webp/3']) {
      expect(await storage().open(key)).toBeUndefined();
    }
  });

  it('removes one file, or all under a prefix but not its neighbours, and is idempotent', async () => {
    for (const key of ['private/m/7/1.webp', 'private/m/7/2.webp', 'private/m/70/1.webp', 'private/o/7']) {
      await storage().put(key, Buffer.from('x'), 'image/webp');
    }
    for (let times = 0; times < 2; times += 1) {
      await storage().removeAll('private/m/7');
      await storage().remove('private/o/7');
    }
    expect(await storage().open('private/m/7/1.webp')).toBeUndefined();
    expect(await storage().open('private/m/7/2.webp')).toBeUndefined();
    expect(await storage().open('private/o/7')).toBeUndefined();
    expect((await storage().open('private/m/70/1.webp'))?.byteSize).toBe(1);
  });

  const list = async (prefix: string) => {
    const files: ListedFile[] = [];
    for await (const file of storage().list(prefix)) files.push(file);
    return files;
  };

  it('lists all files under a prefix, in the order of keys', async () => {
    const keys = ['b/0', 'b/1/x.webp', 'b/1/y/z.webp', 'b/1-2', 'b/1.3', 'b/1a/y/z.webp', 'b/10', 'ba/1'];
    for (const key of keys) await storage().put(`list/${key}`, Buffer.from('abc'), 'x/y');
    const listed = await list('list/b');
    const under = keys.slice(0, -1).map((key) => ({ key: `list/${key}`, byteSize: 3 }));
    const inOrder = (files: ListedFile[]) => files.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    expect(kind === 's3' ? inOrder(listed) : listed).toEqual(inOrder(under));
    expect(await list('list/none')).toEqual([]);
  });

  it('lists more files than fit into one response', async () => {
    const keys = Array.from({ length: 3 * AT_ONCE + 3 }, (_, index) => `many/${String(index).padStart(5, '0')}`);
    const shuffled = keys.toSorted(() => Math.random() - 0.5);
    for (let from = 0; from < keys.length; from += 50)
      await Promise.all(shuffled.slice(from, from + 50).map((key) => storage().put(key, Buffer.from('x'), 'x/y')));
    expect((await list('many')).map(({ key }) => key)).toEqual(keys);
  });

  it.each([
    '',
    '/',
    '../x',
    'a/../b',
    'a//b',
    '/etc/passwd',
    'a/.hidden',
    'a\\b',
    'a b',
    'a/b/',
    'ü',
    `a${'/a'.repeat(200)}`,
    'a\0b',
  ])('refuses the key %j', async (key) => {
    await expect(storage().put(key, Buffer.from('x'), 'image/webp')).rejects.toThrow('not a storage key');
    await expect(storage().open(key)).rejects.toThrow('not a storage key');
    await expect(storage().removeAll(key)).rejects.toThrow('not a storage key');
    await expect(list(key)).rejects.toThrow('not a storage key');
  });
});

it('an S3 store that lists a file it does not delete causes an error', async () => {
  const refuser = createServer((request, response) => {
    response.setHeader('content-type', 'application/xml');
    const error =
      '<Error><Key>private/m/7/1.webp</Key><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
    const list =
      '<ListBucketResult><Contents><Key>private/m/7/1.webp</Key><Size>1</Size></Contents></ListBucketResult>';
    response.end(request.method === 'POST' ? `<DeleteResult>${error}</DeleteResult>` : list);
  });
  await new Promise<void>((resolve) => void refuser.listen(0, '127.0.0.1', resolve));
  const address = refuser.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  try {
    const removed = createBucketStorage({ S3_ENDPOINT: `http://127.0.0.1:${port}` }).removeAll('private/m/7');
    await expect(removed).rejects.toThrow('private/m/7/1.webp: Access Denied');
  } finally {
    refuser.closeAllConnections();
    refuser.close();
  }
});

it('a missing S3 bucket fails the check', async () => {
  await expect(createBucketStorage({ S3_BUCKET: 'missing' }).check()).rejects.toThrow();
});

/** A minimal tus client, which can stop midway and send wrong data. */
import { type Media, media as mediaView } from '@stagedoor/contract/content/media.ts';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';

export type TusClient = {
  create(
    byteSize: number | string,
    metadata?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Response>;
  patch(url: string, offset: number, chunk: Uint8Array): Promise<Response>;
  head(url: string): Promise<Response>;
  remove(url: string): Promise<Response>;
  upload(file: Uint8Array, name?: string, type?: string): Promise<string>;
};

export function createTusClient(origin: string, cookie?: string): TusClient {
  const shared = { 'tus-resumable': '1.0.0', ...(cookie === undefined ? {} : { cookie }) };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const client: TusClient = {
    create: (byteSize, metadata = {}, headers = {}) =>
      fetch(`${origin}/files`, {
        method: 'POST',
        headers: {
          ...shared,
          'upload-length': String(byteSize),
          'upload-metadata': Object.entries({ filename: 'picture.jpg', filetype: 'image/jpeg', ...metadata })
            .map(([key, value]) => `${key} ${base64(value)}`)
            .join(','),
          ...headers,
        },
      }),
    patch: (url, offset, chunk) =>
      fetch(`${origin}${url}`, {
        method: 'PATCH',
        headers: { ...shared, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
        body: new Uint8Array(chunk),
      }),
    head: (url) => fetch(`${origin}${url}`, { method: 'HEAD', headers: shared }),
    remove: (url) => fetch(`${origin}${url}`, { method: 'DELETE', headers: shared }),
    upload: async (file, name = 'picture.jpg', type = 'image/jpeg') => {
      const created = await client.create(file.length, { filename: name, filetype: type });
      const url = created.headers.get('location');
      if (created.status !== 201 || !url) throw new Error(`create answered ${created.status}: ${await created.text()}`);
      const patched = await client.patch(url, 0, file);
      if (patched.status !== 204) throw new Error(`patch answered ${patched.status}: ${await patched.text()}`);
      return url.slice(url.lastIndexOf('/') + 1);
    },
  };
  return client;
}

export type UploadTest = {
  readonly test: TestApp;
  readonly creator: TestUser;
  readonly client: TusClient;
  readonly origin: string;
};

/** The caller must close `test`. */
export async function openUploadTest(env: Record<string, string> = {}): Promise<UploadTest> {
  const test = await createTestApp({ env });
  await test.app.start();
  const creator = await test.signUp('creator');
  const origin = await test.app.http.listen({ port: 0, host: '127.0.0.1' });
  return { test, creator, origin, client: createTusClient(origin, creator.cookie) };
}

export type IdleUploadTest = UploadTest & {
  /** Runs the jobs until uploads can be shown. Returns one of them. */
  readonly makeReady: (id: string) => Promise<Media>;
  /** Runs the jobs that follow: plain file, scrubber frames, animated previews, further renditions, AVIF. */
  readonly improve: (id: string, options?: { hasGifs?: boolean }) => Promise<Media>;
};

const LATER = ['media.improve', 'media.avif'];

/** No job runs by itself, so that a test does only the work that it checks. The caller must close `test`. */
export async function openIdleUploadTest(env: Record<string, string> = {}): Promise<IdleUploadTest> {
  const uploadTest = await openUploadTest({ PROCESS_ROLE: 'web', ...env });
  const { db, jobs } = uploadTest.test.ctx;
  const read = async (id: string) =>
    z.parse(mediaView, (await uploadTest.creator.inject('GET', `/api/creator/media/${id}`)).json());
  return {
    ...uploadTest,
    makeReady: async (id) => {
      await jobs.runDue(['media.process', 'media.stream', 'media.encode']);
      return read(id);
    },
    improve: async (id, { hasGifs = true } = {}) => {
      // Nothing takes longer than the animated previews.
      if (!hasGifs) await db.pool.query(`update media set stream = stream || '{"clip": 1}' where id = $1`, [id]);
      // What other tests left to do is not worth the time.
      await db.pool.query(
        `delete from graphile_worker._private_jobs where split_part(key, ':', 1) = any($1) and split_part(key, ':', 2) <> $2`,
        [LATER, id],
      );
      await jobs.runDue(LATER);
      return read(id);
    },
  };
}

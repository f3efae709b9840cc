import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePost } from '../../modules/content/posts/testing.ts';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';

let test: TestApp;
let creator: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  creator = await test.signUp('creator');
  for (let n = 0; n < 3; n += 1) await makePost(test.ctx, creator.id, { caption: `Ü ${n}` });
});
afterAll(() => test.close());

const ask = (url: string, accept: string) => test.inject('GET', url, undefined, { 'accept-encoding': accept });

it.each([
  ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
  ['gzip, deflate, br', 'gzip', gunzipSync],
  ['zstd;q=0, gzip', 'gzip', gunzipSync],
  ['zstd ; Q=0 ,GZIP', 'gzip', gunzipSync],
])('a list is compressed for the accept-encoding %s with %s', async (accept, encoding, open) => {
  const url = `/api/public/posts/${creator.id}`;
  const [plain, small] = [await ask(url, ''), await ask(url, accept)];
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(small.headers).toMatchObject({
    'content-encoding': encoding,
    'content-type': 'application/json; charset=utf-8',
    vary: 'accept-encoding',
  });
  expect(small.headers['content-length']).toBe(String(small.rawPayload.length));
  expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
  expect(JSON.parse(open(small.rawPayload).toString())).toEqual(plain.json());
});

it.each(['gzip;q=0 , identity', 'gzip;q=0.0', 'gzip-x', 'br', 'identity', '*;q=0'])(
  'a list is not compressed for the accept-encoding %s',
  async (accept) => {
    expect((await ask(`/api/public/posts/${creator.id}`, accept)).headers['content-encoding']).toBeUndefined();
  },
);

it('a response that fits into two packets is not compressed', async () => {
  const answer = await ask(`/api/public/posts/${creator.id}?limit=1`, 'gzip, br, zstd');
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(answer.headers.vary).toBe('accept-encoding');
  expect(answer.json().data).toHaveLength(1);
});

it('refusals are not compressed', async () => {
  expect((await ask('/api/customer/profile', 'gzip')).headers['content-encoding']).toBeUndefined();
});

it('file downloads are not compressed', async () => {
  const headers = { 'accept-encoding': 'gzip, zstd' };
  const url = '/api/creator/statement?from=2020-01-01&to=2026-12-31&format=pdf';
  const { statusCode, headers: sent, rawPayload } = await creator.inject('GET', url, undefined, headers);
  expect([statusCode, sent['content-encoding'], rawPayload.subarray(0, 5).toString()]).toEqual([
    200,
    undefined,
    '%PDF-',
  ]);
  expect(rawPayload.length).toBeGreaterThan(2_048);
});

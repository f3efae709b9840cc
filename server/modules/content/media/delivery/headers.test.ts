import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { variantKey } from '../keys.ts';
import { makeReadyPicture, publishPost } from '../testing.ts';

let test: TestApp;
let creator: TestUser;
let port = 0;
beforeAll(async () => {
  test = await createTestApp();
  creator = await test.signUp('creator');
  port = Number(new URL(await test.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => test.close());

const REQUESTS: readonly [string, 'GET' | 'HEAD', Record<string, string>, number][] = [
  ['whole', 'GET', {}, 200],
  ['a part', 'GET', { range: 'bytes=0-9' }, 206],
  ['a part that is not there', 'GET', { range: 'bytes=9999999-' }, 416],
  ['its head', 'HEAD', {}, 200],
  ['a revalidation', 'GET', { 'if-none-match': '*' }, 304],
];

/** Uses a real connection, because large files bypass Fastify's streams. */
async function sendRequest(path: string, method: string, headers: Record<string, string>) {
  const first = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie: creator.cookie } });
  await first.arrayBuffer();
  const sentHeaders = {
    ...headers,
    ...(headers['if-none-match'] && { 'if-none-match': first.headers.get('etag') ?? '' }),
  };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { cookie: creator.cookie, ...sentHeaders },
  });
  await response.arrayBuffer();
  return response;
}

describe.each([
  ['a small file', 1_000],
  ['a large file, which bypasses Fastify’s streams', 200_000],
])('%s', (_, bytes) => {
  async function picture(price: number): Promise<string> {
    const id = await makeReadyPicture(test.ctx, creator.id, { hasFiles: true });
    await test.ctx.storage.put(variantKey(id, '640.webp'), Buffer.alloc(bytes, 1), 'image/webp');
    await publishPost(creator, [id], { price });
    await test.ctx.events.waitUntilIdle();
    return id;
  }

  it.each(REQUESTS)(
    'that is private has private cache and same-origin headers when requested: %s',
    async (_how, method, headers, status) => {
      const id = await picture(5);
      for (const path of [
        `/api/asset/private?fileKey=m/${id}/640.webp&tblType=post`,
        `/api/asset/private/post/m/${id}/640.webp`,
      ]) {
        const response = await sendRequest(path, method, headers);
        expect(response.status).toBe(status);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'cache-control': 'private, max-age=300',
          vary: expect.stringMatching(/^cookie$/i),
          'cross-origin-resource-policy': 'same-origin',
          'x-content-type-options': 'nosniff',
          'content-disposition': 'inline',
        });
      }
    },
  );

  it.each(REQUESTS)(
    'that is public has shared cache headers when requested: %s',
    async (_how, method, headers, status) => {
      const response = await sendRequest(`/media/public/m/${await picture(0)}/640.webp`, method, headers);
      expect(response.status).toBe(status);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, s-maxage=300, immutable');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('vary')).toBeNull();
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    },
  );
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../testing/app.ts';

const build = vi.hoisted(() => ({ clientDir: '', rendered: [] as string[], ended: [] as boolean[] }));
vi.mock('./frame.ts', () => ({
  openFrame: async () => ({
    clientDir: build.clientDir,
    styles: () => undefined,
    toPageBody: () => undefined,
    findCacheKey: (url: string) => (url.includes('cached') ? url : undefined),
    pages: () => ({
      findCacheRule: () => undefined,
      respond: async ({ url }: Request, { hasEnded }: { hasEnded: boolean }) => {
        build.rendered.push(new URL(url).pathname);
        build.ended.push(hasEnded);
        return { response: new Response('<p>A page</p>', { headers: { 'content-type': 'text/html; charset=utf-8' } }) };
      },
    }),
  }),
}));

let app: TestApp;
beforeAll(async () => {
  build.clientDir = await mkdtemp(path.join(tmpdir(), 'stagedoor-client-'));
  app = await createTestApp({ hasPages: true, env: { RATE_LIMIT_FACTOR: '0.005', TRUST_PROXY: '127.0.0.1' } });
});
afterAll(async () => {
  await app.close();
  await rm(build.clientDir, { recursive: true });
});
beforeEach(() => {
  build.rendered.length = 0;
  build.ended.length = 0;
  app.clock.advance(60_000);
});

let visitors = 0;
function createVisitor() {
  visitors += 1;
  const from = { 'x-forwarded-for': `17.0.0.${visitors}` };
  return (url: string) => app.inject('GET', url, undefined, from);
}

test('viewers whose session has ended share one cached page with a notice, and their cookies are cleared', async () => {
  const request = (cookie?: string) => app.inject('GET', '/cached/ended', undefined, cookie ? { cookie } : {});
  for (const sid of ['made-up', 'another']) {
    const { statusCode, headers } = await request(`sid=${sid}; loggedIn=true`);
    expect(statusCode).toBe(200);
    expect(headers['set-cookie']).toEqual(expect.arrayContaining([expect.stringMatching(/^sid=;/)]));
  }
  expect((await request()).headers['set-cookie']).toBeUndefined();
  expect(build.ended).toEqual([true, false]);
});

test('the fourth page within a minute is refused with a page and retry-after, other visitors are not', async () => {
  const request = createVisitor();
  for (let n = 0; n < 3; n += 1) expect((await request('/settings')).statusCode).toBe(200);
  const refused = await request('/settings');
  expect(refused.statusCode).toBe(429);
  expect(refused.headers).toMatchObject({
    ...{ 'retry-after': '60', 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' },
    'x-content-type-options': 'nosniff',
  });
  expect(refused.body).toContain('<h1>Too many requests</h1>');
  expect(refused.body).toContain('Wait a moment and reload this page.');
  expect(build.rendered).toHaveLength(3);
  expect((await createVisitor()('/settings')).statusCode).toBe(200);
  app.clock.advance(60_000);
  expect((await request('/settings')).statusCode).toBe(200);
});

test('pages are counted per account across addresses and sessions, including form posts', async () => {
  const fan = await app.signUp('customer');
  const secondLogin = await app.logIn(fan);
  const statuses = [];
  for (const [n, user] of [fan, secondLogin, fan, secondLogin].entries())
    statuses.push((await user.inject('POST', '/settings', '', { 'x-forwarded-for': `17.1.0.${n}` })).statusCode);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('cached pages are not counted', async () => {
  const [request, other] = [createVisitor(), createVisitor()];
  for (let n = 0; n < 10; n += 1) expect((await request('/cached')).statusCode).toBe(200);
  expect(build.rendered).toEqual(['/cached']);
  for (let n = 0; n < 3; n += 1) expect((await request(`/cached/${n}`)).statusCode).toBe(n < 2 ? 200 : 429);
  const both = await Promise.all([request('/cached/9'), other('/cached/9')]);
  expect(both.map(({ statusCode }) => statusCode)).toEqual([429, 200]);
});

test('a refused embed causes no database query, and a served one names its permitted framers', async () => {
  const creator = await app.signUp('creator');
  const allowed = { allowed: 'named', origins: ['https://friend.example'] };
  expect((await creator.inject('PUT', '/api/creator/embeds', allowed)).statusCode).toBe(200);
  const request = createVisitor();
  const frame = `/embed/profile/${creator.username}`;
  for (let n = 0; n < 3; n += 1) {
    const shown = await request(frame);
    expect(shown.statusCode).toBe(200);
    expect(shown.headers['content-security-policy']).toContain('frame-ancestors https://friend.example');
  }
  const run = vi.spyOn(app.ctx.db, 'run');
  expect((await request(frame)).statusCode).toBe(429);
  expect(run.mock.calls.map(([{ name }]) => name)).toEqual([]);
  run.mockRestore();
});

/** In production, responses are reduced to their schema without validation. */
import { event } from '@stagedoor/contract/shared/event.ts';
import { route } from '@stagedoor/contract/shared/route.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { openTab } from '../modules/messaging/chat/testing.ts';
import { createBind } from '../platform/http/routing.ts';
import { createTestApp, PRODUCTION_ENV, type TestApp } from './app.ts';

const { PUBLIC_URL } = PRODUCTION_ENV;

const named = z.object({ name: z.string() });
const responseSchema = z.object({
  one: named,
  list: z.array(named),
  maybe: z.optional(named),
  none: z.nullable(named),
  choice: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('open'), url: z.string() }),
    z.object({ kind: z.literal('locked') }),
  ]),
});
const SECRET = { email: 'user@example.com' };
const createResponse = () => ({
  one: { name: 'a', ...SECRET },
  list: [{ name: 'b', ...SECRET }],
  maybe: { name: 'c', ...SECRET },
  none: { name: 'd', ...SECRET },
  choice: { kind: 'locked' as const, url: '/private', ...SECRET },
  ...SECRET,
});
const EXPECTED = {
  one: { name: 'a' },
  list: [{ name: 'b' }],
  maybe: { name: 'c' },
  none: { name: 'd' },
  choice: { kind: 'locked' },
};

const get = { method: 'GET', summary: 'For this test', auth: 'public', rate: 'read' } as const;
const testEvent = event({ name: 'TEST_EVENT', audience: 'user', payload: responseSchema });

let live: TestApp;
let port = 0;
beforeAll(async () => {
  live = await createTestApp({ env: PRODUCTION_ENV });
  const bind = createBind(live.app.http, live.ctx, new Map());
  bind(route({ ...get, path: '/named', response: responseSchema }), createResponse);
  bind(route({ ...get, path: '/broken', response: responseSchema }), () => {
    throw new Error('password=hunter2');
  });
  await live.app.start();
  port = Number(new URL(await live.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => live.close());

describe('fields outside the schema are removed', () => {
  test('from responses', async () => {
    const response = await live.inject('GET', '/api/named');
    expect([response.statusCode, response.json()]).toEqual([200, EXPECTED]);
  });

  test('from socket events', async () => {
    const fan = await live.signUp('customer');
    const tab = await openTab(port, fan.cookie);
    live.ctx.realtime.emitToUser(fan.id, testEvent, createResponse());
    await vi.waitFor(() => expect(tab.listPayloads('TEST_EVENT')).toEqual([EXPECTED]), { timeout: 30_000 });
    tab.close();
  });

  test('from internal errors, except the request id', async () => {
    const response = await live.inject('GET', '/api/broken');
    expect([response.statusCode, response.json()]).toEqual([
      500,
      {
        code: 'INTERNAL',
        message: 'Something went wrong. Try again.',
        requestId: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    ]);
  });
});

describe('security headers', () => {
  const KINDS: readonly [string, 'GET' | 'POST' | 'DELETE', string, number][] = [
    ['a response', 'GET', '/api/public/creators', 200],
    ['a refusal', 'GET', '/api/auth/user', 401],
    ['a validation error', 'GET', '/api/public/creators?limit=x', 400],
    ['an unknown route', 'GET', '/api/nothing', 404],
    ['an unknown page', 'GET', '/nothing', 404],
    ['an internal error', 'GET', '/api/broken', 500],
    ['a change by a visitor', 'POST', '/api/auth/logout', 200],
    ['an unknown file', 'GET', '/media/public/x.webp', 404],
    ['an unknown private file', 'GET', '/api/asset/private?fileKey=x', 404],
    ['a probe', 'GET', '/healthz', 200],
    ['the document', 'GET', '/api/openapi.json', 200],
    ['the webhook', 'POST', '/api/webhook/ccbill/wrong', 404],
  ];
  test.each(KINDS)('are on %s', async (_, method, url, status) => {
    const { statusCode, headers } = await live.inject(method, url);
    expect(statusCode).toBe(status);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=()',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    });
    const policy = String(headers['content-security-policy']).split('; ');
    const nonce = policy.find((part) => part.startsWith('script-src'))?.match(/'nonce-([\w+/=]{24})'/)?.[1];
    expect(policy).toEqual([
      "default-src 'self'",
      "base-uri 'none'",
      "object-src 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data: blob:",
      "media-src 'self' blob:",
      "font-src 'self'",
      `script-src 'nonce-${nonce}' 'strict-dynamic'`,
      "style-src 'self' 'unsafe-inline'",
      "connect-src 'self'",
      "worker-src 'self' blob:",
      "form-action 'self' https://api.ccbill.com",
    ]);
    if (url.startsWith('/api/') && url !== '/api/openapi.json') expect(headers['cache-control']).toBe('no-store');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  });

  test('contain a new nonce in every response', async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => (await live.inject('GET', '/healthz')).headers['content-security-policy']),
    );
    expect(new Set(policies).size).toBe(2);
  });
});

describe('a logged-in user', () => {
  test('is identified by cookies of this origin only, and the session cookie is not readable by scripts', async () => {
    const { username, password } = await live.signUp('customer');
    const response = await live.inject('POST', '/api/auth/login', { username, password }, { origin: PUBLIC_URL });
    const shared = { path: '/', secure: true, sameSite: 'Lax' };
    const cookies = response.cookies.map(({ name, httpOnly, path, secure, sameSite, domain }) => ({
      ...{ name, httpOnly, path, secure, sameSite, domain },
    }));
    expect(cookies).toContainEqual({ name: '__Host-sid', httpOnly: true, domain: undefined, ...shared });
    expect(cookies).toContainEqual({ name: 'loggedIn', httpOnly: undefined, domain: undefined, ...shared });
    expect(cookies.filter(({ secure, sameSite }) => !secure || sameSite !== 'Lax')).toEqual([]);
  });

  test('is protected from requests of other origins, including those of development', async () => {
    const fan = await live.signUp('customer');
    for (const origin of [
      `http://localhost:${live.ctx.config.port}`,
      'http://stagedoor.example',
      'https://a.stagedoor.example',
      'null',
    ])
      expect([origin, (await fan.inject('POST', '/api/auth/logout', undefined, { origin })).statusCode]).toEqual([
        origin,
        403,
      ]);
    // Without an Origin header, the server checks Sec-Fetch-Site. A sibling site is refused too.
    for (const site of ['cross-site', 'same-site'])
      expect((await fan.inject('POST', '/api/auth/logout', undefined, { 'sec-fetch-site': site })).statusCode).toBe(
        403,
      );
    expect((await fan.inject('POST', '/api/auth/logout', undefined, { origin: PUBLIC_URL })).statusCode).toBe(200);
  });
});

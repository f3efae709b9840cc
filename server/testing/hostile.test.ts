/** Every route with hostile input. It must return one of its errors, and never an internal one. */

import { getAdminUser } from '@stagedoor/contract/admin/search.ts';
import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import { ERRORS } from '@stagedoor/contract/shared/errors.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import * as z from 'zod/mini';
import { ROUTES } from '../modules/index.ts';
import { createTestApp, type HttpMethod, type TestApp, type TestUser } from './app.ts';
import { getSample, toSampleUrl, UNKNOWN_ID } from './samples.ts';

let app: TestApp;
/** Requests that are refused change nothing about their caller, so they share one of each type. */
let shared: Record<UserType, TestUser>;
beforeAll(async () => {
  app = await createTestApp();
  const [customer, creator, operator] = [
    await app.signUp('customer'),
    await app.signUp('creator'),
    await app.signUp('operator'),
  ];
  shared = { customer, creator, operator };
});
afterAll(() => app.close());

const TYPES: readonly UserType[] = ['customer', 'creator', 'operator'];
const ALWAYS = [
  'VALIDATION',
  'UNAUTHORIZED',
  'RATE_LIMITED',
  'FORBIDDEN',
  'account_blocked',
  'TOO_LARGE',
  'UNSUPPORTED_TYPE',
];
const JSON_HEADERS = { 'content-type': 'application/json' };
const BODY_METHODS: readonly HttpMethod[] = ['POST', 'PUT', 'PATCH'];

const isChange = (route: RouteSpec) => route.method !== 'GET';
const isDevRoute = ({ route }: { route: RouteSpec }) => route.path.startsWith('/dev/');
const routes = ROUTES.filter((entry) => !isDevRoute(entry)).map(({ name, route }) => ({ name, route }));

const getCallerType = ({ auth }: RouteSpec): UserType => (auth === 'public' || auth === 'session' ? 'customer' : auth);
/** For requests that may succeed, for example a logout. */
const createCaller = (route: RouteSpec): Promise<TestUser> => app.signUp(getCallerType(route));
const getSharedCaller = (route: RouteSpec): TestUser => shared[getCallerType(route)];
/** Reads leave a caller as they are. */
const getCaller = async (route: RouteSpec): Promise<TestUser> =>
  isChange(route) ? createCaller(route) : getSharedCaller(route);
/** For checks that run before the route is known: each route gets one of the values, and each value many routes. */
const pickOne = <T>(values: readonly T[], route: RouteSpec): T[] => {
  const index = routes.findIndex((entry) => entry.route === route) % values.length;
  return values.slice(index, index + 1);
};

function sendRequest(
  from: Pick<TestUser, 'inject'>,
  route: RouteSpec,
  parts: { url?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const body = 'body' in parts ? parts.body : getSample(route).body;
  const hasBody = BODY_METHODS.includes(route.method) && body !== undefined;
  const payload = hasBody ? (typeof body === 'string' ? body : JSON.stringify(body)) : undefined;
  return from.inject(route.method, parts.url ?? toSampleUrl(route), payload, {
    ...(hasBody ? JSON_HEADERS : {}),
    ...parts.headers,
  });
}

/** Requires an error of this route in the standard format, without internal details. */
function expectRefusal(route: RouteSpec, response: LightMyRequestResponse): void {
  const body = response.json();
  const allowed = [...ALWAYS, ...(route.errors ?? []), ...(route.params ? ['NOT_FOUND'] : [])];
  expect(allowed, `${route.method} ${route.path} answered ${response.body.slice(0, 200)}`).toContain(body.code);
  const known = Object.entries(ERRORS).find(([code]) => code === body.code)?.[1];
  expect(response.statusCode).toBe(known?.status);
  expect(Object.keys(body).filter((key) => !['code', 'message', 'error'].includes(key))).toEqual([]);
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.body).not.toMatch(/node_modules|at \w+ \(|\.ts:\d|select .* from|syntax error|violates/i);
}

/** Requires a success or a proper refusal. */
function expectNoFault(route: RouteSpec, response: LightMyRequestResponse): void {
  if (response.statusCode >= 300) expectRefusal(route, response);
}

function skipUnbound(context: TestContext, route: RouteSpec): void {
  if (!app.app.bound.has(route)) context.skip();
}

describe('callers', () => {
  const blocked = new Map<UserType, TestUser>();
  async function getBlockedCaller(route: RouteSpec): Promise<TestUser> {
    const type = getCallerType(route);
    const user = blocked.get(type) ?? (await app.signUp(type));
    if (!blocked.has(type))
      await app.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', user.id).execute();
    blocked.set(type, user);
    return user;
  }

  test.for(routes.filter(({ route }) => route.auth !== 'public'))(
    '$name refuses a request without a session',
    async ({ route }, context) => {
      skipUnbound(context, route);
      const cookies = ['loggedIn=true', `sid=${'A'.repeat(43)}`, "sid=' or true --", 'sid=%00'];
      for (const cookie of ['', ...pickOne(cookies, route)]) {
        const response = await sendRequest(app, route, { headers: { cookie } });
        expect(response.json()).toEqual({ code: 'UNAUTHORIZED', message: ERRORS.UNAUTHORIZED.message });
        expect(response.statusCode).toBe(401);
      }
    },
  );

  const ofOneRole = routes.filter(({ route }) => route.auth !== 'public' && route.auth !== 'session');
  test.for(ofOneRole)('$name refuses the wrong role', async ({ route }, context) => {
    skipUnbound(context, route);
    for (const type of TYPES.filter((other) => other !== route.auth)) {
      const response = await sendRequest(shared[type], route);
      expect(response.json()).toEqual({ code: 'FORBIDDEN', message: ERRORS.FORBIDDEN.message });
    }
  });

  test.for(routes.filter(({ route }) => route.auth !== 'public'))(
    '$name refuses a blocked account',
    async ({ route }, context) => {
      skipUnbound(context, route);
      const response = await sendRequest(await getBlockedCaller(route), route);
      expect(response.json()).toEqual({ code: 'account_blocked', message: ERRORS.account_blocked.message });
    },
  );

  test.for(routes.filter(({ route }) => isChange(route)))(
    '$name refuses requests from another site',
    async ({ route }, context) => {
      skipUnbound(context, route);
      const user = getSharedCaller(route);
      const origins: Record<string, string>[] = [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { origin: 'http://localhost:1' },
      ];
      for (const headers of pickOne(origins, route)) {
        const response = await sendRequest(user, route, { headers });
        expect(response.statusCode).toBe(403);
        expect(response.json().code).toBe('FORBIDDEN');
      }
      expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(200);
    },
  );
});

describe('ids in the path', () => {
  const idNames = (route: RouteSpec) =>
    [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '').filter((name) => /id$/i.test(name));
  const withId = routes.filter(({ route }) => idNames(route).length > 0);
  const addresses = (route: RouteSpec, ids: readonly string[]) =>
    idNames(route).flatMap((name) => ids.map((id) => toSampleUrl(route, { [name]: id })));

  /** Operators may read every user. */
  const PUBLIC_USER_ROUTES: readonly RouteSpec[] = [getAdminUser];

  test.for(withId)(
    '$name returns NOT_FOUND for an id that does not exist or belongs to another user',
    async ({ route }, context) => {
      skipUnbound(context, route);
      const user = getSharedCaller(route);
      const stranger = await app.signUp('customer');
      const [session] = (await stranger.inject('GET', '/api/auth/sessions')).json().data;
      const isPublicUserRoute = PUBLIC_USER_ROUTES.includes(route);
      for (const url of addresses(route, [UNKNOWN_ID, ...(isPublicUserRoute ? [] : [stranger.id]), session.id])) {
        const response = await sendRequest(user, route, { url });
        expectRefusal(route, response);
        expect(response.json().code).toBe('NOT_FOUND');
      }
      expect((await stranger.inject('GET', '/api/auth/user')).statusCode).toBe(200);
    },
  );

  const MALFORMED = ['0', "' or true --", '\u0000', `${UNKNOWN_ID}0`, '../../auth/user', 'é'.repeat(250)];
  test.for(withId)('$name returns NOT_FOUND for a malformed id', async ({ route }, context) => {
    skipUnbound(context, route);
    for (const url of addresses(route, MALFORMED)) {
      const response = await sendRequest(getSharedCaller(route), route, { url });
      expectRefusal(route, response);
      expect(response.json().code).toBe('NOT_FOUND');
    }
  });
});

describe('request content', () => {
  const jsonRoutes = routes.filter(({ route }) => BODY_METHODS.includes(route.method) && !route.multipart);

  test.for(jsonRoutes)('$name refuses a body that is too large', async ({ route }, context) => {
    skipUnbound(context, route);
    const response = await sendRequest(getSharedCaller(route), route, { body: { filler: 'x'.repeat(300 * 1024) } });
    expect(response.json()).toEqual({ code: 'TOO_LARGE', message: ERRORS.TOO_LARGE.message });
    expect(response.statusCode).toBe(413);
  });

  test.for(jsonRoutes.filter(({ route }) => route.body))(
    '$name survives a malformed body',
    async ({ route }, context) => {
      skipUnbound(context, route);
      const user = await getCaller(route);
      const bodies = [
        '',
        '{',
        'null',
        '[]',
        '"text"',
        '{"__proto__":{"a":1}}',
        `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
        '{"a":1e999}',
      ];
      for (const body of bodies) expectNoFault(route, await sendRequest(user, route, { body }));
      const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense'];
      for (const type of pickOne(types, route)) {
        const response = await sendRequest(user, route, { body: '{}', headers: { 'content-type': type } });
        expectNoFault(route, response);
      }
    },
  );

  const SPOILED: readonly unknown[] = [
    null,
    true,
    -1,
    0,
    0.001,
    1e308,
    12_345_678_901_234,
    '',
    ' ',
    '\u0000',
    '\ud800',
    "'; drop table users; -- <img src=x onerror=alert(1)>{{7*7}}%s%n../../../etc/passwd",
    '\u202e\u200b',
    'x'.repeat(100_000),
    [null],
    { $gt: '', toString: 1 },
  ];
  const spoil = (sample: Record<string, unknown>) =>
    Object.keys(sample).flatMap((key) => [undefined, ...SPOILED].map((value) => ({ ...sample, [key]: value })));

  test.for(jsonRoutes.filter(({ route }) => route.body))(
    '$name survives hostile values in each body field',
    async ({ route }, context) => {
      skipUnbound(context, route);
      const user = await getCaller(route);
      for (const body of spoil(Object(getSample(route).body))) {
        expectNoFault(route, await sendRequest(user, route, { body }));
      }
    },
  );

  const queryKeys = (route: RouteSpec) =>
    route.query
      ? Object.keys(Object(z.toJSONSchema(route.query, { io: 'input', unrepresentable: 'any' }).properties))
      : [];
  const QUERIES = [
    '',
    '-1',
    '1.5',
    'NaN',
    '9999999',
    '99999999999999999999',
    `c${'A'.repeat(40)}`,
    '%00',
    '%ff',
    "'%20or%20true%20--%3Cscript%3E",
    '%25_',
    'x'.repeat(3_000),
  ];

  test.for(routes.filter(({ route }) => queryKeys(route).length > 0))(
    '$name survives hostile values in each query parameter',
    async ({ route }, context) => {
      skipUnbound(context, route);
      const user = await getCaller(route);
      const [path] = toSampleUrl(route).split('?');
      for (const key of queryKeys(route)) {
        for (const value of [...QUERIES, `1&${key}=2`]) {
          expectNoFault(route, await sendRequest(user, route, { url: `${path}?${key}=${value}` }));
        }
        expectNoFault(route, await sendRequest(user, route, { url: `${path}?${key}[a]=1&__proto__=x` }));
      }
    },
  );

  test.for(routes.filter(({ route }) => route.idempotent))(
    '$name refuses an invalid idempotency key',
    async ({ route }, context) => {
      skipUnbound(context, route);
      const user = getSharedCaller(route);
      for (const key of ['', "' or true --", 'x'.repeat(201), '\u00e9']) {
        const response = await sendRequest(user, route, { headers: { 'idempotency-key': key } });
        expect(response.json()).toMatchObject({ code: 'VALIDATION', error: [{ field: 'Idempotency-Key' }] });
      }
    },
  );

  test.for(routes.filter(({ route }) => route.multipart))(
    '$name survives a malformed form',
    async ({ route }, context) => {
      skipUnbound(context, route);
      const user = await getCaller(route);
      const form = 'multipart/form-data; boundary=b';
      const part = (head: string, content: string) =>
        `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n--b--\r\n`;
      const bodies: [string, string][] = [
        ['application/json', '{}'],
        [form, ''],
        [form, '--b'],
        ['multipart/form-data', '--b--'],
        [form, part('name="file"; filename="../../x.png"', 'not a picture')],
        [form, part('name="avatar"; filename="x.svg"', '<svg onload="alert(1)"/>')],
        [form, part('name="name"', '\u0000')],
        [form, part('name="name"', 'x'.repeat(100_000))],
        [form, part('name="__proto__"', 'x')],
      ];
      for (const [type, body] of bodies)
        expectNoFault(route, await sendRequest(user, route, { body, headers: { 'content-type': type } }));
    },
  );
});

test('an unknown path gets a standard NOT_FOUND error', async () => {
  for (const url of [
    '/api/nothing',
    '/api/',
    '/api/auth/user/',
    '/api/auth/%2e%2e/user',
    `/api/${'x'.repeat(5_000)}`,
  ]) {
    const response = await app.inject('GET', url);
    expect(response.statusCode).toBe(404);
    expect(response.json().code).toBe('NOT_FOUND');
  }
  expect((await app.inject('GET', '/api/%zz')).statusCode).toBeLessThan(500);
});

import { getPost, listCreatorPosts } from '@stagedoor/contract/content/posts.ts';
import { getProfile } from '@stagedoor/contract/content/profiles.ts';
import { getCreatorStats } from '@stagedoor/contract/finance/earnings.ts';
import { getCurrentUser } from '@stagedoor/contract/identity/accounts.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { toErrorResponse } from './http.ts';

type HeldRequest = { request: FastifyRequest; reply: FastifyReply };

let app: TestApp;
let creator: TestUser;
let whileHeld: (heldRequest: HeldRequest) => Promise<void>;

async function open(env: Record<string, string> = {}): Promise<TestApp> {
  const testApp = await createTestApp({ env });
  testApp.app.http.get('/held', async (request, reply) => {
    await whileHeld({ request, reply });
    return 'held';
  });
  return testApp;
}

beforeAll(async () => {
  app = await open();
  creator = await app.signUp('creator');
});
afterAll(() => app.close());

type CallInput = { params?: Record<string, string>; query?: Record<string, string> };
type LocalResponse = { status: number; body: unknown };

async function callLocally(testApp: TestApp, route: RouteSpec, parts: CallInput, user?: TestUser, isAnonymous = false) {
  let answer: LocalResponse | undefined;
  whileHeld = async ({ request, reply }) => {
    const actor = isAnonymous ? undefined : request.actor;
    try {
      const body = await testApp.app.bound.get(route)?.({ params: {}, query: {}, ...parts }, { actor, request, reply });
      answer = { status: 200, body: JSON.parse(JSON.stringify(body)) };
    } catch (error) {
      answer = toErrorResponse(error, '');
    }
  };
  await (user?.inject ?? testApp.inject)('GET', '/held');
  if (!answer) throw new Error('nothing was asked');
  return answer;
}

const UNKNOWN_ID = '0199c0de-0000-7000-8000-000000000000';

test('an in-process call returns the same responses and refusals as HTTP', async () => {
  const { id } = creator;
  const cases: [RouteSpec, CallInput, string][] = [
    [getProfile, { params: { id } }, `/api/public/profile/${id}`],
    [getProfile, { params: { id: UNKNOWN_ID } }, `/api/public/profile/${UNKNOWN_ID}`],
    [getPost, { params: { id: 'x' } }, '/api/post/x'],
    [listCreatorPosts, { params: { creatorId: id }, query: { limit: '4' } }, `/api/public/posts/${id}?limit=4`],
    [listCreatorPosts, { params: { creatorId: id }, query: { limit: '0' } }, `/api/public/posts/${id}?limit=0`],
    [getCurrentUser, {}, '/api/auth/user'],
    [getCreatorStats, {}, '/api/creator/stats'],
  ];
  const fan = await app.signUp('customer');
  for (const [route, parts, url] of cases) {
    for (const user of [undefined, fan, creator]) {
      const overHttp = await (user?.inject ?? app.inject)('GET', url);
      const inProcess = await callLocally(app, route, parts, user);
      expect({ url, status: inProcess.status, body: inProcess.body }).toEqual({
        url,
        status: overHttp.statusCode,
        body: overHttp.json(),
      });
    }
  }
});

test('an in-process call for an anonymous viewer ignores the session of the request', async () => {
  const { id } = creator;
  expect((await callLocally(app, getCurrentUser, {}, creator)).status).toBe(200);
  expect((await callLocally(app, getCurrentUser, {}, creator, true)).status).toBe(401);
  expect((await callLocally(app, getProfile, { params: { id } }, creator)).body).toHaveProperty('profileViewCount');
  expect((await callLocally(app, getProfile, { params: { id } }, creator, true)).body).not.toHaveProperty(
    'profileViewCount',
  );
});

test('in-process calls count against the rate limit and exist only for GET routes', async () => {
  const strict = await open({ RATE_LIMIT_FACTOR: '0.005' });
  try {
    const { id } = await strict.signUp('creator');
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await callLocally(strict, getProfile, { params: { id } })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    for (const [route, read] of strict.app.bound) expect(read !== undefined).toBe(route.method === 'GET');
  } finally {
    await strict.close();
  }
});

test('an in-process call completes even if the page was already redirected', async () => {
  const { id } = creator;
  let body: unknown;
  whileHeld = async ({ request, reply }) => {
    await reply.redirect('/login');
    body = await app.app.bound.get(getProfile)?.({ params: { id }, query: {} }, { actor: undefined, request, reply });
  };
  expect((await app.inject('GET', '/held')).statusCode).toBe(302);
  await expect.poll(() => body).toMatchObject({ id });
});

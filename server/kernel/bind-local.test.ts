import { currentUser } from '@stagedoor/contract/accounts.ts';
import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { creatorStats } from '@stagedoor/contract/earnings.ts';
import { getPost, listCreatorPosts } from '@stagedoor/contract/posts.ts';
import { getProfile } from '@stagedoor/contract/profiles.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../testing/app.ts';
import { errorBody } from './http.ts';

type Held = { request: FastifyRequest; reply: FastifyReply };

let app: TestApp;
let creator: TestUser;
let during: (held: Held) => Promise<void>;

async function open(env: Record<string, string> = {}): Promise<TestApp> {
  const made = await createTestApp({ env });
  made.app.http.get('/held', async (request, reply) => {
    await during({ request, reply });
    return 'held';
  });
  return made;
}

beforeAll(async () => {
  app = await open();
  creator = await app.signUp('creator');
});
afterAll(() => app.close());

type Parts = { params?: Record<string, string>; query?: Record<string, string> };
type Answer = { status: number; body: unknown };

async function local(of: TestApp, route: RouteSpec, parts: Parts, person?: TestUser, isForNobody = false) {
  let answer: Answer | undefined;
  during = async ({ request, reply }) => {
    const actor = isForNobody ? undefined : request.actor;
    try {
      const body = await of.app.bound.get(route)?.({ params: {}, query: {}, ...parts }, { actor, request, reply });
      answer = { status: 200, body: JSON.parse(JSON.stringify(body)) };
    } catch (error) {
      answer = errorBody(error, '');
    }
  };
  await (person?.inject ?? of.inject)('GET', '/held');
  if (!answer) throw new Error('nothing was asked');
  return answer;
}

const NOBODY = '0199c0de-0000-7000-8000-000000000000';

test('an in-process call returns the same responses and refusals as HTTP', async () => {
  const { id } = creator;
  const cases: [RouteSpec, Parts, string][] = [
    [getProfile, { params: { id } }, `/api/public/profile/${id}`],
    [getProfile, { params: { id: NOBODY } }, `/api/public/profile/${NOBODY}`],
    [getPost, { params: { id: 'x' } }, '/api/post/x'],
    [listCreatorPosts, { params: { creatorId: id }, query: { limit: '4' } }, `/api/public/posts/${id}?limit=4`],
    [listCreatorPosts, { params: { creatorId: id }, query: { limit: '0' } }, `/api/public/posts/${id}?limit=0`],
    [currentUser, {}, '/api/auth/user'],
    [creatorStats, {}, '/api/creator/stats'],
  ];
  const fan = await app.signUp('customer');
  for (const [route, parts, url] of cases) {
    for (const who of [undefined, fan, creator]) {
      const over = await (who?.inject ?? app.inject)('GET', url);
      const here = await local(app, route, parts, who);
      expect({ url, status: here.status, body: here.body }).toEqual({
        url,
        status: over.statusCode,
        body: over.json(),
      });
    }
  }
});

test('an in-process call for an anonymous viewer ignores the session of the request', async () => {
  const { id } = creator;
  expect((await local(app, currentUser, {}, creator)).status).toBe(200);
  expect((await local(app, currentUser, {}, creator, true)).status).toBe(401);
  expect((await local(app, getProfile, { params: { id } }, creator)).body).toHaveProperty('profileViewCount');
  expect((await local(app, getProfile, { params: { id } }, creator, true)).body).not.toHaveProperty('profileViewCount');
});

test('in-process calls count against the rate limit and exist only for GET routes', async () => {
  const strict = await open({ RATE_LIMIT_FACTOR: '0.005' });
  try {
    const { id } = await strict.signUp('creator');
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await local(strict, getProfile, { params: { id } })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    for (const [route, read] of strict.app.bound) expect(read !== undefined).toBe(route.method === 'GET');
  } finally {
    await strict.close();
  }
});

test('an in-process call completes even if the page was already redirected', async () => {
  const { id } = creator;
  let body: unknown;
  during = async ({ request, reply }) => {
    await reply.redirect('/login');
    body = await app.app.bound.get(getProfile)?.({ params: { id }, query: {} }, { actor: undefined, request, reply });
  };
  expect((await app.inject('GET', '/held')).statusCode).toBe(302);
  await expect.poll(() => body).toMatchObject({ id });
});

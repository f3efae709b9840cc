import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { makeFollow } from '../follows/testing.ts';
import { makeDeposit } from '../ledger/testing.ts';
import { makeReadyPicture, publish } from '../media/testing.ts';

const GERMANY = '84.128.1.1';
const AMERICA = '17.0.0.1';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => app.close());

test('notifications about a geo-blocked creator are hidden unless they concern a purchase', async () => {
  const [hidden, other, fan] = await Promise.all([
    app.signUp('creator'),
    app.signUp('creator'),
    app.signUp('customer'),
  ]);
  await makeDeposit(app.ctx.db, fan.id, 5_000);
  const posts: string[] = [];
  for (const creator of [hidden, other]) {
    await makeFollow(app.ctx, fan.id, creator.id);
    const picture = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
    posts.push(await publish(creator, [picture], { price: 5, caption: `Of ${creator.username}` }));
  }
  const bought = await fan.inject(
    'POST',
    `/api/post/unlock/${posts[0]}`,
    { price: 5 },
    { 'idempotency-key': randomUUID() },
  );
  expect(bought.statusCode).toBe(200);
  await hidden.inject('PUT', '/api/creator/regions', { codes: ['DE'] });
  await app.ctx.events.settle();
  const ask = async (url: string, address: string) => {
    const answer = await fan.inject('GET', `/api/notifications${url}`, undefined, { 'x-forwarded-for': address });
    expect(answer.statusCode).toBe(200);
    return answer.json();
  };
  type Line = { kind: string; peopleCount: number; people: object[] };
  const newPosts = async (address: string) =>
    (await ask('', address)).data.find(({ kind }: Line) => kind === 'newPost')?.peopleCount;
  expect([await newPosts(AMERICA), await newPosts(GERMANY)]).toEqual([2, 1]);
  const kinds = (await ask('', GERMANY)).data.map(({ kind }: Line) => kind);
  expect(kinds.sort()).toEqual(['boughtPost', 'newPost']);
  const told = JSON.stringify((await ask('', GERMANY)).data.filter(({ kind }: Line) => kind === 'newPost'));
  expect(told).not.toContain(hidden.username);
  expect(told).not.toContain(posts[0]);
  await other.inject('PUT', '/api/creator/regions', { codes: ['DE'] });
  const counts = async (address: string) => (await ask('/unread', address)).count;
  expect([await counts(AMERICA), await counts(GERMANY)]).toEqual([1, 0]);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { createFollow } from '../../content/follows/testing.ts';
import { makeReadyPicture, publishPost } from '../../content/media/testing.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';

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
  await createDeposit(app.ctx.db, fan.id, 5_000);
  const posts: string[] = [];
  for (const creator of [hidden, other]) {
    await createFollow(app.ctx, fan.id, creator.id);
    const picture = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
    posts.push(await publishPost(creator, [picture], { price: 5, caption: `Of ${creator.username}` }));
  }
  const bought = await fan.inject(
    'POST',
    `/api/post/unlock/${posts[0]}`,
    { price: 5 },
    { 'idempotency-key': randomUUID() },
  );
  expect(bought.statusCode).toBe(200);
  await hidden.inject('PUT', '/api/creator/geo-blocks', { codes: ['DE'] });
  await app.ctx.events.waitUntilIdle();
  const get = async (url: string, address: string) => {
    const response = await fan.inject('GET', `/api/notifications${url}`, undefined, { 'x-forwarded-for': address });
    expect(response.statusCode).toBe(200);
    return response.json();
  };
  type Group = { kind: string; userCount: number; users: object[] };
  const newPosts = async (address: string) =>
    (await get('', address)).data.find(({ kind }: Group) => kind === 'newPost')?.userCount;
  expect([await newPosts(AMERICA), await newPosts(GERMANY)]).toEqual([2, 1]);
  const kinds = (await get('', GERMANY)).data.map(({ kind }: Group) => kind);
  expect(kinds.sort()).toEqual(['boughtPost', 'newPost']);
  const text = JSON.stringify((await get('', GERMANY)).data.filter(({ kind }: Group) => kind === 'newPost'));
  expect(text).not.toContain(hidden.username);
  expect(text).not.toContain(posts[0]);
  await other.inject('PUT', '/api/creator/geo-blocks', { codes: ['DE'] });
  const counts = async (address: string) => (await get('/unread', address)).count;
  expect([await counts(AMERICA), await counts(GERMANY)]).toEqual([1, 0]);
});

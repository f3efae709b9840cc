import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { makeReadyPicture } from '../media/testing.ts';
import { createTestTier, subscribeTo } from '../subscriptions/testing.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const key = () => ({ 'idempotency-key': randomUUID() });

async function publish(creator: TestUser, subscribers: string): Promise<string> {
  const mediaId = await makeReadyPicture(test.ctx, creator.id);
  const body = { caption: 'Black bowl', price: 18, media: [{ id: mediaId }], subscribers };
  return (await creator.inject('POST', '/api/post', body, key())).json().id;
}
async function subscribe(tierId: string): Promise<TestUser> {
  const fan = await test.signUp('customer');
  await createDeposit(test.ctx.db, fan.id, 20_000);
  expect((await subscribeTo(fan, tierId)).statusCode).toBe(200);
  return fan;
}
const deleteTier = async (creator: TestUser, id: string) => {
  expect((await creator.inject('DELETE', `/api/creator/subscription-tiers/${id}`)).statusCode).toBe(200);
};
const readPost = async (viewer: TestUser, id: string) => (await viewer.inject('GET', `/api/post/${id}`)).json();
const isOpen = async (viewer: TestUser, id: string) => (await readPost(viewer, id)).isUnlocked;

it('posts of a deleted tier move to the next higher one, and stay open to those who paid for either', async () => {
  const creator = await test.signUp('creator');
  const [low, middle, high] = [
    await createTestTier(creator, { name: 'Low' }),
    await createTestTier(creator, { name: 'Middle' }),
    await createTestTier(creator, { name: 'High' }),
  ];
  const post = await publish(creator, middle);
  const body = { price: 18, media: [], caption: 'Later', subscribers: middle };
  const draft = (await creator.inject('POST', '/api/creator/drafts', body, key())).json();
  const [lowFan, middleFan, highFan] = [await subscribe(low), await subscribe(middle), await subscribe(high)];
  await deleteTier(creator, middle);
  await test.ctx.events.waitUntilIdle();
  expect(await readPost(highFan, post)).toMatchObject({ subscribers: high, isSubscribed: true });
  expect((await creator.inject('GET', `/api/creator/drafts/${draft.id}`)).json()).toMatchObject({
    subscribers: high,
    version: draft.version,
  });
  expect(await isOpen(middleFan, post)).toBe(true);
  expect(await isOpen(lowFan, post)).toBe(false);
  expect(await isOpen(await subscribe(low), post)).toBe(false);
  expect(await isOpen(await subscribe(high), post)).toBe(true);
  expect((await readPost(lowFan, post)).subscription).toMatchObject({ tierId: high });
});

it('posts of a deleted highest tier become posts for buyers, and stay open to those who paid', async () => {
  const creator = await test.signUp('creator');
  const [low, high] = [await createTestTier(creator), await createTestTier(creator, { name: 'High' })];
  const post = await publish(creator, high);
  const [lowFan, highFan] = [await subscribe(low), await subscribe(high)];
  await deleteTier(creator, high);
  await test.ctx.events.waitUntilIdle();
  expect(await readPost(lowFan, post)).toMatchObject({ subscribers: 'none', subscription: null, isUnlocked: false });
  expect(await isOpen(highFan, post)).toBe(true);
  const { media } = await readPost(creator, post);
  const edit = { price: 18, caption: 'Edited', media: [{ id: media[0].id }], subscribers: 'none' };
  expect((await creator.inject('PATCH', `/api/post/${post}`, edit)).statusCode).toBe(200);
  expect(await isOpen(highFan, post)).toBe(true);
});

it('posts of several tiers that are deleted in a row end at the next one that exists', async () => {
  const creator = await test.signUp('creator');
  const [first, second, third] = [
    await createTestTier(creator, { name: 'One' }),
    await createTestTier(creator, { name: 'Two' }),
    await createTestTier(creator, { name: 'Three' }),
  ];
  const post = await publish(creator, first);
  const fan = await subscribe(first);
  await Promise.all([deleteTier(creator, first), deleteTier(creator, second)]);
  await test.ctx.events.waitUntilIdle();
  expect((await readPost(fan, post)).subscribers).toBe(third);
  expect(await isOpen(fan, post)).toBe(true);
});

it('more posts than one batch has all move', async () => {
  const creator = await test.signUp('creator');
  const [low, high] = [await createTestTier(creator), await createTestTier(creator, { name: 'High' })];
  await publish(creator, low);
  await test.owner.pool.query(
    `insert into posts (id, creator_id, type, caption, price_cents, media_count, media_metadata, created_at, details, container_id)
      select uuidv7(), creator_id, type, caption, price_cents, media_count, media_metadata, created_at, details, container_id
      from posts, generate_series(1, 230) where creator_id = $1`,
    [creator.id],
  );
  await deleteTier(creator, low);
  await test.ctx.events.waitUntilIdle();
  const { rows } = await test.owner.pool.query(
    `select container_id, count(*)::int as count from posts where creator_id = $1 group by 1`,
    [creator.id],
  );
  expect(rows).toEqual([{ container_id: high, count: 231 }]);
});

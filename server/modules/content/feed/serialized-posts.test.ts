import type { Post } from '@stagedoor/contract/content/posts.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { makeReadyPicture } from '../media/testing.ts';
import { makePost } from '../posts/testing.ts';
import { createTestTier, subscribeTo } from '../subscriptions/testing.ts';

let test: TestApp;
let creator: TestUser;
let guest: TestUser;
let fans: TestUser[];

beforeAll(async () => {
  test = await createTestApp();
  [creator, guest] = await Promise.all([test.signUp('creator'), test.signUp('creator', { name: 'Ida' })]);
  fans = await Promise.all([test.signUp('customer'), test.signUp('customer')]);
  for (const fan of fans) {
    await createDeposit(test.ctx.db, fan.id, 5_000);
    await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
  }
});
afterAll(() => test.close());

it('the feed shows the same post as the post page after every kind of change, for each viewer', async () => {
  const files = [await makeReadyPicture(test.ctx, creator.id), await makeReadyPicture(test.ctx, creator.id)];
  const id = await makePost(test.ctx, creator.id, { priceCents: 700, mediaIds: files, alts: ['One', 'Two'] });
  const tierId = await createTestTier(creator);
  const content = {
    caption: 'A quiet morning',
    price: 7,
    media: files.map((id, index) => ({ id, alt: ['One', 'Two'][index] })),
  };
  const change = (changes: object) => () => creator.inject('PATCH', `/api/post/${id}`, Object.assign(content, changes));
  const [buyer, other] = fans;
  const setColumn = (table: 'users' | 'creators', column: string, value: unknown) => () =>
    test.owner.pool.query(`update ${table} set ${column} = $2 where ${table === 'users' ? 'id' : 'user_id'} = $1`, [
      creator.id,
      value,
    ]);
  const changes: Record<string, () => Promise<unknown> | undefined> = {
    nothing: async () => undefined,
    unlock: async () => buyer?.inject('POST', `/api/post/unlock/${id}`),
    caption: change({ caption: 'A loud evening' }),
    price: change({ price: 9 }),
    altTexts: change({ media: [{ id: files[0], alt: 'Another' }, { id: files[1] }] }),
    order: change({ media: [...content.media].reverse() }),
    tags: change({ tags: ['klavier'] }),
    'other tags': change({ tags: ['kiln'] }),
    'more tags': change({ tags: ['kiln', 'ash'] }),
    people: change({ people: [guest.id] }),
    'who is in it': () => test.owner.pool.query(`update users set name = 'Ada' where id = $1`, [guest.id]),
    like: async () => other?.inject('POST', `/api/post/like-unlike/${id}`, { isLiked: true }),
    pin: () => creator.inject('PUT', `/api/post/${id}/pin`, { isPinned: true }),
    name: setColumn('users', 'name', 'Mirele'),
    username: setColumn('users', 'username', 'mirele.of.porto'),
    avatar: setColumn('users', 'avatar_key', 'a/0199c0de-0000-7000-8000-000000000000/1'),
    craft: setColumn('creators', 'craft', 'Potter'),
    city: setColumn('creators', 'city', 'Porto'),
    tick: () =>
      test.owner.pool.query(`update creators set is_verified = true, verified_name = 'Mirele' where user_id = $1`, [
        creator.id,
      ]),
    preview: () => test.owner.pool.query(`update media set preview_height = 333 where id = $1`, [files[0]]),
    size: () => test.owner.pool.query('update media set width = 1234 where id = $1', [files[0]]),
    audience: change({ subscribers: 'all' }),
    'another audience': change({ subscribers: tierId }),
    'tier name': () => test.owner.pool.query(`update subscription_tiers set name = 'Studio' where id = $1`, [tierId]),
    'tier price': () =>
      test.owner.pool.query(`update subscription_tiers set monthly_cents = 900 where id = $1`, [tierId]),
    subscription: async () => other && subscribeTo(other, tierId, { renewal: 9 }),
    'buyers only': change({ subscribers: 'none', tags: ['glaze'] }),
  };
  const seen: string[] = [];
  for (const [name, applyChange] of Object.entries(changes)) {
    await applyChange();
    const lists = await Promise.all(
      fans.map(async (fan) => (await fan.inject('GET', '/api/feed')).json().data as Post[]),
    );
    const posts = await Promise.all(
      fans.map(async (fan) => (await fan.inject('GET', `/api/post/${id}`)).json() as Post),
    );
    expect(lists, name).toEqual(posts.map((post) => [post]));
    seen.push(JSON.stringify(posts));
  }
  expect(new Set(seen).size).toBe(seen.length);
  const [bought, locked] = JSON.parse(seen.at(-1) ?? '') as Post[];
  expect([bought?.isUnlocked, bought?.isPurchased, locked?.isUnlocked, locked?.isLiked]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

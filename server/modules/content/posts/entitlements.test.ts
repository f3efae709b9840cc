import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { type AccessGrant, grantAccess, revokeAccess } from '../entitlements/index.ts';
import { makeReadyPicture } from '../media/testing.ts';
import { isVisible } from './access.ts';
import { createPostsStatement, type PostRow, queryPosts } from './hydrate.ts';
import { canViewMedia } from './media-access.ts';
import { presentPost } from './present.ts';
import * as store from './store.ts';
import { makePost } from './testing.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const createPastTime = () => new Date(test.clock.now().getTime() - 60_000);

function grantTo(
  fan: TestUser,
  subjectId: string,
  source: AccessGrant['source'],
  until: Date | null = null,
): Promise<void> {
  const at = test.clock.now();
  return test.ctx.db.transaction((tx) =>
    grantAccess(tx, { fanId: fan.id, subjectId, source, grantedBy: fan.id, until, at }),
  );
}
const revokeFrom = (fan: TestUser, subjectId: string, source: AccessGrant['source']) =>
  test.ctx.db.transaction((tx) => revokeAccess(tx, { fanId: fan.id, subjectId, source, at: test.clock.now() }));

const fund = (fan: TestUser) => createDeposit(test.ctx.db, fan.id, 50_000);

const LIST_POSTS = createPostsStatement('test-posts-list', 'select unnest($2::uuid[]) as id');

type TestPost = { name: string; id: string; mediaId: string; creator: TestUser };

async function createPosts(): Promise<TestPost[]> {
  const names = ['free', 'priced'].flatMap((price) =>
    ['shown', 'removed', 'blocked'].map((state) => `${price} ${state}`),
  );
  return Promise.all(
    names.map(async (name) => {
      const creator = await test.signUp('creator');
      const mediaId = await makeReadyPicture(test.ctx, creator.id);
      const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [mediaId], subscribers: 'all' });
      return { name, id, mediaId, creator };
    }),
  );
}

async function applyStates(posts: readonly TestPost[]) {
  for (const { name, id, mediaId, creator } of posts) {
    if (name.startsWith('free'))
      await creator.inject('PATCH', `/api/post/${id}`, { price: 0, media: [{ id: mediaId }] });
    if (name.endsWith('removed')) await creator.inject('DELETE', `/api/post/${id}`);
    if (name.endsWith('blocked'))
      await test.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', creator.id).execute();
  }
}

const getState = (row: PostRow | undefined): string => {
  if (!row || !isVisible(row)) return 'gone';
  return presentPost(row).isUnlocked ? 'open' : 'locked';
};

/** In the order of {@link createPosts}. */
const NOTHING = ['open', 'gone', 'gone', 'locked', 'gone', 'gone'];
const GRANTED = ['open', 'gone', 'gone', 'open', 'gone', 'gone'];
const EVERYTHING = NOTHING.map(() => 'open');

it('each right opens exactly its posts and their files, one by one and in a list', async () => {
  const posts = await createPosts();
  const viewers = {
    visitor: [null, NOTHING],
    stranger: [await test.signUp('customer'), NOTHING],
    buyer: [await test.signUp('customer'), EVERYTHING],
    given: [await test.signUp('customer'), GRANTED],
    'given, taken back': [await test.signUp('customer'), NOTHING],
    'given, ended': [await test.signUp('customer'), NOTHING],
    subscriber: [await test.signUp('customer'), GRANTED],
    'subscriber, canceled': [await test.signUp('customer'), NOTHING],
    'subscriber, ended': [await test.signUp('customer'), NOTHING],
  } satisfies Record<string, [TestUser | null, string[]]>;
  const [buyer] = viewers.buyer;
  await fund(buyer);
  for (const { id, creator } of posts) {
    expect((await buyer.inject('POST', `/api/post/unlock/${id}`, {})).statusCode).toBe(200);
    await grantTo(viewers.given[0], id, 'gift');
    await grantTo(viewers['given, taken back'][0], id, 'gift');
    await revokeFrom(viewers['given, taken back'][0], id, 'gift');
    await grantTo(viewers['given, ended'][0], id, 'gift', createPastTime());
    await grantTo(viewers.subscriber[0], creator.id, 'subscription');
    await grantTo(viewers['subscriber, canceled'][0], creator.id, 'subscription');
    await revokeFrom(viewers['subscriber, canceled'][0], creator.id, 'subscription');
    await grantTo(viewers['subscriber, ended'][0], creator.id, 'subscription', createPastTime());
  }
  await applyStates(posts);

  const viewPosts = async (viewerId: string | null) => {
    const { db } = test.ctx;
    const ids = posts.map(({ id }) => id);
    const rows = new Map((await queryPosts(db, LIST_POSTS, [viewerId, ids])).map((row) => [row.id as string, row]));
    const listed = ids.map((id) => getState(rows.get(id)));
    const single = await Promise.all(ids.map(async (id) => getState(await store.findPost(db, viewerId, id))));
    expect(single).toEqual(listed);
    if (viewerId === null) return listed;
    const files = await Promise.all(posts.map(({ mediaId }) => canViewMedia(test.ctx, viewerId, mediaId)));
    expect(files).toEqual(listed.map((state) => state === 'open'));
    return listed;
  };
  for (const [name, [user, expected]] of Object.entries(viewers))
    expect(await viewPosts(user?.id ?? null), name).toEqual(expected);
  for (const [index, { creator, name }] of posts.entries())
    expect((await viewPosts(creator.id))[index], name).toBe('open');
});

it.each(['gift', 'subscription'] as const)(
  'a %s opens a post everywhere it appears, and only as long as it is valid',
  async (source) => {
    const [creator, fan] = await Promise.all([test.signUp('creator'), test.signUp('customer')]);
    await fund(fan);
    const mediaId = await makeReadyPicture(test.ctx, creator.id, { hasFiles: true });
    const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [mediaId], subscribers: 'all' });
    await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
    await test.ctx.events.waitUntilIdle();
    const subjectId = source === 'gift' ? id : creator.id;
    const file = `/api/asset/private?fileKey=m/${mediaId}/640.webp&tblType=post`;
    const seen = async () => ({
      page: (await fan.inject('GET', `/api/post/${id}`)).json().isUnlocked,
      feed: (await fan.inject('GET', '/api/feed')).json().data[0].isUnlocked,
      profile: (await fan.inject('GET', `/api/public/posts/${creator.id}`)).json().data[0].isUnlocked,
      media: (await fan.inject('GET', `/api/public/media/${creator.id}`)).json().data[0].isUnlocked,
      file: (await fan.inject('GET', file)).statusCode === 200,
    });
    const all = (is: boolean) => ({ page: is, feed: is, profile: is, media: is, file: is });
    expect(await seen()).toEqual(all(false));

    await grantTo(fan, subjectId, source);
    expect(await seen()).toEqual(all(true));
    expect((await fan.inject('GET', `/api/post/${id}`)).json().isPurchased).toBe(false);
    const bought = await fan.inject('POST', `/api/post/unlock/${id}`, {});
    expect([bought.statusCode, bought.json().message]).toEqual([403, 'You’ve already unlocked this.']);

    await revokeFrom(fan, subjectId, source);
    await test.ctx.events.waitUntilIdle();
    expect(await seen()).toEqual(all(false));

    await grantTo(fan, subjectId, source, new Date(test.clock.now().getTime() + 3_600_000));
    expect(await seen()).toEqual(all(true));
    await grantTo(fan, subjectId, source, createPastTime());
    test.clock.advance(5_001);
    expect(await seen()).toEqual(all(false));
  },
);

it.each([
  ['is removed', (creator: TestUser, _: TestUser, id: string) => creator.inject('DELETE', `/api/post/${id}`)],
  [
    'is of a user whom they block',
    (creator: TestUser, fan: TestUser, _: string) =>
      fan.inject('POST', `/api/message/block-unblock-creator/${creator.id}`, { isBlocked: true }),
  ],
])('the files of a gifted post stop loading immediately once it %s', async (_, change) => {
  const [creator, fan] = await Promise.all([test.signUp('creator'), test.signUp('customer')]);
  const mediaId = await makeReadyPicture(test.ctx, creator.id, { hasFiles: true });
  const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: [mediaId], subscribers: 'all' });
  await grantTo(fan, id, 'gift');
  const buyer = await test.signUp('customer');
  await fund(buyer);
  expect((await buyer.inject('POST', `/api/post/unlock/${id}`, {})).statusCode).toBe(200);
  const load = async () =>
    (await fan.inject('GET', `/api/asset/private?fileKey=m/${mediaId}/640.webp&tblType=post`)).statusCode;
  expect(await load()).toBe(200);
  expect((await change(creator, fan, id)).statusCode).toBe(200);
  await test.ctx.events.waitUntilIdle();
  expect(await load()).toBe(404);
});

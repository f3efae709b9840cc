import { randomUUID } from 'node:crypto';
import type { PostDetailsBody } from '@stagedoor/contract/content/post-details.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { makeReadyPicture } from '../media/testing.ts';
import { createTestTier, subscribeTo } from '../subscriptions/testing.ts';
import { canViewMedia } from './media-access.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const UNKNOWN_ID = randomUUID();
type Audience = PostDetailsBody['subscribers'] | string;

async function signUpFan(cents = 20_000): Promise<TestUser> {
  const fan = await test.signUp('customer');
  await createDeposit(test.ctx.db, fan.id, cents);
  return fan;
}

type TestPost = { id: string; mediaId: string };

async function createBody(creator: TestUser, subscribers: Audience, price = 18) {
  const mediaId = await makeReadyPicture(test.ctx, creator.id, { hasFiles: true });
  return { mediaId, body: { caption: 'Black bowl', price, media: [{ id: mediaId }], subscribers } };
}
const send = (creator: TestUser, body: object) =>
  creator.inject('POST', '/api/post', body, { 'idempotency-key': randomUUID() });
async function publish(creator: TestUser, subscribers: Audience): Promise<TestPost> {
  const { mediaId, body } = await createBody(creator, subscribers);
  const response = await send(creator, body);
  expect(response.statusCode, response.body).toBe(200);
  return { id: response.json().id, mediaId };
}

const read = async (viewer: TestUser, id: string) => (await viewer.inject('GET', `/api/post/${id}`)).json();
const listAudience = async (id: string) =>
  test.owner.pool
    .query(`select container_id, details ->> 'subscribers' as subscribers from posts where id = $1`, [id])
    .then(({ rows }) => rows[0]);

async function createTiers(creator: TestUser) {
  const studio = await createTestTier(creator, { name: 'Studio', prices: { weekly: null, monthaly: 6, yearly: null } });
  const kiln = await createTestTier(creator);
  const collector = await createTestTier(creator, {
    name: 'Collector',
    prices: { weekly: null, monthaly: 40, yearly: null },
  });
  return { studio, kiln, collector };
}

describe('the audience of a post', () => {
  it('is shown on the Media tab of the profile if the post is locked for the viewer', async () => {
    const creator = await test.signUp('creator');
    const { kiln } = await createTiers(creator);
    await publish(creator, kiln);
    const readTile = async (viewer: TestUser) =>
      (await viewer.inject('GET', `/api/public/media/${creator.id}`)).json().data[0].subscription;
    const fan = await test.signUp('customer');
    expect(await readTile(fan)).toMatchObject({ tierId: kiln, name: 'Kiln', price: 12, recurrence: 'monthaly' });
    expect(await readTile(creator)).toBeNull();
  });

  it('is stored on publication and changed by an edit, but not by an edit of the caption only', async () => {
    const creator = await test.signUp('creator');
    const tierId = await createTestTier(creator);
    const { id, mediaId } = await publish(creator, tierId);
    expect(await listAudience(id)).toEqual({ container_id: tierId, subscribers: tierId });
    const edit = (changes: object) =>
      creator.inject('PATCH', `/api/post/${id}`, { price: 18, media: [{ id: mediaId }], ...changes });
    expect((await edit({ caption: 'Other', subscribers: tierId })).json().subscribers).toBe(tierId);
    expect(await listAudience(id)).toEqual({ container_id: tierId, subscribers: tierId });
    await edit({ subscribers: 'all' });
    expect(await listAudience(id)).toEqual({ container_id: creator.id, subscribers: 'all' });
    await edit({ subscribers: 'none' });
    expect(await listAudience(id)).toEqual({ container_id: null, subscribers: 'none' });
  });

  it.each([
    ['another creator', async () => createTestTier(await test.signUp('creator'))],
    ['no one', async () => UNKNOWN_ID],
    [
      'the creator, but deleted',
      async (creator: TestUser) => {
        const tierId = await createTestTier(creator);
        await creator.inject('DELETE', `/api/creator/subscription-tiers/${tierId}`);
        return tierId;
      },
    ],
  ])('is refused with the same field error for a tier of %s', async (_, create) => {
    const creator = await test.signUp('creator');
    const tierId = await create(creator);
    const { id, mediaId } = await publish(creator, 'none');
    const { body } = await createBody(creator, tierId);
    const draft = { ...body, media: [] };
    const responses = [
      await send(creator, body),
      await creator.inject('PATCH', `/api/post/${id}`, { ...body, media: [{ id: mediaId }] }),
      await creator.inject('POST', '/api/creator/drafts', draft, { 'idempotency-key': randomUUID() }),
      await creator.inject('PUT', '/api/creator/posts/audiences', { posts: [{ id, subscribers: tierId }] }),
    ];
    for (const response of responses) {
      expect(response.statusCode).toBe(400);
      expect(response.json().error).toEqual([
        { field: 'subscribers', message: 'This tier no longer exists. Choose another one.' },
      ]);
    }
  });

  it('is ignored for free posts', async () => {
    const creator = await test.signUp('creator');
    const { body, mediaId } = await createBody(creator, UNKNOWN_ID, 0);
    const { id } = (await send(creator, body)).json();
    expect(await listAudience(id)).toEqual({ container_id: null, subscribers: 'none' });
    const tierId = await createTestTier(creator);
    const paid = { price: 18, media: [{ id: mediaId }], subscribers: tierId };
    await creator.inject('PATCH', `/api/post/${id}`, paid);
    expect(await listAudience(id)).toEqual({ container_id: tierId, subscribers: tierId });
    await creator.inject('PATCH', `/api/post/${id}`, { ...paid, price: 0 });
    expect(await listAudience(id)).toEqual({ container_id: null, subscribers: 'none' });
  });

  it('of a draft becomes that of the post', async () => {
    const creator = await test.signUp('creator');
    const tierId = await createTestTier(creator);
    const { body } = await createBody(creator, tierId);
    const key = { 'idempotency-key': randomUUID() };
    const draft = (await creator.inject('POST', '/api/creator/drafts', body, key)).json();
    expect(draft.subscribers).toBe(tierId);
    const preview = (await creator.inject('GET', `/api/creator/drafts/${draft.id}/preview`)).json();
    expect(preview.locked.subscription).toEqual({ tierId, name: 'Kiln', price: 12, recurrence: 'monthaly' });
    const published = await creator.inject(
      'POST',
      `/api/creator/drafts/${draft.id}/publish`,
      { version: draft.version },
      { 'idempotency-key': randomUUID() },
    );
    expect(await listAudience(published.json().id)).toEqual({ container_id: tierId, subscribers: tierId });
  });
});

describe('a locked post', () => {
  it('names the cheapest tier that opens it and that can be subscribed to', async () => {
    const creator = await test.signUp('creator');
    const fan = await test.signUp('customer');
    const weekly = await createTestTier(creator, {
      name: 'Weekly',
      prices: { weekly: 5, monthaly: null, yearly: null },
    });
    const { studio, collector } = await createTiers(creator);
    const [all, some, none] = [
      await publish(creator, 'all'),
      await publish(creator, collector),
      await publish(creator, 'none'),
    ];
    expect((await read(fan, all.id)).subscription).toMatchObject({ tierId: studio, price: 6, recurrence: 'monthaly' });
    expect((await read(fan, some.id)).subscription).toMatchObject({ tierId: collector, name: 'Collector', price: 40 });
    expect((await read(fan, none.id)).subscription).toBeNull();
    const close = (id: string, prices: object) =>
      creator.inject('PUT', `/api/creator/subscription-tiers/${id}`, {
        name: 'Closed',
        benefits: [],
        prices: { weekly: null, monthaly: null, yearly: null, ...prices },
        bundles: [],
        trialDays: null,
        slots: null,
        isOpen: false,
      });
    await close(studio, { monthaly: 6 });
    await close(collector, { monthaly: 40 });
    const free = await createTestTier(creator, {
      name: 'Club',
      prices: { weekly: null, monthaly: null, yearly: null },
    });
    expect((await read(fan, all.id)).subscription).toEqual({
      tierId: free,
      name: 'Club',
      price: 0,
      recurrence: 'monthaly',
    });
    await creator.inject('DELETE', `/api/creator/subscription-tiers/${free}`);
    expect((await read(fan, all.id)).subscription).toMatchObject({ name: 'Kiln', price: 12 });
    expect((await read(fan, some.id)).subscription).toBeNull();
    expect((await read(fan, all.id)).subscription.tierId).not.toBe(weekly);
  });
});

describe('access', () => {
  const places = async (fan: TestUser, creator: TestUser, { id, mediaId }: TestPost) => {
    const find = (data: { id?: string; postId?: string; isUnlocked: boolean }[]) =>
      data.find((each) => (each.id ?? each.postId) === id)?.isUnlocked;
    return [
      (await fan.inject('GET', `/api/post/${id}`)).json().isUnlocked,
      find((await fan.inject('GET', `/api/public/posts/${creator.id}`)).json().data),
      find((await fan.inject('GET', `/api/public/media/${creator.id}`)).json().data),
      (await fan.inject('GET', `/api/asset/private?fileKey=m/${mediaId}/640.webp&tblType=post`)).statusCode === 200,
    ];
  };
  const LOCKED = [false, false, false, false];
  const OPEN = [true, true, true, true];

  it('needs a subscription to the tier or a higher one', async () => {
    const creator = await test.signUp('creator');
    const { studio, kiln, collector } = await createTiers(creator);
    const free = await createTestTier(await test.signUp('creator'));
    const [forAll, forKiln] = [await publish(creator, 'all'), await publish(creator, kiln)];
    const [stranger, low, same, high, other] = await Promise.all([1, 2, 3, 4, 5].map(() => signUpFan()));
    if (!stranger || !low || !same || !high || !other) throw new Error('no fans');
    expect((await subscribeTo(low, studio, { renewal: 6 })).statusCode).toBe(200);
    expect((await subscribeTo(same, kiln)).statusCode).toBe(200);
    expect((await subscribeTo(high, collector, { renewal: 40 })).statusCode).toBe(200);
    expect((await subscribeTo(other, free)).statusCode).toBe(200);
    for (const [fan, all, some] of [
      [stranger, LOCKED, LOCKED],
      [other, LOCKED, LOCKED],
      [low, OPEN, LOCKED],
      [same, OPEN, OPEN],
      [high, OPEN, OPEN],
    ] as const) {
      expect(await places(fan, creator, forAll)).toEqual(all);
      expect(await places(fan, creator, forKiln)).toEqual(some);
    }
    expect(await read(same, forKiln.id)).toMatchObject({ isSubscribed: true, isPurchased: false });
    expect(await read(low, forKiln.id)).toMatchObject({ isSubscribed: false });
  });

  it('is the same for a trial and a free tier, and ends with the subscription', async () => {
    const creator = await test.signUp('creator');
    const trial = await createTestTier(creator, { trialDays: 7 });
    const club = await createTestTier(creator, {
      name: 'Club',
      prices: { weekly: null, monthaly: null, yearly: null },
    });
    const post = await publish(creator, trial);
    for (const [tierId, options] of [
      [trial, { today: 0 }],
      [club, { renewal: 0 }],
    ] as const) {
      const fan = await signUpFan();
      const { subscription } = (await subscribeTo(fan, tierId, options)).json();
      expect(await places(fan, creator, post)).toEqual(OPEN);
      await test.owner.pool.query(
        `update entitlement_grants set until = now() - interval '1 minute' where fan_id = $1`,
        [fan.id],
      );
      test.clock.advance(5_001);
      expect(await places(fan, creator, post)).toEqual(LOCKED);
      expect(subscription.tier.id).toBe(tierId);
    }
  });

  it('ends at once with a refund, and with a block by the creator', async () => {
    const creator = await test.signUp('creator');
    const tierId = await createTestTier(creator);
    const post = await publish(creator, tierId);
    const [fan, blocked] = [await signUpFan(), await signUpFan()];
    const { subscription } = (await subscribeTo(fan, tierId)).json();
    await subscribeTo(blocked, tierId);
    expect((await fan.inject('GET', `/api/post/${post.id}`)).json().isUnlocked).toBe(true);
    const refund = await fan.inject(
      'POST',
      `/api/customer/subscriptions/${subscription.id}/refund`,
      {},
      { 'idempotency-key': randomUUID() },
    );
    expect(refund.statusCode).toBe(200);
    await test.ctx.events.waitUntilIdle();
    expect(await places(fan, creator, post)).toEqual(LOCKED);
    await creator.inject('POST', `/api/message/block-unblock-customer/${blocked.id}`, { isBlocked: true });
    await test.ctx.events.waitUntilIdle();
    expect((await blocked.inject('GET', `/api/post/${post.id}`)).statusCode).toBe(404);
    expect(await canViewMedia(test.ctx, blocked.id, post.mediaId)).toBe(false);
  });

  it('to a removed post is left to buyers', async () => {
    const creator = await test.signUp('creator');
    const tierId = await createTestTier(creator);
    const post = await publish(creator, tierId);
    const [fan, buyer] = [await signUpFan(), await signUpFan()];
    await subscribeTo(fan, tierId);
    expect((await buyer.inject('POST', `/api/post/unlock/${post.id}`, {})).statusCode).toBe(200);
    await creator.inject('DELETE', `/api/post/${post.id}`);
    expect((await fan.inject('GET', `/api/post/${post.id}`)).statusCode).toBe(404);
    expect((await read(buyer, post.id)).isUnlocked).toBe(true);
    expect(await canViewMedia(test.ctx, fan.id, post.mediaId)).toBe(false);
  });
});

describe('a subscription counts as used', () => {
  const countOpened = async (fan: TestUser) => {
    const { rows } = await test.owner.pool.query(
      `select count(p.opened_at)::int as count from subscription_periods p join subscriptions s on s.id = p.subscription_id
        where s.fan_id = $1`,
      [fan.id],
    );
    return rows[0]?.count;
  };

  it('when a file is opened that only it opens, not for purchases or free posts', async () => {
    const creator = await test.signUp('creator');
    const tierId = await createTestTier(creator);
    const [bought, included] = [await publish(creator, tierId), await publish(creator, tierId)];
    const fan = await signUpFan();
    await fan.inject('POST', `/api/post/unlock/${bought.id}`, {});
    await subscribeTo(fan, tierId);
    const load = ({ mediaId }: TestPost) =>
      fan.inject('GET', `/api/asset/private?fileKey=m/${mediaId}/640.webp&tblType=post`);
    expect((await load(bought)).statusCode).toBe(200);
    expect(await countOpened(fan)).toBe(0);
    expect((await load(included)).statusCode).toBe(200);
    expect(await countOpened(fan)).toBe(1);
  });
});

describe('changing the audience of several posts', () => {
  const change = (creator: TestUser, posts: object[]) =>
    creator.inject('PUT', '/api/creator/posts/audiences', { posts });

  it('changes all of them and returns what undoes it, except free ones', async () => {
    const creator = await test.signUp('creator');
    const tierId = await createTestTier(creator);
    const [one, other, unchanged] = [
      await publish(creator, 'none'),
      await publish(creator, 'all'),
      await publish(creator, tierId),
    ];
    const free = (await send(creator, (await createBody(creator, 'none', 0)).body)).json();
    const moved = await change(
      creator,
      [one, other, unchanged, free].map(({ id }) => ({ id, subscribers: tierId })),
    );
    const { previous } = moved.json();
    expect(previous).toEqual(
      expect.arrayContaining([
        { id: one.id, subscribers: 'none' },
        { id: other.id, subscribers: 'all' },
      ]),
    );
    expect(previous).toHaveLength(2);
    expect(await listAudience(one.id)).toEqual({ container_id: tierId, subscribers: tierId });
    expect(await listAudience(other.id)).toEqual({ container_id: tierId, subscribers: tierId });
    expect((await listAudience(free.id)).container_id).toBeNull();
    expect((await change(creator, previous)).statusCode).toBe(200);
    expect(await listAudience(one.id)).toEqual({ container_id: null, subscribers: 'none' });
    expect(await listAudience(other.id)).toEqual({ container_id: creator.id, subscribers: 'all' });
  });

  it('changes none if one is of another creator, unknown or removed', async () => {
    const [creator, other] = [await test.signUp('creator'), await test.signUp('creator')];
    const [own, foreign, removed] = [
      await publish(creator, 'none'),
      await publish(other, 'none'),
      await publish(creator, 'none'),
    ];
    await creator.inject('DELETE', `/api/post/${removed.id}`);
    for (const [id, status] of [
      [foreign.id, 404],
      [UNKNOWN_ID, 404],
      [removed.id, 409],
    ] as const) {
      const response = await change(creator, [
        { id: own.id, subscribers: 'all' },
        { id, subscribers: 'all' },
      ]);
      expect(response.statusCode).toBe(status);
    }
    expect((await listAudience(own.id)).subscribers).toBe('none');
    expect((await listAudience(foreign.id)).subscribers).toBe('none');
    expect(
      (
        await change(
          creator,
          Array.from({ length: 101 }, () => ({ id: randomUUID(), subscribers: 'all' })),
        )
      ).statusCode,
    ).toBe(400);
  });
});

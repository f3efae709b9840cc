import { randomUUID } from 'node:crypto';
import type { TierBody } from '@stagedoor/contract/content/subscription-tiers.ts';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { listDeletionSteps } from '../../identity/account-deletion/testing.ts';
import { listExportParts } from '../../identity/data-export/testing.ts';
import { createDelegatedSession, joinTeam } from '../../identity/teams/testing.ts';
import { createTestTier, MONTHLY_TIER } from './testing.ts';

const URL = '/api/creator/subscription-tiers';
const [GERMANY, AMERICA] = ['84.128.1.1', '17.0.0.1'];
let test: TestApp;
let creator: TestUser;

beforeAll(async () => {
  test = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => test.close());
beforeEach(async () => {
  creator = await test.signUp('creator');
});

/** Posts depend on this module, so that its tests cannot use theirs. */
const INSERT_POST = `insert into posts (id, creator_id, type, price_cents, media_count, media_metadata, container_id)
  values (uuidv7(), $1, 'picture', $2, 1, '[]', $3)`;
const create = (user: TestUser, body: unknown = MONTHLY_TIER, key: string = randomUUID()) =>
  user.inject('POST', URL, JSON.stringify(body), { 'idempotency-key': key, 'content-type': 'application/json' });
const update = (user: TestUser, id: string, body: TierBody) => user.inject('PUT', `${URL}/${id}`, body);
const order = (user: TestUser, ids: string[]) => user.inject('PUT', '/api/creator/subscription-tiers-order', { ids });
const view = (user: Pick<TestUser, 'inject'>, address = AMERICA) =>
  user.inject('GET', `/api/public/subscription-tiers/${creator.id}`, undefined, { 'x-forwarded-for': address });
const listNames = async (user: TestUser): Promise<string[]> =>
  (await user.inject('GET', URL)).json().tiers.map(({ name }: { name: string }) => name);

describe('creating', () => {
  it('adds tiers above the existing ones, with all ways to pay, shortest first', async () => {
    await createTestTier(creator, { name: 'Studio' });
    const body: TierBody = {
      name: 'Kiln',
      benefits: ['All films', 'Early access'],
      prices: { weekly: 4, monthaly: 12.5, yearly: 100 },
      bundles: [
        { months: 12, percentOff: 25 },
        { months: 3, percentOff: 10 },
      ],
      trialDays: 7,
      slots: 20,
      isOpen: true,
    };
    const response = await create(creator, body);
    expect(response.json().tiers).toMatchObject([
      { name: 'Studio', position: 1 },
      {
        name: 'Kiln',
        position: 2,
        benefits: ['All films', 'Early access'],
        isFree: false,
        slotsLeft: 20,
        subscriberCount: 0,
        options: [
          { recurrence: 'weekly', count: 1, price: 4 },
          { recurrence: 'monthaly', count: 1, price: 12.5 },
          { recurrence: 'monthaly', count: 3, price: 33.75 },
          { recurrence: 'monthaly', count: 12, price: 112.5 },
          { recurrence: 'yearly', count: 1, price: 100 },
        ],
      },
    ]);
  });

  it('creates one tier when the request is repeated, and no more than five from two tabs', async () => {
    const key = randomUUID();
    await Promise.all([create(creator, MONTHLY_TIER, key), create(creator, MONTHLY_TIER, key)]);
    expect(await listNames(creator)).toHaveLength(1);
    const responses = await Promise.all(Array.from({ length: 6 }, () => create(creator)));
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 200, 409, 409]);
    const { tiers } = (await creator.inject('GET', URL)).json();
    expect(tiers.map(({ position }: { position: number }) => position)).toEqual([1, 2, 3, 4, 5]);
  });

  it('refuses creators who may not sell, fans and visitors', async () => {
    const unverified = await test.signUp('creator', { isUnverified: true });
    expect((await create(unverified)).json()).toMatchObject({ code: 'NOT_VERIFIED' });
    expect((await create(await test.signUp('customer'))).statusCode).toBe(403);
    expect((await test.inject('GET', URL)).statusCode).toBe(401);
  });

  it('opens only the list to team members with the right', async () => {
    const member = await test.signUp('customer');
    await joinTeam(creator, member, ['posts']);
    const delegated = await createDelegatedSession(test, member, creator.id);
    expect((await delegated.inject('GET', URL)).statusCode).toBe(200);
    expect((await create(delegated)).statusCode).toBe(403);
  });

  it.each<[string, unknown]>([
    ['name', { name: ' \u200b ' }],
    ['name', { name: 'a'.repeat(31) }],
    ['benefits.0', { benefits: [''] }],
    ['benefits', { benefits: Array.from({ length: 7 }, () => 'More') }],
    ['prices.monthaly', { prices: { weekly: null, monthaly: 2.99, yearly: null } }],
    ['prices.monthaly', { prices: { weekly: null, monthaly: 100.01, yearly: null } }],
    ['prices.weekly', { prices: { weekly: 3.001, monthaly: null, yearly: null } }],
    ['bundles', { prices: { weekly: 4, monthaly: null, yearly: null }, bundles: [{ months: 3, percentOff: 10 }] }],
    ['bundles.0.percentOff', { bundles: [{ months: 3, percentOff: 100 }] }],
    ['bundles.0.months', { bundles: [{ months: 4, percentOff: 10 }] }],
    ['trialDays', { prices: { weekly: null, monthaly: null, yearly: null }, trialDays: 7 }],
    ['slots', { slots: 0 }],
    ['isOpen', { isOpen: 'yes' }],
  ])('refuses an invalid %s: %j', async (field, part) => {
    const response = await create(creator, { ...MONTHLY_TIER, ...Object(part) });
    expect(response.statusCode, response.body).toBe(400);
    expect(response.json().error.map((each: { field: string }) => each.field)).toContain(field);
    expect(await listNames(creator)).toEqual([]);
  });

  it('stores hostile text as text', async () => {
    const name = "'); drop table--<b>";
    const benefit = '{"$where": 1} \u202e=1+1';
    await create(creator, { ...MONTHLY_TIER, name, benefits: [benefit, '🏺 \\ %s'] });
    const [tier] = (await view(creator)).json().tiers;
    expect(tier.name).toBe(name);
    expect(tier.benefits).toHaveLength(2);
    expect(tier.benefits[1]).toBe('🏺 \\ %s');
  });
});

describe('other creators', () => {
  it('get 404 for tiers that are not theirs, as for unknown ones', async () => {
    const id = await createTestTier(creator);
    const other = await test.signUp('creator');
    for (const unknown of [id, randomUUID()]) {
      expect((await update(other, unknown, MONTHLY_TIER)).statusCode).toBe(404);
      expect((await other.inject('DELETE', `${URL}/${unknown}`)).statusCode).toBe(404);
    }
    expect((await order(other, [id])).statusCode).toBe(409);
    expect(await listNames(creator)).toEqual(['Kiln']);
  });
});

describe('the order', () => {
  it('changes in one step and refuses an outdated list', async () => {
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) ids.push(await createTestTier(creator, { name }));
    const [a = '', b = '', c = ''] = ids;
    expect((await order(creator, [c, a, b])).statusCode).toBe(200);
    expect(await listNames(creator)).toEqual(['C', 'A', 'B']);
    for (const outdated of [[a, b], [a, b, b], [a, b, c, c], []])
      expect((await order(creator, outdated)).json().code).toBe('CONFLICT');
    const results = await Promise.all([order(creator, [b, a, c]), creator.inject('DELETE', `${URL}/${a}`)]);
    expect(results[1]?.statusCode).toBe(200);
    expect(await listNames(creator)).toEqual(results[0]?.statusCode === 200 ? ['B', 'C'] : ['C', 'B']);
  });
});

describe('updating', () => {
  it('announces a new price to existing subscribers, and not other changes', async () => {
    const id = await createTestTier(creator);
    const repricedIds: string[] = [];
    test.ctx.events.addLocalHandler(
      'subscriptionTier.repriced',
      'test.repriced',
      ({ payload }) => {
        repricedIds.push(payload.tierId);
      },
      () => undefined,
    );
    await update(creator, id, { ...MONTHLY_TIER, name: 'Kiln films', isOpen: false });
    const response = await update(creator, id, {
      ...MONTHLY_TIER,
      prices: { weekly: null, monthaly: 14, yearly: null },
    });
    expect(response.json().tiers).toMatchObject([{ id, prices: { monthaly: 14 } }]);
    await test.ctx.events.waitUntilIdle();
    await expect.poll(() => repricedIds).toEqual([id]);
  });
});

describe('deleting', () => {
  it('removes the tier, moves the higher tiers down by one and succeeds only once', async () => {
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) ids.push(await createTestTier(creator, { name }));
    const remove = () => creator.inject('DELETE', `${URL}/${ids[0]}`);
    const statuses = (await Promise.all([remove(), remove()])).map(({ statusCode }) => statusCode);
    expect(statuses.sort()).toEqual([200, 404]);
    expect((await view(creator)).json().tiers).toMatchObject([
      { name: 'B', position: 1 },
      { name: 'C', position: 2 },
    ]);
  });
});

describe('what fans see', () => {
  it('counts the posts and media that each tier opens', async () => {
    const [low, high] = [await createTestTier(creator), await createTestTier(creator, { name: 'High' })];
    const containers = [null, null, creator.id, low, high];
    const prices = [0, 900, 900, 900, 900];
    for (const [index, containerId] of containers.entries()) {
      await test.owner.pool.query(INSERT_POST, [creator.id, prices[index], containerId]);
    }
    expect((await view(creator)).json()).toMatchObject({
      total: { postCount: 5, mediaCount: 5 },
      tiers: [
        { postCount: 3, mediaCount: 3 },
        { postCount: 4, mediaCount: 4 },
      ],
    });
  });

  it('counts all posts of a creator who has no tiers, and the free ones', async () => {
    for (const price of [0, 900]) await test.owner.pool.query(INSERT_POST, [creator.id, price, null]);
    expect((await view(creator)).json()).toMatchObject({
      total: { postCount: 2, mediaCount: 2 },
      free: { postCount: 1, mediaCount: 1 },
      tiers: [],
    });
  });

  it('closes the tiers of a creator who may not sell at the moment', async () => {
    await createTestTier(creator);
    await test.owner.pool.query("update verifications set status = 'declined' where creator_id = $1", [creator.id]);
    expect((await view(test)).json().tiers).toMatchObject([{ isOpen: false }]);
  });

  it('hides blocked creators, blocked pairs, hidden regions and unknown ids alike', async () => {
    await createTestTier(creator);
    const fan = await test.signUp('customer');
    const unknown = (await test.inject('GET', `/api/public/subscription-tiers/${randomUUID()}`)).json();
    const isHidden = async (user: Pick<TestUser, 'inject'>, address?: string) => {
      const response = await view(user, address);
      if (response.statusCode === 404) expect(response.json()).toEqual(unknown);
      return response.statusCode === 404;
    };
    await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
    await creator.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, { isBlocked: true });
    expect([await isHidden(fan), await isHidden(test)]).toEqual([true, false]);
    await creator.inject('PUT', '/api/creator/geo-blocks', { codes: ['DE'] });
    await test.ctx.events.waitUntilIdle();
    expect([await isHidden(test, GERMANY), await isHidden(test, AMERICA)]).toEqual([true, false]);
    await test.owner.pool.query('update users set is_blocked = true where id = $1', [creator.id]);
    expect(await isHidden(test)).toBe(true);
  });
});

describe('personal data', () => {
  it('exports all tiers and erases what they include with the account', async () => {
    await createTestTier(creator, { name: 'Kept', benefits: ['Secret films'] });
    const deleted = await createTestTier(creator, { name: 'Gone' });
    await creator.inject('DELETE', `${URL}/${deleted}`);
    const part = listExportParts(test.ctx).find(({ name }) => name === 'subscription-tiers');
    const entries = [];
    for await (const entry of part?.entries?.(test.ctx, { id: creator.id, type: 'creator' }) ?? []) entries.push(entry);
    expect(entries).toMatchObject([{ name: 'Kept', benefits: ['Secret films'] }, { name: 'Gone' }]);
    const leavingUser = { userId: z.parse(userId, creator.id), type: 'creator', username: creator.username } as const;
    for (const _attempt of [1, 2])
      for (const step of listDeletionSteps(test.ctx)) await step.erase?.(test.ctx, leavingUser, undefined);
    const { rows } = await test.owner.pool.query(
      'select name, benefits, deleted_at is not null as deleted from subscription_tiers where creator_id = $1 order by id',
      [creator.id],
    );
    expect(rows).toEqual([
      { name: 'Kept', benefits: [], deleted: true },
      { name: 'Gone', benefits: [], deleted: true },
    ]);
  });
});

import { randomUUID } from 'node:crypto';
import type { OfferBody } from '@stagedoor/contract/content/subscription-offers.ts';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import { OFFER_LIMITS, OFFER_LOOKUPS } from '@stagedoor/contract/shared/limits.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { listDeletionSteps } from '../../identity/account-deletion/testing.ts';
import { blockAccount } from '../../identity/accounts/index.ts';
import { listExportParts } from '../../identity/data-export/testing.ts';
import { createDelegatedSession, joinTeam } from '../../identity/teams/testing.ts';
import { createTestOffer, createTestTier, MONTHLY_TIER } from './testing.ts';

const URL = '/api/creator/subscription-offers';
const DAY_MS = 86_400_000;
let test: TestApp;
let creator: TestUser;

beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  creator = await test.signUp('creator');
});

const create = (body: Partial<OfferBody> = {}, user = creator) => createTestOffer(user, test.clock.now(), body);
const inDays = (days: number) => new Date(test.clock.now().getTime() + days * DAY_MS).toISOString();
const list = async (user: Pick<TestUser, 'inject'> = creator) => (await user.inject('GET', URL)).json().offers;
const close = (user: TestUser, id: string) => user.inject('POST', `${URL}/${id}/close`);
const view = async (code: string, user: Pick<TestUser, 'inject'> = test, creatorId = creator.id) =>
  (await user.inject('GET', `/api/public/subscription-tiers/${creatorId}?offer=${encodeURIComponent(code)}`)).json();

describe('creating an offer', () => {
  it('lists it as running, with its code in upper case', async () => {
    const tierId = await createTestTier(creator);
    const response = await create({ code: ' spring20 ', tierId, maxUses: 5, audience: 'new' });
    expect(response.statusCode, response.body).toBe(200);
    expect(await list()).toMatchObject([
      {
        ...{ code: 'SPRING20', percentOff: 50, periods: 3, audience: 'new', maxUses: 5, useCount: 0, state: 'running' },
        tier: { id: tierId, name: 'Kiln' },
      },
    ]);
  });

  it('creates one offer when the request is repeated, and refuses a second one with the same code', async () => {
    await createTestTier(creator);
    const body = {
      ...{ code: 'SPRING', percentOff: 50, periods: 3, tierId: null, audience: 'everyone', maxUses: null },
      endsAt: inDays(30),
    };
    const key = { 'idempotency-key': randomUUID() };
    await Promise.all([creator.inject('POST', URL, body, key), creator.inject('POST', URL, body, key)]);
    expect(await list()).toHaveLength(1);
    const [{ id }] = await list();
    await close(creator, id);
    expect((await create({ code: 'spring' })).json().error).toMatchObject([{ field: 'code' }]);
    const other = await test.signUp('creator');
    await createTestTier(other);
    expect((await create({ code: 'SPRING' }, other)).statusCode).toBe(200);
  });

  it.each<[string, Partial<OfferBody>]>([
    ['code', { code: 'AB' }],
    ['code', { code: 'A'.repeat(21) }],
    ['code', { code: 'SALE-20' }],
    ['code', { code: 'ŚPRING' }],
    ['percentOff', { percentOff: 4 }],
    ['percentOff', { percentOff: 91 }],
    ['percentOff', { percentOff: 12.5 }],
    ['periods', { periods: 0 }],
    ['periods', { periods: 13 }],
    ['maxUses', { maxUses: 0 }],
    ['endsAt', { endsAt: '2020-01-01T00:00:00.000Z' }],
    ['endsAt', { endsAt: '2999-01-01T00:00:00.000Z' }],
  ])('refuses an invalid %s: %j', async (field, body) => {
    await createTestTier(creator);
    const response = await create(body);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.map((each: { field: string }) => each.field)).toEqual([field]);
    expect(await list()).toEqual([]);
  });

  it('requires a paid tier of the creator', async () => {
    expect((await create()).json().error).toMatchObject([{ field: 'tierId' }]);
    const free = await createTestTier(creator, { prices: { weekly: null, monthaly: null, yearly: null } });
    expect((await create({ tierId: free })).statusCode).toBe(400);
    const foreign = await createTestTier(await test.signUp('creator'));
    for (const tierId of [foreign, randomUUID()])
      expect((await create({ tierId: tierId as never })).statusCode).toBe(404);
    const unverified = await test.signUp('creator', { isUnverified: true });
    expect((await create({}, unverified)).statusCode).not.toBe(200);
  });

  it('requires a discounted price that is not below the lowest price', async () => {
    await createTestTier(creator, { prices: { weekly: 3, monthaly: 6, yearly: null } });
    expect((await create({ percentOff: 51 })).json().error).toMatchObject([
      { field: 'percentOff', message: expect.stringContaining('$3.00') },
    ]);
    expect((await create({ percentOff: 50 })).statusCode).toBe(200);
  });

  it('is refused at the limit of running offers, also from two tabs', async () => {
    await createTestTier(creator);
    for (let n = 0; n < OFFER_LIMITS.running - 1; n += 1) await create({ code: `SALE${n}` });
    const statuses = (await Promise.all([create({ code: 'LAST1' }), create({ code: 'LAST2' })])).map(
      ({ statusCode }) => statusCode,
    );
    expect(statuses.sort()).toEqual([200, 409]);
    const [{ id }] = await list();
    await close(creator, id);
    expect((await create({ code: 'MORE' })).statusCode).toBe(200);
  });
});

describe('closing an offer', () => {
  it('is idempotent, and returns 404 to other creators', async () => {
    await createTestTier(creator);
    await create();
    const [{ id }] = await list();
    const other = await test.signUp('creator');
    for (const unknown of [id, randomUUID()]) expect((await close(other, unknown)).statusCode).toBe(404);
    expect((await list())[0].state).toBe('running');
    expect((await close(creator, id)).json().offers).toMatchObject([{ state: 'closed' }]);
    const [{ closedAt }] = await list();
    test.clock.advance(1_000);
    await close(creator, id);
    expect((await list())[0].closedAt).toBe(closedAt);
  });

  it('happens with its tier', async () => {
    const tierId = await createTestTier(creator);
    await create({ tierId });
    await creator.inject('DELETE', `/api/creator/subscription-tiers/${tierId}`);
    expect(await list()).toMatchObject([{ state: 'closed' }]);
  });

  it('is refused to team members, who can only list offers', async () => {
    await createTestTier(creator);
    await create();
    const member = await test.signUp('customer');
    await joinTeam(creator, member, ['figures']);
    const delegated = await createDelegatedSession(test, member, creator.id);
    expect(await list(delegated)).toHaveLength(1);
    const [{ id }] = await list();
    expect((await delegated.inject('POST', `${URL}/${id}/close`)).statusCode).toBe(403);
  });
});

describe('a code', () => {
  it('shows visitors and fans the discounted prices of the tiers that it is for', async () => {
    const low = await createTestTier(creator, { prices: { weekly: 3.33, monthaly: 5.55, yearly: null } });
    const high = await createTestTier(creator, { bundles: [{ months: 3, percentOff: 10 }] });
    await createTestTier(creator, { prices: { weekly: null, monthaly: null, yearly: null } });
    await create({ percentOff: 15 });
    await create({ code: 'HIGH', tierId: high as never });
    const all = await view('spring');
    expect(all).toMatchObject({
      offerRefusal: null,
      offer: {
        ...{ code: 'SPRING', percentOff: 15, periods: 3, audience: 'everyone' },
        tiers: [
          // 3.33 × 0.85 would be below $3.00, 5.55 × 0.85 = 4.7175, and 32.40 × 0.85 = 27.54.
          { id: low, options: [{ recurrence: 'monthaly', price: 4.72 }] },
          {
            id: high,
            options: [
              { count: 1, price: 10.2 },
              { count: 3, price: 27.54 },
            ],
          },
        ],
      },
    });
    expect(all.tiers[0].options[0].price).toBe(3.33);
    const fan = await test.signUp('customer');
    expect((await view('HIGH', fan)).offer.tiers).toMatchObject([{ id: high }]);
  });

  it('gets the same response whether it is unknown, ended, closed, malformed, of another creator or for other fans', async () => {
    await createTestTier(creator);
    const other = await test.signUp('creator');
    await createTestTier(other);
    await create({ code: 'FOREIGN' }, other);
    await create({ code: 'CLOSED' });
    const [{ id }] = await list();
    await close(creator, id);
    await create({ code: 'RETURN', audience: 'returning' });
    await create({ code: 'ENDED', endsAt: inDays(1) });
    const fan = await test.signUp('customer');
    const expected = await view('UNKNOWN', fan);
    expect(expected.offer).toBeNull();
    expect(expected.offerRefusal).toMatch(/doesn’t work/);
    expect(expected.tiers).toHaveLength(1);
    test.clock.advance(2 * DAY_MS);
    const again = await test.logIn(fan);
    for (const code of ['FOREIGN', 'CLOSED', 'ENDED', 'RETURN', 'x', "'; drop table--", 'ß'.repeat(50)])
      expect(await view(code, again)).toEqual(expected);
    expect((await view('', again)).offerRefusal).toBeNull();
    expect((await view('RETURN')).offer).toMatchObject({ audience: 'returning' });
  });

  it('gets the same response as an unknown code when its tier is closed or the creator is blocked', async () => {
    const tierId = await createTestTier(creator);
    await createTestTier(creator, { name: 'Studio' });
    await create({ tierId });
    const body = { ...MONTHLY_TIER, bundles: [], isOpen: false };
    await creator.inject('PUT', `/api/creator/subscription-tiers/${tierId}`, body);
    expect(await view('SPRING')).toEqual(await view('UNKNOWN'));
    await blockAccount(test.ctx, creator.id, 'test');
    const request = (code: string) =>
      test.inject('GET', `/api/public/subscription-tiers/${creator.id}?offer=${code}`).then((one) => one.statusCode);
    expect([await request('SPRING'), await request('UNKNOWN')]).toEqual([404, 404]);
  });

  it('cannot be guessed: after too many codes even a valid one is refused for a while', async () => {
    await createTestTier(creator);
    await create();
    const fan = await test.signUp('customer');
    const responses = await Promise.all(
      Array.from({ length: OFFER_LOOKUPS.perAccount }, (_, n) => view(`GUESS${n}`, fan)),
    );
    expect(responses.every(({ offerRefusal }) => /doesn’t work/.test(offerRefusal))).toBe(true);
    const limited = await view('SPRING', fan);
    expect(limited).toMatchObject({ offer: null, tiers: [{ name: 'Kiln' }] });
    expect(limited.offerRefusal).toMatch(/too many codes/);
    const tierId = limited.tiers[0].id;
    const body = {
      ...{ tierId, recurrence: 'monthaly', count: 1, offer: 'SPRING', timeZone: 'UTC' },
      expected: { today: 6, renewal: 6, afterOffer: 12 },
    };
    const headers = { 'idempotency-key': randomUUID() };
    expect((await fan.inject('POST', '/api/customer/subscriptions', body, headers)).statusCode).toBe(429);
    test.clock.advance(OFFER_LOOKUPS.windowMs);
    expect((await view('SPRING', fan)).offer).toMatchObject({ code: 'SPRING' });
  });

  it('cannot be guessed by visitors of one network', async () => {
    await createTestTier(creator);
    await create();
    for (let n = 0; n < OFFER_LOOKUPS.perNetwork; n += 1) await view(`GUESS${n}`);
    expect(await view('SPRING')).toMatchObject({ offer: null, offerRefusal: expect.stringMatching(/too many codes/) });
    test.clock.advance(OFFER_LOOKUPS.windowMs);
  });
});

it('exports the offers of a creator, and closes them when the account is deleted', async () => {
  const tierId = await createTestTier(creator);
  await create({ tierId });
  const part = listExportParts(test.ctx).find(({ name }) => name === 'subscription-offers');
  const entries = [];
  for await (const entry of part?.entries?.(test.ctx, { id: creator.id, type: 'creator' }) ?? []) entries.push(entry);
  expect(entries).toMatchObject([{ code: 'SPRING', tier: 'Kiln', percentOff: 50, useCount: 0, closedAt: null }]);
  const leavingUser = { userId: z.parse(userId, creator.id), type: 'creator', username: creator.username } as const;
  for (const step of listDeletionSteps(test.ctx)) await step.erase?.(test.ctx, leavingUser, undefined);
  const rows = await test.ctx.db.query
    .selectFrom('subscription_offers')
    .select('closed_at')
    .where('creator_id', '=', creator.id)
    .execute();
  expect(rows).toEqual([{ closed_at: test.clock.now() }]);
});

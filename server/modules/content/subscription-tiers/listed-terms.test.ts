import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createTestTier, MONTHLY_TIER } from './testing.ts';

const TIERS_URL = '/api/creator/subscription-tiers';
let test: TestApp;
let creator: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  creator = await test.signUp('creator');
});
afterAll(() => test.close());

const list = async (query: string): Promise<{ id: string; subscriptionPrice: number | null; hasTrial: boolean }[]> =>
  (await test.inject('GET', `/api/public/creators?limit=30&${query}`)).json().data;
const getCard = async (id = creator.id) => (await list('sort=new')).find((card) => card.id === id);
const isFound = async (query: string, id = creator.id) => (await list(query)).some((card) => card.id === id);
const monthly = (monthaly: number) => ({ prices: { weekly: null, monthaly, yearly: null } });

describe('the price and trial of a creator in lists', () => {
  it('are those of the open paid tiers, and follow each change', async () => {
    expect(await getCard()).toMatchObject({ subscriptionPrice: null, hasTrial: false });
    const free = await createTestTier(creator, { prices: { weekly: null, monthaly: null, yearly: null } });
    expect(await getCard()).toMatchObject({ subscriptionPrice: null, hasTrial: false });
    const yearly = await createTestTier(creator, { prices: { weekly: null, monthaly: null, yearly: 100 } });
    expect(await getCard()).toMatchObject({ subscriptionPrice: 8.33, hasTrial: false });
    const cheap = await createTestTier(creator, { ...monthly(6), trialDays: 7 });
    expect(await getCard()).toMatchObject({ subscriptionPrice: 6, hasTrial: true });
    const close = { ...MONTHLY_TIER, ...monthly(6), trialDays: 7, isOpen: false };
    expect((await creator.inject('PUT', `${TIERS_URL}/${cheap}`, close)).statusCode).toBe(200);
    expect(await getCard()).toMatchObject({ subscriptionPrice: 8.33, hasTrial: false });
    for (const id of [yearly, free]) await creator.inject('DELETE', `${TIERS_URL}/${id}`);
    expect(await getCard()).toMatchObject({ subscriptionPrice: null, hasTrial: false });
  });
});

describe('a creator who loses the right to sell', () => {
  it('is listed without a price or trial until the right returns', async () => {
    const other = await test.signUp('creator');
    const tierId = await createTestTier(other, { ...monthly(6), trialDays: 7 });
    const spare = await createTestTier(other, monthly(10));
    const setStatus = async (status: 'declined' | 'verified') => {
      await test.owner.pool.query('update verifications set status = $2 where creator_id = $1', [other.id, status]);
      const at = test.clock.now().toISOString();
      await test.ctx.db.transaction((tx) => tx.emit('verification.changed', { creatorId: other.id, status, at }));
      await test.ctx.events.waitUntilIdle();
    };
    await setStatus('declined');
    expect(await getCard(other.id)).toMatchObject({ subscriptionPrice: null, hasTrial: false });
    await other.inject('DELETE', `${TIERS_URL}/${tierId}`);
    expect(await isFound('price=10', other.id)).toBe(false);
    await setStatus('verified');
    expect(await isFound('price=10', other.id)).toBe(true);
    await other.inject('DELETE', `${TIERS_URL}/${spare}`);
    expect(await isFound('price=10', other.id)).toBe(false);
  });
});

describe('the filters', () => {
  it.each([
    ['lists', ''],
    ['new creators', '&sort=new'],
    ['a search', '&search=tierfinder'],
    ['a search with a typo', '&search=tierfindr'],
  ])('find creators by price and trial in %s', async (name, query) => {
    const [other, pricey] = [await test.signUp('creator'), await test.signUp('creator')];
    for (const user of [other, pricey])
      await user.inject('PUT', '/api/creator/profile', { name: `Tierfinder ${name}`, category: null });
    await createTestTier(other, { ...monthly(10), trialDays: 7 });
    await createTestTier(pricey, monthly(20.01));
    const find = async (filter: string) => [
      await isFound(filter + query, other.id),
      await isFound(filter + query, pricey.id),
    ];
    expect(await find('')).toEqual([true, true]);
    expect(await find('price=5')).toEqual([false, false]);
    expect(await find('price=10')).toEqual([true, false]);
    expect(await find('price=20')).toEqual([true, false]);
    expect(await find('trial=true')).toEqual([true, false]);
    expect(await find('price=20&trial=true')).toEqual([true, false]);
  });

  it('refuse other prices', async () => {
    expect((await test.inject('GET', '/api/public/creators?price=7')).statusCode).toBe(400);
  });
});

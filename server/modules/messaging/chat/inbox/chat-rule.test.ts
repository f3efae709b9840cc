import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { createTestTier, subscribeTo } from '../../../content/subscriptions/testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const FREE = { prices: { weekly: null, monthaly: null, yearly: null } };
const pair = () => Promise.all([app.signUp('creator'), app.signUp('customer')]);
const setRule = (creator: TestUser, body: object) => creator.inject('PUT', '/api/message/settings', body);
const getInfo = async (fan: TestUser, creator: TestUser) =>
  (await fan.inject('GET', `/api/message/conversation-info/${creator.id}`)).json();
const write = (from: TestUser, to: TestUser) =>
  from.inject('POST', '/api/message/text', { receiverId: to.id, text: 'Hello', clientId: crypto.randomUUID() });

async function expectRefused(fan: TestUser, creator: TestUser): Promise<void> {
  expect(await getInfo(fan, creator)).toMatchObject({ canSend: false, isRequest: false, refusal: 'subscribers' });
  const response = await write(fan, creator);
  expect([response.statusCode, response.json().message]).toEqual([403, expect.stringContaining('subscribers')]);
}

async function expectOpen(fan: TestUser, creator: TestUser): Promise<void> {
  expect(await getInfo(fan, creator)).toMatchObject({ canSend: true, isRequest: false, refusal: null });
  expect((await write(fan, creator)).statusCode).toBe(200);
}

describe('a chat for subscribers', () => {
  it('is closed to other fans and open to subscribers at once', async () => {
    const [creator, fan] = await pair();
    const tierId = await createTestTier(creator, FREE);
    expect((await setRule(creator, { rule: 'subscribers' })).json()).toEqual({ rule: 'subscribers', tierId: null });
    await expectRefused(fan, creator);
    await subscribeTo(fan, tierId, { renewal: 0 });
    await expectOpen(fan, creator);
  });

  it('can be for a tier and higher ones', async () => {
    const [creator, fan] = await pair();
    const [low, high] = [await createTestTier(creator, FREE), await createTestTier(creator, FREE)];
    await setRule(creator, { rule: 'subscribers', tierId: high });
    await subscribeTo(fan, low, { renewal: 0 });
    await expectRefused(fan, creator);
    await subscribeTo(fan, high, { renewal: 0 });
    await expectOpen(fan, creator);
  });

  it('leaves accepted conversations open, also after the subscription', async () => {
    const [creator, fan] = await pair();
    await setRule(creator, { rule: 'open' });
    expect((await write(fan, creator)).statusCode).toBe(200);
    await setRule(creator, { rule: 'subscribers' });
    expect((await write(fan, creator)).statusCode).toBe(200);
    expect(await getInfo(fan, creator)).toMatchObject({ canSend: true, refusal: null });
  });

  it('moves from a deleted tier to the next higher one, then to all subscribers', async () => {
    const creator = await app.signUp('creator');
    const [low, high] = [await createTestTier(creator, FREE), await createTestTier(creator, FREE)];
    await setRule(creator, { rule: 'subscribers', tierId: low });
    const deleteTier = async (id: string) => {
      await creator.inject('DELETE', `/api/creator/subscription-tiers/${id}`);
      await app.ctx.events.waitUntilIdle();
      return (await creator.inject('GET', '/api/message/settings')).json();
    };
    expect(await deleteTier(low)).toEqual({ rule: 'subscribers', tierId: high });
    expect(await deleteTier(high)).toEqual({ rule: 'subscribers', tierId: null });
  });

  it('refuses a tier of another creator', async () => {
    const [creator] = await pair();
    const tierId = await createTestTier(await app.signUp('creator'), FREE);
    const response = await setRule(creator, { rule: 'subscribers', tierId });
    expect(response.statusCode).toBe(400);
    expect((await creator.inject('GET', '/api/message/settings')).json()).toEqual({ rule: 'request', tierId: null });
  });

  it('stores the tier only with the rule for subscribers', async () => {
    const [creator] = await pair();
    const tierId = await createTestTier(creator, FREE);
    await setRule(creator, { rule: 'subscribers', tierId });
    expect((await setRule(creator, { rule: 'followers', tierId })).json()).toEqual({ rule: 'followers', tierId: null });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { createTestTier, signUpFan, subscribeTo } from '../../../content/subscriptions/testing.ts';
import { restrictActivity } from '../../../identity/accounts/index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const FREE = { prices: { weekly: null, monthaly: null, yearly: null } };
const createPair = (fundsCents = 0) => Promise.all([app.signUp('creator'), signUpFan(app, fundsCents)]);
const subscribe = async (fan: TestUser, tierId: string, renewal = 0) => {
  const response = await subscribeTo(fan, tierId, { renewal });
  expect(response.statusCode, response.body).toBe(200);
  await app.ctx.events.waitUntilIdle();
  return String(response.json().subscription.id);
};
const listConversations = async (user: TestUser) =>
  (await user.inject('GET', '/api/message/conversation-list')).json().data;
const listTexts = async (fan: TestUser): Promise<string[]> => {
  const [conversation] = await listConversations(fan);
  if (!conversation) return [];
  const page = (await fan.inject('GET', `/api/message/list/${conversation.id}`)).json();
  return page.data.map(({ text }: { text: string }) => text);
};

/** As if the event were handled again. */
async function repeatStart(pair: { subscriptionId: string; fanId: string; creatorId: string }): Promise<void> {
  await app.ctx.db.transaction((tx) => tx.emit('subscription.started', { ...pair, tierName: 'Kiln', isTrial: false }));
  app.ctx.events.wake();
  await app.ctx.events.waitUntilIdle();
}

describe('a welcome message', () => {
  it('reaches a new subscriber once, as a message of the creator', async () => {
    const [creator, fan] = await createPair(10_000);
    const tierId = await createTestTier(creator, { welcomeMessage: '  Glad you are here.  ' });
    await subscribe(fan, tierId, 12);
    const [conversation] = await listConversations(fan);
    expect(conversation).toMatchObject({
      unreadCount: 1,
      info: { canSend: true },
      lastMessage: { text: 'Glad you are here.', ownerType: 'creator' },
    });
    expect(await listConversations(creator)).toHaveLength(1);
  });

  it('is not sent again when the fan changes the tier or comes back', async () => {
    const [creator, fan] = await createPair();
    const first = await createTestTier(creator, { ...FREE, welcomeMessage: 'Hello' });
    const second = await createTestTier(creator, { ...FREE, welcomeMessage: 'Hello to the second' });
    await subscribe(fan, first);
    const id = await subscribe(fan, second);
    await fan.inject('POST', `/api/customer/subscriptions/${id}/cancel`);
    await subscribe(fan, first);
    expect(await listTexts(fan)).toEqual(['Hello']);
  });

  it('is sent once when the event is handled twice', async () => {
    const [creator, fan] = await createPair();
    const tierId = await createTestTier(creator, { ...FREE, welcomeMessage: 'Hello' });
    const subscriptionId = await subscribe(fan, tierId);
    await repeatStart({ subscriptionId, fanId: fan.id, creatorId: creator.id });
    expect(await listTexts(fan)).toEqual(['Hello']);
  });

  it('is not sent without a text, and the creator may write to the subscriber anyway', async () => {
    const [creator, fan] = await createPair();
    await subscribe(fan, await createTestTier(creator, FREE));
    expect(await listConversations(fan)).toEqual([]);
    const written = await creator.inject('POST', '/api/message/text', { receiverId: fan.id, text: 'Thank you' });
    expect(written.statusCode, written.body).toBe(200);
  });

  it('does not accept a request that the creator declined', async () => {
    const [creator, fan] = await createPair();
    const tierId = await createTestTier(creator, { ...FREE, welcomeMessage: 'Hello' });
    await fan.inject('POST', '/api/message/text', { receiverId: creator.id, text: 'Hi' });
    await creator.inject('POST', `/api/message/conversation-response/${fan.id}`, { status: 'decline' });
    await subscribe(fan, tierId);
    expect(await listTexts(fan)).toEqual(['Hi']);
  });

  it('is not sent while the creator may not write', async () => {
    const [creator, fan] = await createPair();
    const tierId = await createTestTier(creator, { ...FREE, welcomeMessage: 'Hello' });
    const until = new Date(app.clock.now().getTime() + 86_400_000);
    await app.ctx.db.transaction((tx) => restrictActivity(tx, creator.id, 'chat', until));
    await subscribe(fan, tierId);
    expect(await listConversations(fan)).toEqual([]);
  });

  it('is not sent to a blocked pair', async () => {
    const [creator, fan] = await createPair();
    const tierId = await createTestTier(creator, FREE);
    const subscriptionId = await subscribe(fan, tierId);
    const { tiers } = (await creator.inject('GET', '/api/creator/subscription-tiers')).json();
    const { name, benefits, prices, bundles, trialDays, slots, isOpen } = tiers[0];
    const body = { name, benefits, prices, bundles, trialDays, slots, isOpen, welcomeMessage: 'Hello' };
    await creator.inject('PUT', `/api/creator/subscription-tiers/${tierId}`, body);
    const block = (isBlocked: boolean) =>
      fan.inject('POST', `/api/message/block-unblock-creator/${creator.id}`, { isBlocked });
    await block(true);
    await repeatStart({ subscriptionId, fanId: fan.id, creatorId: creator.id });
    await block(false);
    expect(await listConversations(fan)).toEqual([]);
    await repeatStart({ subscriptionId, fanId: fan.id, creatorId: creator.id });
    expect(await listTexts(fan)).toEqual(['Hello']);
  });

  it('is shown to its creator alone', async () => {
    const [creator, fan] = await createPair();
    await createTestTier(creator, { ...FREE, welcomeMessage: 'Only for subscribers' });
    const own = await creator.inject('GET', '/api/creator/subscription-tiers');
    expect(own.json().tiers).toMatchObject([{ welcomeMessage: 'Only for subscribers' }]);
    const shown = await fan.inject('GET', `/api/public/subscription-tiers/${creator.id}`);
    expect(shown.body).not.toContain('Only for subscribers');
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { listMailSubjects, listNotificationKinds } from '../../../testing/inbox.ts';
import { eraseUser } from '../../identity/account-deletion/testing.ts';
import { blockAccount } from '../../identity/accounts/index.ts';
import { setBlock } from '../../identity/blocks/index.ts';
import { listExportParts } from '../../identity/data-export/testing.ts';
import { renewDueSubscriptions } from './renewals.ts';
import {
  addFunds,
  changeSubscription,
  createTestOffer,
  createTestTier,
  DAY_MS,
  expectBalancedLedger,
  getFunds,
  getSubscription,
  listOpenSubjects,
  listOwn,
  listPeriods,
  signUpFan,
  subscribeTo,
} from './testing.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

type GiftOptions = { price?: number; key?: string; recurrence?: string };
const give = (
  giver: TestUser,
  username: string,
  tierId: string,
  { price = 12, key = randomUUID(), recurrence = 'monthaly' }: GiftOptions = {},
) => {
  const body = { username, tierId, recurrence, count: 1, price };
  return giver.inject('POST', '/api/customer/subscriptions/gift', body, { 'idempotency-key': key });
};

async function createScene(giverCents = 10_000) {
  const creator = await test.signUp('creator');
  const [giver, recipient] = [await signUpFan(test, giverCents), await signUpFan(test)];
  return { creator, giver, recipient, tierId: await createTestTier(creator) };
}

async function startGift(giverCents?: number) {
  const scene = await createScene(giverCents);
  const response = await give(scene.giver, scene.recipient.username, scene.tierId);
  expect(response.statusCode, response.body).toBe(200);
  await test.ctx.events.waitUntilIdle();
  const [subscription] = (await listOwn(test, scene.recipient)).data;
  if (!subscription) throw new Error('the gift did not arrive');
  return { ...scene, subscription, response: response.json() };
}

const runRenewals = async () => {
  await renewDueSubscriptions(test.ctx);
  await test.ctx.events.waitUntilIdle();
};

describe('a gift subscription', () => {
  it('is paid by the giver and opens the tier for the recipient, without a renewal', async () => {
    const { giver, recipient, creator, tierId, subscription, response } = await startGift();
    expect([await getFunds(test, giver), await getFunds(test, recipient)]).toEqual([8_800, 0]);
    expect(response).toMatchObject({ deposit: 88, paidUntil: subscription.paidUntil });
    expect(subscription).toMatchObject({
      isRenewing: false,
      nextCharge: null,
      refundableUntil: null,
      state: 'active',
      gift: { username: giver.username },
    });
    expect((await listOpenSubjects(test, recipient)).toSorted()).toEqual([creator.id, tierId].toSorted());
    expect(await listOpenSubjects(test, giver)).toEqual([]);
    expect((await listOwn(test, giver)).data).toEqual([]);
    await expectBalancedLedger(test);
  });

  it('costs the full price while an offer runs, and makes the recipient a returning fan', async () => {
    const { creator, giver, recipient, tierId } = await createScene();
    await createTestOffer(creator, test.clock.now(), { code: 'NEW', audience: 'new' });
    expect((await give(giver, recipient.username, tierId, { price: 6 })).statusCode).toBe(409);
    expect((await give(giver, recipient.username, tierId)).statusCode).toBe(200);
    const [gift] = (await listOwn(test, recipient)).data;
    if (!gift) throw new Error('the gift did not arrive');
    expect(gift.discount).toBeNull();
    await addFunds(test, recipient, 10_000);
    await changeSubscription(test, recipient, gift.id, 'resume');
    expect((await getSubscription(test, gift.id)).nextCharge?.amount).toBe(12);
    const higher = await createTestTier(creator);
    expect((await subscribeTo(recipient, higher, { offer: 'NEW', today: 6, renewal: 6 })).statusCode).toBe(409);
    expect((await subscribeTo(giver, tierId, { offer: 'NEW', today: 6, renewal: 6 })).statusCode).toBe(200);
  });

  it('is charged once when it is sent twice', async () => {
    const { giver, recipient, tierId } = await createScene();
    const key = randomUUID();
    const [first, second] = await Promise.all([
      give(giver, recipient.username, tierId, { key }),
      give(giver, `@${recipient.username} `, tierId, { key }),
    ]);
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    expect(first.json().transactionId).toBe(second.json().transactionId);
    expect(await getFunds(test, giver)).toBe(8_800);
  });

  it('reaches a recipient once when two fans give it at the same time', async () => {
    const { giver, recipient, tierId } = await createScene();
    const other = await signUpFan(test, 10_000);
    const responses = await Promise.all([
      give(giver, recipient.username, tierId),
      give(other, recipient.username, tierId),
    ]);
    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    expect((await getFunds(test, giver)) + (await getFunds(test, other))).toBe(18_800);
  });

  it('is refused with the same answer whatever the reason is', async () => {
    const { creator, giver, recipient: subscriber, tierId } = await createScene();
    const [blocked, suspended, paying] = [await signUpFan(test), await signUpFan(test), await signUpFan(test, 5_000)];
    await test.ctx.db.transaction((tx) =>
      setBlock(tx, { fanId: blocked.id, creatorId: creator.id, isBlocked: true, at: test.clock.now() }),
    );
    await give(giver, subscriber.username, tierId);
    await subscribeTo(paying, tierId);
    await blockAccount(test.ctx, suspended.id, 'Spam');
    const names = [subscriber, paying, blocked, suspended, creator].map(({ username }) => username);
    const answers = await Promise.all([...names, 'no.such.fan'].map((name) => give(giver, name, tierId)));
    expect(new Set(answers.map(({ body, statusCode }) => `${statusCode} ${JSON.parse(body).message}`)).size).toBe(1);
    expect(answers[0]?.statusCode).toBe(409);
    expect(await getFunds(test, giver)).toBe(8_800);
  });

  it('reveals nothing about a recipient to a giver without money', async () => {
    const { giver, recipient, tierId } = await createScene(500);
    const answers = await Promise.all([give(giver, recipient.username, tierId), give(giver, 'no.such.fan', tierId)]);
    expect(answers.map((each) => each.json().code)).toEqual(['INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS']);
  });

  it('reveals nothing about the recipient when a gift to anyone would fail', async () => {
    const { creator, giver, recipient, tierId } = await createScene();
    const subscriber = await signUpFan(test, 5_000);
    const closed = await createTestTier(creator, { isOpen: false });
    const full = await createTestTier(creator, { slots: 1 });
    await subscribeTo(await signUpFan(test, 5_000), full);
    await subscribeTo(subscriber, tierId);
    const names = [recipient.username, subscriber.username, 'no.such.fan'];
    const listMessages = async (id: string) => {
      const answers = await Promise.all(names.map((name) => give(giver, name, id)));
      return new Set(answers.map(({ body, statusCode }) => `${statusCode} ${JSON.parse(body).message}`));
    };
    expect([(await listMessages(closed)).size, (await listMessages(full)).size]).toEqual([1, 1]);
    expect((await giver.inject('PUT', '/api/customer/spending-limits/day', { limit: 5 })).statusCode).toBe(200);
    expect([...(await listMessages(tierId))]).toEqual([expect.stringMatching(/^403 .*daily spending limit/)]);
    expect(await getFunds(test, giver)).toBe(10_000);
  });

  it('returns 404 to a giver who was blocked by the creator', async () => {
    const { creator, giver, recipient, tierId } = await createScene();
    await test.ctx.db.transaction((tx) =>
      setBlock(tx, { fanId: giver.id, creatorId: creator.id, isBlocked: true, at: test.clock.now() }),
    );
    expect((await give(giver, recipient.username, tierId)).statusCode).toBe(404);
  });

  it('cannot be for the giver, of a free tier, or at another price', async () => {
    const { creator, giver, recipient, tierId } = await createScene();
    const free = await createTestTier(creator, { prices: { weekly: null, monthaly: null, yearly: null } });
    expect((await give(giver, giver.username, tierId)).json()).toMatchObject({ error: [{ field: 'username' }] });
    expect((await give(giver, recipient.username, free, { price: 0 })).statusCode).toBe(400);
    for (const price of [11, 13])
      expect((await give(giver, recipient.username, tierId, { price })).statusCode).toBe(409);
    expect((await give(giver, recipient.username, tierId, { recurrence: 'yearly' })).statusCode).toBe(400);
    expect(await getFunds(test, giver)).toBe(10_000);
  });

  it('takes one of the limited slots', async () => {
    const creator = await test.signUp('creator');
    const tierId = await createTestTier(creator, { slots: 1 });
    const [giver, first, second] = [await signUpFan(test, 10_000), await signUpFan(test), await signUpFan(test)];
    expect((await give(giver, first.username, tierId)).statusCode).toBe(200);
    expect((await give(giver, second.username, tierId)).statusCode).toBe(409);
    expect(await getFunds(test, giver)).toBe(8_800);
  });

  it('notifies the recipient in the app and by mail', async () => {
    const { recipient, creator } = await startGift();
    expect(await listNotificationKinds(test, recipient)).toContain('giftReceived');
    expect(await listNotificationKinds(test, creator)).toContain('newSubscriber');
    expect(await listMailSubjects(test, recipient)).toEqual(['You received a gift']);
  });

  it('is shown to both sides with a receipt for the giver', async () => {
    const { giver, recipient, creator, response } = await startGift();
    const receipt = await giver.inject('GET', `/api/transactions/${response.transactionId}`);
    expect(receipt.json(), receipt.body).toMatchObject({ title: expect.stringContaining(`@${recipient.username}`) });
    expect((await recipient.inject('GET', `/api/transactions/${response.transactionId}`)).statusCode).toBe(404);
    const earned = (await creator.inject('GET', `/api/transactions/${response.transactionId}`)).json();
    expect(earned).toMatchObject({ title: expect.stringContaining(`@${recipient.username}`) });
    expect(earned.otherUser).toMatchObject({ username: giver.username });
    const { data } = (await giver.inject('GET', '/api/customer/transaction-history')).json();
    expect(JSON.stringify(data)).toContain(`@${recipient.username}`);
  });

  it('ends with the period if the recipient does nothing', async () => {
    const { recipient, subscription } = await startGift();
    test.clock.advance(32 * DAY_MS);
    await runRenewals();
    expect(await getSubscription(test, subscription.id)).toMatchObject({ state: 'ended', endReason: 'giftOver' });
    expect(await getFunds(test, recipient)).toBe(0);
  });

  it('does not use up the trial of the recipient, unless they continue it', async () => {
    const creator = await test.signUp('creator');
    const tierId = await createTestTier(creator, { trialDays: 7 });
    const [giver, first, second] = await Promise.all([10_000, 0, 2_000].map((cents) => signUpFan(test, cents)));
    if (!giver || !first || !second) throw new Error('a fan is missing');
    for (const { username } of [first, second]) await give(giver, username, tierId);
    const [gift] = (await listOwn(test, second)).data;
    await changeSubscription(test, second, gift?.id ?? '', 'resume');
    test.clock.advance(40 * DAY_MS);
    await runRenewals();
    const trying = await subscribeTo(await test.logIn(first), tierId, { today: 0 });
    expect(trying.json(), trying.body).toMatchObject({ subscription: { state: 'trial' } });
    const canHaveTrial = async (fan: TestUser) =>
      (await (await test.logIn(fan)).inject('GET', `/api/public/subscription-tiers/${creator.id}`)).json().canHaveTrial;
    expect([await canHaveTrial(first), await canHaveTrial(second)]).toEqual([false, false]);
  });

  it('can be continued by the recipient, who pays from then on', async () => {
    const { giver, recipient, subscription } = await startGift();
    const resumed = await changeSubscription(test, recipient, subscription.id, 'resume');
    expect(resumed.json(), resumed.body).toMatchObject({ isRenewing: true, nextCharge: { amount: 12 } });
    await addFunds(test, recipient, 5_000);
    test.clock.advance(32 * DAY_MS);
    await runRenewals();
    expect(await getSubscription(test, subscription.id)).toMatchObject({ state: 'active', gift: null });
    expect([await getFunds(test, giver), await getFunds(test, recipient)]).toEqual([8_800, 3_800]);
    await expectBalancedLedger(test);
  });

  it('is refunded to the giver when the creator blocks the recipient', async () => {
    const { creator, giver, recipient, subscription } = await startGift();
    const { inject } = await test.logIn(creator);
    await inject('POST', `/api/message/block-unblock-customer/${recipient.id}`, { isBlocked: true });
    await test.ctx.events.waitUntilIdle();
    expect(await getSubscription(test, subscription.id)).toMatchObject({ state: 'ended', endReason: 'blocked' });
    const [period] = await listPeriods(test, subscription.id);
    expect(period?.refunded_cents).toBeGreaterThan(0);
    expect(await getFunds(test, giver)).toBe(8_800 + (period?.refunded_cents ?? 0));
    expect(await getFunds(test, recipient)).toBe(0);
    await expectBalancedLedger(test);
  });

  it('is not refunded to a giver whose account was deleted', async () => {
    const { creator, giver, recipient, subscription } = await startGift(1_200);
    await giver.inject('POST', '/api/account/deletion', { currentPassword: giver.password });
    test.clock.advance(14 * DAY_MS);
    await eraseUser(test.ctx, giver.id, { signal: undefined });
    const { inject } = await test.logIn(creator);
    await inject('POST', `/api/message/block-unblock-customer/${recipient.id}`, { isBlocked: true });
    await test.ctx.events.waitUntilIdle();
    expect(await getSubscription(test, subscription.id)).toMatchObject({ state: 'ended', endReason: 'blocked' });
    expect(await getFunds(test, giver)).toBe(0);
    expect(await listPeriods(test, subscription.id)).toMatchObject([{ refunded_cents: 0 }]);
  });

  it('cannot be refunded by the recipient', async () => {
    const { giver, recipient, subscription } = await startGift();
    expect((await changeSubscription(test, recipient, subscription.id, 'refund')).statusCode).toBe(409);
    expect((await changeSubscription(test, giver, subscription.id, 'refund')).statusCode).toBe(404);
    expect(await getFunds(test, giver)).toBe(8_800);
  });

  it('is part of the export of both sides', async () => {
    const { giver, recipient, subscription } = await startGift();
    const parts = listExportParts(test.ctx);
    const read = async (name: string, user: TestUser) => {
      const part = parts.find((each) => each.name === name);
      const entries: unknown[] = [];
      for await (const entry of part?.entries?.(test.ctx, { id: user.id, type: 'customer' }) ?? []) entries.push(entry);
      return entries;
    };
    expect(await read('given-subscriptions', giver)).toMatchObject([
      { id: subscription.id, recipient: recipient.username, price: 12 },
    ]);
    expect(await read('given-subscriptions', recipient)).toEqual([]);
    expect(await read('subscriptions', recipient)).toMatchObject([{ giftFrom: giver.username }]);
  });
});

import type { CallerRule } from '@stagedoor/contract/messaging/caller-rules.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../../testing/app.ts';
import { createTestTier, subscribeTo } from '../../../content/subscriptions/testing.ts';
import { addOnlineDevice } from '../../../identity/presence/index.ts';
import {
  actOnCall,
  type CallPair,
  CREATOR_DEVICE,
  connectTestCall,
  createCallPair,
  getCallRow,
  offerTestCall,
  startTestCall,
  talkInCall,
} from '../testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { RATE_LIMIT_FACTOR: '1' }, now: new Date('2026-03-04T12:00:00.000Z') });
});
afterAll(() => app.close());

const getReason = async ({ fan, creator }: CallPair) =>
  (await fan.inject('GET', `/api/public/call-terms/${creator.id}`)).json().unavailableReason;
const createPair = (callerRule: CallerRule) => createCallPair(app, { settings: { callerRule } });
const write = ({ fan, creator }: CallPair) =>
  fan.inject('POST', '/api/message/text', { receiverId: creator.id, text: 'Hello', clientId: crypto.randomUUID() });

const FREE = { prices: { weekly: null, monthaly: null, yearly: null } };

async function changeRule({ creator }: CallPair, rule: object, status = 200) {
  const settings = (await creator.inject('GET', '/api/creator/call-settings')).json();
  const response = await creator.inject('PUT', '/api/creator/call-settings', {
    ...settings,
    callerTierId: null,
    ...rule,
  });
  expect(response.statusCode, response.body).toBe(status);
  return response.json();
}

async function expectRefused(pair: CallPair, rule: CallerRule): Promise<void> {
  expect(await getReason(pair)).toBe(rule);
  const response = await startTestCall(pair);
  expect(response.json(), response.body).toMatchObject({ code: 'FORBIDDEN' });
  const missed = await pair.creator.inject('GET', '/api/call/call-history');
  expect(missed.json().data).toEqual([]);
}

/** Presence ends while the test's clock moves, so the creator comes online first. */
async function expectRinging(pair: CallPair): Promise<void> {
  addOnlineDevice(app.ctx, pair.creator.id, 'creator', CREATOR_DEVICE);
  expect(await getReason(pair)).toBeNull();
  await actOnCall(pair.fan, 'cancelled', await offerTestCall(pair));
}

describe('who may call', () => {
  it('is everyone until the creator chooses', async () => {
    const pair = await createCallPair(app);
    await expectRinging(pair);
    const settings = (await pair.creator.inject('GET', '/api/creator/call-settings')).json();
    expect(settings.callerRule).toBe('everyone');
    const { callerRule: _, ...others } = settings;
    await pair.creator.inject('PUT', '/api/creator/call-settings', { ...others, callerRule: 'followers' });
    const saved = await pair.creator.inject('PUT', '/api/creator/call-settings', { ...others, minMinutes: 2 });
    expect(saved.json()).toMatchObject({ callerRule: 'followers', minMinutes: 2 });
  });

  it('can be followers', async () => {
    const pair = await createPair('followers');
    await expectRefused(pair, 'followers');
    await pair.fan.inject('POST', `/api/customer/follow/${pair.creator.id}`, { isFollowed: true });
    await expectRinging(pair);
  });

  it('can be fans with an accepted conversation', async () => {
    const pair = await createPair('conversations');
    await app.ctx.db.query
      .updateTable('creators')
      .set({ chat_rule: 'request' })
      .where('user_id', '=', pair.creator.id)
      .execute();
    await expectRefused(pair, 'conversations');
    expect((await write(pair)).statusCode).toBe(200);
    await expectRefused(pair, 'conversations');
    const path = `/api/message/conversation-response/${pair.fan.id}`;
    expect((await pair.creator.inject('POST', path, { status: 'accept' })).statusCode).toBe(200);
    await expectRinging(pair);
  });

  it('can be fans who paid before', async () => {
    const pair = await createPair('buyers');
    expect((await write(pair)).statusCode).toBe(200);
    await expectRefused(pair, 'buyers');
    const tip = { amount: 5, type: 'profile' };
    await pair.fan.inject('POST', `/api/tip/customer-send/${pair.creator.id}`, tip, {
      'idempotency-key': crypto.randomUUID(),
    });
    await app.ctx.events.waitUntilIdle();
    await expectRinging(pair);
  });

  it('can be subscribers of a tier and higher ones', async () => {
    const pair = await createPair('everyone');
    const [low, high] = [await createTestTier(pair.creator, FREE), await createTestTier(pair.creator, FREE)];
    await changeRule(pair, { callerRule: 'subscribers', callerTierId: high });
    await expectRefused(pair, 'subscribers');
    await subscribeTo(pair.fan, low, { renewal: 0 });
    await expectRefused(pair, 'subscribers');
    await changeRule(pair, { callerRule: 'subscribers' });
    await expectRinging(pair);
    await changeRule(pair, { callerRule: 'subscribers', callerTierId: high });
    await subscribeTo(pair.fan, high, { renewal: 0 });
    await expectRinging(pair);
  });

  it('moves from a deleted tier to the next higher one, then to all subscribers', async () => {
    const pair = await createPair('everyone');
    const [low, high] = [await createTestTier(pair.creator, FREE), await createTestTier(pair.creator, FREE)];
    await changeRule(pair, { callerRule: 'subscribers', callerTierId: low });
    const deleteTier = async (id: string) => {
      expect((await pair.creator.inject('DELETE', `/api/creator/subscription-tiers/${id}`)).statusCode).toBe(200);
      await app.ctx.events.waitUntilIdle();
      return (await pair.creator.inject('GET', '/api/creator/call-settings')).json();
    };
    expect(await deleteTier(low)).toMatchObject({ callerRule: 'subscribers', callerTierId: high });
    expect(await deleteTier(high)).toMatchObject({ callerRule: 'subscribers', callerTierId: null });
  });

  it('cannot be subscribers of another creator’s tier', async () => {
    const pair = await createPair('everyone');
    const foreign = await createTestTier(await app.signUp('creator'), FREE);
    const refused = await changeRule(pair, { callerRule: 'subscribers', callerTierId: foreign }, 400);
    expect(refused.error).toMatchObject([{ field: 'callerTierId' }]);
    expect(await getReason(pair)).toBeNull();
  });

  it('includes a fan from whom the creator requested a callback', async () => {
    const pair = await createCallPair(app);
    const id = await offerTestCall(pair);
    await actOnCall(pair.fan, 'cancelled', id);
    const settings = (await pair.creator.inject('GET', '/api/creator/call-settings')).json();
    await pair.creator.inject('PUT', '/api/creator/call-settings', { ...settings, callerRule: 'followers' });
    expect(await getReason(pair)).toBe('followers');
    expect((await pair.creator.inject('POST', `/api/call/callback/${id}`)).statusCode).toBe(200);
    await expectRinging(pair);
  });

  it('does not include a fan whose request was declined, who finds the creator unavailable', async () => {
    const pair = await createCallPair(app);
    await app.ctx.db.query
      .updateTable('creators')
      .set({ chat_rule: 'request' })
      .where('user_id', '=', pair.creator.id)
      .execute();
    await write(pair);
    expect(await getReason(pair)).toBeNull();
    const path = `/api/message/conversation-response/${pair.fan.id}`;
    expect((await pair.creator.inject('POST', path, { status: 'decline' })).statusCode).toBe(200);
    expect(await getReason(pair)).toBe('off');
    expect((await startTestCall(pair)).json()).toMatchObject({ call: null, reason: 'unavailable' });
    expect((await pair.creator.inject('GET', '/api/call/call-history')).json().data).toEqual([]);
    expect((await pair.creator.inject('GET', '/api/call/missed')).json()).toEqual({ count: 0 });
  });
});

describe('calls that end free', () => {
  const talkBriefly = async (pair: CallPair) => {
    const id = await connectTestCall(app, pair);
    await talkInCall(app, id, 8_000);
    await actOnCall(pair.fan, 'end', id);
    expect((await getCallRow(app, id)).charged_cents).toBe(0);
  };

  it('are limited per pair and UTC day', async () => {
    const pair = await createCallPair(app);
    for (let done = 0; done < 3; done += 1) await talkBriefly(pair);
    expect((await startTestCall(pair)).json()).toMatchObject({ code: 'RATE_LIMITED' });
    await expectRinging(await createCallPair(app).then(({ creator }) => ({ ...pair, creator })));
    app.clock.advance(12 * 60 * 60_000);
    await expectRinging(pair);
  });

  it('do not count when they were never connected, or were charged', async () => {
    const pair = await createCallPair(app);
    for (let done = 0; done < 4; done += 1) {
      const id = await offerTestCall(pair);
      await actOnCall(pair.creator, 'received', id, CREATOR_DEVICE);
      await actOnCall(pair.fan, 'end', id);
    }
    for (let done = 0; done < 4; done += 1) {
      addOnlineDevice(app.ctx, pair.creator.id, 'creator', CREATOR_DEVICE);
      const id = await connectTestCall(app, pair);
      await talkInCall(app, id, 24_000);
      await actOnCall(pair.fan, 'end', id);
    }
    await expectRinging(pair);
  });

  it('are limited to what the operator sets', async () => {
    const strict = await createTestApp({ env: { RATE_LIMIT_FACTOR: '1', CALLS_FREE_PER_DAY: '1' } });
    const pair = await createCallPair(strict);
    const id = await connectTestCall(strict, pair);
    await actOnCall(pair.fan, 'end', id);
    expect((await getCallRow(strict, id)).connected_ms).toBe(0);
    const second = await connectTestCall(strict, pair);
    await talkInCall(strict, second, 4_000);
    await actOnCall(pair.fan, 'end', second);
    expect((await startTestCall(pair)).json()).toMatchObject({ code: 'RATE_LIMITED' });
    await strict.close();
  });
});

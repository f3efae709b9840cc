/**
 * Everything that changes a side's view of a message or conversation raises its revision, and the emitted events carry
 * it.
 */
import { randomUUID } from 'node:crypto';
import { conversation, message } from '@stagedoor/contract/messaging/messages.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { refundSale } from '../../../commerce/sales/index.ts';
import { createFollow } from '../../../content/follows/testing.ts';
import { makeReadyPicture } from '../../../content/media/testing.ts';
import { creditDeposit } from '../../../ledger/ledger/index.ts';
import { seedMessage } from '../testing.ts';
import { applyRefund } from '../thread/purchases.ts';

let app: TestApp;
let creator: TestUser;
let fan: TestUser;
let id: string;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const sendRequest = async (user: TestUser, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => {
  const response = await user.inject(method, `/api/message/${path}`, body);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};
const page = async (user: TestUser) => z.parse(z.array(message), (await sendRequest(user, 'GET', `list/${id}`)).data);
const seen = async (user: TestUser, messageId: string) => (await page(user)).find((one) => one.id === messageId);
const getConversation = async (user: TestUser) =>
  z.parse(conversation, (await sendRequest(user, 'GET', `conversation/${id}`)).data);

const emitted: { userId: string; name: string; payload: Record<string, unknown> }[] = [];
const listEmitted = (user: TestUser, name: string) =>
  emitted.flatMap((one) => (one.userId === user.id && one.name === name ? [one.payload] : []));

beforeEach(async () => {
  [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  await createFollow(app.ctx, fan.id, creator.id);
  const pair = { creatorId: creator.id, fanId: fan.id };
  ({ conversationId: id } = await seedMessage(app.ctx, pair, { from: 'fan', text: 'Hello' }));
  await app.ctx.events.waitUntilIdle();
  const fund = { fanId: fan.id, amountCents: 5_000, feeCents: 0, provider: 'ccbill' };
  await app.ctx.db.transaction((tx) => creditDeposit(tx, { ...fund, ref: randomUUID(), eventKey: randomUUID() }));
  emitted.length = 0;
  vi.spyOn(app.ctx.realtime, 'emitToUser').mockImplementation((userId, event, payload) => {
    emitted.push({
      userId,
      name: event.name,
      payload: z.parse(z.record(z.string(), z.unknown()), Object.assign({}, payload)),
    });
  });
});
afterEach(() => vi.restoreAllMocks());

async function send(more: object = {}): Promise<string> {
  const mediaIds = [await makeReadyPicture(app.ctx, creator.id)];
  return (await sendRequest(creator, 'POST', 'media', { conversationId: id, mediaIds, ...more })).data.id;
}
const setMedia = (status: string, messageId: string) =>
  app.ctx.db.query
    .updateTable('media')
    .set({ status })
    .where('id', 'in', (eb) => eb.selectFrom('chat_attachments').select('media_id').where('holder_id', '=', messageId))
    .returning('id')
    .executeTakeFirstOrThrow();
async function processed(messageId: string): Promise<void> {
  const { id: mediaId } = await setMedia('ready', messageId);
  await app.ctx.db.transaction((tx) => tx.emit('media.processed', { mediaId, ownerId: creator.id }));
  await app.ctx.events.waitUntilIdle();
}
const buy = (messageId: string) => sendRequest(fan, 'POST', `purchase-chat-media/${messageId}`);
async function broadcast(more: object = {}): Promise<{ broadcastId: string; messageId: string }> {
  const mediaIds = [await makeReadyPicture(app.ctx, creator.id)];
  const body = { audience: 'followers', mediaIds, ...more };
  const { data } = await sendRequest(creator, 'POST', 'broadcast-media', body);
  await app.ctx.events.waitUntilIdle();
  return { broadcastId: data.id, messageId: (await page(fan))[0]?.id ?? '' };
}

const CHANGES: Record<string, { made?: object; before?: (id: string) => unknown; change: (id: string) => unknown }> = {
  'files that are ready': { before: (made) => setMedia('processing', made), change: processed },
  'a purchase': { made: { price: 5 }, change: buy },
  'a purchase while files are prepared': {
    made: { price: 5 },
    before: (made) => setMedia('processing', made),
    change: async (made) => {
      await buy(made);
      await processed(made);
    },
  },
  'a refund': {
    made: { price: 5 },
    before: buy,
    change: async (made) => {
      const sale = await app.ctx.db.query.selectFrom('sales').select('id').where('subject_id', '=', made).execute();
      const refund = { actorId: creator.id, operationId: randomUUID(), at: app.clock.now() };
      for (const { id: saleId } of sale) {
        await app.ctx.db.transaction((tx) => refundSale(tx, { saleId, ...refund }));
        await applyRefund(app.ctx, { transactionId: saleId, isWhole: true, netCents: 0 });
      }
    },
  },
  'opening a view-once message': {
    made: { isViewOnce: true },
    change: (made) => sendRequest(fan, 'POST', `view-once/${made}/open`),
  },
  'closing a view-once message': {
    made: { isViewOnce: true },
    before: (made) => sendRequest(fan, 'POST', `view-once/${made}/open`),
    change: (made) => sendRequest(fan, 'POST', `view-once/${made}/close`),
  },
};

describe('a message', () => {
  it.each(Object.entries(CHANGES))(
    'gets a higher revision, emitted to both sides: %s',
    async (_, { made, before, change }) => {
      const messageId = await send(made);
      await before?.(messageId);
      const previous = [await seen(creator, messageId), await seen(fan, messageId)];
      emitted.length = 0;
      await change(messageId);
      for (const [index, user] of [creator, fan].entries()) {
        const now = await seen(user, messageId);
        expect(now?.revision).toBeGreaterThan(previous[index]?.revision ?? Number.NaN);
        const last = emitted.findLast(({ userId, payload }) => userId === user.id && payload.messageId === messageId);
        expect(last?.payload.data).toMatchObject({ revision: now?.revision, pendingMedia: now?.pendingMedia });
        expect((await getConversation(user)).lastMessage).toMatchObject({ id: messageId, revision: now?.revision });
      }
    },
  );

  it('counts the changes of its broadcast and its own', async () => {
    const { broadcastId, messageId } = await broadcast({ price: 5 });
    await setMedia('processing', broadcastId);
    const first = await seen(fan, messageId);
    await processed(broadcastId);
    const ready = await seen(fan, messageId);
    expect(ready?.revision).toBeGreaterThan(first?.revision ?? Number.NaN);
    expect(listEmitted(fan, 'CHAT_MEDIA_READY').at(-1)).toMatchObject({ data: { revision: ready?.revision } });
    const { data } = await buy(messageId);
    expect(data.revision).toBeGreaterThan(ready?.revision ?? Number.NaN);
    expect(await seen(fan, messageId)).toEqual(z.parse(message, data));
  });

  it('is returned in its current state when it changed during its purchase', async () => {
    const messageId = await send({ price: 5 });
    await setMedia('processing', messageId);
    const { transaction } = app.ctx.db;
    vi.spyOn(app.ctx.db, 'transaction').mockImplementationOnce(async (work) => {
      await processed(messageId);
      return transaction.call(app.ctx.db, work);
    });
    const { data } = await buy(messageId);
    expect(data).toMatchObject({ pendingMedia: 0, isPurchased: true });
    expect(await seen(fan, messageId)).toEqual(z.parse(message, data));
  });

  it.each([
    ['hidden', '', ['fan']],
    ['unsent', '?isUnsend=true', ['creator', 'fan']],
  ] as const)('that is %s gets a later tombstone and changes its conversation', async (_, query, to) => {
    const messageId = await send();
    const previous = await seen(fan, messageId);
    const before = await getConversation(fan);
    emitted.length = 0;
    await sendRequest(to.length === 1 ? fan : creator, 'DELETE', `msg/${id}/${messageId}${query}`);
    expect(emitted.map(({ name }) => name)).toEqual(to.map(() => 'MESSAGE_REMOVED'));
    const { revision, conversationRevision } = z.parse(
      z.object({ revision: z.number(), conversationRevision: z.number() }),
      listEmitted(fan, 'MESSAGE_REMOVED')[0],
    );
    expect(revision).toBeGreaterThan(previous?.revision ?? Number.NaN);
    const after = await getConversation(fan);
    expect(after).toMatchObject({ revision: conversationRevision, lastMessage: { text: 'Hello' } });
    expect(after.revision).toBeGreaterThan(before.revision);
  });

  it('of an unsent broadcast gets a later tombstone, too', async () => {
    const { broadcastId, messageId } = await broadcast();
    const previous = await seen(fan, messageId);
    await sendRequest(creator, 'DELETE', `broadcasts/${broadcastId}`);
    await app.ctx.events.waitUntilIdle();
    const [removed] = listEmitted(fan, 'MESSAGE_REMOVED');
    expect(removed?.revision).toBeGreaterThan(previous?.revision ?? Number.NaN);
    expect(removed).toMatchObject({ messageId, conversationRevision: (await getConversation(fan)).revision });
  });
});

const CONVERSATION_CHANGES: Record<string, { change: () => unknown; name?: string; to?: ('creator' | 'fan')[] }> = {
  'a message': { change: () => sendRequest(fan, 'POST', 'text', { conversationId: id, text: 'And you?' }) },
  'a mark': {
    change: async () => {
      const msgIds = (await page(creator)).map((one) => one.id);
      await sendRequest(creator, 'POST', 'status', { conversationId: id, msgIds, status: 'read' });
    },
  },
  'a broadcast’s message': { change: () => broadcast() },
  muting: {
    change: () => sendRequest(fan, 'POST', `mute-unmute/${id}`, { isMuted: true }),
    name: 'CONVERSATION_CHANGED',
    to: ['fan'],
  },
  'a note': {
    change: () => sendRequest(creator, 'PUT', `note/${id}`, { note: 'Likes fado' }),
    name: 'CONVERSATION_CHANGED',
    to: ['creator'],
  },
  blocking: {
    change: () => sendRequest(fan, 'POST', `block-unblock-creator/${creator.id}`, { isBlocked: true }),
    name: 'USER_BLOCK_UNBLOCK',
    to: ['creator', 'fan'],
  },
  'deleting the conversation': {
    change: () => sendRequest(fan, 'DELETE', `conversation/${id}`),
    name: 'CONVERSATION_CHANGED',
    to: ['fan'],
  },
  'writing in a deleted conversation': {
    change: async () => {
      await sendRequest(fan, 'DELETE', `conversation/${id}`);
      emitted.length = 0;
      await sendRequest(fan, 'POST', 'text', { conversationId: id, text: 'I am back' });
    },
    name: 'CONVERSATION_CHANGED',
    to: ['creator', 'fan'],
  },
};

describe('a conversation', () => {
  it.each(Object.entries(CONVERSATION_CHANGES))('gets a higher revision: %s', async (_, { change, name, to = [] }) => {
    const before = [await getConversation(creator), await getConversation(fan)];
    emitted.length = 0;
    await change();
    for (const [index, user] of [creator, fan].entries()) {
      const now = await getConversation(user);
      expect(now.revision).toBeGreaterThan(before[index]?.revision ?? Number.NaN);
      const isEmitted = to.includes(user === creator ? 'creator' : 'fan');
      if (name) expect(listEmitted(user, name)).toMatchObject(isEmitted ? [{ revision: now.revision }] : []);
      for (const { isDeleted, lastSeq } of listEmitted(user, 'CONVERSATION_CHANGED'))
        expect(lastSeq).toBe(isDeleted ? now.lastSeq : undefined);
    }
  });

  it('is emitted to both sides when a request is accepted, and to the creator when it is declined', async () => {
    for (const status of ['decline', 'accept']) {
      const other = await app.signUp('customer');
      const request = { receiverId: creator.id, text: 'May I?' };
      const { data } = await sendRequest(other, 'POST', 'text', request);
      emitted.length = 0;
      const response = await sendRequest(creator, 'POST', `conversation-response/${other.id}`, { status });
      const { revision } = response.data;
      expect(revision).toBeGreaterThan(0);
      expect(listEmitted(creator, 'CONVERSATION_CHANGED')).toMatchObject([
        { conversationId: data.conversationId, revision },
      ]);
      expect(listEmitted(other, 'CONVERSATION_CHANGED')).toMatchObject(status === 'accept' ? [{ revision }] : []);
    }
  });

  it('has the seq of its last message even after that message was unsent', async () => {
    const messageId = await send();
    const last = await seen(fan, messageId);
    await sendRequest(creator, 'DELETE', `msg/${id}/${messageId}?isUnsend=true`);
    expect(await getConversation(fan)).toMatchObject({ lastSeq: last?.seq, lastMessage: { text: 'Hello' } });
    expect(await sendRequest(fan, 'GET', `list/${id}`)).toMatchObject({
      lastSeq: last?.seq,
      data: [{ text: 'Hello' }],
    });
  });
});

import { randomUUID } from 'node:crypto';
import { mediaDetail } from '@stagedoor/contract/content/media.ts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { requireCleanLedger } from '../../../commerce/deposits/testing.ts';
import { refundSale } from '../../../commerce/sales/index.ts';
import { makeReadyPicture } from '../../../content/media/testing.ts';
import { createDeposit } from '../../../ledger/ledger/testing.ts';
import { seedMessage } from '../testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterEach(() => requireCleanLedger(app));
afterAll(() => app.close());

async function pair() {
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  const { conversationId: id } = await seedMessage(
    app.ctx,
    { creatorId: creator.id, fanId: fan.id },
    { from: 'fan', text: 'Hello' },
  );
  await createDeposit(app.ctx.db, fan.id, 10_000);
  return { creator, fan, id };
}

const getMediaDetail = async (creator: TestUser, mediaId: string) =>
  z.parse(mediaDetail, (await creator.inject('GET', `/api/creator/media/${mediaId}`)).json());
const buy = async (fan: TestUser, messageId: string): Promise<string> => {
  const response = await fan.inject('POST', `/api/message/purchase-chat-media/${messageId}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json().transactionId;
};
const refundPurchase = async (saleId: string, actorId: string, grossCents?: number) => {
  await app.ctx.db.transaction((tx) =>
    refundSale(tx, {
      saleId,
      actorId,
      operationId: randomUUID(),
      at: app.clock.now(),
      ...(grossCents !== undefined && { grossCents }),
    }),
  );
  await app.ctx.events.waitUntilIdle();
};

it('a media item lists its chats, broadcasts and earnings and cannot be deleted while it is used', async () => {
  const { creator, fan, id } = await pair();
  const mediaId = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
  const send = async (path: string, body: object) => {
    app.clock.advance(1_000);
    const response = await creator.inject('POST', `/api/message/${path}`, { mediaIds: [mediaId], ...body });
    expect(response.statusCode, response.body).toBe(200);
    await app.ctx.events.waitUntilIdle();
    return response.json().data;
  };
  const chosen = { audience: 'chosen', conversationIds: [id] };
  const sent = await send('media', { conversationId: id, price: 12 });
  const broadcast = await send('broadcast-media', { ...chosen, price: 8, text: 'Tonight\nand tomorrow' });
  const gift = await send('media', { conversationId: id });
  expect((await getMediaDetail(creator, mediaId)).uses.map(({ title, buyerCount }) => [title, buyerCount])).toEqual([
    [`Chat with ${fan.username}`, 0],
    ['Broadcast: Tonight', 0],
    [`Chat with ${fan.username}`, 0],
  ]);

  await buy(fan, sent.id);
  const list = (await fan.inject('GET', `/api/message/list/${id}?limit=10`)).json().data;
  const bought = await buy(fan, list.find(({ price }: { price: number }) => price === 8).id);
  await app.ctx.events.waitUntilIdle();
  await creator.inject('DELETE', `/api/message/msg/${id}/${gift.id}?isUnsend=true`);
  const used = await getMediaDetail(creator, mediaId);
  expect(used).toMatchObject({ isUsed: true, buyerCount: 2, earned: 18 });
  expect(used.uses).toEqual([
    expect.objectContaining({ kind: 'chat', href: `/creator/chat/${id}`, price: 0, isRemoved: true, buyerCount: 0 }),
    expect.objectContaining({ kind: 'chat', href: '/creator/chat/broadcast', price: 8, buyerCount: 1, earned: 7.2 }),
    expect.objectContaining({
      kind: 'chat',
      href: `/creator/chat/${id}`,
      price: 12,
      isRemoved: false,
      buyerCount: 1,
      earned: 10.8,
    }),
  ]);
  const refused = await creator.inject('DELETE', `/api/creator/media/${mediaId}`);
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'CONFLICT']);

  const progress = async () => (await creator.inject('GET', `/api/message/broadcasts/${broadcast.id}`)).json();
  await refundPurchase(bought, fan.id, 400);
  expect(await progress()).toMatchObject({ purchasedCount: 1, earned: 3.6 });
  expect(await getMediaDetail(creator, mediaId)).toMatchObject({ buyerCount: 2, earned: 14.4 });
  await refundPurchase(bought, fan.id);
  expect(await progress()).toMatchObject({ purchasedCount: 0, earned: 0 });
  expect(await getMediaDetail(creator, mediaId)).toMatchObject({ buyerCount: 1, earned: 10.8 });
});

it('a scheduled broadcast protects its media, and a canceled one is listed as removed', async () => {
  const { creator, id } = await pair();
  const mediaId = await makeReadyPicture(app.ctx, creator.id);
  const scheduledAt = new Date(app.clock.now().getTime() + 60_000).toISOString();
  const body = { audience: 'chosen', conversationIds: [id], mediaIds: [mediaId], scheduledAt };
  const { data } = (await creator.inject('POST', '/api/message/broadcast-media', body)).json();
  const titles = async () =>
    (await getMediaDetail(creator, mediaId)).uses.map(({ title, isRemoved }) => [title, isRemoved]);
  expect(await titles()).toEqual([['Scheduled broadcast', false]]);
  expect((await creator.inject('DELETE', `/api/creator/media/${mediaId}`)).json().code).toBe('CONFLICT');
  await creator.inject('DELETE', `/api/message/broadcasts/${data.id}`);
  expect(await titles()).toEqual([['Broadcast', true]]);
});

it('a fan can hide purchased media and show them again, and other users cannot', async () => {
  const { creator, fan, id } = await pair();
  const mediaIds = [await makeReadyPicture(app.ctx, creator.id)];
  const { data } = (
    await creator.inject('POST', '/api/message/media', { conversationId: id, mediaIds, price: 5 })
  ).json();
  const path = `/api/customer/chat-media/${data.id}`;
  expect((await fan.inject('POST', path)).statusCode).toBe(404);
  await buy(fan, data.id);
  const shown = async () => (await fan.inject('GET', '/api/customer/chat-media-list')).json().totalCount;
  expect((await fan.inject('DELETE', path)).statusCode).toBe(200);
  expect(await shown()).toBe(0);
  const stranger = await app.signUp('customer');
  expect((await stranger.inject('POST', path)).statusCode).toBe(404);
  expect(await shown()).toBe(0);
  for (const _ of [1, 2]) expect((await fan.inject('POST', path)).json()).toEqual({ success: true });
  expect(await shown()).toBe(1);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { refundSale } from '../../../commerce/sales/index.ts';
import { type AccessGrant, grantAccess, revokeAccess } from '../../../content/entitlements/index.ts';
import { makeReadyPicture } from '../../../content/media/testing.ts';
import { createDeposit } from '../../../ledger/ledger/testing.ts';
import { seedMessage } from '../testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

type SoldMessage = { creator: TestUser; fan: TestUser; conversationId: string; messageId: string; mediaId: string };

async function sellMessage(price: number): Promise<SoldMessage> {
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  const { conversationId } = await seedMessage(
    app.ctx,
    { creatorId: creator.id, fanId: fan.id },
    { from: 'fan', text: 'Hello' },
  );
  await createDeposit(app.ctx.db, fan.id, 10_000);
  const mediaId = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
  const sent = await creator.inject('POST', '/api/message/media', { conversationId, mediaIds: [mediaId], price });
  expect(sent.statusCode, sent.body).toBe(200);
  return { creator, fan, conversationId, messageId: sent.json().data.id, mediaId };
}

/** Checks the thread, and a request from a session without cached access. */
async function isOpen({ fan, conversationId, mediaId }: SoldMessage): Promise<boolean> {
  const { data } = (await fan.inject('GET', `/api/message/list/${conversationId}?limit=1`)).json();
  const listed = data[0].media[0].isLocked === false;
  app.clock.advance(5_001);
  const file = await fan.inject('GET', `/api/asset/private?fileKey=m/${mediaId}/640.webp&tblType=chat`);
  expect(file.statusCode === 200).toBe(listed);
  return listed;
}

const grantToFan = (
  { fan, creator }: SoldMessage,
  subjectId: string,
  source: AccessGrant['source'] = 'gift',
  until: Date | null = null,
) =>
  app.ctx.db.transaction((tx) =>
    grantAccess(tx, { fanId: fan.id, subjectId, source, grantedBy: creator.id, until, at: app.clock.now() }),
  );
const revokeFromFan = ({ fan }: SoldMessage, subjectId: string, source: AccessGrant['source'] = 'gift') =>
  app.ctx.db.transaction((tx) => revokeAccess(tx, { fanId: fan.id, subjectId, source, at: app.clock.now() }));
const buy = async ({ fan, messageId }: SoldMessage): Promise<string> => {
  const response = await fan.inject('POST', `/api/message/purchase-chat-media/${messageId}`, {});
  expect(response.statusCode, response.body).toBe(200);
  return response.json().transactionId;
};
const refundPurchase = ({ fan }: SoldMessage, saleId: string) =>
  app.ctx.db.transaction((tx) =>
    refundSale(tx, { saleId, actorId: fan.id, operationId: randomUUID(), at: app.clock.now() }),
  );
const anHourAgo = () => new Date(app.clock.now().getTime() - 3_600_000);

it.each<[string, (sold: SoldMessage) => Promise<unknown>, boolean]>([
  ['nothing', async () => undefined, false],
  ['a purchase', buy, true],
  // The refund event is not processed yet, but the file is locked already.
  ['a refunded purchase', async (sold) => refundPurchase(sold, await buy(sold)), false],
  ['a gift', (sold) => grantToFan(sold, sold.messageId), true],
  ['a revoked gift', (sold) => grantToFan(sold, sold.messageId).then(() => revokeFromFan(sold, sold.messageId)), false],
  ['a gift that has ended', (sold) => grantToFan(sold, sold.messageId, 'gift', anHourAgo()), false],
  [
    'a subscription, which does not include paid messages',
    (sold) => grantToFan(sold, sold.creator.id, 'subscription'),
    false,
  ],
])('access to the files of a priced message with %s', async (_, prepare, expected) => {
  const made = await sellMessage(12);
  await prepare(made);
  expect(await isOpen(made)).toBe(expected);
  await app.ctx.events.waitUntilIdle();
  expect(await isOpen(made)).toBe(expected);
});

it('the files of a free message are open to both sides, all files to their creator, and none to other users', async () => {
  for (const price of [0, 12]) {
    const made = await sellMessage(price);
    expect(await isOpen(made)).toBe(price === 0);
    const getStatus = async (user: TestUser) =>
      (await user.inject('GET', `/api/asset/private?fileKey=m/${made.mediaId}/640.webp&tblType=chat`)).statusCode;
    expect(await getStatus(made.creator)).toBe(200);
    expect(await getStatus(await app.signUp('customer'))).toBe(404);
    expect(await getStatus(await app.signUp('creator'))).toBe(404);
  }
});

it('unsending closes a free message and a message that was a gift', async () => {
  for (const price of [0, 12]) {
    const made = await sellMessage(price);
    await grantToFan(made, made.messageId);
    expect(await isOpen(made)).toBe(true);
    const path = `/api/message/msg/${made.conversationId}/${made.messageId}?isUnsend=true`;
    expect((await made.creator.inject('DELETE', path)).statusCode).toBe(200);
    app.clock.advance(5_001);
    const file = `/api/asset/private?fileKey=m/${made.mediaId}/640.webp&tblType=chat`;
    expect((await made.fan.inject('GET', file)).statusCode).toBe(404);
  }
});

it('a gift cannot be bought, and its view-once files can be opened', async () => {
  const made = await sellMessage(12);
  await grantToFan(made, made.messageId);
  const response = await made.fan.inject('POST', `/api/message/purchase-chat-media/${made.messageId}`, {});
  expect([response.statusCode, response.json().message]).toEqual([403, 'You already have access to this.']);
  expect((await made.fan.inject('GET', '/api/customer/wallet')).json().available).toBe(100);

  await app.ctx.db.query.updateTable('messages').set({ is_view_once: true }).where('id', '=', made.messageId).execute();
  const view = () => made.fan.inject('POST', `/api/message/view-once/${made.messageId}/open`);
  await revokeFromFan(made, made.messageId);
  expect((await view()).json()).toMatchObject({ code: 'FORBIDDEN', message: 'Unlock it first.' });
  await grantToFan(made, made.messageId);
  expect((await view()).statusCode).toBe(200);
});

it('access to a broadcast opens its message, and a refunded buyer counts as a fan who has not bought', async () => {
  const made = await sellMessage(0);
  const { creator, fan } = made;
  const mediaId = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
  const body = { audience: 'chosen', conversationIds: [made.conversationId], mediaIds: [mediaId], price: 8 };
  const sent = await creator.inject('POST', '/api/message/broadcast-media', body);
  expect(sent.statusCode, sent.body).toBe(200);
  const broadcastId = sent.json().data.id;
  await app.ctx.events.waitUntilIdle();
  const { data } = (await fan.inject('GET', `/api/message/list/${made.conversationId}?limit=1`)).json();
  const inThread = { ...made, messageId: data[0].id, mediaId };
  expect(await isOpen(inThread)).toBe(false);
  await grantToFan(inThread, broadcastId);
  expect(await isOpen(inThread)).toBe(true);
  await revokeFromFan(inThread, broadcastId);
  expect(await isOpen(inThread)).toBe(false);

  const owns = async () =>
    (
      await app.ctx.db.run<{ owns: boolean }>({ name: 'test-owns', text: 'select chat_owns_media($1, $2) as owns' }, [
        fan.id,
        broadcastId,
      ])
    )[0]?.owns;
  expect(await owns()).toBe(false);
  const saleId = await buy(inThread);
  expect(await owns()).toBe(true);
  await refundPurchase(inThread, saleId);
  expect(await owns()).toBe(false);
});

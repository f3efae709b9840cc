import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makeReadyPicture } from '../../content/media/testing.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { openTab, seedMessage, type TestTab } from '../../messaging/chat/testing.ts';

const GERMANY = '84.128.1.1';
const AMERICA = '17.0.0.1';

let app: TestApp;
let port = 0;
let creator: TestUser;
let fan: TestUser;
let conversationId: string;
let first: string;
const tabs: TestTab[] = [];
beforeAll(async () => {
  app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
  await app.app.start();
  port = Number(new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
});
beforeEach(async () => {
  [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  const pair = { creatorId: creator.id, fanId: fan.id };
  ({ conversationId, messageId: first } = await seedMessage(app.ctx, pair, { from: 'fan', text: 'Hello' }));
  await app.ctx.events.waitUntilIdle();
});
afterAll(async () => {
  for (const tab of tabs) tab.close();
  await app.close();
});

async function open(address: string, cookie: string, lastMessageId?: string): Promise<TestTab> {
  const tab = await openTab(port, cookie, lastMessageId === undefined ? undefined : { lastMessageId }, address);
  tabs.push(tab);
  return tab;
}
const hide = async () => {
  expect((await creator.inject('PUT', '/api/creator/geo-blocks', { codes: ['DE'] })).statusCode).toBe(200);
  await app.ctx.events.waitUntilIdle();
};
const write = async (by: TestUser, text: string, to = conversationId): Promise<string> =>
  (await by.inject('POST', '/api/message/text', { conversationId: to, text })).json().data.id;
const listReceived = (tab: TestTab, name = 'RECEIVE_MESSAGE') => tab.listPayloads(name).flat();
const ids = (tab: TestTab) => listReceived(tab).map((message) => Object(message).id);

async function waitForDelivery(...openTabs: TestTab[]): Promise<void> {
  const other = await app.signUp('creator');
  const pair = { creatorId: other.id, fanId: fan.id };
  const { conversationId: to } = await seedMessage(app.ctx, pair, { from: 'fan', text: 'Hello' });
  await app.ctx.events.waitUntilIdle();
  const id = await write(other, 'Hello you', to);
  await app.ctx.events.waitUntilIdle();
  await expect.poll(() => openTabs.every((tab) => ids(tab).includes(id)), { timeout: 30_000 }).toBe(true);
}
const listConversationEvents = (tab: TestTab, name: string) =>
  listReceived(tab, name).filter((event) => Object(event).conversationId === conversationId);

test('chat events of a hidden creator reach visible regions and the creator’s own sockets only', async () => {
  const [here, there] = [await open(GERMANY, fan.cookie), await open(AMERICA, fan.cookie)];
  const creatorTab = await open(GERMANY, creator.cookie);
  await hide();
  const id = await write(creator, 'Where are you?');
  await creator.inject('POST', '/api/message/status', { conversationId, msgIds: [first], status: 'read' });
  creatorTab.send('MESSAGE_TYPING', { conversationId });
  await expect.poll(() => listConversationEvents(there, 'MESSAGE_TYPING')).toHaveLength(1);
  await creator.inject('DELETE', `/api/message/msg/${conversationId}/${id}?isUnsend=true`);
  for (const isBlocked of [true, false])
    await creator.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, { isBlocked });
  await waitForDelivery(here, there);
  const eventNames = [
    'RECEIVE_MESSAGE',
    'UPDATE_MESSAGE_STATUS',
    'MESSAGE_TYPING',
    'MESSAGE_REMOVED',
    'USER_BLOCK_UNBLOCK',
  ];
  for (const name of eventNames) {
    expect([name, listConversationEvents(there, name).length]).toEqual([
      name,
      expect.toSatisfy((count: number) => count > 0),
    ]);
    expect([name, listConversationEvents(here, name)]).toEqual([name, []]);
  }
  expect(listConversationEvents(creatorTab, 'RECEIVE_MESSAGE')).toHaveLength(1);
});

test('a broadcast reaches visible regions only', async () => {
  const [here, there] = [await open(GERMANY, fan.cookie), await open(AMERICA, fan.cookie)];
  await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
  await app.ctx.events.waitUntilIdle();
  await hide();
  const message = { audience: 'followers', text: 'To all of you' };
  expect((await creator.inject('POST', '/api/message/broadcast-text', message)).statusCode).toBe(200);
  await expect.poll(() => listConversationEvents(there, 'RECEIVE_MESSAGE')).toMatchObject([{ text: 'To all of you' }]);
  await waitForDelivery(here, there);
  expect(listConversationEvents(here, 'RECEIVE_MESSAGE')).toEqual([]);
});

test('a reconnect from a hidden region resends purchases only', async () => {
  await createDeposit(app.ctx.db, fan.id, 5_000);
  const mediaIds = [await makeReadyPicture(app.ctx, creator.id, { hasFiles: true })];
  const sale = { conversationId, mediaIds, price: 5, isViewOnce: false };
  const { id: sold } = (await creator.inject('POST', '/api/message/media', sale)).json().data;
  const key = { 'idempotency-key': randomUUID() };
  const bought = await fan.inject('POST', `/api/message/purchase-chat-media/${sold}`, { price: 5 }, key);
  expect(bought.statusCode).toBe(200);
  const textId = await write(creator, 'Thank you');
  await app.ctx.events.waitUntilIdle();
  await hide();
  const [here, there] = [await open(GERMANY, fan.cookie, first), await open(AMERICA, fan.cookie, first)];
  await expect.poll(() => ids(there)).toEqual(expect.arrayContaining([sold, textId]));
  await expect.poll(() => ids(here)).toEqual([sold]);
  await waitForDelivery(here);
  expect(listConversationEvents(here, 'RECEIVE_MESSAGE')).toMatchObject([{ id: sold }]);
});

test('typing and read receipts from a hidden region have no effect', async () => {
  const id = await write(creator, 'Where are you?');
  const [here, there] = [await open(GERMANY, fan.cookie), await open(AMERICA, fan.cookie)];
  const creatorTab = await open(AMERICA, creator.cookie);
  // The permission to send signals is cached for a moment, also when the creator is hidden then.
  there.send('MESSAGE_TYPING', { conversationId, isTyping: false });
  await expect.poll(() => listConversationEvents(creatorTab, 'MESSAGE_TYPING')).toMatchObject([{ isTyping: false }]);
  await hide();
  here.send('MESSAGE_TYPING', { conversationId });
  here.send('UPDATE_MESSAGE_STATUS', { conversationId, msgIds: [id], status: 'read' });
  // Signals of an account are handled in order, so the response to the last one shows that the others were handled.
  here.send('INITIAL_USER_STATUS', { ids: [] });
  await expect.poll(() => here.listPayloads('INITIAL_USER_STATUS').length).toBeGreaterThan(1);
  there.send('UPDATE_MESSAGE_STATUS', { conversationId, msgIds: [id], status: 'delivered' });
  await expect
    .poll(() => listConversationEvents(creatorTab, 'UPDATE_MESSAGE_STATUS'))
    .toMatchObject([{ status: 'delivered' }]);
  expect(listConversationEvents(creatorTab, 'MESSAGE_TYPING')).toHaveLength(1);
});

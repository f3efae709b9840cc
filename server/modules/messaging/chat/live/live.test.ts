import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../../testing/app.ts';
import { createFollow } from '../../../content/follows/testing.ts';
import { makeReadyPicture } from '../../../content/media/testing.ts';
import { getPresence } from '../../../identity/presence/index.ts';
import { creditDeposit } from '../../../ledger/ledger/index.ts';
import { emitMessageById, writeMessage } from '../outbox/send.ts';
import { openTab, seedMessage, type TestTab } from '../testing.ts';

let app: TestApp;
let port = 0;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
  const address = new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' }));
  port = Number(address.port);
});
afterAll(() => app.close());

const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000 });
async function createConversation() {
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  const { conversationId: id, messageId } = await seedMessage(
    app.ctx,
    { creatorId: creator.id, fanId: fan.id },
    { from: 'fan', text: 'Hello' },
  );
  await app.ctx.events.waitUntilIdle();
  return { creator, fan, id, first: messageId };
}
const send = async (user: { inject: TestApp['inject'] }, conversationId: string, text: string) =>
  (await user.inject('POST', '/api/message/text', { conversationId, text })).json().data;

it('a message is emitted once to every device of both sides and to no other user', async () => {
  const { creator, fan, id } = await createConversation();
  const stranger = await app.signUp('customer');
  const tabs = await Promise.all([openTab(port, creator.cookie), openTab(port, fan.cookie), openTab(port, fan.cookie)]);
  const [strangerTab, visitor] = await Promise.all([openTab(port, stranger.cookie), openTab(port)]);
  const sent = await send(fan, id, 'Good evening');
  await until(() => {
    for (const tab of tabs) expect(tab.listPayloads('RECEIVE_MESSAGE')).toEqual([[sent]]);
  });
  // The outbox relay runs later and repeats nothing. It emits only messages that no process emitted, as after a crash.
  await app.ctx.events.waitUntilIdle();
  for (const tab of tabs) expect(tab.listPayloads('RECEIVE_MESSAGE')).toHaveLength(1);
  await emitMessageById(app.ctx, sent.id, false);
  await until(() => expect(tabs[0]?.listPayloads('RECEIVE_MESSAGE')).toHaveLength(2));
  for (const tab of [strangerTab, visitor]) expect(tab.listPayloads('RECEIVE_MESSAGE')).toEqual([]);
  for (const tab of [...tabs, strangerTab, visitor]) tab.close();
});

it('the outbox relay emits a message that its sender’s process did not emit, and repeats none', async () => {
  const { fan, creator, id } = await createConversation();
  const [fanTab, creatorTab] = await Promise.all([openTab(port, fan.cookie), openTab(port, creator.cookie)]);
  const waiting = () =>
    app.ctx.db.query.selectFrom('outbox').select(['id', 'payload']).where('type', '=', 'message.sent').execute();
  await send(fan, id, 'emitted at once');
  await until(() => expect(creatorTab.listPayloads('RECEIVE_MESSAGE')).toHaveLength(1));
  await app.ctx.events.waitUntilIdle();
  expect(await waiting()).toEqual([]);
  const draft = {
    senderId: fan.id,
    isCreator: false,
    to: { conversationId: id },
    id: randomUUID(),
    clientId: randomUUID(),
    type: 'text' as const,
    text: 'the last before the end',
    priceCents: 0,
    isViewOnce: false,
    details: null,
    at: app.clock.now(),
  };
  await writeMessage(app.ctx.db, 1, draft, true);
  await app.ctx.events.waitUntilIdle();
  expect(await waiting()).toHaveLength(1);
  expect(creatorTab.listPayloads('RECEIVE_MESSAGE')).toHaveLength(1);
  await app.ctx.db.query
    .updateTable('outbox')
    .set({ not_before: new Date(0) })
    .execute();
  await app.ctx.events.waitUntilIdle();
  await until(() => expect(creatorTab.listPayloads('RECEIVE_MESSAGE')[1]).toMatchObject([{ id: draft.id }]));
  await until(() => expect(fanTab.listPayloads('RECEIVE_MESSAGE')[1]).toMatchObject([{ id: draft.id }]));
  expect(await waiting()).toEqual([]);
  for (const tab of [fanTab, creatorTab]) tab.close();
});

it('a message is emitted once by its sender’s process, also when other reactions handle the event', async () => {
  const { fan, creator, id } = await createConversation();
  const [fanTab, creatorTab] = await Promise.all([openTab(port, fan.cookie), openTab(port, creator.cookie)]);
  const seen: string[] = [];
  const inChat = {
    queue: 'quick',
    subject: ({ conversationId }: { conversationId: string }) => conversationId,
  } as const;
  // A new reaction receives only the events after its registration.
  await app.ctx.events.waitUntilIdle();
  app.ctx.events.addJobHandler(
    'message.sent',
    'test.notify',
    inChat,
    async ({ payload }) => void seen.push(payload.messageId),
  );
  const sent: string[] = [];
  for (let n = 0; n < 5; n += 1) sent.push((await send(fan, id, `No. ${n}`)).id);
  await app.ctx.events.waitUntilIdle();
  expect(seen).toEqual(sent);
  const receivedIds = (tab: TestTab) => tab.listPayloads('RECEIVE_MESSAGE').map((messages) => Object(messages)[0]?.id);
  for (const tab of [fanTab, creatorTab]) await until(() => expect(receivedIds(tab)).toEqual(sent));
  for (const tab of [fanTab, creatorTab]) tab.close();
});

it('typing and marks are relayed, and forged, malformed or excessive signals are dropped', async () => {
  const { creator, fan, id } = await createConversation();
  const stranger = await app.signUp('creator');
  const [fanTab, creatorTab, strangerTab] = await Promise.all([
    openTab(port, fan.cookie),
    openTab(port, creator.cookie),
    openTab(port, stranger.cookie),
  ]);
  fanTab.send('MESSAGE_TYPING', { conversationId: id });
  await until(() =>
    expect(creatorTab.listPayloads('MESSAGE_TYPING')).toEqual([{ conversationId: id, userId: fan.id, isTyping: true }]),
  );
  const sent = await send(creator, id, 'Yes?');
  await until(() => expect(fanTab.listPayloads('RECEIVE_MESSAGE')).toHaveLength(1));
  const mark = (tab: TestTab, status: string, msgIds: unknown = [sent.id]) =>
    tab.send('UPDATE_MESSAGE_STATUS', { conversationId: id, msgIds, status });
  for (const spoiled of [
    undefined,
    null,
    5,
    'x',
    [],
    { conversationId: id },
    { conversationId: id, msgIds: [sent.id], status: 'failed' },
  ])
    fanTab.send('UPDATE_MESSAGE_STATUS', spoiled);
  mark(creatorTab, 'read');
  mark(strangerTab, 'read');
  strangerTab.send('MESSAGE_TYPING', { conversationId: id });
  mark(fanTab, 'delivered');
  await until(() =>
    expect(creatorTab.listPayloads('UPDATE_MESSAGE_STATUS')).toEqual([
      { conversationId: id, msgIds: [sent.id], status: 'delivered', seq: 2, ownerId: creator.id },
    ]),
  );
  mark(fanTab, 'read');
  mark(fanTab, 'delivered');
  await until(() =>
    expect(creatorTab.listPayloads('UPDATE_MESSAGE_STATUS').map(({ status }) => status)).toEqual(['delivered', 'read']),
  );
  await until(() => expect(fanTab.listPayloads('UPDATE_MESSAGE_STATUS')).toMatchObject([{ status: 'read' }]));
  expect(creatorTab.listPayloads('MESSAGE_TYPING')).toHaveLength(1);
  for (const tab of [fanTab, creatorTab, strangerTab]) tab.close();
});

it('purchases, views, blocks and deletions are emitted to the sides concerned', async () => {
  const { creator, fan, id } = await createConversation();
  const fund = {
    fanId: fan.id,
    amountCents: 1_000,
    feeCents: 0,
    provider: 'ccbill',
    ref: randomUUID(),
    eventKey: randomUUID(),
  };
  await app.ctx.db.transaction((tx) => creditDeposit(tx, fund));
  const [fanTab, creatorTab] = await Promise.all([openTab(port, fan.cookie), openTab(port, creator.cookie)]);
  const mediaIds = [await makeReadyPicture(app.ctx, creator.id)];
  const body = { conversationId: id, mediaIds, price: 5, isViewOnce: true };
  const { data } = (await creator.inject('POST', '/api/message/media', body)).json();
  const on = { conversationId: id, messageId: data.id };
  await fan.inject('POST', `/api/message/purchase-chat-media/${data.id}`);
  await fan.inject('POST', `/api/message/view-once/${data.id}/open`);
  await fan.inject('POST', `/api/message/view-once/${data.id}/close`);
  await creator.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, { isBlocked: true });
  await fan.inject('DELETE', `/api/message/msg/${id}/${data.id}`);
  await until(() => {
    for (const tab of [fanTab, creatorTab]) {
      expect(tab.listPayloads('PURCHASE_MESSAGE_MEDIA')).toMatchObject([
        { ...on, isPurchased: true, data: { id: data.id } },
      ]);
      expect(tab.listPayloads('VIEWED_CHAT_MEDIA')).toMatchObject([{ ...on, data: { id: data.id, isRemoved: false } }]);
      expect(tab.listPayloads('REMOVE_VIEWED_CHAT_MEDIA')).toMatchObject([
        { ...on, data: { media: [], isRemoved: true } },
      ]);
      expect(tab.listPayloads('USER_BLOCK_UNBLOCK')).toMatchObject([{ conversationId: id, isBlocked: true }]);
    }
    expect(fanTab.listPayloads('MESSAGE_REMOVED')).toMatchObject([on]);
  });
  expect(creatorTab.listPayloads('MESSAGE_REMOVED')).toEqual([]);
  expect(fanTab.listPayloads('RECEIVE_MESSAGE')).toMatchObject([[{ media: [{ isLocked: true }] }]]);
  expect(creatorTab.listPayloads('RECEIVE_MESSAGE')).toMatchObject([[{ media: [{ isLocked: false }] }]]);
  for (const tab of [fanTab, creatorTab]) tab.close();
});

it('presence is sent as a batch on connecting and then on each change, to users who may see it', async () => {
  const { creator, fan } = await createConversation();
  const [stranger, colleague] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
  const creatorTab = await openTab(port, creator.cookie);
  await until(() =>
    expect(creatorTab.listPayloads('INITIAL_USER_STATUS')).toEqual([
      [{ id: fan.id, userType: 'customer', status: 'offline' }],
    ]),
  );
  const fanTab = await openTab(port, fan.cookie);
  await until(() =>
    expect(fanTab.listPayloads('INITIAL_USER_STATUS')).toEqual([
      [{ id: creator.id, userType: 'creator', status: 'online' }],
    ]),
  );
  await until(() =>
    expect(creatorTab.listPayloads('CUSTOMER_USER_STATUS')).toEqual([{ id: fan.id, status: 'online' }]),
  );
  const others = [await openTab(port, stranger.cookie), await openTab(port, colleague.cookie)];
  for (const tab of others) tab.send('INITIAL_USER_STATUS', { ids: [creator.id, fan.id] });
  await until(() => {
    for (const tab of others)
      expect(tab.listPayloads('INITIAL_USER_STATUS')).toEqual([
        [{ id: creator.id, userType: 'creator', status: 'online' }],
      ]);
  });
  creatorTab.close();
  await until(() => {
    app.clock.advance(1_000);
    expect(fanTab.listPayloads('CREATOR_USER_STATUS')).toContainEqual({ id: creator.id, status: 'offline' });
    for (const tab of others)
      expect(tab.listPayloads('CREATOR_USER_STATUS')).toContainEqual({ id: creator.id, status: 'offline' });
  });
  for (const tab of others) expect(tab.listPayloads('CUSTOMER_USER_STATUS')).toEqual([]);
  for (const tab of [fanTab, ...others]) tab.close();
});

it.each([
  ['accepts it', (fanId: string) => [`conversation-response/${fanId}`, { status: 'accept' }] as const],
  ['answers', (receiverId: string) => ['text', { receiverId, text: 'Of course' }] as const],
])('the presence of a fan who sent a request is shown only once the creator %s', async (_, opening) => {
  const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
  const requestResponse = await fan.inject('POST', '/api/message/text', { receiverId: creator.id, text: 'May I?' });
  const conversation = `/api/message/conversation/${requestResponse.json().data.conversationId}`;
  const listed = async () => (await creator.inject('GET', conversation)).json().data.customer.status;
  const fanTab = await openTab(port, fan.cookie);
  await until(() => expect(getPresence(app.ctx, fan.id)).toBe('online'));
  const creatorTab = await openTab(port, creator.cookie);
  const listStatuses = () => creatorTab.listPayloads('INITIAL_USER_STATUS');
  creatorTab.send('INITIAL_USER_STATUS', { ids: [fan.id] });
  await until(() => expect(listStatuses()).toEqual([[]]));
  const decline = `/api/message/conversation-response/${fan.id}`;
  expect((await creator.inject('POST', decline, { status: 'decline' })).statusCode).toBe(200);
  creatorTab.send('INITIAL_USER_STATUS', { ids: [fan.id] });
  await until(() => expect(listStatuses()).toEqual([[], []]));
  expect(await listed()).toBe('offline');

  const [path, body] = opening(fan.id);
  expect((await creator.inject('POST', `/api/message/${path}`, body)).statusCode).toBe(200);
  await until(() => expect(listStatuses().at(-1)).toEqual([{ id: fan.id, userType: 'customer', status: 'online' }]));
  expect(await listed()).toBe('online');
  for (const tab of [fanTab, creatorTab]) tab.close();
});

it.each([
  ['a creator who blocked them', 'block-unblock-customer'],
  ['a creator whom they blocked', 'block-unblock-creator'],
])('the presence of a fan is hidden from %s immediately and shown again after the unblock', async (_, path) => {
  const { creator, fan, id } = await createConversation();
  const block = (isBlocked: boolean) => {
    const [user, other] = path.endsWith('customer') ? [creator, fan] : [fan, creator];
    return user.inject('POST', `/api/message/${path}/${other.id}`, { isBlocked });
  };
  const fanTab = await openTab(port, fan.cookie);
  const creatorTab = await openTab(port, creator.cookie);
  const shown = { id: fan.id, userType: 'customer', status: 'online' };
  const listed = async () =>
    (await creator.inject('GET', `/api/message/conversation/${id}`)).json().data.customer.status;
  await until(() => expect(creatorTab.listPayloads('INITIAL_USER_STATUS')).toEqual([[shown]]));
  expect(await listed()).toBe('online');

  expect((await block(true)).statusCode).toBe(200);
  await until(() =>
    expect(creatorTab.listPayloads('CUSTOMER_USER_STATUS').at(-1)).toEqual({ id: fan.id, status: 'offline' }),
  );
  expect(await listed()).toBe('offline');
  const previousCount = creatorTab.listPayloads('CUSTOMER_USER_STATUS').length;
  fanTab.close();
  await until(() => {
    app.clock.advance(1_000);
    expect(getPresence(app.ctx, fan.id)).toBe('offline');
  });
  creatorTab.send('INITIAL_USER_STATUS', { ids: [fan.id, creator.id] });
  const late = await openTab(port, creator.cookie);
  late.send('INITIAL_USER_STATUS', { ids: [fan.id, creator.id] });
  const reopened = await openTab(port, fan.cookie);
  await until(() => {
    app.clock.advance(1_000);
    for (const tab of [creatorTab, late])
      expect(tab.listPayloads('INITIAL_USER_STATUS').at(-1)).toEqual([
        { id: creator.id, userType: 'creator', status: 'online' },
      ]);
  });
  expect(late.listPayloads('INITIAL_USER_STATUS')).toHaveLength(1);

  expect((await block(false)).statusCode).toBe(200);
  for (const tab of [creatorTab, late])
    await until(() => expect(tab.listPayloads('INITIAL_USER_STATUS').at(-1)).toEqual([shown]));
  expect(creatorTab.listPayloads('CUSTOMER_USER_STATUS')).toHaveLength(previousCount);
  expect(late.listPayloads('CUSTOMER_USER_STATUS')).toEqual([]);
  reopened.close();
  await until(() => {
    app.clock.advance(1_000);
    for (const tab of [creatorTab, late])
      expect(tab.listPayloads('CUSTOMER_USER_STATUS').at(-1)).toEqual({ id: fan.id, status: 'offline' });
  });
  for (const tab of [creatorTab, late]) tab.close();
});

it('the presence of a creator whose account is blocked is not shown', async () => {
  const [blockedCreator, otherCreator, fan] = await Promise.all([
    app.signUp('creator'),
    app.signUp('creator'),
    app.signUp('customer'),
  ]);
  await app.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', blockedCreator.id).execute();
  for (const cookie of [fan.cookie, otherCreator.cookie]) {
    const tab = await openTab(port, cookie);
    tab.send('INITIAL_USER_STATUS', { ids: [blockedCreator.id, otherCreator.id] });
    await until(() => expect(tab.listPayloads('INITIAL_USER_STATUS').at(-1)).toMatchObject([{ id: otherCreator.id }]));
    tab.close();
  }
});

it('a client that reconnects with its last message receives only what it missed', async () => {
  const { creator, fan, id } = await createConversation();
  const elsewhere = await createConversation();
  const known = await send(creator, id, 'known');
  app.clock.advance(20_000);
  const missed = [await send(creator, id, 'missed 1'), await send(fan, id, 'missed 2')];
  await send(elsewhere.creator, elsewhere.id, 'not theirs');
  const tab = await openTab(port, fan.cookie, { lastMessageId: known.id });
  await until(() => expect(tab.listPayloads('RECEIVE_MESSAGE')).toHaveLength(1));
  const [batch] = tab.listPayloads('RECEIVE_MESSAGE');
  expect(batch?.slice(-2)).toMatchObject(missed.map((one) => ({ id: one.id })));
  expect(JSON.stringify(batch)).not.toContain('not theirs');
  expect(JSON.stringify(batch)).not.toContain(known.id);
  const forged = await openTab(port, fan.cookie, { lastMessageId: "' or true --" });
  const anonymousTab = await openTab(port, '', { lastMessageId: known.id });
  const last = await send(creator, id, 'last');
  await until(() => expect(forged.listPayloads('RECEIVE_MESSAGE')).toMatchObject([[{ id: last.id }]]));
  expect(anonymousTab.listPayloads('RECEIVE_MESSAGE')).toEqual([]);
  for (const each of [tab, forged, anonymousTab]) each.close();
});

it('a socket is closed when its session ends, and its signals no longer count', async () => {
  const { creator, fan, id } = await createConversation();
  const [fanTab, creatorTab] = await Promise.all([openTab(port, fan.cookie), openTab(port, creator.cookie)]);
  await fan.inject('POST', '/api/auth/logout');
  await fanTab.closed;
  fanTab.send('MESSAGE_TYPING', { conversationId: id });
  await send(creator, id, 'Still there?');
  await until(() => expect(creatorTab.listPayloads('RECEIVE_MESSAGE')).toHaveLength(1));
  expect(fanTab.listPayloads('RECEIVE_MESSAGE')).toEqual([]);
  expect(creatorTab.listPayloads('MESSAGE_TYPING')).toEqual([]);
  const cross = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, {
    headers: { cookie: creator.cookie, origin: 'https://evil.example' },
  });
  await new Promise((resolve) => cross.addEventListener('error', resolve));
  creatorTab.close();
});

it('a broadcast reaches connected fans immediately', async () => {
  const creator = await app.signUp('creator');
  const [follower, other] = await Promise.all([app.signUp('customer'), app.signUp('customer')]);
  await createFollow(app.ctx, follower.id, creator.id);
  const [fanTab, strangerTab, creatorTab] = await Promise.all([
    openTab(port, follower.cookie),
    openTab(port, other.cookie),
    openTab(port, creator.cookie),
  ]);
  const { data } = (
    await creator.inject('POST', '/api/message/broadcast-text', { audience: 'followers', text: 'Now!' })
  ).json();
  await until(() =>
    expect(fanTab.listPayloads('RECEIVE_MESSAGE')).toMatchObject([
      [{ text: 'Now!', ownerId: creator.id, broadcastId: null }],
    ]),
  );
  await until(() =>
    expect(creatorTab.listPayloads('BROADCAST_PROGRESS').at(-1)).toMatchObject({
      id: data.id,
      recipientCount: 1,
      deliveredCount: 1,
    }),
  );
  expect(strangerTab.listPayloads('RECEIVE_MESSAGE')).toEqual([]);
  expect(creatorTab.listPayloads('RECEIVE_MESSAGE')).toEqual([]);
  for (const tab of [fanTab, strangerTab, creatorTab]) tab.close();
});

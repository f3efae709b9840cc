import { SUBSCRIPTION_ENDS } from '@stagedoor/contract/content/subscriptions.ts';
import type { NotificationGroup } from '@stagedoor/contract/notifications/notifications.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventMap } from '../../../platform/events/event-types.ts';
import { createId } from '../../../platform/ids.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createFollow } from '../../content/follows/testing.ts';
import { makePost } from '../../content/posts/testing.ts';
import { actOnCall, createCallPair, offerTestCall, startTestCall } from '../../messaging/calls/testing.ts';
import { openTab } from '../../messaging/chat/testing.ts';
import { NOTIFICATION_KINDS } from './kinds.ts';
import { deleteOld } from './store.ts';
import { notifyNextFollowers } from './subscribe.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
});
afterAll(() => app.close());

type Page = { data: NotificationGroup[]; nextOffset?: string };
const listed = async (user: TestUser, query = ''): Promise<Page> => {
  await app.ctx.events.waitUntilIdle();
  const answer = await user.inject('GET', `/api/notifications${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const listGroups = async (user: TestUser, query = '') => (await listed(user, query)).data;
const unread = async (user: TestUser) => (await user.inject('GET', '/api/notifications/unread')).json().count;
const formatGroup = ({ users, userCount, text }: NotificationGroup) =>
  [users[0]?.name, userCount > 1 ? `and ${userCount - 1} others` : '', text].filter(Boolean).join(' ');

async function emitEvent<T extends keyof EventMap & string>(
  type: T,
  payload: EventMap[T],
  eventId = createId(app.clock),
) {
  await app.owner.query
    .insertInto('outbox')
    .values({ type, payload: JSON.stringify(payload), event_id: eventId })
    .execute();
  app.ctx.events.wake();
  return eventId;
}

const createSale = (fan: TestUser, creator: TestUser, kind: string, subjectId: string | null = null) => ({
  ...{ transactionId: createId(app.clock), kind, fanId: fan.id, creatorId: creator.id, subjectId },
  ...{ grossCents: 2_000, netCents: 1_600, balanceCents: 0, balanceLine: 1, tipType: null },
  at: app.clock.now().toISOString(),
});

async function emitSubscriptionEvents(fanId: string, creatorId: string) {
  const [subscription, at] = [{ subscriptionId: createId(app.clock), fanId, creatorId }, '2027-03-31T12:00:00.000Z'];
  await emitEvent('subscription.started', { ...subscription, tierName: 'Kiln', isTrial: true });
  const gift = { giverId: fanId, tierName: 'Kiln', paidUntil: at };
  await emitEvent('subscription.gifted', { ...subscription, ...gift });
  await emitEvent('subscription.renewalFailed', { ...subscription, priceCents: 1_200, nextAttemptAt: at });
  for (const reminder of ['renewal', 'trial', 'newPrice'] as const)
    await emitEvent('subscription.reminded', { ...subscription, reminder, priceCents: 2_400, at });
  for (const newPriceCents of [1_000, 1_200, 1_500])
    await emitEvent('subscription.repriced', { ...subscription, priceCents: 1_200, newPriceCents, from: at });
  await emitEvent('subscription.waived', { ...subscription, until: at });
  await emitEvent('subscription.tierDeleted', { ...subscription, tierName: 'Kiln, old', until: at });
  for (const reason of SUBSCRIPTION_ENDS)
    await emitEvent('subscription.ended', { ...subscription, reason, refundedCents: reason === 'blocked' ? 600 : 0 });
}

test('followers are notified once, however often an event or a batch is repeated', async () => {
  const creator = await app.signUp('creator');
  const fans = await Promise.all(Array.from({ length: 5 }, () => app.signUp('customer')));
  for (const fan of fans) await createFollow(app.ctx, fan.id, creator.id);
  await app.ctx.events.waitUntilIdle();
  const postId = await makePost(app.ctx, creator.id);
  await app.ctx.events.waitUntilIdle();
  await app.owner.query.deleteFrom('notifications').execute();
  const listRows = () =>
    app.ctx.db.query
      .selectFrom('notifications')
      .select(['user_id', 'id'])
      .where('by_id', '=', creator.id)
      .orderBy('user_id')
      .execute();
  let before = 0;
  const batch = fc.record({ after: fc.option(fc.nat(4)), size: fc.integer({ min: 1, max: 6 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 6 }), fc.integer({ min: 1, max: 3 }), async (starts, times) => {
      const at = app.clock.now().toISOString();
      const post = { creatorId: creator.id, username: creator.username, postId };
      const id = createId(app.clock);
      const notification = { id, kind: 'newPost', creatorId: creator.id, subjectId: post.postId };
      const ids = fans.map((fan) => fan.id).sort();
      for (const { after, size } of starts)
        await notifyNextFollowers(app.ctx, notification, after === null ? null : (ids[after] ?? null), size);
      for (let time = 0; time < times; time += 1) {
        await emitEvent('post.published', { ...post, type: 'picture', createdAt: at, priceCents: 0 }, id);
        await app.ctx.events.waitUntilIdle();
      }
      const rows = await listRows();
      expect(rows.filter((row) => row.id === id).map((row) => row.user_id)).toEqual(ids);
      before += fans.length;
      expect(rows).toHaveLength(before);
    }),
    { numRuns: 8 },
  );
});

test('every kind has a text and a link for the right role, and old events create no notification', async () => {
  const { fan, creator } = await createCallPair(app);
  await createFollow(app.ctx, fan.id, creator.id);
  const post = await makePost(app.ctx, creator.id, { caption: 'Moon jar, third firing' });
  const [fanId, creatorId] = [fan.id, creator.id];
  for (const kind of ['tip', 'post', 'chat', 'call'])
    await emitEvent('sale.made', createSale(fan, creator, kind, post));
  const past = new Date(Date.now() - 25 * 60 * 60_000).toISOString();
  await emitEvent('sale.made', { ...createSale(fan, creator, 'tip'), at: past });
  const old = {
    postId: createId(app.clock),
    creatorId,
    username: creator.username,
    type: 'picture',
    priceCents: 0,
  } as const;
  await emitEvent('post.published', { ...old, createdAt: past });
  await emitEvent('chat.approved', { conversationId: post, creatorId, fanId });
  await emitEvent('call.callbackRequested', { callLogId: post, fanId, creatorId });
  await emitEvent('hold.expired', {
    ...{
      holdId: post,
      fanId,
      purpose: 'call',
      amountCents: 900,
      transactionId: post,
      balanceCents: 900,
      balanceLine: 2,
    },
  });
  await emitEvent('debt.changed', { fanId, change: 'owed', cents: 500, owedCents: 500, isBlocked: true });
  for (const change of ['paid', 'failed', 'reversed', 'won'] as const)
    await emitEvent('deposit.changed', {
      ...{ depositId: post, fanId, status: change === 'failed' ? 'failed' : 'success', change },
      ...{ balanceCents: 30_000, transactionId: null },
    });
  await emitEvent('payment.refunded', { fanId, webhookId: post, cents: 5_100 });
  for (const at of [app.clock.now().toISOString(), past])
    await emitEvent('commission.earned', { affiliateId: fanId, transactionId: createId(app.clock), cents: 40, at });
  await emitEvent('team.joined', { creatorId, memberId: fanId });
  await emitEvent('draft.failed', {
    creatorId,
    draftId: post,
    message: 'Your account was blocked at the scheduled time.',
  });
  for (const isRestored of [false, true]) await emitEvent('case.copied', { userIds: [creatorId], isRestored });
  await emitEvent('commission.moved', { fanId, transactionId: post, netCents: 990, balanceCents: 990, balanceLine: 4 });
  await emitEvent('payout.methodChanged', { userId: creatorId, change: 'added', label: 'First Bank, ending in 6789' });
  await emitEvent('sale.refunded', {
    ...{ transactionId: post, refundId: post, kind: 'post', fanId, creatorId, subjectId: post, isWhole: true },
    ...{ balanceCents: 0, balanceLine: 3, refundedCents: 2_000, netCents: 0 },
  });
  await emitEvent('verification.changed', { creatorId, status: 'submitted', at: app.clock.now().toISOString() });
  await emitEvent('verification.changed', { creatorId, status: 'verified', at: app.clock.now().toISOString() });
  for (const event of ['queued', 'paid'] as const)
    await emitEvent('payout.changed', {
      payoutId: post,
      userId: creatorId,
      source: 'earnings',
      amountCents: 2_050,
      event,
    });
  // Creating the pair already notified of the creator coming online.
  await app.ctx.events.waitUntilIdle();
  await app.owner.query.deleteFrom('creator_online_notifications').execute();
  await emitEvent('creator.online', { creatorId });
  await emitEvent('account.secured', { userId: fanId, change: 'newDevice', device: 'Firefox on Linux' });
  await fan.inject('POST', '/api/customer/profile-pass-change', {
    newPassword: 'Another9!',
    currentPassword: fan.password,
  });
  for (const isUndone of [false, true])
    await emitEvent('case.decided', {
      ...{ userId: creatorId, decisionId: createId(app.clock), action: 'hide', isUndone },
      description: 'Your post was hidden',
    });
  for (const note of ['answered', 'acted', 'nothing'] as const)
    await emitEvent('case.answered', { userIds: [fanId], caseId: createId(app.clock), note });
  await emitEvent('policy.changed', {
    ...{ userIds: [fanId], policy: 'privacy-policy', version: '2027-01-01', title: 'Privacy policy' },
    changes: 'Less is kept.',
  });
  await emitSubscriptionEvents(fanId, creatorId);
  await emitEvent('dataExport.ready', { userId: fanId, exportId: createId(app.clock) });
  const missed = await offerTestCall({ fan, creator });
  await actOnCall(fan, 'cancelled', missed);
  const [requester, stranger] = [await app.signUp('customer'), await app.signUp('creator')];
  await app.ctx.db.query
    .updateTable('creators')
    .set({ chat_rule: 'request' })
    .where('user_id', '=', stranger.id)
    .execute();
  const requestResponse = await requester.inject('POST', '/api/message/text', {
    receiverId: stranger.id,
    text: 'Hello',
    clientId: post,
  });
  expect(requestResponse.statusCode, requestResponse.body).toBe(200);

  const ofFan = await listGroups(fan);
  const ofCreator = await listGroups(creator);
  const ofStranger = await listGroups(stranger);
  const all = [...ofFan, ...ofCreator, ...ofStranger];
  expect([...new Set(all.map(({ kind }) => kind))].sort()).toEqual(Object.keys(NOTIFICATION_KINDS).sort());
  for (const group of all) {
    expect(group.text, group.kind).toMatch(/\S/);
    expect(group.href, group.kind).toMatch(/^\//);
    expect(formatGroup(group) + group.detail).not.toMatch(/undefined|null|NaN/);
  }
  const name = (
    await app.ctx.db.query.selectFrom('users').select('name').where('id', '=', creatorId).executeTakeFirstOrThrow()
  ).name;
  const texts = ofFan.map(formatGroup);
  expect(texts).toEqual(
    expect.arrayContaining([
      `${name} published “Moon jar, third firing”`,
      '“Moon jar, third firing” unlocked',
      'New login from Firefox on Linux',
      'Your password was changed',
      'Funds added',
      'Deposit failed',
      'Your deposit was reversed',
      '$9.90 in commission moved to your balance',
      '$20.00 refunded to your balance',
      'Your data is ready to download',
      '$51.00 refunded to your card',
      'You earned $0.40 in commission',
    ]),
  );
  const ofSubscription = ofFan
    .filter(({ href }) => href === '/fan/subscriptions')
    .map(({ text, detail }) => `${text}: ${detail}`);
  expect(ofSubscription).toEqual(
    expect.arrayContaining([
      `Your subscription to ${name} couldn’t be renewed: $12.00 isn’t available in your balance. Add funds to keep your access. We’ll try again on 31 March 2027.`,
      `Your trial with ${name} ends on 31 March 2027: It costs $24.00 from then on. Cancel before then and you won’t be charged.`,
      `Accept the new price to stay subscribed to ${name}: $24.00 from 31 March 2027. If you don’t accept it, your subscription ends then.`,
      `New price for your subscription to ${name}: $15.00 from 31 March 2027. Accept it to stay subscribed.`,
      `Your subscription to ${name} costs less: $10.00 from 31 March 2027. You don’t need to do anything.`,
      `${name} no longer offers Kiln, old: You have access until 31 March 2027 and won’t be charged again.`,
      `Your subscription to ${name} has ended: The creator ended it. $6.00 for the rest of the period is back in your balance.`,
    ]),
  );
  expect(ofCreator.find(({ kind }) => kind === 'newSubscriber')).toMatchObject({
    text: 'subscribed to you',
    detail: 'Kiln, free trial',
    href: '/creator/subscribers',
  });
  expect(ofCreator.find(({ kind }) => kind === 'subscriberLeft')?.detail).toBe('7 subscriptions ended');
  expect(ofFan.find(({ kind }) => kind === 'security')?.href).toBe('/fan/profile#password');
  expect(ofCreator.find(({ kind }) => kind === 'tip')).toMatchObject({ text: 'tipped you', detail: '$16.00 earned' });
  expect(ofCreator.find(({ kind }) => kind === 'payout')).toMatchObject({
    text: 'Your payout arrived',
    detail: '$20.50',
  });
  const decided = ofCreator.filter(({ kind }) => kind === 'decision').map(({ text, detail }) => [text, detail]);
  expect(decided).toEqual([
    ['A decision about your account was reversed', 'Your post was hidden'],
    ['Your post was hidden', 'See why and how to appeal.'],
  ]);
  expect(new Set(ofFan.filter(({ kind }) => kind === 'answered').map(formatGroup)).size).toBe(3);
  expect(ofStranger[0]).toMatchObject({ kind: 'chatRequest', userCount: 1 });
  expect(
    ofFan
      .filter(({ isUnread }) => !isUnread)
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(['boughtCall', 'boughtChat', 'boughtPost', 'commissionMoved', 'tipped'].sort());
  expect(all.every(({ at }) => Math.abs(Date.parse(at) - Date.now()) < 600_000)).toBe(true);

  const blocked = await creator.inject('POST', `/api/message/block-unblock-customer/${fanId}`, { isBlocked: true });
  expect(blocked.statusCode, blocked.body).toBe(200);
  const { callLogId } = (await startTestCall({ fan, creator })).json();
  const over = { status: 'cancel', reason: 'noAnswer', isOpen: false, wasOffered: true } as const;
  await emitEvent('call.changed', {
    callLogId,
    fanId,
    creatorId,
    changes: [],
    movedUserId: null,
    warnSeconds: null,
    ...over,
  });
  expect((await listGroups(creator)).some(({ kind }) => kind === 'incomingVideoCall')).toBe(false);
  await creator.inject('POST', `/api/message/block-unblock-customer/${fanId}`, { isBlocked: false });
  await creator.inject('DELETE', `/api/post/${post}`);
  expect((await listGroups(creator)).find(({ kind }) => kind === 'incomingVideoCall')?.text).toBe('called you');
  expect((await listGroups(fan)).some(({ kind }) => kind === 'newPost')).toBe(false);
});

test('followers are notified at most once in six hours that a creator came online', async () => {
  const [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
  await createFollow(app.ctx, fan.id, creator.id);
  const count = async () => {
    await app.ctx.events.waitUntilIdle();
    return (await app.ctx.db.query.selectFrom('notifications').select('id').where('user_id', '=', fan.id).execute())
      .length;
  };
  const first = await emitEvent('creator.online', { creatorId: creator.id });
  await app.ctx.events.waitUntilIdle();
  await emitEvent('creator.online', { creatorId: creator.id }, first);
  await emitEvent('creator.online', { creatorId: creator.id });
  expect(await count()).toBe(1);
  app.clock.advance(6 * 60 * 60_000 - 1);
  await emitEvent('creator.online', { creatorId: creator.id });
  expect(await count()).toBe(1);
  app.clock.advance(1);
  await emitEvent('creator.online', { creatorId: creator.id });
  expect(await count()).toBe(2);
});

const idAt = (at: Date, number: number) => {
  const hex = `${at.getTime().toString(16).padStart(12, '0')}7000b${number.toString(16).padStart(15, '0')}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

test('the list is paged by whole days, groups each kind per day and tracks what was read', async () => {
  const [fan, other] = [await app.signUp('customer'), await app.signUp('customer')];
  const creators = await Promise.all(Array.from({ length: 3 }, () => app.signUp('creator')));
  const DAY = 86_400_000;
  const midnight = Math.floor(Date.now() / DAY) * DAY;
  const rows = [0, 1, 2, 3].flatMap((day) =>
    Array.from({ length: day === 1 ? 130 : 30 }, (_, index) => ({
      user_id: fan.id,
      id: idAt(new Date(midnight - day * DAY + (index === 0 ? 0 : index === 29 ? DAY - 1 : index * 1_000)), index),
      kind: index < 3 ? 'refund' : 'creatorOnline',
      by_id: creators[index % 3]?.id ?? null,
      cents: 100,
    })),
  );
  await app.owner.query.insertInto('notifications').values(rows).execute();
  const pages: Page[] = [];
  for (let offset = '0'; offset !== ''; offset = pages.at(-1)?.nextOffset ?? '')
    pages.push(await listed(fan, `?offset=${offset}`));
  const groups = pages.flatMap(({ data }) => data);
  expect(pages.length).toBeGreaterThan(1);
  const key = ({ kind, id, at }: NotificationGroup) => `${at.slice(0, 10)} ${kind === 'refund' ? id : kind}`;
  expect(new Set(groups.map(key)).size).toBe(groups.length);
  expect(groups).toHaveLength(4 * 4);
  expect(groups.map(({ id }) => id)).toEqual(
    groups
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  );
  const online = groups.find(({ kind }) => kind === 'creatorOnline');
  expect(online).toMatchObject({ userCount: 3, text: 'came online', isUnread: true });
  expect(await unread(fan)).toBe(16);

  const read = (user: TestUser, body: object) => user.inject('POST', '/api/notifications/read', body);
  if (!online) throw new Error('no group');
  await read(other, { upTo: online.id });
  expect(await unread(fan)).toBe(16);
  await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  const address = app.app.http.server.address();
  const tab = await openTab(typeof address === 'object' ? (address?.port ?? 0) : 0, fan.cookie);
  expect(
    (await read(fan, { upTo: online.id, group: { kind: 'creatorOnline', firstId: online.firstId } })).json(),
  ).toEqual({
    count: 15,
  });
  await expect.poll(() => tab.received.some(({ name }) => name === 'NOTIFICATIONS_CHANGED')).toBe(true);
  tab.close();
  const remaining = await listGroups(fan, '?tab=unread');
  expect(remaining.some(({ id }) => id === online.id)).toBe(false);
  expect((await listGroups(fan)).find(({ id }) => id === online.id)).toMatchObject({ isUnread: false, userCount: 3 });
  const second = groups[4];
  if (!second) throw new Error('no group');
  await read(fan, { upTo: second.id });
  const newer = groups.slice(0, 4).filter(({ id }) => id !== online.id).length;
  expect(await unread(fan)).toBe(newer);
  expect((await read(fan, { upTo: groups[0]?.id })).json()).toEqual({ count: 0 });
  expect(await deleteOld(app.ctx.db, new Date(midnight - 2 * DAY), 1_000)).toBe(30);
  expect((await fan.inject('GET', '/api/notifications?offset=cabcdefghij')).statusCode).toBe(400);
});

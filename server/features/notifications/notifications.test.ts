import type { NotificationLine } from '@stagedoor/contract/notifications.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventMap } from '../../kernel/events.ts';
import { newId } from '../../kernel/ids.ts';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { act, makePair, offered, start } from '../calls/testing.ts';
import { openTab } from '../chat/testing.ts';
import { makeFollow } from '../follows/testing.ts';
import { makePost } from '../posts/testing.ts';
import { tellNextFollowers } from './hearing.ts';
import { KINDS } from './kinds.ts';
import { forget } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await app.app.start();
});
afterAll(() => app.close());

type Page = { data: NotificationLine[]; nextOffset?: string };
const listed = async (who: TestUser, query = ''): Promise<Page> => {
  await app.ctx.events.settle();
  const answer = await who.inject('GET', `/api/notifications${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const linesOf = async (who: TestUser, query = '') => (await listed(who, query)).data;
const unread = async (who: TestUser) => (await who.inject('GET', '/api/notifications/unread')).json().count;
const said = ({ people, peopleCount, text }: NotificationLine) =>
  [people[0]?.name, peopleCount > 1 ? `and ${peopleCount - 1} others` : '', text].filter(Boolean).join(' ');

async function tell<T extends keyof EventMap & string>(type: T, payload: EventMap[T], eventId = newId(app.clock)) {
  await app.owner.query
    .insertInto('outbox')
    .values({ type, payload: JSON.stringify(payload), event_id: eventId })
    .execute();
  app.ctx.events.wake();
  return eventId;
}

const saleOf = (fan: TestUser, creator: TestUser, kind: string, subjectId: string | null = null) => ({
  ...{ transactionId: newId(app.clock), kind, fanId: fan.id, creatorId: creator.id, subjectId },
  ...{ grossCents: 2_000, netCents: 1_600, balanceCents: 0, balanceLine: 1, tipType: null },
  at: app.clock.now().toISOString(),
});

test('followers are notified once, however often an event or a batch is repeated', async () => {
  const creator = await app.signUp('creator');
  const fans = await Promise.all(Array.from({ length: 5 }, () => app.signUp('customer')));
  for (const fan of fans) await makeFollow(app.ctx, fan.id, creator.id);
  await app.ctx.events.settle();
  const postId = await makePost(app.ctx, creator.id);
  await app.ctx.events.settle();
  await app.owner.query.deleteFrom('notifications').execute();
  const rowsOf = () =>
    app.ctx.db.query
      .selectFrom('notifications')
      .select(['user_id', 'id'])
      .where('by_id', '=', creator.id)
      .orderBy('user_id')
      .execute();
  let before = 0;
  const again = fc.record({ after: fc.option(fc.nat(4)), size: fc.integer({ min: 1, max: 6 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(again, { maxLength: 6 }), fc.integer({ min: 1, max: 3 }), async (starts, times) => {
      const at = app.clock.now().toISOString();
      const post = { creatorId: creator.id, username: creator.username, postId };
      const id = newId(app.clock);
      const told = { id, kind: 'newPost', creatorId: creator.id, subjectId: post.postId };
      const ids = fans.map((fan) => fan.id).sort();
      for (const { after, size } of starts)
        await tellNextFollowers(app.ctx, told, after === null ? null : (ids[after] ?? null), size);
      for (let time = 0; time < times; time += 1) {
        await tell('post.published', { ...post, type: 'picture', createdAt: at, priceCents: 0 }, id);
        await app.ctx.events.settle();
      }
      const rows = await rowsOf();
      expect(rows.filter((row) => row.id === id).map((row) => row.user_id)).toEqual(ids);
      before += fans.length;
      expect(rows).toHaveLength(before);
    }),
    { numRuns: 8 },
  );
});

test('every kind has a text and a link for the right role, and old events create no notification', async () => {
  const { fan, creator } = await makePair(app);
  await makeFollow(app.ctx, fan.id, creator.id);
  const post = await makePost(app.ctx, creator.id, { caption: 'Moon jar, third firing' });
  const [fanId, creatorId] = [fan.id, creator.id];
  for (const kind of ['tip', 'post', 'chat', 'call']) await tell('sale.made', saleOf(fan, creator, kind, post));
  const past = new Date(Date.now() - 25 * 60 * 60_000).toISOString();
  await tell('sale.made', { ...saleOf(fan, creator, 'tip'), at: past });
  const old = {
    postId: newId(app.clock),
    creatorId,
    username: creator.username,
    type: 'picture',
    priceCents: 0,
  } as const;
  await tell('post.published', { ...old, createdAt: past });
  await tell('chat.approved', { conversationId: post, creatorId, fanId });
  await tell('call.backAsked', { callLogId: post, fanId, creatorId });
  await tell('hold.expired', {
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
  await tell('debt.changed', { fanId, change: 'owed', cents: 500, owedCents: 500, isBlocked: true });
  for (const change of ['paid', 'failed', 'reversed', 'won'] as const)
    await tell('deposit.changed', {
      ...{ depositId: post, fanId, status: change === 'failed' ? 'failed' : 'success', change },
      ...{ balanceCents: 30_000, transactionId: null },
    });
  await tell('payment.returned', { fanId, eventId: post, cents: 5_100 });
  for (const at of [app.clock.now().toISOString(), past])
    await tell('commission.earned', { affiliateId: fanId, transactionId: newId(app.clock), cents: 40, at });
  await tell('team.joined', { creatorId, memberId: fanId });
  await tell('draft.failed', { creatorId, draftId: post, words: 'Your account was blocked at the scheduled time.' });
  for (const isBack of [false, true]) await tell('case.copied', { userIds: [creatorId], isBack });
  await tell('commission.moved', { fanId, transactionId: post, netCents: 990, balanceCents: 990, balanceLine: 4 });
  await tell('payout.methodChanged', { userId: creatorId, change: 'added', words: 'First Bank, ending in 6789' });
  await tell('sale.refunded', {
    ...{ transactionId: post, refundId: post, kind: 'post', fanId, creatorId, subjectId: post, isWhole: true },
    ...{ balanceCents: 0, balanceLine: 3, refundedCents: 2_000, netCents: 0 },
  });
  await tell('verification.changed', { creatorId, status: 'submitted', at: app.clock.now().toISOString() });
  await tell('verification.changed', { creatorId, status: 'verified', at: app.clock.now().toISOString() });
  for (const moment of ['queued', 'paid'] as const)
    await tell('payout.changed', { payoutId: post, userId: creatorId, source: 'earnings', amountCents: 2_050, moment });
  // Creating the pair already notified of the creator coming online.
  await app.ctx.events.settle();
  await app.owner.query.deleteFrom('creators_online_told').execute();
  await tell('creator.online', { creatorId });
  await tell('account.secured', { userId: fanId, change: 'newDevice', device: 'Firefox on Linux' });
  await fan.inject('POST', '/api/customer/profile-pass-change', {
    newPassword: 'Another9!',
    currentPassword: fan.password,
  });
  for (const isUndone of [false, true])
    await tell('case.decided', {
      ...{ userId: creatorId, decisionId: newId(app.clock), act: 'hide', isUndone },
      words: 'Your post was hidden',
    });
  for (const note of ['answered', 'acted', 'nothing'] as const)
    await tell('case.answered', { userIds: [fanId], caseId: newId(app.clock), note });
  await tell('policy.changed', {
    ...{ userIds: [fanId], policy: 'privacy-policy', version: '2027-01-01', title: 'Privacy policy' },
    changes: 'Less is kept.',
  });
  await tell('archive.ready', { userId: fanId, archiveId: newId(app.clock) });
  const missed = await offered({ fan, creator });
  await act(fan, 'cancelled', missed);
  const [asking, stranger] = [await app.signUp('customer'), await app.signUp('creator')];
  await app.ctx.db.query
    .updateTable('creators')
    .set({ chat_rule: 'request' })
    .where('user_id', '=', stranger.id)
    .execute();
  const asked = await asking.inject('POST', '/api/message/text', {
    receiverId: stranger.id,
    text: 'Hello',
    clientId: post,
  });
  expect(asked.statusCode, asked.body).toBe(200);

  const ofFan = await linesOf(fan);
  const ofCreator = await linesOf(creator);
  const ofStranger = await linesOf(stranger);
  const all = [...ofFan, ...ofCreator, ...ofStranger];
  expect([...new Set(all.map(({ kind }) => kind))].sort()).toEqual(Object.keys(KINDS).sort());
  for (const line of all) {
    expect(line.text, line.kind).toMatch(/\S/);
    expect(line.href, line.kind).toMatch(/^\//);
    expect(said(line) + line.detail).not.toMatch(/undefined|null|NaN/);
  }
  const name = (
    await app.ctx.db.query.selectFrom('users').select('name').where('id', '=', creatorId).executeTakeFirstOrThrow()
  ).name;
  const words = ofFan.map(said);
  expect(words).toEqual(
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
  expect(new Set(ofFan.filter(({ kind }) => kind === 'answered').map(said)).size).toBe(3);
  expect(ofStranger[0]).toMatchObject({ kind: 'chatRequest', peopleCount: 1 });
  expect(
    ofFan
      .filter(({ isUnread }) => !isUnread)
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(['boughtCall', 'boughtChat', 'boughtPost', 'commissionMoved', 'tipped'].sort());
  expect(all.every(({ at }) => Math.abs(Date.parse(at) - Date.now()) < 600_000)).toBe(true);

  const blocked = await creator.inject('POST', `/api/message/block-unblock-customer/${fanId}`, { isBlocked: true });
  expect(blocked.statusCode, blocked.body).toBe(200);
  const { callLogId } = (await start({ fan, creator })).json();
  const over = { status: 'cancel', reason: 'noAnswer', isOpen: false, wasOffered: true } as const;
  await tell('call.changed', { callLogId, fanId, creatorId, news: [], movedId: null, warnSeconds: null, ...over });
  expect((await linesOf(creator)).some(({ kind }) => kind === 'incomingVideoCall')).toBe(false);
  await creator.inject('POST', `/api/message/block-unblock-customer/${fanId}`, { isBlocked: false });
  await creator.inject('DELETE', `/api/post/${post}`);
  expect((await linesOf(creator)).find(({ kind }) => kind === 'incomingVideoCall')?.text).toBe('called you');
  expect((await linesOf(fan)).some(({ kind }) => kind === 'newPost')).toBe(false);
});

test('followers are notified at most once in six hours that a creator came online', async () => {
  const [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
  await makeFollow(app.ctx, fan.id, creator.id);
  const count = async () => {
    await app.ctx.events.settle();
    return (await app.ctx.db.query.selectFrom('notifications').select('id').where('user_id', '=', fan.id).execute())
      .length;
  };
  const first = await tell('creator.online', { creatorId: creator.id });
  await app.ctx.events.settle();
  await tell('creator.online', { creatorId: creator.id }, first);
  await tell('creator.online', { creatorId: creator.id });
  expect(await count()).toBe(1);
  app.clock.advance(6 * 60 * 60_000 - 1);
  await tell('creator.online', { creatorId: creator.id });
  expect(await count()).toBe(1);
  app.clock.advance(1);
  await tell('creator.online', { creatorId: creator.id });
  expect(await count()).toBe(2);
});

const idAt = (at: Date, number: number) => {
  const hex = `${at.getTime().toString(16).padStart(12, '0')}7000b${number.toString(16).padStart(15, '0')}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

test('the list is paged by whole days, groups each kind per day and tracks what was read', async () => {
  const [fan, other] = [await app.signUp('customer'), await app.signUp('customer')];
  const makers = await Promise.all(Array.from({ length: 3 }, () => app.signUp('creator')));
  const DAY = 86_400_000;
  const midnight = Math.floor(Date.now() / DAY) * DAY;
  const rows = [0, 1, 2, 3].flatMap((day) =>
    Array.from({ length: day === 1 ? 130 : 30 }, (_, index) => ({
      user_id: fan.id,
      id: idAt(new Date(midnight - day * DAY + (index === 0 ? 0 : index === 29 ? DAY - 1 : index * 1_000)), index),
      kind: index < 3 ? 'refund' : 'creatorOnline',
      by_id: makers[index % 3]?.id ?? null,
      cents: 100,
    })),
  );
  await app.owner.query.insertInto('notifications').values(rows).execute();
  const pages: Page[] = [];
  for (let offset = '0'; offset !== ''; offset = pages.at(-1)?.nextOffset ?? '')
    pages.push(await listed(fan, `?offset=${offset}`));
  const lines = pages.flatMap(({ data }) => data);
  expect(pages.length).toBeGreaterThan(1);
  const key = ({ kind, id, at }: NotificationLine) => `${at.slice(0, 10)} ${kind === 'refund' ? id : kind}`;
  expect(new Set(lines.map(key)).size).toBe(lines.length);
  expect(lines).toHaveLength(4 * 4);
  expect(lines.map(({ id }) => id)).toEqual(
    lines
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  );
  const online = lines.find(({ kind }) => kind === 'creatorOnline');
  expect(online).toMatchObject({ peopleCount: 3, text: 'came online', isUnread: true });
  expect(await unread(fan)).toBe(16);

  const read = (who: TestUser, body: object) => who.inject('POST', '/api/notifications/read', body);
  if (!online) throw new Error('no line');
  await read(other, { upTo: online.id });
  expect(await unread(fan)).toBe(16);
  await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  const address = app.app.http.server.address();
  const tab = await openTab(typeof address === 'object' ? (address?.port ?? 0) : 0, fan.cookie);
  expect(
    (await read(fan, { upTo: online.id, line: { kind: 'creatorOnline', firstId: online.firstId } })).json(),
  ).toEqual({
    count: 15,
  });
  await expect.poll(() => tab.heard.some(({ name }) => name === 'NOTIFICATIONS_CHANGED')).toBe(true);
  tab.close();
  const left = await linesOf(fan, '?tab=unread');
  expect(left.some(({ id }) => id === online.id)).toBe(false);
  expect((await linesOf(fan)).find(({ id }) => id === online.id)).toMatchObject({ isUnread: false, peopleCount: 3 });
  const second = lines[4];
  if (!second) throw new Error('no line');
  await read(fan, { upTo: second.id });
  const newer = lines.slice(0, 4).filter(({ id }) => id !== online.id).length;
  expect(await unread(fan)).toBe(newer);
  expect((await read(fan, { upTo: lines[0]?.id })).json()).toEqual({ count: 0 });
  expect(await forget(app.ctx.db, new Date(midnight - 2 * DAY), 1_000)).toBe(30);
  expect((await fan.inject('GET', '/api/notifications?offset=cabcdefghij')).statusCode).toBe(400);
});

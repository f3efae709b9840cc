import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  buildReversalFields,
  buildSaleFields,
  createProcessorId,
  postWebhook,
} from '../modules/commerce/ccbill/testing.ts';
import { createOrder, createPaidDeposit, requireCleanLedger } from '../modules/commerce/deposits/testing.ts';
import { makeReadyPicture } from '../modules/content/media/testing.ts';
import { hidePost } from '../modules/content/posts/index.ts';
import { makePost } from '../modules/content/posts/testing.ts';
import { createPayee, createPayoutMethod, requestPayoutAs } from '../modules/finance/payouts/testing.ts';
import { eraseUser, listDeletionSteps, startDueDeletions } from '../modules/identity/account-deletion/testing.ts';
import { blockAccount, blockAccountInTx, unblockAccountInTx } from '../modules/identity/accounts/index.ts';
import { unblockExpired } from '../modules/identity/accounts/testing.ts';
import { actOnCall, connectTestCall, createCallPair } from '../modules/messaging/calls/testing.ts';
import { restoreMessage, takeDownMessage } from '../modules/messaging/chat/index.ts';
import { seedMessage } from '../modules/messaging/chat/testing.ts';
import { createReportedCase, decideCaseAs } from '../modules/trust/moderation/testing.ts';
import { createTestApp, type TestApp, type TestUser } from './app.ts';

const NOON = new Date('2026-11-18T12:00:00Z');
const DAY_MS = 24 * 60 * 60_000;

let app: TestApp;
let fan: TestUser;
let creator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ now: NOON });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.set(NOON);
  [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
});

const requestDeletion = (user: TestUser, currentPassword = user.password) =>
  user.inject('POST', '/api/account/deletion', { currentPassword });
const getDeletion = async (user: TestUser) => (await user.inject('GET', '/api/account/deletion')).json();
const login = (user: TestUser) =>
  app.inject('POST', '/api/auth/login', { username: user.username, password: user.password });
const getUserRow = (id: string) =>
  app.ctx.db.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

async function advanceDays(days = 14): Promise<void> {
  await app.ctx.events.waitUntilIdle();
  app.clock.advance(days * DAY_MS);
  await startDueDeletions(app.ctx);
  await app.ctx.jobs.runDue(['accountDeletion.erase', 'media.remove']);
  await app.ctx.events.waitUntilIdle();
}
async function dueAndErase(id: string): Promise<void> {
  await eraseUser(app.ctx, id, { signal: undefined });
  await app.ctx.events.waitUntilIdle();
}

async function eraseInterrupted(id: string): Promise<void> {
  const signal = AbortSignal.abort(new Error('killed'));
  await expect(eraseUser(app.ctx, id, { signal })).rejects.toThrow('killed');
}

describe('obstacles to account deletion', () => {
  test('include money in the wallet, with a message, until it is spent', async () => {
    await createPaidDeposit(app, fan, 50);
    expect((await getDeletion(fan)).obstacles).toEqual([
      'You have $50.00 in your wallet. Spend it or ask us for a refund.',
    ]);
    expect((await requestDeletion(fan)).json()).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('$50.00'),
    });
    await fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 50, type: 'profile' });
    expect((await getDeletion(fan)).obstacles).toEqual([]);
    expect((await requestDeletion(fan)).statusCode).toBe(200);
  });

  test('include uncleared earnings of a creator', async () => {
    await createPaidDeposit(app, fan, 50);
    await fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 50, type: 'profile' });
    expect((await requestDeletion(creator)).json().message).toMatch(/^\$45\.00 of your earnings is still pending\./);
  });

  test('include an open call, for both sides', async () => {
    const pair = await createCallPair(app);
    const callId = await connectTestCall(app, pair);
    for (const side of [pair.fan, pair.creator])
      expect((await getDeletion(side)).obstacles).toContain('You’re in a call. End it first.');
    expect((await getDeletion(pair.fan)).obstacles).toContainEqual(expect.stringMatching(/ is on hold for a call\./));
    await actOnCall(pair.fan, 'end', callId);
    expect((await getDeletion(pair.creator)).obstacles).not.toContain('You’re in a call. End it first.');
  });

  test('include a fan’s debt', async () => {
    const { saleId } = await createPaidDeposit(app, fan, 50);
    await fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 50, type: 'profile' });
    app.clock.advance(60_000);
    await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, '51.00'));
    const debtMessage = 'You owe $50.00 for a reversed payment. See your wallet.';
    expect((await getDeletion(fan)).obstacles).toEqual([debtMessage]);
    expect((await requestDeletion(fan)).json()).toMatchObject({ code: 'CONFLICT', message: debtMessage });
  });

  test('include a payout in progress', async () => {
    const paid = await createPayee(app, 10_000);
    const method = await createPayoutMethod(app, paid);
    const { id } = (await requestPayoutAs(paid, 100, method.id)).json();
    const underWay = 'A payout is in progress. Wait for it to arrive or cancel it.';
    expect((await getDeletion(paid)).obstacles).toEqual([underWay]);
    expect((await requestDeletion(paid)).json()).toMatchObject({ code: 'CONFLICT', message: underWay });
    await paid.inject('POST', `/api/creator/payouts/${id}/cancel`);
    expect((await getDeletion(paid)).obstacles).toEqual([
      'You have $100.00 in available earnings. Request a payout first.',
    ]);
  });

  test('include money that arrived in the meantime, which postpones the deletion day by day', async () => {
    const late = await createOrder(app, fan, 50);
    expect((await requestDeletion(fan)).statusCode).toBe(200);
    const saleId = createProcessorId();
    await postWebhook(app, 'NewSaleSuccess', buildSaleFields(app, late, saleId));
    await advanceDays(14);
    expect((await getUserRow(fan.id)).username).toBe(fan.username);
    const dueAt = async () =>
      (
        await app.owner.pool.query<{ at: Date }>('select due_at as at from account_deletions where user_id = $1', [
          fan.id,
        ])
      ).rows[0]?.at;
    expect(await dueAt()).toEqual(new Date(NOON.getTime() + 15 * DAY_MS));
    await postWebhook(app, 'Void', buildReversalFields(app, saleId, '51.00'));
    await advanceDays(1);
    expect((await getUserRow(fan.id)).name).toBe('Closed account');
    await requireCleanLedger(app);
  });

  test('do not include earnings below the minimum payout, which the user is warned to lose', async () => {
    await createPaidDeposit(app, fan, 20);
    await fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 20, type: 'profile' });
    const { obstacles, consequences } = await getDeletion(creator);
    expect(obstacles).toEqual([]);
    expect(consequences).toContain('You have earned $18.00. That’s below the minimum payout, so it will be forfeited.');
    expect((await getDeletion(await app.signUp('creator'))).consequences.join(' ')).not.toContain('forfeited');
  });

  test('include a wrong password', async () => {
    expect((await requestDeletion(fan, 'Wrong-password-1!')).statusCode).toBe(400);
    expect((await fan.inject('GET', '/api/auth/user')).statusCode).toBe(200);
  });
});

describe('the waiting period of an account deletion', () => {
  test('logs out all sessions, hides the profile, and is canceled by a log-in', async () => {
    await makePost(app.ctx, creator.id);
    const profile = () => app.inject('GET', `/api/public/profile/${creator.username}`);
    expect((await profile()).statusCode).toBe(200);
    expect((await requestDeletion(creator)).json()).toMatchObject({
      dueAt: new Date(NOON.getTime() + 14 * DAY_MS).toISOString(),
    });
    expect((await creator.inject('GET', '/api/auth/user')).statusCode).toBe(401);
    expect((await profile()).statusCode).toBe(404);
    app.clock.advance(13 * DAY_MS);
    expect((await login(creator)).json()).toMatchObject({ id: creator.id });
    expect((await profile()).statusCode).toBe(200);
    app.clock.advance(2 * DAY_MS);
    await dueAndErase(creator.id);
    expect((await getUserRow(creator.id)).username).toBe(creator.username);
  });

  test('ends when deletion starts, after which neither a log-in nor an unblock restores the account', async () => {
    await requestDeletion(creator);
    app.clock.advance(14 * DAY_MS);
    await eraseInterrupted(creator.id);
    expect((await login(creator)).json().code).toBe('account_blocked');
    await app.ctx.db.transaction((tx) => unblockAccountInTx(tx, creator.id));
    expect((await login(creator)).json().code).toBe('account_blocked');
    const until = app.clock.now();
    await app.ctx.db.transaction((tx) => blockAccountInTx(tx, creator.id, { reason: 'test', until }));
    app.clock.advance(1_000);
    await unblockExpired(app.ctx);
    expect((await login(creator)).json().code).toBe('account_blocked');
    expect((await app.inject('GET', `/api/public/profile/${creator.username}`)).statusCode).toBe(404);
    await dueAndErase(creator.id);
    expect((await getUserRow(creator.id)).name).toBe('Closed account');
  });

  test('is not canceled when an operator reverses an earlier decision', async () => {
    await requestDeletion(creator);
    await app.ctx.db.transaction((tx) => unblockAccountInTx(tx, creator.id));
    expect((await app.inject('GET', `/api/public/profile/${creator.username}`)).statusCode).toBe(404);
    expect((await login(creator)).json()).toMatchObject({ id: creator.id });
  });

  test('continues with its old date after a suspension is reversed, and the user is notified', async () => {
    await makePost(app.ctx, creator.id);
    const operator = await app.signUp('operator');
    await requestDeletion(creator);
    const caseId = await createReportedCase(app, fan, { user: creator });
    const suspended = (await decideCaseAs(operator, caseId, { action: 'suspend', days: 30 })).json();
    expect((await login(creator)).json().code).toBe('account_blocked');
    // Nothing is deleted during a suspension.
    await advanceDays();
    expect((await getUserRow(creator.id)).username).toBe(creator.username);
    app.clock.set(new Date(NOON.getTime() + DAY_MS));
    const path = `/api/admin/case-decisions/${suspended.decisions[0].id}/undo`;
    const undone = await (await app.logIn(operator)).inject('POST', path, { reason: 'The wrong person.' });
    expect(undone.statusCode, undone.body).toBe(200);
    expect(await getUserRow(creator.id)).toMatchObject({
      is_blocked: true,
      is_deletion_pending: true,
      blocked_until: null,
    });
    expect((await app.inject('GET', `/api/public/profile/${creator.username}`)).statusCode).toBe(404);
    const mail = await app.ctx.db.query
      .selectFrom('development_mail')
      .select('body')
      .where('recipient', '=', creator.email)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(mail?.body).toContain('Your account will still be deleted as you requested. Log in before then to keep it.');
    await advanceDays(12);
    expect((await getUserRow(creator.id)).username).toBe(creator.username);
    await advanceDays(1);
    expect((await getUserRow(creator.id)).name).toBe('Closed account');
  });

  test('is canceled when a temporary block expires', async () => {
    await requestDeletion(creator);
    const until = new Date(NOON.getTime() + DAY_MS);
    await app.ctx.db.transaction((tx) => blockAccountInTx(tx, creator.id, { reason: 'test', until }));
    app.clock.set(until);
    await unblockExpired(app.ctx);
    expect(await getUserRow(creator.id)).toMatchObject({
      is_blocked: false,
      is_deletion_pending: false,
      is_deletion_held: false,
    });
    await advanceDays();
    expect((await getUserRow(creator.id)).username).toBe(creator.username);
  });

  test('does not let a blocked user log in', async () => {
    await requestDeletion(fan);
    await blockAccount(app.ctx, fan.id, 'test');
    expect((await login(fan)).json().code).toBe('account_blocked');
  });
});

describe('after account deletion', () => {
  test('a creator’s name, profile, messages and media are gone, purchases stay, and the ledger is clean', async () => {
    const [sold, unsold] = await Promise.all([
      makeReadyPicture(app.ctx, creator.id, { hasFiles: true }),
      makeReadyPicture(app.ctx, creator.id, { hasFiles: true }),
    ]);
    const soldPost = await makePost(app.ctx, creator.id, { mediaIds: [sold], priceCents: 500, caption: 'Sold' });
    const unsoldPost = await makePost(app.ctx, creator.id, { mediaIds: [unsold], caption: 'Unsold words' });
    await createPaidDeposit(app, fan, 50);
    await fan.inject('POST', `/api/post/unlock/${soldPost}`, {});
    await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
    const pair = { creatorId: creator.id, fanId: fan.id };
    await seedMessage(app.ctx, pair, { from: 'creator', text: 'My secret words' });
    const { conversationId } = await seedMessage(app.ctx, pair, { from: 'fan', text: 'Mine stay' });
    expect((await requestDeletion(creator)).statusCode).toBe(200);
    await app.ctx.events.waitUntilIdle();
    app.clock.advance(14 * DAY_MS);
    await dueAndErase(creator.id);
    fan = await app.logIn(fan);

    expect(await getUserRow(creator.id)).toMatchObject({
      username: `closed-${creator.id}`,
      name: 'Closed account',
      email: `${creator.id}@closed.invalid`,
      avatar_key: null,
    });
    expect((await login(creator)).json().code).toBe('VALIDATION');
    for (const name of [creator.username, `closed-${creator.id}`])
      expect((await fan.inject('GET', `/api/public/profile/${name}`)).statusCode).toBe(404);
    expect((await fan.inject('GET', `/api/post/${unsoldPost}`)).statusCode).toBe(404);
    expect((await fan.inject('GET', `/api/post/${soldPost}`)).json()).toMatchObject({ id: soldPost });
    const key = (id: string) => `/api/asset/private?fileKey=m/${id}/640.webp&tblType=post`;
    expect((await fan.inject('GET', key(sold))).statusCode).toBe(200);
    expect((await fan.inject('GET', key(unsold))).statusCode).toBe(404);
    await app.ctx.jobs.runDue(['media.remove']);
    expect(await app.ctx.storage.open(`private/m/${unsold}/640.webp`)).toBeUndefined();
    const thread = (await fan.inject('GET', `/api/message/list/${conversationId}`)).body;
    expect(thread).not.toContain('My secret words');
    expect(thread).toContain('Mine stay');
    expect((await fan.inject('GET', '/api/customer/following-counts')).body).not.toContain('"following":1');
    const dump = await app.owner.pool.query<{ found: string }>(
      `select 'user' as found from users where email = $1 or username = $2 union all select 'post' from posts where caption = 'Unsold words'
       union all select 'message' from messages where text = 'My secret words'`,
      [creator.email, creator.username],
    );
    expect(dump.rows).toEqual([]);
    await requireCleanLedger(app);
  });

  test('files of posts that an operator hid are retained, and many of them do not stop the deletion', async () => {
    const hidden = await Promise.all(Array.from({ length: 51 }, () => makeReadyPicture(app.ctx, creator.id)));
    for (const mediaId of hidden) {
      const postId = await makePost(app.ctx, creator.id, { mediaIds: [mediaId], shouldEmit: false });
      await app.ctx.db.transaction((tx) => hidePost(app.ctx, tx, postId));
    }
    const unsold = await makeReadyPicture(app.ctx, creator.id);
    await makePost(app.ctx, creator.id, { mediaIds: [unsold] });
    await requestDeletion(creator);
    await app.ctx.events.waitUntilIdle();
    app.clock.advance(14 * DAY_MS);
    await dueAndErase(creator.id);
    expect((await getUserRow(creator.id)).name).toBe('Closed account');
    const remaining = await app.ctx.db.query
      .selectFrom('media')
      .select('id')
      .where('owner_id', '=', creator.id)
      .execute();
    expect(remaining.map(({ id }) => id).toSorted()).toEqual(hidden.toSorted());
  });

  test('the text of unsent and taken down messages is gone and cannot be restored', async () => {
    const pair = { creatorId: creator.id, fanId: fan.id };
    const unsent = await seedMessage(app.ctx, pair, { from: 'creator', text: 'Taken back words' });
    const takenDown = await seedMessage(app.ctx, pair, { from: 'creator', text: 'Taken away words' });
    const others = await seedMessage(app.ctx, pair, { from: 'fan', text: 'Words of the other' });
    expect(
      (await creator.inject('DELETE', `/api/message/msg/${unsent.conversationId}/${unsent.messageId}?isUnsend=true`))
        .statusCode,
    ).toBe(200);
    await app.ctx.db.transaction((tx) => takeDownMessage(app.ctx, tx, takenDown.messageId));
    await requestDeletion(creator);
    app.clock.advance(14 * DAY_MS);
    await dueAndErase(creator.id);
    await app.ctx.db.transaction((tx) => restoreMessage(app.ctx, tx, takenDown.messageId));
    const rows = await app.ctx.db.query
      .selectFrom('messages')
      .select(['id', 'text', 'unsent_at'])
      .where('id', 'in', [unsent.messageId, takenDown.messageId, others.messageId])
      .orderBy('seq')
      .execute();
    expect(rows.map(({ text, unsent_at }) => [text, unsent_at !== null])).toEqual([
      ['', true],
      ['', true],
      ['Words of the other', false],
    ]);
  });

  test('the username stays reserved for a year', async () => {
    await requestDeletion(fan);
    app.clock.advance(14 * DAY_MS);
    await dueAndErase(fan.id);
    const isUsernameTaken = async () =>
      (await app.inject('GET', `/api/auth/check-username?username=${fan.username.toUpperCase()}`)).json().isTaken;
    expect(await isUsernameTaken()).toBe(true);
    app.clock.advance(365 * DAY_MS);
    expect(await isUsernameTaken()).toBe(false);
  });

  test('a deletion that is interrupted at any step continues, and concurrent runs have the effect of one', async () => {
    await makePost(app.ctx, creator.id, { caption: 'Interrupted words' });
    await seedMessage(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from: 'creator', text: 'Interrupted talk' });
    await requestDeletion(creator);
    app.clock.advance(14 * DAY_MS);
    const steps = listDeletionSteps(app.ctx).length;
    for (let maxChecks = 0; maxChecks < steps; maxChecks += 1) {
      let checks = 0;
      const signal = new AbortController().signal;
      signal.throwIfAborted = () => {
        checks += 1;
        if (checks > maxChecks) throw new Error('killed');
      };
      await eraseUser(app.ctx, creator.id, { signal }).catch(() => undefined);
    }
    await Promise.allSettled([dueAndErase(creator.id), dueAndErase(creator.id)]);
    await dueAndErase(creator.id);
    expect((await getUserRow(creator.id)).name).toBe('Closed account');
    const [post] = await app.ctx.db.query
      .selectFrom('posts')
      .selectAll()
      .where('creator_id', '=', creator.id)
      .execute();
    expect(post).toMatchObject({ caption: '', media_count: 0 });
  });

  test('the scheduled job deletes accounts when their waiting period is over', async () => {
    await requestDeletion(fan);
    await advanceDays(13);
    expect((await getUserRow(fan.id)).username).toBe(fan.username);
    await advanceDays(1);
    expect((await getUserRow(fan.id)).name).toBe('Closed account');
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { waitForBlockedQueries } from '../../../testing/locks.ts';
import { makeReadyPicture } from '../../content/media/testing.ts';
import { makePost } from '../../content/posts/testing.ts';
import { unblockExpired } from '../../identity/accounts/testing.ts';
import { checkLedger } from '../../ledger/ledger-checks/index.ts';
import { seedMessage } from '../../messaging/chat/testing.ts';
import { NO_SUBJECT, openCase } from './store.ts';
import {
  createReportedCase,
  decideCaseAs,
  getUserBlock,
  getUserRestrictions,
  listAuditActions,
  listMailBodies,
} from './testing.ts';

let app: TestApp;
let operator: TestUser;
let second: TestUser;
let creator: TestUser;
let fan: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  [operator, second] = [await app.signUp('operator'), await app.signUp('operator')];
});
beforeEach(async () => {
  [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
});
afterAll(() => app.close());

const DAY_MS = 24 * 60 * 60_000;
const get = async (by: Pick<TestUser, 'inject'>, path: string) => by.inject('GET', `/api/${path}`);
const read = async (id: string, by = operator) => (await get(by, `admin/cases/${id}`)).json();
const undoDecision = (id: string, by = operator) =>
  by.inject('POST', `/api/admin/case-decisions/${id}/undo`, { reason: 'We were wrong.' });

describe('a post', () => {
  test('is hidden from everyone but its creator, who is mailed the reason, and is restored by a reversal', async () => {
    const postId = await makePost(app.ctx, creator.id, { caption: 'Moon jar' });
    await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
    const timeline = async () => (await get(fan, 'feed')).json().data.map(({ id }: { id: string }) => id);
    expect(await timeline()).toEqual([postId]);
    const caseId = await createReportedCase(app, fan, { user: creator, type: 'post', typeId: postId });
    const decided = await decideCaseAs(operator, caseId, { action: 'hide' });
    expect([decided.statusCode, decided.json().state]).toEqual([200, 'closed']);
    await app.ctx.events.waitUntilIdle();
    expect(await timeline()).toEqual([]);
    expect((await get(fan, `post/${postId}`)).statusCode).toBe(404);
    expect((await get(app, `post/${postId}`)).statusCode).toBe(404);
    expect((await get(creator, `post/${postId}`)).statusCode).toBe(200);
    const [mail = ''] = await listMailBodies(app, creator.email);
    for (const text of [
      'Your post “Moon jar” is hidden.',
      'Rule 4: someone else’s work.',
      'you can appeal in Help until',
    ])
      expect(mail).toContain(text);
    const [own] = (await get(creator, 'helpdesk/decisions')).json().data;
    expect(own).toMatchObject({ action: 'hide', reason: 'Rule 4: someone else’s work.', undoneAt: null, appeal: null });
    expect((await get(fan, 'helpdesk/decisions')).json().data).toEqual([]);

    expect((await undoDecision(own.id)).statusCode).toBe(200);
    await app.ctx.events.waitUntilIdle();
    expect((await get(fan, `post/${postId}`)).statusCode).toBe(200);
    expect((await get(app, `public/posts/${creator.id}`)).json().totalCount).toBe(1);
    expect(await timeline()).toEqual([postId]);
    expect((await undoDecision(own.id)).json().code).toBe('CONFLICT');
    expect(await listAuditActions(app, caseId)).toEqual(['case.hide', 'case.undo']);
  });

  test('that is removed cannot be loaded, nor its copies, except by the operator who opened it', async () => {
    const [mediaId, copyId] = [
      await makeReadyPicture(app.ctx, creator.id, { hasFiles: true }),
      await makeReadyPicture(app.ctx, fan.id, { hasFiles: true }),
    ];
    await app.owner.pool.query("update media set content_hash = sha256('same') where id = any ($1::uuid[])", [
      [mediaId, copyId],
    ]);
    const postId = await makePost(app.ctx, creator.id, { mediaIds: [mediaId], priceCents: 500 });
    const caseId = await createReportedCase(app, fan, { user: creator, type: 'post', typeId: postId });
    const loadMedia = (by: TestUser, where: string, id = mediaId) =>
      get(by, `asset/private?fileKey=m/${id}/96.webp&tblType=${where}`);
    expect((await loadMedia(operator, 'case')).statusCode).toBe(404);
    expect((await read(caseId)).copies).toBe(1);
    const content = (await get(operator, `admin/cases/${caseId}/content`)).json();
    expect(content.media).toMatchObject([{ id: mediaId, isLocked: false }]);
    expect((await loadMedia(operator, 'case')).statusCode).toBe(200);
    expect((await loadMedia(second, 'case')).statusCode).toBe(404);
    expect((await loadMedia(creator, 'media')).statusCode).toBe(200);
    const decided = (await decideCaseAs(operator, caseId, { action: 'remove' })).json();
    await app.ctx.events.waitUntilIdle();
    for (const [by, id] of [
      [creator, mediaId],
      [fan, copyId],
    ] as const) {
      expect((await loadMedia(by, 'media', id)).statusCode).toBe(404);
      expect((await loadMedia(by, 'case', id)).statusCode).toBe(404);
    }
    expect((await app.inject('GET', `/media/public/p/${mediaId}/preview.webp`)).statusCode).toBe(404);
    expect((await loadMedia(operator, 'case')).statusCode).toBe(200);
    await undoDecision(decided.decisions[0].id);
    await app.ctx.events.waitUntilIdle();
    expect((await loadMedia(creator, 'media')).statusCode).toBe(200);
    expect((await loadMedia(fan, 'media', copyId)).statusCode).toBe(200);
    app.clock.advance(60 * 60_000);
    expect((await loadMedia(await app.logIn(operator), 'case')).statusCode).toBe(404);
    expect(await listAuditActions(app, caseId)).toEqual(['case.view', 'case.remove', 'case.undo']);
  });
});

test('a hidden message disappears for both sides and is restored, and operators see it with its context', async () => {
  const pair = { creatorId: creator.id, fanId: fan.id };
  for (let count = 0; count < 8; count += 1) await seedMessage(app.ctx, pair, { from: 'fan', text: `before ${count}` });
  const written = await seedMessage(app.ctx, pair, { from: 'creator', text: 'Pay me outside' });
  const caseId = await createReportedCase(app, fan, { user: creator, type: 'message', typeId: written.messageId });
  const { texts } = (await get(operator, `admin/cases/${caseId}/content`)).json();
  expect(texts.map(({ text }: { text: string }) => text)).toEqual(
    [3, 4, 5, 6, 7].map((count) => `before ${count}`).concat('Pay me outside'),
  );
  const thread = async (by: TestUser) =>
    (await get(by, `message/list/${written.conversationId}`)).json().data.map(({ text }: { text: string }) => text);
  const decided = (await decideCaseAs(operator, caseId, { action: 'hide' })).json();
  for (const by of [fan, creator]) expect(await thread(by)).not.toContain('Pay me outside');
  await undoDecision(decided.decisions[0].id);
  for (const by of [fan, creator]) expect(await thread(by)).toContain('Pay me outside');
});

describe('an account', () => {
  test('is restricted from writing, publishing and payouts until the given date only', async () => {
    const send = (by: TestUser) => by.inject('POST', '/api/message/text', { receiverId: creator.id, text: 'Hello' });
    const caseId = await createReportedCase(app, creator, { user: fan, typeId: fan.id });
    expect((await decideCaseAs(operator, caseId, { action: 'limitChat' })).json()).toMatchObject({
      error: [{ field: 'days', message: 'Enter the number of days.' }],
    });
    expect((await decideCaseAs(operator, caseId, { action: 'limitChat', days: 2 })).statusCode).toBe(200);
    expect((await send(fan)).json()).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringMatching(/^You can’t send messages until \d+ \w+ \d{4}\.$/),
    });
    expect((await get(fan, 'message/conversation-list')).statusCode).toBe(200);
    app.clock.advance(2 * DAY_MS + 1);
    expect((await send(await app.logIn(fan))).statusCode).toBe(200);

    const target = { user: creator, typeId: creator.id };
    await decideCaseAs(operator, await createReportedCase(app, fan, target), { action: 'limitPosting', days: 3 });
    await decideCaseAs(operator, await createReportedCase(app, fan, target), { action: 'limitPayouts', days: 3 });
    const mediaId = await makeReadyPicture(app.ctx, creator.id);
    const publish = (by: TestUser) =>
      by.inject('POST', '/api/post', {
        caption: '',
        price: 0,
        media: [{ id: mediaId, alt: '' }],
        tags: [],
        people: [],
      });
    expect((await publish(creator)).json().message).toContain('You can’t publish until');
    app.clock.advance(3 * DAY_MS + 1);
    await unblockExpired(app.ctx);
    expect((await publish(await app.logIn(creator))).statusCode).toBe(200);
    const { restrictions } = await getUserRestrictions(app, creator.id);
    expect(restrictions).toBeNull();
  });

  test('that is suspended loses its sessions, sees the reason at log-in, and is unblocked automatically', async () => {
    const caseId = await createReportedCase(app, fan, { user: creator, typeId: creator.id });
    await decideCaseAs(operator, caseId, { action: 'suspend', days: 7 });
    const logIn = () =>
      app.inject('POST', '/api/auth/login', { username: creator.username, password: creator.password });
    expect((await get(creator, 'auth/user')).statusCode).toBe(401);
    expect((await get(app, `public/profile/${creator.username}`)).statusCode).toBe(404);
    expect((await logIn()).json()).toMatchObject({
      code: 'account_blocked',
      message: expect.stringMatching(
        /^Your account is suspended until .* Rule 4: someone else’s work\. If you think this is a mistake, contact us\.$/,
      ),
    });
    app.clock.advance(7 * DAY_MS + 1);
    expect((await logIn()).statusCode).toBe(200);
    expect((await get(app, `public/profile/${creator.username}`)).statusCode).toBe(200);
  });

  test('gets the stricter of two simultaneous decisions in any order', async () => {
    const target = { user: creator, typeId: creator.id };
    const postId = await makePost(app.ctx, creator.id);
    const userCaseId = await createReportedCase(app, fan, target);
    const postCaseId = await createReportedCase(app, fan, { user: creator, type: 'post', typeId: postId });
    const client = await app.owner.pool.connect();
    await client.query('begin');
    await client.query('select 1 from users where id = $1 for no key update', [creator.id]);
    const block = decideCaseAs(operator, userCaseId, { action: 'block' });
    await waitForBlockedQueries(app);
    const suspend = decideCaseAs(second, postCaseId, { action: 'suspend', days: 1 });
    await waitForBlockedQueries(app, 2);
    await client.query('commit');
    client.release();
    expect((await Promise.all([block, suspend])).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const row = await getUserBlock(app, creator.id);
    expect(row).toEqual({ is_blocked: true, blocked_until: null });
  });

  test('stays blocked by another decision in force when one is reversed', async () => {
    const target = { user: creator, typeId: creator.id };
    const block = (await decideCaseAs(operator, await createReportedCase(app, fan, target), { action: 'block' })).json()
      .decisions[0].id;
    const other = (
      await decideCaseAs(operator, await createReportedCase(app, fan, target), { action: 'suspend', days: 1 })
    ).json().decisions[0].id;
    const getBlock = () => getUserBlock(app, creator.id);
    expect(await getBlock()).toEqual({ is_blocked: true, blocked_until: null });
    await undoDecision(block);
    expect(await getBlock()).toMatchObject({ is_blocked: true, blocked_until: expect.any(Date) });
    await undoDecision(other);
    expect(await getBlock()).toEqual({ is_blocked: false, blocked_until: null });
  });
});

test('the second of two simultaneous decisions on a case is refused', async () => {
  const caseId = await createReportedCase(app, fan, { user: creator, typeId: creator.id });
  const responses = await Promise.all([operator, second].map((by) => decideCaseAs(by, caseId, { action: 'warn' })));
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect((await read(caseId)).decisions).toHaveLength(1);
  expect(await listAuditActions(app, caseId)).toEqual(['case.warn']);
});

test('an operator cannot be sanctioned, nor decide a case that is about them or from them', async () => {
  const own = await createReportedCase(app, operator, { user: creator, typeId: creator.id });
  expect((await read(own)).blockedReason).toContain('You opened this case');
  expect((await decideCaseAs(operator, own, { action: 'warn' })).json().code).toBe('FORBIDDEN');
  const row = await app.ctx.db.query.selectFrom('cases').select('id').where('id', '=', own).executeTakeFirstOrThrow();
  await app.ctx.db.query.updateTable('cases').set({ user_id: second.id }).where('id', '=', row.id).execute();
  const third = await app.signUp('operator');
  for (const by of [second, third]) {
    expect((await read(own, by)).allowedActions).toEqual([]);
    expect((await decideCaseAs(by, own, { action: 'block' })).json().code).toBe('FORBIDDEN');
  }
});

describe('an appeal', () => {
  test('goes to another operator, once, and reverses the decision if it is overturned', async () => {
    const caseId = await createReportedCase(app, fan, { user: creator, typeId: creator.id });
    await decideCaseAs(operator, caseId, { action: 'limitChat', days: 30 });
    const [{ id }] = (await get(creator, 'helpdesk/decisions')).json().data;
    const appeal = (by: TestUser) =>
      by.inject('POST', `/api/helpdesk/decisions/${id}/appeal`, { message: 'It was my own work.' });
    expect((await appeal(fan)).json().code).toBe('NOT_FOUND');
    const responses = await Promise.all([appeal(creator), appeal(creator)]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const { data } = (await get(second, 'admin/cases?queue=appeals')).json();
    expect(data).toMatchObject([{ kind: 'appeal', user: { id: creator.id } }]);
    expect(await read(data[0].id)).toMatchObject({
      allowedActions: [],
      blockedReason: expect.stringContaining('Someone else must decide'),
    });
    expect((await decideCaseAs(operator, data[0].id, { action: 'uphold' })).json().code).toBe('FORBIDDEN');
    expect((await read(data[0].id, second)).appealedDecision).toMatchObject({
      action: 'limitChat',
      operator: operator.username,
    });
    expect((await decideCaseAs(second, data[0].id, { action: 'overturn' })).statusCode).toBe(200);
    const [decision] = (await get(creator, 'helpdesk/decisions')).json().data;
    expect(decision).toMatchObject({ undoneAt: expect.any(String), appeal: { outcome: 'overturn', state: 'closed' } });
    const { restrictions } = await getUserRestrictions(app, creator.id);
    expect(restrictions).toBeNull();
  });

  test('is opened by a message from a blocked user', async () => {
    const caseId = await createReportedCase(app, fan, { user: creator, typeId: creator.id });
    await decideCaseAs(operator, caseId, { action: 'block' });
    const write = () =>
      app.inject('POST', '/api/public/contact-admin', {
        name: 'A creator',
        email: creator.email,
        details: 'It was me.',
      });
    expect((await write()).statusCode).toBe(200);
    const { data } = (await get(second, 'admin/cases?queue=appeals')).json();
    expect(data).toMatchObject([{ kind: 'appeal', user: { id: creator.id } }]);
    await decideCaseAs(second, data[0].id, { action: 'uphold', reason: 'The copies are byte for byte.' });
    expect((await listMailBodies(app, creator.email))[0]).toContain('The copies are byte for byte.');
  });

  test('from an unproven address does not use up the user’s own appeal', async () => {
    const caseId = await createReportedCase(app, fan, { user: creator, typeId: creator.id });
    await decideCaseAs(operator, caseId, { action: 'suspend', days: 7 });
    const write = async (details: string) => {
      const body = { name: 'Whoever', email: creator.email.toUpperCase(), details };
      return (await app.inject('POST', '/api/public/contact-admin', body)).json().reference;
    };
    const listAppealIds = async () =>
      (await get(second, `admin/cases?q=${creator.username}`))
        .json()
        .data.flatMap(({ id, kind }: { id: string; kind: string }) => (kind === 'appeal' ? [id] : []));
    const first = await write('I am guilty.');
    expect(await write('It was me.')).not.toBe(first);
    const [id] = await listAppealIds();
    expect(await listAppealIds()).toHaveLength(1);
    const view = await read(id, second);
    expect(view).toMatchObject({ kind: 'appeal', isUnverified: true, fromUser: null });
    expect(view.entries.map(({ text }: { text: string }) => text)).toEqual(['I am guilty.']);
    await decideCaseAs(second, id, { action: 'uphold', reason: 'As they say.' });
    expect(await write('That was not me.')).not.toBe(first);
    app.clock.advance(7 * DAY_MS + 1);
    await unblockExpired(app.ctx);
    const loggedIn = await app.logIn(creator);
    const [own] = (await get(loggedIn, 'helpdesk/decisions')).json().data;
    expect(own).toMatchObject({ appeal: null, appealBy: expect.any(String) });
    const appeal = () =>
      loggedIn.inject('POST', `/api/helpdesk/decisions/${own.id}/appeal`, { message: 'It was my own.' });
    expect([(await appeal()).statusCode, (await appeal()).statusCode]).toEqual([200, 409]);
  });
});

test('every reporter is notified whether action was taken', async () => {
  const testApp = await createTestApp();
  try {
    await testApp.app.start();
    const by = await testApp.signUp('operator');
    const [first, other, third] = [
      await testApp.signUp('customer'),
      await testApp.signUp('creator'),
      await testApp.signUp('customer'),
    ];
    const target = async () => ({ user: await testApp.signUp('creator') });
    const listNotices = async (user: TestUser) => {
      await testApp.ctx.events.waitUntilIdle();
      return (await get(user, 'notifications')).json().data.map(({ text }: { text: string }) => text);
    };
    const [actedOn, untouched] = [await target(), await target()];
    const caseId = await createReportedCase(testApp, first, actedOn);
    expect(await createReportedCase(testApp, other, actedOn)).toBe(caseId);
    const ids = [await createReportedCase(testApp, third, untouched)];
    for (const user of [first, other, third]) expect(await listNotices(user)).toEqual([]);
    expect((await decideCaseAs(by, caseId, { action: 'warn' })).statusCode).toBe(200);
    for (const user of [first, other]) expect(await listNotices(user)).toEqual(['We took action on your report']);
    expect(await listNotices(third)).toEqual([]);
    await by.inject('POST', '/api/admin/cases/dismiss', { ids, reason: 'Spam' });
    expect(await listNotices(third)).toEqual(['We reviewed your report']);
  } finally {
    await testApp.close();
  }
});

test('several reports are dismissed at once, and decided ones are skipped', async () => {
  const ids = await Promise.all(
    Array.from({ length: 3 }, async () => createReportedCase(app, fan, { user: await app.signUp('creator') })),
  );
  await decideCaseAs(second, ids[0] ?? '', { action: 'warn' });
  const response = await operator.inject('POST', '/api/admin/cases/dismiss', { ids, reason: 'Spam' });
  expect(response.json()).toEqual({ dismissed: ids.slice(1), skipped: ids.slice(0, 1) });
  for (const id of ids.slice(1)) expect(await listAuditActions(app, id)).toEqual(['case.dismiss']);
  await app.ctx.events.waitUntilIdle();
  expect((await checkLedger(app.ctx.db)).checks.flatMap(({ wrong }) => wrong)).toEqual([]);
});

test('fifty cases can be decided and reversed within a minute', async () => {
  // A fifth of the limits permits a fifth of the cases.
  const strict = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.2' } });
  try {
    const by = await strict.signUp('operator');
    const codes: number[] = [];
    for (let count = 0; count < 10; count += 1) {
      const from = { id: null, name: 'Bea', email: 'bea@example.com' };
      const newCase = { kind: 'contact', title: 'Message from Bea', from, about: NO_SUBJECT } as const;
      const { row } = await strict.ctx.db.transaction((tx) => openCase(strict.ctx, tx, newCase));
      const decided = await decideCaseAs(by, row.id, { action: 'dismiss' });
      const path = `/api/admin/case-decisions/${decided.json().decisions?.[0]?.id}/undo`;
      codes.push(decided.statusCode, (await by.inject('POST', path, { reason: 'Too fast.' })).statusCode);
    }
    expect(codes).toEqual(codes.map(() => 200));
  } finally {
    await strict.close();
  }
});

test('a measure about a user who is an operator now is reversed only by another operator', async () => {
  const caseId = await createReportedCase(app, fan, { user: creator, type: 'profile', typeId: creator.id });
  const [{ id }] = (await decideCaseAs(operator, caseId, { action: 'warn' })).json().decisions;
  await app.owner.query.updateTable('case_decisions').set({ user_id: second.id }).where('id', '=', id).execute();
  expect([(await undoDecision(id, second)).statusCode, (await undoDecision(id)).statusCode]).toEqual([403, 200]);
});

import { randomUUID } from 'node:crypto';
import type { OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import type { AdminUser, SearchResult } from '@stagedoor/contract/admin/search.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makePost } from '../../content/posts/testing.ts';
import { createEarnings } from '../../finance/payouts/testing.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { actOnCall, connectTestCall, createCallPair, talkInCall } from '../../messaging/calls/testing.ts';
import { createReportedCase, decideCaseAs } from '../../trust/moderation/testing.ts';
import { parseSearchAmount } from './search.ts';

let app: TestApp;
let creator: TestUser;
let fan: TestUser;
let postId: string;
let caseId: string;
const operators = new Map<OperatorRole, TestUser>();
const ROLES = ['owner', 'moderator', 'finance', 'support', 'auditor'] as const;
beforeAll(async () => {
  app = await createTestApp();
  for (const role of ROLES) operators.set(role, await app.signUp('operator', { roles: [role] }));
  creator = await app.signUp('creator', { username: 'quinta.lamplighter', name: 'Quinta Lamplighter' });
  fan = await app.signUp('customer', { username: 'orla.found', name: 'Órla 100% Found' });
  await createEarnings(app, creator.id, 10_000);
  for (const [role, one] of operators) operators.set(role, await app.logIn(one));
  [creator, fan] = [await app.logIn(creator), await app.logIn(fan)];
  await createDeposit(app.ctx.db, fan.id, 4_321);
  postId = await makePost(app.ctx, creator.id, { caption: 'Lamps at dusk' });
  caseId = await createReportedCase(app, fan, { user: creator, type: 'post', typeId: postId });
});
afterAll(() => app.close());

const getOperator = (role: OperatorRole) => operators.get(role) ?? fan;
type SearchResponse = { data: SearchResult[]; hasMore: boolean };
async function searchFor(q: string, role: OperatorRole = 'owner'): Promise<SearchResponse> {
  const response = await getOperator(role).inject('GET', `/api/admin/search?q=${encodeURIComponent(q)}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}
const listKinds = async (q: string, role: OperatorRole = 'owner') => [
  ...new Set((await searchFor(q, role)).data.map(({ kind }) => kind)),
];
const findUserIds = async (q: string) =>
  (await searchFor(q)).data.filter(({ kind }) => kind === 'user').map(({ id }) => id);
async function listViews(action: string): Promise<{ subject_id: string; details: unknown }[]> {
  return app.ctx.db.query
    .selectFrom('audit_log')
    .select(['subject_id', 'details'])
    .where('action', '=', action)
    .orderBy('position')
    .execute();
}
const getUser = async (id: string, role: OperatorRole = 'owner') =>
  getOperator(role).inject('GET', `/api/admin/users/${id}`);

describe('user search', () => {
  test.each(['quinta.lamplighter', '@QUINTA.LAMPLIGHTER', 'Quinta La', 'qu', 'lamplight', 'mplighter'])(
    'finds a user by %s',
    async (q) => {
      expect(await findUserIds(q)).toContain(creator.id);
    },
  );

  test('finds a user by e-mail address, by the beginning of it, and by id', async () => {
    for (const q of [creator.email, creator.email.slice(0, 6), creator.id.toUpperCase()])
      expect(await findUserIds(q), q).toContain(creator.id);
  });

  test('returns only one user for a complete address, though another address contains it', async () => {
    await app.signUp('customer', { username: 'namesake', email: `x${creator.email}` });
    expect(await findUserIds(creator.email)).toEqual([creator.id]);
    expect(await findUserIds(creator.email.slice(1))).toHaveLength(2);
  });

  test('matches text literally, without SQL or pattern characters', async () => {
    expect(await findUserIds('100% f')).toEqual([fan.id]);
    expect(await findUserIds('órla')).toEqual([fan.id]);
    for (const q of ['%', '_', '\\', "'; drop table users; --", '100_ f', '%%%'])
      expect(await findUserIds(q), q).toEqual([]);
    expect(await searchFor('')).toMatchObject({ data: [], hasMore: false });
  });

  test('neither finds nor shows operators', async () => {
    const owner = getOperator('owner');
    expect(await findUserIds(owner.username)).toEqual([]);
    expect(await findUserIds(owner.id)).toEqual([]);
    expect((await getUser(owner.id)).statusCode).toBe(404);
    expect((await getUser(randomUUID())).statusCode).toBe(404);
  });

  test('returns twenty users at a time and whether there are more', async () => {
    for (let count = 0; count < 21; count += 1) await app.signUp('customer', { username: `crowded.house${count}` });
    for (const q of ['crowded.house', 'rowded.hous']) {
      const { data, hasMore } = await searchFor(q);
      expect([new Set(data.map(({ id }) => id)).size, hasMore], q).toEqual([20, true]);
    }
    expect(await findUserIds('rowded.house2')).toHaveLength(2);
  });
});

test('a user is found by a part of a name in any script, regardless of accents and of the form of letters', async () => {
  const japanese = await app.signUp('customer', { username: 'yamada.hanako', name: '山田花子' });
  const greek = await app.signUp('customer', { username: 'greek.road', name: 'Η ΟΔΟΣ Łódź' });
  for (const text of ['山田花子', '山田', '花子', '田花', '花'])
    expect([text, await findUserIds(text)]).toEqual([text, [japanese.id]]);
  for (const text of ['οδος', 'ΟΔΟΣ', 'οδός', 'lodz', 'ŁÓDŹ', 'η οδος'])
    expect([text, await findUserIds(text)]).toEqual([text, [greek.id]]);
});

test('each role finds only what it may open', async () => {
  const { reference } = (await getOperator('owner').inject('GET', `/api/admin/cases/${caseId}`)).json();
  for (const role of ROLES) {
    const readsCases = role !== 'finance';
    const readsBooks = role === 'owner' || role === 'finance' || role === 'auditor';
    expect(await listKinds(reference, role), role).toEqual(readsCases ? ['case'] : []);
    expect(await listKinds(caseId, role), role).toEqual(readsCases ? ['case'] : []);
    expect(await listKinds(postId, role), role).toEqual(readsCases ? ['post'] : []);
    expect(await listKinds('43.21', role), role).toEqual(readsBooks ? ['transaction'] : []);
    expect(await listKinds(fan.id, role), role).toEqual(['user']);
  }
  const [hit] = (await searchFor('$43.21')).data;
  expect(hit).toMatchObject({ title: 'Deposit', amount: 43.21 });
  expect((await searchFor(hit?.id ?? '')).data).toMatchObject([{ kind: 'transaction', id: hit?.id }]);
});

test('a number is an amount only with cents or a currency sign', () => {
  expect(['12.34', '$12', '$1,200.50', '0.01'].map(parseSearchAmount)).toEqual([1_234, 1_200, 120_050, 1]);
  expect(['12', '12.3', '0.00', 'SD-1', '1e5', '-3.00', '12.345'].map(parseSearchAmount)).toEqual(
    Array(7).fill(undefined),
  );
});

test('a search logs the ids of the users shown, and not the search text', async () => {
  const otherFan = await app.signUp('customer');
  await searchFor(otherFan.email);
  const [last] = (await listViews('search.view')).slice(-1);
  expect(last?.subject_id).toBe(otherFan.id);
  await searchFor(fan.email);
  const [several] = (await listViews('search.view')).slice(-1);
  expect(several?.details).toEqual({ userIds: expect.stringMatching(new RegExp(`${fan.id}.* ?`)) });
  for (const { email } of [otherFan, fan]) expect(JSON.stringify(await listViews('search.view'))).not.toContain(email);
  const before = (await listViews('search.view')).length;
  await searchFor('nobody-is-called-that');
  expect((await listViews('search.view')).length).toBe(before);
});

test('a user page shows money only to roles that read the books, and each view is logged', async () => {
  const newCaseId = await createReportedCase(app, fan, { user: creator, typeId: creator.id });
  await decideCaseAs(getOperator('moderator'), newCaseId, { action: 'warn', reason: 'Rule 4: be kind.' });
  const views = new Map<OperatorRole, AdminUser>();
  for (const role of ROLES) views.set(role, (await getUser(creator.id, role)).json());
  const { owner, moderator, finance, auditor } = Object.fromEntries(views);
  expect(owner).toMatchObject({
    ...{ username: 'quinta.lamplighter', email: creator.email, type: 'creator', isBlocked: false, isDeleted: false },
    casesAbout: [{ id: newCaseId }, { id: caseId }],
    decisions: [{ action: 'warn', reason: 'Rule 4: be kind.' }],
    posts: [{ id: postId, title: 'Lamps at dusk', isDeleted: false }],
    money: { earned: 90, spent: null, accounts: expect.arrayContaining([expect.objectContaining({ balance: 90 })]) },
  });
  expect(moderator).toMatchObject({ money: null, casesAbout: [{ id: newCaseId }, { id: caseId }] });
  expect(finance).toMatchObject({ casesAbout: [], casesFrom: [], decisions: [], posts: [], money: { earned: 90 } });
  expect(auditor).toMatchObject({ money: { earned: 90 }, decisions: [{ action: 'warn' }] });
  expect((await listViews('user.view')).map((view) => view.subject_id)).toEqual(ROLES.map(() => creator.id));
  const fanView = (await getUser(fan.id)).json();
  expect(fanView).toMatchObject({
    verification: null,
    posts: [],
    casesFrom: [{ id: newCaseId }, { id: caseId }],
    sessions: 2,
  });
  expect(fanView.money.accounts).toMatchObject([{ label: 'Fan’s wallet', balance: 43.21 }]);
  expect(JSON.stringify(fanView)).not.toMatch(/password|secret|hash/i);
});

describe('a post', () => {
  const view = async (role: OperatorRole, id = postId) => getOperator(role).inject('GET', `/api/admin/posts/${id}`);

  test('is found by id and shown with its sales, refunds and cases to roles that read cases', async () => {
    const paid = await makePost(app.ctx, creator.id, { caption: 'Paid lamps', priceCents: 500 });
    const buyers = [fan, await app.signUp('customer')];
    for (const buyer of buyers) {
      await createDeposit(app.ctx.db, buyer.id, 5_000);
      expect((await buyer.inject('POST', `/api/post/unlock/${paid}`, {})).statusCode).toBe(200);
    }
    const newCaseId = await createReportedCase(app, fan, { user: creator, type: 'post', typeId: paid });
    const [purchase] = (await getOperator('owner').inject('GET', `/api/admin/cases/${newCaseId}`)).json().purchases;
    const refundDecision = { action: 'refund' as const, sales: [purchase.id], reason: 'It was not what it said.' };
    expect((await decideCaseAs(getOperator('owner'), newCaseId, refundDecision)).statusCode).toBe(200);
    await app.ctx.events.waitUntilIdle();
    expect((await searchFor(paid)).data[0]).toMatchObject({ kind: 'post', href: `/admin/posts/${paid}` });
    expect((await view('moderator', paid)).json()).toMatchObject({
      ...{ title: 'Paid lamps', price: 5, state: 'published', creator: { id: creator.id }, copies: 0 },
      sales: { count: 2, amount: 10, refunds: 1, refunded: 5 },
      cases: [{ id: newCaseId }],
      decisions: [{ action: 'refund', caseId: newCaseId }],
    });
    for (const role of ROLES) expect((await view(role, paid)).statusCode).toBe(role === 'finance' ? 403 : 200);
    expect((await view('owner', randomUUID())).statusCode).toBe(404);
  });

  test('that is hidden or removed is still shown, with the date', async () => {
    const removedPost = await makePost(app.ctx, creator.id, { caption: 'Gone lamps' });
    const newCaseId = await createReportedCase(app, fan, { user: creator, type: 'post', typeId: removedPost });
    await decideCaseAs(getOperator('moderator'), newCaseId, { action: 'hide' });
    expect((await view('auditor', removedPost)).json()).toMatchObject({
      state: 'hidden',
      stateSince: expect.any(String),
    });
    await creator.inject('DELETE', `/api/post/${removedPost}`);
    expect((await view('auditor', removedPost)).json()).toMatchObject({ state: 'removed' });
    expect((await searchFor(removedPost)).data[0]).toMatchObject({ href: `/admin/posts/${removedPost}` });
  });

  test('opens its content to moderators only, and each view is logged', async () => {
    const readContent = (role: OperatorRole, id = postId) =>
      getOperator(role).inject('GET', `/api/admin/posts/${id}/content`);
    for (const role of ['finance', 'support', 'auditor'] as const)
      expect((await readContent(role)).statusCode).toBe(403);
    expect((await listViews('post.view')).length).toBe(0);
    expect((await readContent('moderator')).json()).toMatchObject({ texts: [{ text: 'Lamps at dusk' }] });
    expect((await listViews('post.view')).map((one) => one.subject_id)).toEqual([postId]);
    expect((await readContent('moderator', randomUUID())).statusCode).toBe(404);
  });

  test('leads to a case, and an open case about the post is reused', async () => {
    const seenPost = await makePost(app.ctx, creator.id, { caption: 'Seen by us' });
    const open = (role: OperatorRole, id = seenPost) =>
      getOperator(role).inject('POST', `/api/admin/posts/${id}/case`, { reason: 'A face that nobody asked.' });
    expect((await open('auditor')).statusCode).toBe(403);
    expect((await open('moderator', randomUUID())).statusCode).toBe(404);
    const [first, second] = [(await open('moderator')).json(), (await open('support')).json()];
    expect([first.isNew, second]).toEqual([true, { ...first, isNew: false }]);
    const stranger = await app.signUp('customer');
    const reported = await createReportedCase(app, stranger, { user: creator, type: 'post', typeId: seenPost });
    expect(reported).toBe(first.id);
    const read = async () => (await getOperator('moderator').inject('GET', `/api/admin/cases/${first.id}`)).json();
    expect(await read()).toMatchObject({
      ...{
        blockedReason: null,
        adminHref: `/admin/posts/${seenPost}`,
        details: 'A face that nobody asked.',
        reports: 1,
      },
      purchases: [],
    });
    expect((await decideCaseAs(getOperator('moderator'), first.id, { action: 'hide' })).statusCode).toBe(200);
    expect((await listViews('case.open')).map((one) => one.subject_id)).toEqual([first.id, first.id]);
  });
});

test('a call is shown with both sides, its timeline and its money, and each view is logged', async () => {
  const pair = await createCallPair(app);
  const callId = await connectTestCall(app, pair);
  await talkInCall(app, callId, 90_000);
  await actOnCall(pair.fan, 'end', callId);
  const view = (role: OperatorRole, id = callId) => getOperator(role).inject('GET', `/api/admin/calls/${id}`);
  expect((await searchFor(callId)).data[0]).toMatchObject({ kind: 'call', href: `/admin/calls/${callId}` });
  const callView = (await view('owner')).json();
  expect(callView).toMatchObject({
    ...{ fan: { id: pair.fan.id }, creator: { id: pair.creator.id }, durationSeconds: 90, amount: 4.5, refunded: 0 },
    cases: [],
  });
  expect(callView.timeline.map(({ event }: { event: string }) => event)).toEqual(
    expect.arrayContaining(['called', 'answered', 'clockStarts', 'over']),
  );
  expect((await searchFor(callView.transactionId)).data).toMatchObject([{ kind: 'transaction' }]);
  expect((await view('moderator')).json()).toMatchObject({ refunded: null, transactionId: null, amount: 4.5 });
  expect((await view('finance')).statusCode).toBe(403);
  expect((await view('owner', randomUUID())).statusCode).toBe(404);
  expect((await listViews('call.view')).map((one) => one.subject_id)).toEqual([callId, callId]);
});

test('every part of the user search uses an index', async () => {
  const plans: string[] = [];
  const client = await app.owner.pool.connect();
  await client.query('begin');
  await client.query('set local enable_seqscan = off');
  for (const where of [
    `lower(username::text) collate "C" >= 'a' and lower(username::text) collate "C" < 'b' order by lower(username::text) collate "C"`,
    `lower(email::text) collate "C" >= 'a' and lower(email::text) collate "C" < 'b' order by lower(email::text) collate "C"`,
    `search_name collate "C" >= 'a' and search_name collate "C" < 'b' order by search_name collate "C"`,
    `lower(username::text) || ' ' || search_name || ' ' || lower(email::text) like '%abc%'`,
    `get_byte(uuid_send(id), 15) = 0 and lower(username::text) || ' ' || search_name || ' ' || lower(email::text) like '%abc%'`,
  ]) {
    const { rows } = await client.query(`explain select id from users where ${where} limit 5`);
    plans.push(rows.map((row) => row['QUERY PLAN']).join(' '));
  }
  await client.query('rollback');
  client.release();
  for (const [index, name] of ['username_begins', 'email_begins', 'name_begins', 'holds', 'holds_sample'].entries())
    expect(plans[index]).toContain(`users_${name}`);
});

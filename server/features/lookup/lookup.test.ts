import { randomUUID } from 'node:crypto';
import type { Hit, PersonView } from '@stagedoor/contract/lookup.ts';
import type { OperatorRole } from '@stagedoor/contract/operator-rights.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { act, connected, makePair, talk } from '../calls/testing.ts';
import { decideIt, reportedCase } from '../cases/testing.ts';
import { makeDeposit } from '../ledger/testing.ts';
import { earn } from '../payouts/testing.ts';
import { makePost } from '../posts/testing.ts';
import { centsIn } from './search.ts';

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
  await earn(app, creator.id, 10_000);
  for (const [role, one] of operators) operators.set(role, await app.logIn(one));
  [creator, fan] = [await app.logIn(creator), await app.logIn(fan)];
  await makeDeposit(app.ctx.db, fan.id, 4_321);
  postId = await makePost(app.ctx, creator.id, { caption: 'Lamps at dusk' });
  caseId = await reportedCase(app, fan, { person: creator, type: 'post', typeId: postId });
});
afterAll(() => app.close());

const as = (role: OperatorRole) => operators.get(role) ?? fan;
type Answer = { data: Hit[]; hasMore: boolean };
async function find(q: string, role: OperatorRole = 'owner'): Promise<Answer> {
  const answer = await as(role).inject('GET', `/api/admin/search?q=${encodeURIComponent(q)}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const kinds = async (q: string, role: OperatorRole = 'owner') => [
  ...new Set((await find(q, role)).data.map(({ kind }) => kind)),
];
const people = async (q: string) => (await find(q)).data.filter(({ kind }) => kind === 'person').map(({ id }) => id);
async function looks(act: string): Promise<{ subject_id: string; facts: unknown }[]> {
  return app.ctx.db.query
    .selectFrom('audit_log')
    .select(['subject_id', 'facts'])
    .where('act', '=', act)
    .orderBy('place')
    .execute();
}
const person = async (id: string, role: OperatorRole = 'owner') => as(role).inject('GET', `/api/admin/people/${id}`);

describe('user search', () => {
  test.each(['quinta.lamplighter', '@QUINTA.LAMPLIGHTER', 'Quinta La', 'qu', 'lamplight', 'mplighter'])(
    'finds a user by %s',
    async (q) => {
      expect(await people(q)).toContain(creator.id);
    },
  );

  test('finds a user by e-mail address, by the beginning of it, and by id', async () => {
    for (const q of [creator.email, creator.email.slice(0, 6), creator.id.toUpperCase()])
      expect(await people(q), q).toContain(creator.id);
  });

  test('returns only one user for a complete address, though another address contains it', async () => {
    await app.signUp('customer', { username: 'namesake', email: `x${creator.email}` });
    expect(await people(creator.email)).toEqual([creator.id]);
    expect(await people(creator.email.slice(1))).toHaveLength(2);
  });

  test('matches text literally, without SQL or pattern characters', async () => {
    expect(await people('100% f')).toEqual([fan.id]);
    expect(await people('órla')).toEqual([fan.id]);
    for (const q of ['%', '_', '\\', "'; drop table users; --", '100_ f', '%%%'])
      expect(await people(q), q).toEqual([]);
    expect(await find('')).toMatchObject({ data: [], hasMore: false });
  });

  test('neither finds nor shows operators', async () => {
    const owner = as('owner');
    expect(await people(owner.username)).toEqual([]);
    expect(await people(owner.id)).toEqual([]);
    expect((await person(owner.id)).statusCode).toBe(404);
    expect((await person(randomUUID())).statusCode).toBe(404);
  });

  test('returns twenty users at a time and tells that there are more', async () => {
    for (let count = 0; count < 21; count += 1) await app.signUp('customer', { username: `crowded.house${count}` });
    for (const q of ['crowded.house', 'rowded.hous']) {
      const { data, hasMore } = await find(q);
      expect([new Set(data.map(({ id }) => id)).size, hasMore], q).toEqual([20, true]);
    }
    expect(await people('rowded.house2')).toHaveLength(2);
  });
});

test('each role finds only what it may open', async () => {
  const { reference } = (await as('owner').inject('GET', `/api/admin/cases/${caseId}`)).json();
  for (const role of ROLES) {
    const readsCases = role !== 'finance';
    const readsBooks = role === 'owner' || role === 'finance' || role === 'auditor';
    expect(await kinds(reference, role), role).toEqual(readsCases ? ['case'] : []);
    expect(await kinds(caseId, role), role).toEqual(readsCases ? ['case'] : []);
    expect(await kinds(postId, role), role).toEqual(readsCases ? ['post'] : []);
    expect(await kinds('43.21', role), role).toEqual(readsBooks ? ['transaction'] : []);
    expect(await kinds(fan.id, role), role).toEqual(['person']);
  }
  const [hit] = (await find('$43.21')).data;
  expect(hit).toMatchObject({ title: 'Deposit', amount: 43.21 });
  expect((await find(hit?.id ?? '')).data).toMatchObject([{ kind: 'transaction', id: hit?.id }]);
});

test('a number is an amount only with cents or a currency sign', () => {
  expect(['12.34', '$12', '$1,200.50', '0.01'].map(centsIn)).toEqual([1_234, 1_200, 120_050, 1]);
  expect(['12', '12.3', '0.00', 'SD-1', '1e5', '-3.00', '12.345'].map(centsIn)).toEqual(Array(7).fill(undefined));
});

test('a search logs the ids of the users shown, and not the search text', async () => {
  const quiet = await app.signUp('customer');
  await find(quiet.email);
  const [last] = (await looks('search.look')).slice(-1);
  expect(last?.subject_id).toBe(quiet.id);
  await find(fan.email);
  const [several] = (await looks('search.look')).slice(-1);
  expect(several?.facts).toEqual({ people: expect.stringMatching(new RegExp(`${fan.id}.* ?`)) });
  for (const { email } of [quiet, fan]) expect(JSON.stringify(await looks('search.look'))).not.toContain(email);
  const before = (await looks('search.look')).length;
  await find('nobody-is-called-that');
  expect((await looks('search.look')).length).toBe(before);
});

test('a user page shows money only to roles that read the books, and each view is logged', async () => {
  const about = await reportedCase(app, fan, { person: creator, typeId: creator.id });
  await decideIt(as('moderator'), about, { act: 'warn', ground: 'Rule 4: be kind.' });
  const views = new Map<OperatorRole, PersonView>();
  for (const role of ROLES) views.set(role, (await person(creator.id, role)).json());
  const { owner, moderator, finance, auditor } = Object.fromEntries(views);
  expect(owner).toMatchObject({
    ...{ username: 'quinta.lamplighter', email: creator.email, type: 'creator', isBlocked: false, isClosed: false },
    about: [{ id: about }, { id: caseId }],
    decisions: [{ act: 'warn', ground: 'Rule 4: be kind.' }],
    posts: [{ id: postId, title: 'Lamps at dusk', isGone: false }],
    money: { earned: 90, spent: null, accounts: expect.arrayContaining([expect.objectContaining({ balance: 90 })]) },
  });
  expect(moderator).toMatchObject({ money: null, about: [{ id: about }, { id: caseId }] });
  expect(finance).toMatchObject({ about: [], wrote: [], decisions: [], posts: [], money: { earned: 90 } });
  expect(auditor).toMatchObject({ money: { earned: 90 }, decisions: [{ act: 'warn' }] });
  expect((await looks('person.look')).map((look) => look.subject_id)).toEqual(ROLES.map(() => creator.id));
  const ofFan = (await person(fan.id)).json();
  expect(ofFan).toMatchObject({ verification: null, posts: [], wrote: [{ id: about }, { id: caseId }], sessions: 2 });
  expect(ofFan.money.accounts).toMatchObject([{ words: 'Fan’s wallet', balance: 43.21 }]);
  expect(JSON.stringify(ofFan)).not.toMatch(/password|secret|hash/i);
});

describe('a post', () => {
  const view = async (role: OperatorRole, id = postId) => as(role).inject('GET', `/api/admin/posts/${id}`);

  test('is found by id and shown with its sales, refunds and cases to roles that read cases', async () => {
    const paid = await makePost(app.ctx, creator.id, { caption: 'Paid lamps', priceCents: 500 });
    const buyers = [fan, await app.signUp('customer')];
    for (const buyer of buyers) {
      await makeDeposit(app.ctx.db, buyer.id, 5_000);
      expect((await buyer.inject('POST', `/api/post/unlock/${paid}`, {})).statusCode).toBe(200);
    }
    const about = await reportedCase(app, fan, { person: creator, type: 'post', typeId: paid });
    const [purchase] = (await as('owner').inject('GET', `/api/admin/cases/${about}`)).json().purchases;
    const back = { act: 'refund' as const, sales: [purchase.id], ground: 'It was not what it said.' };
    expect((await decideIt(as('owner'), about, back)).statusCode).toBe(200);
    await app.ctx.events.settle();
    expect((await find(paid)).data[0]).toMatchObject({ kind: 'post', href: `/admin/posts/${paid}` });
    expect((await view('moderator', paid)).json()).toMatchObject({
      ...{ title: 'Paid lamps', price: 5, state: 'published', creator: { id: creator.id }, copies: 0 },
      sales: { count: 2, amount: 10, refunds: 1, refunded: 5 },
      cases: [{ id: about }],
      decisions: [{ act: 'refund', caseId: about }],
    });
    for (const role of ROLES) expect((await view(role, paid)).statusCode).toBe(role === 'finance' ? 403 : 200);
    expect((await view('owner', randomUUID())).statusCode).toBe(404);
  });

  test('that is hidden or removed is still shown, with the date', async () => {
    const gone = await makePost(app.ctx, creator.id, { caption: 'Gone lamps' });
    const about = await reportedCase(app, fan, { person: creator, type: 'post', typeId: gone });
    await decideIt(as('moderator'), about, { act: 'hide' });
    expect((await view('auditor', gone)).json()).toMatchObject({ state: 'hidden', stateSince: expect.any(String) });
    await creator.inject('DELETE', `/api/post/${gone}`);
    expect((await view('auditor', gone)).json()).toMatchObject({ state: 'removed' });
    expect((await find(gone)).data[0]).toMatchObject({ href: `/admin/posts/${gone}` });
  });

  test('opens its content to moderators only, and each view is logged', async () => {
    const look = (role: OperatorRole, id = postId) => as(role).inject('GET', `/api/admin/posts/${id}/thing`);
    for (const role of ['finance', 'support', 'auditor'] as const) expect((await look(role)).statusCode).toBe(403);
    expect((await looks('post.look')).length).toBe(0);
    expect((await look('moderator')).json()).toMatchObject({ texts: [{ text: 'Lamps at dusk' }] });
    expect((await looks('post.look')).map((one) => one.subject_id)).toEqual([postId]);
    expect((await look('moderator', randomUUID())).statusCode).toBe(404);
  });

  test('leads to a case, and an open case about the post is reused', async () => {
    const seen = await makePost(app.ctx, creator.id, { caption: 'Seen by us' });
    const open = (role: OperatorRole, id = seen) =>
      as(role).inject('POST', `/api/admin/posts/${id}/case`, { ground: 'A face that nobody asked.' });
    expect((await open('auditor')).statusCode).toBe(403);
    expect((await open('moderator', randomUUID())).statusCode).toBe(404);
    const [first, second] = [(await open('moderator')).json(), (await open('support')).json()];
    expect([first.isNew, second]).toEqual([true, { ...first, isNew: false }]);
    const stranger = await app.signUp('customer');
    const reported = await reportedCase(app, stranger, { person: creator, type: 'post', typeId: seen });
    expect(reported).toBe(first.id);
    const read = async () => (await as('moderator').inject('GET', `/api/admin/cases/${first.id}`)).json();
    expect(await read()).toMatchObject({
      ...{ obstacle: null, deskHref: `/admin/posts/${seen}`, details: 'A face that nobody asked.', reports: 1 },
      purchases: [],
    });
    expect((await decideIt(as('moderator'), first.id, { act: 'hide' })).statusCode).toBe(200);
    expect((await looks('case.open')).map((one) => one.subject_id)).toEqual([first.id, first.id]);
  });
});

test('a call is shown with both sides, its timeline and its money, and each view is logged', async () => {
  const pair = await makePair(app);
  const callId = await connected(app, pair);
  await talk(app, callId, 90_000);
  await act(pair.fan, 'end', callId);
  const view = (role: OperatorRole, id = callId) => as(role).inject('GET', `/api/admin/calls/${id}`);
  expect((await find(callId)).data[0]).toMatchObject({ kind: 'call', href: `/admin/calls/${callId}` });
  const shown = (await view('owner')).json();
  expect(shown).toMatchObject({
    ...{ fan: { id: pair.fan.id }, creator: { id: pair.creator.id }, durationSeconds: 90, amount: 4.5, givenBack: 0 },
    cases: [],
  });
  expect(shown.timeline.map(({ moment }: { moment: string }) => moment)).toEqual(
    expect.arrayContaining(['called', 'answered', 'clockStarts', 'over']),
  );
  expect((await find(shown.transactionId)).data).toMatchObject([{ kind: 'transaction' }]);
  expect((await view('moderator')).json()).toMatchObject({ givenBack: null, transactionId: null, amount: 4.5 });
  expect((await view('finance')).statusCode).toBe(403);
  expect((await view('owner', randomUUID())).statusCode).toBe(404);
  expect((await looks('call.look')).map((one) => one.subject_id)).toEqual([callId, callId]);
});

test('every part of the user search uses an index', async () => {
  const plans: string[] = [];
  const client = await app.owner.pool.connect();
  await client.query('begin');
  await client.query('set local enable_seqscan = off');
  for (const where of [
    `lower(username::text) collate "C" >= 'a' and lower(username::text) collate "C" < 'b' order by lower(username::text) collate "C"`,
    `lower(email::text) collate "C" >= 'a' and lower(email::text) collate "C" < 'b' order by lower(email::text) collate "C"`,
    `lower(name) collate "C" >= 'a' and lower(name) collate "C" < 'b' order by lower(name) collate "C"`,
    `lower(username::text || ' ' || name || ' ' || email::text) like '%abc%'`,
    `get_byte(uuid_send(id), 15) = 0 and lower(username::text || ' ' || name || ' ' || email::text) like '%abc%'`,
  ]) {
    const { rows } = await client.query(`explain select id from users where ${where} limit 5`);
    plans.push(rows.map((row) => row['QUERY PLAN']).join(' '));
  }
  await client.query('rollback');
  client.release();
  for (const [index, name] of ['username_begins', 'email_begins', 'name_begins', 'holds', 'holds_sample'].entries())
    expect(plans[index]).toContain(`users_${name}`);
});

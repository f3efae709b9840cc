import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createDelegatedSession, joinTeam } from '../../identity/teams/testing.ts';
import { createReportedCase, decideCaseAs, getCaseId, submitReportAs } from './testing.ts';

const DAY_MS = 24 * 60 * 60_000;
let app: TestApp;
let operator: TestUser;
let second: TestUser;
let fan: TestUser;
let creator: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  [operator, second] = [await app.signUp('operator'), await app.signUp('operator')];
});
afterAll(() => app.close());
beforeEach(async () => {
  [fan, creator] = [await app.signUp('customer'), await app.signUp('creator')];
});

const getReports = async (by: TestUser) => (await by.inject('GET', '/api/helpdesk/reports')).json().data;
const appealReport = (by: TestUser, caseId: string, message = 'They asked eleven times.') =>
  by.inject('POST', `/api/helpdesk/reports/${caseId}/appeal`, { message });
const getCaseView = async (id: string, by = operator) => (await by.inject('GET', `/api/admin/cases/${id}`)).json();
async function createDismissed(user: TestUser = fan): Promise<string> {
  const id = await createReportedCase(app, user, { user: creator });
  await decideCaseAs(operator, id, { action: 'dismiss', reason: 'A question, and no more.' });
  return id;
}

test('a reporter sees only their own reports and the outcomes', async () => {
  const id = await createReportedCase(app, fan, { user: creator });
  expect(await getReports(fan)).toMatchObject([
    { id, title: `Profile reported: @${creator.username}`, outcome: null, appealBy: null, appeal: null },
  ]);
  await decideCaseAs(operator, id, { action: 'warn' });
  const other = await createDismissed();
  expect(await getReports(fan)).toMatchObject([
    { id: other, outcome: 'nothing', appealBy: expect.any(String) },
    { id, outcome: 'acted', appealBy: null },
  ]);
  expect(await getReports(creator)).toEqual([]);
  expect((await appealReport(fan, id)).json().code).toBe('CONFLICT');
});

test('a dismissed report is reviewed once by another operator, who is assigned the case if it is overturned', async () => {
  const id = await createDismissed();
  for (const by of [creator, await app.signUp('customer')])
    expect((await appealReport(by, id)).json().code).toBe('NOT_FOUND');
  expect((await appealReport(fan, randomUUID())).json().code).toBe('NOT_FOUND');
  expect((await appealReport(fan, id, ' ')).json().error[0].message).toBe('Please enter message');
  const responses = await Promise.all([appealReport(fan, id), appealReport(fan, id)]);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  const { reference } = responses.find(({ statusCode }) => statusCode === 200)?.json() ?? {};
  const appealId = await getCaseId(app, reference);
  expect(await getCaseView(appealId, second)).toMatchObject({
    ...{ kind: 'appeal', title: 'Appeal: no action was taken.', about: { id: creator.id }, subject: 'profile' },
    appealedDecision: { action: 'dismiss' },
  });
  expect(await getReports(fan)).toMatchObject([
    { appealBy: null, appeal: { reference, state: 'open', outcome: null } },
  ]);
  expect((await decideCaseAs(operator, appealId, { action: 'overturn' })).json().code).toBe('FORBIDDEN');
  expect((await decideCaseAs(second, appealId, { action: 'overturn' })).statusCode).toBe(200);
  expect(await getCaseView(id)).toMatchObject({ state: 'open', assignee: { id: second.id } });
  expect(await getReports(fan)).toMatchObject([{ id, outcome: null }]);
  expect((await creator.inject('GET', '/api/helpdesk/decisions')).json().data).toEqual([]);
  await decideCaseAs(second, id, { action: 'warn' });
  expect(await getReports(fan)).toMatchObject([{ id, outcome: 'acted', appealBy: null }]);
});

test('reporters share one review, those who requested it are mailed, and its outcome is final for all', async () => {
  const [two, three] = [await app.signUp('customer'), await app.signUp('customer')];
  const id = await createReportedCase(app, fan, { user: creator });
  for (const by of [two, three]) await submitReportAs(by, { user: creator });
  await decideCaseAs(operator, id, { action: 'dismiss' });
  const { reference } = (await appealReport(fan, id)).json();
  expect((await appealReport(two, id)).json().reference).toBe(reference);
  expect((await appealReport(two, id)).json().code).toBe('CONFLICT');
  await decideCaseAs(second, await getCaseId(app, reference), { action: 'uphold', reason: 'It stays as it is.' });
  expect((await appealReport(three, id)).json().code).toBe('CONFLICT');
  expect((await getReports(three))[0]).toMatchObject({ outcome: 'nothing', appealBy: null, appeal: null });
  await app.ctx.events.waitUntilIdle();
  for (const by of [fan, two]) {
    const mails = await app.ctx.db.query
      .selectFrom('development_mail')
      .select('body')
      .where('recipient', '=', by.email)
      .execute();
    expect(mails.filter(({ body }) => body.includes('It stays as it is.'))).toHaveLength(1);
    expect((await getReports(by))[0]).toMatchObject({ appealBy: null, appeal: { reference, outcome: 'uphold' } });
  }
});

test('an overturned dismissal is merged into a newer open report of the same profile', async () => {
  const id = await createDismissed();
  const { reference } = (await appealReport(fan, id)).json();
  const newReportId = await createReportedCase(app, await app.signUp('customer'), { user: creator });
  expect((await decideCaseAs(second, await getCaseId(app, reference), { action: 'overturn' })).statusCode).toBe(200);
  expect(await getCaseView(id)).toMatchObject({ state: 'closed' });
  const { state, assignee, entries } = await getCaseView(newReportId);
  expect([state, assignee.id, entries.at(-1).kind]).toEqual(['open', second.id, 'note']);
});

test('a report at the moment of reopening leaves exactly one case open', async () => {
  const id = await createDismissed();
  const appealId = await getCaseId(app, (await appealReport(fan, id)).json().reference);
  const secondReporter = await app.signUp('customer');
  const responses = await Promise.all([
    decideCaseAs(second, appealId, { action: 'overturn' }),
    submitReportAs(secondReporter, { user: creator }),
  ]);
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const { data } = (await operator.inject('GET', `/api/admin/cases?q=${creator.username}`)).json();
  expect(
    data.filter(({ kind, state }: { kind: string; state: string }) => kind === 'report' && state === 'open'),
  ).toHaveLength(1);
});

test('a dismissal cannot be reviewed after six months', async () => {
  const later = await createTestApp();
  try {
    const [testOperator, by, reported] = [
      await later.signUp('operator'),
      await later.signUp('customer'),
      await later.signUp('creator'),
    ];
    const id = await createReportedCase(later, by, { user: reported });
    await decideCaseAs(testOperator, id, { action: 'dismiss' });
    later.clock.advance(184 * DAY_MS);
    const loggedIn = await later.logIn(by);
    expect((await getReports(loggedIn))[0]).toMatchObject({ outcome: 'nothing', appealBy: null });
    expect((await appealReport(loggedIn, id)).json().code).toBe('CONFLICT');
  } finally {
    await later.close();
  }
});

test('a reporter counts once, however often they report the same content', async () => {
  const id = await createReportedCase(app, fan, { user: creator });
  await submitReportAs(fan, { user: creator, message: 'Again.' });
  expect((await getCaseView(id)).reports).toBe(1);
  await submitReportAs(await app.signUp('customer'), { user: creator });
  expect(await getCaseView(id)).toMatchObject({ reports: 2, entries: [{}, {}, {}] });
});

async function createHelper(testApp: TestApp, owner: TestUser): Promise<TestUser> {
  const helper = await testApp.signUp('customer');
  await joinTeam(owner, helper, ['chat']);
  return createDelegatedSession(testApp, helper, owner.id);
}

test('a team member reports on behalf of the creator, and operators see who it was', async () => {
  const helper = await createHelper(app, creator);
  const response = await submitReportAs(helper, { user: fan, message: 'They ask where she lives.' });
  expect(response.statusCode, response.body).toBe(200);
  const id = await getCaseId(app, response.json().reference);
  const { entries, fromUser } = await getCaseView(id);
  expect(fromUser).toMatchObject({ id: creator.id });
  expect(entries).toMatchObject([{ author: creator.username, member: helper.username }]);
  await submitReportAs(creator, { user: fan, message: 'And again.' });
  expect((await getCaseView(id)).entries.at(-1)).toMatchObject({ author: creator.username, member: null });
  expect((await getCaseView(id)).reports).toBe(1);
  expect(await getReports(creator)).toMatchObject([{ id }]);
  for (const user of [creator, helper]) expect((await submitReportAs(helper, { user })).json().code).toBe('VALIDATION');
});

test('report limits count per team member, and one does not use up those of the others', async () => {
  const strict = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.1' } });
  try {
    const [owner, reported] = [await strict.signUp('creator'), await strict.signUp('customer')];
    const helper = await createHelper(strict, owner);
    const collectCodes = async (by: TestUser) => {
      const codes: number[] = [];
      for (let count = 0; count < 3; count += 1) codes.push((await submitReportAs(by, { user: reported })).statusCode);
      return codes;
    };
    expect(await collectCodes(helper)).toEqual([200, 200, 429]);
    expect(await collectCodes(owner)).toEqual([200, 200, 429]);
  } finally {
    await strict.close();
  }
});

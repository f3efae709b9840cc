import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { actingFor, joinTeam } from '../team/testing.ts';
import { caseIdOf, decideIt, reportedCase, reportIt } from './testing.ts';

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

const reports = async (by: TestUser) => (await by.inject('GET', '/api/helpdesk/reports')).json().data;
const lookAgain = (by: TestUser, caseId: string, message = 'They asked eleven times.') =>
  by.inject('POST', `/api/helpdesk/reports/${caseId}/second-look`, { message });
const view = async (id: string, by = operator) => (await by.inject('GET', `/api/admin/cases/${id}`)).json();
async function dismissed(by: TestUser = fan): Promise<string> {
  const id = await reportedCase(app, by, { person: creator });
  await decideIt(operator, id, { act: 'dismiss', ground: 'A question, and no more.' });
  return id;
}

test('a reporter sees only their own reports and the outcomes', async () => {
  const id = await reportedCase(app, fan, { person: creator });
  expect(await reports(fan)).toMatchObject([
    { id, title: `Profile reported: @${creator.username}`, outcome: null, lookBy: null, look: null },
  ]);
  await decideIt(operator, id, { act: 'warn' });
  const other = await dismissed();
  expect(await reports(fan)).toMatchObject([
    { id: other, outcome: 'nothing', lookBy: expect.any(String) },
    { id, outcome: 'acted', lookBy: null },
  ]);
  expect(await reports(creator)).toEqual([]);
  expect((await lookAgain(fan, id)).json().code).toBe('CONFLICT');
});

test('a dismissed report is reviewed once by another operator, who is assigned the case if it is overturned', async () => {
  const id = await dismissed();
  for (const by of [creator, await app.signUp('customer')])
    expect((await lookAgain(by, id)).json().code).toBe('NOT_FOUND');
  expect((await lookAgain(fan, randomUUID())).json().code).toBe('NOT_FOUND');
  expect((await lookAgain(fan, id, ' ')).json().error[0].message).toBe('Please enter message');
  const both = await Promise.all([lookAgain(fan, id), lookAgain(fan, id)]);
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  const { reference } = both.find(({ statusCode }) => statusCode === 200)?.json() ?? {};
  const appealId = await caseIdOf(app, reference);
  expect(await view(appealId, second)).toMatchObject({
    ...{ kind: 'appeal', title: 'Appeal: no action was taken.', about: { id: creator.id }, subject: 'profile' },
    appealed: { act: 'dismiss' },
  });
  expect(await reports(fan)).toMatchObject([{ lookBy: null, look: { reference, state: 'open', outcome: null } }]);
  expect((await decideIt(operator, appealId, { act: 'overturn' })).json().code).toBe('FORBIDDEN');
  expect((await decideIt(second, appealId, { act: 'overturn' })).statusCode).toBe(200);
  expect(await view(id)).toMatchObject({ state: 'open', assignee: { id: second.id } });
  expect(await reports(fan)).toMatchObject([{ id, outcome: null }]);
  expect((await creator.inject('GET', '/api/helpdesk/decisions')).json().data).toEqual([]);
  await decideIt(second, id, { act: 'warn' });
  expect(await reports(fan)).toMatchObject([{ id, outcome: 'acted', lookBy: null }]);
});

test('reporters share one review, those who requested it are mailed, and its outcome is final for all', async () => {
  const [two, three] = [await app.signUp('customer'), await app.signUp('customer')];
  const id = await reportedCase(app, fan, { person: creator });
  for (const by of [two, three]) await reportIt(by, { person: creator });
  await decideIt(operator, id, { act: 'dismiss' });
  const { reference } = (await lookAgain(fan, id)).json();
  expect((await lookAgain(two, id)).json().reference).toBe(reference);
  expect((await lookAgain(two, id)).json().code).toBe('CONFLICT');
  await decideIt(second, await caseIdOf(app, reference), { act: 'uphold', ground: 'It stays as it is.' });
  expect((await lookAgain(three, id)).json().code).toBe('CONFLICT');
  expect((await reports(three))[0]).toMatchObject({ outcome: 'nothing', lookBy: null, look: null });
  await app.ctx.events.settle();
  for (const by of [fan, two]) {
    const mails = await app.ctx.db.query
      .selectFrom('development_mail')
      .select('body')
      .where('recipient', '=', by.email)
      .execute();
    expect(mails.filter(({ body }) => body.includes('It stays as it is.'))).toHaveLength(1);
    expect((await reports(by))[0]).toMatchObject({ lookBy: null, look: { reference, outcome: 'uphold' } });
  }
});

test('an overturned dismissal is merged into a newer open report of the same profile', async () => {
  const id = await dismissed();
  const { reference } = (await lookAgain(fan, id)).json();
  const anew = await reportedCase(app, await app.signUp('customer'), { person: creator });
  expect((await decideIt(second, await caseIdOf(app, reference), { act: 'overturn' })).statusCode).toBe(200);
  expect(await view(id)).toMatchObject({ state: 'closed' });
  const { state, assignee, entries } = await view(anew);
  expect([state, assignee.id, entries.at(-1).kind]).toEqual(['open', second.id, 'note']);
});

test('a report at the moment of reopening leaves exactly one case open', async () => {
  const id = await dismissed();
  const appealId = await caseIdOf(app, (await lookAgain(fan, id)).json().reference);
  const again = await app.signUp('customer');
  const answers = await Promise.all([
    decideIt(second, appealId, { act: 'overturn' }),
    reportIt(again, { person: creator }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const { data } = (await operator.inject('GET', `/api/admin/cases?q=${creator.username}`)).json();
  expect(
    data.filter(({ kind, state }: { kind: string; state: string }) => kind === 'report' && state === 'open'),
  ).toHaveLength(1);
});

test('a dismissal cannot be reviewed after six months', async () => {
  const later = await createTestApp();
  try {
    const [desk, by, about] = [
      await later.signUp('operator'),
      await later.signUp('customer'),
      await later.signUp('creator'),
    ];
    const id = await reportedCase(later, by, { person: about });
    await decideIt(desk, id, { act: 'dismiss' });
    later.clock.advance(184 * DAY_MS);
    const back = await later.logIn(by);
    expect((await reports(back))[0]).toMatchObject({ outcome: 'nothing', lookBy: null });
    expect((await lookAgain(back, id)).json().code).toBe('CONFLICT');
  } finally {
    await later.close();
  }
});

test('a reporter counts once, however often they report the same content', async () => {
  const id = await reportedCase(app, fan, { person: creator });
  await reportIt(fan, { person: creator, message: 'Again.' });
  expect((await view(id)).reports).toBe(1);
  await reportIt(await app.signUp('customer'), { person: creator });
  expect(await view(id)).toMatchObject({ reports: 2, entries: [{}, {}, {}] });
});

async function helping(of: TestApp, owner: TestUser): Promise<TestUser> {
  const helper = await of.signUp('customer');
  await joinTeam(owner, helper, ['chat']);
  return actingFor(of, helper, owner.id);
}

test('a team member reports on behalf of the creator, and operators see who it was', async () => {
  const helper = await helping(app, creator);
  const answer = await reportIt(helper, { person: fan, message: 'They ask where she lives.' });
  expect(answer.statusCode, answer.body).toBe(200);
  const id = await caseIdOf(app, answer.json().reference);
  const { entries, fromPerson } = await view(id);
  expect(fromPerson).toMatchObject({ id: creator.id });
  expect(entries).toMatchObject([{ by: creator.username, member: helper.username }]);
  await reportIt(creator, { person: fan, message: 'And again.' });
  expect((await view(id)).entries.at(-1)).toMatchObject({ by: creator.username, member: null });
  expect((await view(id)).reports).toBe(1);
  expect(await reports(creator)).toMatchObject([{ id }]);
  for (const person of [creator, helper]) expect((await reportIt(helper, { person })).json().code).toBe('VALIDATION');
});

test('report limits count per person, so one team member does not use up those of the others', async () => {
  const strict = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.1' } });
  try {
    const [owner, about] = [await strict.signUp('creator'), await strict.signUp('customer')];
    const helper = await helping(strict, owner);
    const codesOf = async (by: TestUser) => {
      const codes: number[] = [];
      for (let count = 0; count < 3; count += 1) codes.push((await reportIt(by, { person: about })).statusCode);
      return codes;
    };
    expect(await codesOf(helper)).toEqual([200, 200, 429]);
    expect(await codesOf(owner)).toEqual([200, 200, 429]);
  } finally {
    await strict.close();
  }
});

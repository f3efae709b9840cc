import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makePost } from '../../content/posts/testing.ts';
import { createReportedCase, decideCaseAs, getCaseId, listAuditActions, submitReportAs } from './testing.ts';

const HOUR_MS = 60 * 60_000;
let app: TestApp;
let moderator: TestUser;
let support: TestUser;
let creator: TestUser;
let fan: TestUser;
beforeAll(async () => {
  app = await createTestApp({ now: new Date('2026-11-23T10:00:00Z') });
  moderator = await app.signUp('operator', { roles: ['moderator'] });
  support = await app.signUp('operator', { roles: ['support'] });
});
beforeEach(async () => {
  [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
});
afterAll(() => app.close());

const read = async (id: string, by = moderator) => (await by.inject('GET', `/api/admin/cases/${id}`)).json();
const reopen = (ids: string[], by = moderator) =>
  by.inject('POST', '/api/admin/cases/reopen', { ids, reason: 'Too quick.' });
const undo = (id: string, by = moderator) =>
  by.inject('POST', `/api/admin/case-decisions/${id}/undo`, { reason: 'We were wrong.' });
async function listAlerts(user: TestUser): Promise<string[]> {
  await app.ctx.events.waitUntilIdle();
  const notices = (await user.inject('GET', '/api/notifications')).json().data;
  return notices.filter(({ kind }: { kind: string }) => kind === 'answered').map(({ text }: { text: string }) => text);
}
async function listMails(to: string): Promise<string[]> {
  const query = app.ctx.db.query
    .selectFrom('development_mail')
    .select('body')
    .where('recipient', '=', to)
    .orderBy('id');
  return (await query.execute()).map(({ body }) => body);
}
async function createTicket(by: TestUser): Promise<string> {
  const response = await by.inject('POST', '/api/helpdesk/tickets', { subject: 'A receipt', message: 'Where is it?' });
  return response.json().id;
}

test('a reversed dismissal reopens the case with a new deadline, notifies reporters and is logged', async () => {
  const caseId = await createReportedCase(app, fan, { user: creator });
  const decided = (await decideCaseAs(moderator, caseId, { action: 'dismiss' })).json();
  expect(decided).toMatchObject({
    state: 'closed',
    canReopen: true,
    decisions: [{ action: 'dismiss', canUndo: true }],
  });
  app.clock.advance(HOUR_MS * 30);
  const reopened = (await undo(decided.decisions[0].id)).json();
  expect(reopened).toMatchObject({
    ...{ state: 'open', closedAt: null, canReopen: false },
    decisions: [{ action: 'dismiss', canUndo: false, undoneAt: app.clock.now().toISOString() }],
    deadline: { dueAt: new Date(app.clock.now().getTime() + 24 * HOUR_MS).toISOString() },
  });
  expect(reopened.allowedActions).toContain('block');
  expect(reopened.entries.at(-1)).toMatchObject({ kind: 'undone', text: 'dismiss: We were wrong.' });
  expect(await listAuditActions(app, caseId)).toEqual(['case.dismiss', 'case.reopen']);
  expect(await listAlerts(fan)).toEqual(['We’re reviewing your report again', 'We reviewed your report']);
  expect((await undo(decided.decisions[0].id)).json().code).toBe('CONFLICT');
  const secondDismissal = (await decideCaseAs(moderator, caseId, { action: 'dismiss' })).json();
  expect((await undo(secondDismissal.decisions[0].id)).json().state).toBe('open');
});

test('several dismissals are reversed at once, and cases decided otherwise or reported again are skipped', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    const typeId = await makePost(app.ctx, creator.id, { caption: `Of many ${count}` });
    ids.push(await createReportedCase(app, fan, { user: creator, type: 'post', typeId }));
  }
  const [warned = '', reportedAgain = '', ...others] = ids;
  await decideCaseAs(moderator, warned, { action: 'warn' });
  const body = { ids: [reportedAgain, ...others], reason: 'Spam' };
  const dismissed = await moderator.inject('POST', '/api/admin/cases/dismiss', body);
  expect(dismissed.json().dismissed).toHaveLength(4);
  const { subject_id: postId } = await app.ctx.db.query
    .selectFrom('cases')
    .select('subject_id')
    .where('id', '=', reportedAgain)
    .executeTakeFirstOrThrow();
  const stranger = await app.signUp('customer');
  await submitReportAs(stranger, { user: creator, type: 'post', typeId: postId ?? '' });
  expect((await reopen([...ids, ...ids])).json()).toEqual({ reopened: others, skipped: [warned, reportedAgain] });
  for (const id of others) expect((await read(id)).state).toBe('open');
  expect((await read(reportedAgain)).state).toBe('closed');
  expect((await reopen(others)).json()).toEqual({ reopened: [], skipped: others });
});

test('a report during the reversal of its dismissal leaves one open case and causes no error', async () => {
  for (let round = 0; round < 4; round += 1) {
    const typeId = await makePost(app.ctx, creator.id, { caption: `At once ${round}` });
    const caseId = await createReportedCase(app, fan, { user: creator, type: 'post', typeId });
    await decideCaseAs(moderator, caseId, { action: 'dismiss' });
    const stranger = await app.signUp('customer');
    const [reported, reopened] = await Promise.all([
      submitReportAs(stranger, { user: creator, type: 'post', typeId }),
      reopen([caseId]),
    ]);
    expect([reported.statusCode, reopened.statusCode], reopened.body).toEqual([200, 200]);
    const open = await app.ctx.db.query
      .selectFrom('cases')
      .select('id')
      .where('subject_id', '=', typeId)
      .where('state', '=', 'open')
      .execute();
    expect(open).toHaveLength(1);
    expect(reopened.json().reopened).toEqual(open[0]?.id === caseId ? [caseId] : []);
  }
});

test('support reverses only what it may close, and no operator reverses a case of their own', async () => {
  const ticket = await createTicket(fan);
  const closed = await decideCaseAs(support, ticket, { action: 'close', reason: 'In your wallet.' });
  expect(closed.json()).toMatchObject({ state: 'closed', canReopen: true });
  const before = (await listMails(fan.email)).length;
  expect((await reopen([ticket], support)).json().reopened).toEqual([ticket]);
  const mails = await listMails(fan.email);
  expect(mails).toHaveLength(before + 1);
  expect(mails.at(-1)).toContain('We closed this too early. We’re reviewing it again');

  const caseId = await createReportedCase(app, fan, { user: creator });
  const dismissed = (await decideCaseAs(moderator, caseId, { action: 'dismiss' })).json();
  expect((await reopen([caseId], support)).json().skipped).toEqual([caseId]);
  expect((await undo(dismissed.decisions[0].id, support)).statusCode).toBe(403);
  expect(await read(caseId, support)).toMatchObject({ canReopen: false, decisions: [{ canUndo: false }] });
  const finance = await app.signUp('operator', { roles: ['finance'] });
  const auditor = await app.signUp('operator', { roles: ['auditor'] });
  for (const by of [finance, auditor, fan]) expect((await reopen([caseId], by)).statusCode).toBe(403);

  await reopen([caseId]);
  const warned = (await decideCaseAs(moderator, caseId, { action: 'warn' })).json();
  expect((await undo(warned.decisions[0].id, support)).statusCode).toBe(403);

  const ownTicket = (
    await moderator.inject('POST', '/api/helpdesk/tickets', { subject: 'Mine', message: 'Help' })
  ).json();
  await decideCaseAs(support, ownTicket.id, { action: 'dismiss', reason: 'No question.' });
  expect((await reopen([ownTicket.id])).json().skipped).toEqual([ownTicket.id]);
});

test('a case closed by a reply is reopened too, and reopening one dismissed as spam mails nothing', async () => {
  const ticket = await createTicket(fan);
  const reply = { text: 'In your wallet.', isClosing: true };
  const closed = (await support.inject('POST', `/api/admin/cases/${ticket}/replies`, reply)).json();
  expect(closed).toMatchObject({ state: 'closed', decisions: [], canReopen: true });
  expect((await reopen([ticket], support)).json().reopened).toEqual([ticket]);
  await decideCaseAs(support, ticket, { action: 'dismiss', reason: 'Spam after all.' });
  const before = (await listMails(fan.email)).length;
  expect((await reopen([ticket], support)).json().reopened).toEqual([ticket]);
  expect(await listMails(fan.email)).toHaveLength(before);
  await fan.inject('POST', `/api/helpdesk/tickets/${ticket}/close`);
  expect((await reopen([ticket], support)).json().skipped).toEqual([ticket]);
});

test('a reporter is counted once, however often they write', async () => {
  const response = await submitReportAs(fan, { user: creator, message: 'Not theirs' });
  const caseId = await getCaseId(app, response.json().reference);
  for (const message of ['Really not', 'Look']) await submitReportAs(fan, { user: creator, message });
  expect(await read(caseId)).toMatchObject({ reports: 1 });
  const stranger = await app.signUp('customer');
  await submitReportAs(stranger, { user: creator });
  const { reports, entries } = await read(caseId);
  expect([reports, entries.filter(({ kind }: { kind: string }) => kind === 'report').length]).toEqual([2, 4]);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { makePost } from '../posts/testing.ts';
import { auditOf, caseIdOf, decideIt, reportedCase, reportIt } from './testing.ts';

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
  by.inject('POST', '/api/admin/cases/reopen', { ids, ground: 'Too quick.' });
const undo = (id: string, by = moderator) =>
  by.inject('POST', `/api/admin/case-decisions/${id}/undo`, { ground: 'We were wrong.' });
async function alertsOf(who: TestUser): Promise<string[]> {
  await app.ctx.events.settle();
  const lines = (await who.inject('GET', '/api/notifications')).json().data;
  return lines.filter(({ kind }: { kind: string }) => kind === 'answered').map(({ text }: { text: string }) => text);
}
async function mailsTo(to: string): Promise<string[]> {
  const of = app.ctx.db.query.selectFrom('development_mail').select('body').where('recipient', '=', to).orderBy('id');
  return (await of.execute()).map(({ body }) => body);
}
async function ticketOf(by: TestUser): Promise<string> {
  const asked = await by.inject('POST', '/api/helpdesk/tickets', { subject: 'A receipt', message: 'Where is it?' });
  return asked.json().id;
}

test('a reversed dismissal reopens the case with a new deadline, notifies reporters and is logged', async () => {
  const caseId = await reportedCase(app, fan, { person: creator });
  const decided = (await decideIt(moderator, caseId, { act: 'dismiss' })).json();
  expect(decided).toMatchObject({ state: 'closed', canReopen: true, decisions: [{ act: 'dismiss', canUndo: true }] });
  app.clock.advance(HOUR_MS * 30);
  const again = (await undo(decided.decisions[0].id)).json();
  expect(again).toMatchObject({
    ...{ state: 'open', closedAt: null, canReopen: false },
    decisions: [{ act: 'dismiss', canUndo: false, undoneAt: app.clock.now().toISOString() }],
    clock: { dueAt: new Date(app.clock.now().getTime() + 24 * HOUR_MS).toISOString() },
  });
  expect(again.acts).toContain('block');
  expect(again.entries.at(-1)).toMatchObject({ kind: 'undone', text: 'dismiss: We were wrong.' });
  expect(await auditOf(app, caseId)).toEqual(['case.dismiss', 'case.reopen']);
  expect(await alertsOf(fan)).toEqual(['We’re reviewing your report again', 'We reviewed your report']);
  expect((await undo(decided.decisions[0].id)).json().code).toBe('CONFLICT');
  const anew = (await decideIt(moderator, caseId, { act: 'dismiss' })).json();
  expect((await undo(anew.decisions[0].id)).json().state).toBe('open');
});

test('several dismissals are reversed at once, and cases decided otherwise or reported again are skipped', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    const typeId = await makePost(app.ctx, creator.id, { caption: `Of many ${count}` });
    ids.push(await reportedCase(app, fan, { person: creator, type: 'post', typeId }));
  }
  const [warned = '', doubled = '', ...others] = ids;
  await decideIt(moderator, warned, { act: 'warn' });
  const body = { ids: [doubled, ...others], ground: 'Spam' };
  const dismissed = await moderator.inject('POST', '/api/admin/cases/dismiss', body);
  expect(dismissed.json().dismissed).toHaveLength(4);
  const { subject_id: postId } = await app.ctx.db.query
    .selectFrom('cases')
    .select('subject_id')
    .where('id', '=', doubled)
    .executeTakeFirstOrThrow();
  const stranger = await app.signUp('customer');
  await reportIt(stranger, { person: creator, type: 'post', typeId: postId ?? '' });
  expect((await reopen([...ids, ...ids])).json()).toEqual({ reopened: others, left: [warned, doubled] });
  for (const id of others) expect((await read(id)).state).toBe('open');
  expect((await read(doubled)).state).toBe('closed');
  expect((await reopen(others)).json()).toEqual({ reopened: [], left: others });
});

test('a report during the reversal of its dismissal leaves one open case and causes no error', async () => {
  for (let round = 0; round < 4; round += 1) {
    const typeId = await makePost(app.ctx, creator.id, { caption: `At once ${round}` });
    const caseId = await reportedCase(app, fan, { person: creator, type: 'post', typeId });
    await decideIt(moderator, caseId, { act: 'dismiss' });
    const stranger = await app.signUp('customer');
    const [reported, again] = await Promise.all([
      reportIt(stranger, { person: creator, type: 'post', typeId }),
      reopen([caseId]),
    ]);
    expect([reported.statusCode, again.statusCode], again.body).toEqual([200, 200]);
    const open = await app.ctx.db.query
      .selectFrom('cases')
      .select('id')
      .where('subject_id', '=', typeId)
      .where('state', '=', 'open')
      .execute();
    expect(open).toHaveLength(1);
    expect(again.json().reopened).toEqual(open[0]?.id === caseId ? [caseId] : []);
  }
});

test('support reverses only what it may close, and no operator reverses a case of their own', async () => {
  const ticket = await ticketOf(fan);
  const closed = await decideIt(support, ticket, { act: 'close', ground: 'In your wallet.' });
  expect(closed.json()).toMatchObject({ state: 'closed', canReopen: true });
  const before = (await mailsTo(fan.email)).length;
  expect((await reopen([ticket], support)).json().reopened).toEqual([ticket]);
  const mails = await mailsTo(fan.email);
  expect(mails).toHaveLength(before + 1);
  expect(mails.at(-1)).toContain('We closed this too early. We’re reviewing it again');

  const caseId = await reportedCase(app, fan, { person: creator });
  const dismissed = (await decideIt(moderator, caseId, { act: 'dismiss' })).json();
  expect((await reopen([caseId], support)).json().left).toEqual([caseId]);
  expect((await undo(dismissed.decisions[0].id, support)).statusCode).toBe(403);
  expect(await read(caseId, support)).toMatchObject({ canReopen: false, decisions: [{ canUndo: false }] });
  const finance = await app.signUp('operator', { roles: ['finance'] });
  const auditor = await app.signUp('operator', { roles: ['auditor'] });
  for (const by of [finance, auditor, fan]) expect((await reopen([caseId], by)).statusCode).toBe(403);

  await reopen([caseId]);
  const warned = (await decideIt(moderator, caseId, { act: 'warn' })).json();
  expect((await undo(warned.decisions[0].id, support)).statusCode).toBe(403);

  const own = (await moderator.inject('POST', '/api/helpdesk/tickets', { subject: 'Mine', message: 'Help' })).json();
  await decideIt(support, own.id, { act: 'dismiss', ground: 'No question.' });
  expect((await reopen([own.id])).json().left).toEqual([own.id]);
});

test('a case closed by a reply is reopened too, and reopening one dismissed as spam mails nothing', async () => {
  const ticket = await ticketOf(fan);
  const answer = { text: 'In your wallet.', isClosing: true };
  const closed = (await support.inject('POST', `/api/admin/cases/${ticket}/replies`, answer)).json();
  expect(closed).toMatchObject({ state: 'closed', decisions: [], canReopen: true });
  expect((await reopen([ticket], support)).json().reopened).toEqual([ticket]);
  await decideIt(support, ticket, { act: 'dismiss', ground: 'Spam after all.' });
  const before = (await mailsTo(fan.email)).length;
  expect((await reopen([ticket], support)).json().reopened).toEqual([ticket]);
  expect(await mailsTo(fan.email)).toHaveLength(before);
  await fan.inject('POST', `/api/helpdesk/tickets/${ticket}/close`);
  expect((await reopen([ticket], support)).json().left).toEqual([ticket]);
});

test('a reporter is counted once, however often they write', async () => {
  const answer = await reportIt(fan, { person: creator, message: 'Not theirs' });
  const caseId = await caseIdOf(app, answer.json().reference);
  for (const message of ['Really not', 'Look']) await reportIt(fan, { person: creator, message });
  expect(await read(caseId)).toMatchObject({ reports: 1 });
  const stranger = await app.signUp('customer');
  await reportIt(stranger, { person: creator });
  const { reports, entries } = await read(caseId);
  expect([reports, entries.filter(({ kind }: { kind: string }) => kind === 'report').length]).toEqual([2, 4]);
});

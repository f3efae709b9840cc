import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makePost } from '../../content/posts/testing.ts';
import { createReportedCase, decideCaseAs, listAuditActions } from './testing.ts';

let app: TestApp;
let moderator: TestUser;
let support: TestUser;
let fan: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  moderator = await app.signUp('operator', { roles: ['moderator'] });
  support = await app.signUp('operator', { roles: ['support'] });
});
beforeEach(async () => {
  fan = await app.signUp('customer');
});
afterAll(() => app.close());

const openCase = (by: TestUser, id: string, sourceCaseId?: string) =>
  by.inject('POST', `/api/admin/users/${id}/case`, {
    reason: 'Forty tickets about pills.',
    ...(sourceCaseId && { sourceCaseId }),
  });
const read = async (id: string, by = moderator) => (await by.inject('GET', `/api/admin/cases/${id}`)).json();
async function createTicket(by: TestUser): Promise<{ id: string; reference: string }> {
  const body = { subject: 'Cheap pills', message: 'Buy them here.' };
  return (await by.inject('POST', '/api/helpdesk/tickets', body)).json();
}

async function createCopyrightCase(): Promise<string> {
  const creator = await app.signUp('creator');
  const postId = await makePost(app.ctx, creator.id, { caption: 'The quay at night' });
  const notice = await app.inject('POST', '/api/public/copyright-notices', {
    ...{ name: 'Cleo', email: 'cleo@example.com', address: '4 Quay Street', telephone: '+44 117 496 0000' },
    ...{ work: 'Mine.', urls: `/post/${postId}`, signature: 'Cleo', isGoodFaith: true, isAccurate: true },
  });
  expect(notice.statusCode, notice.body).toBe(200);
  const caseQuery = app.ctx.db.query.selectFrom('cases').select('id').where('subject_id', '=', postId);
  return (await caseQuery.executeTakeFirstOrThrow()).id;
}

test('a user who floods the help desk is blocked in a case opened by support, and unblocked again', async () => {
  const ticket = await createTicket(fan);
  const opened = (await openCase(support, fan.id, ticket.id)).json();
  expect(opened).toMatchObject({ isNew: true });
  expect(await read(opened.id)).toMatchObject({
    ...{ title: `User under review: @${fan.username}`, queue: 'reports', reports: 0, from: 'staff' },
    ...{
      details: `Forty tickets about pills.\n\nSeen in ${ticket.reference}`,
      about: { id: fan.id },
      fromUser: null,
    },
  });
  expect(await read(opened.id, support)).toMatchObject({
    ...{ allowedActions: [], blockedReason: 'Your roles don’t allow deciding this.' },
  });
  expect(await listAuditActions(app, opened.id)).toEqual(['case.open']);
  const blocked = (await decideCaseAs(moderator, opened.id, { action: 'block' })).json();
  expect((await fan.inject('GET', '/api/auth/user')).statusCode).toBe(401);
  const undone = await moderator.inject('POST', `/api/admin/case-decisions/${blocked.decisions[0].id}/undo`, {
    reason: 'It was their brother.',
  });
  expect(undone.json()).toMatchObject({
    about: { isBlocked: false },
    decisions: [{ action: 'block', canUndo: false }],
  });
  expect((await openCase(moderator, fan.id)).json()).toMatchObject({ isNew: true });
});

test('opening a case about a user with an open report returns that report', async () => {
  const creator = await app.signUp('creator');
  const reported = await createReportedCase(app, fan, { user: creator });
  expect((await openCase(moderator, creator.id)).json()).toMatchObject({ id: reported, isNew: false });
  expect(await read(reported)).toMatchObject({ reports: 1, details: 'This is not theirs.' });
});

test('a case cannot be opened about oneself, an operator, an unknown user or from an unreadable case', async () => {
  expect((await openCase(moderator, moderator.id)).statusCode).toBe(404);
  expect((await openCase(moderator, support.id)).statusCode).toBe(404);
  expect((await openCase(moderator, randomUUID())).statusCode).toBe(404);
  expect((await openCase(moderator, fan.id, randomUUID())).statusCode).toBe(404);
  const copyright = await createCopyrightCase();
  expect((await openCase(support, fan.id, copyright)).statusCode).toBe(404);
  expect((await openCase(moderator, fan.id, copyright)).statusCode).toBe(200);
  for (const role of ['finance', 'auditor'] as const)
    expect((await openCase(await app.signUp('operator', { roles: [role] }), fan.id)).statusCode).toBe(403);
});

test('contact details in a dispute are visible to permitted roles, and reading them is logged hourly', async () => {
  const id = await createCopyrightCase();
  expect((await support.inject('GET', `/api/admin/cases/${id}`)).statusCode).toBe(404);
  const countReads = async () => (await listAuditActions(app, id)).filter((action) => action === 'case.read').length;
  expect((await read(id)).notice).toMatchObject({ address: '4 Quay Street' });
  await read(id);
  const before = await countReads();
  expect(before).toBe(1);
  const second = await app.signUp('operator', { roles: ['moderator'] });
  const noteResponse = await second.inject('POST', `/api/admin/cases/${id}/notes`, { text: 'To be looked at.' });
  expect(noteResponse.json().notice).toMatchObject({ telephone: '+44 117 496 0000' });
  expect(await countReads()).toBe(before + 1);
  app.clock.advance(61 * 60_000);
  await read(id);
  expect(await countReads()).toBe(before + 2);
});

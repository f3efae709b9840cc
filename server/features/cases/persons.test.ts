import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { makePost } from '../posts/testing.ts';
import { auditOf, decideIt, reportedCase } from './testing.ts';

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

const open = (by: TestUser, id: string, seenIn?: string) =>
  by.inject('POST', `/api/admin/people/${id}/case`, {
    ground: 'Forty tickets about pills.',
    ...(seenIn && { seenIn }),
  });
const read = async (id: string, by = moderator) => (await by.inject('GET', `/api/admin/cases/${id}`)).json();
async function ticketOf(by: TestUser): Promise<{ id: string; reference: string }> {
  const body = { subject: 'Cheap pills', message: 'Buy them here.' };
  return (await by.inject('POST', '/api/helpdesk/tickets', body)).json();
}

async function noticed(): Promise<string> {
  const creator = await app.signUp('creator');
  const postId = await makePost(app.ctx, creator.id, { caption: 'The quay at night' });
  const notice = await app.inject('POST', '/api/public/copyright-notices', {
    ...{ name: 'Cleo', email: 'cleo@example.com', address: '4 Quay Street', telephone: '+44 117 496 0000' },
    ...{ work: 'Mine.', places: `/post/${postId}`, signature: 'Cleo', isGoodFaith: true, isAccurate: true },
  });
  expect(notice.statusCode, notice.body).toBe(200);
  const found = app.ctx.db.query.selectFrom('cases').select('id').where('subject_id', '=', postId);
  return (await found.executeTakeFirstOrThrow()).id;
}

test('a user who floods the help desk is blocked in a case opened by support, and unblocked again', async () => {
  const ticket = await ticketOf(fan);
  const opened = (await open(support, fan.id, ticket.id)).json();
  expect(opened).toMatchObject({ isNew: true });
  expect(await read(opened.id)).toMatchObject({
    ...{ title: `User under review: @${fan.username}`, queue: 'reports', reports: 0, from: 'staff' },
    ...{
      details: `Forty tickets about pills.\n\nSeen in ${ticket.reference}`,
      about: { id: fan.id },
      fromPerson: null,
    },
  });
  expect(await read(opened.id, support)).toMatchObject({
    ...{ acts: [], obstacle: 'Your roles don’t allow deciding this.' },
  });
  expect(await auditOf(app, opened.id)).toEqual(['case.open']);
  const blocked = (await decideIt(moderator, opened.id, { act: 'block' })).json();
  expect((await fan.inject('GET', '/api/auth/user')).statusCode).toBe(401);
  const undone = await moderator.inject('POST', `/api/admin/case-decisions/${blocked.decisions[0].id}/undo`, {
    ground: 'It was their brother.',
  });
  expect(undone.json()).toMatchObject({ about: { isBlocked: false }, decisions: [{ act: 'block', canUndo: false }] });
  expect((await open(moderator, fan.id)).json()).toMatchObject({ isNew: true });
});

test('opening a case about a user with an open report returns that report', async () => {
  const creator = await app.signUp('creator');
  const reported = await reportedCase(app, fan, { person: creator });
  expect((await open(moderator, creator.id)).json()).toMatchObject({ id: reported, isNew: false });
  expect(await read(reported)).toMatchObject({ reports: 1, details: 'This is not theirs.' });
});

test('a case cannot be opened about oneself, an operator, an unknown user or from an unreadable case', async () => {
  expect((await open(moderator, moderator.id)).statusCode).toBe(404);
  expect((await open(moderator, support.id)).statusCode).toBe(404);
  expect((await open(moderator, randomUUID())).statusCode).toBe(404);
  expect((await open(moderator, fan.id, randomUUID())).statusCode).toBe(404);
  const copyright = await noticed();
  expect((await open(support, fan.id, copyright)).statusCode).toBe(404);
  expect((await open(moderator, fan.id, copyright)).statusCode).toBe(200);
  for (const role of ['finance', 'auditor'] as const)
    expect((await open(await app.signUp('operator', { roles: [role] }), fan.id)).statusCode).toBe(403);
});

test('contact details in a dispute are visible to permitted roles, and reading them is logged hourly', async () => {
  const id = await noticed();
  expect((await support.inject('GET', `/api/admin/cases/${id}`)).statusCode).toBe(404);
  const reads = async () => (await auditOf(app, id)).filter((act) => act === 'case.read').length;
  expect((await read(id)).notice).toMatchObject({ address: '4 Quay Street' });
  await read(id);
  const before = await reads();
  expect(before).toBe(1);
  const second = await app.signUp('operator', { roles: ['moderator'] });
  const noted = await second.inject('POST', `/api/admin/cases/${id}/notes`, { text: 'To be looked at.' });
  expect(noted.json().notice).toMatchObject({ telephone: '+44 117 496 0000' });
  expect(await reads()).toBe(before + 1);
  app.clock.advance(61 * 60_000);
  await read(id);
  expect(await reads()).toBe(before + 2);
});

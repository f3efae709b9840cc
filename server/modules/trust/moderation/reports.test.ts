/** Reports of users and content (row J2). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makePost } from '../../content/posts/testing.ts';
import { createCallPair, offerTestCall } from '../../messaging/calls/testing.ts';
import { seedMessage } from '../../messaging/chat/testing.ts';
import { getCaseId, submitReportAs } from './testing.ts';

let app: TestApp;
let operator: TestUser;
let creator: TestUser;
let fan: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  [operator, creator, fan] = [await app.signUp('operator'), await app.signUp('creator'), await app.signUp('customer')];
});
afterAll(() => app.close());

const read = async (id: string) => (await operator.inject('GET', `/api/admin/cases/${id}`)).json();

test('a profile, post, message or call can be reported only by users who may see it', async () => {
  const postId = await makePost(app.ctx, creator.id, { caption: 'Moon jar\nfired twice' });
  const creatorMessage = await seedMessage(
    app.ctx,
    { creatorId: creator.id, fanId: fan.id },
    { from: 'creator', text: 'Pay me outside' },
  );
  const fanMessage = await seedMessage(
    app.ctx,
    { creatorId: creator.id, fanId: fan.id },
    { from: 'fan', text: 'Where do you live?' },
  );
  const pair = await createCallPair(app);
  const callId = await offerTestCall(pair);
  const stranger = await app.signUp('customer');
  for (const [by, reported, type, typeId, title] of [
    [fan, creator, 'profile', creator.id, `Profile reported: @${creator.username}`],
    [fan, creator, 'post', postId, 'Post reported: Moon jar'],
    [fan, creator, 'message', creatorMessage.messageId, 'Message reported'],
    [creator, fan, 'message', fanMessage.messageId, 'Message reported'],
    [pair.fan, pair.creator, 'call', callId, 'Call reported'],
    [pair.creator, pair.fan, 'call', callId, 'Call reported'],
  ] as const) {
    const response = await submitReportAs(by, { user: reported, type, typeId });
    expect([type, response.statusCode, response.json()]).toEqual([
      type,
      200,
      expect.objectContaining({ success: true }),
    ]);
    expect(await read(await getCaseId(app, response.json().reference))).toMatchObject({
      ...{ kind: 'report', queue: 'reports', state: 'open', title, details: 'This is not theirs.' },
      about: { id: reported.id },
    });
  }
  for (const [by, reported, type, typeId] of [
    [stranger, creator, 'message', creatorMessage.messageId],
    [creator, pair.fan, 'message', fanMessage.messageId],
    [stranger, pair.creator, 'call', callId],
    [fan, pair.creator, 'post', postId],
    [fan, creator, 'post', randomUUID()],
    [fan, creator, 'profile', pair.creator.id],
    [fan, operator, 'profile', operator.id],
  ] as const)
    expect([type, (await submitReportAs(by, { user: reported, type, typeId })).json().code]).toEqual([
      type,
      'NOT_FOUND',
    ]);
});

test('deleted content still opens a case with the details it had', async () => {
  const postId = await makePost(app.ctx, creator.id, { caption: 'Taken down' });
  const creatorMessage = await seedMessage(
    app.ctx,
    { creatorId: creator.id, fanId: fan.id },
    { from: 'creator', text: 'Unsaid' },
  );
  const first = (
    await submitReportAs(fan, { user: creator, type: 'message', typeId: creatorMessage.messageId })
  ).json();
  expect((await creator.inject('DELETE', `/api/post/${postId}`)).statusCode).toBe(200);
  const unsent = `/api/message/msg/${creatorMessage.conversationId}/${creatorMessage.messageId}?isUnsend=true`;
  expect((await creator.inject('DELETE', unsent)).statusCode).toBe(200);
  const deletedReport = (await submitReportAs(fan, { user: creator, type: 'post', typeId: postId })).json();
  expect(await read(await getCaseId(app, deletedReport.reference))).toMatchObject({
    isDeleted: true,
    title: 'Post reported: Taken down',
  });
  const unsentCaseId = await getCaseId(app, first.reference);
  expect(await read(unsentCaseId)).toMatchObject({ isDeleted: true, hasContent: true });
  expect(JSON.stringify((await read(unsentCaseId)).snapshot)).not.toContain('Unsaid');
  const shown = await operator.inject('GET', `/api/admin/cases/${unsentCaseId}/content`);
  expect(shown.json().texts).toContainEqual(expect.objectContaining({ text: 'Unsaid', isReported: true }));
});

test('several reports of the same content share one open case, also when sent at the same time', async () => {
  const postId = await makePost(app.ctx, creator.id);
  const reporters = await Promise.all(Array.from({ length: 4 }, () => app.signUp('customer')));
  const responses = await Promise.all(
    reporters.map((by) => submitReportAs(by, { user: creator, type: 'post', typeId: postId })),
  );
  const references = new Set(responses.map((response) => response.json().reference));
  expect(references.size).toBe(1);
  const id = await getCaseId(app, [...references][0]);
  const view = await read(id);
  expect(view.reports).toBe(4);
  expect(view.entries.map(({ author }: { author: string }) => author).sort()).toEqual(
    reporters.map(({ username }) => username).sort(),
  );
});

test('a report shows the specified messages, and users cannot report themselves', async () => {
  const body = { reportUserId: creator.id, type: 'profile', typeId: creator.id, message: '  ' };
  const response = await fan.inject('POST', '/api/report/submit-report', body);
  expect(response.json()).toMatchObject({ error: [{ field: 'message', message: 'Please enter message' }] });
  expect((await submitReportAs(creator, { user: creator })).json().code).toBe('VALIDATION');
  expect((await app.inject('POST', '/api/report/submit-report', body)).json().code).toBe('UNAUTHORIZED');
});

test('a user who sends too many reports has to wait', async () => {
  const strict = await createTestApp({ env: { RATE_LIMIT_FACTOR: '1' } });
  try {
    const [by, reported] = [await strict.signUp('customer'), await strict.signUp('creator')];
    const codes = [];
    for (let count = 0; count < 21; count += 1) codes.push((await submitReportAs(by, { user: reported })).statusCode);
    expect(codes.filter((code) => code === 200)).toHaveLength(20);
    expect(codes.at(-1)).toBe(429);
    strict.clock.advance(60 * 60_000 + 1);
    expect((await submitReportAs(by, { user: reported })).statusCode).toBe(200);
  } finally {
    await strict.close();
  }
});

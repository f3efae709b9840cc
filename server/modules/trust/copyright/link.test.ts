import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makePost } from '../../content/posts/testing.ts';
import { decideCaseAs, getCaseId } from '../moderation/testing.ts';

let app: TestApp;
let operator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ now: new Date('2026-11-23T10:00:00Z') });
  operator = await app.signUp('operator');
});
afterAll(() => app.close());

const COUNTER = {
  ...{ name: 'Ana Real', address: '1 Home Lane, Porto', telephone: '+351 22 000 0000', signature: 'Ana Real' },
  ...{ statement: 'I took it myself.', isMistake: true, isConsenting: true },
};
const respond = (token: string) => app.inject('POST', '/api/public/counter-notice', { ...COUNTER, token });
const viewLink = (token: string) => app.inject('GET', `/api/public/counter-notice?token=${encodeURIComponent(token)}`);

async function createRemovalToken(user: TestUser): Promise<string> {
  const postId = await makePost(app.ctx, user.id, { caption: 'The quay at night' });
  const notice = await app.inject('POST', '/api/public/copyright-notices', {
    ...{ name: 'Cleo Marsh', email: `of-${user.username}@example.com`, address: '4 Quay Street' },
    ...{ telephone: '+44 117 496 0000', work: 'My photograph.', urls: `/post/${postId}` },
    ...{ signature: 'Cleo Marsh', isGoodFaith: true, isAccurate: true },
  });
  const caseId = await getCaseId(app, notice.json().cases[0].reference);
  expect((await decideCaseAs(operator, caseId, { action: 'remove' })).statusCode).toBe(200);
  const mail = await app.ctx.db.query
    .selectFrom('development_mail')
    .select('body')
    .where('recipient', '=', user.email)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const token = /\/dmca\/counter\?token=(\S+)/.exec(mail.body)?.[1];
  return decodeURIComponent(token ?? '');
}

test('a blocked user can respond once through the link, which reveals only the claim', async () => {
  const user = await app.signUp('creator');
  const token = await createRemovalToken(user);
  expect((await viewLink(token)).json()).toMatchObject({ isBlocked: false, claimant: 'Cleo Marsh' });
  expect((await respond(token)).json()).toMatchObject({ code: 'FORBIDDEN' });
  await app.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', user.id).execute();
  const linkView = (await viewLink(token)).json();
  expect(Object.keys(linkView).sort()).toEqual(['claimant', 'isBlocked', 'url']);
  expect(linkView.isBlocked).toBe(true);
  const refused = await app.inject('POST', '/api/public/counter-notice', { ...COUNTER, token, isMistake: false });
  expect(refused.json()).toMatchObject({ error: [{ message: 'Confirm that it was a mistake' }] });
  const sent = await respond(token);
  expect(sent.json(), sent.body).toMatchObject({ success: true, reference: expect.stringMatching(/^SD-/) });
  expect((await respond(token)).json().code).toBe('CONFLICT');
});

test('a forged link is refused with 404', async () => {
  const [one, other] = [await app.signUp('creator'), await app.signUp('creator')];
  const [token, otherToken] = [await createRemovalToken(one), await createRemovalToken(other)];
  const [id = '', mac = ''] = token.split('.');
  const mixedToken = `${otherToken.split('.')[0]}.${mac}`;
  for (const forgedToken of ['x', id, `${id}.`, `${id}.${mac}x`, mixedToken, `${randomUUID()}.${mac}`]) {
    expect((await viewLink(forgedToken)).statusCode, forgedToken).toBe(404);
    expect((await respond(forgedToken)).statusCode, forgedToken).toBe(404);
  }
});

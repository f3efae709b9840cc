import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makePost } from '../../posts/testing.ts';
import { caseIdOf, decideIt } from '../testing.ts';

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
const answer = (of: string) => app.inject('POST', '/api/public/counter-notice', { ...COUNTER, of });
const view = (of: string) => app.inject('GET', `/api/public/counter-notice?of=${encodeURIComponent(of)}`);

async function removedFrom(person: TestUser): Promise<string> {
  const postId = await makePost(app.ctx, person.id, { caption: 'The quay at night' });
  const notice = await app.inject('POST', '/api/public/copyright-notices', {
    ...{ name: 'Cleo Marsh', email: `of-${person.username}@example.com`, address: '4 Quay Street' },
    ...{ telephone: '+44 117 496 0000', work: 'My photograph.', places: `/post/${postId}` },
    ...{ signature: 'Cleo Marsh', isGoodFaith: true, isAccurate: true },
  });
  const caseId = await caseIdOf(app, notice.json().cases[0].reference);
  expect((await decideIt(operator, caseId, { act: 'remove' })).statusCode).toBe(200);
  const mail = await app.ctx.db.query
    .selectFrom('development_mail')
    .select('body')
    .where('recipient', '=', person.email)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const of = /\/dmca\/counter\?of=(\S+)/.exec(mail.body)?.[1];
  return decodeURIComponent(of ?? '');
}

test('a blocked user can respond once through the link, which reveals only the claim', async () => {
  const person = await app.signUp('creator');
  const of = await removedFrom(person);
  expect((await view(of)).json()).toMatchObject({ isBlocked: false, claimant: 'Cleo Marsh' });
  expect((await answer(of)).json()).toMatchObject({ code: 'FORBIDDEN' });
  await app.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', person.id).execute();
  const seen = (await view(of)).json();
  expect(Object.keys(seen).sort()).toEqual(['claimant', 'isBlocked', 'place']);
  expect(seen.isBlocked).toBe(true);
  const refused = await app.inject('POST', '/api/public/counter-notice', { ...COUNTER, of, isMistake: false });
  expect(refused.json()).toMatchObject({ error: [{ message: 'Confirm that it was a mistake' }] });
  const sent = await answer(of);
  expect(sent.json(), sent.body).toMatchObject({ success: true, reference: expect.stringMatching(/^SD-/) });
  expect((await answer(of)).json().code).toBe('CONFLICT');
});

test('a forged link is refused with 404', async () => {
  const [one, other] = [await app.signUp('creator'), await app.signUp('creator')];
  const [of, another] = [await removedFrom(one), await removedFrom(other)];
  const [id = '', mac = ''] = of.split('.');
  const mixed = `${another.split('.')[0]}.${mac}`;
  for (const wrong of ['x', id, `${id}.`, `${id}.${mac}x`, mixed, `${randomUUID()}.${mac}`]) {
    expect((await view(wrong)).statusCode, wrong).toBe(404);
    expect((await answer(wrong)).statusCode, wrong).toBe(404);
  }
});

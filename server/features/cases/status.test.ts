import { randomUUID } from 'node:crypto';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { makePost } from '../posts/testing.ts';
import { caseIdOf, decideIt } from './testing.ts';

let app: TestApp;
let operator: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  operator = await app.signUp('operator');
});
afterAll(() => app.close());

const post = (by: Pick<TestUser, 'inject'>, path: string, body: object) => by.inject('POST', `/api/${path}`, body);
const letter = (by: Pick<TestUser, 'inject'>, email: string) =>
  post(by, 'public/contact-admin', { name: 'Bea', email, details: 'Which of my pictures is it?' });
const status = (reference: string, email: string) => post(app, 'public/complaint-status', { reference, email });
const answer = (reference: string, email: string, message = 'At the first one.') =>
  post(app, 'public/complaint-answers', { reference, email, message });
const ask = (id: string, isClosing = false) =>
  post(operator, `admin/cases/${id}/replies`, { text: 'Which address is it at?', isClosing });
const linkOf = async (to: string) => {
  const mails = await app.ctx.db.query
    .selectFrom('development_mail')
    .select('body')
    .where('recipient', '=', to)
    .orderBy('id')
    .execute();
  return /http\S+$/m.exec(mails.at(-1)?.body ?? '')?.[0];
};

test('a message, complaint or notice can be answered through the mailed link, which reopens it', async () => {
  const postId = await makePost(app.ctx, (await app.signUp('creator')).id);
  const complaint = { name: 'Bea', where: 'Somewhere', details: 'It is me.', isGoodFaith: true };
  const notice = {
    ...{ name: 'Bea', address: '1 Quay', telephone: '+1 555 0100', signature: 'Bea', work: 'Mine' },
    ...{ places: `/post/${postId}`, isGoodFaith: true, isAccurate: true },
  };
  for (const [path, page, body] of [
    ['public/contact-admin', '/contact-us', { name: 'Bea', details: 'Hello' }],
    ['public/complaints', '/complaints', complaint],
    ['public/copyright-notices', '/dmca/notice', notice],
  ] as const) {
    const email = `${randomUUID()}@example.com`;
    const made = (await post(app, path, { ...body, email })).json();
    const reference = made.reference ?? made.cases[0].reference;
    const id = await caseIdOf(app, reference);
    expect((await post(operator, `admin/cases/${id}/notes`, { text: 'They wrote twice before.' })).statusCode).toBe(
      200,
    );
    expect((await ask(id)).json().state).toBe('waiting');
    expect(new URL((await linkOf(email)) ?? '')).toMatchObject({
      ...{ pathname: page, search: `?number=${reference}`, hash: '#status' },
    });
    expect((await status(reference, email)).json()).toMatchObject({
      ...{ state: 'waiting', replies: [{ text: 'Which address is it at?' }] },
    });
    expect((await answer(reference, email.toUpperCase())).json()).toMatchObject({
      ...{ success: true, state: 'open', message: 'Thanks, we’ll reply by email.' },
    });
    expect((await answer(reference, email)).json()).toMatchObject({ success: true, state: 'open' });
    const view = (await operator.inject('GET', `/api/admin/cases/${id}`)).json();
    expect(view.state).toBe('open');
    expect(view.entries.filter(({ text }: { text: string }) => text === 'At the first one.')).toHaveLength(1);
    expect(view.entries.at(-1)).toMatchObject({ kind: 'message', text: 'At the first one.', by: null });
  }
});

test('number and address must match, the message must not be empty, and a closed case is refused', async () => {
  const email = 'closed@example.com';
  const { reference } = (await letter(app, email)).json();
  const words = 'No case found with this reference and email.';
  for (const refused of [await answer(reference, 'eve@example.com'), await answer('SD-0000-0000', email)])
    expect(refused.json()).toMatchObject({ code: 'NOT_FOUND', message: words });
  expect((await answer(reference, email, ' ')).json().error).toEqual([
    { field: 'message', message: 'Please enter message' },
  ]);
  await ask(await caseIdOf(app, reference), true);
  expect((await answer(reference, email)).json().code).toBe('CONFLICT');
  for (const [type, desk] of [
    ['customer', '/fan/helpdesk'],
    ['creator', '/creator/helpdesk'],
  ] as const) {
    const writer = await app.signUp(type);
    const asked = await post(writer, 'helpdesk/tickets', { subject: 'A payment', message: 'It is missing.' });
    const { id, reference: number } = asked.json();
    expect((await status(number, writer.email)).json().code).toBe('NOT_FOUND');
    await ask(id);
    expect(await linkOf(writer.email)).toContain(`${desk}?ticket=${id}`);
  }
});

test('the number of a report gives no access to a status', async () => {
  const [fan, creator] = [await app.signUp('customer'), await app.signUp('creator')];
  const body = { reportUserId: creator.id, type: 'profile', typeId: creator.id, message: 'Not theirs.' };
  const { reference } = (await post(fan, 'report/submit-report', body)).json();
  expect((await status(reference, fan.email)).json().code).toBe('NOT_FOUND');
  const decided = (await decideIt(operator, await caseIdOf(app, reference), { act: 'warn' })).json();
  expect((await status(decided.reference, creator.email)).json().code).toBe('NOT_FOUND');
});

test('wrong guesses are limited per number and per network, and right ones are not counted', async () => {
  const strict = await createTestApp({ env: { RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1' } });
  try {
    const from = (path: string, body: object, network: number) =>
      strict.inject('POST', `/api/public/${path}`, body, { 'x-forwarded-for': `198.51.${network}.7` });
    const written = { name: 'Bea', email: 'bea@example.com', details: 'Hello' };
    const { reference } = (await from('contact-admin', written, 1)).json();
    const look = (email: string, network: number, of = reference) =>
      from('complaint-status', { reference: of, email }, network);
    for (let count = 0; count <= CASES.wrongOfNumber; count += 1)
      expect((await look('bea@example.com', 1 + (count % 8))).statusCode).toBe(200);
    for (let count = 0; count < CASES.wrongOfNumber; count += 1)
      expect((await look(`eve${count}@example.com`, 10 + count)).json().code).toBe('NOT_FOUND');
    expect((await look('bea@example.com', 30)).json().code).toBe('RATE_LIMITED');
    const numbers = 'ABCDEFGHJKMNPQRSTVWXYZ';
    const codes: string[] = [];
    for (let count = 0; count <= CASES.wrongOfNetwork; count += 1) {
      // Avoids the limit of the route itself, which is per minute.
      if (count % 8 === 7) strict.clock.advance(61_000);
      codes.push((await look('eve@example.com', 40, `SD-0000-000${numbers[count]}`)).json().code);
    }
    expect(codes.filter((code) => code === 'NOT_FOUND')).toHaveLength(CASES.wrongOfNetwork);
    expect(codes.at(-1)).toBe('RATE_LIMITED');
    strict.clock.advance(15 * 60_000);
    expect((await look('bea@example.com', 30)).statusCode).toBe(200);
  } finally {
    await strict.close();
  }
});

test('messages are limited per account, separately from its network', async () => {
  const few = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.1' } });
  try {
    const [fan, other] = [await few.signUp('customer'), await few.signUp('customer')];
    const codesOf = async (by: Pick<TestUser, 'inject'>) => {
      const codes: number[] = [];
      for (let count = 0; count < 4; count += 1) {
        // Avoids the limit of the route itself, which is per minute.
        few.clock.advance(61_000);
        codes.push((await letter(by, `${randomUUID()}@example.com`)).statusCode);
      }
      return codes;
    };
    for (const by of [fan, other, few]) expect(await codesOf(by)).toEqual([200, 200, 200, 429]);
    expect(await codesOf(await few.logIn(fan))).toEqual([429, 429, 429, 429]);
  } finally {
    await few.close();
  }
});

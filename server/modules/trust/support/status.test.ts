import { randomUUID } from 'node:crypto';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makePost } from '../../content/posts/testing.ts';
import { decideCaseAs, getCaseId } from '../moderation/testing.ts';

let app: TestApp;
let operator: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  operator = await app.signUp('operator');
});
afterAll(() => app.close());

const post = (by: Pick<TestUser, 'inject'>, path: string, body: object) => by.inject('POST', `/api/${path}`, body);
const sendMessage = (by: Pick<TestUser, 'inject'>, email: string) =>
  post(by, 'public/contact-admin', { name: 'Bea', email, details: 'Which of my pictures is it?' });
const getStatus = (reference: string, email: string) => post(app, 'public/complaint-status', { reference, email });
const reply = (reference: string, email: string, message = 'At the first one.') =>
  post(app, 'public/complaint-replies', { reference, email, message });
const requestDetails = (id: string, isClosing = false) =>
  post(operator, `admin/cases/${id}/replies`, { text: 'Which address is it at?', isClosing });
const findMailedLink = async (to: string) => {
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
    ...{ urls: `/post/${postId}`, isGoodFaith: true, isAccurate: true },
  };
  for (const [path, page, body] of [
    ['public/contact-admin', '/contact-us', { name: 'Bea', details: 'Hello' }],
    ['public/complaints', '/complaints', complaint],
    ['public/copyright-notices', '/dmca/notice', notice],
  ] as const) {
    const email = `${randomUUID()}@example.com`;
    const created = (await post(app, path, { ...body, email })).json();
    const reference = created.reference ?? created.cases[0].reference;
    const id = await getCaseId(app, reference);
    expect((await post(operator, `admin/cases/${id}/notes`, { text: 'They wrote twice before.' })).statusCode).toBe(
      200,
    );
    expect((await requestDetails(id)).json().state).toBe('waiting');
    expect(new URL((await findMailedLink(email)) ?? '')).toMatchObject({
      ...{ pathname: page, search: `?number=${reference}`, hash: '#status' },
    });
    expect((await getStatus(reference, email)).json()).toMatchObject({
      ...{ state: 'waiting', replies: [{ text: 'Which address is it at?' }] },
    });
    expect((await reply(reference, email.toUpperCase())).json()).toMatchObject({
      ...{ success: true, state: 'open', message: 'Thanks, we’ll reply by email.' },
    });
    expect((await reply(reference, email)).json()).toMatchObject({ success: true, state: 'open' });
    const view = (await operator.inject('GET', `/api/admin/cases/${id}`)).json();
    expect(view.state).toBe('open');
    expect(view.entries.filter(({ text }: { text: string }) => text === 'At the first one.')).toHaveLength(1);
    expect(view.entries.at(-1)).toMatchObject({ kind: 'message', text: 'At the first one.', author: null });
  }
});

test('number and address must match, the message must not be empty, and a closed case is refused', async () => {
  const email = 'closed@example.com';
  const { reference } = (await sendMessage(app, email)).json();
  const text = 'No case found with this reference and email.';
  for (const refused of [await reply(reference, 'eve@example.com'), await reply('SD-0000-0000', email)])
    expect(refused.json()).toMatchObject({ code: 'NOT_FOUND', message: text });
  expect((await reply(reference, email, ' ')).json().error).toEqual([
    { field: 'message', message: 'Please enter message' },
  ]);
  await requestDetails(await getCaseId(app, reference), true);
  expect((await reply(reference, email)).json().code).toBe('CONFLICT');
  for (const [type, helpdeskPath] of [
    ['customer', '/fan/helpdesk'],
    ['creator', '/creator/helpdesk'],
  ] as const) {
    const writer = await app.signUp(type);
    const ticket = await post(writer, 'helpdesk/tickets', { subject: 'A payment', message: 'It is missing.' });
    const { id, reference } = ticket.json();
    expect((await getStatus(reference, writer.email)).json().code).toBe('NOT_FOUND');
    await requestDetails(id);
    expect(await findMailedLink(writer.email)).toContain(`${helpdeskPath}?ticket=${id}`);
  }
});

test('the number of a report gives no access to a status', async () => {
  const [fan, creator] = [await app.signUp('customer'), await app.signUp('creator')];
  const body = { reportUserId: creator.id, type: 'profile', typeId: creator.id, message: 'Not theirs.' };
  const { reference } = (await post(fan, 'report/submit-report', body)).json();
  expect((await getStatus(reference, fan.email)).json().code).toBe('NOT_FOUND');
  const decided = (await decideCaseAs(operator, await getCaseId(app, reference), { action: 'warn' })).json();
  expect((await getStatus(decided.reference, creator.email)).json().code).toBe('NOT_FOUND');
});

test('wrong guesses are limited per number and per network, and right ones are not counted', async () => {
  const strict = await createTestApp({ env: { RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1' } });
  try {
    const from = (path: string, body: object, network: number) =>
      strict.inject('POST', `/api/public/${path}`, body, { 'x-forwarded-for': `198.51.${network}.7` });
    const message = { name: 'Bea', email: 'bea@example.com', details: 'Hello' };
    const { reference } = (await from('contact-admin', message, 1)).json();
    const readStatus = (email: string, network: number, caseNumber = reference) =>
      from('complaint-status', { reference: caseNumber, email }, network);
    for (let count = 0; count <= CASE_LIMITS.wrongPerReference; count += 1)
      expect((await readStatus('bea@example.com', 1 + (count % 8))).statusCode).toBe(200);
    for (let count = 0; count < CASE_LIMITS.wrongPerReference; count += 1)
      expect((await readStatus(`eve${count}@example.com`, 10 + count)).json().code).toBe('NOT_FOUND');
    expect((await readStatus('bea@example.com', 30)).json().code).toBe('RATE_LIMITED');
    const numbers = 'ABCDEFGHJKMNPQRSTVWXYZ';
    const codes: string[] = [];
    for (let count = 0; count <= CASE_LIMITS.wrongPerNetwork; count += 1) {
      // Avoids the limit of the route itself, which is per minute.
      if (count % 8 === 7) strict.clock.advance(61_000);
      codes.push((await readStatus('eve@example.com', 40, `SD-0000-000${numbers[count]}`)).json().code);
    }
    expect(codes.filter((code) => code === 'NOT_FOUND')).toHaveLength(CASE_LIMITS.wrongPerNetwork);
    expect(codes.at(-1)).toBe('RATE_LIMITED');
    strict.clock.advance(15 * 60_000);
    expect((await readStatus('bea@example.com', 30)).statusCode).toBe(200);
  } finally {
    await strict.close();
  }
});

test('messages are limited per account, separately from its network', async () => {
  const limitedApp = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.1' } });
  try {
    const [fan, other] = [await limitedApp.signUp('customer'), await limitedApp.signUp('customer')];
    const collectCodes = async (by: Pick<TestUser, 'inject'>) => {
      const codes: number[] = [];
      for (let count = 0; count < 4; count += 1) {
        // Avoids the limit of the route itself, which is per minute.
        limitedApp.clock.advance(61_000);
        codes.push((await sendMessage(by, `${randomUUID()}@example.com`)).statusCode);
      }
      return codes;
    };
    for (const by of [fan, other, limitedApp]) expect(await collectCodes(by)).toEqual([200, 200, 200, 429]);
    expect(await collectCodes(await limitedApp.logIn(fan))).toEqual([429, 429, 429, 429]);
  } finally {
    await limitedApp.close();
  }
});

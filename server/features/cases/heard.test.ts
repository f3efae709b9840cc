import { crc32, deflateSync } from 'node:zlib';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { pictureFile } from '../media/testing.ts';
import { auditOf, caseIdOf, decideIt, reportedCase } from './testing.ts';

let app: TestApp;
let operator: TestUser;
let fan: TestUser;
beforeAll(async () => {
  app = await createTestApp({ now: new Date('2026-11-23T10:00:00Z') });
  [operator, fan] = [await app.signUp('operator'), await app.signUp('customer')];
});
afterAll(() => app.close());

const post = (by: Pick<TestUser, 'inject'>, path: string, body: object) => by.inject('POST', `/api/${path}`, body);
const mailsTo = async (to: string) =>
  app.ctx.db.query
    .selectFrom('development_mail')
    .select(['subject', 'body'])
    .where('recipient', '=', to)
    .orderBy('id')
    .execute();

const askHelp = (by: TestUser, subject: string) => post(by, 'helpdesk/tickets', { subject, message: 'It is missing.' });

test('the contact form shows the specified messages and works with and without a session', async () => {
  const wrong = await post(app, 'public/contact-admin', { name: '', email: '', details: '' });
  expect(wrong.json().error).toEqual([
    { field: 'name', message: 'Please enter name' },
    { field: 'email', message: 'Please enter email' },
    { field: 'details', message: 'Please enter details' },
  ]);
  const place = await post(app, 'public/contact-admin', { name: 'Ana', email: 'x@', details: 'Hello' });
  expect(place.json().error).toEqual([{ field: 'email', message: 'Invalid email' }]);
  for (const by of [app, fan]) {
    const answer = await post(by, 'public/contact-admin', { name: 'Ana', email: 'ana@example.com', details: 'Hello' });
    expect(answer.json()).toMatchObject({
      success: true,
      reference: expect.stringMatching(/^SD-[0-9A-Z]{4}-[0-9A-Z]{4}$/),
    });
    const id = await caseIdOf(app, answer.json().reference);
    expect((await operator.inject('GET', `/api/admin/cases/${id}`)).json()).toMatchObject({
      ...{ kind: 'contact', queue: 'support', fromEmail: 'ana@example.com', details: 'Hello' },
      fromPerson: by === fan ? { id: fan.id } : null,
    });
  }
});

const complaint = {
  name: 'Bea',
  email: 'bea@example.com',
  where: 'http://localhost:3000/somewhere',
  details: 'This shows me.',
  isGoodFaith: true,
};

test('a complaint gets a number, a mail, seven business days and a status by number and address', async () => {
  const refused = await post(app, 'public/complaints', { ...complaint, isGoodFaith: false });
  expect(refused.json()).toMatchObject({
    error: [{ field: 'isGoodFaith', message: 'Confirm that you’re submitting this in good faith' }],
  });
  const { reference, answerBy } = (await post(app, 'public/complaints', complaint)).json();
  // Thanksgiving and two weekends do not count.
  expect(answerBy).toBe('2026-12-03T10:00:00.000Z');
  expect(await mailsTo('bea@example.com')).toMatchObject([{ subject: `Your complaint ${reference}` }]);
  const status = (email: string, called = reference) =>
    post(app, 'public/complaint-status', { reference: called, email });
  expect((await status('bea@example.com')).json()).toMatchObject({ state: 'open', replies: [] });
  expect((await status('BEA@example.com', reference.toLowerCase())).statusCode).toBe(200);
  expect((await status('eve@example.com')).json().code).toBe('NOT_FOUND');
  expect((await status('bea@example.com', 'SD-0000-0000')).json().code).toBe('NOT_FOUND');
  const id = await caseIdOf(app, reference);
  await decideIt(operator, id, { act: 'close', ground: 'It is gone now.' });
  expect((await status('bea@example.com')).json()).toMatchObject({
    state: 'closed',
    replies: [{ text: 'It is gone now.' }],
  });
  expect((await mailsTo('bea@example.com')).at(-1)?.body).toContain('It is gone now.');
});

test('messages and tickets are due in two business days, a proven appeal in seven', async () => {
  const letter = { name: 'Dee', email: 'dee@example.com', details: 'Hello' };
  const { reference } = (await post(app, 'public/contact-admin', letter)).json();
  const standing = await post(app, 'public/complaint-status', { reference, email: letter.email });
  const ticket = await askHelp(await app.signUp('customer'), 'A payment');
  for (const answer of [standing, ticket]) expect(answer.json().answerBy).toBe('2026-11-25T10:00:00.000Z');

  const creator = await app.signUp('creator');
  await decideIt(operator, await reportedCase(app, fan, { person: creator }), { act: 'block' });
  const { username, password } = creator;
  const { proof } = (await post(app, 'auth/login', { username, password })).json();
  const appeal = (await post(app, 'public/contact-admin', { ...letter, proof })).json();
  const view = await operator.inject('GET', `/api/admin/cases/${await caseIdOf(app, appeal.reference)}`);
  expect(view.json()).toMatchObject({ kind: 'appeal', clock: { dueAt: '2026-12-03T10:00:00.000Z' } });
});

test('tickets are listed newest first, regardless of later messages', async () => {
  const writer = await app.signUp('customer');
  const [first, second] = [await askHelp(writer, 'A payment'), await askHelp(writer, 'Another')].map((one) =>
    one.json(),
  );
  await post(writer, `helpdesk/tickets/${first.id}/messages`, { message: 'It is still missing.' });
  const { data } = (await writer.inject('GET', '/api/helpdesk/tickets')).json();
  expect(data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
});

test('an address gets at most three receipts a day without user text, and all complaints are stored', async () => {
  const mine = (email: string) => ({ ...complaint, name: 'Buy cheap pills', email });
  for (const email of ['cy@example.com', 'CY@example.com', 'cy@example.com', 'Cy@example.com'])
    expect((await post(app, 'public/complaints', mine(email))).statusCode).toBe(200);
  const mails = await app.ctx.db.query
    .selectFrom('development_mail')
    .select('body')
    .where((row) => row(row.fn<string>('lower', ['recipient']), '=', 'cy@example.com'))
    .execute();
  expect(mails).toHaveLength(3);
  expect(JSON.stringify(mails)).not.toContain('pills');
  const { data } = (await operator.inject('GET', '/api/admin/cases?queue=complaints&q=cy@example.com')).json();
  expect(data).toHaveLength(4);
});

test('a network without an account can send only a limited number of messages a day', async () => {
  const few = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.1' } });
  const letter = { name: 'Ana', email: 'ana@example.com', details: 'Hello' };
  const codes = [];
  for (let count = 0; count < 5; count += 1) codes.push((await post(few, 'public/contact-admin', letter)).statusCode);
  await few.close();
  expect(codes).toEqual([200, 200, 200, 429, 429]);
});

test('a complaint about one of our addresses is linked to the content there', async () => {
  const creator = await app.signUp('creator');
  const where = `http://localhost:3000/profile/${creator.username}`;
  const { reference } = (await post(app, 'public/complaints', { ...complaint, where })).json();
  const view = (await operator.inject('GET', `/api/admin/cases/${await caseIdOf(app, reference)}`)).json();
  expect(view).toMatchObject({
    about: { id: creator.id },
    subject: 'profile',
    acts: expect.arrayContaining(['suspend', 'close']),
  });
});

const form = (content: Buffer | string, type: string) => {
  const boundary = 'a-boundary';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="it"\r\ncontent-type: ${type}\r\n\r\n`;
  const payload = Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
};
const handIn = (by: TestUser, content: Buffer | string, type = 'image/jpeg') => {
  const { payload, headers } = form(content, type);
  return by.inject('POST', '/api/helpdesk/pictures', payload, headers);
};

test('a ticket and its pictures are visible to its author only, and it can be answered, continued and closed', async () => {
  const picture = (await handIn(fan, await pictureFile({ width: 200, height: 100 }))).json();
  expect(picture).toMatchObject({ width: 200, height: 100 });
  const stranger = await app.signUp('customer');
  const body = { subject: 'A payment', message: 'It is missing.', pictures: [picture.id] };
  expect((await post(stranger, 'helpdesk/tickets', body)).json().code).toBe('NOT_FOUND');
  const key = { 'idempotency-key': 'one-ticket' };
  const opened = await fan.inject('POST', '/api/helpdesk/tickets', body, key);
  expect(opened.json()).toMatchObject({ state: 'open', entries: [{ text: 'It is missing.', pictures: [picture] }] });
  const { id } = opened.json();
  expect((await fan.inject('POST', '/api/helpdesk/tickets', body, key)).json().id).toBe(id);
  expect((await fan.inject('GET', '/api/helpdesk/tickets')).json().data).toHaveLength(1);

  const look = (by: TestUser) => by.inject('GET', `/api/helpdesk/pictures/${picture.id}`);
  expect((await look(fan)).headers['content-type']).toBe('image/jpeg');
  expect((await look(stranger)).statusCode).toBe(404);
  expect((await stranger.inject('GET', `/api/helpdesk/tickets/${id}`)).statusCode).toBe(404);
  const asOperator = async (by: TestUser) =>
    (await by.inject('GET', `/api/admin/cases/${id}/pictures/${picture.id}`)).statusCode;
  expect(await asOperator(operator)).toBe(200);
  const support = await app.signUp('operator', { roles: ['support'] });
  expect(await asOperator(support)).toBe(200);
  const passOn = (queue: 'copyright' | 'support') =>
    app.ctx.db.query.updateTable('cases').set({ queue }).where('id', '=', id).execute();
  await passOn('copyright');
  expect([await asOperator(support), await asOperator(operator)]).toEqual([404, 200]);
  await passOn('support');

  const reply = { text: 'It came this morning.', isClosing: false };
  expect((await post(operator, `admin/cases/${id}/replies`, reply)).json().state).toBe('waiting');
  expect((await fan.inject('GET', `/api/helpdesk/tickets/${id}`)).json()).toMatchObject({
    state: 'waiting',
    entries: [{ isOurs: false }, { isOurs: true, text: 'It came this morning.' }],
  });
  expect((await mailsTo(fan.email)).at(-1)?.body).toContain('It came this morning.');
  expect((await post(fan, `helpdesk/tickets/${id}/messages`, { message: 'Thank you' })).json().state).toBe('open');
  expect((await post(fan, `helpdesk/tickets/${id}/close`, {})).json().state).toBe('closed');
  expect((await post(operator, `admin/cases/${id}/replies`, reply)).json().code).toBe('CONFLICT');
  expect((await post(fan, `helpdesk/tickets/${id}/messages`, { message: 'Not quite' })).json().state).toBe('open');
  await post(operator, `admin/cases/${id}/notes`, { text: 'Looked at the processor.' });
  expect((await fan.inject('GET', `/api/helpdesk/tickets/${id}`)).body).not.toContain('processor');
  expect(await auditOf(app, id)).toEqual([...Array(3).fill('case.look'), 'case.reply', 'case.note']);
});

test('assigning and unassigning are logged with the previous assignee, and refused attempts are not', async () => {
  const { id } = (await post(fan, 'helpdesk/tickets', { subject: 'A question', message: 'How so?' })).json();
  const other = await app.signUp('operator');
  const assign = async (by: TestUser, isMine: boolean) =>
    (await post(by, `admin/cases/${id}/assign`, { isMine })).statusCode;
  expect([await assign(operator, true), await assign(other, true), await assign(other, false)]).toEqual([
    200, 200, 200,
  ]);
  expect((await post(fan, `helpdesk/tickets/${id}/close`, {})).statusCode).toBe(200);
  expect(await assign(operator, true)).toBe(409);
  const rows = app.ctx.db.query.selectFrom('audit_log').select(['act', 'operator_id', 'facts']).orderBy('place');
  expect(await rows.where('subject_id', '=', id).execute()).toMatchObject([
    { act: 'case.assign', operator_id: operator.id, facts: { before: null } },
    { act: 'case.assign', operator_id: other.id, facts: { before: operator.id } },
    { act: 'case.layBack', operator_id: other.id, facts: { before: other.id } },
  ]);
});

test('pictures are identified by their bytes and not by their type', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  for (const [content, type] of [
    [svg, 'image/png'],
    ['%PDF-1.7', 'image/jpeg'],
    [Buffer.from('MZ\u0090\u0000'), 'image/png'],
    ['<html></html>', 'text/html'],
  ] as const)
    expect((await handIn(fan, content, type)).json().code).toBe('UNSUPPORTED_TYPE');
  expect((await handIn(fan, '')).json().code).toBe('VALIDATION');
  expect((await post(fan, 'helpdesk/pictures', {})).json().code).toBe('UNSUPPORTED_TYPE');
});

function bomb(side: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.alloc(1_000))), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), ...parts]);
}

test('truncated, huge, too small and too large pictures are refused, and each can be sent once, up to a limit', async () => {
  const whole = await pictureFile({ width: 400, height: 300 });
  const small = await pictureFile({ width: 8, height: 8 });
  const large = Buffer.concat([whole, Buffer.alloc(40 * 1024 * 1024)]);
  for (const bad of [whole.subarray(0, whole.length / 3), bomb(60_000), small, large]) {
    const answer = await handIn(fan, bad, 'image/png');
    expect([400, 413, 415], answer.body).toContain(answer.statusCode);
    expect(answer.json().message.length).toBeGreaterThan(10);
  }
  const writer = await app.signUp('customer');
  const ids: string[] = [];
  for (let count = 0; count <= CASES.pictures; count += 1) ids.push((await handIn(writer, whole)).json().id);
  const ask = (pictures: string[]) =>
    post(writer, 'helpdesk/tickets', { subject: 'Look', message: 'See here.', pictures });
  expect((await ask(ids)).json().code).toBe('VALIDATION');
  expect((await ask(ids.slice(0, 1))).statusCode).toBe(200);
  expect((await ask(ids.slice(0, 1))).json().code).toBe('NOT_FOUND');
});

test('saved replies are unique by title, and changes are logged', async () => {
  const kept = (await post(operator, 'admin/saved-answers', { title: 'Late', text: 'It takes a day.' })).json();
  await post(operator, 'admin/saved-answers', { title: 'Late', text: 'It takes two days.' });
  const { data } = (await operator.inject('GET', '/api/admin/saved-answers')).json();
  expect(data).toEqual([{ id: kept.id, title: 'Late', text: 'It takes two days.' }]);
  expect((await operator.inject('DELETE', `/api/admin/saved-answers/${kept.id}`)).statusCode).toBe(200);
  expect(await auditOf(app, kept.id)).toEqual(['answer.save', 'answer.save', 'answer.drop']);
});

import { crc32, deflateSync } from 'node:zlib';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createPictureFile } from '../../content/media/testing.ts';
import { createReportedCase, decideCaseAs, getCaseId, listAuditActions } from '../moderation/testing.ts';

let app: TestApp;
let operator: TestUser;
let fan: TestUser;
beforeAll(async () => {
  app = await createTestApp({ now: new Date('2026-11-23T10:00:00Z') });
  [operator, fan] = [await app.signUp('operator'), await app.signUp('customer')];
});
afterAll(() => app.close());

const post = (by: Pick<TestUser, 'inject'>, path: string, body: object) => by.inject('POST', `/api/${path}`, body);
const listMails = async (to: string) =>
  app.ctx.db.query
    .selectFrom('development_mail')
    .select(['subject', 'body'])
    .where('recipient', '=', to)
    .orderBy('id')
    .execute();

const createTicket = (by: TestUser, subject: string) =>
  post(by, 'helpdesk/tickets', { subject, message: 'It is missing.' });

test('the contact form shows the specified messages and works with and without a session', async () => {
  const wrong = await post(app, 'public/contact-admin', { name: '', email: '', details: '' });
  expect(wrong.json().error).toEqual([
    { field: 'name', message: 'Please enter name' },
    { field: 'email', message: 'Please enter email' },
    { field: 'details', message: 'Please enter details' },
  ]);
  const invalidEmail = await post(app, 'public/contact-admin', { name: 'Ana', email: 'x@', details: 'Hello' });
  expect(invalidEmail.json().error).toEqual([{ field: 'email', message: 'Invalid email' }]);
  for (const by of [app, fan]) {
    const response = await post(by, 'public/contact-admin', {
      name: 'Ana',
      email: 'ana@example.com',
      details: 'Hello',
    });
    expect(response.json()).toMatchObject({
      success: true,
      reference: expect.stringMatching(/^SD-[0-9A-Z]{4}-[0-9A-Z]{4}$/),
    });
    const id = await getCaseId(app, response.json().reference);
    expect((await operator.inject('GET', `/api/admin/cases/${id}`)).json()).toMatchObject({
      ...{ kind: 'contact', queue: 'support', fromEmail: 'ana@example.com', details: 'Hello' },
      fromUser: by === fan ? { id: fan.id } : null,
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
  expect(await listMails('bea@example.com')).toMatchObject([{ subject: `Your complaint ${reference}` }]);
  const status = (email: string, caseNumber = reference) =>
    post(app, 'public/complaint-status', { reference: caseNumber, email });
  expect((await status('bea@example.com')).json()).toMatchObject({ state: 'open', replies: [] });
  expect((await status('BEA@example.com', reference.toLowerCase())).statusCode).toBe(200);
  expect((await status('eve@example.com')).json().code).toBe('NOT_FOUND');
  expect((await status('bea@example.com', 'SD-0000-0000')).json().code).toBe('NOT_FOUND');
  const id = await getCaseId(app, reference);
  await decideCaseAs(operator, id, { action: 'close', reason: 'It is gone now.' });
  expect((await status('bea@example.com')).json()).toMatchObject({
    state: 'closed',
    replies: [{ text: 'It is gone now.' }],
  });
  expect((await listMails('bea@example.com')).at(-1)?.body).toContain('It is gone now.');
});

test('messages and tickets are due in two business days, a proven appeal in seven', async () => {
  const message = { name: 'Dee', email: 'dee@example.com', details: 'Hello' };
  const { reference } = (await post(app, 'public/contact-admin', message)).json();
  const contactStatus = await post(app, 'public/complaint-status', { reference, email: message.email });
  const ticket = await createTicket(await app.signUp('customer'), 'A payment');
  for (const response of [contactStatus, ticket]) expect(response.json().answerBy).toBe('2026-11-25T10:00:00.000Z');

  const creator = await app.signUp('creator');
  await decideCaseAs(operator, await createReportedCase(app, fan, { user: creator }), { action: 'block' });
  const { username, password } = creator;
  const { proof } = (await post(app, 'auth/login', { username, password })).json();
  const appeal = (await post(app, 'public/contact-admin', { ...message, proof })).json();
  const view = await operator.inject('GET', `/api/admin/cases/${await getCaseId(app, appeal.reference)}`);
  expect(view.json()).toMatchObject({ kind: 'appeal', deadline: { dueAt: '2026-12-03T10:00:00.000Z' } });
});

test('tickets are listed newest first, regardless of later messages', async () => {
  const writer = await app.signUp('customer');
  const [first, second] = [await createTicket(writer, 'A payment'), await createTicket(writer, 'Another')].map((one) =>
    one.json(),
  );
  await post(writer, `helpdesk/tickets/${first.id}/messages`, { message: 'It is still missing.' });
  const { data } = (await writer.inject('GET', '/api/helpdesk/tickets')).json();
  expect(data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
});

test('an address gets at most three receipts a day without user text, and all complaints are stored', async () => {
  const toComplaint = (email: string) => ({ ...complaint, name: 'Buy cheap pills', email });
  for (const email of ['cy@example.com', 'CY@example.com', 'cy@example.com', 'Cy@example.com'])
    expect((await post(app, 'public/complaints', toComplaint(email))).statusCode).toBe(200);
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
  const limitedApp = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.1' } });
  const message = { name: 'Ana', email: 'ana@example.com', details: 'Hello' };
  const codes = [];
  for (let count = 0; count < 5; count += 1)
    codes.push((await post(limitedApp, 'public/contact-admin', message)).statusCode);
  await limitedApp.close();
  expect(codes).toEqual([200, 200, 200, 429, 429]);
});

test('a complaint about one of our addresses is linked to the content there', async () => {
  const creator = await app.signUp('creator');
  const where = `http://localhost:3000/profile/${creator.username}`;
  const { reference } = (await post(app, 'public/complaints', { ...complaint, where })).json();
  const view = (await operator.inject('GET', `/api/admin/cases/${await getCaseId(app, reference)}`)).json();
  expect(view).toMatchObject({
    about: { id: creator.id },
    subject: 'profile',
    allowedActions: expect.arrayContaining(['suspend', 'close']),
  });
});

const form = (content: Buffer | string, type: string) => {
  const boundary = 'a-boundary';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="it"\r\ncontent-type: ${type}\r\n\r\n`;
  const payload = Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
};
const uploadPicture = (by: TestUser, content: Buffer | string, type = 'image/jpeg') => {
  const { payload, headers } = form(content, type);
  return by.inject('POST', '/api/helpdesk/pictures', payload, headers);
};

test('a ticket and its pictures are visible to its author only, and it can be answered, continued and closed', async () => {
  const picture = (await uploadPicture(fan, await createPictureFile({ width: 200, height: 100 }))).json();
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

  const loadPicture = (by: TestUser) => by.inject('GET', `/api/helpdesk/pictures/${picture.id}`);
  expect((await loadPicture(fan)).headers['content-type']).toBe('image/jpeg');
  expect((await loadPicture(stranger)).statusCode).toBe(404);
  expect((await stranger.inject('GET', `/api/helpdesk/tickets/${id}`)).statusCode).toBe(404);
  const loadAsOperator = async (by: TestUser) =>
    (await by.inject('GET', `/api/admin/cases/${id}/pictures/${picture.id}`)).statusCode;
  expect(await loadAsOperator(operator)).toBe(200);
  const support = await app.signUp('operator', { roles: ['support'] });
  expect(await loadAsOperator(support)).toBe(200);
  const moveToQueue = (queue: 'copyright' | 'support') =>
    app.ctx.db.query.updateTable('cases').set({ queue }).where('id', '=', id).execute();
  await moveToQueue('copyright');
  expect([await loadAsOperator(support), await loadAsOperator(operator)]).toEqual([404, 200]);
  await moveToQueue('support');

  const reply = { text: 'It came this morning.', isClosing: false };
  expect((await post(operator, `admin/cases/${id}/replies`, reply)).json().state).toBe('waiting');
  expect((await fan.inject('GET', `/api/helpdesk/tickets/${id}`)).json()).toMatchObject({
    state: 'waiting',
    entries: [{ isFromSupport: false }, { isFromSupport: true, text: 'It came this morning.' }],
  });
  expect((await listMails(fan.email)).at(-1)?.body).toContain('It came this morning.');
  expect((await post(fan, `helpdesk/tickets/${id}/messages`, { message: 'Thank you' })).json().state).toBe('open');
  expect((await post(fan, `helpdesk/tickets/${id}/close`, {})).json().state).toBe('closed');
  expect((await post(operator, `admin/cases/${id}/replies`, reply)).json().code).toBe('CONFLICT');
  expect((await post(fan, `helpdesk/tickets/${id}/messages`, { message: 'Not quite' })).json().state).toBe('open');
  await post(operator, `admin/cases/${id}/notes`, { text: 'Looked at the processor.' });
  expect((await fan.inject('GET', `/api/helpdesk/tickets/${id}`)).body).not.toContain('processor');
  expect(await listAuditActions(app, id)).toEqual([...Array(3).fill('case.view'), 'case.reply', 'case.note']);
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
  const rows = app.ctx.db.query
    .selectFrom('audit_log')
    .select(['action', 'operator_id', 'details'])
    .orderBy('position');
  expect(await rows.where('subject_id', '=', id).execute()).toMatchObject([
    { action: 'case.assign', operator_id: operator.id, details: { before: null } },
    { action: 'case.assign', operator_id: other.id, details: { before: operator.id } },
    { action: 'case.unassign', operator_id: other.id, details: { before: other.id } },
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
    expect((await uploadPicture(fan, content, type)).json().code).toBe('UNSUPPORTED_TYPE');
  expect((await uploadPicture(fan, '')).json().code).toBe('VALIDATION');
  expect((await post(fan, 'helpdesk/pictures', {})).json().code).toBe('UNSUPPORTED_TYPE');
});

function createPngBomb(side: number): Buffer {
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
  const picture = await createPictureFile({ width: 400, height: 300 });
  const small = await createPictureFile({ width: 8, height: 8 });
  const large = Buffer.concat([picture, Buffer.alloc(40 * 1024 * 1024)]);
  for (const badFile of [picture.subarray(0, picture.length / 3), createPngBomb(60_000), small, large]) {
    const response = await uploadPicture(fan, badFile, 'image/png');
    expect([400, 413, 415], response.body).toContain(response.statusCode);
    expect(response.json().message.length).toBeGreaterThan(10);
  }
  const writer = await app.signUp('customer');
  const ids: string[] = [];
  for (let count = 0; count <= CASE_LIMITS.pictures; count += 1)
    ids.push((await uploadPicture(writer, picture)).json().id);
  const openTicket = (pictures: string[]) =>
    post(writer, 'helpdesk/tickets', { subject: 'Look', message: 'See here.', pictures });
  expect((await openTicket(ids)).json().code).toBe('VALIDATION');
  expect((await openTicket(ids.slice(0, 1))).statusCode).toBe(200);
  expect((await openTicket(ids.slice(0, 1))).json().code).toBe('NOT_FOUND');
});

test('saved replies are unique by title, and changes are logged', async () => {
  const savedResponse = (
    await post(operator, 'admin/canned-responses', { title: 'Late', text: 'It takes a day.' })
  ).json();
  await post(operator, 'admin/canned-responses', { title: 'Late', text: 'It takes two days.' });
  const { data } = (await operator.inject('GET', '/api/admin/canned-responses')).json();
  expect(data).toEqual([{ id: savedResponse.id, title: 'Late', text: 'It takes two days.' }]);
  expect((await operator.inject('DELETE', `/api/admin/canned-responses/${savedResponse.id}`)).statusCode).toBe(200);
  expect(await listAuditActions(app, savedResponse.id)).toEqual([
    'cannedResponse.save',
    'cannedResponse.save',
    'cannedResponse.delete',
  ]);
});

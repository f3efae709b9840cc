import { listMail } from '@stagedoor/contract/identity/dev-mailbox.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { hasMailbox } from './index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const subjects = async (query = '') =>
  (await app.inject('GET', `/api/dev/mailbox${query}`)).json().data.map(({ subject }: { subject: string }) => subject);

test('the mailbox lists mails with their links, newest first, and filters by address in any case', async () => {
  const send = (to: string, subject: string, text: string) => app.ctx.mailer.send(app.ctx.db, { to, subject, text });
  await send('one@example.com', 'First', 'Go to http://localhost:3000/a?token=x-y_z. Or (https://example.org/b)!');
  await send('two@example.com', '<b>Second</b>', 'No link: javascript:alert(1)');
  await send('one@example.com', 'Third', '');
  expect(await subjects()).toEqual(['Third', '<b>Second</b>', 'First']);
  expect(await subjects('?to=ONE@example.com')).toEqual(['Third', 'First']);
  expect(await subjects("?to=' or true --")).toEqual([]);
  expect(await subjects(`?to=${'x'.repeat(5_000)}`)).toEqual([]);
  const { data } = (await app.inject('GET', '/api/dev/mailbox?to=one@example.com')).json();
  expect(data[1]).toMatchObject({
    to: 'one@example.com',
    links: ['http://localhost:3000/a?token=x-y_z', 'https://example.org/b'],
  });
});

test('the mailbox does not exist when mail is sent, or in production', async () => {
  const smtpApp = await createTestApp({ env: { SMTP_URL: 'smtp://localhost:2525' } });
  try {
    expect(smtpApp.app.bound.has(listMail)).toBe(false);
    expect((await smtpApp.inject('GET', '/api/dev/mailbox')).statusCode).toBe(404);
  } finally {
    await smtpApp.close();
  }
  expect(hasMailbox({ ...app.ctx.config, isProduction: true })).toBe(false);
});

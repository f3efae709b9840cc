/** Roles are active only with a second factor that was set up by the code of the invitation. */
import type { OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { getMailedCode } from '../accounts/testing.ts';
import { setRolesByCli } from './staff.ts';

let app: TestApp;
let owner: TestUser;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  // No test must cross a step boundary of the codes.
  app.clock.set(new Date((Math.floor(app.clock.now().getTime() / 30_000) + 10) * 30_000));
  owner = await app.signUp('operator');
});

const HOUR_MS = 60 * 60_000;
const reason = 'We spoke about it';
const codeAt = (secret: string) => generateSync({ strategy: 'totp', secret, epoch: app.clock.now().getTime() / 1000 });

async function listMails({ email }: { email: string }): Promise<{ subject: string; body: string }[]> {
  await app.ctx.events.waitUntilIdle();
  const mails = app.ctx.db.query.selectFrom('development_mail').select(['subject', 'body']);
  return mails.where('recipient', '=', email).orderBy('id', 'desc').execute();
}

const readMailedCode = ({ email }: { email: string }) => getMailedCode(app.ctx, email);

async function invite(user: TestUser, roles: readonly OperatorRole[] = ['moderator']): Promise<TestUser> {
  const body = { username: user.username, roles, reason };
  expect((await owner.inject('POST', '/api/admin/staff', body)).statusCode).toBe(200);
  return app.logIn(user);
}

const setUp = (user: TestUser, invitationCode?: string) =>
  user.inject('POST', '/api/auth/two-factor/setup', { currentPassword: user.password, invitationCode });
const enable = (user: TestUser, secret: string) =>
  user.inject('POST', '/api/auth/two-factor/enable', { code: codeAt(secret) });
const readAccess = async (user: TestUser) => (await user.inject('GET', '/api/admin/me')).statusCode;

test('the password alone activates no role', async () => {
  const thief = await invite(await app.signUp('customer'), ['owner']);
  for (const code of [undefined, 'aaaa-bbbb-cccc']) {
    const response = await setUp(thief, code);
    expect([response.statusCode, response.json().error?.[0]?.field]).toEqual([400, 'invitationCode']);
  }
  expect((await enable(thief, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')).statusCode).toBe(409);
  expect(await readAccess(thief)).toBe(403);
});

test('the mailed code activates the role once, and the other owners are notified', async () => {
  const member = await invite(await app.signUp('customer'));
  expect(await readAccess(member)).toBe(403);
  const code = await readMailedCode(member);
  const { secret } = (await setUp(member, ` ${code.toUpperCase()} `)).json();
  expect((await enable(member, secret)).statusCode).toBe(200);
  expect(await readAccess(member)).toBe(200);
  const [mail] = await listMails(owner);
  expect(mail?.subject).toBe(`Staff roles are active: @${member.username}`);
  expect(mail?.body).toContain('These staff roles are active now: moderator.');
  const used = await app.ctx.db.query
    .selectFrom('mail_tokens')
    .select('used_at')
    .where('user_id', '=', member.id)
    .where('purpose', '=', 'staff')
    .execute();
  expect(used).toEqual([{ used_at: expect.any(Date) }]);
});

test('a factor from before the invitation does not activate the role, enabled or prepared', async () => {
  const [enabled, prepared] = [await app.signUp('customer'), await app.signUp('customer')];
  const secrets = await Promise.all([enabled, prepared].map(async (user) => (await setUp(user)).json().secret));
  expect((await enable(enabled, secrets[0])).statusCode).toBe(200);
  const [first, second] = [await invite(enabled), await invite(prepared)];
  expect(await readAccess(first)).toBe(403);
  expect((await enable(second, secrets[1])).statusCode).toBe(409);
  expect(await readAccess(second)).toBe(403);
});

test('the code is valid for 48 hours, also between its two steps, and an owner can send a new one', async () => {
  const member = await invite(await app.signUp('customer'));
  const code = await readMailedCode(member);
  const { secret } = (await setUp(member, code)).json();
  app.clock.advance(48 * HOUR_MS);
  expect((await enable(member, secret)).statusCode).toBe(409);
  expect((await setUp(member, code)).json().error[0].field).toBe('invitationCode');
  const send = (by: TestUser) => by.inject('POST', `/api/admin/staff/${member.id}/code`);
  expect((await send(await app.signUp('operator', { roles: ['finance'] }))).statusCode).toBe(403);
  expect((await send(owner)).statusCode).toBe(200);
  const newCode = await readMailedCode(member);
  expect(newCode).not.toBe(code);
  const renewed = (await setUp(member, newCode)).json();
  expect((await enable(member, renewed.secret)).statusCode).toBe(200);
  expect((await send(owner)).json().code).toBe('CONFLICT');
});

test('a code belongs to one user, and a wrong one counts as an attempt', async () => {
  const [member, other] = [await invite(await app.signUp('customer')), await invite(await app.signUp('customer'))];
  const code = await readMailedCode(other);
  expect((await setUp(member, code)).statusCode).toBe(400);
  // One after another, because the right password resets its own limit.
  for (let attempt = 1; attempt < 10; attempt += 1)
    expect((await setUp(member, 'aaaa-bbbb-cccc')).json().error?.[0]?.field).toBe('invitationCode');
  expect((await setUp(member, await readMailedCode(member))).statusCode).toBe(429);
  expect((await setUp(other, code)).statusCode).toBe(200);
});

test('a user who turns a factor off needs a new code from the mailbox to set up another', async () => {
  const member = await invite(await app.signUp('customer'));
  const { secret } = (await setUp(member, await readMailedCode(member))).json();
  await enable(member, secret);
  app.clock.advance(60_000);
  const off = { currentPassword: member.password, code: codeAt(secret) };
  expect((await member.inject('POST', '/api/auth/two-factor/disable', off)).statusCode).toBe(200);
  expect(await readAccess(member)).toBe(403);
  expect((await setUp(member)).statusCode).toBe(400);
  expect((await setUp(member, await readMailedCode(member))).statusCode).toBe(200);
});

test('the command that makes the first owner returns the code, and again if it is run again', async () => {
  const account = await app.signUp('customer');
  const run = () => setRolesByCli(app.ctx, app.ctx.db, account.username, { roles: ['owner'], reason });
  const [first, second] = [await run(), await run()];
  const member = await app.logIn(account);
  expect((await setUp(member, first)).statusCode).toBe(400);
  const { secret } = (await setUp(member, second)).json();
  await enable(member, secret);
  expect(await readAccess(member)).toBe(200);
  expect(await run()).toBeUndefined();
  expect(JSON.stringify(await listMails(account))).not.toContain(second);
});

test('removed roles take the code with them', async () => {
  const member = await invite(await app.signUp('customer'));
  const code = await readMailedCode(member);
  const body = { from: ['moderator'], to: [], reason };
  expect((await owner.inject('PUT', `/api/admin/staff/${member.id}`, body)).statusCode).toBe(200);
  expect((await setUp(await app.logIn(member), code)).statusCode).toBe(400);
});

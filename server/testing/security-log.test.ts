import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseUser } from '../modules/identity/account-deletion/testing.ts';
import { blockAccount, createStaffCode } from '../modules/identity/accounts/index.ts';
import { getMailedToken } from '../modules/identity/accounts/testing.ts';
import { createExport, findExport } from '../modules/identity/data-export/testing.ts';
import { createDelegatedSession, joinTeam } from '../modules/identity/teams/testing.ts';
import { createReportedCase, decideCaseAs } from '../modules/trust/moderation/testing.ts';
import type { SecurityKind } from '../platform/security/security-log.ts';
import { createTestApp, type TestApp, type TestUser } from './app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => app.close());

const HOME = '198.51.100.7';
const WRONG = 'Wrong7!pass';
const login = (user: TestUser, password: string, code?: string) =>
  app.inject(
    'POST',
    '/api/auth/login',
    { username: user.username, password, ...(code !== undefined && { code }) },
    { 'x-forwarded-for': HOME },
  );

/** Summed because the log is written every second. */
type Row = { kind: string; network: string | null; detail: string; count: number };
async function listRows(userId: string | null): Promise<Row[]> {
  await app.ctx.security.flush();
  const { rows } = await app.owner.pool.query<Row>(
    `select kind, network, detail, sum(count)::int as count from security_log where user_id is not distinct from $1
     group by kind, network, detail order by min(id)`,
    [userId],
  );
  return rows;
}
const listKinds = async (user: TestUser) => (await listRows(user.id)).map(({ kind }) => kind);

test('the security log counts log-ins, refusals and lock-outs with their network', async () => {
  const user = await app.signUp('customer');
  await login(user, user.password);
  for (let guess = 0; guess < 12; guess += 1) await login(user, WRONG);
  expect(await listRows(user.id)).toEqual([
    { kind: 'loggedIn', network: HOME, detail: '', count: 1 },
    { kind: 'logInRefused', network: HOME, detail: '', count: 10 },
    { kind: 'lockedOut', network: HOME, detail: '', count: 2 },
  ]);
});

test('the security log does not contain unknown usernames as typed', async () => {
  const typed = 'My.Password.99';
  const body = { username: typed, password: WRONG };
  await app.inject('POST', '/api/auth/login', body, { 'x-forwarded-for': '203.0.113.77' });
  const rows = await listRows(null);
  expect(rows).toContainEqual({ kind: 'logInRefused', network: '203.0.113.77', detail: '', count: 1 });
  expect(JSON.stringify(rows)).not.toContain('assword');
});

async function withTwoFactor(type: 'customer' | 'creator' | 'operator') {
  const user = await app.signUp(type, { hasSecondFactor: false });
  const invitationCode =
    type === 'operator' ? await app.ctx.db.transaction((tx) => createStaffCode(app.ctx, tx, user)) : undefined;
  const setup = { currentPassword: user.password, invitationCode };
  const { secret } = (await user.inject('POST', '/api/auth/two-factor/setup', setup)).json();
  const code = () => generateSync({ strategy: 'totp', secret, epoch: app.clock.now().getTime() / 1000 });
  const { recoveryCodes } = (await user.inject('POST', '/api/auth/two-factor/enable', { code: code() })).json();
  app.clock.advance(60_000);
  return { user, secret, code, recoveryCodes };
}

test('the security log records factors, passwords and ended sessions, without secrets', async () => {
  const { user, secret, code, recoveryCodes } = await withTwoFactor('creator');
  await login(user, user.password, '000000');
  const entered = await login(user, user.password, code());
  app.clock.advance(60_000);
  await user.inject('POST', '/api/customer/profile-pass-change', {
    currentPassword: WRONG,
    newPassword: 'Second9!curtain',
  });
  const change = { currentPassword: user.password, newPassword: 'Second9!curtain', code: code() };
  expect((await user.inject('POST', '/api/customer/profile-pass-change', change)).statusCode).toBe(200);
  const off = { currentPassword: change.newPassword, code: recoveryCodes[0] };
  expect((await user.inject('POST', '/api/auth/two-factor/disable', off)).statusCode).toBe(200);
  await user.inject('POST', '/api/auth/logout');
  expect(await listKinds(user)).toEqual([
    'twoFactorOn',
    'secondFactorRefused',
    'loggedIn',
    'passwordRefused',
    'passwordChanged',
    'twoFactorOff',
    'loggedOut',
  ]);
  const { rows } = await app.owner.pool.query('select l::text as line from security_log l');
  const all = rows.map(({ line }) => line).join('\n');
  const tokens = entered.cookies.map(({ value }) => value).filter((value) => value.length > 20);
  for (const secretText of [
    user.password,
    change.newPassword,
    WRONG,
    secret,
    ...recoveryCodes,
    ...tokens,
    user.username,
    user.email,
  ])
    expect(all).not.toContain(secretText);
});

const toPasswordBody = (user: TestUser) => ({ currentPassword: user.password });
const reset = async (user: TestUser) => {
  await app.inject('POST', '/api/auth/forgot-password', { email: user.email });
  await app.ctx.events.waitUntilIdle();
  const token = await getMailedToken(app.ctx, user.email);
  return app.inject('POST', '/api/auth/reset-password', { token, newPassword: 'Second9!curtain' });
};
const DAY_MS = 24 * 60 * 60_000;
const blockByOperator = async (user: TestUser, days?: number) => {
  const [operator, reporter] = await Promise.all([app.signUp('operator'), app.signUp('customer')]);
  const caseId = await createReportedCase(app, reporter, { user });
  const act = days === undefined ? { action: 'block' as const } : { action: 'suspend' as const, days };
  const [decision] = (await decideCaseAs(operator, caseId, act)).json().decisions;
  return () => operator.inject('POST', `/api/admin/case-decisions/${decision.id}/undo`, { reason: 'We were wrong.' });
};
const undoBlock = async (user: TestUser) => (await blockByOperator(user))();
const waitForUnblock = async (user: TestUser) => {
  await blockByOperator(user, 7);
  app.clock.advance(7 * DAY_MS + 1);
  return login(user, user.password);
};
const unblockByJob = async (user: TestUser) => {
  await blockByOperator(user, 7);
  app.clock.advance(7 * DAY_MS + 1);
  await app.owner.pool.query("select graphile_worker.add_job('accounts.unblockExpired')");
  return app.ctx.jobs.runDue(['accounts.unblockExpired']);
};
const deleteAccount = async (user: TestUser) => {
  await user.inject('POST', '/api/account/deletion', toPasswordBody(user));
  app.clock.advance(14 * DAY_MS);
  return eraseUser(app.ctx, user.id, { signal: undefined });
};
const endOther = async (user: TestUser) => {
  const { id } = (await (await app.logIn(user)).inject('GET', '/api/auth/sessions'))
    .json()
    .data.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
  return user.inject('DELETE', `/api/auth/sessions/${id}`);
};
const endOthers = async (user: TestUser) => {
  await app.logIn(user);
  return user.inject('POST', '/api/auth/sessions/revoke-others');
};
/** With the other tests this covers all kinds: a new one is a type error here. */
const TRIGGERS: Record<Exclude<SecurityKind, TestedElsewhere>, ((user: TestUser) => Promise<unknown>)[]> = {
  sessionsEnded: [endOther, endOthers],
  passwordReset: [reset],
  accountBlocked: [(user) => blockAccount(app.ctx, user.id, 'test')],
  accountUnblocked: [undoBlock, waitForUnblock, unblockByJob],
  accountDeleted: [deleteAccount],
  deletionRequested: [(user) => user.inject('POST', '/api/account/deletion', toPasswordBody(user))],
  breakStarted: [
    (user) => user.inject('POST', '/api/customer/break/spending', { days: 7 }),
    (user) => user.inject('POST', '/api/customer/break/account', { days: 7, ...toPasswordBody(user) }),
  ],
};
type TestedElsewhere =
  | 'delegationChanged'
  | 'steppedUp'
  | 'rolesChanged'
  | 'loggedIn'
  | 'logInRefused'
  | 'lockedOut'
  | 'secondFactorRefused'
  | 'loggedOut'
  | 'passwordChanged'
  | 'passwordRefused'
  | 'twoFactorOn'
  | 'twoFactorOff'
  | 'roleRefused'
  | 'originRefused'
  | 'operatorAction';

test.each(Object.entries(TRIGGERS).flatMap(([kind, acts]) => acts.map((act, index) => [kind, index, act] as const)))(
  'the security log records %s (action %i)',
  async (kind, _, act) => {
    const user = await app.signUp('customer');
    await act(user);
    expect(await listKinds(user)).toContain(kind);
  },
);

const listDetails = async (user: TestUser, kind: SecurityKind) =>
  (await listRows(user.id)).filter((row) => row.kind === kind).map(({ detail }) => detail);

test('the security log records re-authentication of operators, role changes and log-outs by an owner', async () => {
  const [{ user: owner, code }, candidate] = [await withTwoFactor('operator'), await app.signUp('customer')];
  const stepUp = { currentPassword: owner.password, code: code() };
  expect((await owner.inject('POST', '/api/admin/step-up', stepUp)).statusCode).toBe(200);
  expect(await listKinds(owner)).toContain('steppedUp');
  const reason = 'We spoke about it';
  const invited = { username: candidate.username, roles: ['support', 'finance'], reason };
  expect((await owner.inject('POST', '/api/admin/staff', invited)).statusCode).toBe(200);
  const change = { from: ['finance', 'support'], to: ['finance'], reason };
  expect((await owner.inject('PUT', `/api/admin/staff/${candidate.id}`, change)).statusCode).toBe(200);
  expect(await listDetails(candidate, 'rolesChanged')).toEqual(['finance, support', 'finance']);
  await owner.inject('POST', `/api/admin/staff/${candidate.id}/end-sessions`);
  expect(await listDetails(candidate, 'sessionsEnded')).toEqual(['by an owner']);
});

test('the security log records the start and end of acting on behalf of a creator', async () => {
  const [creator, member] = [await app.signUp('creator'), await app.signUp('customer')];
  await joinTeam(creator, member, ['chat']);
  await createDelegatedSession(app, member, creator.id);
  expect(await listDetails(member, 'delegationChanged')).toEqual([`acts for ${creator.id}`]);
  await createDelegatedSession(app, member, null);
  await creator.inject('DELETE', `/api/creator/team/members/${member.id}`);
  expect(await listDetails(member, 'delegationChanged')).toEqual([`acts for ${creator.id}`, 'acts for no creator']);
  expect(await listDetails(member, 'sessionsEnded')).toEqual(['acting']);
});

test('the security log contains the session and the network of each action', async () => {
  const { user, code } = await withTwoFactor('customer');
  const wrong = { currentPassword: user.password, days: 7, code: '000000' };
  const from = { 'x-forwarded-for': '2a02:1000:0:ff::1' };
  await user.inject('POST', '/api/customer/break/account', wrong, from);
  const entered = await login(user, user.password, code());
  expect(entered.statusCode).toBe(200);
  await app.ctx.security.flush();
  const { rows } = await app.owner.pool.query(
    `select l.kind, l.network, s.id is not null as "isLiving" from security_log l left join sessions s on s.id = l.session_id
     where l.user_id = $1 order by l.id`,
    [user.id],
  );
  expect(rows).toEqual([
    { kind: 'twoFactorOn', network: '127.0.0.1', isLiving: true },
    { kind: 'secondFactorRefused', network: '2a02:1000:0:0', isLiving: true },
    { kind: 'loggedIn', network: HOME, isLiving: true },
  ]);
});

test('the security log records actions of operators', async () => {
  const operator = await app.signUp('operator');
  const cannedResponse = { title: 'A title', text: 'Some words.' };
  expect((await operator.inject('POST', '/api/admin/canned-responses', cannedResponse)).statusCode).toBe(200);
  expect(await listKinds(operator)).toEqual(['operatorAction']);
});

test('routes that need the password also need the two-factor code if it is on', async () => {
  const { user, code } = await withTwoFactor('customer');
  const { user: creator, code: getCreatorCode } = await withTwoFactor('creator');
  await user.inject('POST', '/api/account/data-export');
  const dataExport = await findExport(app.ctx.db, user.id);
  await createExport(app.ctx, { userId: user.id, id: dataExport?.id ?? '' }, { isLast: true, signal: undefined });
  const paypal = { kind: 'paypal', email: 'jane@example.com' };
  const cases: [TestUser, string, object, () => string][] = [
    [creator, '/api/payout-methods', { details: paypal }, getCreatorCode],
    [user, '/api/account/data-export/unlock', {}, code],
    [user, '/api/customer/break/account', { days: 7 }, code],
    [creator, '/api/account/deletion', {}, getCreatorCode],
  ];
  for (const [account, path, body, right] of cases) {
    const send = (extra: object) => account.inject('POST', path, { ...body, ...toPasswordBody(account), ...extra });
    app.clock.advance(60_000);
    for (const wrong of [{}, { code: '000000' }]) {
      const response = await send(wrong);
      expect([path, response.statusCode, response.json().error?.[0]?.field]).toEqual([path, 400, 'code']);
    }
    expect((await send({ code: right() })).statusCode, path).toBe(200);
  }
  expect(await listKinds(user)).toEqual(['twoFactorOn', 'secondFactorRefused', 'breakStarted']);
});

test('the security log records refused roles and refused origins', async () => {
  const user = await app.signUp('customer');
  expect((await user.inject('GET', '/api/creator/stats')).statusCode).toBe(403);
  expect((await user.inject('GET', '/api/wallet')).statusCode).not.toBe(403);
  expect(await listRows(user.id)).toMatchObject([{ kind: 'roleRefused', detail: 'GET /creator/stats', count: 1 }]);
  await app.inject('POST', '/api/auth/logout', undefined, { origin: 'https://evil.example', 'x-forwarded-for': HOME });
  expect(await listRows(null)).toContainEqual({ kind: 'originRefused', network: HOME, detail: '', count: 1 });
});

test('the security log is counted by kind in the metrics', async () => {
  const before = (await app.inject('GET', '/metrics')).body;
  const count = (text: string) =>
    Number(/^stagedoor_security_events_total\{kind="accountBlocked"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  app.ctx.security.note({ kind: 'accountBlocked', detail: 'a test' });
  expect(count((await app.inject('GET', '/metrics')).body)).toBe(count(before) + 1);
});

test('the security log cannot be changed, and only old entries are purged', async () => {
  const user = await app.signUp('customer');
  await login(user, user.password);
  await app.ctx.security.flush();
  for (const statement of [
    "update security_log set kind = 'loggedOut'",
    'delete from security_log',
    'truncate security_log',
  ])
    await expect(app.owner.pool.query(statement), statement).rejects.toThrow(/only grows/);
  await expect(app.ctx.db.pool.query("update security_log set kind = 'loggedOut'")).rejects.toThrow(
    /permission denied/,
  );
  await app.owner.pool.query(
    "insert into security_log (at, kind, user_id) values (now() - interval '401 days', 'loggedIn', $1)",
    [user.id],
  );
  await app.ctx.security.purge();
  expect(await listKinds(user)).toEqual(['loggedIn']);
});

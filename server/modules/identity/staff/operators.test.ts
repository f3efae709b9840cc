import {
  canOperatorCallRoute,
  canOperatorDecide,
  findOperatorRight,
  OPERATOR_RIGHTS,
  OPERATOR_ROLES,
  type OperatorCall,
  type OperatorRole,
} from '@stagedoor/contract/admin/operator-rights.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { getSample, toSampleUrl } from '../../../testing/samples.ts';
import { ROUTES } from '../../index.ts';
import { countMail } from '../accounts/testing.ts';
import { setRolesByCli } from './staff.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const operatorRoutes = ROUTES.map(({ route }) => route).filter(({ auth }) => auth === 'operator');
const toCallName = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const operator = (...roles: OperatorRole[]) => app.signUp('operator', { roles });
const CASE_WORK =
  'changes a case; decisions can be undone, and those about money or blocks require step-up when they are made';
const CANNED_RESPONSES = 'edits texts that operators reply with';
const WITHOUT_STEP_UP: Readonly<Partial<Record<OperatorCall, string>>> = {
  'POST /admin/step-up': 'is how it is proven',
  'POST /admin/users/:id/case': CASE_WORK,
  'POST /admin/posts/:id/case': CASE_WORK,
  'POST /admin/cases/:id/assign': CASE_WORK,
  'POST /admin/cases/:id/notes': CASE_WORK,
  'POST /admin/cases/:id/replies': CASE_WORK,
  'POST /admin/cases/:id/route': CASE_WORK,
  'POST /admin/cases/:id/decision': CASE_WORK,
  'POST /admin/case-decisions/:id/undo': CASE_WORK,
  'POST /admin/cases/dismiss': CASE_WORK,
  'POST /admin/cases/reopen': CASE_WORK,
  'POST /admin/canned-responses': CANNED_RESPONSES,
  'DELETE /admin/canned-responses/:id': CANNED_RESPONSES,
  'POST /admin/calls/:id/end': 'ends what must end at once, and is charged by its clock',
  'POST /admin/alarms/check': 'looks again, and changes nothing',
  'POST /admin/system/jobs/:id/retry': 'does once more what was to be done',
};
const DOCUMENTS = /^GET \/admin\/verifications\/:id/;

function callRoute(user: TestUser, route: RouteSpec) {
  const { body } = getSample(route);
  const hasBody = route.method !== 'GET' && body !== undefined;
  return user.inject(
    route.method,
    toSampleUrl(route),
    hasBody ? JSON.stringify(body) : undefined,
    hasBody ? { 'content-type': 'application/json' } : {},
  );
}
const reason = 'We spoke about it';
const NOT_IN_ROLE = 'Your roles don’t allow this.';

test('the table of rights lists exactly the routes for operators', () => {
  expect(operatorRoutes.map(toCallName).sort()).toEqual(Object.keys(OPERATOR_RIGHTS).sort());
});

describe('access to every admin route', () => {
  test.each([...OPERATOR_ROLES.map((role) => ({ roles: [role] })), { roles: [] }])(
    'matches the table of rights for $roles',
    async ({ roles }) => {
      const user = await operator(...roles);
      const wrong: string[] = [];
      for (const route of operatorRoutes) {
        const response = await callRoute(user, route);
        const isRefused = response.statusCode === 403 && response.json().message === NOT_IN_ROLE;
        if (isRefused === canOperatorCallRoute(roles, route))
          wrong.push(`${toCallName(route)}: ${response.statusCode}`);
        if (response.statusCode === 500) wrong.push(`${toCallName(route)}: ${response.body}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  test('excludes auditors from changes and documents, moderators from money, and all but owners from the team', () => {
    for (const route of operatorRoutes) {
      const call = toCallName(route);
      const isStepUp = call === 'POST /admin/step-up';
      if (canOperatorCallRoute(['auditor'], route) && !isStepUp) expect(call).toMatch(/^GET /);
      if (/documents|content|pictures/.test(call))
        expect(canOperatorCallRoute(['auditor', 'finance'], route), call).toBe(false);
      if (/payout|debtor|processor|ledger|alarm/.test(call))
        expect(canOperatorCallRoute(['moderator', 'support'], route), call).toBe(false);
      if (/^(?!GET).*\/admin\/(staff|company|payout-settings|fees|creator-fees|price-limits|kill-switches)/.test(call))
        expect(canOperatorCallRoute(['moderator', 'finance', 'support', 'auditor'], route), call).toBe(false);
    }
    expect(canOperatorCallRoute(['owner'], { method: 'GET', path: '/admin/unheard-of' })).toBe(false);
    expect(canOperatorDecide(['support'], 'close', true)).toBe(true);
    expect(canOperatorDecide(['support'], 'dismiss', false)).toBe(false);
    expect(canOperatorDecide(['support'], 'block', true)).toBe(false);
    expect(canOperatorDecide(['auditor', 'finance'], 'dismiss', true)).toBe(false);
  });
});

test('every call that moves money, changes a setting or shows documents requires a recent proof of identity', () => {
  const calls = operatorRoutes.filter(
    ({ method, path }) =>
      /^\/admin\/verifications\/:id/.test(path) ||
      (method !== 'GET' &&
        /payout|fees|price-limits|settle|debtor|processor|differences|approvals|staff|kill-switches|announcements|company$|alarms\/:id/.test(
          path,
        )),
  );
  expect(calls.length).toBeGreaterThan(25);
  expect(calls.filter((route) => !findOperatorRight(route)?.needsStepUp).map(toCallName)).toEqual([]);
});

test('the work queue shows each role its own kinds of work', async () => {
  const listKinds = async (...roles: OperatorRole[]) =>
    (await (await operator(...roles)).inject('GET', '/api/admin/work-queue'))
      .json()
      .data.map(({ kind }: { kind: string }) => kind);
  expect(await listKinds('support')).toEqual(['cases', 'calls', 'pushServices']);
  expect(await listKinds('finance')).toEqual(expect.arrayContaining(['payoutsToApprove', 'alarms', 'debtors']));
  expect(await listKinds('finance')).not.toContain('cases');
  expect(await listKinds('owner')).toContain('missingCompanyDetails');
});

describe('operator sessions', () => {
  let shortApp: TestApp;
  beforeAll(async () => {
    const env = { OPERATOR_IDLE_MINUTES: '30', OPERATOR_SESSION_HOURS: '12', ADMIN_STEP_UP_MINUTES: '15' };
    shortApp = await createTestApp({ env });
  });
  afterAll(() => shortApp.close());
  const readStatus = async (user: TestUser) => (await user.inject('GET', '/api/admin/me')).statusCode;

  test('end after 30 idle minutes or after twelve hours, unlike those of fans', async () => {
    const [user, fan] = [await shortApp.signUp('operator'), await shortApp.signUp('customer')];
    for (let hours = 0; hours < 12; hours += 0.25) {
      expect(await readStatus(user), `after ${hours} hours`).toBe(200);
      shortApp.clock.advance(15 * 60_000);
    }
    expect(await readStatus(user)).toBe(401);
    const secondLogin = await shortApp.logIn(user);
    expect(await readStatus(secondLogin)).toBe(200);
    shortApp.clock.advance(31 * 60_000);
    expect(await readStatus(secondLogin)).toBe(401);
    expect((await fan.inject('GET', '/api/auth/user')).statusCode).toBe(200);
  });

  test('require a new proof of identity for money and roles 15 minutes after log-in', async () => {
    const user = await shortApp.signUp('operator');
    const invite = () =>
      user.inject('POST', '/api/admin/staff', { username: 'nobody.here', roles: ['support'], reason });
    expect((await invite()).json().code).toBe('VALIDATION');
    shortApp.clock.advance(16 * 60_000);
    expect((await invite()).json()).toMatchObject({ code: 'FORBIDDEN', href: '/admin/step-up' });
    expect((await user.inject('GET', '/api/admin/payouts')).statusCode).toBe(200);

    const stepUp = (currentPassword: string) => user.inject('POST', '/api/admin/step-up', { currentPassword });
    expect((await stepUp('Another7!word')).json().error[0].field).toBe('currentPassword');
    expect((await stepUp(user.password)).json().error[0].field).toBe('code');
    expect((await invite()).statusCode).toBe(403);
    const disableSecondFactor = shortApp.ctx.db.query.updateTable('users').set({ two_factor_enabled_at: null });
    await disableSecondFactor.where('id', '=', user.id).execute();
    shortApp.ctx.sessions.invalidate({ userIds: [user.id] });
    expect((await stepUp(user.password)).statusCode).toBe(403);
  });

  test('require the proof for all changes except the listed ones, and for reading documents', async () => {
    const owner = await shortApp.signUp('operator', { roles: ['owner'] });
    shortApp.clock.advance(16 * 60_000);
    const needingStepUp: string[] = [];
    for (const route of operatorRoutes) {
      const { statusCode, headers, body } = await callRoute(owner, route);
      const isJson = String(headers['content-type']).includes('json');
      if (statusCode === 403 && isJson && JSON.parse(body).href === '/admin/step-up')
        needingStepUp.push(toCallName(route));
    }
    const needsStepUp = (call: string) =>
      !(call in WITHOUT_STEP_UP) && (!call.startsWith('GET ') || DOCUMENTS.test(call));
    expect(needingStepUp.sort()).toEqual(operatorRoutes.map(toCallName).filter(needsStepUp).sort());
    expect(operatorRoutes.map(toCallName)).toEqual(expect.arrayContaining(Object.keys(WITHOUT_STEP_UP)));
  });

  test('hold a proof only where it was given and for a limited time', async () => {
    const user = await shortApp.signUp('operator');
    const other = await shortApp.logIn(user);
    shortApp.clock.advance(16 * 60_000);
    const createBatch = (user: TestUser) => user.inject('POST', '/api/admin/payout-batches', { rail: 'crypto' });
    const [{ id = '' } = {}] = (await user.inject('GET', '/api/auth/sessions'))
      .json()
      .data.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    const stepUpQuery = shortApp.ctx.db.query.updateTable('sessions').set({ step_up_at: shortApp.clock.now() });
    await stepUpQuery.where('id', '=', id).execute();
    shortApp.ctx.sessions.invalidate({ sessionIds: [id] });
    expect((await createBatch(user)).json().href).toBeUndefined();
    expect((await createBatch(other)).json().href).toBe('/admin/step-up');
    shortApp.clock.advance(16 * 60_000);
    expect((await createBatch(user)).json().href).toBe('/admin/step-up');
  });
});

describe('team management', () => {
  const listStaff = async (owner: TestUser) => (await owner.inject('GET', '/api/admin/staff')).json().data;
  const change = (owner: TestUser, id: string, from: string[], to: string[]) =>
    owner.inject('PUT', `/api/admin/staff/${id}`, { from, to, reason });
  const getLastAction = async (owner: TestUser, id: string) =>
    (await owner.inject('GET', `/api/admin/audit?subjectId=${id}`)).json().data[0];

  test('invites a fan’s unused account, which has access until its roles are removed', async () => {
    const [owner, other] = [await operator('owner'), await operator('owner')];
    const colleague = await app.signUp('customer');
    const invite = (username: string, roles = ['moderator']) =>
      owner.inject('POST', '/api/admin/staff', { username, roles, reason });
    const invited = await invite(colleague.username.toUpperCase());
    expect(invited.json()).toMatchObject({
      id: colleague.id,
      roles: ['moderator'],
      hasSecondFactor: false,
      sessions: 0,
    });
    expect(await getLastAction(owner, colleague.id)).toMatchObject({
      ...{ action: 'operator.invite', operator: { id: owner.id } },
      details: { username: colleague.username, before: null, after: 'moderator', reason },
    });
    await app.ctx.events.waitUntilIdle();
    expect(await countMail(app.ctx, colleague.email)).toBe(1);
    const mails = app.ctx.db.query.selectFrom('development_mail').select('body').where('recipient', '=', other.email);
    expect((await mails.execute()).map(({ body }) => body)).toEqual([
      expect.stringContaining(`@${owner.username} changed the staff roles of @${colleague.username}`),
    ]);
    const changes = (await other.inject('GET', '/api/admin/staff-changes')).json().data;
    expect(changes[0]).toMatchObject({ action: 'operator.invite', details: { reason, after: 'moderator' } });
    expect((await colleague.inject('GET', '/api/auth/user')).statusCode).toBe(401);
    const loggedIn = await app.logIn(colleague);
    expect((await loggedIn.inject('GET', '/api/admin/cases')).json().href).toBe('/admin/account');
    const enabled = { two_factor_enabled_at: app.clock.now() };
    await app.ctx.db.query.updateTable('users').set(enabled).where('id', '=', colleague.id).execute();
    const staffSession = await app.logIn(colleague);
    expect((await staffSession.inject('GET', '/api/admin/cases')).statusCode).toBe(200);
    expect((await invite(colleague.username)).json().code).toBe('CONFLICT');

    expect((await change(owner, colleague.id, ['finance'], [])).json().code).toBe('CONFLICT');
    expect((await change(owner, colleague.id, ['moderator'], [])).json().roles).toEqual([]);
    expect((await staffSession.inject('GET', '/api/admin/cases')).statusCode).toBe(401);
    expect((await (await app.logIn(colleague)).inject('GET', '/api/admin/cases')).json().message).toBe(NOT_IN_ROLE);
    expect(await getLastAction(owner, colleague.id)).toMatchObject({ action: 'operator.remove' });
    expect((await invite(colleague.username, ['support', 'finance'])).json().roles).toEqual(['finance', 'support']);
    expect((await change(owner, colleague.id, ['finance', 'support'], ['support'])).statusCode).toBe(200);
    expect(await getLastAction(owner, colleague.id)).toMatchObject({
      action: 'operator.roles',
      details: { before: 'finance, support', after: 'support', reason },
    });
  });

  test('refuses to invite an account that is used otherwise, blocked, unconfirmed or unknown', async () => {
    const owner = await operator('owner');
    const invite = async (username: string) =>
      (await owner.inject('POST', '/api/admin/staff', { username, roles: ['support'], reason })).json().error?.[0];
    const [creator, blocked] = [await app.signUp('creator'), await app.signUp('customer')];
    const unconfirmed = await app.signUp('customer', { isEmailVerified: false });
    await app.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', blocked.id).execute();
    for (const [username, expectedText] of [
      [creator.username, 'creator account'],
      [blocked.username, 'blocked'],
      [unconfirmed.username, 'isn’t confirmed'],
      ['nobody.at.all', 'User not found'],
    ] as const)
      expect(await invite(username)).toMatchObject({
        field: 'username',
        message: expect.stringContaining(expectedText),
      });
    const withoutRoles = await owner.inject('POST', '/api/admin/staff', {
      username: creator.username,
      roles: [],
      reason,
    });
    expect(withoutRoles.json().error[0].field).toBe('roles');
  });

  test('refuses changes of one’s own roles, and lets only owners change an owner', async () => {
    const [owner, other] = [await operator('owner'), await operator('owner')];
    expect((await change(owner, owner.id, ['owner'], ['owner', 'finance'])).statusCode).toBe(403);
    expect((await change(owner, owner.id, ['owner'], [])).statusCode).toBe(403);
    for (const role of OPERATOR_ROLES.filter((one) => one !== 'owner')) {
      const user = await operator(role);
      expect((await change(user, user.id, [role], ['owner'])).json().message).toBe(NOT_IN_ROLE);
      expect((await change(user, other.id, ['owner'], [])).json().message).toBe(NOT_IN_ROLE);
    }
    expect((await change(owner, (await app.signUp('customer')).id, [], ['support'])).statusCode).toBe(404);
  });

  test('leaves one owner when two remove each other’s roles at once', async () => {
    const pair = [await operator('owner'), await operator('owner')] as const;
    const responses = await Promise.all([
      change(pair[0], pair[1].id, ['owner'], []),
      change(pair[1], pair[0].id, ['owner'], []),
    ]);
    expect(responses.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1);
    const reader = await operator('auditor');
    const owners = (await listStaff(reader)).filter(({ roles }: { roles: string[] }) => roles.includes('owner'));
    expect(owners.filter(({ id }: { id: string }) => pair.some((one) => one.id === id))).toHaveLength(1);
  });

  test('creates the first owner by the admin CLI, which refuses accounts that are used otherwise', async () => {
    const [fan, creator] = [await app.signUp('customer'), await app.signUp('creator')];
    await expect(setRolesByCli(app.ctx, app.ctx.db, creator.username, { roles: ['owner'], reason })).rejects.toThrow(
      'creator account',
    );
    await setRolesByCli(app.ctx, app.ctx.db, fan.username, { roles: ['owner'], reason });
    expect((await fan.inject('GET', '/api/auth/user')).statusCode).toBe(401);
    const owner = await operator('owner');
    expect(await getLastAction(owner, fan.id)).toMatchObject({
      operator: null,
      details: { before: null, after: 'owner' },
    });
    await setRolesByCli(app.ctx, app.ctx.db, fan.username, { roles: [], reason });
    const member = (await listStaff(owner)).find(({ id }: { id: string }) => id === fan.id);
    expect(member.roles).toEqual([]);
  });

  test('lets an owner end an operator’s sessions at once, which is logged', async () => {
    const [owner, user] = [await operator('owner'), await operator('finance')];
    expect((await user.inject('GET', '/api/admin/payouts')).statusCode).toBe(200);
    const ended = await owner.inject('POST', `/api/admin/staff/${user.id}/end-sessions`);
    expect(ended.json()).toMatchObject({ roles: ['finance'], sessions: 0 });
    expect((await user.inject('GET', '/api/admin/payouts')).statusCode).toBe(401);
    expect(await getLastAction(owner, user.id)).toMatchObject({
      action: 'operator.endSessions',
      details: { sessions: 1 },
    });
  });
});

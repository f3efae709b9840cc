import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import {
  OPERATOR_RIGHTS,
  OPERATOR_ROLES,
  type OperatorCall,
  type OperatorRole,
  operatorMay,
  operatorMayDecide,
  operatorRightOf,
} from '@stagedoor/contract/operator-rights.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { addressOf, sampleOf } from '../../testing/samples.ts';
import { countMail } from '../accounts/testing.ts';
import { ROUTES } from '../index.ts';
import { giveRoles } from './team.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const ours = ROUTES.map(({ route }) => route).filter(({ auth }) => auth === 'operator');
const callOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const operator = (...roles: OperatorRole[]) => app.signUp('operator', { roles });
const ON_CASES =
  'works on a case, whose decisions are taken back; what is about money or keeps somebody out asks where it is decided';
const WORDS = 'keeps words that operators answer by';
const WITHOUT_PROOF: Readonly<Partial<Record<OperatorCall, string>>> = {
  'POST /admin/prove': 'is how it is proven',
  'POST /admin/people/:id/case': ON_CASES,
  'POST /admin/posts/:id/case': ON_CASES,
  'POST /admin/cases/:id/assign': ON_CASES,
  'POST /admin/cases/:id/notes': ON_CASES,
  'POST /admin/cases/:id/replies': ON_CASES,
  'POST /admin/cases/:id/pass': ON_CASES,
  'POST /admin/cases/:id/decision': ON_CASES,
  'POST /admin/case-decisions/:id/undo': ON_CASES,
  'POST /admin/cases/dismiss': ON_CASES,
  'POST /admin/cases/reopen': ON_CASES,
  'POST /admin/saved-answers': WORDS,
  'DELETE /admin/saved-answers/:id': WORDS,
  'POST /admin/calls/:id/end': 'ends what must end at once, and is charged by its clock',
  'POST /admin/alarms/check': 'looks again, and changes nothing',
  'POST /admin/state/jobs/:id/retry': 'does once more what was to be done',
};
const DOCUMENTS = /^GET \/admin\/verifications\/:id/;

function ask(person: TestUser, route: RouteSpec) {
  const { body } = sampleOf(route);
  const hasBody = route.method !== 'GET' && body !== undefined;
  return person.inject(
    route.method,
    addressOf(route),
    hasBody ? JSON.stringify(body) : undefined,
    hasBody ? { 'content-type': 'application/json' } : {},
  );
}
const ground = 'We spoke about it';
const NOT_IN_ROLE = 'Your roles don’t allow this.';

test('the table of rights lists exactly the routes for operators', () => {
  expect(ours.map(callOf).sort()).toEqual(Object.keys(OPERATOR_RIGHTS).sort());
});

describe('access to every admin route', () => {
  test.each([...OPERATOR_ROLES.map((role) => ({ roles: [role] })), { roles: [] }])(
    'matches the table of rights for $roles',
    async ({ roles }) => {
      const person = await operator(...roles);
      const wrong: string[] = [];
      for (const route of ours) {
        const answer = await ask(person, route);
        const isRefused = answer.statusCode === 403 && answer.json().message === NOT_IN_ROLE;
        if (isRefused === operatorMay(roles, route)) wrong.push(`${callOf(route)}: ${answer.statusCode}`);
        if (answer.statusCode === 500) wrong.push(`${callOf(route)}: ${answer.body}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  test('excludes auditors from changes and documents, moderators from money, and all but owners from the team', () => {
    for (const route of ours) {
      const call = callOf(route);
      const isOneself = call === 'POST /admin/prove';
      if (operatorMay(['auditor'], route) && !isOneself) expect(call).toMatch(/^GET /);
      if (/documents|thing|pictures/.test(call)) expect(operatorMay(['auditor', 'finance'], route), call).toBe(false);
      if (/payout|debtor|processor|ledger|alarm/.test(call))
        expect(operatorMay(['moderator', 'support'], route), call).toBe(false);
      if (/^(?!GET).*\/admin\/(team|operator|payout-settings|fees|creator-fees|price-limits|switches)/.test(call))
        expect(operatorMay(['moderator', 'finance', 'support', 'auditor'], route), call).toBe(false);
    }
    expect(operatorMay(['owner'], { method: 'GET', path: '/admin/unheard-of' })).toBe(false);
    expect(operatorMayDecide(['support'], 'close', true)).toBe(true);
    expect(operatorMayDecide(['support'], 'dismiss', false)).toBe(false);
    expect(operatorMayDecide(['support'], 'block', true)).toBe(false);
    expect(operatorMayDecide(['auditor', 'finance'], 'dismiss', true)).toBe(false);
  });
});

test('every call that moves money, changes a setting or shows documents requires a recent proof of identity', () => {
  const calls = ours.filter(
    ({ method, path }) =>
      /^\/admin\/verifications\/:id/.test(path) ||
      (method !== 'GET' &&
        /payout|fees|price-limits|wanted|settle|debtor|processor|differences|money-acts|team|switches|announcements|operator$|alarms\/:id/.test(
          path,
        )),
  );
  expect(calls.length).toBeGreaterThan(25);
  expect(calls.filter((route) => !operatorRightOf(route)?.isProven).map(callOf)).toEqual([]);
});

test('the work queue shows each role its own kinds of work', async () => {
  const kinds = async (...roles: OperatorRole[]) =>
    (await (await operator(...roles)).inject('GET', '/api/admin/desk'))
      .json()
      .data.map(({ kind }: { kind: string }) => kind);
  expect(await kinds('support')).toEqual(['cases', 'calls', 'pushServices']);
  expect(await kinds('finance')).toEqual(expect.arrayContaining(['payoutsToApprove', 'alarms', 'debtors']));
  expect(await kinds('finance')).not.toContain('cases');
  expect(await kinds('owner')).toContain('missingFacts');
});

describe('operator sessions', () => {
  let short: TestApp;
  beforeAll(async () => {
    const env = { OPERATOR_IDLE_MINUTES: '30', OPERATOR_SESSION_HOURS: '12', OPERATOR_PROOF_MINUTES: '15' };
    short = await createTestApp({ env });
  });
  afterAll(() => short.close());
  const me = async (person: TestUser) => (await person.inject('GET', '/api/admin/me')).statusCode;

  test('end after 30 idle minutes or after twelve hours, unlike those of fans', async () => {
    const [person, fan] = [await short.signUp('operator'), await short.signUp('customer')];
    for (let hours = 0; hours < 12; hours += 0.25) {
      expect(await me(person), `after ${hours} hours`).toBe(200);
      short.clock.advance(15 * 60_000);
    }
    expect(await me(person)).toBe(401);
    const again = await short.logIn(person);
    expect(await me(again)).toBe(200);
    short.clock.advance(31 * 60_000);
    expect(await me(again)).toBe(401);
    expect((await fan.inject('GET', '/api/auth/user')).statusCode).toBe(200);
  });

  test('require a new proof of identity for money and roles 15 minutes after log-in', async () => {
    const person = await short.signUp('operator');
    const invite = () =>
      person.inject('POST', '/api/admin/team', { username: 'nobody.here', roles: ['support'], ground });
    expect((await invite()).json().code).toBe('VALIDATION');
    short.clock.advance(16 * 60_000);
    expect((await invite()).json()).toMatchObject({ code: 'FORBIDDEN', href: '/admin/prove' });
    expect((await person.inject('GET', '/api/admin/payouts')).statusCode).toBe(200);

    const prove = (currentPassword: string) => person.inject('POST', '/api/admin/prove', { currentPassword });
    expect((await prove('Another7!word')).json().error[0].field).toBe('currentPassword');
    expect((await prove(person.password)).json().error[0].field).toBe('code');
    expect((await invite()).statusCode).toBe(403);
    const off = short.ctx.db.query.updateTable('users').set({ two_factor_enabled_at: null });
    await off.where('id', '=', person.id).execute();
    short.ctx.sessions.forget({ userIds: [person.id] });
    expect((await prove(person.password)).statusCode).toBe(403);
  });

  test('require the proof for all changes except the listed ones, and for reading documents', async () => {
    const owner = await short.signUp('operator', { roles: ['owner'] });
    short.clock.advance(16 * 60_000);
    const asking: string[] = [];
    for (const route of ours) {
      const { statusCode, headers, body } = await ask(owner, route);
      const isJson = String(headers['content-type']).includes('json');
      if (statusCode === 403 && isJson && JSON.parse(body).href === '/admin/prove') asking.push(callOf(route));
    }
    const isToAsk = (call: string) => !(call in WITHOUT_PROOF) && (!call.startsWith('GET ') || DOCUMENTS.test(call));
    expect(asking.sort()).toEqual(ours.map(callOf).filter(isToAsk).sort());
    expect(ours.map(callOf)).toEqual(expect.arrayContaining(Object.keys(WITHOUT_PROOF)));
  });

  test('hold a proof only where it was given and for a limited time', async () => {
    const person = await short.signUp('operator');
    const other = await short.logIn(person);
    short.clock.advance(16 * 60_000);
    const send = (one: TestUser) => one.inject('POST', '/api/admin/payout-batches', { rail: 'crypto' });
    const [{ id = '' } = {}] = (await person.inject('GET', '/api/auth/sessions'))
      .json()
      .data.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    const proven = short.ctx.db.query.updateTable('sessions').set({ proven_at: short.clock.now() });
    await proven.where('id', '=', id).execute();
    short.ctx.sessions.forget({ sessionIds: [id] });
    expect((await send(person)).json().href).toBeUndefined();
    expect((await send(other)).json().href).toBe('/admin/prove');
    short.clock.advance(16 * 60_000);
    expect((await send(person)).json().href).toBe('/admin/prove');
  });
});

describe('team management', () => {
  const team = async (by: TestUser) => (await by.inject('GET', '/api/admin/team')).json().data;
  const change = (by: TestUser, id: string, from: string[], to: string[]) =>
    by.inject('PUT', `/api/admin/team/${id}`, { from, to, ground });
  const lastAct = async (by: TestUser, id: string) =>
    (await by.inject('GET', `/api/admin/audit?subjectId=${id}`)).json().data[0];

  test('invites a fan’s unused account, which has access until its roles are removed', async () => {
    const [owner, other] = [await operator('owner'), await operator('owner')];
    const colleague = await app.signUp('customer');
    const invite = (username: string, roles = ['moderator']) =>
      owner.inject('POST', '/api/admin/team', { username, roles, ground });
    const invited = await invite(colleague.username.toUpperCase());
    expect(invited.json()).toMatchObject({
      id: colleague.id,
      roles: ['moderator'],
      hasSecondFactor: false,
      sessions: 0,
    });
    expect(await lastAct(owner, colleague.id)).toMatchObject({
      ...{ act: 'operator.invite', operator: { id: owner.id } },
      facts: { username: colleague.username, before: null, after: 'moderator', ground },
    });
    await app.ctx.events.settle();
    expect(await countMail(app.ctx, colleague.email)).toBe(1);
    const told = app.ctx.db.query.selectFrom('development_mail').select('body').where('recipient', '=', other.email);
    expect((await told.execute()).map(({ body }) => body)).toEqual([
      expect.stringContaining(`@${owner.username} changed the staff roles of @${colleague.username}`),
    ]);
    const changes = (await other.inject('GET', '/api/admin/team-changes')).json().data;
    expect(changes[0]).toMatchObject({ act: 'operator.invite', facts: { ground, after: 'moderator' } });
    expect((await colleague.inject('GET', '/api/auth/user')).statusCode).toBe(401);
    const there = await app.logIn(colleague);
    expect((await there.inject('GET', '/api/admin/cases')).json().href).toBe('/admin/account');
    const on = { two_factor_enabled_at: app.clock.now() };
    await app.ctx.db.query.updateTable('users').set(on).where('id', '=', colleague.id).execute();
    const acting = await app.logIn(colleague);
    expect((await acting.inject('GET', '/api/admin/cases')).statusCode).toBe(200);
    expect((await invite(colleague.username)).json().code).toBe('CONFLICT');

    expect((await change(owner, colleague.id, ['finance'], [])).json().code).toBe('CONFLICT');
    expect((await change(owner, colleague.id, ['moderator'], [])).json().roles).toEqual([]);
    expect((await acting.inject('GET', '/api/admin/cases')).statusCode).toBe(401);
    expect((await (await app.logIn(colleague)).inject('GET', '/api/admin/cases')).json().message).toBe(NOT_IN_ROLE);
    expect(await lastAct(owner, colleague.id)).toMatchObject({ act: 'operator.remove' });
    expect((await invite(colleague.username, ['support', 'finance'])).json().roles).toEqual(['finance', 'support']);
    expect((await change(owner, colleague.id, ['finance', 'support'], ['support'])).statusCode).toBe(200);
    expect(await lastAct(owner, colleague.id)).toMatchObject({
      act: 'operator.roles',
      facts: { before: 'finance, support', after: 'support', ground },
    });
  });

  test('refuses to invite an account that is used otherwise, blocked, unconfirmed or unknown', async () => {
    const owner = await operator('owner');
    const invite = async (username: string) =>
      (await owner.inject('POST', '/api/admin/team', { username, roles: ['support'], ground })).json().error?.[0];
    const [creator, blocked] = [await app.signUp('creator'), await app.signUp('customer')];
    const unconfirmed = await app.signUp('customer', { isEmailVerified: false });
    await app.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', blocked.id).execute();
    for (const [username, words] of [
      [creator.username, 'creator account'],
      [blocked.username, 'blocked'],
      [unconfirmed.username, 'isn’t confirmed'],
      ['nobody.at.all', 'User not found'],
    ] as const)
      expect(await invite(username)).toMatchObject({ field: 'username', message: expect.stringContaining(words) });
    const nobody = await owner.inject('POST', '/api/admin/team', { username: creator.username, roles: [], ground });
    expect(nobody.json().error[0].field).toBe('roles');
  });

  test('refuses changes of one’s own roles, and lets only owners change an owner', async () => {
    const [owner, other] = [await operator('owner'), await operator('owner')];
    expect((await change(owner, owner.id, ['owner'], ['owner', 'finance'])).statusCode).toBe(403);
    expect((await change(owner, owner.id, ['owner'], [])).statusCode).toBe(403);
    for (const role of OPERATOR_ROLES.filter((one) => one !== 'owner')) {
      const person = await operator(role);
      expect((await change(person, person.id, [role], ['owner'])).json().message).toBe(NOT_IN_ROLE);
      expect((await change(person, other.id, ['owner'], [])).json().message).toBe(NOT_IN_ROLE);
    }
    expect((await change(owner, (await app.signUp('customer')).id, [], ['support'])).statusCode).toBe(404);
  });

  test('leaves one owner when two remove each other’s roles at once', async () => {
    const pair = [await operator('owner'), await operator('owner')] as const;
    const answers = await Promise.all([
      change(pair[0], pair[1].id, ['owner'], []),
      change(pair[1], pair[0].id, ['owner'], []),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1);
    const reader = await operator('auditor');
    const owners = (await team(reader)).filter(({ roles }: { roles: string[] }) => roles.includes('owner'));
    expect(owners.filter(({ id }: { id: string }) => pair.some((one) => one.id === id))).toHaveLength(1);
  });

  test('creates the first owner by the admin CLI, which refuses accounts that are used otherwise', async () => {
    const [fan, creator] = [await app.signUp('customer'), await app.signUp('creator')];
    await expect(giveRoles(app.ctx, app.ctx.db, creator.username, { roles: ['owner'], ground })).rejects.toThrow(
      'creator account',
    );
    await giveRoles(app.ctx, app.ctx.db, fan.username, { roles: ['owner'], ground });
    expect((await fan.inject('GET', '/api/auth/user')).statusCode).toBe(401);
    const owner = await operator('owner');
    expect(await lastAct(owner, fan.id)).toMatchObject({ operator: null, facts: { before: null, after: 'owner' } });
    await giveRoles(app.ctx, app.ctx.db, fan.username, { roles: [], ground });
    const member = (await team(owner)).find(({ id }: { id: string }) => id === fan.id);
    expect(member.roles).toEqual([]);
  });

  test('lets an owner end an operator’s sessions at once, which is logged', async () => {
    const [owner, person] = [await operator('owner'), await operator('finance')];
    expect((await person.inject('GET', '/api/admin/payouts')).statusCode).toBe(200);
    const ended = await owner.inject('POST', `/api/admin/team/${person.id}/end-sessions`);
    expect(ended.json()).toMatchObject({ roles: ['finance'], sessions: 0 });
    expect((await person.inject('GET', '/api/admin/payouts')).statusCode).toBe(401);
    expect(await lastAct(owner, person.id)).toMatchObject({ act: 'operator.endSessions', facts: { sessions: 1 } });
  });
});

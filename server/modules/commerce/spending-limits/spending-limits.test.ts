import { randomUUID } from 'node:crypto';
import type { LimitPeriod } from '@stagedoor/contract/commerce/limit-periods.ts';
import type { SpendingControls } from '@stagedoor/contract/commerce/spending-limits.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makePost } from '../../content/posts/testing.ts';
import { createPaidDeposit, requireCleanLedger } from '../deposits/testing.ts';
import { captureFunds, chargeFanNow, extendFunds, holdFunds } from '../sales/index.ts';

const NOON = new Date('2026-11-18T12:00:00Z');
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

let app: TestApp;
let fan: TestUser;
let creator: TestUser;

beforeAll(async () => {
  app = await createTestApp({ now: NOON });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.set(NOON);
  [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
  await createPaidDeposit(app, fan, 800);
});

const tip = (amount: number) => fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount, type: 'profile' });
async function setLimit(period: LimitPeriod, limit: number | null): Promise<SpendingControls> {
  const response = await fan.inject('PUT', `/api/customer/spending-limits/${period}`, { limit });
  expect(response.statusCode).toBe(200);
  return response.json<SpendingControls>();
}
const view = async () => (await fan.inject('GET', '/api/customer/spending-limits')).json<SpendingControls>();
const findLimit = ({ limits }: SpendingControls, period: LimitPeriod) =>
  limits.find((limit) => limit.period === period);
const hold = (amountCents: number) =>
  app.ctx.db.transaction((tx) => {
    const at = app.clock.now();
    const expiresAt = new Date(at.getTime() + HOUR_MS);
    return holdFunds(tx, {
      fanId: fan.id,
      amountCents,
      purpose: 'rehearsal',
      operationId: randomUUID(),
      expiresAt,
      at,
    });
  });
const capture = (holdId: string, grossCents: number) =>
  app.ctx.db.transaction((tx) =>
    captureFunds(tx, {
      ...{ kind: 'call', holdId, creatorId: creator.id, subjectId: null, grossCents },
      at: app.clock.now(),
    }),
  );

describe('a spending limit', () => {
  test('is unset at first, next to the limit of the platform', async () => {
    expect(await view()).toEqual({
      limits: [
        { period: 'day', limit: null, max: 500, spent: 0, increase: null },
        { period: 'week', limit: null, max: null, spent: 0, increase: null },
        { period: 'month', limit: null, max: null, spent: 0, increase: null },
      ],
      breakUntil: null,
    });
  });

  test('applies at once when lowered, to tips, unlocks and calls, and is named in the refusal', async () => {
    await setLimit('week', 40);
    expect((await tip(25)).statusCode).toBe(200);
    const refused = await tip(16);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({
      code: 'FORBIDDEN',
      message: 'This is above your weekly spending limit of $40.00. It resets on Monday at midnight UTC.',
      localMessage: { text: 'This is above your weekly spending limit of $40.00. Next reset: {time}.', endOf: 'week' },
    });
    const postId = await makePost(app.ctx, creator.id, { priceCents: 1_600 });
    expect((await fan.inject('POST', `/api/post/unlock/${postId}`, {})).json()).toMatchObject({ code: 'FORBIDDEN' });
    await expect(hold(1_600)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await tip(15)).statusCode).toBe(200);
    expect(findLimit(await view(), 'week')).toMatchObject({ limit: 40, spent: 40 });
    await requireCleanLedger(app);
  });

  test('is raised after 24 hours, and repeating the request does not restart them', async () => {
    await setLimit('day', 20);
    const from = new Date(NOON.getTime() + DAY_MS).toISOString();
    expect(findLimit(await setLimit('day', 50), 'day')).toMatchObject({ limit: 20, increase: { limit: 50, from } });
    app.clock.advance(HOUR_MS);
    expect(findLimit(await setLimit('day', 50), 'day')?.increase?.from).toBe(from);
    expect((await tip(21)).statusCode).toBe(403);
    app.clock.set(new Date(Date.parse(from) - 1));
    expect((await tip(21)).statusCode).toBe(403);
    app.clock.set(new Date(from));
    expect(findLimit(await view(), 'day')).toMatchObject({ limit: 50, increase: null });
    expect((await tip(50)).statusCode).toBe(200);
    expect((await tip(1)).statusCode).toBe(403);
  });

  test('waits another 24 hours when a different raise is requested', async () => {
    await setLimit('day', 20);
    await setLimit('day', 21);
    app.clock.advance(23 * HOUR_MS);
    for (const limit of [400, null]) {
      const from = new Date(app.clock.now().getTime() + DAY_MS).toISOString();
      expect(findLimit(await setLimit('day', limit), 'day')).toMatchObject({ limit: 20, increase: { limit, from } });
      app.clock.advance(HOUR_MS);
    }
  });

  test('is removed after 24 hours like a raise, also for calls', async () => {
    await setLimit('month', 10);
    await setLimit('month', null);
    await expect(hold(1_100)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    app.clock.advance(DAY_MS);
    await capture((await hold(1_100)).id, 1_100);
    expect(findLimit(await view(), 'month')).toMatchObject({ limit: null, spent: 11, increase: null });
  });

  test('stays when its raise is canceled or it is lowered in the meantime', async () => {
    await setLimit('day', 20);
    await setLimit('day', 50);
    const response = await fan.inject('DELETE', '/api/customer/spending-limits/day/raise');
    expect(findLimit(response.json<SpendingControls>(), 'day')).toMatchObject({ limit: 20, increase: null });
    expect((await fan.inject('DELETE', '/api/customer/spending-limits/day/raise')).statusCode).toBe(404);
    await setLimit('day', 50);
    expect(findLimit(await setLimit('day', 10), 'day')).toMatchObject({ limit: 10, increase: null });
    app.clock.advance(2 * DAY_MS);
    expect((await tip(11)).statusCode).toBe(403);
  });

  test('never exceeds the limit of the platform', async () => {
    await setLimit('day', 5_000);
    for (const amount of [200, 200, 100]) expect((await tip(amount)).statusCode).toBe(200);
    expect((await tip(1)).json().message).toBe(
      'This is above your daily spending limit of $500.00. It resets at midnight UTC.',
    );
  });

  test('counts weeks from Monday and months from the first day', async () => {
    await setLimit('week', 60);
    await setLimit('month', 100);
    app.clock.set(new Date('2026-11-22T23:59:59Z'));
    fan = await app.logIn(fan);
    expect((await tip(60)).statusCode).toBe(200);
    expect((await tip(1)).statusCode).toBe(403);
    app.clock.set(new Date('2026-11-23T00:00:00Z'));
    expect(findLimit(await view(), 'week')).toMatchObject({ spent: 0 });
    expect((await tip(40)).statusCode).toBe(200);
    expect((await tip(1)).json().message).toMatch(/^This is above your monthly spending limit of \$100\.00\./);
    app.clock.set(new Date('2026-12-01T00:00:00Z'));
    fan = await app.logIn(fan);
    expect((await tip(60)).statusCode).toBe(200);
    expect(findLimit(await view(), 'month')).toMatchObject({ spent: 60 });
    // 1 December is a Tuesday, so the week is still the same.
    expect(findLimit(await view(), 'week')).toMatchObject({ spent: 60 });
  });

  test('that leaves the least is the one named when several are exceeded', async () => {
    await setLimit('day', 50);
    await setLimit('week', 40);
    expect((await tip(60)).json().message).toMatch(/^This is above your weekly spending limit of \$40\.00\./);
    await setLimit('month', 30);
    expect((await tip(60)).json().message).toMatch(/^This is above your monthly spending limit of \$30\.00\./);
  });

  test('of a week adds up what is spent on its days', async () => {
    await setLimit('week', 60);
    for (const day of ['18', '19', '20']) {
      app.clock.set(new Date(`2026-11-${day}T12:00:00Z`));
      expect((await tip(20)).statusCode).toBe(200);
    }
    app.clock.set(new Date('2026-11-21T12:00:00Z'));
    expect(findLimit(await view(), 'week')).toMatchObject({ spent: 60 });
    expect((await tip(1)).statusCode).toBe(403);
  });

  test('gets back the unused reservation of a call, also across midnight', async () => {
    app.clock.set(new Date('2026-11-18T23:58:00Z'));
    await setLimit('week', 100);
    const call = await hold(3_000);
    app.clock.set(new Date('2026-11-19T00:01:00Z'));
    await app.ctx.db.transaction((tx) =>
      extendFunds(tx, {
        ...{ holdId: call.id, amountCents: 1_000, at: app.clock.now() },
        expiresAt: new Date(app.clock.now().getTime() + HOUR_MS),
      }),
    );
    expect(findLimit(await view(), 'week')?.spent).toBe(40);
    await capture(call.id, 1_500);
    const after = await view();
    expect(findLimit(after, 'week')?.spent).toBe(15);
    expect(findLimit(after, 'month')?.spent).toBe(15);
    expect(findLimit(after, 'day')?.spent).toBe(0);
    await requireCleanLedger(app);
  });

  test.each([
    ['a week', '2026-11-22T23:58:00Z', { set: [7, 57], back: [7, 27], more: [17, 37] }],
    ['a month', '2026-11-30T23:58:00Z', { set: [57, 7], back: [27, 7], more: [37, 17] }],
  ])(
    'gets back reservations of calls across the end of %s in the period where they were counted',
    async (_, late, expected) => {
      app.clock.set(new Date(late));
      fan = await app.logIn(fan);
      const [first, second] = [await hold(3_000), await hold(2_000)];
      app.clock.advance(3 * 60_000);
      const spent = async () => {
        const limits = await view();
        return [findLimit(limits, 'week')?.spent, findLimit(limits, 'month')?.spent];
      };
      await hold(700);
      expect(await spent()).toEqual(expected.set);
      await capture(first.id, 0);
      expect(await spent()).toEqual(expected.back);
      const at = app.clock.now();
      const expiresAt = new Date(at.getTime() + HOUR_MS);
      await app.ctx.db.transaction((tx) => extendFunds(tx, { holdId: second.id, amountCents: 1_000, at, expiresAt }));
      expect(await spent()).toEqual(expected.more);
      await capture(second.id, 0);
      expect(await spent()).toEqual([7, 7]);
      await requireCleanLedger(app);
    },
  );

  test.each(['week', 'month'] as const)('per %s holds under concurrent spending', async (period) => {
    await setLimit(period, 50);
    const postIds = await Promise.all(
      Array.from({ length: 6 }, () => makePost(app.ctx, creator.id, { priceCents: 700 })),
    );
    const tips = Array.from({ length: 8 }, () =>
      chargeFanNow(app.ctx.db, {
        ...{ kind: 'tip', fanId: fan.id, creatorId: creator.id, grossCents: 700, at: NOON },
        operationId: randomUUID(),
      }),
    );
    const unlocks = postIds.map(async (id) => {
      const { statusCode } = await fan.inject('POST', `/api/post/unlock/${id}`, {});
      if (statusCode !== 200) throw new Error(String(statusCode));
    });
    const outcomes = await Promise.allSettled([...tips, ...unlocks, hold(700), hold(700)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    expect(findLimit(await view(), period)?.spent).toBe(49);
    await requireCleanLedger(app);
  });

  test('that is lowered during concurrent spending applies to everything after it', async () => {
    const spending = Array.from({ length: 20 }, () => tip(10));
    const lowered = setLimit('week', 30);
    const responses = await Promise.all(spending);
    await lowered;
    const paid = responses.filter(({ statusCode }) => statusCode === 200).length * 10;
    expect(findLimit(await view(), 'week')?.spent).toBe(paid);
    expect((await tip(30)).statusCode).toBe(paid === 0 ? 200 : 403);
  });

  test('must be a valid amount and is available to fans only', async () => {
    for (const limit of [0, -1, 0.5, 1e9, 12.345, '50', undefined])
      expect((await fan.inject('PUT', '/api/customer/spending-limits/day', { limit })).statusCode).toBe(400);
    expect((await fan.inject('PUT', '/api/customer/spending-limits/year', { limit: 5 })).statusCode).toBe(400);
    expect((await creator.inject('GET', '/api/customer/spending-limits')).statusCode).toBe(403);
  });
});

describe('a break from spending', () => {
  const startBreak = (days: number) => fan.inject('POST', '/api/customer/break/spending', { days });

  test('refuses every charge and deposit until it ends', async () => {
    const breakEnd = new Date(NOON.getTime() + DAY_MS);
    expect((await startBreak(1)).json<SpendingControls>().breakUntil).toBe(breakEnd.toISOString());
    const refused = await tip(5);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('Spending is paused until 2026-11-19 12:00 UTC.'),
    });
    await expect(hold(100)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const deposit = await fan.inject('POST', '/api/customer/deposite-fund', { paymentProvider: 'ccbill', amount: 50 });
    expect(deposit.json()).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('Spending is paused') });
    app.clock.set(breakEnd);
    expect((await view()).breakUntil).toBeNull();
    expect((await tip(5)).statusCode).toBe(200);
  });

  test('can be extended but not shortened', async () => {
    await startBreak(7);
    const breakEnd = new Date(NOON.getTime() + 7 * DAY_MS).toISOString();
    expect((await startBreak(1)).json<SpendingControls>().breakUntil).toBe(breakEnd);
    expect((await startBreak(30)).json<SpendingControls>().breakUntil).not.toBe(breakEnd);
    expect((await startBreak(2)).statusCode).toBe(400);
  });
});

describe('a break from the account', () => {
  const login = (password: string) => app.inject('POST', '/api/auth/login', { username: fan.username, password });

  test('requires the password again', async () => {
    for (const body of [{ days: 7 }, { days: 7, currentPassword: 'Wrong-password-1!' }])
      expect((await fan.inject('POST', '/api/customer/break/account', body)).statusCode).toBe(400);
    expect((await fan.inject('GET', '/api/auth/user')).statusCode).toBe(200);
    expect((await login(fan.password)).statusCode).toBe(200);
  });

  test('logs out everywhere, and the right password only shows its end date until it is over', async () => {
    const secondSession = await app.logIn(fan);
    const response = await fan.inject('POST', '/api/customer/break/account', {
      days: 7,
      currentPassword: fan.password,
    });
    expect(response.json()).toMatchObject({ until: new Date(NOON.getTime() + 7 * DAY_MS).toISOString() });
    for (const session of [fan, secondSession])
      expect((await session.inject('GET', '/api/auth/user')).statusCode).toBe(401);
    expect((await login(fan.password)).json()).toMatchObject({
      code: 'FORBIDDEN',
      message: 'You’re taking a break until 2026-11-25 12:00 UTC. You can log in after that.',
    });
    expect((await login('Wrong-password-1!')).json()).toMatchObject({ code: 'VALIDATION' });
    app.clock.advance(7 * DAY_MS);
    expect((await login(fan.password)).json()).toMatchObject({ id: fan.id });
    const loggedIn = await app.logIn(fan);
    expect((await loggedIn.inject('GET', '/api/customer/wallet')).json()).toMatchObject({ available: 800 });
  });
});

import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createTestClock } from '../clock.ts';
import { runAs } from '../http/request-context.ts';
import { createLogger } from '../log.ts';
import { createSecurityLogger, type SecurityEvent } from './security-log.ts';

const word = z.nullable(z.string());
const row = z.object({
  ...{ kind: z.string(), userId: word, sessionId: word, network: word, detail: z.string(), count: z.number() },
});
type Row = z.infer<typeof row>;

function open(state = { isAway: false }) {
  const written: Row[] = [];
  let writes = 0;
  const db = {
    run: async <Row>(_: unknown, values: unknown[]): Promise<Row[]> => {
      if (state.isAway) throw new Error('away');
      writes += 1;
      const columns = z.parse(z.array(z.array(z.unknown())), values);
      for (const [n] of (columns[0] ?? []).entries()) {
        const [, kind, userId, sessionId, network, detail, count] = columns.map((column) => column[n]);
        written.push(z.parse(row, { kind, userId, sessionId, network, detail, count }));
      }
      return [];
    },
  };
  const clock = createTestClock(new Date('2026-01-01T00:00:00Z'));
  const log = createSecurityLogger(() => db, clock, createLogger({ level: 'silent', isPretty: false }));
  const since = async (end: 'flush' | 'close' = 'flush') => {
    const before = written.length;
    await log[end]();
    return written.slice(before);
  };
  return { log, clock, state, since, writes: () => writes };
}

test('a flood becomes one row per second and waits while the database is unreachable', async () => {
  const { log, state, since, writes } = open({ isAway: true });
  for (let n = 0; n < 1_000; n += 1) log.note({ kind: 'originRefused', network: '203.0.113.9' });
  await log.flush();
  log.note({ kind: 'originRefused', network: '203.0.113.9' });
  log.note({ kind: 'originRefused', network: '203.0.113.10' });
  state.isAway = false;
  expect((await since('close')).map(({ network, count }) => [network, count])).toEqual([
    ['203.0.113.9', 1_001],
    ['203.0.113.10', 1],
  ]);
  expect(writes()).toBe(1);
});

test('repeated events of an account are written 60 times an hour, then counted in a row every ten minutes', async () => {
  const { log, clock, since } = open();
  const repeatEvent = async (times: number, event: (n: number) => SecurityEvent) => {
    const rows: Row[] = [];
    for (let n = 0; n < times; n += 1) {
      log.note(event(n));
      clock.advance(1_000);
      rows.push(...(await since()));
    }
    return rows;
  };
  const sessions = (n: number): SecurityEvent => ({
    kind: 'loggedIn',
    userId: 'ada',
    network: 'home',
    sessionId: `${n}`,
  });
  const fullRows = await repeatEvent(61, sessions);
  expect(fullRows).toHaveLength(60);
  expect(new Set(fullRows.map(({ sessionId }) => sessionId)).size).toBe(60);
  expect(await repeatEvent(1, () => ({ kind: 'loggedIn', userId: 'eva', network: 'home' }))).toHaveLength(1);
  expect(await repeatEvent(1, () => ({ kind: 'loggedOut', userId: 'ada', network: 'home' }))).toHaveLength(1);
  expect(await repeatEvent(537, sessions)).toEqual([]);
  clock.advance(60_000);
  expect(await since()).toMatchObject([
    { kind: 'loggedIn', userId: 'ada', network: 'home', sessionId: null, detail: 'more of the same', count: 538 },
  ]);
  clock.advance(60 * 60_000);
  expect(await repeatEvent(1, sessions)).toMatchObject([{ sessionId: '0', count: 1 }]);
});

test('refusals of an account are counted per account, those of anonymous callers per network', async () => {
  const { log, clock, since } = open();
  for (let n = 0; n < 100; n += 1) log.note({ kind: 'passwordRefused', userId: 'ada', network: `network ${n}` });
  expect(await since()).toHaveLength(60);
  clock.advance(10 * 60_000);
  expect(await since()).toMatchObject([{ userId: 'ada', network: null, detail: 'more of the same', count: 40 }]);

  for (let n = 0; n < 400; n += 1) log.note({ kind: 'logInRefused', network: 'den', detail: `${n}` });
  for (let n = 0; n < 400; n += 1) log.note({ kind: 'logInRefused', network: 'den', userId: `person ${n}` });
  expect(await since()).toHaveLength(600);
  clock.advance(10 * 60_000);
  const more = await since();
  expect(more.every(({ detail, network }) => detail === 'more of the same' && network === 'den')).toBe(true);
  expect(more.reduce((sum, { count }) => sum + count, 0)).toBe(200);
  expect(more.map(({ userId }) => userId)).toEqual(Array.from({ length: 200 }, (_, n) => `person ${n + 200}`));
  for (let n = 0; n < 700; n += 1) log.note({ kind: 'loggedIn', network: 'office', userId: `person ${n}` });
  expect(await since()).toHaveLength(700);
});

test('all actions of operators are written, and pending counts are written on close', async () => {
  const { log, since } = open();
  for (let n = 0; n < 1_000; n += 1)
    log.note({ kind: 'operatorAction', userId: 'op', network: 'desk', detail: `${n}` });
  expect(await since()).toHaveLength(1_000);
  for (let n = 0; n < 70; n += 1) log.note({ kind: 'loggedIn', userId: 'ada', sessionId: `${n}` });
  expect(await since()).toHaveLength(60);
  expect(await since('close')).toMatchObject([{ kind: 'loggedIn', userId: 'ada', count: 10 }]);
});

test("session and network of the current request are added to the caller's events, not to those of other users", async () => {
  const { log, since } = open();
  runAs({ userId: 'ada', sessionId: 'one', network: 'home' }, () => {
    log.note({ kind: 'twoFactorOn', userId: 'ada' });
    log.note({ kind: 'sessionsEnded', userId: 'ada', sessionId: 'other' });
    log.note({ kind: 'accountBlocked', userId: 'eva' });
    log.note({ kind: 'originRefused' });
  });
  runAs({ network: 'den' }, () => log.note({ kind: 'passwordReset', userId: 'ada' }));
  log.note({ kind: 'accountUnblocked', userId: 'ada' });
  expect((await since()).map(({ kind, sessionId, network }) => [kind, sessionId, network])).toEqual([
    ['twoFactorOn', 'one', 'home'],
    ['sessionsEnded', 'other', 'home'],
    ['accountBlocked', null, null],
    ['originRefused', null, 'home'],
    ['passwordReset', null, 'den'],
    ['accountUnblocked', null, null],
  ]);
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { createTestClock } from '../../../platform/clock.ts';
import { createLogger } from '../../../platform/log.ts';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account } from '../ledger/index.ts';
import { catchErrorCode } from '../ledger/testing.ts';
import { arePayoutsAllowed, countAlarms, listAlarms } from './alarms.ts';
import { checkLedger } from './check.ts';
import { checkLedgerNightly, runLedgerCheckNow } from './nightly-check.ts';
import { findLastRun, listDifferences, saveExplanation, saveRun } from './reconciliation-findings.ts';

const money = setUpMoneyTest();
const clock = createTestClock(new Date('2026-03-04T02:17:00.000Z'));
const log = createLogger({ level: 'silent', isPretty: false });
const tools = () => ({ db: money.db, clock, log });
const explainAs = (input: { id: string; actorId: string | null; reason: string }) =>
  money.db.transaction((tx) => saveExplanation(tx, { ...input, at: clock.now() }));
const DAY_MS = 86_400_000;

const waitUntilAllEnded = () =>
  vi.waitFor(
    async () => {
      const { rows } = await money.db.pool.query(
        'select from ledger_transactions where xid >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint',
      );
      expect(rows).toEqual([]);
    },
    { timeout: 60_000 },
  );
const shift = (fan: string, cents: number) =>
  money.db.pool.query('update ledger_accounts set balance_cents = balance_cents + $2 where code = $1', [
    account.wallet(fan),
    cents,
  ]);
async function tamper(...statements: readonly [string, ...unknown[]][]): Promise<void> {
  await money.owner.transaction(async (tx) => {
    await tx.run({ name: 'test-behind', text: 'set local session_replication_role = replica' }, []);
    for (const [index, [text, ...values]] of statements.entries())
      await tx.run({ name: `test-${index}-${randomUUID()}`, text }, values);
  });
}
const resolveAll = async () => {
  for (const { id } of (await listAlarms(money.db, false, { limit: 50, skip: 0 })).rows)
    await explainAs({ id, actorId: null, reason: 'moved by hand' });
};
const open = async () => (await listDifferences(money.db, 'open', { limit: 50, skip: 0 })).rows;
const getVerified = async (code: string) => {
  const { rows } = await money.db.pool.query<{ cents: number }>(
    'select p.cents from ledger_verified_balances p join ledger_accounts a on a.id = p.account_id where a.code = $1',
    [code],
  );
  return rows[0]?.cents;
};

describe('the nightly check', () => {
  it('is full first, then incremental, and full again after a week', async () => {
    const fan = await money.fan(500);
    await waitUntilAllEnded();
    expect(await runLedgerCheckNow(tools())).toMatchObject({ isClean: true, isFull: true });
    expect(await getVerified(account.wallet(fan))).toBe(500);
    await money.deposit(fan, 70);
    clock.advance(DAY_MS);
    await waitUntilAllEnded();
    const next = await runLedgerCheckNow(tools());
    expect(next).toMatchObject({ isClean: true, isFull: false });
    expect(next?.checks.find(({ name }) => name.startsWith('each transaction has'))?.count).toBe(1);
    expect(await getVerified(account.wallet(fan))).toBe(570);
    clock.advance(DAY_MS);
    expect(await runLedgerCheckNow(tools())).toMatchObject({ isClean: true, isFull: false });
    expect(await getVerified(account.wallet(fan))).toBe(570);
    clock.advance(5 * DAY_MS);
    expect(await runLedgerCheckNow(tools())).toMatchObject({ isClean: true, isFull: true });
    expect(await getVerified(account.wallet(fan))).toBe(570);
  });

  it('catches up when it was missed and runs once a day', async () => {
    clock.advance(DAY_MS);
    await checkLedgerNightly(tools());
    const first = await findLastRun(money.db, 'sums');
    clock.advance(3_600_000);
    await checkLedgerNightly(tools());
    expect((await findLastRun(money.db, 'sums'))?.id).toBe(first?.id);
    clock.advance(DAY_MS);
    await checkLedgerNightly(tools());
    expect((await findLastRun(money.db, 'sums'))?.id).not.toBe(first?.id);
  });

  it('runs in only one process at a time', async () => {
    clock.advance(DAY_MS);
    const both = await Promise.all([
      runLedgerCheckNow(tools()),
      runLedgerCheckNow(tools()),
      runLedgerCheckNow(tools()),
    ]);
    expect(both.filter((report) => report !== undefined)).toHaveLength(1);
  });

  it('is stored once when two runs overlap, and counts nothing twice after a clock was ahead', async () => {
    const fan = await money.fan(500);
    clock.advance(DAY_MS);
    await waitUntilAllEnded();
    await runLedgerCheckNow(tools(), { isFull: true });
    const before = await findLastRun(money.db, 'sums');
    const continued = { watermark: before?.watermark ?? 0, systemIdentifier: before?.system_identifier ?? '' };
    await money.deposit(fan, 70);
    await waitUntilAllEnded();
    const { verifiedState: now } = await checkLedger(money.db, { since: continued });
    const at = clock.now();
    const run = {
      comparison: 'sums',
      day: '2026-01-01',
      isFull: false,
      startedAt: at,
      checkedCount: 1,
      verifiedState: now,
    } as const;
    const result = { differences: [], since: null };
    await Promise.all([1, 2].map(() => saveRun(tools(), { ...run, result }, continued)));
    expect(await getVerified(account.wallet(fan))).toBe(570);
    clock.advance(2 * DAY_MS);
    await runLedgerCheckNow(tools());
    clock.advance(-2 * DAY_MS);
    for (const cents of [10, 20]) {
      await money.deposit(fan, cents);
      await waitUntilAllEnded();
      expect(await runLedgerCheckNow(tools())).toMatchObject({ isClean: true });
    }
    expect(await getVerified(account.wallet(fan))).toBe(600);
  });

  it('does not continue a state from another database cluster', async () => {
    const report = await checkLedger(money.db, { since: { watermark: 1, systemIdentifier: 'another' } });
    expect(report).toMatchObject({ isClean: true, isFull: true });
  });
});

describe('an incremental check', () => {
  const since = async () => (await checkLedger(money.db)).verifiedState;
  const wrongSince = async (verifiedState: Awaited<ReturnType<typeof since>>) =>
    (await checkLedger(money.db, { since: verifiedState })).checks
      .filter(({ wrong }) => wrong.length > 0)
      .map(({ name }) => name);

  it('includes writes of a transaction that began before the last check and ended after it', async () => {
    const fan = await money.fan(100);
    const blocked = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const late = money.db.transaction(async (tx) => {
      await tx.run({ name: 'test-number', text: 'select pg_current_xact_id()' }, []);
      started.resolve();
      await blocked.promise;
      await tx.run(
        {
          name: 'test-late',
          text: `select ledger_post('test', array['asset:bank:operating', $1], array[9, -9]::bigint[])`,
        },
        [account.wallet(fan)],
      );
    });
    await started.promise;
    const early = await money.fan(50);
    clock.advance(DAY_MS);
    expect(await runLedgerCheckNow(tools(), { isFull: true })).toMatchObject({ isClean: true });
    blocked.resolve();
    await late;
    await money.deposit(early, 5);
    clock.advance(DAY_MS);
    await waitUntilAllEnded();
    expect(await runLedgerCheckNow(tools())).toMatchObject({ isClean: true, isFull: false });
    clock.advance(DAY_MS);
    expect(await runLedgerCheckNow(tools())).toMatchObject({ isClean: true, isFull: false });
    expect([await getVerified(account.wallet(fan)), await getVerified(account.wallet(early))]).toEqual([109, 55]);
  });

  it.each([
    [
      'a balance',
      'each balance',
      `update ledger_accounts set balance_cents = balance_cents + 1 where code = $1`,
      `update ledger_accounts set balance_cents = balance_cents - 1 where code = $1`,
    ],
    [
      'a line of a statement',
      'each statement has no gaps',
      `update ledger_lines l set balance_cents = l.balance_cents + 1 from ledger_accounts a where a.id = l.account_id and a.code = $1 and l.line = 2`,
      `update ledger_lines l set balance_cents = l.balance_cents - 1 from ledger_accounts a where a.id = l.account_id and a.code = $1 and l.line = 2`,
    ],
    [
      'a line’s amount',
      'the lines of each statement',
      `update ledger_lines l set amount_cents = l.amount_cents + 1 from ledger_accounts a where a.id = l.account_id and a.code = $1 and l.line = 2`,
      `update ledger_lines l set amount_cents = l.amount_cents - 1 from ledger_accounts a where a.id = l.account_id and a.code = $1 and l.line = 2`,
    ],
    [
      'a roll-up',
      'daily totals',
      `update ledger_daily_totals set amount_cents = amount_cents + 1 where $1::text <> '' and ctid = (select min(ctid) from ledger_daily_totals)`,
      `update ledger_daily_totals set amount_cents = amount_cents - 1 where $1::text <> '' and ctid = (select max(ctid) from ledger_daily_totals)`,
    ],
  ])('finds %s that was changed since', async (_, name, change, back) => {
    const fan = await money.fan(100);
    await money.db.pool.query('select ledger_sum_inflows()');
    await waitUntilAllEnded();
    const verifiedState = { ...(await since()) };
    clock.advance(DAY_MS);
    await runLedgerCheckNow(tools(), { isFull: true });
    await money.deposit(fan, 20);
    expect(await wrongSince(verifiedState)).toEqual([]);
    await tamper([change, account.wallet(fan)]);
    expect((await wrongSince(verifiedState)).join()).toContain(name);
    await tamper([back, account.wallet(fan)]);
  });
});

describe('an alarm', () => {
  it('keeps its id from day to day and changes its details when more goes wrong beyond its examples', async () => {
    const fans = await Promise.all(Array.from({ length: 8 }, () => money.fan(500)));
    const shown = async () => (await open()).filter(({ key }) => key.startsWith('each balance'));
    for (const fan of fans.slice(0, 7)) await shift(fan, 1);
    clock.advance(DAY_MS);
    await runLedgerCheckNow(tools(), { isFull: true });
    const [before] = await shown();
    await shift(fans[7] ?? '', 1);
    clock.advance(DAY_MS);
    await runLedgerCheckNow(tools());
    const [after] = await shown();
    expect(after?.id).toBe(before?.id);
    expect(after?.details).not.toEqual(before?.details);
    for (const fan of fans) await shift(fan, -1);
    clock.advance(DAY_MS);
    await runLedgerCheckNow(tools());
    await resolveAll();
  });

  it('lasts until a full check passes and an operator explains it, and a recurrence is a new alarm', async () => {
    const fan = await money.fan(500);
    const logged = vi.spyOn(log, 'error');
    const next = () => {
      clock.advance(DAY_MS);
      return runLedgerCheckNow(tools());
    };
    await shift(fan, 1);
    clock.advance(DAY_MS);
    await runLedgerCheckNow(tools(), { isFull: true });
    expect(logged).toHaveBeenCalledOnce();
    const [first] = (await open()).filter(({ key }) => key.startsWith('each balance'));
    expect(first).toMatchObject({ kind: 'sumWrong', details: { examples: account.wallet(fan) } });
    const explanation = { id: first?.id ?? '', actorId: randomUUID(), reason: 'moved by hand, see the minutes' };
    expect(await catchErrorCode(explainAs(explanation))).toBe('CONFLICT');
    expect(await next()).toMatchObject({ isClean: false, isFull: true });
    expect(logged).toHaveBeenCalledTimes(2);
    expect((await open()).filter(({ key }) => key.startsWith('each balance')).map(({ id }) => id)).toEqual([first?.id]);

    await shift(fan, -1);
    expect(await next()).toMatchObject({ isClean: true, isFull: true });
    expect(await open()).toEqual([]);
    expect(await countAlarms(money.db)).toMatchObject({ active: 0 });
    expect(await arePayoutsAllowed(money.db)).toBe(false);
    await resolveAll();
    expect(await arePayoutsAllowed(money.db)).toBe(true);
    expect(await catchErrorCode(explainAs({ ...explanation, reason: 'again' }))).toBe('CONFLICT');
    expect(await catchErrorCode(explainAs({ ...explanation, id: randomUUID() }))).toBe('NOT_FOUND');
    expect(await catchErrorCode(money.owner.pool.query('delete from reconciliation_explanations'))).toBe('42501');
    expect(await next()).toMatchObject({ isClean: true, isFull: false });

    await shift(fan, 1);
    await next();
    expect((await open()).map(({ id }) => id)).not.toContain(first?.id);
    expect(await arePayoutsAllowed(money.db)).toBe(false);
    await shift(fan, -1);
    await next();
    await resolveAll();
  });
});

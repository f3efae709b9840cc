import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account, findAccount, listAccountLines, postTransaction, sumInflows } from './index.ts';
import { RECALCULATE_LINE_TIMES } from './testing.ts';

const money = setUpMoneyTest();
const DAY_MS = 86_400_000;
const BANK = 'asset:bank:operating';

const day = fc
  .constantFrom('2026-02-28', '2027-12-30', '2028-01-01', '2028-01-31', '2028-02-28', '2028-03-01', '2028-11-30')
  .chain((near) => fc.nat({ max: 3 }).map((days) => toUtcDay(Date.parse(near) + days * DAY_MS)));
const toUtcDay = (at: number) => new Date(at).toISOString().slice(0, 10);
const end = (ever: string) => fc.oneof({ weight: 4, arbitrary: day }, { weight: 1, arbitrary: fc.constant(ever) });
const span = fc.tuple(end('-infinity'), end('infinity')).filter(([from, to]) => isBefore(from, to) || from === to);
const isBefore = (one: string, other: string) => one === '-infinity' || other === 'infinity' || one < other;

type Received = { day: string; tag: string; cents: number; items: number };
async function listReceived(code: string, from: string, to: string): Promise<Received[]> {
  const { rows } = await money.db.pool.query<Received>(
    `select day::text, tag, amount_cents as cents, items from ledger_received((select id from ledger_accounts where code = $1), $2, $3)`,
    [code, from, to],
  );
  return rows;
}
const toSums = (rows: readonly { cents: number; items: number }[]) => [
  rows.reduce((sum, { cents }) => sum + cents, 0),
  rows.reduce((sum, { items }) => sum + items, 0),
];

describe('received amounts', () => {
  it('are the same between any two days before and after rollup, with one row per month', async () => {
    const pending = account.pending(await money.creator());
    const movement = fc.record({ on: day, cents: fc.integer({ min: -500, max: 900 }), isRolled: fc.boolean() });
    const made: { day: string; cents: number; items: number }[] = [];
    const history = fc.asyncProperty(
      fc.array(movement, { minLength: 4, maxLength: 12 }),
      span,
      async (moves, range) => {
        for (const { on, cents, isRolled } of moves) {
          if (cents === 0) continue;
          const legs = [[pending, -cents] as const, [BANK, cents] as const];
          const due = { at: new Date(`${on}T23:59:59.999Z`), items: cents > 0 ? 1 : 0 };
          await postTransaction(money.db, { kind: 'test', legs, ...due });
          made.push({ day: on, cents, items: due.items });
          if (isRolled) await sumInflows(money.db, 3);
        }
        const [from, to] = range;
        const within = made.filter((one) => !isBefore(one.day, from) && isBefore(one.day, to));
        expect(toSums(await listReceived(pending, from, to))).toEqual(toSums(within));
        await sumInflows(money.db);
        const rows = await listReceived(pending, from, to);
        expect(toSums(rows)).toEqual(toSums(within));
        for (const row of rows) expect(isBefore(row.day, from) && row.day !== '-infinity').toBe(false);
        expect((await listReceived(pending, '-infinity', 'infinity')).length).toBe(1);
        expect((await listReceived(pending, '2028-01-01', '2029-01-01')).length).toBeLessThanOrEqual(12);
      },
    );
    await fc.assert(history, { numRuns: 15, endOnFailure: true });
    await postTransaction(money.db, {
      kind: 'test',
      legs: [
        [pending, toSums(made)[0] ?? 0],
        [BANK, -(toSums(made)[0] ?? 0)],
      ],
    });
  });
});

describe('the balance at a time and the movements between two times', () => {
  it('leave out what happens at that moment, and the movements include it from there on', async () => {
    const fan = await money.fan();
    const [noon, later] = [new Date('2028-02-29T12:00:00Z'), new Date('2028-02-29T12:00:00.001Z')];
    await money.deposit(fan, 100, 0, noon);
    await money.deposit(fan, 20, 0, later);
    const { rows } = await money.db.pool.query(
      `select ledger_balance_before(id, $2) as first, ledger_balance_before(id, $3) as second,
        array(select line from ledger_lines_between(id, $2, $3))::int[] as lines from ledger_accounts where code = $1`,
      [account.wallet(fan), noon, later],
    );
    expect(rows).toEqual([{ first: 0, second: 100, lines: [1] }]);
  });

  it('are correct when lines were written late', async () => {
    const noon = Date.parse('2028-02-29T12:00:00Z');
    const hour = fc.integer({ min: -90, max: 90 });
    const history = fc.asyncProperty(
      fc.array(fc.record({ hour, isLate: fc.boolean(), cents: fc.integer({ min: 1, max: 500 }) }), {
        minLength: 1,
        maxLength: 30,
      }),
      hour,
      hour,
      async (moves, one, other) => {
        const fan = await money.fan();
        const sorted = moves.toSorted((a, b) => a.hour - b.hour);
        const order = [...sorted.filter(({ isLate }) => !isLate), ...sorted.filter(({ isLate }) => isLate)];
        for (const { hour: at, cents } of order) await money.deposit(fan, cents, 0, new Date(noon + at * 3_600_000));
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const { rows } = await money.db.pool.query<{ opening: number; closing: number; lines: number[] }>(
          `select ledger_balance_before(id, $2) as opening, ledger_balance_before(id, $3) as closing,
            array(select line from ledger_lines_between(id, $2, $3) order by line)::int[] as lines from ledger_accounts where code = $1`,
          [account.wallet(fan), new Date(noon + from * 3_600_000), new Date(noon + to * 3_600_000)],
        );
        const accountRow = await findAccount(money.db, account.wallet(fan));
        if (!accountRow) throw new Error('the wallet has no account');
        const span = { from: new Date(noon + from * 3_600_000), until: new Date(noon + to * 3_600_000) };
        const page = await listAccountLines(money.db, accountRow, span, { before: 1_000, limit: 100 });
        const before = (hours: number) => order.reduce((sum, { hour: at, cents }) => sum + (at < hours ? cents : 0), 0);
        const lines = order.flatMap(({ hour: at }, index) => (at >= from && at < to ? [index + 1] : []));
        expect(rows).toEqual([{ opening: before(from), closing: before(to), lines }]);
        expect(page.lines).toMatchObject(lines.toReversed().map((line) => ({ line })));
      },
    );
    await fc.assert(history, { numRuns: 15, endOnFailure: true });
    const { rows } = await money.db.pool.query('select from ledger_accounts where max_late_ms > 0');
    expect(rows.length).toBeGreaterThan(0);
    const linesSql = 'select id, last_line_at, max_late_ms from ledger_accounts order by id';
    const before = (await money.db.pool.query(linesSql)).rows;
    await money.owner.pool.query('update ledger_accounts set last_line_at = null, max_late_ms = 0');
    await money.owner.pool.query(RECALCULATE_LINE_TIMES);
    expect((await money.db.pool.query(linesSql)).rows).toEqual(before);
  });
});

/** Recounts the money from the journal legs and reversals, independently of how the product sums it. */
import { HOLD_PART_KINDS, SALE_KINDS } from '@stagedoor/contract/commerce/money-kinds.ts';
import { expect } from 'vitest';
import type { Database } from '../../../platform/database/db.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import {
  getEarningsBalance,
  getFanWallet,
  getSalesChart,
  getSalesStats,
  getWalletPeriod,
  listPendingByDay,
  listStatement,
  type StatementLine,
  type StatementPage,
  type StatementRow,
} from './index.ts';

const DAY_MS = 86_400_000;
const toUtcDay = (at: Date) => at.toISOString().slice(0, 10);

type TransactionRow = {
  id: string;
  xid: number;
  kind: string;
  at: Date;
  reversesId: string | null;
  codes: string[];
  amounts: string[];
};

type MoneyCount = {
  balances: Map<string, number>;
  statements: Map<string, Map<number, { legs: number; cents: number }>>;
  earnings: Map<string, Map<string, { cents: number; fees: number; items: number }>>;
  paid: Map<string, number>;
  /** The kinds of the transactions of each fan, by their ids. */
  moving: Map<string, Map<string, string>>;
};

const isSpendable = (code: string) => /:(?:wallet|call_hold|available|payout_reserved|receivable)$/.test(code);

async function recount(db: Database): Promise<MoneyCount> {
  const { rows } = await db.pool.query<TransactionRow>(
    `select t.id, t.xid, t.kind, t.occurred_at as at, r.reverses_id as "reversesId", t.amounts::text[] as amounts,
      (select array_agg(a.code order by l.leg) from unnest(t.account_ids) with ordinality as l (id, leg) join ledger_accounts a on a.id = l.id) as codes
      from ledger_transactions t left join ledger_reversals r on r.transaction_id = t.id order by t.xid, t.id`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const count: MoneyCount = {
    balances: new Map(),
    statements: new Map(),
    earnings: new Map(),
    paid: new Map(),
    moving: new Map(),
  };
  for (const { id, xid, kind, at, reversesId, codes, amounts } of rows) {
    const isSale = SALE_KINDS.some((known) => known === kind);
    const day = toUtcDay(kind === 'sale_refund' ? (byId.get(reversesId ?? '')?.at ?? at) : at);
    for (const [index, code] of codes.entries()) {
      const cents = (/^(?:asset|exp):/.test(code) ? 1 : -1) * Number(amounts[index]);
      count.balances.set(code, (count.balances.get(code) ?? 0) + cents);
      const [, fan] = /^(?:liab:fan:(.*):wallet|asset:fan:(.*):receivable)$/.exec(code)?.filter(Boolean) ?? [];
      if (fan !== undefined) count.moving.set(fan, (count.moving.get(fan) ?? new Map()).set(id, kind));
      if (isSpendable(code)) {
        const lines = count.statements.get(code) ?? new Map<number, { legs: number; cents: number }>();
        const line = lines.get(xid) ?? { legs: 0, cents: 0 };
        count.statements.set(code, lines.set(xid, { legs: line.legs + 1, cents: line.cents + cents }));
      }
      if ((isSale || kind === 'sale_refund') && code.endsWith(':pending')) {
        const fee = codes.findIndex((other) => other.startsWith('rev:platform_fee:'));
        const days = count.earnings.get(code) ?? new Map<string, { cents: number; fees: number; items: number }>();
        const earned = days.get(day) ?? { cents: 0, fees: 0, items: 0 };
        const fees = earned.fees - Number(amounts[fee] ?? 0);
        count.earnings.set(
          code,
          days.set(day, { cents: earned.cents + cents, fees, items: earned.items + Number(isSale) }),
        );
      }
      const owner = code.replace(/payout_reserved$/, 'available');
      const isReserved = owner !== code;
      if (
        (['payout_sent', 'payout_unsent'].includes(kind) && isReserved) ||
        (kind === 'payout_failed' && code.endsWith(':available'))
      )
        count.paid.set(owner, (count.paid.get(owner) ?? 0) - cents);
    }
  }
  return count;
}

async function listStatementLines(db: Database, code: string): Promise<{ legs: number; balance: number }[]> {
  const { rows } = await db.pool.query<{ legs: number; balance: number }>(
    `select count(*)::int as legs, (array_agg(l.balance_cents order by l.line desc))[1] as balance from ledger_accounts a
      join ledger_lines l on l.account_id = a.id join ledger_transactions t on t.id = l.transaction_id
      where a.code = $1 group by t.xid order by min(l.line)`,
    [code],
  );
  return rows;
}

/** The rows that the wallet shows: each hold once, with its cost, and each other movement. */
async function expectWholeStatement(
  db: Database,
  fan: string,
  balances: [number, number],
  moving: ReadonlyMap<string, string>,
): Promise<void> {
  const all: StatementRow[] = [];
  for (;;) {
    const { rows, totalCount } = await listStatement(db, fan, { limit: 7, cursor: all.at(-1) });
    all.push(...rows);
    if (rows.length < 7) {
      expect(totalCount).toBe(all.length);
      break;
    }
  }
  const shownIds = [...moving].filter(([, kind]) => !HOLD_PART_KINDS.some((part) => part === kind)).map(([id]) => id);
  expect(all.map(({ transactionId }) => transactionId).toSorted()).toEqual(shownIds.toSorted());
  const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0);
  expect(sum(all.map(({ availableCents }) => availableCents))).toBe(balances[0]);
  expect(sum(all.map(({ owedCents }) => owedCents))).toBe(balances[1]);
  for (const skip of [0, 7]) {
    const skipped = await listStatement(db, fan, { limit: 7, skip });
    expect(skipped.rows).toEqual(all.slice(skip, skip + 7));
  }
  const isHold = ({ hold }: StatementRow) => hold !== null;
  const filters: [StatementPage, (row: StatementRow) => boolean][] = [
    [{ limit: 5, minAmountCents: 1_500 }, (row) => Math.abs(row.amountCents || row.owedCents) >= 1_500],
    [{ limit: 5, type: 'call' }, isHold],
    [{ limit: 5, type: 'hold' }, (row) => row.type === 'hold'],
    [{ limit: 5, type: 'tip', minAmountCents: 1_500 }, (row) => row.type === 'tip' && row.amountCents <= -1_500],
  ];
  for (const [filter, matches] of filters) {
    const expected = all.filter(matches);
    const { rows, totalCount } = await listStatement(db, fan, filter);
    expect([totalCount, rows]).toEqual([expected.length, expected.slice(0, 5)]);
  }
}

/** Every line of the wallet and the debt, as periods, receipts and calls read them. */
async function expectWholeLines(
  db: Database,
  fan: string,
  balances: [number, number],
  moving: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> {
  const lines = await db.snapshot(async (snapshot) => {
    const read: StatementLine[] = [];
    const always = { from: new Date(0), to: new Date(now.getTime() + 366 * DAY_MS) };
    for await (const batch of (await getWalletPeriod(snapshot, fan, always)).movements) read.push(...batch);
    return read;
  });
  expect(lines.map(({ transactionId }) => transactionId).toSorted()).toEqual([...moving.keys()].toSorted());
  let [available, owed] = balances;
  for (const line of lines.toReversed()) {
    expect([line.balanceCents, line.amountCents]).toEqual([available - owed, line.availableCents - line.owedCents]);
    available -= line.availableCents;
    owed -= line.owedCents;
  }
  expect([available, owed]).toEqual([0, 0]);
}

export async function expectSameMoney(
  db: Database,
  fans: readonly string[],
  creators: readonly string[],
  now: Date,
): Promise<void> {
  const { balances, statements, earnings, paid, moving } = await recount(db);
  for (const [code, cents] of balances) expect([code, await getBalance(db, code)]).toEqual([code, cents]);
  const own = [...fans, ...creators];
  for (const [code, lines] of statements) {
    if (!own.some((id) => code.includes(id))) continue;
    let balance = 0;
    const counted = [...lines.values()].map(({ legs, cents }) => {
      balance += cents;
      return { legs, balance };
    });
    expect([code, await listStatementLines(db, code)]).toEqual([code, counted]);
  }
  const getExpected = (code: string) => balances.get(code) ?? 0;
  for (const fan of fans) {
    const view = await getFanWallet(db, fan, now);
    expect([view.availableCents, view.heldCents]).toEqual([
      getExpected(account.wallet(fan)),
      getExpected(account.hold(fan)),
    ]);
    expect(view.owedCents).toBe(getExpected(account.owed(fan)));
    const fanBalances: [number, number] = [getExpected(account.wallet(fan)), getExpected(account.owed(fan))];
    await expectWholeStatement(db, fan, fanBalances, moving.get(fan) ?? new Map());
    await expectWholeLines(db, fan, fanBalances, moving.get(fan) ?? new Map(), now);
  }
  for (const creator of creators) {
    const days =
      earnings.get(account.pending(creator)) ?? new Map<string, { cents: number; fees: number; items: number }>();
    const sum = (isIn: (day: string) => boolean) =>
      [...days]
        .filter(([day]) => isIn(day))
        .reduce(
          (all, [, { cents, fees, items }]) => ({
            cents: all.cents + cents,
            fees: all.fees + fees,
            items: all.items + items,
          }),
          { cents: 0, fees: 0, items: 0 },
        );
    const [today, yesterday] = [toUtcDay(now), toUtcDay(new Date(now.getTime() - DAY_MS))];
    const [total, todaySum, yesterdaySum] = [
      sum(() => true),
      sum((day) => day === today),
      sum((day) => day === yesterday),
    ];
    expect(await getSalesStats(db, creator, now)).toEqual({
      earningsCents: { total: total.cents, today: todaySum.cents, yesterday: yesterdaySum.cents },
      transactions: { total: total.items, today: todaySum.items, yesterday: yesterdaySum.items },
    });
    for (const point of await getSalesChart(db, creator, 'weekly', now)) {
      const { cents, fees, items } = sum((day) => day === point.key);
      expect(point).toMatchObject({ netCents: cents, feeCents: fees, count: items });
    }
    expect(await getEarningsBalance(db, creator, now)).toMatchObject({
      pendingCents: getExpected(account.pending(creator)),
      availableCents: getExpected(account.available(creator)),
      reservedCents: getExpected(account.reserved(creator)),
      owedCents: getExpected(account.receivable(creator)),
      sentCents: paid.get(account.available(creator)) ?? 0,
    });
    const pendingDays = await listPendingByDay(db, creator, now);
    expect(pendingDays.reduce((all, { cents }) => all + cents, 0)).toBe(getExpected(account.pending(creator)));
  }
}

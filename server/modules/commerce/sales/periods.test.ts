import { expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account, clearDue, getBalance, postTransaction, sumInflows } from '../../ledger/ledger/index.ts';
import { chargeFanNow, getEarningsPeriod, getWalletPeriod, sumEarnings } from './index.ts';
import { createTipCharge, runRefund } from './testing.ts';

const money = setUpMoneyTest();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const midnight = (day: string) => Date.parse(`${day}T00:00:00.000Z`);
const MIDNIGHTS = [
  ...['2027-11-30', '2027-12-01', '2027-12-31', '2028-01-01', '2028-01-08', '2028-02-01', '2028-02-29', '2028-03-01'],
  ...['2028-03-08', '2028-05-01'],
].map(midnight);

async function sumJournal(code: string, at: number): Promise<number> {
  const { rows } = await money.db.pool.query<{ cents: number }>(
    `select coalesce(sum(case when (e.side = 'D') = (a.kind = 'asset') then e.amount_cents else -e.amount_cents end), 0)::bigint as cents
      from ledger_accounts a join ledger_entries e on e.account_id = a.id where a.code = $1 and e.occurred_at < $2`,
    [code, new Date(at)],
  );
  return rows[0]?.cents ?? 0;
}

async function expectMovementsAddUp(fan: string, creator: string, from: number, to: number): Promise<void> {
  const span = { from: new Date(from), to: new Date(to) };
  await money.db.snapshot(async (db) => {
    const earned = await getEarningsPeriod(db, creator, span);
    const spent = await getWalletPeriod(db, fan, span);
    const sides = [
      [
        earned,
        {
          pendingCents: account.pending(creator),
          availableCents: account.available(creator),
          reservedCents: account.reserved(creator),
          owedCents: account.receivable(creator),
        },
      ],
      [spent, { availableCents: account.wallet(fan), owedCents: account.owed(fan) }],
    ] as const;
    for (const [{ opening, closing, movements }, codes] of sides) {
      const sums: Record<string, number> = {};
      const seen = new Set<string>();
      for await (const page of movements as AsyncIterable<Record<string, unknown>[]>)
        for (const line of page) {
          const at = line.at ?? line.createdAt;
          expect(at instanceof Date && at >= span.from && at < span.to).toBe(true);
          const id = String(line.id ?? line.transactionId);
          expect(seen.has(id)).toBe(false);
          seen.add(id);
          for (const part of Object.keys(codes)) sums[part] = (sums[part] ?? 0) + Number(line[part]);
        }
      for (const [part, code] of Object.entries(codes)) {
        const [first, last] = [opening, closing].map((parts) => Number(new Map(Object.entries(parts)).get(part)));
        const ends = [await sumJournal(code, from), await sumJournal(code, to)];
        expect([code, span, first, last]).toEqual([code, span, ...ends]);
        expect([code, span, (first ?? 0) + (sums[part] ?? 0)]).toEqual([code, span, last]);
      }
    }
  });
}

async function payOut(creator: string, cents: number, at: number): Promise<void> {
  const [available, reserved] = [account.available(creator), account.reserved(creator)];
  const [clearing, bank] = ['liab:payout_clearing:ach', 'asset:bank:operating'];
  for (const [kind, from, to, hours] of [
    ['payout_requested', available, reserved, 0],
    ['payout_sent', reserved, clearing, 30],
    ['payout_paid', clearing, bank, 60],
  ] as const) {
    const legs = [[from, cents] as const, [to, -cents] as const];
    await postTransaction(money.db, { kind, legs, at: new Date(at + hours * HOUR_MS) });
  }
}

it('opening balance, movements and closing balance match the journal between any two midnights', async () => {
  const [fan, creator] = [await money.fan(), await money.creator()];
  await money.deposit(fan, 90_000, 0, new Date(midnight('2027-11-29')));
  const sold: { id: string; at: number }[] = [];
  const refund = (nth: number, cents: number | undefined, at: number) =>
    runRefund(money.db, sold[nth]?.id ?? '', cents, new Date(at));
  for (const [index, edge] of MIDNIGHTS.slice(1, -1).entries()) {
    for (const at of [edge - 1, edge, edge + 12 * HOUR_MS]) {
      const { transactionId } = await chargeFanNow(
        money.db,
        createTipCharge(fan, creator, 1_003 + index, { at: new Date(at) }),
      );
      sold.push({ id: transactionId, at });
    }
    if (index > 1) await refund((index - 2) * 3, 17, edge + 13 * HOUR_MS);
    await refund(index * 3, 9, edge);
    await refund(index * 3 + 2, undefined, edge + 14 * HOUR_MS);
    if (index % 2 === 1) await clearDue(money.db, new Date(edge + 15 * HOUR_MS));
    if (index === 3) await payOut(creator, 1_500, edge + 16 * HOUR_MS);
    if (index === 5) {
      const late = await chargeFanNow(
        money.db,
        createTipCharge(fan, creator, 777, { at: new Date(edge - 2 * DAY_MS) }),
      );
      sold.push({ id: late.transactionId, at: edge - 2 * DAY_MS });
    }
  }
  await payOut(creator, await getBalance(money.db, account.available(creator)), midnight('2028-04-15'));
  await refund(0, undefined, midnight('2028-04-20'));
  await refund(1, undefined, midnight('2028-04-20') + 1);
  expect(await getBalance(money.db, account.receivable(creator))).toBeGreaterThan(0);
  for (const isRolled of [false, true]) {
    if (isRolled) await sumInflows(money.db);
    for (const [index, from] of MIDNIGHTS.entries()) {
      const later = MIDNIGHTS.slice(index + 1);
      // After the roll-up every pair, before it the next midnight and the last one.
      for (const to of isRolled ? later : new Set([...later.slice(0, 1), ...later.slice(-1)]))
        await expectMovementsAddUp(fan, creator, from, to);
    }
  }
});

it('a movement of earnings names its sale and what fans paid, or the sum of its parts when no fan paid', async () => {
  const [fan, creator] = [await money.fan(), await money.creator()];
  const at = (hour: number) => new Date(midnight('2027-12-01') + hour * HOUR_MS);
  await money.deposit(fan, 5_000, 0, at(0));
  const { transactionId: saleId } = await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000, { at: at(1) }));
  await runRefund(money.db, saleId, 400, at(2));
  await clearDue(money.db, at(24 * 8));
  await payOut(creator, 300, at(24 * 9).getTime());
  const seen: unknown[] = [];
  await money.db.snapshot(async (db) => {
    const { movements } = await getEarningsPeriod(db, creator, { from: at(0), to: at(24 * 30) });
    for await (const page of movements)
      seen.push(...page.map(({ sale, grossCents }) => [sale?.id ?? null, grossCents]));
  });
  expect(seen).toEqual([
    [saleId, 1_000],
    [saleId, -400],
    [null, 0],
    [null, 0],
    [null, -300],
  ]);
});

it('earnings are what is pending, available and reserved for a payout, minus what the creator owes', () => {
  expect(sumEarnings({ pendingCents: 1_000, availableCents: 200, reservedCents: 30, owedCents: 4 })).toBe(1_226);
});

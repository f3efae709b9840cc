/** Tests commission against a reference model that knows only the rules. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import {
  account,
  clearDue,
  getBalance,
  lockWallet,
  postTransaction,
  reverseDeposit,
  settleDebt,
  sumInflows,
} from '../../ledger/ledger/index.ts';
import { catchErrorCode } from '../../ledger/ledger/testing.ts';
import { checkLedger } from '../../ledger/ledger-checks/index.ts';
import { setCreatorFee } from './fees.ts';
import {
  captureFunds,
  chargeFan,
  getCommissionTotals,
  holdFunds,
  refundSale,
  reverseUnpaidCommissions,
  startCommission,
} from './index.ts';
import { addDays, createTipCharge, NOON, runRefund } from './testing.ts';

const money = setUpMoneyTest(6);

const available = (id: string) => getBalance(money.db, account.affiliateAvailable(id));
const pending = (id: string) => getBalance(money.db, account.affiliatePending(id));
const owed = (id: string) => getBalance(money.db, account.affiliateReceivable(id));
const getTotals = (id: string) => getCommissionTotals(money.db, id);
const sell = (fanId: string, creatorId: string, cents: number, at = NOON) =>
  money.db.transaction((tx) => chargeFan(tx, createTipCharge(fanId, creatorId, cents, { at })));
const startReferral = (userId: string, affiliateId: string, from = NOON, until = addDays(365), basisPoints = 500) =>
  money.db.transaction((tx) => startCommission(tx, { userId, affiliateId, basisPoints, from, until }));
const claim = (affiliateId: string, cents: number, fanId: string) =>
  money.db.transaction(async (tx) => {
    await lockWallet(tx, fanId);
    await postTransaction(tx, {
      kind: 'test',
      legs: [
        [account.affiliateAvailable(affiliateId), cents],
        [account.wallet(fanId), -cents],
      ],
    });
    await settleDebt(tx, fanId, undefined);
  });

it('commission pays both sides of the example out of the platform fee and clears with the sale', async () => {
  const [fan, creator, first, second] = [await money.fan(10_000), await money.creator(), randomUUID(), randomUUID()];
  await startReferral(fan, first);
  await startReferral(creator, second);
  const before = await getBalance(money.db, account.commissions);
  await sell(fan, creator, 2_000);
  expect([await pending(first), await pending(second)]).toEqual([100, 100]);
  expect((await getBalance(money.db, account.commissions)) - before).toBe(200);
  expect(await getBalance(money.db, account.pending(creator))).toBe(1_600);
  await clearDue(money.db, addDays(6));
  expect(await available(first)).toBe(0);
  await clearDue(money.db, addDays(7));
  expect([await pending(first), await available(first), await available(second)]).toEqual([0, 100, 100]);
});

it('commission covers sales in its period, is at most half of the fee, and goes to the first affiliate', async () => {
  const [fan, creator, affiliate, late] = [await money.fan(40_000), await money.creator(), randomUUID(), randomUUID()];
  await startReferral(fan, affiliate, addDays(1), addDays(3));
  await Promise.all([startReferral(fan, late, addDays(0), addDays(9)), startReferral(creator, randomUUID())]);
  await sell(fan, creator, 1_000, new Date(addDays(1).getTime() - 1));
  await sell(fan, creator, 1_019, addDays(1));
  await sell(fan, creator, 1_039, new Date(addDays(3).getTime() - 1));
  await sell(fan, creator, 1_000, addDays(3));
  expect([await pending(affiliate), await pending(late)]).toEqual([50 + 51, 0]);
  await money.db.transaction((tx) =>
    setCreatorFee(tx, creator, { generalPercent: 3, offerPercent: null, offerUntil: NOON }),
  );
  await sell(fan, creator, 1_000, addDays(2));
  expect(await pending(affiliate)).toBe(50 + 51 + 15);
  await money.db.transaction((tx) =>
    setCreatorFee(tx, creator, { generalPercent: 0, offerPercent: null, offerUntil: NOON }),
  );
  await sell(fan, creator, 1_000, addDays(2));
  expect(await pending(affiliate)).toBe(50 + 51 + 15);
});

it('commission that was claimed before a refund becomes debt, which later commission repays', async () => {
  const [fan, creator, affiliate] = [await money.fan(10_000), await money.creator(), randomUUID()];
  await startReferral(fan, affiliate);
  const { transactionId } = await sell(fan, creator, 2_000);
  await clearDue(money.db, addDays(7));
  await claim(affiliate, 70, fan);
  await runRefund(money.db, transactionId, 1_000, addDays(8));
  expect([await available(affiliate), await owed(affiliate)]).toEqual([0, 20]);
  expect(await getTotals(affiliate)).toMatchObject({ customer: { earnedCents: 50, pendingCents: 0 } });
  await sell(fan, creator, 1_000, addDays(8));
  await clearDue(money.db, addDays(15));
  expect([await available(affiliate), await owed(affiliate)]).toEqual([30, 0]);
  await runRefund(money.db, transactionId, undefined, addDays(16));
  expect([await available(affiliate), await owed(affiliate)]).toEqual([0, 20]);
});

it('commission is paid once for a repeated sale and reversed once for a repeated refund', async () => {
  const [fan, creator, affiliate] = [await money.fan(10_000), await money.creator(), randomUUID()];
  await startReferral(creator, affiliate);
  const sale = createTipCharge(fan, creator, 2_000);
  const sold = await Promise.all([1, 2, 3].map(() => money.db.transaction((tx) => chargeFan(tx, sale))));
  expect(await pending(affiliate)).toBe(100);
  const refund = { saleId: sold[0]?.transactionId ?? '', actorId: randomUUID(), operationId: randomUUID(), at: NOON };
  await Promise.all([1, 2, 3].map(() => money.db.transaction((tx) => refundSale(tx, refund))));
  expect(await pending(affiliate)).toBe(0);
});

it('commission stays correct when clearing, refunds and withdrawals run concurrently', async () => {
  const affiliate = randomUUID();
  const users = await Promise.all(
    [1, 2, 3, 4].map(async () => [await money.fan(10_000), await money.creator()] as const),
  );
  const sales = await Promise.all(
    users.map(async ([fan, creator]) => {
      await startReferral(fan, affiliate);
      await startReferral(creator, affiliate);
      return (await sell(fan, creator, 2_000)).transactionId;
    }),
  );
  const [taker] = users[0] ?? [''];
  await Promise.all([
    clearDue(money.db, addDays(7)),
    ...sales.map((id) => runRefund(money.db, id, 1_000, addDays(7))),
    ...[1, 2, 3, 4, 5, 6].map(() => catchErrorCode(claim(affiliate, 90, taker))),
    sumInflows(money.db),
  ]);
  await clearDue(money.db, addDays(7));
  const { rows } = await money.db.pool.query<{ claimed: number }>(
    `select coalesce(sum(l.amount_cents), 0)::int as claimed from ledger_lines l join ledger_accounts a on a.id = l.account_id
      where a.code = $1 and l.kind = 'test'`,
    [account.affiliateAvailable(affiliate)],
  );
  expect((await available(affiliate)) - (await owed(affiliate)) - Number(rows[0]?.claimed)).toBe(400);
});

const KINDS = ['tip', 'post', 'chat', 'subscription', 'call'] as const;
const nth = fc.nat({ max: 2 });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('sell' as const),
      kind: fc.constantFrom(...KINDS),
      cents: fc.integer({ min: 1, max: 3_000 }),
      fan: nth,
      creator: nth,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('refundSale' as const),
      nth: fc.nat({ max: 30 }),
      cents: fc.option(fc.integer({ min: 1, max: 1_500 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('reverseDeposit' as const),
      fan: nth,
      cents: fc.integer({ min: 1, max: 60_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.nat({ max: 90 }), isRolled: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('take' as const),
      affiliate: nth,
      share: fc.integer({ min: 1, max: 100 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Sold = {
  id: string;
  fan: string;
  creator: string;
  gross: number;
  fee: number;
  at: Date;
  back: number;
  unpaid: number;
};

function calculateExpected(
  sold: readonly Sold[],
  terms: readonly { userId: string; affiliateId: string; basisPoints: number; from: Date; until: Date }[],
  affiliate: string,
) {
  const sums = { customer: 0, creator: 0 };
  for (const { userId, affiliateId, basisPoints, from, until } of terms) {
    if (affiliateId !== affiliate) continue;
    for (const { fan, creator, gross, fee, at, back, unpaid } of sold) {
      if ((userId !== fan && userId !== creator) || at < from || at >= until) continue;
      const whole = Math.min(Math.floor((gross * basisPoints) / 10_000), Math.floor(fee / 2));
      const reversed = Math.floor((2 * whole * Math.min(gross, back + unpaid) + gross) / (2 * gross));
      sums[userId === fan ? 'customer' : 'creator'] += whole - reversed;
    }
  }
  return sums;
}

it('commission equals the reference model for random histories across month ends, year ends and leap days', {
  timeout: 120_000,
}, async () => {
  const history = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
    let now = new Date('2027-12-30T23:59:59.999Z');
    const [fans, creators] = [
      [await money.fan(), await money.fan(), await money.fan()],
      [await money.creator(), await money.creator(), await money.creator()],
    ];
    const deposits = await Promise.all(fans.map((fan) => money.deposit(fan, 60_000, 0, now)));
    const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
    const affiliates = [one, two, three];
    const day = (text: string) => new Date(`${text}T00:00:00.000Z`);
    const terms = [
      {
        userId: fans[0] ?? '',
        affiliateId: one,
        basisPoints: 500,
        from: new Date(now.getTime() + 1),
        until: day('2028-12-31'),
      },
      { userId: creators[0] ?? '', affiliateId: one, basisPoints: 500, from: now, until: day('2028-02-29') },
      { userId: fans[1] ?? '', affiliateId: two, basisPoints: 750, from: day('2028-01-01'), until: day('2028-03-01') },
      {
        userId: creators[1] ?? '',
        affiliateId: three,
        basisPoints: 1_500,
        from: day('2028-02-29'),
        until: day('2029-02-28'),
      },
      {
        userId: creators[2] ?? '',
        affiliateId: two,
        basisPoints: 500,
        from: day('2026-01-01'),
        until: day('2027-01-01'),
      },
    ];
    await money.db.transaction(async (tx) => {
      for (const one of terms) await startCommission(tx, one);
    });
    const sold: Sold[] = [];
    const claimed = new Map<string, number>();
    const perform = async (move: Step): Promise<void> => {
      now = new Date(now.getTime() + 3_600_000);
      const at = now;
      switch (move.do) {
        case 'sell': {
          const [fanId, creatorId] = [fans[move.fan] ?? '', creators[move.creator] ?? ''];
          const sale = {
            kind: move.kind,
            fanId,
            creatorId,
            grossCents: move.cents,
            operationId: randomUUID(),
            subjectId: randomUUID(),
            at,
          };
          const made = await money.db.transaction(async (tx) => {
            if (move.kind !== 'call') return chargeFan(tx, sale);
            const hold = await holdFunds(tx, {
              fanId,
              amountCents: move.cents,
              purpose: 'test',
              operationId: randomUUID(),
              expiresAt: addDays(1, at),
              at,
            });
            return captureFunds(tx, {
              kind: 'call',
              holdId: hold.id,
              creatorId,
              subjectId: null,
              grossCents: move.cents,
              at,
            });
          });
          if (made)
            sold.push({
              id: made.transactionId,
              fan: fanId,
              creator: creatorId,
              gross: move.cents,
              fee: made.feeCents,
              at,
              back: 0,
              unpaid: 0,
            });
          return;
        }
        case 'refundSale': {
          const sale = sold[move.nth % Math.max(1, sold.length)];
          if (!sale) return;
          sale.back += (await runRefund(money.db, sale.id, move.cents ?? undefined, at)).grossCents;
          return;
        }
        case 'reverseDeposit': {
          const [fanId, depositTransactionId, eventKey] = [
            fans[move.fan] ?? '',
            deposits[move.fan] ?? '',
            randomUUID(),
          ];
          let remaining = await money.db.transaction(async (tx) => {
            const { shortfallCents } = await reverseDeposit(tx, {
              depositTransactionId,
              kind: 'chargeback',
              cardCents: move.cents,
              provider: 'ccbill',
              ref: eventKey,
              eventKey,
              at,
            });
            if (shortfallCents > 0) await reverseUnpaidCommissions(tx, { fanId, cents: shortfallCents, at });
            return shortfallCents as number;
          });
          for (const sale of sold.toReversed()) {
            const isCommissioned = terms.some(
              ({ userId, from, until, basisPoints }) =>
                [sale.fan, sale.creator].includes(userId) &&
                sale.at >= from &&
                sale.at < until &&
                Math.min(Math.floor((sale.gross * basisPoints) / 10_000), Math.floor(sale.fee / 2)) > 0,
            );
            if (sale.fan !== fanId || !isCommissioned) continue;
            const part = Math.min(remaining, Math.max(0, sale.gross - sale.back - sale.unpaid));
            sale.unpaid += part;
            remaining -= part;
          }
          return;
        }
        case 'wait':
          now = new Date(now.getTime() + move.days * 86_400_000);
          if (move.isRolled) await sumInflows(money.db, 5);
          await clearDue(money.db, now);
          return;
        case 'take': {
          const affiliate = affiliates[move.affiliate] ?? '';
          const cents = Math.floor(((await available(affiliate)) * move.share) / 100);
          if (cents === 0) return;
          await claim(affiliate, cents, fans[2] ?? '');
          claimed.set(affiliate, (claimed.get(affiliate) ?? 0) + cents);
        }
      }
    };
    for (const move of steps)
      await perform(move).catch((error) => {
        if (!['INSUFFICIENT_FUNDS', 'CONFLICT', 'FORBIDDEN'].includes(error?.code)) throw error;
      });
    for (const affiliate of affiliates) {
      const expected = calculateExpected(sold, terms, affiliate);
      const { customer, creator } = await getTotals(affiliate);
      expect({ customer: customer.earnedCents, creator: creator.earnedCents }).toEqual(expected);
      expect(customer.pendingCents + creator.pendingCents).toBe(await pending(affiliate));
      const rest = (await pending(affiliate)) + (await available(affiliate)) - (await owed(affiliate));
      expect(rest).toBe(expected.customer + expected.creator - (claimed.get(affiliate) ?? 0));
    }
    const { checks } = await checkLedger(money.db);
    expect(checks.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
  });
  await fc.assert(history, { numRuns: 6, endOnFailure: true });
});

it('the ledger check finds commission that is one cent off, has no sale or is missing', async () => {
  const [fan, creator, affiliate] = [await money.fan(10_000), await money.creator(), randomUUID()];
  await startReferral(fan, affiliate, addDays(-1));
  const { transactionId } = await sell(fan, creator, 2_000);
  const wrongAfter = async (sql: string, undo: string) => {
    await money.owner.pool.query(sql, [transactionId]);
    const { checks } = await checkLedger(money.db);
    await money.owner.pool.query(undo, [transactionId]);
    return checks.filter(({ name, wrong }) => /commission/.test(name) && wrong.length > 0).length;
  };
  const set = (assignment: string) => `update sales_commissions set ${assignment} where sale_id = $1`;
  expect(await wrongAfter(set('cents = cents + 1'), set('cents = cents - 1'))).toBeGreaterThan(0);
  expect(await wrongAfter(set('reversed_cents = 1'), set('reversed_cents = 0'))).toBe(2);
  const saleless = 'not exists (select from sales where sales.id = sale_id)';
  expect(
    await wrongAfter(set('sale_id = gen_random_uuid()'), `update sales_commissions set sale_id = $1 where ${saleless}`),
  ).toBeGreaterThan(1);
});

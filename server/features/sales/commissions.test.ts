/** Tests commission against a reference model that knows only the rules. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  account,
  balanceOf,
  checkLedger,
  clearDue,
  lockWallet,
  post,
  reverseDeposit,
  rollInflows,
  settledBalance,
} from '../ledger/index.ts';
import { moneyTest, refusalOf } from '../ledger/testing.ts';
import { setCreatorFee } from './fees.ts';
import {
  captureFunds,
  charge,
  commissionFigures,
  holdFunds,
  openCommission,
  refundSale,
  returnUnpaid,
} from './index.ts';
import { later, NOON, refundIn, tip } from './testing.ts';

const money = moneyTest(6);

const available = (id: string) => balanceOf(money.db, account.affiliateAvailable(id));
const pending = (id: string) => balanceOf(money.db, account.affiliatePending(id));
const owed = (id: string) => balanceOf(money.db, account.affiliateReceivable(id));
const figuresOf = (id: string) => commissionFigures(money.db, id);
const sell = (fanId: string, creatorId: string, cents: number, at = NOON) =>
  money.db.transaction((tx) => charge(tx, tip(fanId, creatorId, cents, { at })));
const bring = (userId: string, affiliateId: string, from = NOON, until = later(365), basisPoints = 500) =>
  money.db.transaction((tx) => openCommission(tx, { userId, affiliateId, basisPoints, from, until }));
const take = (affiliateId: string, cents: number, fanId: string) =>
  money.db.transaction(async (tx) => {
    await lockWallet(tx, fanId);
    await post(tx, {
      kind: 'test',
      legs: [
        [account.affiliateAvailable(affiliateId), cents],
        [account.wallet(fanId), -cents],
      ],
    });
    await settledBalance(tx, fanId, undefined);
  });

it('commission pays both sides of the example out of the platform fee and clears with the sale', async () => {
  const [fan, creator, first, second] = [await money.fan(10_000), await money.creator(), randomUUID(), randomUUID()];
  await bring(fan, first);
  await bring(creator, second);
  const before = await balanceOf(money.db, account.commissions);
  await sell(fan, creator, 2_000);
  expect([await pending(first), await pending(second)]).toEqual([100, 100]);
  expect((await balanceOf(money.db, account.commissions)) - before).toBe(200);
  expect(await balanceOf(money.db, account.pending(creator))).toBe(1_600);
  await clearDue(money.db, later(6));
  expect(await available(first)).toBe(0);
  await clearDue(money.db, later(7));
  expect([await pending(first), await available(first), await available(second)]).toEqual([0, 100, 100]);
});

it('commission covers sales in its period, is at most half of the fee, and goes to the first affiliate', async () => {
  const [fan, creator, affiliate, late] = [await money.fan(40_000), await money.creator(), randomUUID(), randomUUID()];
  await bring(fan, affiliate, later(1), later(3));
  await Promise.all([bring(fan, late, later(0), later(9)), bring(creator, randomUUID())]);
  await sell(fan, creator, 1_000, new Date(later(1).getTime() - 1));
  await sell(fan, creator, 1_019, later(1));
  await sell(fan, creator, 1_039, new Date(later(3).getTime() - 1));
  await sell(fan, creator, 1_000, later(3));
  expect([await pending(affiliate), await pending(late)]).toEqual([50 + 51, 0]);
  await money.db.transaction((tx) =>
    setCreatorFee(tx, creator, { generalPercent: 3, offerPercent: null, offerUntil: NOON }),
  );
  await sell(fan, creator, 1_000, later(2));
  expect(await pending(affiliate)).toBe(50 + 51 + 15);
  await money.db.transaction((tx) =>
    setCreatorFee(tx, creator, { generalPercent: 0, offerPercent: null, offerUntil: NOON }),
  );
  await sell(fan, creator, 1_000, later(2));
  expect(await pending(affiliate)).toBe(50 + 51 + 15);
});

it('commission that was claimed before a refund becomes debt, which later commission repays', async () => {
  const [fan, creator, affiliate] = [await money.fan(10_000), await money.creator(), randomUUID()];
  await bring(fan, affiliate);
  const { transactionId } = await sell(fan, creator, 2_000);
  await clearDue(money.db, later(7));
  await take(affiliate, 70, fan);
  await refundIn(money.db, transactionId, 1_000, later(8));
  expect([await available(affiliate), await owed(affiliate)]).toEqual([0, 20]);
  expect(await figuresOf(affiliate)).toMatchObject({ customer: { earnedCents: 50, pendingCents: 0 } });
  await sell(fan, creator, 1_000, later(8));
  await clearDue(money.db, later(15));
  expect([await available(affiliate), await owed(affiliate)]).toEqual([30, 0]);
  await refundIn(money.db, transactionId, undefined, later(16));
  expect([await available(affiliate), await owed(affiliate)]).toEqual([0, 20]);
});

it('commission is paid once for a repeated sale and reversed once for a repeated refund', async () => {
  const [fan, creator, affiliate] = [await money.fan(10_000), await money.creator(), randomUUID()];
  await bring(creator, affiliate);
  const sale = tip(fan, creator, 2_000);
  const sold = await Promise.all([1, 2, 3].map(() => money.db.transaction((tx) => charge(tx, sale))));
  expect(await pending(affiliate)).toBe(100);
  const refund = { saleId: sold[0]?.transactionId ?? '', actorId: randomUUID(), operationId: randomUUID(), at: NOON };
  await Promise.all([1, 2, 3].map(() => money.db.transaction((tx) => refundSale(tx, refund))));
  expect(await pending(affiliate)).toBe(0);
});

it('commission stays correct when clearing, refunds and withdrawals run concurrently', async () => {
  const affiliate = randomUUID();
  const people = await Promise.all(
    [1, 2, 3, 4].map(async () => [await money.fan(10_000), await money.creator()] as const),
  );
  const sales = await Promise.all(
    people.map(async ([fan, creator]) => {
      await bring(fan, affiliate);
      await bring(creator, affiliate);
      return (await sell(fan, creator, 2_000)).transactionId;
    }),
  );
  const [taker] = people[0] ?? [''];
  await Promise.all([
    clearDue(money.db, later(7)),
    ...sales.map((id) => refundIn(money.db, id, 1_000, later(7))),
    ...[1, 2, 3, 4, 5, 6].map(() => refusalOf(take(affiliate, 90, taker))),
    rollInflows(money.db),
  ]);
  await clearDue(money.db, later(7));
  const { rows } = await money.db.pool.query<{ taken: number }>(
    `select coalesce(sum(l.amount_cents), 0)::int as taken from ledger_lines l join ledger_accounts a on a.id = l.account_id
      where a.code = $1 and l.kind = 'test'`,
    [account.affiliateAvailable(affiliate)],
  );
  expect((await available(affiliate)) - (await owed(affiliate)) - Number(rows[0]?.taken)).toBe(400);
});

const KINDS = ['tip', 'post', 'chat', 'subscription', 'call'] as const;
const which = fc.nat({ max: 2 });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('sell' as const),
      kind: fc.constantFrom(...KINDS),
      cents: fc.integer({ min: 1, max: 3_000 }),
      fan: which,
      creator: which,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('giveBack' as const),
      which: fc.nat({ max: 30 }),
      cents: fc.option(fc.integer({ min: 1, max: 1_500 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('takeBack' as const),
      fan: which,
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
      affiliate: which,
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

function reckon(
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
      const gone = Math.floor((2 * whole * Math.min(gross, back + unpaid) + gross) / (2 * gross));
      sums[userId === fan ? 'customer' : 'creator'] += whole - gone;
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
      for (const one of terms) await openCommission(tx, one);
    });
    const sold: Sold[] = [];
    const taken = new Map<string, number>();
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
            if (move.kind !== 'call') return charge(tx, sale);
            const hold = await holdFunds(tx, {
              fanId,
              amountCents: move.cents,
              purpose: 'test',
              operationId: randomUUID(),
              expiresAt: later(1, at),
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
        case 'giveBack': {
          const sale = sold[move.which % Math.max(1, sold.length)];
          if (!sale) return;
          sale.back += (await refundIn(money.db, sale.id, move.cents ?? undefined, at)).grossCents;
          return;
        }
        case 'takeBack': {
          const [fanId, depositTransactionId, eventKey] = [
            fans[move.fan] ?? '',
            deposits[move.fan] ?? '',
            randomUUID(),
          ];
          let left = await money.db.transaction(async (tx) => {
            const { shortfallCents } = await reverseDeposit(tx, {
              depositTransactionId,
              kind: 'chargeback',
              cardCents: move.cents,
              provider: 'ccbill',
              ref: eventKey,
              eventKey,
              at,
            });
            if (shortfallCents > 0) await returnUnpaid(tx, { fanId, cents: shortfallCents, at });
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
            const part = Math.min(left, Math.max(0, sale.gross - sale.back - sale.unpaid));
            sale.unpaid += part;
            left -= part;
          }
          return;
        }
        case 'wait':
          now = new Date(now.getTime() + move.days * 86_400_000);
          if (move.isRolled) await rollInflows(money.db, 5);
          await clearDue(money.db, now);
          return;
        case 'take': {
          const affiliate = affiliates[move.affiliate] ?? '';
          const cents = Math.floor(((await available(affiliate)) * move.share) / 100);
          if (cents === 0) return;
          await take(affiliate, cents, fans[2] ?? '');
          taken.set(affiliate, (taken.get(affiliate) ?? 0) + cents);
        }
      }
    };
    for (const move of steps)
      await perform(move).catch((error) => {
        if (!['INSUFFICIENT_FUNDS', 'CONFLICT', 'FORBIDDEN'].includes(error?.code)) throw error;
      });
    for (const affiliate of affiliates) {
      const expected = reckon(sold, terms, affiliate);
      const { customer, creator } = await figuresOf(affiliate);
      expect({ customer: customer.earnedCents, creator: creator.earnedCents }).toEqual(expected);
      expect(customer.pendingCents + creator.pendingCents).toBe(await pending(affiliate));
      const rest = (await pending(affiliate)) + (await available(affiliate)) - (await owed(affiliate));
      expect(rest).toBe(expected.customer + expected.creator - (taken.get(affiliate) ?? 0));
    }
    const { checks } = await checkLedger(money.db);
    expect(checks.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
  });
  await fc.assert(history, { numRuns: 6, endOnFailure: true });
});

it('the ledger check finds commission that is one cent off, has no sale or is missing', async () => {
  const [fan, creator, affiliate] = [await money.fan(10_000), await money.creator(), randomUUID()];
  await bring(fan, affiliate, later(-1));
  const { transactionId } = await sell(fan, creator, 2_000);
  const wrongAfter = async (sql: string, undo: string) => {
    await money.owner.pool.query(sql, [transactionId]);
    const { checks } = await checkLedger(money.db);
    await money.owner.pool.query(undo, [transactionId]);
    return checks.filter(({ name, wrong }) => /commission/.test(name) && wrong.length > 0).length;
  };
  const set = (what: string) => `update sales_commissions set ${what} where sale_id = $1`;
  expect(await wrongAfter(set('cents = cents + 1'), set('cents = cents - 1'))).toBeGreaterThan(0);
  expect(await wrongAfter(set('reversed_cents = 1'), set('reversed_cents = 0'))).toBe(2);
  const saleless = 'not exists (select from sales where sales.id = sale_id)';
  expect(
    await wrongAfter(set('sale_id = gen_random_uuid()'), `update sales_commissions set sale_id = $1 where ${saleless}`),
  ).toBeGreaterThan(1);
});

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { requireCleanLedger } from '../../commerce/deposits/testing.ts';
import { TestAffiliate } from './testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: new Date('2027-02-27T12:00:00Z') });
  const least = { minimum_cents: 100, referrals_minimum_cents: 100 };
  await app.owner.query.updateTable('payout_settings').set(least).execute();
});
afterAll(() => app.close());

const cents = (usd: number) => Math.round(usd * 100);

it('the eligible amounts per referral type stay correct after reversed commission and canceled payouts', async () => {
  const affiliate = await TestAffiliate.create(app);
  await affiliate.earn('customer', 10_000);
  const sales = [await affiliate.earn('creator', 5_000), await affiliate.earn('creator', 4_000)];
  await affiliate.clear();
  const ids = [];
  for (let n = 0; n < 3; n += 1) ids.push((await affiliate.withdraw(50)).json().id);
  for (const sale of sales) await affiliate.refund(sale);
  expect(await affiliate.totals()).toMatchObject({ eligibleBalance: 0, owed: 50 });
  expect((await affiliate.cancel(ids[0])).statusCode).toBe(200);
  expect((await affiliate.cancel(ids[1])).statusCode).toBe(200);
  const { customer, creator, eligibleBalance, owed } = await affiliate.totals();
  expect([customer.eligibleBalance, creator.eligibleBalance, eligibleBalance, owed]).toEqual([50, 0, 50, 0]);
  await requireCleanLedger(app);
});

const side = fc.constantFrom('customer' as const, 'creator' as const);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('earn' as const), side, cents: fc.integer({ min: 1, max: 999 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('refundSale' as const),
      nth: fc.nat({ max: 20 }),
      part: fc.option(fc.integer({ min: 1, max: 100 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('withdraw' as const, 'move' as const),
      share: fc.integer({ min: 1, max: 100 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), nth: fc.nat({ max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('clear' as const) }) },
);

const BEGINNING = [
  { do: 'earn', side: 'customer', cents: 900 },
  { do: 'earn', side: 'creator', cents: 500 },
  { do: 'clear' },
] as const;

it('the eligible amounts add up after every step of a random history, and the ledger stays clean', {
  timeout: 120_000,
}, async () => {
  let claimed = 0;
  const history = fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
    const affiliate = await TestAffiliate.create(app);
    const [sales, requests]: [{ id: string; gross: number }[], string[]] = [[], []];
    for (const [index, move] of [...BEGINNING, ...steps].entries()) {
      if (move.do === 'earn') sales.push({ id: await affiliate.earn(move.side, move.cents), gross: move.cents * 20 });
      else if (move.do === 'clear') await affiliate.clear();
      else if (move.do === 'refundSale') {
        const sale = sales[move.nth % sales.length];
        const part = move.part === null || !sale ? undefined : Math.ceil((sale.gross * move.part) / 100);
        if (sale) await affiliate.refund(sale.id, part).catch(() => undefined);
      } else if (move.do === 'cancel') {
        const id = requests[move.nth % Math.max(1, requests.length)];
        if (id !== undefined) await affiliate.cancel(id);
      } else {
        const amount = Math.floor((cents((await affiliate.totals()).eligibleBalance) * move.share) / 100) / 100;
        if (amount < 1) continue;
        const response = await affiliate[move.do](amount);
        expect(response.statusCode, response.body).toBe(200);
        if (move.do === 'withdraw') requests.push(response.json().id);
        claimed += 1;
      }
      const { customer, creator, eligibleBalance } = await affiliate.totals();
      const sides = [cents(customer.eligibleBalance), cents(creator.eligibleBalance)] as const;
      expect([index, move.do, sides[0] + sides[1]]).toEqual([index, move.do, cents(eligibleBalance)]);
      for (const [eligible, { totalEarnings, pending, totalClaimed, requestedAmount }] of [
        [sides[0], customer],
        [sides[1], creator],
      ] as const) {
        const remaining = cents(totalEarnings) - cents(pending) - cents(totalClaimed) - cents(requestedAmount);
        expect(eligible).toBeGreaterThanOrEqual(0);
        expect(eligible).toBeLessThanOrEqual(Math.max(0, remaining));
      }
    }
    await app.ctx.events.waitUntilIdle();
    await requireCleanLedger(app);
  });
  await fc.assert(history, { numRuns: 5, endOnFailure: true });
  expect(claimed).toBeGreaterThan(0);
});

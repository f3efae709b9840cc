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

it('the eligible amounts per referral type stay correct after reversed commission and cancelled payouts', async () => {
  const bringer = await TestAffiliate.create(app);
  await bringer.earn('customer', 10_000);
  const sales = [await bringer.earn('creator', 5_000), await bringer.earn('creator', 4_000)];
  await bringer.clear();
  const ids = [];
  for (let n = 0; n < 3; n += 1) ids.push((await bringer.withdraw(50)).json().id);
  for (const sale of sales) await bringer.refund(sale);
  expect(await bringer.totals()).toMatchObject({ eligibleBalance: 0, owed: 50 });
  expect((await bringer.cancel(ids[0])).statusCode).toBe(200);
  expect((await bringer.cancel(ids[1])).statusCode).toBe(200);
  const { customer, creator, eligibleBalance, owed } = await bringer.totals();
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
    const bringer = await TestAffiliate.create(app);
    const [sales, requests]: [{ id: string; gross: number }[], string[]] = [[], []];
    for (const [index, move] of [...BEGINNING, ...steps].entries()) {
      if (move.do === 'earn') sales.push({ id: await bringer.earn(move.side, move.cents), gross: move.cents * 20 });
      else if (move.do === 'clear') await bringer.clear();
      else if (move.do === 'refundSale') {
        const sale = sales[move.nth % sales.length];
        const part = move.part === null || !sale ? undefined : Math.ceil((sale.gross * move.part) / 100);
        if (sale) await bringer.refund(sale.id, part).catch(() => undefined);
      } else if (move.do === 'cancel') {
        const id = requests[move.nth % Math.max(1, requests.length)];
        if (id !== undefined) await bringer.cancel(id);
      } else {
        const amount = Math.floor((cents((await bringer.totals()).eligibleBalance) * move.share) / 100) / 100;
        if (amount < 1) continue;
        const answer = await bringer[move.do](amount);
        expect(answer.statusCode, answer.body).toBe(200);
        if (move.do === 'withdraw') requests.push(answer.json().id);
        claimed += 1;
      }
      const { customer, creator, eligibleBalance } = await bringer.totals();
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

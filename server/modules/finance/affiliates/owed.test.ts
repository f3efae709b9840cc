import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { buildReversalFields, postWebhook } from '../../commerce/ccbill/testing.ts';
import { createPaidDeposit, requireCleanLedger } from '../../commerce/deposits/testing.ts';
import { account, clearDue, getBalance } from '../../ledger/ledger/index.ts';
import { cancelPayout } from '../payouts/index.ts';
import { createPayoutMethod, listOnHoldReasons } from '../payouts/testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: new Date('2027-02-27T12:00:00Z') });
});
afterAll(() => app.close());

it('a payout waits until reversed commission is settled, and a returned payout settles it first', async () => {
  const [affiliate, creator] = [await app.signUp('customer'), await app.signUp('creator')];
  const { code } = (await affiliate.inject('GET', '/api/affiliate/code')).json();
  app.clock.advance(1_000);
  async function tipper() {
    const fan = await app.signUp('customer', { referralCode: code });
    await app.ctx.events.waitUntilIdle();
    const paid = await createPaidDeposit(app, fan, 200);
    const tip = { amount: 200, type: 'profile' };
    const response = await fan.inject('POST', `/api/tip/customer-send/${creator.id}`, tip, key());
    expect(response.statusCode, response.body).toBe(200);
    return paid;
  }
  const key = () => ({ 'idempotency-key': randomUUID() });
  const method = await createPayoutMethod(app, affiliate);
  const withdraw = (amount: number) =>
    affiliate.inject('POST', '/api/affiliate/withdraw', { amount, methodId: method.id }, key());
  const owed = () => getBalance(app.ctx.db, account.affiliateReceivable(affiliate.id));
  const getEligible = async () =>
    (await affiliate.inject('GET', '/api/affiliate/total-earning')).json().eligibleBalance;

  for (let n = 0; n < 5; n += 1) await tipper();
  const { deposit, saleId } = await tipper();
  app.clock.advance(7 * 24 * 60 * 60_000);
  await clearDue(app.ctx.db, app.clock.now());
  const { id } = (await withdraw(60)).json();
  await postWebhook(app, 'Chargeback', buildReversalFields(app, saleId, (deposit.payable_cents / 100).toFixed(2)));
  expect(await owed()).toBe(1_000);
  const refused = await withdraw(50);
  expect([refused.statusCode, refused.json().message]).toEqual([
    403,
    expect.stringMatching(/^Commission you withdrew was reversed/),
  ]);
  const requests = (['earnings', 'referrals'] as const).map((source) => ({
    ...{ id: source, user_id: affiliate.id, source, invalid_at: null },
  }));
  for (const rows of [requests, requests.toReversed()])
    expect([...(await listOnHoldReasons(app.ctx.db, app.clock.now(), rows)).keys()]).toEqual(['referrals']);
  const elsewhere = { userId: affiliate.id, source: 'earnings', payoutId: id } as const;
  await expect(app.ctx.db.transaction((tx) => cancelPayout(app.ctx, tx, elsewhere))).rejects.toThrow(
    expect.objectContaining({ code: 'NOT_FOUND' }),
  );
  expect((await affiliate.inject('POST', `/api/affiliate/withdrawal-cancel/${id}`)).statusCode).toBe(200);
  expect([await owed(), await getEligible()]).toEqual([0, 50]);
  expect((await withdraw(50)).statusCode).toBe(200);
  await app.ctx.events.waitUntilIdle();
  await requireCleanLedger(app);
});

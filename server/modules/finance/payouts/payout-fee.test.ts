import { randomUUID } from 'node:crypto';
import type { PayoutDetails } from '@stagedoor/contract/finance/payouts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { startCommission } from '../../commerce/sales/index.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { startPayPal } from './paypal.testing.ts';
import { pollPayPal } from './submit.ts';
import { ACH, BITCOIN, createEarnings, createPayoutMethod, expectCleanLedger } from './testing.ts';

const PAYPAL: PayoutDetails = { kind: 'paypal', email: 'jane@example.com' };
const reason = 'looked at the papers';

let app: TestApp;
let service: Awaited<ReturnType<typeof startPayPal>>;
let operator: TestUser;
beforeAll(async () => {
  service = await startPayPal();
  const paypal = { PAYPAL_URL: service.url, PAYPAL_CLIENT_ID: 'client', PAYPAL_CLIENT_SECRET: 'secret' };
  app = await createTestApp({ env: { ACH_BANK: '091000019', ACH_BANK_NAME: 'FRB', ...paypal } });
});
afterAll(async () => {
  await app.close();
  await service.close();
});

async function createApproved(details: PayoutDetails): Promise<{ id: string; affiliate: TestUser }> {
  const [affiliate, creator] = [await app.signUp('customer'), await app.signUp('creator')];
  const from = app.clock.now();
  const until = new Date(from.getTime() + 24 * 60 * 60_000);
  const terms = { userId: creator.id, affiliateId: affiliate.id, basisPoints: 500, from, until };
  await app.ctx.db.transaction((tx) => startCommission(tx, terms));
  await createEarnings(app, creator.id, 100_000);
  const { id: methodId } = await createPayoutMethod(app, affiliate, details);
  const response = await affiliate.inject(
    'POST',
    '/api/affiliate/withdraw',
    { amount: 50, methodId },
    { 'idempotency-key': randomUUID() },
  );
  expect(response.statusCode, response.body).toBe(200);
  const { id } = response.json();
  operator = await app.signUp('operator');
  const decided = await operator.inject('POST', `/api/admin/payouts/${id}/decision`, { decision: 'approve', reason });
  expect(decided.json()).toMatchObject({ status: 'approved', amount: 50, fee: 1, net: 49 });
  return { id, affiliate };
}
const downloadFile = async (batchId: string) =>
  (await operator.inject('POST', `/api/admin/payout-batches/${batchId}/file`)).body;

test.each([
  [
    'ach',
    ACH,
    async (batchId: string) => expect(await downloadFile(batchId)).toMatch(/^622091000019744567899 {8}0000004900/m),
  ],
  ['crypto', BITCOIN, async (batchId: string) => expect(await downloadFile(batchId)).toContain('"49.00","BTC"')],
  [
    'paypal',
    PAYPAL,
    async () => {
      await app.ctx.jobs.runDue(['payouts.submit']);
      const [item] = service.batches.flatMap(({ items }) => items);
      expect(item?.payout_item.amount.value).toBe('49.00');
    },
  ],
] as const)(
  'a payout by %s sends the net amount, and the platform retains the fee',
  async (rail, details, requireSent) => {
    const { id, affiliate } = await createApproved(details);
    const feeBalance = await getBalance(app.ctx.db, 'rev:payout_fee');
    const waiting = (await operator.inject('GET', '/api/admin/payout-rails')).json().data;
    expect(waiting).toContainEqual({ rail, isSetUp: true, count: 1, net: 49, onHold: 0 });
    const batch = (
      await operator.inject('POST', '/api/admin/payout-batches', { rail }, { 'idempotency-key': randomUUID() })
    ).json();
    expect(batch).toMatchObject({ count: 1, net: 49 });
    await requireSent(batch.id);
    const getRemaining = () =>
      Promise.all([`liab:payout_clearing:${rail}`, 'rev:payout_fee'].map((code) => getBalance(app.ctx.db, code)));
    expect(await getRemaining()).toEqual([4_900, feeBalance + 100]);
    if (rail === 'paypal') {
      service.setItemStatus(id, 'SUCCESS');
      await pollPayPal(app.ctx);
    } else {
      const onChain = { step: 'broadcast', reference: '4a'.repeat(32) };
      for (const step of [...(rail === 'crypto' ? [onChain] : []), { step: 'paid' }]) {
        const answer = await operator.inject('POST', `/api/admin/payouts/${id}/transfer`, { ...step, reason });
        expect(answer.statusCode, answer.body).toBe(200);
      }
    }
    expect(await getRemaining()).toEqual([0, feeBalance + 100]);
    expect(await getBalance(app.ctx.db, account.affiliateAvailable(affiliate.id))).toBe(0);
    await expectCleanLedger(app);
  },
);

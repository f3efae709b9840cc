import { randomUUID } from 'node:crypto';
import type { PayoutDetails } from '@stagedoor/contract/payouts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { account, balanceOf } from '../ledger/index.ts';
import { openCommission } from '../sales/index.ts';
import { openPayPal } from './paypal.testing.ts';
import { chase } from './submit.ts';
import { ACH, addMethod, BITCOIN, earn, requireCleanBooks } from './testing.ts';

const PAYPAL: PayoutDetails = { kind: 'paypal', email: 'jane@example.com' };
const ground = 'looked at the papers';

let app: TestApp;
let service: Awaited<ReturnType<typeof openPayPal>>;
let operator: TestUser;
beforeAll(async () => {
  service = await openPayPal();
  const paypal = { PAYPAL_URL: service.url, PAYPAL_CLIENT_ID: 'client', PAYPAL_CLIENT_SECRET: 'secret' };
  app = await createTestApp({ env: { ACH_BANK: '091000019', ACH_BANK_NAME: 'FRB', ...paypal } });
});
afterAll(async () => {
  await app.close();
  await service.close();
});

async function approved(details: PayoutDetails): Promise<{ id: string; affiliate: TestUser }> {
  const [affiliate, creator] = [await app.signUp('customer'), await app.signUp('creator')];
  const from = app.clock.now();
  const until = new Date(from.getTime() + 24 * 60 * 60_000);
  const terms = { userId: creator.id, affiliateId: affiliate.id, basisPoints: 500, from, until };
  await app.ctx.db.transaction((tx) => openCommission(tx, terms));
  await earn(app, creator.id, 100_000);
  const { id: methodId } = await addMethod(app, affiliate, details);
  const asked = await affiliate.inject(
    'POST',
    '/api/affiliate/withdraw',
    { amount: 50, methodId },
    { 'idempotency-key': randomUUID() },
  );
  expect(asked.statusCode, asked.body).toBe(200);
  const { id } = asked.json();
  operator = await app.signUp('operator');
  const decided = await operator.inject('POST', `/api/admin/payouts/${id}/decision`, { decision: 'approve', ground });
  expect(decided.json()).toMatchObject({ status: 'approved', amount: 50, fee: 1, net: 49 });
  return { id, affiliate };
}
const fileOf = async (batchId: string) =>
  (await operator.inject('POST', `/api/admin/payout-batches/${batchId}/file`)).body;

test.each([
  [
    'ach',
    ACH,
    async (batchId: string) => expect(await fileOf(batchId)).toMatch(/^622091000019744567899 {8}0000004900/m),
  ],
  ['crypto', BITCOIN, async (batchId: string) => expect(await fileOf(batchId)).toContain('"49.00","BTC"')],
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
    const { id, affiliate } = await approved(details);
    const withheld = await balanceOf(app.ctx.db, 'rev:payout_fee');
    const waiting = (await operator.inject('GET', '/api/admin/payout-rails')).json().data;
    expect(waiting).toContainEqual({ rail, isSetUp: true, count: 1, net: 49, held: 0 });
    const batch = (
      await operator.inject('POST', '/api/admin/payout-batches', { rail }, { 'idempotency-key': randomUUID() })
    ).json();
    expect(batch).toMatchObject({ count: 1, net: 49 });
    await requireSent(batch.id);
    const left = () =>
      Promise.all([`liab:payout_clearing:${rail}`, 'rev:payout_fee'].map((code) => balanceOf(app.ctx.db, code)));
    expect(await left()).toEqual([4_900, withheld + 100]);
    if (rail === 'paypal') {
      service.tell(id, 'SUCCESS');
      await chase(app.ctx);
    } else {
      const onChain = { step: 'broadcast', reference: '4a'.repeat(32) };
      for (const step of [...(rail === 'crypto' ? [onChain] : []), { step: 'paid' }]) {
        const answer = await operator.inject('POST', `/api/admin/payouts/${id}/transfer`, { ...step, ground });
        expect(answer.statusCode, answer.body).toBe(200);
      }
    }
    expect(await left()).toEqual([0, withheld + 100]);
    expect(await balanceOf(app.ctx.db, account.affiliateAvailable(affiliate.id))).toBe(0);
    await requireCleanBooks(app);
  },
);

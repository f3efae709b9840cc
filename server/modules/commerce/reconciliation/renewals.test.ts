import { describe, expect, test } from 'vitest';
import { createId } from '../../../platform/ids.ts';
import { formatArizonaTime } from '../ccbill/index.ts';
import { createProcessorId, postWebhook } from '../ccbill/testing.ts';
import { HOUR_MS, setUpReconciliationTest } from './testing.ts';

const books = setUpReconciliationTest();

describe('renewals of a subscription', () => {
  const start = async () => {
    const { deposit, saleId } = await books.createPaidDeposit();
    const at = books.app.clock.now();
    const paymentId = createId(books.app.clock);
    const money = { amount_cents: 5_000, fee_cents: 100, payable_cents: 5_100, period_days: 30 };
    await books.app.owner.query
      .insertInto('recurring_payments')
      .values({
        ...{ id: paymentId, fan_id: deposit.fan_id, provider: 'ccbill', ...money, created_at: at },
        processor_subscription_id: saleId,
        confirmed_renewals: 9,
      })
      .execute();
    await books.app.owner.query
      .updateTable('deposits')
      .set({ recurring_payment_id: paymentId })
      .where('id', '=', deposit.id)
      .execute();
    return saleId;
  };
  const renew = async (saleId: string) => {
    const { account, subaccount } = books.app.ctx.config.payments;
    await postWebhook(books.app, 'RenewalSuccess', {
      ...{ subscriptionId: saleId, transactionId: createProcessorId() },
      ...{ clientAccnum: account, clientSubacc: subaccount, timestamp: formatArizonaTime(books.app.clock.now()) },
      ...{ billedAmount: '51.00', billedCurrencyCode: '840' },
    });
  };

  test('match when the export has a REBILL row for each', async () => {
    const saleId = await start();
    for (let n = 0; n < 2; n += 1) {
      books.app.clock.advance(HOUR_MS);
      await renew(saleId);
      books.addExportRow('REBILL', saleId, 5_100);
    }
    await books.nextDay();
    expect(await books.loadDifferences()).toEqual([]);
  });

  test('are reported as differences when one side has no record of them', async () => {
    const [missingHere, missingThere] = [await start(), await start()];
    books.addExportRow('REBILL', missingHere, 5_100);
    await renew(missingThere);
    for (let n = 0; n < 9; n += 1) await books.nextDay();
    const differences = await books.loadDifferences();
    expect(differences.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toMatchObject([
      { kind: 'saleDiffers', key: missingHere, theirs: 10_200, ours: 5_100 },
      { kind: 'saleDiffers', key: missingThere, theirs: 5_100, ours: 10_200 },
    ]);
  });
});

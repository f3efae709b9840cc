import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { chargeFanNow, refundSale } from './index.ts';
import { createTipCharge, createUnlockCharge, NOON, runRefund } from './testing.ts';

const money = setUpMoneyTest();
const refund = (saleId: string, grossCents?: number) => runRefund(money.db, saleId, grossCents);

describe('a refund of a sale', () => {
  it('emits sale.refunded with what was refunded and what the creator keeps', async () => {
    const [fan, creator, post] = [await money.fan(5_000), await money.creator(), randomUUID()];
    const sale = await chargeFanNow(money.db, createUnlockCharge(fan, creator, post, 1_000));
    const [part, rest] = [await refund(sale.transactionId, 250), await refund(sale.transactionId)];
    const { rows } = await money.db.pool.query<{ payload: Record<string, unknown> }>(
      "select payload from outbox where type = 'sale.refunded' and payload ->> 'fanId' = $1 order by id",
      [fan],
    );
    const shared = { transactionId: sale.transactionId, kind: 'post', fanId: fan, creatorId: creator, subjectId: post };
    expect(rows.map(({ payload }) => payload)).toEqual([
      expect.objectContaining({
        ...shared,
        refundId: part.refundId,
        refundedCents: 250,
        netCents: 600,
        isWhole: false,
      }),
      expect.objectContaining({ ...shared, refundId: rest.refundId, refundedCents: 750, netCents: 0, isWhole: true }),
    ]);
    expect(rows.map(({ payload }) => payload.balanceCents)).toEqual([4_250, 5_000]);
  });

  it('stores the reason of a refund with its transaction', async () => {
    const [fan, creator] = [await money.fan(500), await money.creator()];
    const { transactionId: saleId } = await chargeFanNow(money.db, createTipCharge(fan, creator, 500));
    const input = { saleId, actorId: creator, operationId: randomUUID(), reason: 'sent twice', at: NOON };
    const { refundId } = await money.db.transaction((tx) => refundSale(tx, input));
    const { rows } = await money.db.pool.query('select metadata from ledger_transactions where id = $1', [refundId]);
    expect(rows[0]?.metadata).toMatchObject({ reason: 'sent twice' });
  });
});

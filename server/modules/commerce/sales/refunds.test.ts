import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { waitForBlockedQueries } from '../../../testing/locks.ts';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account, clearDue, getBalance, lockAccounts } from '../../ledger/ledger/index.ts';
import { chargeFanNow, refundSale, startCommission } from './index.ts';
import { addDays, createTipCharge, createUnlockCharge, NOON, runRefund } from './testing.ts';

const money = setUpMoneyTest();
const refund = (saleId: string, grossCents?: number) => runRefund(money.db, saleId, grossCents);
const startReferral = (userId: string, affiliateId: string) =>
  money.db.transaction((tx) =>
    startCommission(tx, { userId, affiliateId, basisPoints: 500, from: NOON, until: addDays(365) }),
  );

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

  it('of a part leaves a post unlocked, and of the rest locks it again', async () => {
    const [fan, creator, post] = [await money.fan(5_000), await money.creator(), randomUUID()];
    const unlock = () => chargeFanNow(money.db, createUnlockCharge(fan, creator, post, 1_000));
    const { transactionId } = await unlock();
    await refund(transactionId, 400);
    expect(await unlock()).toMatchObject({ outcome: 'owned', transactionId });
    await refund(transactionId);
    expect(await unlock()).toMatchObject({ outcome: 'made' });
  });

  it('is refused with a message when nothing is left', async () => {
    const [fan, creator] = [await money.fan(500), await money.creator()];
    const { transactionId } = await chargeFanNow(money.db, createTipCharge(fan, creator, 500));
    expect(await refund(transactionId)).toMatchObject({ isReplayed: false, isWhole: true });
    await expect(refund(transactionId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Nothing is left to refund.',
    });
  });

  it('reverses commission in proportion and only once when the refund is repeated', async () => {
    const [fan, creator, affiliateId] = [await money.fan(1_000), await money.creator(), randomUUID()];
    await startReferral(fan, affiliateId);
    const { transactionId: saleId } = await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000));
    const part = { saleId, grossCents: 250, actorId: creator, operationId: randomUUID(), at: NOON };
    const rest = { saleId, actorId: creator, operationId: randomUUID(), at: NOON };
    for (const [input, isWhole, pendingCents] of [
      [part, false, 37],
      [rest, true, 0],
    ] as const) {
      const run = () => money.db.transaction((tx) => refundSale(tx, input));
      const first = await run();
      expect(first).toMatchObject({ isReplayed: false, isWhole });
      expect(await run()).toEqual({ ...first, isReplayed: true });
      expect(await getBalance(money.db, account.affiliatePending(affiliateId))).toBe(pendingCents);
    }
  });

  it('locks the affiliate first whom clearing locks first, so that the two never wait for each other', async () => {
    const [lower = '', higher = ''] = [randomUUID(), randomUUID()].sort();
    for (const [ofFan, ofCreator] of [
      [lower, higher],
      [higher, lower],
    ] as const) {
      const [fan, creator] = [await money.fan(2_000), await money.creator()];
      await startReferral(fan, ofFan);
      await startReferral(creator, ofCreator);
      const { transactionId } = await chargeFanNow(money.db, createTipCharge(fan, creator, 2_000));
      await clearDue(money.db, addDays(7));
      const refunds: Promise<unknown>[] = [];
      await money.db.transaction(async (tx) => {
        await lockAccounts(tx, [account.affiliateAvailable(lower)]);
        refunds.push(refund(transactionId));
        await waitForBlockedQueries(money);
        const isFree = sql<{ id: number }>`select id from ledger_accounts
          where code = ${account.affiliateAvailable(higher)} for update nowait`;
        expect((await isFree.execute(tx.query)).rows).toHaveLength(1);
      });
      await Promise.all(refunds);
    }
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { reverseDeposit } from '../../ledger/ledger/index.ts';
import {
  chargeFanNow,
  endCommissions,
  getCommissionRates,
  getCommissionTotals,
  reverseUnpaidCommissions,
  startCommission,
  sumCommissionsByUser,
} from './index.ts';
import { addDays, createTipCharge, NOON, runRefund } from './testing.ts';

const money = setUpMoneyTest();

const startReferral = (userId: string, affiliateId: string, basisPoints: number) =>
  money.db.transaction((tx) =>
    startCommission(tx, { userId, affiliateId, basisPoints, from: NOON, until: addDays(365) }),
  );
const sell = (fanId: string, creatorId: string, cents: number, at = NOON) =>
  chargeFanNow(money.db, createTipCharge(fanId, creatorId, cents, { at }));
const addSeconds = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000);

describe('commission of an affiliate', () => {
  it('ends one minute after it is ended, for this affiliate alone, and a second end does not extend it', async () => {
    const [fan, other, creator] = [await money.fan(10_000), await money.fan(10_000), await money.creator()];
    const [ended, active] = [randomUUID(), randomUUID()];
    await startReferral(fan, ended, 500);
    await startReferral(other, active, 500);
    await endCommissions(money.db, ended, NOON);
    await endCommissions(money.db, ended, addDays(1));
    const earned = async (affiliateId: string) =>
      (await getCommissionTotals(money.db, affiliateId)).customer.earnedCents;
    await sell(fan, creator, 1_000, addSeconds(59.999));
    expect(await earned(ended)).toBe(50);
    await sell(fan, creator, 1_000, addSeconds(60));
    await sell(other, creator, 1_000, addSeconds(60));
    expect([await earned(ended), await earned(active)]).toEqual([50, 50]);
  });

  it('is listed by referred user: their rate in percent, and what they earned the affiliate without reversals', async () => {
    const [fan, creator, stranger] = [await money.fan(10_000), await money.creator(), await money.fan()];
    const [affiliate, another] = [randomUUID(), randomUUID()];
    await startReferral(fan, affiliate, 750);
    await startReferral(creator, another, 500);
    await sell(fan, creator, 2_000);
    const refunded = await sell(fan, creator, 1_000);
    await runRefund(money.db, refunded.transactionId);
    const users = [fan, creator, stranger];
    expect(await getCommissionRates(money.db, affiliate, users)).toEqual(new Map([[fan, 7.5]]));
    expect(await sumCommissionsByUser(money.db, affiliate, users)).toEqual(new Map([[fan, 150]]));
    expect(await sumCommissionsByUser(money.db, another, users)).toEqual(new Map([[creator, 100]]));
    expect(await sumCommissionsByUser(money.db, affiliate, [stranger])).toEqual(new Map());
  });

  it('is 0 in all totals of an affiliate without sales', async () => {
    const none = { earnedCents: 0, pendingCents: 0 };
    expect(await getCommissionTotals(money.db, randomUUID())).toEqual({ customer: none, creator: none });
  });

  it('is reversed when a deposit is reversed that the wallet cannot cover, from the newest sale on', async () => {
    const [fan, creator, affiliate, ofCreator] = [await money.fan(), await money.creator(), randomUUID(), randomUUID()];
    const deposit = await money.deposit(fan, 2_000);
    await startReferral(fan, affiliate, 500);
    await startReferral(creator, ofCreator, 500);
    for (const day of [0, 1]) await sell(fan, creator, 1_000, addDays(day));
    const reverse = (cents: number) =>
      money.db.transaction(async (tx) => {
        const event = { provider: 'ccbill', ref: randomUUID(), eventKey: randomUUID() };
        await reverseDeposit(tx, {
          ...{ depositTransactionId: deposit, kind: 'chargeback', cardCents: cents, at: addDays(2), ...event },
        });
        await reverseUnpaidCommissions(tx, { fanId: fan, cents, at: addDays(2) });
      });
    const listEarned = async () => [
      (await getCommissionTotals(money.db, affiliate)).customer.earnedCents,
      (await getCommissionTotals(money.db, ofCreator)).creator.earnedCents,
    ];
    expect(await listEarned()).toEqual([100, 100]);
    await reverse(600);
    expect(await listEarned()).toEqual([70, 70]);
    await reverse(900);
    expect(await listEarned()).toEqual([25, 25]);
  });
});

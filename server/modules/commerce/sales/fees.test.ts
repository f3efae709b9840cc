import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { waitForBlockedQueries } from '../../../testing/locks.ts';
import { setUpMoneyTest } from '../../../testing/money.ts';
import {
  type CustomFeeTerms,
  chargeFanNow,
  findCustomFee,
  findLowestCustomFee,
  getSalesSettings,
  listCustomFees,
  lockFees,
  setCreatorFee,
  updateSalesSettings,
} from './index.ts';
import { addDays, createTipCharge, NOON } from './testing.ts';

const money = setUpMoneyTest();
const setFee = (creatorId: string, fee: CustomFeeTerms) =>
  money.db.transaction((tx) => setCreatorFee(tx, creatorId, fee));

it('custom fees are listed in pages, and the lowest one that is not over yet is found', async () => {
  expect(await listCustomFees(money.db, { limit: 5, skip: 0 })).toEqual({ fees: [], total: 0 });
  expect(await findLowestCustomFee(money.db, NOON)).toBeUndefined();
  expect(await findCustomFee(money.db, randomUUID())).toBeUndefined();

  const signedUpAt = addDays(-10);
  const creators = [await money.creator(signedUpAt), await money.creator(signedUpAt), await money.creator(signedUpAt)];
  const [general = '', offer = '', standard = ''] = creators;
  await setFee(general, { generalPercent: 12.5, offerPercent: null, offerUntil: null });
  await setFee(offer, { generalPercent: null, offerPercent: 5, offerFrom: addDays(1), offerUntil: addDays(30) });
  await setFee(standard, { generalPercent: null, offerPercent: null, offerUntil: null });

  const ofGeneral = { creatorId: general, generalPercent: 12.5, offerPercent: 10, offerFrom: null, offerUntil: null };
  const ofOffer = {
    ...{ creatorId: offer, generalPercent: null, offerPercent: 5 },
    ...{ offerFrom: addDays(1), offerUntil: addDays(30) },
  };
  expect(await findCustomFee(money.db, general)).toEqual(ofGeneral);
  const all = general > offer ? [ofGeneral, ofOffer] : [ofOffer, ofGeneral];
  expect(await listCustomFees(money.db, { limit: 5, skip: 0 })).toEqual({ fees: all, total: 2 });
  expect(await listCustomFees(money.db, { limit: 1, skip: 1 })).toEqual({ fees: all.slice(1), total: 2 });
  expect(await findLowestCustomFee(money.db, NOON)).toBe(5);
  expect(await findLowestCustomFee(money.db, addDays(30))).toBe(12.5);
});

it('two changes of the settings run one after the other', async () => {
  const changes: Promise<void>[] = [];
  const seen: number[] = [];
  await money.db.transaction(async (tx) => {
    await lockFees(tx);
    changes.push(
      money.db.transaction(async (other) => {
        await lockFees(other);
        seen.push((await getSalesSettings(other)).generalPercent);
      }),
    );
    await waitForBlockedQueries(money);
    await updateSalesSettings(tx, { generalPercent: 18 });
  });
  await Promise.all(changes);
  expect(seen).toEqual([18]);
});

it('the promotional fee applies from its first moment until its end, and only while it is lower', async () => {
  const [fan, creator] = [await money.fan(10_000), await money.creator(addDays(-1))];
  const chargeAt = async (at: Date) =>
    (await chargeFanNow(money.db, createTipCharge(fan, creator, 1_000, { at }))).feePercent;
  await setFee(creator, { generalPercent: 15, offerPercent: 5, offerFrom: addDays(1), offerUntil: addDays(2) });
  const justBefore = (at: Date) => new Date(at.getTime() - 1);
  expect(await chargeAt(justBefore(addDays(1)))).toBe(15);
  expect(await chargeAt(addDays(1))).toBe(5);
  expect(await chargeAt(justBefore(addDays(2)))).toBe(5);
  expect(await chargeAt(addDays(2))).toBe(15);
  await setFee(creator, { generalPercent: 4, offerPercent: 5, offerFrom: addDays(3), offerUntil: addDays(4) });
  expect(await chargeAt(addDays(3))).toBe(4);
});

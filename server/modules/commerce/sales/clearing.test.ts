import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account, clearDue, getBalance } from '../../ledger/ledger/index.ts';
import { captureFunds, chargeFanNow, findSale, holdFunds, setCreatorFee } from './index.ts';
import { addDays, createTipCharge, NOON, runRefund } from './testing.ts';

const money = setUpMoneyTest();
const available = (creatorId: string) => getBalance(money.db, account.available(creatorId));

it('clearing in small steps clears everything that is due and returns how much it cleared', async () => {
  const fan = await money.fan(20_000);
  const creators = [await money.creator(), await money.creator(), await money.creator()];
  for (const creator of creators)
    for (const cents of [1_000, 500]) await chargeFanNow(money.db, createTipCharge(fan, creator, cents));
  await chargeFanNow(money.db, createTipCharge(fan, creators[0] ?? '', 2_000, { at: addDays(1) }));
  expect(await clearDue(money.db, addDays(7), 2)).toBe(6);
  expect(await Promise.all(creators.map(available))).toEqual([1_200, 1_200, 1_200]);
  expect(await clearDue(money.db, addDays(7), 2)).toBe(0);
  expect(await clearDue(money.db, addDays(8), 1)).toBe(1);
  expect(await available(creators[0] ?? '')).toBe(2_800);
});

it('a call that the platform’s fee uses up clears nothing, and can be refunded before and after', async () => {
  const [fan, creator] = [await money.fan(1_000), await money.creator()];
  const fee = { generalPercent: 100, offerPercent: null, offerUntil: NOON };
  await money.db.transaction((tx) => setCreatorFee(tx, creator, fee));
  const sell = () =>
    money.db.transaction(async (tx) => {
      const hold = { fanId: fan, amountCents: 500, purpose: 'test', operationId: randomUUID() };
      const { id } = await holdFunds(tx, { ...hold, expiresAt: addDays(1), at: NOON });
      const capture = { kind: 'call', holdId: id, creatorId: creator, subjectId: null, grossCents: 500, at: NOON };
      return (await captureFunds(tx, capture))?.transactionId ?? '';
    });
  const [early, late] = [await sell(), await sell()];
  expect((await findSale(money.db, late))?.netCents).toBe(0);
  await runRefund(money.db, early);
  await clearDue(money.db, addDays(7));
  expect(await available(creator)).toBe(0);
  expect(await runRefund(money.db, late, undefined, addDays(8))).toMatchObject({ grossCents: 500, netCents: 0 });
  expect(await getBalance(money.db, account.wallet(fan))).toBe(1_000);
});

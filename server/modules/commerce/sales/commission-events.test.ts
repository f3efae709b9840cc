import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { chargeFanNow, startCommission } from './index.ts';
import { addDays, createTipCharge, NOON } from './testing.ts';

const money = setUpMoneyTest();

it('a sale emits commission.earned for each affiliate, and nothing when it earns no commission', async () => {
  const [fan, creator, first, second] = [await money.fan(10_000), await money.creator(), randomUUID(), randomUUID()];
  const listEvents = async () => {
    const { rows } = await money.owner.pool.query<{ id: string; cents: number; at: Date; key: string }>(
      `select payload->>'affiliateId' as id, (payload->>'cents')::int as cents, (payload->>'at')::timestamptz as at, payload->>'transactionId' as key
        from outbox where type = 'commission.earned'`,
    );
    return rows;
  };
  await chargeFanNow(money.db, createTipCharge(fan, creator, 2_000, { at: NOON }));
  expect(await listEvents()).toEqual([]);
  for (const [userId, affiliateId] of [
    [fan, first],
    [creator, second],
  ] as const)
    await money.db.transaction((tx) =>
      startCommission(tx, { userId, affiliateId, basisPoints: 500, from: NOON, until: addDays(365) }),
    );
  await chargeFanNow(money.db, createTipCharge(fan, creator, 2_000, { at: NOON }));
  const rows = await listEvents();
  expect(new Set(rows.map(({ id, cents }) => `${id} ${cents}`))).toEqual(new Set([`${first} 100`, `${second} 100`]));
  for (const { at, key } of rows) {
    expect(at).toEqual(NOON);
    const stored = await money.db.query.selectFrom('sales_commissions').select('cents').where('id', '=', key).execute();
    expect(stored).toEqual([{ cents: 100 }]);
  }
});

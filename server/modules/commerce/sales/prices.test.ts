import { DEFAULT_PRICES } from '@stagedoor/contract/shared/prices.ts';
import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { catchErrorCode } from '../../ledger/ledger/testing.ts';
import { listChangedPriceLimits, loadPriceLimits, requirePriceInLimits, savePriceLimits } from './index.ts';

const money = setUpMoneyTest();
const save = async (change: object) => {
  const from = await loadPriceLimits(money.db);
  await money.db.transaction((tx) => savePriceLimits(tx, from, { ...from, ...change }));
};

describe('price limits', () => {
  it('store only the kinds that changed, so that the others follow the defaults of the release', async () => {
    expect(await loadPriceLimits(money.db)).toEqual(DEFAULT_PRICES);
    expect(await listChangedPriceLimits(money.db)).toEqual({});
    await save({ tip: { min: 1, max: 150 } });
    await save({ callRate: { min: 2, max: 50 } });
    const changed = { tip: { min: 1, max: 150 }, callRate: { min: 2, max: 50 } };
    expect(await loadPriceLimits(money.db)).toEqual({ ...DEFAULT_PRICES, ...changed });
    expect(await listChangedPriceLimits(money.db)).toEqual(changed);
    const stored = await money.db.query.selectFrom('sales_price_limits').select('kind').orderBy('kind').execute();
    expect(stored).toEqual([{ kind: 'callRate' }, { kind: 'tip' }]);
    await save({ tip: DEFAULT_PRICES.tip, callRate: DEFAULT_PRICES.callRate });
    expect(await listChangedPriceLimits(money.db)).toEqual({});
  });

  it('allow a price of 0 only where free is allowed', async () => {
    const check = (kind: 'post' | 'tip', cents: number) => catchErrorCode(requirePriceInLimits(money.db, kind, cents));
    expect([await check('post', 0), await check('post', 1), await check('post', 300)]).toEqual([
      undefined,
      'VALIDATION',
      undefined,
    ]);
    expect(await check('tip', 0)).toBe('VALIDATION');
  });

  it('name the field and both limits in a refusal', async () => {
    await expect(requirePriceInLimits(money.db, 'post', 5_001)).rejects.toMatchObject({
      code: 'VALIDATION',
      data: { error: [{ field: 'price', message: 'A paid post costs between $3.00 and $50.00' }] },
    });
    await expect(requirePriceInLimits(money.db, 'callRate', 99, 'audioRate')).rejects.toMatchObject({
      data: { error: [{ field: 'audioRate', message: 'Amount must be between $1.00 and $50.00' }] },
    });
  });
});

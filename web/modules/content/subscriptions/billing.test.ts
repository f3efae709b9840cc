import { type BillingOption, viewedOffer } from '@stagedoor/contract/content/subscription-tiers.ts';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  addPeriod,
  createChargePlan,
  findBestSaving,
  findDiscount,
  findOption,
  findSaving,
  formatDiscount,
  isReminded,
  listPeriods,
  toPeriodKey,
} from './billing.ts';

const month: BillingOption = { recurrence: 'monthaly', count: 1, price: 12 };
const quarter: BillingOption = { recurrence: 'monthaly', count: 3, price: 32.4 };
const week: BillingOption = { recurrence: 'weekly', count: 1, price: 4 };
const year: BillingOption = { recurrence: 'yearly', count: 1, price: 115.2 };

describe('periods', () => {
  it('are those that any tier offers, shortest first', () => {
    const tiers = [{ options: [month, year] }, { options: [week, month, quarter] }];
    expect(listPeriods(tiers).map(toPeriodKey)).toEqual(['week', 'month', '3-months', 'year']);
  });

  it('fall back to the month, and then to the shortest, where a tier doesn’t offer the period', () => {
    expect(findOption({ options: [week, month] }, 'year')).toBe(month);
    expect(findOption({ options: [week, year] }, '3-months')).toBe(week);
    expect(findOption({ options: [] }, 'month')).toBeUndefined();
  });
});

describe('savings', () => {
  it('compare with the monthly price to the cent', () => {
    expect(findSaving(quarter, [month, quarter])).toEqual({ perMonth: 10.8, amount: 3.6, percent: 10 });
    expect(findSaving(year, [month, year])).toEqual({ perMonth: 9.6, amount: 28.8, percent: 20 });
  });

  it('are never claimed without a monthly price, for weeks, or for a higher price', () => {
    expect(findSaving(year, [year])).toBeUndefined();
    expect(findSaving(week, [week, month])).toBeUndefined();
    expect(findSaving({ ...year, price: 144 }, [month])).toBeUndefined();
    expect(findBestSaving([month, week])).toBeUndefined();
  });

  it('name the period that saves most', () => {
    expect(findBestSaving([month, quarter, year])?.option).toBe(year);
  });
});

describe('the next charge', () => {
  it.each([
    ['2027-01-31', month, '2027-02-28'],
    ['2028-01-31', month, '2028-02-29'],
    ['2026-11-30', quarter, '2027-02-28'],
    ['2028-02-29', year, '2029-02-28'],
    ['2026-12-28', week, '2027-01-04'],
  ] as const)('after %s is clamped to the month', (day, option, expected) => {
    expect(addPeriod(day, option)).toBe(expected);
  });

  it('of a trial is at its end, and costs nothing today', () => {
    expect(createChargePlan(month, 7, '2026-11-28')).toEqual({
      today: 0,
      renewal: 12,
      trialDays: 7,
      nextDay: '2026-12-05',
    });
    expect(createChargePlan(month, null, '2026-11-28')).toMatchObject({ today: 12, nextDay: '2026-12-28' });
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  });

  it('has a reminder from $20.00, and every year', () => {
    expect([month, quarter, { ...year, price: 10 }].map(isReminded)).toEqual([false, true, true]);
  });
});

describe('a discount', () => {
  const spring = { code: 'SPRING', percentOff: 50, periods: 3, price: 6 };

  it('is charged from today, and the full price from the day after the last discounted period', () => {
    expect(createChargePlan(month, null, '2026-11-30', spring)).toEqual({
      ...{ today: 6, renewal: 6, trialDays: null, nextDay: '2026-12-30' },
      afterOffer: { price: 12, day: '2027-02-28' },
    });
    expect(createChargePlan(month, null, '2026-11-30', { ...spring, periods: 1 })).toMatchObject({
      ...{ today: 6, renewal: 12, afterOffer: { price: 12, day: '2026-12-30' } },
    });
  });

  it('follows a trial', () => {
    expect(createChargePlan(month, 7, '2026-11-30', { ...spring, periods: 1 })).toMatchObject({
      ...{ today: 0, renewal: 6, nextDay: '2026-12-07', afterOffer: { price: 12, day: '2027-01-07' } },
    });
  });

  it('belongs to the tiers and periods of the offer', () => {
    const offer = viewedOffer.parse({
      ...{ code: 'SPRING', percentOff: 50, periods: 1, audience: 'everyone', endsAt: '2026-12-24T00:00:00.000Z' },
      tiers: [{ id: '01890000-0000-7000-8000-000000000001', options: [{ ...month, price: 6 }] }],
    });
    const [tier] = offer.tiers;
    expect(findDiscount(offer, tier?.id ?? '', month)).toEqual({ ...spring, periods: 1 });
    expect(findDiscount(offer, tier?.id ?? '', year)).toBeUndefined();
    expect(findDiscount(offer, 'other', month)).toBeUndefined();
    expect(findDiscount(null, tier?.id ?? '', month)).toBeUndefined();
    expect([formatDiscount(offer), formatDiscount(spring)]).toEqual([
      '50% off the first payment',
      '50% off the first 3 payments',
    ]);
  });
});

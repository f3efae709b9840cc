import { DEFAULT_PRICES } from '@stagedoor/contract/shared/prices.ts';
import { expect, test } from 'vitest';
import { calculateNet, calculatePrice } from './price-calculation.ts';

const PERCENTS = [0, 10, 12.5, 17.35, 20, 50, 90];

test("the share of a price equals the ledger's, and the price for a share is the lowest possible", () => {
  for (const { min, max } of [
    DEFAULT_PRICES.callRate,
    DEFAULT_PRICES.chatMedia,
    DEFAULT_PRICES.post,
    DEFAULT_PRICES.tip,
  ])
    for (const percent of PERCENTS)
      for (let price = min * 100; price <= max * 100; price += 1) {
        const net = calculateNet(price, percent);
        // Rounds half up, like the SQL function sales_charge().
        if (price - net !== Math.floor((price * Math.round(percent * 100) + 5_000) / 10_000))
          expect([price, percent, net]).toBe('booked');
        const calculatedPrice = calculatePrice(net, percent);
        const isLowest =
          calculateNet(calculatedPrice, percent) >= net &&
          (calculatedPrice === 0 || calculateNet(calculatedPrice - 1, percent) < net);
        if (!isLowest || calculatedPrice > price) expect([price, percent, net, calculatedPrice]).toBe('the least');
      }
  expect([calculatePrice(2_000, 20), calculatePrice(1_000, 10), calculatePrice(0, 20)]).toEqual([2_500, 1_111, 0]);
});

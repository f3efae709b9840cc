import { DEFAULT_PRICES } from '@stagedoor/contract/atoms/prices.ts';
import { expect, test } from 'vitest';
import { netOf, priceFor } from './reckon.ts';

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
        const net = netOf(price, percent);
        // Rounds half up, like the SQL function sales_charge().
        if (price - net !== Math.floor((price * Math.round(percent * 100) + 5_000) / 10_000))
          expect([price, percent, net]).toBe('booked');
        const asked = priceFor(net, percent);
        const isLeast = netOf(asked, percent) >= net && (asked === 0 || netOf(asked - 1, percent) < net);
        if (!isLeast || asked > price) expect([price, percent, net, asked]).toBe('the least');
      }
  expect([priceFor(2_000, 20), priceFor(1_000, 10), priceFor(0, 20)]).toEqual([2_500, 1_111, 0]);
});

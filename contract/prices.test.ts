/** What things may cost, from both sides of each limit, as docs/money.md (8) and the specification promise it: to the cent. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  CLEARING_DAYS,
  CREDIT_PACKAGES,
  CREDIT_PRICE_CENTS,
  CREDIT_VALUE_CENTS,
  CUSTOM_CREDITS,
  DAILY_SPEND_CENTS,
  FEES,
} from './atoms/limits.ts';
import { callSettings } from './calls.ts';
import { messagePrice } from './messages.ts';
import { postPrice } from './posts.ts';
import { tipAmount } from './wallet.ts';

const accepts = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success;

test.each([
  ['a tip', tipAmount, 1, 200, false],
  ['a post', postPrice, 3, 50, true],
  ['a message', messagePrice, 3, 200, true],
  ['a minute of a call', callSettings.shape.videoRate, 1, 50, false],
] as const)('%s', (_, schema, least, most, isFreeToo) => {
  for (const fits of [least, least + 0.01, most - 0.01, most])
    expect([fits, accepts(schema, fits)]).toEqual([fits, true]);
  for (const wrong of [least - 0.01, most + 0.01, -least, 0.001, 1e9, Number.NaN, String(least)])
    expect([wrong, accepts(schema, wrong)]).toEqual([wrong, false]);
  expect(accepts(schema, 0)).toBe(isFreeToo);
});

test('the terms that are not asked for in a call', () => {
  expect({
    dailySpendCents: DAILY_SPEND_CENTS,
    clearingDays: CLEARING_DAYS,
    fees: FEES,
    credits: [CREDIT_PACKAGES, CUSTOM_CREDITS, CREDIT_PRICE_CENTS, CREDIT_VALUE_CENTS],
  }).toEqual({
    dailySpendCents: 50_000,
    clearingDays: 7,
    fees: { generalPercent: 20, offerPercent: 10, offerDays: 90 },
    credits: [[30, 60, 90], { min: 10, max: 90 }, 1020, 1000],
  });
});

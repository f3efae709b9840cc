import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { postPrice } from '../content/posts.ts';
import { sendTip } from '../finance/wallet.ts';
import { callSettings } from '../messaging/calls.ts';
import { messagePrice } from '../messaging/messages.ts';
import {
  CLEARING_DAYS,
  CREDIT_PACKAGES,
  CREDIT_PRICE_CENTS,
  CREDIT_VALUE_CENTS,
  CUSTOM_CREDITS,
  DAILY_SPEND_CENTS,
  DEFAULT_FEES,
} from '../shared/limits.ts';
import { createPriceSchema, DEFAULT_PRICES, formatPriceRule } from '../shared/prices.ts';
import { depositFunds } from './deposits.ts';
import { findPriceLimitsProblem, flattenPriceLimits, priceLimits, toPriceLimits } from './price-limits.ts';

const accepts = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success;

test.each([
  ['a tip', createPriceSchema('tip', DEFAULT_PRICES.tip), 1, 200, false],
  ['a post', createPriceSchema('post', DEFAULT_PRICES.post), 3, 50, true],
  ['a message', createPriceSchema('chatMedia', DEFAULT_PRICES.chatMedia), 3, 200, true],
  ['a minute of a call', createPriceSchema('callRate', DEFAULT_PRICES.callRate), 1, 50, false],
  ['a deposit', createPriceSchema('addFunds', DEFAULT_PRICES.addFunds), 10, 900, false],
] as const)('%s is accepted to the cent between its limits and refused outside', (_, schema, min, max, isFreeToo) => {
  for (const fits of [min, min + 0.01, max - 0.01, max]) expect([fits, accepts(schema, fits)]).toEqual([fits, true]);
  for (const wrong of [min - 0.01, max + 0.01, -min, 0.001, 1e9, Number.NaN, String(min)])
    expect([wrong, accepts(schema, wrong)]).toEqual([wrong, false]);
  expect(accepts(schema, 0)).toBe(isFreeToo);
});

// The server checks the limits in force and returns their message, so the schemas accept other prices.
test.each([
  ['a tip', sendTip.body.shape.amount],
  ['a post', postPrice],
  ['a message', messagePrice],
  ['a minute of a call', callSettings.shape.videoRate],
  ['a deposit', depositFunds.body.shape.amount],
] as const)('%s is accepted by the request schema even outside the price limits', (_, schema) => {
  for (const fits of [0.01, 0.4, 5, 1_000.01]) expect([fits, accepts(schema, fits)]).toEqual([fits, true]);
  for (const wrong of [-1, 0.001, 1e9, Number.NaN, '5'])
    expect([wrong, accepts(schema, wrong)]).toEqual([wrong, false]);
});

test('price limits must be within the bounds for operators', () => {
  const set = (kind: keyof typeof DEFAULT_PRICES, min: number, max: number) => ({
    ...DEFAULT_PRICES,
    [kind]: { min, max },
  });
  expect(accepts(priceLimits, DEFAULT_PRICES)).toBe(true);
  for (const kind of ['tip', 'post', 'chatMedia', 'callRate'] as const) {
    for (const [min, max] of [
      [0.5, 1_000],
      [7.25, 7.25],
    ] as const)
      expect(accepts(priceLimits, set(kind, min, max))).toBe(true);
    for (const [min, max] of [
      [0, 5],
      [0.49, 5],
      [1, 1_000.01],
      [1.005, 5],
      [-1, 5],
    ] as const)
      expect([kind, min, max, accepts(priceLimits, set(kind, min, max))]).toEqual([kind, min, max, false]);
  }
  expect(accepts(priceLimits, set('addFunds', 3, 900))).toBe(true);
  for (const [min, max] of [
    [2, 900],
    [10, 901],
    [10.5, 900],
  ] as const)
    expect([min, max, accepts(priceLimits, set('addFunds', min, max))]).toEqual([min, max, false]);
  expect(findPriceLimitsProblem(set('post', 5, 5))).toBeUndefined();
  expect(findPriceLimitsProblem(set('post', 5, 4.99))).toEqual({
    kind: 'post',
    message: 'Maximum is below minimum, $5.00.',
  });
  expect(toPriceLimits(flattenPriceLimits(set('callRate', 2, 9)))).toEqual(set('callRate', 2, 9));
});

test('an existing price stays valid, and messages name the limits in force', () => {
  const limit = { min: 5, max: 20 };
  const getMessage = (price: number, currentPrice?: number) =>
    z.safeParse(createPriceSchema('post', limit, currentPrice), price).error?.issues[0]?.message;
  expect([getMessage(3, 3), getMessage(0), getMessage(5), getMessage(20)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(getMessage(3, 4)).toBe('A paid post costs between $5.00 and $20.00');
  expect(formatPriceRule('chatMedia', limit)).toBe('A paid message costs between $5.00 and $20.00');
  for (const kind of ['tip', 'callRate', 'addFunds'] as const)
    expect(formatPriceRule(kind, limit)).toBe('Amount must be between $5.00 and $20.00');
});

test('the default fees, clearing days, spending limit and credits match the specification', () => {
  expect({
    dailySpendCents: DAILY_SPEND_CENTS,
    clearingDays: CLEARING_DAYS,
    fees: DEFAULT_FEES,
    credits: [CREDIT_PACKAGES, CUSTOM_CREDITS, CREDIT_PRICE_CENTS, CREDIT_VALUE_CENTS],
  }).toEqual({
    dailySpendCents: 50_000,
    clearingDays: 7,
    fees: { generalPercent: 20, offerPercent: 10, offerDays: 90 },
    credits: [[30, 60, 90], { min: 10, max: 90 }, 1020, 1000],
  });
});

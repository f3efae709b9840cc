/** Price limits set by operators. Existing prices do not change (docs/money.md, rule 8). */
import * as z from 'zod/mini';
import { formatUsd } from './atoms/money.ts';
import { boundedDeposit, boundedPrice, type PriceKind, type PriceLimits } from './atoms/prices.ts';
import { route } from './atoms/route.ts';
import { ground } from './processor-desk.ts';

const wholeDollars = boundedDeposit.check(z.int('Whole dollars'));
const usual = z.object({ min: boundedPrice, max: boundedPrice });

/** USD, inclusive. */
export const priceLimits = z.object({
  tip: usual,
  post: usual,
  chatMedia: usual,
  callRate: usual,
  addFunds: z.object({ min: wholeDollars, max: wholeDollars }),
});

export const PRICE_KINDS = z.keyof(priceLimits).options;
export const PRICE_NAMES = PRICE_KINDS.flatMap((kind) => [`${kind}Min`, `${kind}Max`] as const);
export type PriceName = (typeof PRICE_NAMES)[number];

export function flatPrices({ tip, post, chatMedia, callRate, addFunds }: PriceLimits): Record<PriceName, number> {
  return {
    ...{ tipMin: tip.min, tipMax: tip.max, postMin: post.min, postMax: post.max },
    ...{ chatMediaMin: chatMedia.min, chatMediaMax: chatMedia.max },
    ...{ callRateMin: callRate.min, callRateMax: callRate.max },
    ...{ addFundsMin: addFunds.min, addFundsMax: addFunds.max },
  };
}

export function pricesOf(flat: Readonly<Record<PriceName, number>>): PriceLimits {
  return {
    tip: { min: flat.tipMin, max: flat.tipMax },
    post: { min: flat.postMin, max: flat.postMax },
    chatMedia: { min: flat.chatMediaMin, max: flat.chatMediaMax },
    callRate: { min: flat.callRateMin, max: flat.callRateMax },
    addFunds: { min: flat.addFundsMin, max: flat.addFundsMax },
  };
}

export function pricesProblem(limits: PriceLimits): { kind: PriceKind; message: string } | undefined {
  const kind = PRICE_KINDS.find((one) => limits[one].min > limits[one].max);
  return kind && { kind, message: `Maximum is below minimum, ${formatUsd(limits[kind].min)}.` };
}

export const readPriceLimits = route({
  method: 'GET',
  path: '/admin/price-limits',
  summary: 'Retrieve minimum and maximum prices',
  auth: 'operator',
  rate: 'read',
  response: priceLimits,
});
export const setPriceLimits = route({
  method: 'PUT',
  path: '/admin/price-limits',
  summary: 'Update price limits. Fails with CONFLICT if the values have changed. Existing prices don’t change',
  auth: 'operator',
  rate: 'write',
  body: z.object({ from: priceLimits, to: priceLimits, ground }),
  response: priceLimits,
  errors: ['CONFLICT'],
});

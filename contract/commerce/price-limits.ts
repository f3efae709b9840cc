/** Price limits set by operators. Existing prices do not change (docs/money.md, rule 8). */
import * as z from 'zod/mini';
import { formatUsd } from '../shared/money.ts';
import { boundedDeposit, boundedPrice, type PriceKind, type PriceLimits } from '../shared/prices.ts';

const wholeDollars = boundedDeposit.check(z.int('Whole dollars'));
const priceRange = z.object({ min: boundedPrice, max: boundedPrice });

/** USD, inclusive. */
export const priceLimits = z.object({
  tip: priceRange,
  post: priceRange,
  chatMedia: priceRange,
  callRate: priceRange,
  addFunds: z.object({ min: wholeDollars, max: wholeDollars }),
  subscription: priceRange,
});

export const PRICE_KINDS = z.keyof(priceLimits).options;
export const PRICE_NAMES = PRICE_KINDS.flatMap((kind) => [`${kind}Min`, `${kind}Max`] as const);
export type PriceName = (typeof PRICE_NAMES)[number];

export function flattenPriceLimits({
  tip,
  post,
  chatMedia,
  callRate,
  addFunds,
  subscription,
}: PriceLimits): Record<PriceName, number> {
  return {
    ...{ tipMin: tip.min, tipMax: tip.max, postMin: post.min, postMax: post.max },
    ...{ chatMediaMin: chatMedia.min, chatMediaMax: chatMedia.max },
    ...{ callRateMin: callRate.min, callRateMax: callRate.max },
    ...{ addFundsMin: addFunds.min, addFundsMax: addFunds.max },
    ...{ subscriptionMin: subscription.min, subscriptionMax: subscription.max },
  };
}

export function toPriceLimits(flat: Readonly<Record<PriceName, number>>): PriceLimits {
  return {
    tip: { min: flat.tipMin, max: flat.tipMax },
    post: { min: flat.postMin, max: flat.postMax },
    chatMedia: { min: flat.chatMediaMin, max: flat.chatMediaMax },
    callRate: { min: flat.callRateMin, max: flat.callRateMax },
    addFunds: { min: flat.addFundsMin, max: flat.addFundsMax },
    subscription: { min: flat.subscriptionMin, max: flat.subscriptionMax },
  };
}

export function findPriceLimitsProblem(limits: PriceLimits): { kind: PriceKind; message: string } | undefined {
  const kind = PRICE_KINDS.find((one) => limits[one].min > limits[one].max);
  return kind && { kind, message: `Maximum is below minimum, ${formatUsd(limits[kind].min)}.` };
}

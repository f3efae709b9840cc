/** The fees, limits and periods that public pages show (row B8). */
import * as z from 'zod/mini';
import { priceLimits } from '../commerce/price-limits.ts';
import { usd } from '../shared/money.ts';
import { route } from '../shared/route.ts';

/** Marks a response that depends on operator settings. Pages with it are cached until those change. */
export const dependsOnSettings = z.literal(true);

export const getPlatformTerms = route({
  method: 'GET',
  path: '/public/terms',
  summary: 'Retrieve the current platform fees, limits and periods',
  auth: 'public',
  rate: 'read',
  response: z.object({
    dependsOnSettings,
    generalFee: z.number(),
    offerFee: z.number(),
    offerDays: z.number(),
    clearingDays: z.number(),
    dailySpend: usd,
    payoutMinimum: usd,
    cryptoMinimum: usd,
    coolingHours: z.number(),
    /** Percent for the affiliate of the creator, or of the fan. */
    creatorReferralPercent: z.number(),
    customerReferralPercent: z.number(),
    referralMonths: z.number(),
    referralMinimum: usd,
    referralFee: z.number(),
    referralMoveFee: z.number(),
    prices: priceLimits,
    trialDaysMax: z.number(),
    /** Days from a failed renewal until the subscription ends, rounded up. */
    renewalGraceDays: z.number(),
    /** After a charge for a subscription, if nothing was opened since. 0: never. */
    subscriptionRefundHours: z.number(),
    /** ⚙ Whether creators publish only once they are verified. Otherwise free posts need no verification. */
    isVerificationRequiredToPost: z.boolean(),
  }),
});

/** Null if there is no lower fee for new creators. */
export function findNewCreatorOffer(terms: { generalFee: number; offerFee: number; offerDays: number }) {
  const { generalFee, offerFee, offerDays } = terms;
  return offerDays > 0 && offerFee < generalFee ? { fee: offerFee, days: offerDays } : null;
}

/** Fees in the admin console (docs/money.md, rules 6 to 8). Existing sales keep their terms. */
import * as z from 'zod/mini';
import { day } from '../shared/days.ts';
import { userId } from '../shared/ids.ts';
import { inputUsd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { auditEntry } from './audit-log.ts';
import { reason } from './processor-webhooks.ts';

export const feePercent = z.number().check(
  z.gte(0, 'A percentage from 0 to 50'),
  z.lte(50, 'A percentage from 0 to 50'),
  z.refine((percent) => Math.abs(percent * 100 - Math.round(percent * 100)) < 1e-6, 'At most two decimals'),
);
const createIntegerSchema = (min: number, max: number, message: string) =>
  z.number().check(z.int(message), z.gte(min, message), z.lte(max, message));

export const platformFees = z.object({
  generalFee: feePercent,
  offerFee: feePercent,
  offerDays: createIntegerSchema(0, 730, 'Whole days from 0 to 730'),
  clearingDays: createIntegerSchema(0, 90, 'Whole days from 0 to 90'),
  dailySpend: inputUsd.check(z.gt(0, 'Please enter amount'), z.lte(1_000_000, 'At most $1,000,000.00')),
  /** Percent of the gross for the affiliates of the sale's fan and creator. */
  customerShare: feePercent,
  creatorShare: feePercent,
  shareMonths: createIntegerSchema(1, 120, 'Whole months from 1 to 120'),
  moveMinimum: inputUsd.check(z.gt(0, 'Please enter amount'), z.lte(1_000_000, 'At most $1,000,000.00')),
  moveFee: feePercent,
});
export type PlatformFees = z.infer<typeof platformFees>;
export type FeeName = keyof PlatformFees;

const formatPercent = (percent: number) => `${percent}%`;

/** The first field that conflicts with the others. `lowestCustomFee` is the lowest custom fee of a creator. */
export function findFeesProblem(
  fees: PlatformFees,
  lowestCustomFee?: number,
): { field: FeeName; message: string } | undefined {
  const { generalFee, offerFee, customerShare, creatorShare } = fees;
  if (offerFee > generalFee)
    return { field: 'offerFee', message: `The offer can’t be above the standard fee of ${formatPercent(generalFee)}.` };
  const shares = Math.round((customerShare + creatorShare) * 100) / 100;
  const fee = Math.min(generalFee, offerFee);
  if (shares > fee)
    return {
      field: customerShare > fee ? 'customerShare' : 'creatorShare',
      message: `The commissions add up to ${formatPercent(shares)}, more than the fee of ${formatPercent(fee)} that pays for them.`,
    };
  const share = Math.max(customerShare, creatorShare);
  if (lowestCustomFee !== undefined && share > lowestCustomFee)
    return {
      field: customerShare === share ? 'customerShare' : 'creatorShare',
      message: `A creator has a custom fee of ${formatPercent(lowestCustomFee)}. A commission can’t be above it.`,
    };
  return undefined;
}

export const getPlatformFees = route({
  method: 'GET',
  path: '/admin/fees',
  summary: 'Retrieve platform fees, affiliate commissions, the clearing period and the daily spending limit',
  auth: 'operator',
  rate: 'read',
  response: platformFees,
});
export const updatePlatformFees = route({
  method: 'PUT',
  path: '/admin/fees',
  summary:
    'Update platform fees. Fails with CONFLICT if the values have changed. A shorter clearing period or a higher spending limit needs a second approval',
  auth: 'operator',
  rate: 'write',
  body: z.object({ from: platformFees, to: platformFees, reason }),
  response: platformFees,
  errors: ['CONFLICT'],
});

/** UTC days, inclusive. If `firstDay` is null, it has started. */
export const feeOffer = z.object({
  fee: feePercent,
  firstDay: z.nullable(day),
  lastDay: day,
});
/** Null means the general fee. A custom offer replaces the one for new creators. */
export const customFee = z.object({ generalFee: z.nullable(feePercent), offer: z.nullable(feeOffer) });
export type CustomFee = z.infer<typeof customFee>;

/** `today` is in UTC. */
export function findCustomFeeProblem(
  { generalFee, offer }: CustomFee,
  platform: PlatformFees,
  today: string,
): { field: 'generalFee' | 'offer.fee' | 'offer.firstDay' | 'offer.lastDay'; message: string } | undefined {
  const share = Math.max(platform.customerShare, platform.creatorShare);
  const belowShareMessage = `Referral commissions go up to ${formatPercent(share)}. A fee can’t be below that.`;
  if (generalFee !== null && generalFee < share) return { field: 'generalFee', message: belowShareMessage };
  if (offer === null) return undefined;
  const standard = generalFee ?? platform.generalFee;
  if (offer.fee < share) return { field: 'offer.fee', message: belowShareMessage };
  if (offer.fee > standard)
    return {
      field: 'offer.fee',
      message: `The offer can’t be above their standard fee of ${formatPercent(standard)}.`,
    };
  if (offer.firstDay !== null && offer.firstDay > offer.lastDay)
    return { field: 'offer.lastDay', message: 'End date is before start date.' };
  if (offer.lastDay < today) return { field: 'offer.lastDay', message: 'This date is in the past.' };
  return undefined;
}

export const creatorFee = z.object({
  creator: z.object({ id: userId, username: z.string(), name: z.string() }),
  custom: customFee,
  effectiveFee: z.number(),
});
export type CreatorFee = z.infer<typeof creatorFee>;
export const listCreatorFees = route({
  method: 'GET',
  path: '/admin/creator-fees',
  summary: 'List creators with a custom fee, or search for any creator',
  auth: 'operator',
  rate: 'read',
  query: z.object({
    limit,
    offset,
    search: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(254))),
  }),
  response: toPageSchema(creatorFee),
});
export const updateCreatorFee = route({
  method: 'PUT',
  path: '/admin/creator-fees/:id',
  summary: 'Set or remove a creator’s custom fee. Existing sales keep their terms',
  auth: 'operator',
  rate: 'write',
  params: z.object({ id: userId }),
  body: z.object({ from: customFee, to: customFee, reason }),
  response: creatorFee,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const FEE_CHANGES = ['fees', 'prices', 'payouts', 'subscriptions'] as const;
export const listFeeChanges = route({
  method: 'GET',
  path: '/admin/fee-changes',
  summary: 'List changes to fees, price limits, payout or subscription settings from the audit log, newest first',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset, group: z.enum(FEE_CHANGES) }),
  response: toPageSchema(auditEntry),
});

/** The affiliate programme (section H of the specification). */
import * as z from 'zod/mini';
import { SORT_ORDERS } from '../content/follows.ts';
import { day } from '../shared/days.ts';
import { instant, payoutMethodId, transactionId, userId, withdrawalId } from '../shared/ids.ts';
import { balanceFields, inputUsd, usd } from '../shared/money.ts';
import { limit } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { PAYOUT_STATES } from './payouts.ts';

export const REFERRED_TYPES = ['customer', 'creator'] as const;
export type ReferredType = (typeof REFERRED_TYPES)[number];

export const affiliateCode = z.string().check(z.regex(/^[A-Za-z0-9]{4,40}$/, 'Invalid code'));

export const getAffiliateCode = route({
  method: 'GET',
  path: '/affiliate/code',
  summary: 'Retrieve your referral code, link and QR code',
  auth: 'session',
  rate: 'read',
  response: z.object({
    affiliateId: userId,
    code: z.string(),
    link: z.string(),
    /** SVG without scripts or external references, dark on light. */
    qrSvg: z.string(),
  }),
  errors: ['FORBIDDEN'],
});

const side = z.object({
  /** Commissions of refunded sales are not included. */
  totalEarnings: usd,
  totalClaimed: usd,
  /** Percent of the gross for users who are referred from now on. */
  pr: z.number(),
  userCount: z.number(),
  /**
   * totalEarnings − totalClaimed − requestedAmount − pending. If refunds make one side negative, the other side covers
   * it.
   */
  eligibleBalance: usd,
  requestedAmount: usd,
  pending: usd,
});
export type AffiliateSide = z.infer<typeof side>;
/** Minimum withdrawal in USD, and the fee in percent. */
const fee = { minAmount: usd, feePr: z.number() };
export const affiliateTotals = z.object({
  creator: side,
  customer: side,
  platformFee: z.object({ ...fee, internal: z.object(fee) }),
  affiliateId: z.nullable(userId),
  code: z.string(),
  eligibleBalance: usd,
  /** Commission that was reversed after its withdrawal. Newly cleared commission pays it first. */
  owed: usd,
  months: z.number(),
});
export type AffiliateTotals = z.infer<typeof affiliateTotals>;
export const getAffiliateTotals = route({
  method: 'GET',
  path: '/affiliate/total-earning',
  summary: 'Retrieve your affiliate earnings and withdrawable balance',
  auth: 'session',
  rate: 'read',
  response: affiliateTotals,
  errors: ['FORBIDDEN'],
});

const EMPTY_SIDE: AffiliateSide = {
  totalEarnings: 0,
  totalClaimed: 0,
  pr: 0,
  userCount: 0,
  eligibleBalance: 0,
  requestedAmount: 0,
  pending: 0,
};
/** Shown when the totals could not be loaded (row H1). */
export const EMPTY_AFFILIATE_TOTALS: AffiliateTotals = {
  creator: EMPTY_SIDE,
  customer: EMPTY_SIDE,
  platformFee: { minAmount: 0, feePr: 0, internal: { minAmount: 0, feePr: 0 } },
  affiliateId: null,
  code: '',
  eligibleBalance: 0,
  owed: 0,
  months: 0,
};

const listQuery = {
  sortOrderBy: z._default(z.enum(SORT_ORDERS), 'desc'),
  currentPage: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100_000)), 1),
  limit,
  /** Total of an earlier page. The server ignores it and counts again. */
  totalRecords: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000_000))),
  /** Days in UTC, both inclusive. */
  startDate: z.optional(day),
  endDate: z.optional(day),
};
const toAffiliatePageSchema = <T extends z.ZodMiniType>(item: T) =>
  z.object({ data: z.array(item), limit: z.number(), totalCount: z.number() });

export const REFERRAL_STATUSES = ['invited', 'underReview', 'approved'] as const;
export const referral = z.object({
  id: userId,
  name: z.string(),
  avatarUrl: z.nullable(z.string()),
  referredType: z.enum(REFERRED_TYPES),
  status: z.enum(REFERRAL_STATUSES),
  createdAt: instant,
  approvedAt: z.nullable(instant),
  endsAt: z.nullable(instant),
  /** Percent of the gross, fixed at approval. Null before approval. */
  pr: z.nullable(z.number()),
  totalEarnings: usd,
  href: z.nullable(z.string()),
});
export type Referral = z.infer<typeof referral>;
export const REFERRAL_SORT_KEYS = ['createdAt', 'approvedAt', 'name'] as const;
export const listReferrals = route({
  method: 'GET',
  path: '/affiliate/referral-list/:id',
  summary: 'List your referrals; `id` must be your `affiliateId`',
  auth: 'session',
  rate: 'read',
  params: z.object({ id: userId }),
  query: z.object({
    sortByKey: z._default(z.enum(REFERRAL_SORT_KEYS), 'createdAt'),
    ...listQuery,
    status: z.optional(z.enum(REFERRAL_STATUSES)),
    referredType: z.optional(z.enum(REFERRED_TYPES)),
  }),
  response: toAffiliatePageSchema(referral),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

export const withdrawal = z.object({
  id: withdrawalId,
  type: z.enum(['balance', 'payout']),
  status: z.enum(PAYOUT_STATES),
  createdAt: instant,
  updatedAt: instant,
  amount: usd,
  fee: usd,
  /** amount − fee */
  net: usd,
});
export type Withdrawal = z.infer<typeof withdrawal>;
export const WITHDRAWAL_SORT_KEYS = ['createdAt', 'amount'] as const;
export const listWithdrawals = route({
  method: 'GET',
  path: '/affiliate/withdrawal-list',
  summary: 'List affiliate withdrawals, including pending ones',
  auth: 'session',
  rate: 'read',
  query: z.object({
    sortByKey: z._default(z.enum(WITHDRAWAL_SORT_KEYS), 'createdAt'),
    ...listQuery,
    status: z.optional(z.enum(PAYOUT_STATES)),
  }),
  response: toAffiliatePageSchema(withdrawal),
  errors: ['FORBIDDEN'],
});
export const getWithdrawal = route({
  method: 'GET',
  path: '/affiliate/withdrawal-detail/:id',
  summary: 'Retrieve an affiliate withdrawal',
  auth: 'session',
  rate: 'read',
  params: z.object({ id: withdrawalId }),
  response: z.object({ ...withdrawal.shape, creatorAmount: usd, customerAmount: usd, canCancel: z.boolean() }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

export const requestWithdrawal = route({
  method: 'POST',
  path: '/affiliate/withdraw',
  summary: 'Request a payout of affiliate earnings; a fee is deducted',
  auth: 'session',
  rate: 'money',
  idempotent: true,
  body: z.object({ amount: inputUsd, methodId: payoutMethodId }),
  response: z.object({ message: z.string(), id: withdrawalId }),
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'INSUFFICIENT_FUNDS', 'account_blocked'],
});
export const cancelWithdrawal = route({
  method: 'POST',
  path: '/affiliate/withdrawal-cancel/:id',
  summary: 'Cancel an affiliate withdrawal before it is approved',
  auth: 'session',
  rate: 'write',
  params: z.object({ id: withdrawalId }),
  response: z.object({ info: z.string() }),
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
});

/** The spelling is the customer's (row H3). */
export const depositReferralEarnings = route({
  method: 'POST',
  path: '/customer/deposite-fund-from-refer/:id',
  summary: 'Move affiliate earnings to your balance; `id` must be your `affiliateId`',
  auth: 'customer',
  rate: 'money',
  idempotent: true,
  params: z.object({ id: userId }),
  body: z.object({ amount: inputUsd }),
  response: z.object({ message: z.string(), transactionId, ...balanceFields }),
  errors: ['NOT_FOUND', 'INSUFFICIENT_FUNDS', 'CONFLICT'],
});

export const getReferralInvitation = route({
  method: 'GET',
  path: '/affiliate/invitation/:code',
  summary: 'Retrieve the name and avatar behind a referral code',
  auth: 'public',
  rate: 'read',
  params: z.object({ code: affiliateCode }),
  response: z.object({ code: z.string(), name: z.string(), avatarUrl: z.nullable(z.string()) }),
  errors: ['NOT_FOUND'],
});

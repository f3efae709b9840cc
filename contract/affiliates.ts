/** The affiliate programme: one's code, who came by it, what that earned, and where it went (section H of the rows). */
import * as z from 'zod/mini';
import { day } from './atoms/days.ts';
import { instant, payoutMethodId, transactionId, userId, withdrawalId } from './atoms/ids.ts';
import { askedUsd, balance, usd } from './atoms/money.ts';
import { limit } from './atoms/paging.ts';
import { route } from './atoms/route.ts';
import { SORT_ORDERS } from './follows.ts';
import { PAYOUT_STATES } from './payouts.ts';

/** The two groups of people who may be brought in, as sign-up names them. */
export const REFERRED_TYPES = ['customer', 'creator'] as const;
export type ReferredType = (typeof REFERRED_TYPES)[number];

/** A code as links carry it; typed ones may be in any case. */
export const affiliateCode = z.string().check(z.regex(/^[A-Za-z0-9]{4,40}$/, 'Invalid code'));

export const getAffiliateCode = route({
  method: 'GET',
  path: '/affiliate/code',
  summary: 'The own code, its link, and the link as a QR code',
  auth: 'session',
  rate: 'read',
  response: z.object({
    affiliateId: userId,
    code: z.string(),
    link: z.string(),
    /** SVG without script or reference, dark on light. */
    qrSvg: z.string(),
  }),
  errors: ['FORBIDDEN'],
});

const side = z.object({
  /** Of what was not given back. */
  totalEarnings: usd,
  /** Moved into the balance, or paid out. */
  totalClaimed: usd,
  /** Percent of the gross, for who is brought in from now on. */
  pr: z.number(),
  /** How many of that group came by the code. */
  userCount: z.number(),
  /**
   * totalEarnings − totalClaimed − requestedAmount − pending; where that is below zero, as what was taken was given back, the other
   * side's stands in for it. Both sides together are what may be withdrawn.
   */
  eligibleBalance: usd,
  /** Asked to be paid out, and not paid yet. */
  requestedAmount: usd,
  /** Not cleared yet. */
  pending: usd,
});
export type AffiliateSide = z.infer<typeof side>;
/** What a withdrawal must be at least, and the percent withheld of it. */
const fee = { minAmount: usd, feePr: z.number() };
export const affiliateTotals = z.object({
  creator: side,
  customer: side,
  /** `internal`: the same for the move into the own balance. */
  platformFee: z.object({ ...fee, internal: z.object(fee) }),
  affiliateId: z.nullable(userId),
  code: z.string(),
  /** What may be withdrawn now. */
  eligibleBalance: usd,
  /** Commission taken back after it was withdrawn; what clears next goes there first. */
  owed: usd,
  /** For how long each person's sales earn, in months. */
  months: z.number(),
});
export type AffiliateTotals = z.infer<typeof affiliateTotals>;
export const totalEarning = route({
  method: 'GET',
  path: '/affiliate/total-earning',
  summary: 'What the people of each group earned, and what may be withdrawn',
  auth: 'session',
  rate: 'read',
  response: affiliateTotals,
  errors: ['FORBIDDEN'],
});

const NO_SIDE: AffiliateSide = {
  totalEarnings: 0,
  totalClaimed: 0,
  pr: 0,
  userCount: 0,
  eligibleBalance: 0,
  requestedAmount: 0,
  pending: 0,
};
/** What stands there when the totals could not be loaded (row H1). */
export const NO_TOTALS: AffiliateTotals = {
  creator: NO_SIDE,
  customer: NO_SIDE,
  platformFee: { minAmount: 0, feePr: 0, internal: { minAmount: 0, feePr: 0 } },
  affiliateId: null,
  code: '',
  eligibleBalance: 0,
  owed: 0,
  months: 0,
};

/** The list's filters, by the customer's names. */
const listQuery = {
  sortOrderBy: z._default(z.enum(SORT_ORDERS), 'desc'),
  /** From 1. */
  currentPage: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100_000)), 1),
  limit,
  /** As an earlier page answered it; the list is counted anew. */
  totalRecords: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000_000))),
  /** Days in UTC, both included. */
  startDate: z.optional(day),
  endDate: z.optional(day),
};
const pageOf = <T extends z.ZodMiniType>(item: T) =>
  z.object({ data: z.array(item), limit: z.number(), totalCount: z.number() });

/** A stage of somebody who was brought in; commission begins at `approved`. */
export const REFERRAL_STATUSES = ['invited', 'underReview', 'approved'] as const;
export const referral = z.object({
  id: userId,
  name: z.string(),
  avatarUrl: z.nullable(z.string()),
  referredType: z.enum(REFERRED_TYPES),
  status: z.enum(REFERRAL_STATUSES),
  createdAt: instant,
  approvedAt: z.nullable(instant),
  /** From when on their sales earn nothing more; null before they are approved. */
  endsAt: z.nullable(instant),
  /** Percent of the gross that they earn: as it was when they were approved, whatever it is now; null before. */
  pr: z.nullable(z.number()),
  /** What they earned so far. */
  totalEarnings: usd,
  /** A creator's page. */
  href: z.nullable(z.string()),
});
export type Referral = z.infer<typeof referral>;
export const REFERRAL_SORT_KEYS = ['createdAt', 'approvedAt', 'name'] as const;
export const listReferrals = route({
  method: 'GET',
  path: '/affiliate/referral-list/:id',
  summary: 'Who came by the own code; `id` is the own affiliateId',
  auth: 'session',
  rate: 'read',
  params: z.object({ id: userId }),
  query: z.object({
    sortByKey: z._default(z.enum(REFERRAL_SORT_KEYS), 'createdAt'),
    ...listQuery,
    status: z.optional(z.enum(REFERRAL_STATUSES)),
    referredType: z.optional(z.enum(REFERRED_TYPES)),
  }),
  response: pageOf(referral),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

export const withdrawal = z.object({
  /** Of the transaction, or of the payout. */
  id: withdrawalId,
  /** `balance`: into the own balance, done at once; `payout`: out, by a payout's states. */
  type: z.enum(['balance', 'payout']),
  status: z.enum(PAYOUT_STATES),
  createdAt: instant,
  updatedAt: instant,
  amount: usd,
  fee: usd,
  /** amount − fee: what arrived, or is to arrive. */
  net: usd,
});
export type Withdrawal = z.infer<typeof withdrawal>;
export const WITHDRAWAL_SORT_KEYS = ['createdAt', 'amount'] as const;
export const listWithdrawals = route({
  method: 'GET',
  path: '/affiliate/withdrawal-list',
  summary: 'What was withdrawn, and what is on its way',
  auth: 'session',
  rate: 'read',
  query: z.object({
    sortByKey: z._default(z.enum(WITHDRAWAL_SORT_KEYS), 'createdAt'),
    ...listQuery,
    status: z.optional(z.enum(PAYOUT_STATES)),
  }),
  response: pageOf(withdrawal),
  errors: ['FORBIDDEN'],
});
export const withdrawalDetail = route({
  method: 'GET',
  path: '/affiliate/withdrawal-detail/:id',
  summary: 'One withdrawal, with the groups whose earnings it is of',
  auth: 'session',
  rate: 'read',
  params: z.object({ id: withdrawalId }),
  response: z.object({ ...withdrawal.shape, ofCreators: usd, ofCustomers: usd, canCancel: z.boolean() }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

export const withdrawOutside = route({
  method: 'POST',
  path: '/affiliate/withdraw',
  summary: 'Request that earnings are paid out, less what is withheld',
  auth: 'session',
  rate: 'money',
  idempotent: true,
  body: z.object({ amount: askedUsd, methodId: payoutMethodId }),
  response: z.object({ message: z.string(), id: withdrawalId }),
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'INSUFFICIENT_FUNDS', 'account_blocked'],
});
export const cancelWithdrawal = route({
  method: 'POST',
  path: '/affiliate/withdrawal-cancel/:id',
  summary: 'Take a request back before it is approved',
  auth: 'session',
  rate: 'write',
  params: z.object({ id: withdrawalId }),
  response: z.object({ info: z.string() }),
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
});

/** Row H3; the spelling is the customer's. */
export const depositFromReferrals = route({
  method: 'POST',
  path: '/customer/deposite-fund-from-refer/:id',
  summary: 'Move earnings into the own balance; `id` is the own affiliateId',
  auth: 'customer',
  rate: 'money',
  idempotent: true,
  params: z.object({ id: userId }),
  body: z.object({ amount: askedUsd }),
  response: z.object({ message: z.string(), transactionId, ...balance }),
  errors: ['NOT_FOUND', 'INSUFFICIENT_FUNDS', 'CONFLICT'],
});

/** Who invites by a code, for the page that their link leads to. */
export const getInvitation = route({
  method: 'GET',
  path: '/affiliate/invitation/:code',
  summary: 'Who invites by a code: name and face',
  auth: 'public',
  rate: 'read',
  params: z.object({ code: affiliateCode }),
  response: z.object({ code: z.string(), name: z.string(), avatarUrl: z.nullable(z.string()) }),
  errors: ['NOT_FOUND'],
});

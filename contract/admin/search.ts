import * as z from 'zod/mini';
import { VERIFICATION_STATUSES } from '../compliance/verification.ts';
import { payout } from '../finance/payouts.ts';
import { userType } from '../identity/accounts.ts';
import { caseId, instant, userId } from '../shared/ids.ts';
import { RESTRICTED_ACTIVITIES } from '../shared/restrictions.ts';
import { route } from '../shared/route.ts';
import { caseDecision, caseSummary } from './cases.ts';
import { ledgerAccount } from './ledger.ts';
import { reason } from './processor-webhooks.ts';

/** In display order. */
export const SEARCH_RESULT_KINDS = ['user', 'case', 'post', 'call', 'payout', 'transaction'] as const;
export type SearchResultKind = (typeof SEARCH_RESULT_KINDS)[number];

export const SEARCH_RESULTS_MAX = 20;
/** Shorter texts match only the beginning of names, except in scripts without blanks. */
export const SUBSTRING_MIN_LENGTH = 3;

const searchResult = z.object({
  kind: z.enum(SEARCH_RESULT_KINDS),
  id: z.string(),
  title: z.string(),
  subtitle: z.string(),
  href: z.string(),
  at: z.nullable(instant),
  amount: z.nullable(z.number()),
});
export type SearchResult = z.infer<typeof searchResult>;

export const searchAdmin = route({
  method: 'GET',
  path: '/admin/search',
  summary:
    'Search users, cases, posts, calls, payouts and transactions that the operator’s roles may open. Users found are recorded in the audit log',
  auth: 'operator',
  rate: 'read',
  query: z.object({ q: z._default(z.string().check(z.trim(), z.maxLength(254)), '') }),
  response: z.object({
    data: z.array(searchResult),
    hasMore: z.boolean(),
    /** How far back the search for an amount went. */
    searchedBackTo: z.nullable(instant),
  }),
});

const money = z.object({
  accounts: z.array(ledgerAccount),
  /** USD of all time without refunds; for a creator their share. */
  spent: z.nullable(z.number()),
  earned: z.nullable(z.number()),
  payouts: z.array(payout),
});
const adminUser = z.object({
  id: userId,
  username: z.string(),
  name: z.string(),
  email: z.string(),
  type: userType,
  avatarUrl: z.nullable(z.string()),
  since: instant,
  lastSeenAt: z.nullable(instant),
  isEmailVerified: z.boolean(),
  hasSecondFactor: z.boolean(),
  isBlocked: z.boolean(),
  blockedUntil: z.nullable(instant),
  isDeletionScheduled: z.boolean(),
  isDeleted: z.boolean(),
  restrictions: z.array(z.object({ activity: z.enum(RESTRICTED_ACTIVITIES), until: instant })),
  verification: z.nullable(z.enum(VERIFICATION_STATUSES)),
  sessions: z.number(),
  /** Blocked pairs, counted up to 999. */
  blocks: z.number(),
  posts: z.array(z.object({ id: z.string(), title: z.string(), at: instant, isDeleted: z.boolean() })),
  casesAbout: z.array(caseSummary),
  casesFrom: z.array(caseSummary),
  decisions: z.array(caseDecision),
  /** Null for roles that may not read the ledger. */
  money: z.nullable(money),
});
export type AdminUser = z.infer<typeof adminUser>;

export const getAdminUser = route({
  method: 'GET',
  path: '/admin/users/:id',
  summary:
    'Retrieve a user with status, cases and decisions, and payments for roles with ledger access. The view is recorded in the audit log',
  auth: 'operator',
  rate: 'read',
  params: z.object({ id: userId }),
  response: adminUser,
  errors: ['NOT_FOUND'],
});

export const openUserCase = route({
  method: 'POST',
  path: '/admin/users/:id/case',
  summary: 'Open a case about a user, or return the open one. `sourceCaseId` is the related case',
  auth: 'operator',
  rate: 'write',
  params: z.object({ id: userId }),
  body: z.object({ reason, sourceCaseId: z.optional(caseId) }),
  response: z.object({ id: caseId, reference: z.string(), isNew: z.boolean() }),
  errors: ['NOT_FOUND'],
});

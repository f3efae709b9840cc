import * as z from 'zod/mini';
import { userType } from './accounts.ts';
import { ACTIVITIES } from './atoms/activities.ts';
import { caseId, instant, userId } from './atoms/ids.ts';
import { route } from './atoms/route.ts';
import { caseDecision, caseLine } from './cases-desk.ts';
import { ledgerAccount } from './ledger-desk.ts';
import { payout } from './payouts.ts';
import { ground } from './processor-desk.ts';
import { VERIFICATION_STATUSES } from './verification.ts';

/** In display order. */
export const HIT_KINDS = ['person', 'case', 'post', 'call', 'payout', 'transaction'] as const;
export type HitKind = (typeof HIT_KINDS)[number];

export const HITS = 20;
/** Shorter texts match only the beginning of names. */
export const WITHIN_LENGTH = 3;

const hit = z.object({
  kind: z.enum(HIT_KINDS),
  id: z.string(),
  title: z.string(),
  sub: z.string(),
  href: z.string(),
  at: z.nullable(instant),
  amount: z.nullable(z.number()),
});
export type Hit = z.infer<typeof hit>;

export const lookUp = route({
  method: 'GET',
  path: '/admin/search',
  summary:
    'Search users, cases, posts, calls, payouts and transactions that the operator’s roles may open. Users found are recorded in the audit log',
  auth: 'operator',
  rate: 'read',
  query: z.object({ q: z._default(z.string().check(z.trim(), z.maxLength(254)), '') }),
  response: z.object({
    data: z.array(hit),
    hasMore: z.boolean(),
    /** How far back the search for an amount went. */
    lookedBackTo: z.nullable(instant),
  }),
});

const money = z.object({
  accounts: z.array(ledgerAccount),
  /** USD of all time without refunds; for a creator their share. */
  spent: z.nullable(z.number()),
  earned: z.nullable(z.number()),
  payouts: z.array(payout),
});
const personView = z.object({
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
  isClosing: z.boolean(),
  isClosed: z.boolean(),
  limits: z.array(z.object({ activity: z.enum(ACTIVITIES), until: instant })),
  verification: z.nullable(z.enum(VERIFICATION_STATUSES)),
  sessions: z.number(),
  /** Blocked pairs, counted up to 999. */
  blocks: z.number(),
  posts: z.array(z.object({ id: z.string(), title: z.string(), at: instant, isGone: z.boolean() })),
  about: z.array(caseLine),
  wrote: z.array(caseLine),
  decisions: z.array(caseDecision),
  /** Null for roles that may not read the ledger. */
  money: z.nullable(money),
});
export type PersonView = z.infer<typeof personView>;

export const readPerson = route({
  method: 'GET',
  path: '/admin/people/:id',
  summary:
    'Retrieve a user with status, cases and decisions, and payments for roles with ledger access. The view is recorded in the audit log',
  auth: 'operator',
  rate: 'read',
  params: z.object({ id: userId }),
  response: personView,
  errors: ['NOT_FOUND'],
});

export const openPersonCase = route({
  method: 'POST',
  path: '/admin/people/:id/case',
  summary: 'Open a case about a user, or return the open one. `seenIn` is the related case',
  auth: 'operator',
  rate: 'write',
  params: z.object({ id: userId }),
  body: z.object({ ground, seenIn: z.optional(caseId) }),
  response: z.object({ id: caseId, reference: z.string(), isNew: z.boolean() }),
  errors: ['NOT_FOUND'],
});

/** The ledger in the admin console. Views of a user's money are recorded in the audit log. */
import * as z from 'zod/mini';
import { day } from '../shared/days.ts';
import { differenceId, instant, transactionId, userId } from '../shared/ids.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { fileResponse, route } from '../shared/route.ts';
import { reason } from './processor-webhooks.ts';
import { COMPARISONS } from './reconciliation.ts';

/** Platform totals exceed the limit of requests. */
const ledgerAmount = z.number();
const kind = z.string().check(z.regex(/^[a-z_]{1,40}$/, 'No such kind'));
export const accountCode = z.string().check(z.regex(/^[a-z0-9_:-]{3,120}$/, 'No such account'));

const ledgerUser = z.object({ id: userId, username: z.string(), name: z.string() });
export type LedgerUser = z.infer<typeof ledgerUser>;

export const ledgerAccount = z.object({
  code: z.string(),
  label: z.string(),
  owner: z.nullable(ledgerUser),
  /** The sign is the normal one of the account's type. */
  balance: ledgerAmount,
});
export type LedgerAccount = z.infer<typeof ledgerAccount>;

/** Results contain no names. Opening a transaction shows the users. */
export const transactionResult = z.object({
  id: transactionId,
  at: instant,
  kind: z.string(),
  title: z.string(),
  amount: ledgerAmount,
  from: z.array(z.string()),
  to: z.array(z.string()),
});
export type TransactionResult = z.infer<typeof transactionResult>;

export const searchLedger = route({
  method: 'GET',
  path: '/admin/ledger',
  summary: 'Find an ID, account or username in the ledger, or list transactions by kind, amount and date, newest first',
  auth: 'operator',
  rate: 'read',
  query: z.object({
    limit,
    offset,
    /** Any transaction, operation, sale, payout, deposit, user or processor id, `PO-000001`, an account, a username. */
    q: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(200))),
    kind: z.optional(kind),
    /** Exact amount of any leg, in USD. */
    sum: z.optional(z.coerce.number().check(z.gte(0.01), z.lte(100_000_000))),
    /** UTC, inclusive. */
    from: z.optional(day),
    to: z.optional(day),
  }),
  response: z.object({
    user: z.nullable(ledgerUser),
    accounts: z.array(ledgerAccount),
    data: z.array(transactionResult),
    limit: z.number(),
    nextOffset: z.optional(z.string()),
    /** A search by amount is limited per page. This is how far back it went. */
    searchedBackTo: z.nullable(instant),
  }),
});

const transactionRef = z.object({ id: transactionId, title: z.string(), at: instant });

export const ledgerTransaction = z.object({
  id: transactionId,
  at: instant,
  kind: z.string(),
  title: z.string(),
  label: z.string(),
  users: z.array(ledgerUser),
  legs: z.array(z.object({ code: z.string(), label: z.string(), owner: z.nullable(userId), amount: ledgerAmount })),
  details: z.array(z.object({ name: z.string(), value: z.string() })),
  href: z.nullable(z.string()),
  reverses: z.nullable(transactionRef),
  reversedBy: z.array(transactionRef),
  proof: z.nullable(
    z.object({
      position: z.number(),
      size: z.number(),
      isVerified: z.boolean(),
      checkpointAt: instant,
      checkpoint: z.string(),
      leaf: z.string(),
      path: z.array(z.string()),
    }),
  ),
});
export type LedgerTransaction = z.infer<typeof ledgerTransaction>;

export const getLedgerTransaction = route({
  method: 'GET',
  path: '/admin/ledger/transactions/:id',
  summary: 'Retrieve a ledger transaction with its proof. The view is recorded in the audit log',
  auth: 'operator',
  rate: 'read',
  params: z.object({ id: transactionId }),
  response: ledgerTransaction,
  errors: ['NOT_FOUND'],
});

export const listLedgerAccounts = route({
  method: 'GET',
  path: '/admin/ledger/accounts',
  summary: 'List the platform’s own accounts with their balances',
  auth: 'operator',
  rate: 'read',
  response: z.object({ data: z.array(ledgerAccount) }),
});

export const getLedgerAccountStatement = route({
  method: 'GET',
  path: '/admin/ledger/accounts/:code',
  summary: 'Retrieve an account statement, newest first. Views of a user’s account are recorded in the audit log',
  auth: 'operator',
  rate: 'read',
  params: z.object({ code: accountCode }),
  query: z.object({
    limit,
    offset,
    kind: z.optional(kind),
    /** Only for accounts that users spend from. */
    sum: z.optional(z.coerce.number().check(z.gte(0.01), z.lte(100_000_000))),
    from: z.optional(day),
    to: z.optional(day),
  }),
  response: z.object({
    account: ledgerAccount,
    hasLines: z.boolean(),
    data: z.array(
      z.object({
        id: transactionId,
        at: instant,
        kind: z.string(),
        title: z.string(),
        amount: ledgerAmount,
        /** Null if lines in between were left out. */
        balance: z.nullable(ledgerAmount),
      }),
    ),
    limit: z.number(),
    nextOffset: z.optional(z.string()),
    searchedBackTo: z.nullable(instant),
  }),
  errors: ['NOT_FOUND'],
});

const total = z.object({ key: z.string(), label: z.string(), accounts: z.number(), amount: ledgerAmount });
const totals = z.object({
  at: instant,
  assets: z.array(total),
  liabilities: z.array(total),
  assetsTotal: ledgerAmount,
  liabilitiesTotal: ledgerAmount,
});
export type LedgerTotals = z.infer<typeof totals>;

const comparedAmounts = z.object({ theirs: z.nullable(ledgerAmount), ours: ledgerAmount });
const processorDay = z.object({
  day: z.string(),
  /** Null if the processor was not queried; its values are then null too. */
  queriedAt: z.nullable(instant),
  sold: comparedAmounts,
  refunded: comparedAmounts,
  chargedBack: comparedAmounts,
  open: z.number(),
  explained: z.number(),
});
export type ProcessorDay = z.infer<typeof processorDay>;

/** Signed. `owed` is the processor's debt: the sum of the others. */
const processorBalance = z.object({
  sold: ledgerAmount,
  refunded: ledgerAmount,
  chargedBack: ledgerAmount,
  settled: ledgerAmount,
  owed: ledgerAmount,
});
export type ProcessorBalance = z.infer<typeof processorBalance>;

export const RECONCILIATION_DAYS = 92;
const period = z.object({ from: z.optional(day), to: z.optional(day) });
export const getLedgerReconciliation = route({
  method: 'GET',
  path: '/admin/ledger/reconciliation',
  summary:
    'Retrieve ledger totals, the processor balance and a daily comparison with the processor (by default the last 14 days)',
  auth: 'operator',
  rate: 'write',
  query: period,
  response: z.object({
    totals,
    processorBalance,
    from: z.string(),
    to: z.string(),
    days: z.array(processorDay),
  }),
});
export const exportLedgerReconciliation = route({
  method: 'GET',
  path: '/admin/ledger/reconciliation/file',
  summary: 'Download the reconciliation as CSV',
  auth: 'operator',
  rate: 'sensitive',
  query: period,
  response: fileResponse,
  files: ['text/csv; charset=utf-8'],
});

/** `active`: wrong in the last check. `passed`: correct again, not explained yet. `resolved`: explained. */
export const ALARM_STATES = ['active', 'passed', 'resolved'] as const;
export const alarm = z.object({
  id: differenceId,
  comparison: z.enum(COMPARISONS),
  state: z.enum(ALARM_STATES),
  check: z.string(),
  examples: z.string(),
  openedAt: instant,
  lastSeenAt: instant,
  passedAt: z.nullable(instant),
  resolved: z.nullable(z.object({ at: instant, reason: z.string(), operator: z.nullable(z.string()) })),
});
export type Alarm = z.infer<typeof alarm>;

export const listAlarms = route({
  method: 'GET',
  path: '/admin/alarms',
  summary: 'List ledger alarms, other open discrepancies and the latest result of each check',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset, view: z._default(z.enum(['open', 'over']), 'open') }),
  response: z.extend(toPageSchema(alarm), {
    arePayoutsHalted: z.boolean(),
    isChecking: z.boolean(),
    checks: z.array(
      z.object({ comparison: z.enum(COMPARISONS), at: z.nullable(instant), isClean: z.nullable(z.boolean()) }),
    ),
    otherDifferences: z.array(z.object({ label: z.string(), count: z.number(), oldestAt: instant })),
  }),
});
export const startLedgerCheck = route({
  method: 'POST',
  path: '/admin/alarms/check',
  summary: 'Start a full verification of the ledger and its log. Takes minutes and reports its results as alarms',
  auth: 'operator',
  rate: 'sensitive',
  response: z.object({ info: z.string() }),
});
export const resolveAlarm = route({
  method: 'POST',
  path: '/admin/alarms/:id/resolution',
  summary: 'Resolve an alarm with a reason, once a new check has passed. Payouts resume after the last one',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: differenceId }),
  body: z.object({ reason }),
  response: alarm,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

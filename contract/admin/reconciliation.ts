/** Reconciliation of the ledger with itself and with the payment processor. */
import * as z from 'zod/mini';
import { differenceId, instant } from '../shared/ids.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { reason } from './processor-webhooks.ts';

/**
 * `sums`: all ledger sums. `orders`: orders, ledger and webhooks. `processor`: its export. `log`: the tamper-evident
 * log.
 */
export const COMPARISONS = ['sums', 'orders', 'processor', 'log'] as const;
export type Comparison = (typeof COMPARISONS)[number];
/** Differences here are alarms: payouts stop, and an explanation is accepted only after a new check has passed. */
export const ALARM_COMPARISONS = ['sums', 'log'] as const satisfies readonly Comparison[];

export const DIFFERENCE_KINDS = {
  sumWrong: 'Wrong ledger balance',
  logWrong: 'Data doesn’t match the transparency log',
  orderWithoutTransaction: 'Paid order without a credit',
  transactionWithoutOrder: 'Transaction without a paid order',
  orderDiffers: 'Order and transaction amounts differ',
  transactionWithoutPost: 'Transaction without a processor event',
  postWithoutTransaction: 'Processed event without a transaction',
  clearingDiffers: 'Amount due from the processor doesn’t match orders',
  saleUnknownHere: 'Processor sale not credited',
  saleUnknownThere: 'Credit unknown to the processor',
  saleDiffers: 'Processor and order amounts differ',
  refundUnknownHere: 'Processor refund not recorded',
  refundUnknownThere: 'Refund unknown to the processor',
  chargebackUnknownHere: 'Processor chargeback not recorded',
  chargebackUnknownThere: 'Chargeback unknown to the processor',
  rowUnreadable: 'Unreadable row in the processor export',
} as const satisfies Record<string, string>;
export type DifferenceKind = keyof typeof DIFFERENCE_KINDS;

export const DIFFERENCE_STATES = ['open', 'explained', 'resolved'] as const;

export const difference = z.object({
  id: differenceId,
  comparison: z.enum(COMPARISONS),
  kind: z.string(),
  label: z.string(),
  key: z.string(),
  occurredAt: z.nullable(instant),
  /** USD, may be negative; null if there is no value. */
  theirs: z.nullable(z.number()),
  ours: z.nullable(z.number()),
  details: z.record(z.string(), z.string()),
  state: z.enum(DIFFERENCE_STATES),
  openedAt: instant,
  lastSeenAt: instant,
  resolvedAt: z.nullable(instant),
  explanations: z.array(
    z.object({
      reason: z.string(),
      explainedAt: instant,
      operator: z.nullable(z.string()),
    }),
  ),
});

export const listDifferences = route({
  method: 'GET',
  path: '/admin/differences',
  summary: 'List ledger discrepancies, newest first; unexplained ones by default',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset, state: z._default(z.enum(DIFFERENCE_STATES), 'open') }),
  response: toPageSchema(difference),
});
export const explainDifference = route({
  method: 'POST',
  path: '/admin/differences/:id/explanation',
  summary: 'Explain a ledger discrepancy; it reopens if the values change',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: differenceId }),
  body: z.object({ reason }),
  response: difference,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const listReconciliationRuns = route({
  method: 'GET',
  path: '/admin/reconciliation-runs',
  summary: 'List reconciliation runs, newest first',
  auth: 'operator',
  rate: 'read',
  query: z.object({ limit, offset }),
  response: toPageSchema(
    z.object({
      comparison: z.enum(COMPARISONS),
      day: z.string(),
      isFull: z.boolean(),
      tries: z.number(),
      startedAt: instant,
      endedAt: instant,
      /** `incomplete`: not completed. */
      outcome: z.enum(['clean', 'different', 'incomplete']),
      detail: z.nullable(z.string()),
      checkedCount: z.number(),
    }),
  ),
});

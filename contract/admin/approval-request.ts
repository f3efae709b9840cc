/** A payment that waits for a second operator. */
import * as z from 'zod/mini';
import { approvalRequestId, instant, transactionId, userId } from '../shared/ids.ts';
import { formatUsd, usd } from '../shared/money.ts';
import { CASE_QUEUES } from '../trust/case-kinds.ts';

export const APPROVAL_KINDS = ['refund', 'won', 'writeOff', 'subscription'] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

export const adminSale = z.object({
  id: transactionId,
  at: instant,
  title: z.string(),
  buyer: z.object({ id: userId, username: z.string() }),
  creator: z.object({ id: userId, username: z.string() }),
  amount: z.number(),
  refunded: z.number(),
});
export type AdminSale = z.infer<typeof adminSale>;

export const approvalRequest = z.object({
  id: approvalRequestId,
  kind: z.enum(APPROVAL_KINDS),
  subjectId: z.string(),
  subjectLabel: z.string(),
  amount: usd,
  /** Only for a refund, for an operator who has not read the case. */
  sales: z.array(adminSale),
  queue: z.nullable(z.enum(CASE_QUEUES)),
  operator: z.string(),
  reason: z.string(),
  at: instant,
});
export type ApprovalRequest = z.infer<typeof approvalRequest>;

export function formatApprovalRequest({
  kind,
  amount,
  subjectLabel,
}: Pick<ApprovalRequest, 'kind' | 'amount' | 'subjectLabel'>): string {
  const sum = formatUsd(amount);
  if (kind === 'refund') return `refund ${sum} in case ${subjectLabel}`;
  if (kind === 'won') return `mark chargeback ${subjectLabel} of ${sum} as reversed`;
  if (kind === 'subscription') return `refund ${sum} of the subscription of ${subjectLabel}`;
  return `write off ${sum} owed by ${subjectLabel}`;
}

/**
 * Refunds from cases, withdrawn chargebacks and debts. Above a daily sum a second operator must approve, and any may
 * refuse.
 */
import * as z from 'zod/mini';
import { approvalRequestId, instant } from '../shared/ids.ts';
import { route } from '../shared/route.ts';
import { approvalRequest } from './approval-request.ts';
import { reason } from './processor-webhooks.ts';
import { APPROVAL_DECISIONS } from './setting-approvals.ts';

const decidedApproval = z.extend(z.omit(approvalRequest, { sales: true, queue: true }), {
  outcome: z.enum(['confirmed', 'refused']),
  decidedAt: instant,
  decidedBy: z.string(),
});
export type DecidedApproval = z.infer<typeof decidedApproval>;

const approvalsResponse = z.object({
  data: z.array(approvalRequest),
  decided: z.array(decidedApproval),
});
export const listApprovals = route({
  method: 'GET',
  path: '/admin/approvals',
  summary: 'List refunds, chargeback reversals and write-offs that need a second approval, and recent decisions',
  auth: 'operator',
  rate: 'read',
  response: approvalsResponse,
});
export const decideApproval = route({
  method: 'POST',
  path: '/admin/approvals/:id/decision',
  summary: 'Approve or refuse a refund, chargeback reversal or write-off requested by another operator',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: approvalRequestId }),
  body: z.object({ decision: z.enum(APPROVAL_DECISIONS), reason }),
  response: approvalsResponse,
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
});

/** Counts of the operators' work queue. */
import * as z from 'zod/mini';
import { instant } from '../shared/ids.ts';
import { route } from '../shared/route.ts';

/**
 * `alarms`: not explained yet. `payoutsToConfirm`, `settingApprovals`, `approvals`: need a second operator.
 * `payoutBatches`: unknown outcome, or refused and to be sent again. `payoutWebhooks`, `processorWebhooks`: webhooks that
 * no rule could process. `missingCompanyDetails`: company details that the public texts need. `pushServices`: they refuse
 * requests or fail. `copyright`: notices, and due counter-notices. `staffChanges`: until new staff members count as a
 * second approver.
 */
export const WORK_QUEUE_KINDS = [
  'alarms',
  'cases',
  'refunds',
  'copyright',
  'verifications',
  'payoutsToApprove',
  'payoutsToSend',
  'payoutsToConfirm',
  'settingApprovals',
  'approvals',
  'payoutBatches',
  'payoutWebhooks',
  'processorWebhooks',
  'differences',
  'debtors',
  'missingCompanyDetails',
  'calls',
  'pushServices',
  'staffChanges',
] as const;
export type WorkQueueKind = (typeof WORK_QUEUE_KINDS)[number];

export const getWorkQueue = route({
  method: 'GET',
  path: '/admin/work-queue',
  summary: 'Count work queue items by kind, with the time of the oldest',
  auth: 'operator',
  rate: 'read',
  response: z.object({
    data: z.array(
      z.object({
        kind: z.enum(WORK_QUEUE_KINDS),
        count: z.number(),
        since: z.nullable(instant),
      }),
    ),
  }),
});

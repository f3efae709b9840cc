/** Counts of the operators' work queue. */
import * as z from 'zod/mini';
import { instant } from './atoms/ids.ts';
import { route } from './atoms/route.ts';

/**
 * `alarms`: not explained yet. `payoutsToConfirm`, `wantedSettings`, `moneyActs`: need a second operator.
 * `payoutBatches`: unknown outcome, or refused and to be sent again. `payoutNotices`, `processorEvents`: webhooks that
 * no rule could process. `missingFacts`: company details that the public texts need. `pushServices`: they refuse
 * requests or fail. `copyright`: notices, and due counter-notices. `teamChanges`: until new staff members count as a
 * second approver.
 */
export const WAITING_KINDS = [
  'alarms',
  'cases',
  'refunds',
  'copyright',
  'verifications',
  'payoutsToApprove',
  'payoutsToSend',
  'payoutsToConfirm',
  'wantedSettings',
  'moneyActs',
  'payoutBatches',
  'payoutNotices',
  'processorEvents',
  'differences',
  'debtors',
  'missingFacts',
  'calls',
  'pushServices',
  'teamChanges',
] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

export const operatorDesk = route({
  method: 'GET',
  path: '/admin/desk',
  summary: 'Count work queue items by kind, with the time of the oldest',
  auth: 'operator',
  rate: 'read',
  response: z.object({
    data: z.array(
      z.object({
        kind: z.enum(WAITING_KINDS),
        count: z.number(),
        since: z.nullable(instant),
      }),
    ),
  }),
});

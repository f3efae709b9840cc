/** The operator's desk: what waits for a person, counted. */
import * as z from 'zod/mini';
import { instant } from './atoms/ids.ts';
import { route } from './atoms/route.ts';

/**
 * `alarms`: sums or a log that were found wrong, and nobody has said why; `payoutsToConfirm`, `wantedSettings` and `moneyActs`: what one operator said or
 * wants and another has to as well; `payoutBatches`: handed to a payment service, and nobody
 * knows what became of them, or refused and waiting to be sent again; `payoutNotices` and `processorEvents`: what a service told and nobody
 * could act on by rule; `missingFacts`: what the public texts need to say of the operator, and nobody has said; `calls`: those that go on;
 * `pushServices`: they refuse us, or take nothing; `refunds`: cases that were passed on to give money back; `copyright`: notices, and
 * counter-notices that are due; `teamChanges`: of who works here, by
 * anybody, until those who are new count as a second person.
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
  summary: 'How much of each kind waits for an operator, and since when',
  auth: 'operator',
  rate: 'read',
  response: z.object({
    data: z.array(
      z.object({
        kind: z.enum(WAITING_KINDS),
        count: z.number(),
        /** Of the one that has waited longest, where that is known. */
        since: z.nullable(instant),
      }),
    ),
  }),
});

/**
 * Refunds from cases, withdrawn chargebacks and debts. Above a daily sum a second operator must approve, and any may
 * refuse.
 */
import * as z from 'zod/mini';
import { instant, moneyActId } from './atoms/ids.ts';
import { route } from './atoms/route.ts';
import { moneyAct } from './money-act-view.ts';
import { ground } from './processor-desk.ts';
import { WANTED_DECISIONS } from './wanted-settings.ts';

const ended = z.extend(z.omit(moneyAct, { sales: true, queue: true }), {
  outcome: z.enum(['confirmed', 'refused']),
  endedAt: instant,
  endedBy: z.string(),
});
export type EndedMoneyAct = z.infer<typeof ended>;

const list = z.object({
  data: z.array(moneyAct),
  ended: z.array(ended),
});
export const listMoneyActs = route({
  method: 'GET',
  path: '/admin/money-acts',
  summary: 'List refunds, chargeback reversals and write-offs that need a second approval, and recent decisions',
  auth: 'operator',
  rate: 'read',
  response: list,
});
export const decideMoneyAct = route({
  method: 'POST',
  path: '/admin/money-acts/:id/decision',
  summary: 'Approve or refuse a refund, chargeback reversal or write-off requested by another operator',
  auth: 'operator',
  rate: 'sensitive',
  params: z.object({ id: moneyActId }),
  body: z.object({ decision: z.enum(WANTED_DECISIONS), ground }),
  response: list,
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
});

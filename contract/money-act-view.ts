/** A payment that waits for a second operator. */
import * as z from 'zod/mini';
import { instant, moneyActId, transactionId, userId } from './atoms/ids.ts';
import { formatUsd, usd } from './atoms/money.ts';
import { CASE_QUEUES } from './case-kinds.ts';

export const MONEY_ACT_KINDS = ['refund', 'won', 'writeOff'] as const;
export type MoneyActKind = (typeof MONEY_ACT_KINDS)[number];

export const deskSale = z.object({
  id: transactionId,
  at: instant,
  title: z.string(),
  buyer: z.object({ id: userId, username: z.string() }),
  creator: z.object({ id: userId, username: z.string() }),
  amount: z.number(),
  givenBack: z.number(),
});
export type DeskSale = z.infer<typeof deskSale>;

export const moneyAct = z.object({
  id: moneyActId,
  kind: z.enum(MONEY_ACT_KINDS),
  subjectId: z.string(),
  about: z.string(),
  amount: usd,
  /** Only for a refund, for an operator who has not read the case. */
  sales: z.array(deskSale),
  queue: z.nullable(z.enum(CASE_QUEUES)),
  operator: z.string(),
  ground: z.string(),
  at: instant,
});
export type MoneyAct = z.infer<typeof moneyAct>;

export function moneyActWords({ kind, amount, about }: Pick<MoneyAct, 'kind' | 'amount' | 'about'>): string {
  const sum = formatUsd(amount);
  if (kind === 'refund') return `refund ${sum} in case ${about}`;
  if (kind === 'won') return `mark chargeback ${about} of ${sum} as reversed`;
  return `write off ${sum} owed by ${about}`;
}

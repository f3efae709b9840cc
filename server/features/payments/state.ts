import { asCents, type Cents } from '@stagedoor/contract/atoms/money.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { countPutAside } from './desk.ts';

const MOST_COUNTED = 10_000;

const HOUR: Statement = {
  name: 'payments-state',
  text: `select (select count(*)::int from (select received_at from processor_events order by id desc limit ${MOST_COUNTED}) newest where received_at > $1) as webhooks,
      (select max(received_at) from (select received_at from processor_events order by id desc limit 1) last) as "lastWebhookAt",
      (select max(asked_at) from processor_export_days) as "lastAnswerAt",
      p.count as deposits, p.cents
    from (select count(*)::int as count, coalesce(sum(amount_cents), 0)::bigint as cents from deposits where paid_at > $1) p`,
};

export type PaymentsState = {
  webhooks: number;
  deposits: number;
  depositedCents: Cents;
  lastWebhookAt: Date | null;
  lastAnswerAt: Date | null;
  quarantined: number;
};

export async function paymentsState(db: Executor, since: Date): Promise<PaymentsState> {
  const [[row], { count: quarantined }] = await Promise.all([
    db.run<Omit<PaymentsState, 'quarantined' | 'depositedCents'> & { cents: number }>(HOUR, [since]),
    countPutAside(db),
  ]);
  if (!row) throw new Error('a count always answers a row');
  const { cents, ...rest } = row;
  return { ...rest, depositedCents: asCents(cents), quarantined };
}

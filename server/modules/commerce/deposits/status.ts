import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { countNeedsReview } from './webhooks/admin.ts';

const MAX_COUNTED = 10_000;

const COUNT_SINCE: SqlStatement = {
  name: 'deposits-status',
  text: `select (select count(*)::int from (select received_at from processor_webhooks order by id desc limit ${MAX_COUNTED}) newest where received_at > $1) as webhooks,
      (select max(received_at) from (select received_at from processor_webhooks order by id desc limit 1) last) as "lastWebhookAt",
      p.count as deposits, p.cents
    from (select count(*)::int as count, coalesce(sum(amount_cents), 0)::bigint as cents from deposits where paid_at > $1) p`,
};

export type DepositsStatus = {
  webhooks: number;
  deposits: number;
  depositedCents: Cents;
  lastWebhookAt: Date | null;
  quarantined: number;
};

export async function getDepositsStatus(db: Executor, since: Date): Promise<DepositsStatus> {
  const [[row], { count: quarantined }] = await Promise.all([
    db.run<Omit<DepositsStatus, 'quarantined' | 'depositedCents'> & { cents: number }>(COUNT_SINCE, [since]),
    countNeedsReview(db),
  ]);
  if (!row) throw new Error('a count always returns a row');
  const { cents, ...rest } = row;
  return { ...rest, depositedCents: asCents(cents), quarantined };
}

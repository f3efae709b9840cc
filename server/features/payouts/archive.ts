/** What of payouts goes into a person's archive: each with where it went, which is kept in words alone. */
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { inPages, registerArchivePart } from '../archive/index.ts';

type Payout = { id: string };
const PAYOUTS: Statement = {
  name: 'payouts-archive',
  text: `select id, source, amount_cents / 100.0 as amount, fee_cents / 100.0 as fee, status, reason, created_at as "requestedAt",
      updated_at as "changedAt" from payouts
    where user_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
};

export function registerPayoutPart(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'payouts',
    title: 'Payouts',
    lead: 'What you asked for of your earnings, and what became of it.',
    entries: ({ db }, { id }) => inPages<Payout>((last, size) => db.run<Payout>(PAYOUTS, [id, last?.id ?? null, size])),
  });
}

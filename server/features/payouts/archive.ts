/** The payout part of a data export. The destination is exported only as its masked label. */
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { beforeId } from '../../kernel/offset.ts';
import { inPages, registerArchivePart } from '../archive/index.ts';

type Payout = { id: string };
const PAYOUTS: Statement = {
  name: 'payouts-archive',
  text: `select id, source, amount_cents / 100.0 as amount, fee_cents / 100.0 as fee, status, reason, created_at as "requestedAt",
      updated_at as "changedAt" from payouts
    where user_id = $1 and ${beforeId('id', '$2')} order by id desc limit $3`,
};

const WAYS: Statement = {
  name: 'payouts-archive-ways',
  text: `select m.kind, m.words, m.created_at as "addedAt", r.source as "paidByItself", r.recurrence as "every", r.above_cents / 100.0 as "above"
    from payout_methods m left join payout_rules r on r.method_id = m.id
    where m.user_id = $1 and m.removed_at is null order by m.id`,
};

export function registerPayoutPart(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'payouts',
    title: 'Payouts',
    lead: 'Payouts you requested and their status.',
    entries: ({ db }, { id }) => inPages<Payout>((last, size) => db.run<Payout>(PAYOUTS, [id, last?.id ?? null, size])),
  });
  registerArchivePart(ctx, {
    name: 'payout-ways',
    title: 'Payout methods',
    lead: 'Partially hidden, as in your settings, with your automatic payouts.',
    entries: async function* ({ db }, { id }) {
      yield* await db.run<{ kind: string }>(WAYS, [id]);
    },
  });
}

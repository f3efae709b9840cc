/** The payout part of a data export. The destination is exported only as its masked label. */
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { beforeIdSql } from '../../../platform/database/pagination.ts';
import { iteratePages, registerExportPart } from '../../identity/data-export/index.ts';
import * as texts from './texts.ts';

type PayoutEntry = { id: string };
const PAYOUTS: SqlStatement = {
  name: 'payouts-export',
  text: `select id, source, amount_cents / 100.0 as amount, fee_cents / 100.0 as fee, status, reason, created_at as "requestedAt",
      updated_at as "changedAt" from payouts
    where user_id = $1 and ${beforeIdSql('id', '$2')} order by id desc limit $3`,
};

const METHODS: SqlStatement = {
  name: 'payouts-export-ways',
  text: `select m.kind, m.label, m.created_at as "addedAt", r.source as "automaticPayoutSource", r.recurrence as "every", r.threshold_cents / 100.0 as "threshold"
    from payout_methods m left join payout_schedules r on r.method_id = m.id
    where m.user_id = $1 and m.removed_at is null order by m.id`,
};

export function registerPayoutExport(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'payouts',
    title: 'Payouts',
    description: texts.payoutsExportDescription,
    entries: ({ db }, { id }) =>
      iteratePages<PayoutEntry>((last, size) => db.run<PayoutEntry>(PAYOUTS, [id, last?.id ?? null, size])),
  });
  registerExportPart(ctx, {
    name: 'payout-methods',
    title: texts.payoutMethods,
    description: texts.payoutMethodsExportDescription,
    entries: async function* ({ db }, { id }) {
      yield* await db.run<{ kind: string }>(METHODS, [id]);
    },
  });
}

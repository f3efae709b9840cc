import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { beforeIdSql } from '../../../platform/database/pagination.ts';
import { iteratePages, registerExportPart } from '../../identity/data-export/index.ts';
import { getStoredSettings, presentSettings } from './terms/call-settings.ts';
import * as texts from './texts.ts';

type ExportedCall = { id: string };
/** The creator's export leaves out screened calls, which a block hides from the creator. */
const LIST_CALLS: SqlStatement = {
  name: 'calls-export',
  text: `select c.id, o.username as with, c.kind, c.status, c.rate_cents / 100.0 as "pricePerMinute", c.created_at as at, c.answered_at as "answeredAt",
      c.ended_at as "endedAt", round(c.connected_ms / 1000.0) as "seconds",
      case when c.fan_id = $1 then c.charged_cents else c.net_cents end / 100.0 as "amount"
    from calls c join users o on o.id = case when c.fan_id = $1 then c.creator_id else c.fan_id end
    where (c.fan_id = $1 or (c.creator_id = $1 and not c.is_screened)) and ${beforeIdSql('c.id', '$2')} order by c.id desc limit $3`,
};

export function registerCallExport(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'call-settings',
    title: texts.callPrices,
    description: texts.callPricesExportDescription,
    entries: async function* ({ db }, { id, type }) {
      if (type === 'creator') yield presentSettings(await getStoredSettings(db, id));
    },
  });
  registerExportPart(ctx, {
    name: 'calls',
    title: 'Calls',
    description: texts.callsExportDescription,
    entries: ({ db }, { id }) =>
      iteratePages<ExportedCall>((last, size) => db.run<ExportedCall>(LIST_CALLS, [id, last?.id ?? null, size])),
  });
}

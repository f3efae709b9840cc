import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { beforeId } from '../../kernel/offset.ts';
import { inPages, registerArchivePart } from '../archive/index.ts';
import { presentSettings, termsOf } from './terms/terms.ts';

type Call = { id: string };
/** The creator's export leaves out screened calls, which a block hides from the creator. */
const CALLS: Statement = {
  name: 'calls-archive',
  text: `select c.id, o.username as with, c.kind, c.status, c.rate_cents / 100.0 as "pricePerMinute", c.created_at as at, c.answered_at as "answeredAt",
      c.ended_at as "endedAt", round(c.talked_ms / 1000.0) as "seconds",
      case when c.fan_id = $1 then c.charged_cents else c.net_cents end / 100.0 as "amount"
    from calls c join users o on o.id = case when c.fan_id = $1 then c.creator_id else c.fan_id end
    where (c.fan_id = $1 or (c.creator_id = $1 and not c.is_screened)) and ${beforeId('c.id', '$2')} order by c.id desc limit $3`,
};

export function registerCallPart(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'call-terms',
    title: 'Call prices',
    lead: 'Your prices per minute, and when you take calls.',
    entries: async function* ({ db }, { id, type }) {
      if (type === 'creator') yield presentSettings(await termsOf(db, id));
    },
  });
  registerArchivePart(ctx, {
    name: 'calls',
    title: 'Calls',
    lead: 'Your calls and what they cost. Calls are not recorded.',
    entries: ({ db }, { id }) => inPages<Call>((last, size) => db.run<Call>(CALLS, [id, last?.id ?? null, size])),
  });
}

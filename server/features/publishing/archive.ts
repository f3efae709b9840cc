import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { beforeId } from '../../kernel/offset.ts';
import { inPages, registerArchivePart } from '../archive/index.ts';

type Draft = { id: string };
const DRAFTS: Statement = {
  name: 'drafts-archive',
  text: `select d.id, d.caption, d.tags, d.price_cents / 100.0 as price, d.scheduled_at as "scheduledAt", d.created_at as "createdAt",
      d.updated_at as "changedAt", array(select m.media_id from draft_media m where m.draft_id = d.id order by m.position) as "mediaIds"
    from drafts d where d.creator_id = $1 and ${beforeId('d.id', '$2')} order by d.id desc limit $3`,
};

export function registerDraftPart(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'drafts',
    title: 'Drafts',
    lead: 'Posts you haven’t published.',
    entries: ({ db }, { id }) => inPages<Draft>((last, size) => db.run<Draft>(DRAFTS, [id, last?.id ?? null, size])),
  });
}

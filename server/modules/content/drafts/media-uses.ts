import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { registerMediaUseReader } from '../media/index.ts';

const LIST_DRAFT_IDS: SqlStatement = {
  name: 'drafts-of-media',
  text: `select media_id, array_agg(draft_id order by draft_id) as draft_ids from draft_media
    where media_id = any($1::uuid[]) group by 1`,
};

/** A draft does not count as a use, because its files stay free. The library only marks them. */
export function registerDraftMediaUses(ctx: Context): void {
  registerMediaUseReader(ctx, 'draft', {
    listMediaUses: async () => [],
    listDraftIds: async (mediaIds) => {
      const rows = await ctx.db.run<{ media_id: string; draft_ids: string[] }>(LIST_DRAFT_IDS, [mediaIds]);
      return new Map(rows.map((row) => [row.media_id, row.draft_ids]));
    },
  });
}

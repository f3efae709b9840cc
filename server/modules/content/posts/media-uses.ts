import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { registerMediaUseReader } from '../media/index.ts';
import { toPostTitle, toPostUri } from './present.ts';

const USES: SqlStatement = {
  name: 'posts-uses-of-media',
  text: `select p.id, p.caption, p.created_at, p.price_cents, p.removed_at is not null as is_removed,
      (select count(*) from post_purchases x where x.post_id = p.id and x.revoked_at is null) as buyer_count,
      (select coalesce(sum(x.net_cents), 0)::bigint from post_purchases x where x.post_id = p.id and x.revoked_at is null) as earned_cents
    from post_media pm join posts p on p.id = pm.post_id where pm.media_id = $1 order by p.id desc`,
};
const LIST_POST_IDS: SqlStatement = {
  name: 'posts-of-media',
  text: 'select media_id, post_id from post_media where media_id = any($1::uuid[])',
};

type UseRow = {
  id: string;
  caption: string;
  created_at: Date;
  price_cents: number;
  is_removed: boolean;
  buyer_count: number;
  earned_cents: number;
};

export function registerPostMediaUses(ctx: Context): void {
  registerMediaUseReader(ctx, 'post', {
    listMediaUses: async (mediaId) => {
      const rows = await ctx.db.run<UseRow>(USES, [mediaId]);
      return rows.map((row) => ({
        kind: 'post',
        href: toPostUri(row.id)[0] ?? '',
        title: toPostTitle(row.caption),
        createdAt: row.created_at.toISOString(),
        price: toUsd(row.price_cents),
        isRemoved: row.is_removed,
        buyerCount: row.buyer_count,
        earned: toUsd(row.earned_cents),
      }));
    },
    listPostIds: async (mediaIds) => {
      const rows = await ctx.db.run<{ media_id: string; post_id: string }>(LIST_POST_IDS, [mediaIds]);
      return new Map(rows.map((row) => [row.media_id, row.post_id]));
    },
  });
}

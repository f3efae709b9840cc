import { CATEGORY_COUNT_MAX, type listCategories } from '@stagedoor/contract/content/profiles.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import { CATEGORIES } from '@stagedoor/contract/shared/limits.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { listGeoBlockedIds } from '../../../platform/geo.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { blockedCreatorIdsSql } from '../../identity/blocks/index.ts';
import { presentCover } from '../media/index.ts';

type Row = {
  category: string;
  count: number;
  id: UserId | null;
  username: string;
  key: string;
  width: number;
  height: number;
  thumbhash: string | null;
  x: number;
  y: number;
};

const MAX_CANDIDATES = 24;

/** $1 viewer, $2 categories, $3 creators hidden in the caller's region. */
const LIST_CATEGORIES: SqlStatement = {
  name: 'profiles-categories',
  text: `select g.category, n.count::int, w.* from unnest($2::text[]) with ordinality as g (category, position)
    cross join lateral (select count(*) as count from (select from creators c where c.is_listed and c.category = g.category limit ${CATEGORY_COUNT_MAX}) c) n
    left join lateral (
      select c.user_id as id, u.username, c.cover_key as key, c.cover_width as width, c.cover_height as height, c.cover_thumbhash as thumbhash,
          c.cover_focus_x as x, c.cover_focus_y as y
        from (select * from creators c where c.is_listed and c.category = g.category
            and c.user_id <> all ($3::uuid[] || ${blockedCreatorIdsSql('$1::uuid')}) order by c.follower_count desc, c.user_id desc limit ${MAX_CANDIDATES}) c
          join users u on u.id = c.user_id
        where c.cover_key is not null and c.post_count > 0 order by c.follower_count desc, c.user_id desc limit 1) w on true
    order by g.position`,
};

export async function listCategorySummaries(
  ctx: Context,
  actor: Actor | undefined,
): Promise<ResponseInputOf<typeof listCategories>> {
  const rows = await ctx.db.run<Row>(LIST_CATEGORIES, [actor?.userId ?? null, CATEGORIES, listGeoBlockedIds()]);
  const rowsByCategory = new Map(rows.map((row) => [row.category, row]));
  return {
    data: CATEGORIES.map((category) => {
      const row = rowsByCategory.get(category);
      return {
        category,
        count: row?.count ?? 0,
        cover:
          row && row.id !== null
            ? { id: row.id, username: row.username, picture: presentCover(row, ''), focus: { x: row.x, y: row.y } }
            : null,
      };
    }),
  };
}

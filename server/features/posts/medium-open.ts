import type { Executor, Statement } from '../../kernel/db.ts';
import { isHiddenHere } from '../../kernel/places.ts';
import { joinRight } from './hydrate.ts';

const IS_MEDIUM_OPEN: Statement = {
  name: 'posts-is-medium-open',
  text: `select p.creator_id, e.source = 'purchase' or exists (select from post_purchases b where b.fan_id = $1::uuid and b.post_id = p.id
      and b.revoked_at is null) as is_bought
    from post_media pm join posts p on p.id = pm.post_id join users u on u.id = p.creator_id ${joinRight('$1::uuid')}
    where pm.media_id = $2 and e.source is not null`,
};

export async function isMediumOpen(db: Executor, viewerId: string, mediaId: string): Promise<boolean> {
  const rows = await db.run<{ creator_id: string; is_bought: boolean }>(IS_MEDIUM_OPEN, [viewerId, mediaId]);
  return rows.some((row) => row.is_bought || !isHiddenHere(row.creator_id));
}

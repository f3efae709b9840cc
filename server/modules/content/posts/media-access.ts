import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { isGeoBlocked } from '../../../platform/geo.ts';
import { joinAccess } from './hydrate.ts';

const CAN_VIEW_MEDIA: SqlStatement = {
  name: 'posts-is-medium-open',
  text: `select p.creator_id, e.source = 'purchase' or exists (select from post_purchases b where b.fan_id = $1::uuid and b.post_id = p.id
      and b.revoked_at is null) as is_bought
    from post_media pm join posts p on p.id = pm.post_id join users u on u.id = p.creator_id ${joinAccess('$1::uuid')}
    where pm.media_id = $2 and e.source is not null`,
};

export async function canViewMedia(db: Executor, viewerId: string, mediaId: string): Promise<boolean> {
  const rows = await db.run<{ creator_id: string; is_bought: boolean }>(CAN_VIEW_MEDIA, [viewerId, mediaId]);
  return rows.some((row) => row.is_bought || !isGeoBlocked(row.creator_id));
}

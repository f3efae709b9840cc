import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { isGeoBlocked } from '../../../platform/geo.ts';
import type { Entitlement } from '../entitlements/index.ts';
import { markOpened } from '../subscriptions/index.ts';
import { joinAccess } from './hydrate.ts';

const CAN_VIEW_MEDIA: SqlStatement = {
  name: 'posts-is-medium-open',
  text: `select p.creator_id, e.source, e.source = 'purchase' or exists (select from post_purchases b where b.fan_id = $1::uuid and b.post_id = p.id
      and b.revoked_at is null) as is_bought
    from post_media pm join posts p on p.id = pm.post_id join users u on u.id = p.creator_id ${joinAccess('$1::uuid')}
    where pm.media_id = $2 and e.source is not null`,
};

type OpenRow = { creator_id: string; source: Entitlement; is_bought: boolean };

/**
 * Also notes what only a subscription opens, because its last charge can then not be refunded any more. The result is
 * cached (media/delivery/access.ts), so this is not written for each part of a film.
 */
export async function canViewMedia(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  viewerId: string,
  mediaId: string,
): Promise<boolean> {
  const rows = await db.run<OpenRow>(CAN_VIEW_MEDIA, [viewerId, mediaId]);
  const open = rows.filter((row) => row.is_bought || !isGeoBlocked(row.creator_id));
  const [first] = open;
  if (first && open.every(({ source, is_bought }) => source === 'subscription' && !is_bought))
    await markOpened(db, viewerId, first.creator_id, clock.now());
  return first !== undefined;
}

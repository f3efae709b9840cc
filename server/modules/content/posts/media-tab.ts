import type { listCreatorMedia } from '@stagedoor/contract/content/posts.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { isId, type PostId } from '@stagedoor/contract/shared/ids.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { LAST_ID, parseOffset, toCursor } from '../../../platform/database/pagination.ts';
import type { Actor } from '../../../platform/security/session.ts';
import type { Entitlement } from '../entitlements/index.ts';
import { presentPostMedia } from '../media/index.ts';
import { openingTierSql } from '../subscription-tiers/index.ts';
import { joinAccess, type PostMediaMetadata, parseOpeningTier } from './hydrate.ts';
import { presentOpeningTier, toPostTitle } from './present.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

type Row = {
  post_id: PostId;
  caption: string;
  price_cents: number;
  entitlement: Entitlement;
  media_json: string;
  position: number;
  opening_tier_json: string | null;
};

/** $1 viewer, $2 creator, $3 and $4 the post and position to continue after, $5 kind or null, $6 skip, $7 limit. */
const LIST_POSTED_MEDIA: SqlStatement = {
  name: 'posts-posted-media',
  text: `select p.id as post_id, p.caption, p.price_cents, m.media_json::text as media_json, m.position::int as position,
    e.source as entitlement,
  case when e.source is null then ${openingTierSql('p.creator_id', 'p.container_id')} end as opening_tier_json
  from posts p join users u on u.id = p.creator_id ${joinAccess('$1::uuid')} cross join lateral json_array_elements(p.media_metadata::json) with ordinality as m (media_json, position)
  where p.creator_id = $2 and p.removed_at is null and p.id <= $3::uuid and (p.id < $3::uuid or m.position > $4::int)
    and ($5::text is null or m.media_json ->> 'kind' = $5)
  order by p.id desc, m.position offset $6 limit $7`,
};

function parseCursor(offset: string): { skip: number; postId: string; position: number } {
  const { skip, after } = parseOffset(offset);
  if (after === undefined) return { skip, postId: LAST_ID, position: 0 };
  const [postId = '', position = ''] = after.split(' ');
  if (!isId(postId) || !/^\d{1,4}$/.test(position)) throw createFieldError('offset', texts.invalidOffset);
  return { skip, postId, position: Number(position) };
}

function parseMediaJson({ media_json }: Row): PostMediaMetadata {
  return JSON.parse(media_json);
}

/**
 * Throws NOT_FOUND if the user is not a creator, is blocked (except for themselves) or is in a blocked pair with the
 * viewer.
 */
export async function listPostedMedia(
  ctx: Context,
  actor: Actor | undefined,
  creatorId: string,
  { limit, offset, kind }: QueryOf<typeof listCreatorMedia>,
): Promise<ResponseInputOf<typeof listCreatorMedia>> {
  const viewerId = actor?.userId ?? null;
  const { skip, postId, position } = parseCursor(offset);
  const mediaKind = kind === 'all' ? null : kind;
  const [creator, rows] = await Promise.all([
    store.findPostCreator(ctx.db, viewerId, creatorId),
    ctx.db.run<Row>(LIST_POSTED_MEDIA, [viewerId, creatorId, postId, position, mediaKind, skip, limit + 1]),
  ]);
  if (!creator || (creator.is_blocked && creatorId !== viewerId)) throw new AppError('NOT_FOUND');
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map((row) => {
      const isUnlocked = row.entitlement !== null;
      const metadata = parseMediaJson(row);
      return {
        postId: row.post_id,
        title: toPostTitle(row.caption),
        price: toUsd(row.price_cents),
        isUnlocked,
        isPurchased: row.entitlement === 'purchase',
        subscription: presentOpeningTier(parseOpeningTier(row)),
        media: presentPostMedia(metadata, metadata.alt, isUnlocked),
      };
    }),
    limit,
    ...(rows.length > limit && last ? { nextOffset: toCursor(`${last.post_id} ${last.position}`) } : {}),
  };
}

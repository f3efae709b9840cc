import type { ContinueWatchingItem, listContinueWatching } from '@stagedoor/contract/content/posts.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { mediaId } from '@stagedoor/contract/shared/ids.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { parseOffset } from '../../../platform/database/pagination.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { listPositions } from '../media/index.ts';
import { isVisible } from './access.ts';
import { createPostsStatement, queryPosts } from './hydrate.ts';
import { presentPost } from './present.ts';
import * as texts from './texts.ts';

const MAX_POSITIONS = 200;

const BY_MEDIA = createPostsStatement(
  'posts-continued',
  'select pm.post_id as id, pm.media_id from post_media pm where pm.media_id = any($2::uuid[])',
  { extra: ', page.media_id' },
);

/** Media that are not open to the fan any more, or that no post contains, are left out. */
export async function listContinueWatchingItems(
  ctx: Context,
  actor: Actor,
  { limit, offset }: QueryOf<typeof listContinueWatching>,
): Promise<ResponseInputOf<typeof listContinueWatching>> {
  const { skip, after } = parseOffset(offset);
  if (after !== undefined) throw createFieldError('offset', texts.invalidOffset);
  const positions = await listPositions(ctx.db, actor.userId, MAX_POSITIONS);
  const ids = positions.map((position) => position.media_id);
  const rows = ids.length === 0 ? [] : await queryPosts<{ media_id: string }>(ctx.db, BY_MEDIA, [actor.userId, ids]);
  const rowsByMedia = new Map(rows.map((row) => [row.media_id, row]));
  const all = positions.flatMap(({ media_id, seconds, updated_at }): ContinueWatchingItem[] => {
    const row = rowsByMedia.get(media_id);
    if (!row || !isVisible(row) || row.entitlement === null) return [];
    const post = presentPost(row);
    return [{ post, mediaId: z.parse(mediaId, media_id), seconds, watchedAt: updated_at.toISOString() }];
  });
  const end = skip + limit;
  return { data: all.slice(skip, end), limit, ...(all.length > end ? { nextOffset: String(end) } : {}) };
}

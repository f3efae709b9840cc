import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import { mediaId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { Continued, listContinueWatching } from '@stagedoor/contract/posts.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { readOffset } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import { listPositions } from '../media/index.ts';
import { isVisible } from './access.ts';
import { postsStatement, readPosts } from './hydrate.ts';
import { presentPost } from './present.ts';

const MOST = 200;

const OF_MEDIA = postsStatement(
  'posts-continued',
  'select pm.post_id as id, pm.media_id from post_media pm where pm.media_id = any($2::uuid[])',
  { extra: ', page.media_id' },
);

/** Media that are not open to the fan any more, or that no post contains, are left out. */
export async function listContinued(
  ctx: Context,
  actor: Actor,
  { limit, offset }: QueryOf<typeof listContinueWatching>,
): Promise<AnswerOf<typeof listContinueWatching>> {
  const { skip, after } = readOffset(offset);
  if (after !== undefined) throw invalid('offset', 'Invalid offset');
  const positions = await listPositions(ctx.db, actor.userId, MOST);
  const ids = positions.map((position) => position.media_id);
  const rows = ids.length === 0 ? [] : await readPosts<{ media_id: string }>(ctx.db, OF_MEDIA, [actor.userId, ids]);
  const byMedia = new Map(rows.map((row) => [row.media_id, row]));
  const all = positions.flatMap(({ media_id, seconds, updated_at }): Continued[] => {
    const row = byMedia.get(media_id);
    if (!row || !isVisible(row) || row.entitlement === null) return [];
    const post = presentPost(row);
    return [{ post, mediaId: z.parse(mediaId, media_id), seconds, watchedAt: updated_at.toISOString() }];
  });
  const end = skip + limit;
  return { data: all.slice(skip, end), limit, ...(all.length > end ? { nextOffset: String(end) } : {}) };
}

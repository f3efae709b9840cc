import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { createPostsStatement, isVisible, presentPost, queryPosts } from '../../content/posts/index.ts';

const BY_IDS = createPostsStatement('wallet-posts', 'select unnest($2::uuid[]) as id');

export async function loadPostTitles(
  ctx: { db: Executor },
  ids: Iterable<string | null>,
): Promise<Map<string, string>> {
  const wantedIds = [...new Set([...ids].filter((id) => id !== null))];
  if (wantedIds.length === 0) return new Map();
  const rows = await queryPosts(ctx.db, BY_IDS, [null, wantedIds]);
  return new Map(rows.map((row) => [row.id, presentPost(row).title]));
}

export async function isVisiblePostOf(
  ctx: Context,
  post: { postId: string; creatorId: string; fanId: string },
): Promise<boolean> {
  const [row] = await queryPosts(ctx.db, BY_IDS, [post.fanId, [post.postId]]);
  return row?.creator_id === post.creatorId && isVisible(row);
}

import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { isVisible, postsStatement, presentPost, readPosts } from '../posts/index.ts';

const BY_IDS = postsStatement('wallet-posts', 'select unnest($2::uuid[]) as id');

export async function postTitles(ctx: { db: Executor }, ids: Iterable<string | null>): Promise<Map<string, string>> {
  const wanted = [...new Set([...ids].filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const rows = await readPosts(ctx.db, BY_IDS, [null, wanted]);
  return new Map(rows.map((row) => [row.id, presentPost(row).title]));
}

export async function isPostOf(
  ctx: Context,
  post: { postId: string; creatorId: string; fanId: string },
): Promise<boolean> {
  const [row] = await readPosts(ctx.db, BY_IDS, [post.fanId, [post.postId]]);
  return row?.creator_id === post.creatorId && isVisible(row);
}

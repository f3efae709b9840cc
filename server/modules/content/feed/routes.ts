/** Route of the feed: posts of followed creators, newest first (row C2). */
import { getFeed } from '@stagedoor/contract/content/feed.ts';
import { parseIdOffset, toCursor } from '../../../platform/database/pagination.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { type StoredPost, serializePost } from '../posts/index.ts';
import { registerFeedHandlers } from './handlers.ts';
import { listFeedPosts } from './store.ts';

/** A removed post stays in timelines until its removal job has run. */
function isVisibleInFeed(row: StoredPost): boolean {
  return row.removed_at === null && !row.is_blocked;
}

export function register({ ctx, bind }: ModuleHost): void {
  registerFeedHandlers(ctx);
  bind(getFeed, async ({ actor, query: { limit, offset, type } }) => {
    const page = { ...parseIdOffset(offset), type: type === 'all' ? null : type, limit: limit + 1 };
    const rows = await listFeedPosts(ctx.db, actor.userId, page);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      data: shown.filter(isVisibleInFeed).map(serializePost),
      limit,
      ...(rows.length > limit && last ? { nextOffset: toCursor(last.id) } : {}),
    };
  });
}

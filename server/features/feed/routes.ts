/** Route of the feed: posts of followed creators, newest first (row C2). */
import { feed } from '@stagedoor/contract/feed.ts';
import type { Server } from '../../kernel/bind.ts';
import { cursorOf, readIdOffset } from '../../kernel/offset.ts';
import { type StoredPost, writePost } from '../posts/index.ts';
import { registerReactions } from './reactions.ts';
import { readFeed } from './store.ts';

/** A removed post stays in timelines until its removal job has run. */
function isShown(row: StoredPost): boolean {
  return row.removed_at === null && !row.is_blocked;
}

export function register({ ctx, bind }: Server): void {
  registerReactions(ctx);
  bind(feed, async ({ actor, query: { limit, offset, type } }) => {
    const page = { ...readIdOffset(offset), type: type === 'all' ? null : type, limit: limit + 1 };
    const rows = await readFeed(ctx.db, actor.userId, page);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      data: shown.filter(isShown).map(writePost),
      limit,
      ...(rows.length > limit && last ? { nextOffset: cursorOf(last.id) } : {}),
    };
  });
}

/**
 * Releases the files of a post that was removed unsold. A sale does not lock its post, because the row of a popular
 * post would become a hot spot. So the check for sales waits until every transaction that may have seen the post on
 * offer has ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { releaseMedia } from '../media/index.ts';
import * as store from './store.ts';

const BEGUN: Statement = {
  name: 'posts-transactions-begun',
  text: 'select pg_snapshot_xmax(pg_current_snapshot())::text as begun',
};
const IS_OVER: Statement = {
  name: 'posts-transactions-over',
  text: 'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as is_over',
};
const LOOKS = { times: 50, everyMs: 100 } as const;

/** Throws when a transaction takes longer than five seconds. */
async function transactionsOver(db: Executor): Promise<void> {
  const [now] = await db.run<{ begun: string }>(BEGUN, []);
  for (let look = 0; look < LOOKS.times; look += 1) {
    const [found] = await db.run<{ is_over: boolean }>(IS_OVER, [now?.begun]);
    if (found?.is_over) return;
    await sleep(LOOKS.everyMs);
  }
  throw new Error('a transaction goes on that may sell what was taken down');
}

/** Idempotent. Does nothing for a sold post. */
export async function giveBack(ctx: Context, postId: string): Promise<void> {
  await transactionsOver(ctx.db);
  await ctx.db.transaction(async (tx) => {
    await store.lockPost(tx, postId);
    await releaseMedia(tx, await store.emptyUnsold(tx, postId));
  });
}

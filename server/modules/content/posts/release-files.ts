/**
 * Releases the files of a post that was removed unsold. A sale does not lock its post, because the row of a popular
 * post would become a hot spot. So the check for sales waits until every transaction that may have seen the post on
 * offer has ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { releaseMedia } from '../media/index.ts';
import * as store from './store.ts';

const NEWEST_TRANSACTION: SqlStatement = {
  name: 'posts-transactions-newest',
  text: 'select pg_snapshot_xmax(pg_current_snapshot())::text as newest',
};
const ARE_TRANSACTIONS_OVER: SqlStatement = {
  name: 'posts-transactions-over',
  text: 'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as are_over',
};
const POLLING = { times: 50, everyMs: 100 } as const;

/** Throws when a transaction takes longer than five seconds. */
async function waitForTransactions(db: Executor): Promise<void> {
  const [current] = await db.run<{ newest: string }>(NEWEST_TRANSACTION, []);
  for (let attempt = 0; attempt < POLLING.times; attempt += 1) {
    const [state] = await db.run<{ are_over: boolean }>(ARE_TRANSACTIONS_OVER, [current?.newest]);
    if (state?.are_over) return;
    await sleep(POLLING.everyMs);
  }
  throw new Error('a transaction goes on that may sell what was taken down');
}

/** Idempotent. Does nothing for a sold post. */
export async function releaseFiles(ctx: Context, postId: string): Promise<void> {
  await waitForTransactions(ctx.db);
  await ctx.db.transaction(async (tx) => {
    await store.lockPost(tx, postId);
    await releaseMedia(tx, await store.detachUnsoldMedia(tx, postId));
  });
}

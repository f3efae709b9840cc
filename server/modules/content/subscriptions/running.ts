/** Runs a change on many running subscriptions, in batches that are resumed from a cursor. */
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql } from '../../../platform/database/pagination.ts';
import * as store from './store.ts';

const BATCH_SIZE = 100;

const listRunning = (name: string, column: string): SqlStatement => ({
  name,
  text: `select id from subscriptions where ${column} = $1 and ended_at is null and ${afterIdSql('id', '$2')} order by id limit $3`,
});
const LIST_RUNNING = {
  fan: listRunning('subscriptions-running-of-fan', 'fan_id'),
  creator: listRunning('subscriptions-running-of-creator', 'creator_id'),
  tier: listRunning('subscriptions-running-of-tier', 'tier_id'),
  payer: listRunning('subscriptions-running-of-payer', 'payer_id'),
} as const;

export type RunningChange = (tx: DbTransaction, row: store.SubscriptionRow) => Promise<void>;

/** Changes a subscription under the lock of its row, unless it has ended. */
export async function changeRunning(ctx: Pick<Context, 'db'>, id: string, change: RunningChange): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const row = await store.lockSubscription(tx, id);
    if (row && !row.ended_at) await change(tx, row);
  });
}

/**
 * Changes the next running subscriptions of a fan, creator or tier, each in its own transaction. Returns the cursor, or
 * null at the end.
 */
export async function changeNextRunning(
  ctx: Pick<Context, 'db'>,
  { side, ownerId, after }: { side: keyof typeof LIST_RUNNING; ownerId: string; after: string | null },
  change: RunningChange,
): Promise<string | null> {
  const rows = await ctx.db.run<{ id: string }>(LIST_RUNNING[side], [ownerId, after, BATCH_SIZE]);
  for (const { id } of rows) await changeRunning(ctx, id, change);
  return rows.length < BATCH_SIZE ? null : (rows.at(-1)?.id ?? null);
}

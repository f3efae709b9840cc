/** Finds uploads whose processing job is gone, for example after a crash at its last attempt. */
import type { Context } from '../../../../platform/context.ts';
import type { SqlStatement } from '../../../../platform/database/db.ts';
import { enqueueProcessing, listProcessingJobKeys } from '../jobs/queue.ts';
import type { MediaKind } from '../store.ts';

/** This is longer than an upload is without its job in normal operation. */
const STUCK_AFTER_MS = 60 * 60_000;
const BATCH_SIZE = 500;

const LIST_OLD_PROCESSING: SqlStatement = {
  name: 'media-waiting',
  text: `select id, kind from media where status = 'processing' and created_at < $1 and id > $2::uuid order by id limit $3`,
};

export async function requeueStuckUploads(ctx: Context): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - STUCK_AFTER_MS);
  let after = '00000000-0000-0000-0000-000000000000';
  let count = 0;
  for (;;) {
    const rows = await ctx.db.run<{ id: string; kind: MediaKind }>(LIST_OLD_PROCESSING, [before, after, BATCH_SIZE]);
    const pendingKeys = await ctx.jobs.pending(rows.flatMap(({ id }) => listProcessingJobKeys(id)));
    for (const { id, kind } of rows) {
      if (listProcessingJobKeys(id).some((key) => pendingKeys.has(key))) continue;
      await ctx.db.transaction((tx) => enqueueProcessing(ctx, tx, id, kind));
      ctx.log.warn({ mediaId: id }, 'the job of an upload was gone and is enqueued again');
      count += 1;
    }
    const last = rows.at(-1);
    if (!last) return count;
    after = last.id;
  }
}

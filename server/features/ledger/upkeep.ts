/** What the ledger does by itself: sums up what came in, clears what is due, gives expired holds back. */

import type { Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import { clearDue } from './clearing.ts';
import { releaseExpiredHolds } from './holds.ts';
import { rollInflows } from './post.ts';

async function rollAll(ctx: Context): Promise<void> {
  while ((await rollInflows(ctx.db)) > 0) {}
}

/** Schedules the upkeep. Each task is safe to run anywhere, any number of times. */
export function register({ ctx }: Server): void {
  ctx.jobs.schedule('ledger.roll', '* * * * *', () => rollAll(ctx));
  ctx.jobs.schedule('ledger.releaseExpired', '* * * * *', async () => {
    await releaseExpiredHolds(ctx.db, ctx.clock.now());
  });
  ctx.jobs.schedule('ledger.clear', '*/5 * * * *', async () => {
    await clearDue(ctx.db, ctx.clock.now());
  });
}

import type { Context } from '../../../platform/context.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { clearDue } from './clearing.ts';
import { releaseExpiredHolds } from './holds.ts';
import { sumInflows } from './post.ts';

async function sumAllInflows(ctx: Context): Promise<void> {
  while ((await sumInflows(ctx.db)) > 0) {}
}

/** Every job is safe to run concurrently and repeatedly. */
export function register({ ctx }: ModuleHost): void {
  ctx.jobs.schedule('ledger.roll', '* * * * *', () => sumAllInflows(ctx));
  ctx.jobs.schedule('ledger.releaseExpired', '* * * * *', async () => {
    await releaseExpiredHolds(ctx.db, ctx.clock.now());
  });
  ctx.jobs.schedule('ledger.clear', '*/5 * * * *', async () => {
    await clearDue(ctx.db, ctx.clock.now());
  });
}

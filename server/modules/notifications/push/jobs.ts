/** The jobs that send pushes, one per rank, so that urgent pushes do not wait for others. */
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { defineJob } from '../../../platform/jobs/jobs.ts';
import { getPushRank, NORMAL_RANK, type PushRank, RING_RANK, URGENT_RANK } from './delivery-policy.ts';

export const JOBS_BY_RANK = {
  [RING_RANK]: defineJob('push.sendRings', z.object({})),
  [URGENT_RANK]: defineJob('push.sendUrgent', z.object({})),
  [NORMAL_RANK]: defineJob('push.sendNormal', z.object({})),
} as const;

export async function schedulePushes(
  ctx: Pick<Context, 'jobs'>,
  db: Executor,
  rank: PushRank,
  runAt?: Date,
): Promise<void> {
  const spec = JOBS_BY_RANK[rank];
  // Pushes that are due later must not delay those that are due now, so they have a key of their own.
  const options = runAt ? { key: `${spec.name}.later`, runAt } : { key: spec.name };
  await ctx.jobs.add(db, spec, {}, options);
}

export const schedulePushesOfKind = (ctx: Pick<Context, 'jobs'>, db: Executor, kind: string) =>
  schedulePushes(ctx, db, getPushRank(kind));

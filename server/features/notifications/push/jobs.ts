/** The jobs that send pushes, one per rank, so that urgent pushes do not wait for others. */
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import type { Executor } from '../../../kernel/db.ts';
import { job } from '../../../kernel/jobs.ts';
import { HURRIES, OTHERS, type Rank, RINGS, rankOf } from './ways.ts';

export const JOB_OF = {
  [RINGS]: job('push.rings', z.object({})),
  [HURRIES]: job('push.urgent', z.object({})),
  [OTHERS]: job('push.others', z.object({})),
} as const;

export async function sendSoon(ctx: Pick<Context, 'jobs'>, db: Executor, rank: Rank, runAt?: Date): Promise<void> {
  const spec = JOB_OF[rank];
  // Pushes that are due later must not delay those that are due now, so they have a key of their own.
  const options = runAt ? { key: `${spec.name}.later`, runAt } : { key: spec.name };
  await ctx.jobs.add(db, spec, {}, options);
}

export const sendKind = (ctx: Pick<Context, 'jobs'>, db: Executor, kind: string) => sendSoon(ctx, db, rankOf(kind));

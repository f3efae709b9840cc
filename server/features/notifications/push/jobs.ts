/** The jobs that push: what hurries has one of its own, so that it never waits behind what thousands are told. */
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import type { Executor } from '../../../kernel/db.ts';
import { job } from '../../../kernel/jobs.ts';
import { type Rank, rankOf } from './ways.ts';

export const URGENT = job('push.urgent', z.object({}));
export const OTHERS = job('push.others', z.object({}));

/** Has what is due sent after the caller's transaction, or at an instant. */
export async function sendSoon(ctx: Pick<Context, 'jobs'>, db: Executor, rank: Rank, runAt?: Date): Promise<void> {
  const spec = rank === 0 ? URGENT : OTHERS;
  // What is due later must not put off what is due now.
  const options = runAt ? { key: `${spec.name}.later`, runAt } : { key: spec.name };
  await ctx.jobs.add(db, spec, {}, options);
}

export const sendKind = (ctx: Pick<Context, 'jobs'>, db: Executor, kind: string) => sendSoon(ctx, db, rankOf(kind));

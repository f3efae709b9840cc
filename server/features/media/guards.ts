/** What keeps an unused medium from being deleted: rooms above say what they hold of it. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';

/** Why that medium stays, in a sentence for its owner; nothing when it may go. */
export type DeletionGuard = (db: Executor, mediaId: string) => Promise<string | undefined>;

const guardsOf = new WeakMap<Context, Map<string, DeletionGuard>>();

/** Registers what a room holds; once each by `name`. */
export function guardDeletion(ctx: Context, name: string, guard: DeletionGuard): void {
  const guards = guardsOf.get(ctx) ?? new Map<string, DeletionGuard>();
  if (guards.has(name)) throw new Error(`media of ${name} are guarded twice`);
  guards.set(name, guard);
  guardsOf.set(ctx, guards);
}

/** Throws CONFLICT while a room holds that medium. */
export async function requireUnheld(ctx: Context, db: Executor, mediaId: string): Promise<void> {
  for (const guard of guardsOf.get(ctx)?.values() ?? []) {
    const words = await guard(db, mediaId);
    if (words) throw new AppError('CONFLICT', { message: words });
  }
}

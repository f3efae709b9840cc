/** Other modules prevent the deletion of media that they use. */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';

/** Returns the reason as a message for the owner, or undefined if the medium may be deleted. */
export type DeletionGuard = (db: Executor, mediaId: string) => Promise<string | undefined>;

const guardsByContext = new WeakMap<Context, Map<string, DeletionGuard>>();

export function registerDeletionGuard(ctx: Context, name: string, guard: DeletionGuard): void {
  const guards = guardsByContext.get(ctx) ?? new Map<string, DeletionGuard>();
  if (guards.has(name)) throw new Error(`media of ${name} are guarded twice`);
  guards.set(name, guard);
  guardsByContext.set(ctx, guards);
}

/** Throws CONFLICT while a module uses the medium. */
export async function requireDeletable(ctx: Context, db: Executor, mediaId: string): Promise<void> {
  for (const guard of guardsByContext.get(ctx)?.values() ?? []) {
    const message = await guard(db, mediaId);
    if (message) throw new AppError('CONFLICT', { message });
  }
}

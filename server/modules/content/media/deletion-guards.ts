/** Other modules prevent the deletion of media that they use. */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { defineKeyedHook, type HookContext } from '../../../platform/hooks.ts';

/** Returns the reason as a message for the owner, or undefined if the medium may be deleted. */
export type DeletionGuard = (db: Executor, mediaId: string) => Promise<string | undefined>;

const deletionGuards = defineKeyedHook<DeletionGuard>('media.deletionGuard');
export const registerDeletionGuard = deletionGuards.register;

/** Throws CONFLICT while a module uses the medium. */
export async function requireDeletable(ctx: HookContext, db: Executor, mediaId: string): Promise<void> {
  for (const guard of deletionGuards.list(ctx)) {
    const message = await guard(db, mediaId);
    if (message) throw new AppError('CONFLICT', { message });
  }
}

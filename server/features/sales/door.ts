/**
 * Seller eligibility: every module that lets creators charge money calls this check. Content that is already for sale
 * stays on sale.
 */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';

/** Returns why a creator may not sell, as a sentence that starts with `what` ("Paid posts"), or undefined. */
export type DoorKeeper = (db: Executor, creatorId: string, what: string) => Promise<string | undefined>;

const keepers = new WeakMap<Context, DoorKeeper>();

/** Registers the check. Only one module may do so. */
export function keepDoor(ctx: Context, keeper: DoorKeeper): void {
  if (keepers.has(ctx)) throw new Error('the door of who sells is kept already');
  keepers.set(ctx, keeper);
}

/** Throws NOT_VERIFIED while a creator may not sell, on `field` if it is given. */
export async function requireOpenDoor(
  ctx: Context,
  db: Executor,
  creatorId: string,
  { what, field }: { what: string; field?: string },
): Promise<void> {
  const keeper = keepers.get(ctx);
  if (!keeper) throw new Error('nobody keeps the door of who sells');
  const message = await keeper(db, creatorId, what);
  if (message === undefined) return;
  const error = field === undefined ? undefined : [{ field, message }];
  throw new AppError('NOT_VERIFIED', { message, href: PATHS.creatorVerification, ...(error && { error }) });
}

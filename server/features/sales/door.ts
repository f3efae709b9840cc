/**
 * The door of who sells: every room above that lets a creator ask for money goes through it, and who knows when it is closed says so
 * here. What is for sale already goes on selling.
 */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';

/** Why a creator's door is closed, in a sentence that begins with what waits ("Paid posts"); nothing when it is open. */
export type DoorKeeper = (db: Executor, creatorId: string, what: string) => Promise<string | undefined>;

const keepers = new WeakMap<Context, DoorKeeper>();

/** Names who says whether a creator may sell; there is one. */
export function keepDoor(ctx: Context, keeper: DoorKeeper): void {
  if (keepers.has(ctx)) throw new Error('the door of who sells is kept already');
  keepers.set(ctx, keeper);
}

/** Throws NOT_VERIFIED, at the field that asks for money if there is one, while a creator may not sell. */
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

/** Who may see what of money: a fan their own deposits and movements, a creator the sales that paid them. Somebody else's looks like none. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Executor } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { type DepositRow, depositByIdOrOrder } from './deposits-store.ts';
import { findLine, type LineRow } from './statement-store.ts';

/** The actor's own deposit, by its id or by its order's. Throws NOT_FOUND. */
export async function ownDeposit(db: Executor, actor: Actor, id: string): Promise<DepositRow> {
  const unsafeDeposit = await depositByIdOrOrder(db, id);
  if (!unsafeDeposit || unsafeDeposit.fan_id !== actor.userId) throw new AppError('NOT_FOUND');
  return unsafeDeposit;
}

/** A movement of the actor's own wallet, or a sale that paid them. Throws NOT_FOUND. */
export async function accessLine(db: Executor, actor: Actor, id: string): Promise<LineRow & { owner_id: string }> {
  const unsafeLine = await findLine(db, id);
  const isTheirs = unsafeLine?.owner_id === actor.userId;
  const isSale = unsafeLine?.reverses_id === null && unsafeLine.creator_id === actor.userId;
  if (!unsafeLine || !(isTheirs || isSale)) throw new AppError('NOT_FOUND');
  return unsafeLine;
}

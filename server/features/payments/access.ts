import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Executor } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { type DepositRow, depositByIdOrOrder } from './deposits-store.ts';

/** Returns a deposit of the actor by its own id or its order id. Throws NOT_FOUND. */
export async function ownDeposit(db: Executor, actor: Actor, id: string): Promise<DepositRow> {
  const unsafeDeposit = await depositByIdOrOrder(db, id);
  if (!unsafeDeposit || unsafeDeposit.fan_id !== actor.userId) throw new AppError('NOT_FOUND');
  return unsafeDeposit;
}

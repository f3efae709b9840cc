import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Executor } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { type DepositRow, findDepositByIdOrOrder } from './store.ts';

/** Returns a deposit of the actor by its own id or its order id. Throws NOT_FOUND. */
export async function getOwnDeposit(db: Executor, actor: Actor, id: string): Promise<DepositRow> {
  const unsafeDeposit = await findDepositByIdOrOrder(db, id);
  if (!unsafeDeposit || unsafeDeposit.fan_id !== actor.userId) throw new AppError('NOT_FOUND');
  return unsafeDeposit;
}

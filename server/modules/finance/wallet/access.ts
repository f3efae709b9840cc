import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Executor } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findSale, findStatementLine, type Sale, type StatementLine } from '../../commerce/sales/index.ts';

/** Returns a movement of the actor's own wallet. Throws NOT_FOUND. */
export async function accessOwnLine(db: Executor, actor: Actor, transactionId: string): Promise<StatementLine> {
  const line = await findStatementLine(db, actor.userId, transactionId);
  if (!line) throw new AppError('NOT_FOUND');
  return line;
}

/** Returns a sale of the actor as creator. Throws NOT_FOUND. */
export async function accessOwnSale(db: Executor, actor: Actor, id: string): Promise<Sale> {
  const unsafeSale = await findSale(db, id);
  if (!unsafeSale || unsafeSale.creatorId !== actor.userId) throw new AppError('NOT_FOUND');
  return unsafeSale;
}

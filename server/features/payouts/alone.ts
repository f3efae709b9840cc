/** Whether an operator works with money alone: then what takes two people is done by one, and the audit log says who. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { operatorMay } from '@stagedoor/contract/operator-rights.ts';
import { decidePayout } from '@stagedoor/contract/payout-desk.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { lockOperators } from '../accounts/index.ts';
import { lastOf } from '../audit/index.ts';

/** Throws FORBIDDEN when an operator decides on money of their own. */
export function requireAnothers({ user_id: userId }: { user_id: string }, operatorId: string): void {
  if (userId === operatorId)
    throw new AppError('FORBIDDEN', { message: 'This is your own payout: another operator decides on it.' });
}

/** Nobody becomes alone by sending the others away: it takes so long until that counts. */
const SINCE_MS = 7 * 24 * 60 * 60_000;

/** Whether nobody else may decide on payouts, and nobody lost a role within the last days. Nobody's roles change until the transaction ends. */
export async function isAlone(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  operatorId: string,
): Promise<boolean> {
  for (const [id, roles] of await lockOperators(tx))
    if (id !== operatorId && operatorMay(roles, decidePayout)) return false;
  const changedAt = await lastOf(tx, ['operator.remove', 'operator.roles']);
  return changedAt === undefined || clock.now().getTime() - changedAt.getTime() > SINCE_MS;
}

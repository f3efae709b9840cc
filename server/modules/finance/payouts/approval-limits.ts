/**
 * Prevents operators from deciding on their own payouts, and detects whether an operator is the only one who can
 * decide. A single operator may then do alone what normally needs two, and the audit log records it.
 */

import { decidePayout } from '@stagedoor/contract/admin/payouts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { isOnlyOperator as isAloneWith } from '../../identity/staff/index.ts';

/** Throws FORBIDDEN when operators decide on their own payout. */
export function requireNotOwnPayout({ user_id: userId }: { user_id: string }, operatorId: string): void {
  if (userId === operatorId)
    throw new AppError('FORBIDDEN', { message: 'This is your own payout. Another operator must decide.' });
}

/**
 * Returns whether no other operator may decide on payouts and no role was removed recently. Locks the roles until the
 * transaction ends.
 */
export const isOnlyApprover = (ctx: Pick<Context, 'clock'>, tx: DbTransaction, operatorId: string): Promise<boolean> =>
  isAloneWith(ctx, tx, operatorId, decidePayout);

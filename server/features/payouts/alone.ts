/** Whose payouts operators decide on, and whether one works with money alone: then what takes two people is done by one, and the audit log says who. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { decidePayout } from '@stagedoor/contract/payout-desk.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { isAlone as isAloneWith } from '../operators/index.ts';

/** Throws FORBIDDEN when an operator decides on money of their own. */
export function requireAnothers({ user_id: userId }: { user_id: string }, operatorId: string): void {
  if (userId === operatorId)
    throw new AppError('FORBIDDEN', { message: 'This is your own payout: another operator decides on it.' });
}

/** Whether nobody else may decide on payouts, and nobody lost a role within the last days. Nobody's roles change until the transaction ends. */
export const isAlone = (ctx: Pick<Context, 'clock'>, tx: Transaction, operatorId: string): Promise<boolean> =>
  isAloneWith(ctx, tx, operatorId, decidePayout);

/** Only accounts that are not blocked and have no debt can be paid. Creators must also be allowed to sell. */
import { closedActivityWords } from '@stagedoor/contract/atoms/activities.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { PayoutSource } from '@stagedoor/contract/payouts.ts';
import type { Executor } from '../../kernel/db.ts';
import { isBlockedAt, keptFrom, requireUser } from '../accounts/index.ts';
import { account, balanceOf } from '../ledger/index.ts';
import { whyClosed } from '../verification/index.ts';
import { sourceOf } from './present.ts';
import type { RequestRow } from './store.ts';

export type Payee = { userId: string; source: PayoutSource };

const BLOCKED = 'This account is blocked.';

/** Returns why a user cannot be paid now, as a sentence for users and operators, or undefined. Throws NOT_FOUND. */
export async function whyNotPaid(db: Executor, payee: Payee, now: Date): Promise<string | undefined> {
  const user = await requireUser(db, payee.userId);
  if (isBlockedAt(user, now)) return BLOCKED;
  const until = keptFrom(user, 'payouts', now);
  if (until !== undefined) return closedActivityWords('payouts', until);
  const isCreator = user.type === 'creator';
  const closed = isCreator ? await whyClosed(db, user.id, 'Payouts') : undefined;
  if (closed !== undefined) return closed;
  const owed = await balanceOf(db, isCreator ? account.receivable(user.id) : account.owed(user.id));
  if (owed > 0)
    return isCreator
      ? 'You have a negative balance from a refund. Your next earnings cover it, then you can request a payout.'
      : 'You owe for a reversed payment. Pay it off in your wallet to request a payout.';
  const taken = payee.source === 'referrals' ? await balanceOf(db, account.affiliateReceivable(user.id)) : 0;
  if (taken > 0)
    return 'Commission you withdrew was reversed. Your next commission covers it, then you can request a payout.';
  return undefined;
}

type Asked = Pick<RequestRow, 'id' | 'user_id' | 'source' | 'invalid_at'>;
export const CAME_BACK = 'A payout to this method was returned. Reject this request.';

export async function heldBack(db: Executor, now: Date, rows: readonly Asked[]): Promise<Map<string, string>> {
  const held = new Map<string, string>();
  const asked = new Map<string, string | undefined>();
  for (const { id, user_id: userId, source: of, invalid_at: invalidAt } of rows) {
    const source = sourceOf(of);
    const key = `${userId} ${source}`;
    if (!asked.has(key)) asked.set(key, await whyNotPaid(db, { userId, source }, now));
    const why = asked.get(key);
    if (invalidAt !== null) held.set(id, CAME_BACK);
    else if (why !== undefined) held.set(id, `The user sees: ${why}`);
  }
  return held;
}

/** Throws when the user cannot be paid: as {@link whyNotPaid}, account_blocked, FORBIDDEN. */
export async function requirePaid(db: Executor, payee: Payee, now: Date): Promise<void> {
  const problem = await whyNotPaid(db, payee, now);
  if (problem === BLOCKED) throw new AppError('account_blocked');
  if (problem !== undefined) throw new AppError('FORBIDDEN', { message: problem });
}

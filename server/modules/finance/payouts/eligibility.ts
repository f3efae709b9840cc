/** Only accounts that are not blocked and have no debt can be paid. Creators must also be allowed to sell. */

import type { PayoutSource } from '@stagedoor/contract/finance/payouts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatRestriction } from '@stagedoor/contract/shared/restrictions.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { findIneligibilityReason } from '../../compliance/verification/index.ts';
import { findRestrictionEnd, isBlockedAt, requireUser } from '../../identity/accounts/index.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { arePayoutsAllowed } from '../../ledger/ledger-checks/index.ts';
import { toPayoutSource } from './present.ts';
import type { RequestRow } from './store.ts';
import * as texts from './texts.ts';

export type Payee = { userId: string; source: PayoutSource };

const BLOCKED = texts.accountBlocked;

/** Returns why a user cannot be paid now, as a sentence for users and operators, or undefined. Throws NOT_FOUND. */
export async function findPayoutProblem(db: Executor, payee: Payee, now: Date): Promise<string | undefined> {
  const user = await requireUser(db, payee.userId);
  if (isBlockedAt(user, now)) return BLOCKED;
  const until = findRestrictionEnd(user, 'payouts', now);
  if (until !== undefined) return formatRestriction('payouts', until);
  const isCreator = user.type === 'creator';
  const sellerProblem = isCreator ? await findIneligibilityReason(db, user.id, 'Payouts') : undefined;
  if (sellerProblem !== undefined) return sellerProblem;
  const owed = await getBalance(db, isCreator ? account.receivable(user.id) : account.owed(user.id));
  if (owed > 0) return isCreator ? texts.negativeRefundBalanceError : texts.reversedPaymentDebtError;
  const owedCommission = payee.source === 'referrals' ? await getBalance(db, account.affiliateReceivable(user.id)) : 0;
  if (owedCommission > 0) return texts.reversedCommissionError;
  return undefined;
}

type HoldCheckRow = Pick<RequestRow, 'id' | 'user_id' | 'source' | 'invalid_at'>;
export const METHOD_RETURNED = texts.rejectReturnedMethodRequest;

export async function listOnHoldReasons(
  db: Executor,
  now: Date,
  rows: readonly HoldCheckRow[],
): Promise<Map<string, string>> {
  const reasons = new Map<string, string>();
  const problems = new Map<string, string | undefined>();
  for (const { id, user_id: userId, source: rawSource, invalid_at: invalidAt } of rows) {
    const source = toPayoutSource(rawSource);
    const key = `${userId} ${source}`;
    if (!problems.has(key)) problems.set(key, await findPayoutProblem(db, { userId, source }, now));
    const problem = problems.get(key);
    if (invalidAt !== null) reasons.set(id, METHOD_RETURNED);
    else if (problem !== undefined) reasons.set(id, `The user sees: ${problem}`);
  }
  return reasons;
}

/** Throws when the user cannot be paid: as {@link findPayoutProblem}, account_blocked, FORBIDDEN. */
export async function requirePayable(db: Executor, payee: Payee, now: Date): Promise<void> {
  const problem = await findPayoutProblem(db, payee, now);
  if (problem === BLOCKED) throw new AppError('account_blocked');
  if (problem !== undefined) throw new AppError('FORBIDDEN', { message: problem });
}

/** Throws CONFLICT while the ledger has an alarm, because no money may be paid out then. */
export async function requireNoLedgerAlarm(db: Executor): Promise<void> {
  if (!(await arePayoutsAllowed(db)))
    throw new AppError('CONFLICT', {
      message: texts.payoutsStoppedByLedgerAlert,
    });
}

/** How many operators must approve a payout, and who did. */

import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { requireEstablishedOperator } from '../../identity/approvals/index.ts';
import { listNewOperators } from '../../identity/staff/index.ts';
import { findPayoutProblem, METHOD_RETURNED, requireNoLedgerAlarm } from './eligibility.ts';
import { isOpen, toPayoutSource } from './present.ts';
import { loadPayoutSettings, type PayoutSettings } from './settings.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

/** Throws FORBIDDEN when operators decide on their own payout. */
export function requireNotOwnPayout({ user_id: userId }: { user_id: string }, operatorId: string): void {
  if (userId === operatorId) throw new AppError('FORBIDDEN', { message: texts.ownPayoutDecisionError });
}

export const getApprovalsForAmount = ({ secondApproverCents }: PayoutSettings, amountCents: number): 1 | 2 =>
  amountCents > secondApproverCents ? 2 : 1;

/**
 * Returns how many operators must approve a request, under the stricter of the limit at the request and the current
 * one.
 */
export const getApprovalsForPayout = (
  { approvals_needed: requiredAtRequest, amount_cents: cents }: { approvals_needed: number; amount_cents: number },
  settings: PayoutSettings,
): number => Math.max(requiredAtRequest, getApprovalsForAmount(settings, cents));

/** An open request that was approved but not released needs one more approval, however many it has. */
export const countApprovalsToRelease = (payout: store.PayoutRow, settings: PayoutSettings, approved: number): number =>
  Math.max(getApprovalsForPayout(payout, settings), isOpen(payout) && approved > 0 ? approved + 1 : 0);

/** Returns false when the operator had already approved it. */
async function addApproval(tx: Executor, payoutId: string, operatorId: string, at: Date): Promise<boolean> {
  const inserted = await tx.query
    .insertInto('payout_approvals')
    .values({ payout_id: payoutId, operator_id: operatorId, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('payout_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function listPayoutApprovals(db: Executor, payoutIds: readonly string[]) {
  if (payoutIds.length === 0) return [];
  return db.query
    .selectFrom('payout_approvals')
    .selectAll()
    .where('payout_id', 'in', payoutIds)
    .orderBy('at')
    .execute();
}

const SUM_SOLE_APPROVED: SqlStatement = {
  name: 'payouts-approved-alone',
  text: `select coalesce(sum(p.amount_cents), 0)::bigint as cents from payout_approvals a join payouts p on p.id = a.payout_id
    where ($1::uuid[] is null or a.operator_id = any ($1)) and p.user_id = $2 and a.at > $3 and (p.status in ('approved', 'transfered') or p.sent_transaction_id is not null)
      and not exists (select from payout_approvals o where o.payout_id = p.id and o.operator_id <> a.operator_id and not o.operator_id = any ($4::uuid[]))`,
};
const LOCK_APPROVALS: SqlStatement = {
  name: 'payouts-approve-one-by-one',
  text: `select pg_advisory_xact_lock(hashtextextended('approve ' || $1, 0))`,
};
/** What operators approve alone for a user within this time is compared with the limit as one sum. */
const SOLE_APPROVAL_WINDOW_MS = 24 * 60 * 60_000;

/**
 * Returns the cents that an operator approved alone for a user recently, whatever happened to them later. New operators
 * do not count as second approvers, so their approvals are added to those of every operator, and everyone's to theirs.
 * Serializes approvals for the same user until the transaction ends.
 */
async function sumSoleApproved(tx: Executor, operatorId: string, userId: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - SOLE_APPROVAL_WINDOW_MS);
  const newOperatorIds = [...(await listNewOperators(tx, since)).keys()];
  await tx.run(LOCK_APPROVALS, [userId]);
  const operatorIds = newOperatorIds.includes(operatorId) ? null : [operatorId, ...newOperatorIds];
  const [sum] = await tx.run<{ cents: number }>(SUM_SOLE_APPROVED, [operatorIds, userId, since, newOperatorIds]);
  return sum?.cents ?? 0;
}

/**
 * Adds an approval and returns whether there are enough. Throws CONFLICT when this operator already approved it, their
 * roles are too new for a second approval, or it may not be paid.
 */
export async function approvePayout(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  operatorId: string,
  payout: store.PayoutRow,
): Promise<boolean> {
  const { id, user_id: userId, amount_cents: cents } = payout;
  const now = ctx.clock.now();
  await requireNoLedgerAlarm(tx);
  const problem = await findPayoutProblem(tx, { userId, source: toPayoutSource(payout.source) }, now);
  if (problem !== undefined)
    throw new AppError('CONFLICT', { message: formatText(texts.payoutNotPayable, { problem }) });
  const request = await store.findPayout(tx, id);
  if (request?.invalid_at) throw new AppError('CONFLICT', { message: METHOD_RETURNED });
  if (!(await addApproval(tx, id, operatorId, now)))
    throw new AppError('CONFLICT', { message: texts.approvalNeedsAnotherOperator });
  const approvals = await listPayoutApprovals(tx, [id]);
  const settings = await loadPayoutSettings(tx);
  const neededTogether = getApprovalsForAmount(settings, (await sumSoleApproved(tx, operatorId, userId, now)) + cents);
  const needed = Math.max(getApprovalsForPayout(payout, settings), neededTogether);
  if (needed > 1) await requireEstablishedOperator(ctx, tx, operatorId);
  return approvals.length >= needed;
}

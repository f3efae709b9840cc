/**
 * A failed or returned payout gives the money back to the user. For a large payout two operators must report this
 * independently. For any other one, the operator who approved it alone cannot also report it alone.
 */

import {
  type AdminPayout,
  decidePayout,
  type recordTransferStep as stepRoute,
} from '@stagedoor/contract/admin/payouts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, Tables } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import { needsSecondOperator } from '../../identity/approvals/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { listNewOperators } from '../../identity/staff/index.ts';
import { getApprovalsForPayout, listPayoutApprovals, requireNotOwnPayout } from './payout-approvals.ts';
import { loadPayoutSettings } from './settings.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const CLAIM_VALIDITY_MS = 7 * 24 * 60 * 60_000;
type ClaimRow = Selectable<Tables['payout_failure_claims']>;

const getClaimsStart = (now: Date) => new Date(now.getTime() - CLAIM_VALIDITY_MS);

const selectActiveClaims = (db: Executor, since: Date) =>
  db.query
    .selectFrom('payout_failure_claims as c')
    .innerJoin('payouts as p', 'p.id', 'c.payout_id')
    .where('c.at', '>', since)
    .whereRef('p.sent_transaction_id', '=', 'c.sent_transaction_id')
    .where((row) =>
      row.or([
        row.and({ 'c.has_arrived': true, 'p.status': 'transfered' }),
        row.and({ 'c.has_arrived': false, 'p.status': 'approved' }),
      ]),
    );

export async function listClaims(ctx: Pick<Context, 'clock' | 'db'>, ids: readonly string[]): Promise<ClaimRow[]> {
  if (ids.length === 0) return [];
  return selectActiveClaims(ctx.db, getClaimsStart(ctx.clock.now()))
    .selectAll('c')
    .where('c.payout_id', 'in', ids)
    .orderBy('c.id')
    .execute();
}

export async function listClaimedPayoutIds({ db, clock }: Pick<Context, 'clock' | 'db'>): Promise<string[]> {
  const rows = await selectActiveClaims(db, getClaimsStart(clock.now()))
    .select('c.payout_id as id')
    .distinct()
    .execute();
  return rows.map(({ id }) => id);
}

export const presentClaim = ({ step, reason, at }: ClaimRow, operator: string): AdminPayout['claim'] => ({
  step: z.parse(z.enum(['failed', 'returned']), step),
  operator,
  reason,
  until: new Date(at.getTime() + CLAIM_VALIDITY_MS).toISOString(),
});

export async function countToConfirm(db: Executor, now: Date): Promise<{ count: number; since: Date | null }> {
  return selectActiveClaims(db, getClaimsStart(now))
    .select((row) => [
      row.fn.count<number>('c.payout_id').distinct().as('count'),
      row.fn.min<Date | null>('c.at').as('since'),
    ])
    .executeTakeFirstOrThrow();
}

type ClaimInput = BodyOf<typeof stepRoute> & {
  /** Whether PayPal is queried next and its response is booked. Then it does not matter who approved the payout. */
  isPayPalQueried: boolean;
};

/** Returns whether enough operators reported or approved. Operators whose roles are new do not count. */
async function isEnough(
  { clock }: Pick<Context, 'clock'>,
  tx: DbTransaction,
  payout: store.PayoutRow,
  { reporters, isPayPalQueried }: { reporters: readonly string[]; isPayPalQueried: boolean },
): Promise<boolean> {
  const newOperators = await listNewOperators(tx, clock.now());
  const countOperators = (ids: readonly string[]) => new Set(ids.filter((id) => !newOperators.has(id))).size;
  if (getApprovalsForPayout(payout, await loadPayoutSettings(tx)) > 1 && countOperators(reporters) < 2) return false;
  if (isPayPalQueried) return true;
  const approvals = await listPayoutApprovals(tx, [payout.id]);
  return countOperators([...reporters, ...approvals.map(({ operator_id: operatorId }) => operatorId)]) > 1;
}

type ClaimResult = 'enough' | 'alone' | 'waits';

async function addClaim(
  ctx: Context,
  tx: DbTransaction,
  operatorId: string,
  id: string,
  { step, reason, code, isPayPalQueried }: ClaimInput,
): Promise<ClaimResult> {
  const payout = await store.lockPayout(tx, id);
  if (!payout || payout.transfer === 'failed') return 'enough';
  // Without this check, a payout sent before the booking could be booked by a single operator.
  if (payout.sent_transaction_id === null) throw new AppError('CONFLICT', { message: texts.payoutNotSent });
  requireNotOwnPayout(payout, operatorId);
  const earlierClaims = await selectActiveClaims(tx, getClaimsStart(ctx.clock.now()))
    .selectAll('c')
    .where('c.payout_id', '=', id)
    .execute();
  const reporters = [operatorId, ...earlierClaims.map(({ operator_id: claimedBy }) => claimedBy)];
  if (await isEnough(ctx, tx, payout, { reporters, isPayPalQueried })) return 'enough';
  if (!(await needsSecondOperator(ctx, tx, operatorId, decidePayout))) return 'alone';
  if (earlierClaims.some(({ operator_id: claimedBy }) => claimedBy === operatorId))
    throw new AppError('CONFLICT', { message: texts.failureAlreadyReported });
  await tx.query
    .insertInto('payout_failure_claims')
    .values({
      id: createId(ctx.clock),
      payout_id: id,
      sent_transaction_id: payout.sent_transaction_id,
      has_arrived: payout.status === 'transfered',
      operator_id: operatorId,
      step,
      reason,
      at: ctx.clock.now(),
    })
    .execute();
  const details = { reason, code: code ?? null, reportedStep: step, cents: payout.amount_cents, user: payout.user_id };
  await logAction(ctx, tx, { operatorId, action: 'payout.claim', subjectKind: 'payout', subjectId: id, details });
  return 'waits';
}

/**
 * Returns whether enough operators reported that a request failed or came back: two above the limit, otherwise one who
 * did not approve it alone. Stores the first report, which waits some days for another. Throws CONFLICT when the same
 * operator reports twice, or when their roles are too new.
 */
export async function recordClaim(
  ctx: Context,
  operatorId: string,
  id: string,
  body: ClaimInput,
): Promise<ClaimResult> {
  if (body.step !== 'failed' && body.step !== 'returned') return 'enough';
  return ctx.db.transaction((tx) => addClaim(ctx, tx, operatorId, id, body));
}

/**
 * What operators do about a subscription: end it, or refund a period. Above the limit of a single operator both wait for a
 * second one, as other refunds.
 */
import type { getAdminSubscription } from '@stagedoor/contract/admin/subscriptions.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import { findSale, refundSale } from '../../commerce/sales/index.ts';
import { findUserSummaries } from '../../identity/accounts/index.ts';
import { type ApprovalHandler, lockApprovals, requireSecondApproval } from '../../identity/approvals/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { loadDetail } from './admin.ts';
import { calculateUnusedCents, endSubscription, endWithRefund, isPayerAccountOpen } from './endings.ts';
import { toSubscriptionEvent } from './events.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

type ActionContext = Pick<Context, 'clock' | 'hooks'>;
/** Which period is refunded wholly, or null to end the subscription and refund the rest of the current one. */
type Target = { number: number | null };
type Action = Target & { operatorId: string; reason: string };
type DetailView = ResponseInputOf<typeof getAdminSubscription>;

async function lockRow(tx: DbTransaction, id: string): Promise<store.SubscriptionRow> {
  const row = await store.lockSubscription(tx, id);
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}

/** The cents that the action refunds now. Throws NOT_FOUND for an unknown period, CONFLICT if there is nothing to do. */
async function getRefundCents(
  { clock }: ActionContext,
  tx: DbTransaction,
  row: store.SubscriptionRow,
  { number }: Target,
): Promise<number> {
  if (number === null && row.ended_at) throw new AppError('CONFLICT', { message: texts.subscriptionEnded });
  const period = await store.findPeriod(tx, row.id, number ?? row.period_number);
  const sale = period && (await findSale(tx, period.sale_id));
  if (!period || !sale) {
    if (number === null) return 0;
    throw new AppError('NOT_FOUND');
  }
  if (number === null) return calculateUnusedCents(period, clock.now(), sale.reversedCents);
  const remainingCents = sale.grossCents - sale.reversedCents;
  if (remainingCents <= 0) throw new AppError('CONFLICT', { message: texts.periodAlreadyRefunded });
  return remainingCents;
}

async function refundPeriod(
  { clock }: ActionContext,
  tx: DbTransaction,
  row: store.SubscriptionRow,
  { number, operatorId, reason }: Action & { number: number },
): Promise<void> {
  const period = await store.findPeriod(tx, row.id, number);
  if (!period) throw new AppError('NOT_FOUND');
  const at = clock.now();
  const refund = async () => {
    const { grossCents } = await refundSale(tx, {
      saleId: period.sale_id,
      actorId: operatorId,
      operationId: createId(clock),
      reason,
      at,
    });
    await store.setRefunded(tx, period.id, period.price_cents);
    return grossCents;
  };
  if (number === row.period_number && !row.ended_at)
    return endSubscription(tx, row, { reason: 'refunded', at, refund });
  await refund();
  await tx.emit('subscription.changed', toSubscriptionEvent(row));
}

async function perform(
  ctx: ActionContext,
  tx: DbTransaction,
  row: store.SubscriptionRow,
  { action, cents, details }: { action: Action; cents: number; details: Readonly<Record<string, string | boolean>> },
): Promise<void> {
  const { number, operatorId, reason } = action;
  if (number === null)
    await endWithRefund(ctx, tx, row, { reason: 'operator', actorId: operatorId, refundReason: reason });
  else await refundPeriod(ctx, tx, row, { ...action, number });
  await logAction(ctx, tx, {
    operatorId,
    action: number === null ? 'subscription.end' : 'subscription.refund',
    subjectKind: 'subscription',
    subjectId: row.id,
    details: { reason, cents, ...(number !== null && { period: number }), ...details },
  });
}

/** Checks the account that the refund goes to: the giver's for the first period of a gift. */
async function requireOpenAccount(
  tx: DbTransaction,
  row: store.SubscriptionRow,
  { number }: Pick<Action, 'number'>,
): Promise<void> {
  if (!(await isPayerAccountOpen(tx, { ...row, period_number: number ?? row.period_number })))
    throw new AppError('CONFLICT', { message: texts.accountClosed });
}

/**
 * Ends a subscription or refunds a period, or requests the approval of a second operator. Throws NOT_FOUND, CONFLICT if it
 * has ended or was refunded, the fan's account is closed, or another request waits.
 */
export async function actOnSubscription(ctx: Context, id: string, action: Action): Promise<DetailView> {
  await ctx.db.transaction(async (tx) => {
    await lockApprovals(tx);
    const row = await lockRow(tx, id);
    const cents = await getRefundCents(ctx, tx, row, action);
    if (cents === 0) return perform(ctx, tx, row, { action, cents, details: {} });
    await requireOpenAccount(tx, row, action);
    const users = await findUserSummaries(tx, [row.fan_id, row.creator_id]);
    const getUsername = (userId: string) => users.get(userId)?.username ?? '';
    const approval = await requireSecondApproval(ctx, tx, {
      kind: 'subscription',
      subjectId: id,
      subjectLabel: formatText(texts.approvalSubject, {
        fan: getUsername(row.fan_id),
        creator: getUsername(row.creator_id),
      }),
      // An end is the number 0, because a payload has no null.
      payload: { number: action.number ?? 0 },
      amountCents: cents,
      operatorId: action.operatorId,
      reason: action.reason,
    });
    if (!approval.needsApproval) return perform(ctx, tx, row, { action, cents, details: approval.details });
    if (approval.isNew)
      await logAction(ctx, tx, {
        operatorId: action.operatorId,
        action: 'subscription.refundRequested',
        subjectKind: 'subscription',
        subjectId: id,
        details: { reason: action.reason, cents, ...(action.number !== null && { period: action.number }) },
      });
  });
  return loadDetail(ctx, id);
}

const approvalPayload = z.object({ number: z.number() });

export const createSubscriptionApproval = (ctx: Context): ApprovalHandler => ({
  lock: lockRow,
  perform: async (tx, { subjectId, amountCents, payload, reason, requesterId, confirmer }) => {
    const row = await lockRow(tx, subjectId);
    const number = z.parse(approvalPayload, payload).number || null;
    const cents = await getRefundCents(ctx, tx, row, { number });
    if (cents > amountCents) throw new AppError('CONFLICT', { message: texts.refundHasGrown });
    await requireOpenAccount(tx, row, { number });
    const action = { number, operatorId: requesterId, reason };
    await perform(ctx, tx, row, { action, cents, details: { confirmedBy: confirmer.userId } });
  },
});

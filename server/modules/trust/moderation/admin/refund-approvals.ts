/** Large refunds wait for a second operator's approval. The case stays open. */

import type { AdminSale } from '@stagedoor/contract/admin/approval-request.ts';
import { canOperatorDecide } from '@stagedoor/contract/admin/operator-rights.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { CASE_QUEUES } from '@stagedoor/contract/trust/case-kinds.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../../platform/database/db.ts';
import { listSalesByIds } from '../../../commerce/sales/index.ts';
import { type ApprovalHandler, requireSecondApproval } from '../../../identity/approvals/index.ts';
import { logAction } from '../../../identity/audit-log/index.ts';
import { type CaseContext, requireCanDecide } from '../access.ts';
import { CASE_KIND_RULES } from '../kinds.ts';
import { addEntry, lockAppealedCase, lockCase, updateCase } from '../store.ts';
import * as texts from '../texts.ts';
import { type DecidingOperator, type DecisionInput, insertDecision } from './decision-input.ts';
import {
  areRefunded,
  presentSales,
  refundPurchases,
  requireSaleIds,
  sumOwed,
  sumRefundable,
  sumRefunds,
} from './refunds.ts';
import { loadCaseContext } from './view.ts';

export const listCaseDecisions = (tx: DbTransaction, caseId: string) =>
  tx.query.selectFrom('case_decisions').selectAll().where('case_id', '=', caseId).execute();

/**
 * Refunds purchases or requests approval. The case returns to its original queue. Repeating the request does nothing.
 * Throws as decide.ts does.
 */
export async function refundInTx(
  ctx: Context,
  tx: DbTransaction,
  actor: DecidingOperator,
  context: CaseContext,
  input: DecisionInput,
): Promise<void> {
  const { row, purchases } = context;
  const saleIds = requireSaleIds(input.sales);
  const { reason } = input;
  if (
    canOperatorDecide(actor.roles ?? [], 'refund', false) &&
    areRefunded(await listCaseDecisions(tx, row.id), saleIds)
  )
    return;
  requireCanDecide(actor, context, 'refund');
  const amountCents = sumRefundable(purchases, saleIds);
  const request = { kind: 'refund', subjectId: row.id, subjectLabel: row.reference, operatorId: actor.userId } as const;
  const { needsApproval, isNew, details } = await requireSecondApproval(ctx, tx, {
    ...request,
    amountCents,
    reason,
    payload: { sales: saleIds.join(' ') },
  });
  if (!needsApproval) return refundCase(ctx, tx, { by: actor.userId, context, sales: saleIds, reason, details });
  if (!isNew) return;
  await logAction(ctx, tx, {
    operatorId: actor.userId,
    action: 'case.refundRequested',
    subjectKind: 'case',
    subjectId: row.id,
    details: { reference: row.reference, user: row.user_id, reason, sales: saleIds.join(' '), cents: amountCents },
  });
}

type CaseRefundInput = {
  by: string;
  context: CaseContext;
  sales: readonly string[];
  reason: string;
  details: Readonly<Record<string, string | boolean>>;
};

/** Throws CONFLICT if a purchase was already refunded or the buyer's account is closed. */
async function refundCase(
  ctx: Context,
  tx: DbTransaction,
  { by, context, sales, reason, details }: CaseRefundInput,
): Promise<void> {
  const { row, purchases } = context;
  const refunds = await refundPurchases(ctx, tx, { by, row, purchases, sales, reason });
  const decisionInput: DecisionInput = { action: 'refund', reason };
  const decision = await insertDecision(ctx, tx, { by, row, input: decisionInput, undo: { sales: [...sales] } });
  const totalCents = sumRefunds(refunds);
  const body = formatText(texts.refundDecisionEntry, { total: formatCents(totalCents), reason });
  await addEntry(ctx, tx, row.id, { kind: 'decision', byId: by, body });
  await updateCase(tx, row.id, { queue: CASE_KIND_RULES[row.kind].queue, changed_at: ctx.clock.now() });
  await logAction(ctx, tx, {
    operatorId: by,
    action: 'case.refund',
    subjectKind: 'case',
    subjectId: row.id,
    details: {
      reference: row.reference,
      decision: decision.id,
      user: row.user_id,
      reason,
      sales: sales.join(' '),
      cents: totalCents,
      owed_cents: sumOwed(refunds),
      ...details,
    },
  });
}

const refundPayload = z.object({ sales: z.string() });
const parseSaleIds = (payload: unknown): string[] => z.parse(refundPayload, payload).sales.split(' ');

async function loadQueues(db: Executor, ids: string[]) {
  const rows = await db.query.selectFrom('cases').select(['id', 'queue']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, queue }) => [id, z.parse(z.enum(CASE_QUEUES), queue)]));
}

export const createRefundApproval = (ctx: Context): ApprovalHandler => ({
  lock: async (tx, id) => {
    await lockAppealedCase(tx, id);
    if (!(await lockCase(tx, id))) throw new AppError('NOT_FOUND');
  },
  perform: async (tx, { subjectId, amountCents, payload, reason, requesterId, confirmer }) => {
    const row = await lockCase(tx, subjectId);
    if (!row) throw new AppError('NOT_FOUND');
    const sales = parseSaleIds(payload);
    const context = await loadCaseContext(tx, row, { includedIds: sales });
    // First, because its refusal explains that another case refunded the purchase.
    const refundableCents = sumRefundable(context.purchases, sales);
    requireCanDecide(confirmer, context, 'refund');
    if (refundableCents > amountCents) throw new Error('the refund exceeds the approved amount');
    await refundCase(ctx, tx, { by: requesterId, context, sales, reason, details: { confirmedBy: confirmer.userId } });
  },
  loadDetails: async (db, approvals) => {
    const saleIds = approvals.map(({ payload }) => parseSaleIds(payload));
    const foundSales = await listSalesByIds(db, saleIds.flat());
    const sales = new Map<string, AdminSale>((await presentSales(db, foundSales)).map((sale) => [sale.id, sale]));
    const queues = await loadQueues(
      db,
      approvals.map(({ subjectId }) => subjectId),
    );
    return approvals.map(({ subjectId }, index) => ({
      sales: (saleIds[index] ?? []).flatMap((id) => sales.get(id) ?? []),
      queue: queues.get(subjectId) ?? null,
    }));
  },
});

import type { getCase, replyToCase, routeCase } from '@stagedoor/contract/admin/cases.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { refusePendingApproval } from '../../../identity/approvals/index.ts';
import { type AuditAction, logAction } from '../../../identity/audit-log/index.ts';
import { findDecisionObstacle, requireReadAccess } from '../access.ts';
import { CASE_KIND_RULES } from '../kinds.ts';
import { addEntry, type CaseRow, lockCase, updateCase } from '../store.ts';
import * as texts from '../texts.ts';
import { sendReply } from './notify.ts';
import { findPurchases } from './refunds.ts';
import { getCaseView, loadCaseContext } from './view.ts';

type CaseView = ResponseInputOf<typeof getCase>;

/** Throws NOT_FOUND, and what `change` throws. */
async function changeCaseWithAudit(
  ctx: Context,
  actor: Actor,
  id: string,
  action: string,
  change: (tx: DbTransaction, row: CaseRow) => Promise<AuditAction['details']>,
): Promise<CaseView> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockCase(tx, id);
    if (!row) throw new AppError('NOT_FOUND');
    await requireReadAccess(tx, actor, row);
    const details = { reference: row.reference, ...(await change(tx, row)) };
    await logAction(ctx, tx, { operatorId: actor.userId, action, subjectKind: 'case', subjectId: id, details });
  });
  return getCaseView(ctx, actor, id);
}

/** Assigns a case to the caller, or unassigns it. Throws NOT_FOUND, CONFLICT when it is closed. */
export function assignCase(ctx: Context, actor: Actor, id: string, isMine: boolean): Promise<CaseView> {
  return changeCaseWithAudit(ctx, actor, id, isMine ? 'case.assign' : 'case.unassign', async (tx, row) => {
    if (row.state === 'closed') throw new AppError('CONFLICT', { message: texts.caseAlreadyClosed });
    await updateCase(tx, id, { assigned_to: isMine ? actor.userId : null });
    const body = isMine ? 'Assigned' : 'Unassigned';
    await addEntry(ctx, tx, id, { kind: 'assigned', byId: actor.userId, body });
    return { before: row.assigned_to };
  });
}

/** Routes a case to the refund queue, or back. Throws NOT_FOUND, CONFLICT. */
export async function changeQueue(
  ctx: Context,
  actor: Pick<Actor, 'userId' | 'roles'>,
  id: string,
  { isForRefund, text }: BodyOf<typeof routeCase>,
): Promise<ResponseInputOf<typeof routeCase>> {
  return ctx.db.transaction(async (tx) => {
    const row = await lockCase(tx, id);
    if (!row) throw new AppError('NOT_FOUND');
    await requireReadAccess(tx, actor, row);
    const kindRules = CASE_KIND_RULES[row.kind];
    const queue = isForRefund ? 'refunds' : kindRules.queue;
    if (row.state === 'closed') throw new AppError('CONFLICT', { message: texts.caseAlreadyClosed });
    if (row.queue === queue) throw new AppError('CONFLICT', { message: texts.caseAlreadyInQueue });
    if (isForRefund && !(await findPurchases(tx, row)).purchases.some(({ canRefund }) => canRefund))
      throw new AppError('CONFLICT', { message: texts.noPurchasesLeftToRefund });
    const at = ctx.clock.now();
    await updateCase(tx, id, { queue, state: 'open', assigned_to: null, changed_at: at });
    const body = `${isForRefund ? texts.sentToFinance : texts.returnedToItsQueue}: ${text}`;
    await addEntry(ctx, tx, id, { kind: 'assigned', byId: actor.userId, body });
    const details = { reference: row.reference, queue, reason: text };
    await logAction(ctx, tx, {
      operatorId: actor.userId,
      action: 'case.route',
      subjectKind: 'case',
      subjectId: id,
      details,
    });
    return { reference: row.reference, queue };
  });
}

export function addNote(ctx: Context, actor: Actor, id: string, text: string): Promise<CaseView> {
  return changeCaseWithAudit(ctx, actor, id, 'case.note', async (tx) => {
    await addEntry(ctx, tx, id, { kind: 'note', byId: actor.userId, body: text });
    return {};
  });
}

/** Replies to the writer. Throws NOT_FOUND, FORBIDDEN, CONFLICT if the case is closed or is answered in another way. */
export function replyToWriter(
  ctx: Context,
  actor: Actor,
  id: string,
  { text, isClosing }: BodyOf<typeof replyToCase>,
): Promise<CaseView> {
  return changeCaseWithAudit(ctx, actor, id, 'case.reply', async (tx, row) => {
    if (!CASE_KIND_RULES[row.kind].hasReplies) throw new AppError('CONFLICT', { message: texts.caseHasNoReplies });
    const obstacle = findDecisionObstacle(actor, await loadCaseContext(tx, row));
    if (obstacle !== undefined) throw new AppError('FORBIDDEN', { message: obstacle });
    if (row.state === 'closed') throw new AppError('CONFLICT', { message: texts.alreadyClosedBySomeone });
    const at = ctx.clock.now();
    await sendReply(ctx, tx, row, text, actor.userId);
    await updateCase(tx, id, {
      changed_at: at,
      ...(isClosing ? { state: 'closed', closed_at: at, outcome: 'close' } : { state: 'waiting' }),
    });
    if (isClosing)
      await refusePendingApproval(ctx, tx, { kind: 'refund', subjectId: id, by: actor.userId, reason: text });
    return { isClosing };
  });
}

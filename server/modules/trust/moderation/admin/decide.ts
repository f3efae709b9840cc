/** One transaction covers the decision, its effects, the notifications and the audit entry. */

import type { decideCase, dismissCases, undoDecision } from '@stagedoor/contract/admin/cases.ts';
import { canOperatorDecide, isStepUpAction } from '@stagedoor/contract/admin/operator-rights.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import {
  type CaseAction,
  formatMeasureNotice,
  isMeasure,
  REFUND_FINAL_MESSAGE,
  RESTORED_MESSAGE,
} from '@stagedoor/contract/trust/case-kinds.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { requireStepUp } from '../../../../platform/security/operators.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { takeDownProfileParts } from '../../../content/profiles/index.ts';
import { findUser } from '../../../identity/accounts/index.ts';
import { lockApprovals, refusePendingApproval } from '../../../identity/approvals/index.ts';
import { logAction } from '../../../identity/audit-log/index.ts';
import { type CaseContext, canUndoDecision, requireCanDecide, requireReadAccess } from '../access.ts';
import { formatDecision, getAppealDeadline, isMeasureDecision, parseMeasure, toMeasureNotice } from '../appeals.ts';
import { getCopyrightHook } from '../copyright-hook.ts';
import '../events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { affectsOneUser } from '../kinds.ts';
import { createCaseMail } from '../mails.ts';
import { attachRemovedProfile, type ProfileSnapshot, withProfileCopy } from '../profile-snapshots.ts';
import {
  addEntry,
  type CaseDecisionRow,
  type CaseRow,
  findCase,
  findDecision,
  lockAppealedCase,
  lockCase,
  toDecisionNumber,
  updateCase,
} from '../store.ts';
import * as texts from '../texts.ts';
import { findContent } from './content.ts';
import {
  type DecidedBy,
  type DecidingOperator,
  type DecisionInput,
  getMeasureEnd,
  getPartsToRemove,
  insertDecision,
  removesParts,
} from './decision-input.ts';
import { addCopies, notifyCopyOwners } from './duplicates.ts';
import { type AfterCommit, applyAccountState, restoreContent, takeDownContent } from './effects.ts';
import { notifyWriters } from './notify.ts';
import { listCaseDecisions, refundInTx } from './refund-approvals.ts';
import { markReversed, reopenInTx, reopenOverturned } from './reopen.ts';
import { getCaseView, loadCaseContext } from './view.ts';

type ProfileCopy = ProfileSnapshot | undefined;
const DO_NOTHING: AfterCommit = () => undefined;

const DELETION_NOTE = texts.deletionContinuesNote;

async function notifyUser(ctx: Context, tx: DbTransaction, decision: CaseDecisionRow): Promise<void> {
  const user = decision.user_id === null ? undefined : await findUser(tx, decision.user_id);
  if (!user) return;
  const description = formatDecision(decision);
  const isUndone = decision.undone_at !== null;
  const text = isUndone
    ? formatText(texts.decisionReversedMessage, {
        decision: description,
        reason: decision.undo_reason ?? '',
        deletionNote: user.is_deletion_pending ? DELETION_NOTE : '',
      })
    : [
        formatMeasureNotice(toMeasureNotice(decision), getAppealDeadline(decision.at).toISOString()),
        await getCopyrightHook(ctx).describeClaim(ctx, tx, decision),
      ]
        .filter((part) => part !== undefined)
        .join('\n\n');
  const path = user.is_blocked
    ? CASE_PATHS.contactUs
    : user.type === 'creator'
      ? CASE_PATHS.creatorHelpdesk
      : CASE_PATHS.fanHelpdesk;
  await ctx.mailer.send(
    tx,
    createCaseMail(user, toDecisionNumber(decision.id), text, `${ctx.config.publicUrl}${path}`),
  );
  const base = { userId: user.id, decisionId: decision.id, action: parseMeasure(decision) };
  await tx.emit('case.decided', { ...base, isUndone, description });
}

/** Throws CONFLICT for parts that no longer exist. */
async function removeProfileParts(
  ctx: Context,
  tx: DbTransaction,
  { row, parts: shownParts }: CaseContext,
  input: DecisionInput,
  copy: ProfileCopy,
) {
  const parts = getPartsToRemove(input);
  if (row.user_id === null || !copy || parts.some((part) => !shownParts.includes(part)))
    throw new AppError('CONFLICT', { message: texts.noLongerExists });
  await attachRemovedProfile(tx, row.id, row.user_id, copy);
  await takeDownProfileParts(ctx, tx, row.user_id, parts);
  return takeDownContent(ctx, tx, { subject: null, subjectId: null }, { parts, profileId: copy.id });
}

/** Returns the data for a reversal and the work after the commit. */
async function applyMeasure(
  ctx: Context,
  tx: DbTransaction,
  context: CaseContext,
  input: DecisionInput,
  copy: ProfileCopy,
) {
  const { row } = context;
  const { action } = input;
  if (action !== 'hide' && action !== 'remove') return { undo: undefined, after: DO_NOTHING };
  if (removesParts(input, row)) return removeProfileParts(ctx, tx, context, input, copy);
  const content = await findContent(tx, row);
  if (!content) throw new AppError('CONFLICT', { message: texts.noLongerExists });
  const target = { subject: row.subject, subjectId: row.subject_id };
  if (action === 'hide') return takeDownContent(ctx, tx, target);
  const { fileIds, broadcastId } = content;
  const mediaIds = await addCopies(tx, content.mediaIds, affectsOneUser(row.kind) ? row.user_id : undefined);
  return takeDownContent(ctx, tx, target, { mediaIds, fileIds, broadcastId });
}

async function closeCase(ctx: Context, tx: DbTransaction, row: CaseRow, outcome: CaseAction): Promise<void> {
  const at = ctx.clock.now();
  await updateCase(tx, row.id, { state: 'closed', closed_at: at, changed_at: at, outcome });
}

/** `copy` is needed when profile parts are removed. Throws as {@link decideAndView}. */
async function decideInTx(
  ctx: Context,
  tx: DbTransaction,
  actor: DecidingOperator,
  { id, input, copy }: { id: string; input: DecisionInput; copy?: ProfileCopy },
): Promise<AfterCommit[]> {
  if (input.action === 'refund') await lockApprovals(tx);
  await lockAppealedCase(tx, id);
  const row = await lockCase(tx, id);
  if (!row) throw new AppError('NOT_FOUND');
  await requireReadAccess(tx, actor, row);
  const context = await loadCaseContext(tx, row, { includedIds: input.sales });
  if (input.action === 'refund') {
    await refundInTx(ctx, tx, actor, context, input);
    return [];
  }
  requireCanDecide(actor, context, input.action);
  return executeDecision(ctx, tx, actor.userId, context, { input, copy });
}

async function executeDecision(
  ctx: Context,
  tx: DbTransaction,
  by: DecidedBy,
  context: CaseContext,
  { input, copy }: { input: DecisionInput; copy?: ProfileCopy },
): Promise<AfterCommit[]> {
  const { row, appealedDecision } = context;
  const { id } = row;
  const takedown = isMeasure(input.action)
    ? await applyMeasure(ctx, tx, context, input, copy)
    : { undo: undefined, after: DO_NOTHING };
  const decision = await insertDecision(ctx, tx, { by, row, input, undo: takedown.undo });
  const afterCommits = [takedown.after];
  if (isMeasure(input.action)) {
    afterCommits.push(await applyAccountState(ctx, tx, decision));
    await notifyUser(ctx, tx, decision);
    await notifyCopyOwners(ctx, tx, (!affectsOneUser(row.kind) && takedown.undo?.mediaIds) || [], {
      exceptUserId: row.user_id,
      reason: input.reason,
      isRestored: false,
    });
  }
  if ((input.action === 'overturn' || input.action === 'restore') && appealedDecision?.undone_at === null) {
    if (isMeasureDecision(appealedDecision))
      afterCommits.push(...(await reverseMeasure(ctx, tx, by, appealedDecision, input.reason)));
    else await reopenOverturned(ctx, tx, by, appealedDecision, input.reason);
  }
  if (input.action === 'overturn' && appealedDecision)
    await getCopyrightHook(ctx).onReversed(ctx, tx, appealedDecision, input.reason);
  await addEntry(ctx, tx, id, { kind: 'decision', byId: by, body: `${input.action}: ${input.reason}` });
  await closeCase(ctx, tx, row, input.action);
  const wasRefunded = (await listCaseDecisions(tx, id)).some(({ action }) => action === 'refund');
  await notifyWriters(ctx, tx, row, input, wasRefunded);
  await refusePendingApproval(ctx, tx, { kind: 'refund', subjectId: id, by, reason: input.reason });
  await logAction(ctx, tx, {
    operatorId: by,
    action: `case.${input.action}`,
    subjectKind: 'case',
    subjectId: id,
    details: {
      reference: row.reference,
      decision: decision.id,
      user: row.user_id,
      reason: input.reason,
      days: input.days ?? null,
    },
  });
  return afterCommits;
}

/** Throws FORBIDDEN with a link to re-authentication, also when an appeal would reverse such a decision. */
async function requireStepUpFor(ctx: Context, actor: Actor, id: string, { action }: DecisionInput): Promise<void> {
  if (!canOperatorDecide(actor.roles ?? [], action, false)) return;
  const row = action === 'overturn' ? await findCase(ctx.db, id) : undefined;
  const appealedDecision = row?.decision_id ? await findDecision(ctx.db, row.decision_id) : undefined;
  if (
    isStepUpAction(action) ||
    (appealedDecision && isMeasureDecision(appealedDecision) && isStepUpAction(parseMeasure(appealedDecision)))
  )
    requireStepUp(actor, ctx);
}

/**
 * Decides a case. Throws NOT_FOUND, VALIDATION (missing end or purchases), FORBIDDEN with the reason (about the caller
 * or an operator, an appeal against the caller's own decision, a refund without the role, a missing proof of identity),
 * CONFLICT if it was decided already.
 */
export async function decideAndView(
  ctx: Context,
  actor: Actor,
  id: string,
  input: DecisionInput,
): Promise<ResponseInputOf<typeof decideCase>> {
  getMeasureEnd(input, ctx.clock.now());
  await requireStepUpFor(ctx, actor, id, input);
  await applyDecision(ctx, actor, id, input);
  return getCaseView(ctx, actor, id);
}

/** Throws as {@link decideAndView}. */
export async function applyDecision(
  ctx: Context,
  operator: DecidingOperator,
  id: string,
  input: DecisionInput,
): Promise<void> {
  const row = await findCase(ctx.db, id);
  const removedFromId = row && removesParts(input, row) ? (row.user_id ?? undefined) : undefined;
  const afterCommits = await withProfileCopy(ctx, removedFromId, async (copy) => ({
    result: await ctx.db.transaction((tx) => decideInTx(ctx, tx, operator, { id, input, copy })),
    isAttached: true,
  }));
  for (const afterCommit of afterCommits) await afterCommit();
}

/**
 * Restores content after the deadline of a counter-notice. Does nothing if the counter-notice ended in the meantime.
 */
export async function restoreAfterDeadline(ctx: Context, id: string): Promise<void> {
  const afterCommits = await ctx.db.transaction(async (tx) => {
    await lockAppealedCase(tx, id);
    const row = await lockCase(tx, id);
    if (row?.kind !== 'counter' || row.state === 'closed') return [];
    return executeDecision(ctx, tx, null, await loadCaseContext(tx, row), {
      input: { action: 'restore', reason: RESTORED_MESSAGE },
    });
  });
  for (const afterCommit of afterCommits) await afterCommit();
}

/** Reverses a measure. Effects that another decision in force requires stay. */
async function reverseMeasure(
  ctx: Context,
  tx: DbTransaction,
  by: DecidedBy,
  decision: CaseDecisionRow,
  reason: string,
): Promise<AfterCommit[]> {
  const undone = await markReversed(ctx, tx, { by, decisionId: decision.id, reason });
  const afterCommits = [await restoreContent(ctx, tx, undone), await applyAccountState(ctx, tx, undone)];
  await notifyUser(ctx, tx, undone);
  return afterCommits;
}

/**
 * Reverses a decision. After a dismissal or closing the case is open again. Throws NOT_FOUND, FORBIDDEN (also for a
 * missing proof of identity), CONFLICT if it was reversed already.
 */
export async function reverseDecision(
  ctx: Context,
  actor: Actor,
  id: string,
  { reason }: BodyOf<typeof undoDecision>,
): Promise<ResponseInputOf<typeof undoDecision>> {
  const decision = await findDecision(ctx.db, id);
  if (!decision) throw new AppError('NOT_FOUND');
  if (decision.undone_at !== null) throw new AppError('CONFLICT', { message: texts.alreadyReversedBySomeone });
  if (decision.action === 'refund') throw new AppError('CONFLICT', { message: REFUND_FINAL_MESSAGE });
  const row = await findCase(ctx.db, decision.case_id);
  if (!row) throw new AppError('NOT_FOUND');
  if (!canUndoDecision(actor, decision, row)) throw new AppError('FORBIDDEN', { message: texts.cannotReverseDecision });
  if (!isMeasureDecision(decision)) {
    await ctx.db.transaction((tx) => reopenInTx(ctx, tx, actor, row.id, reason));
    return getCaseView(ctx, actor, row.id);
  }
  if (isStepUpAction(parseMeasure(decision))) requireStepUp(actor, ctx);
  const afterCommits = await ctx.db.transaction(async (tx) => {
    await lockCase(tx, decision.case_id);
    const callbacks = await reverseMeasure(ctx, tx, actor.userId, decision, reason);
    await getCopyrightHook(ctx).onReversed(ctx, tx, decision, reason);
    await addEntry(ctx, tx, decision.case_id, {
      kind: 'undone',
      byId: actor.userId,
      body: `${decision.action}: ${reason}`,
    });
    await logAction(ctx, tx, {
      operatorId: actor.userId,
      action: 'case.undo',
      subjectKind: 'case',
      subjectId: decision.case_id,
      details: { decision: id, undone: decision.action, user: decision.user_id, reason },
    });
    return callbacks;
  });
  for (const afterCommit of afterCommits) await afterCommit();
  return getCaseView(ctx, actor, decision.case_id);
}

/** Dismisses each case in its own transaction and skips those that cannot be dismissed. */
export async function dismissMany(
  ctx: Context,
  actor: Actor,
  { ids, reason }: BodyOf<typeof dismissCases>,
): Promise<ResponseInputOf<typeof dismissCases>> {
  const dismissed: typeof ids = [];
  const skipped: typeof ids = [];
  for (const id of new Set(ids)) {
    try {
      await ctx.db.transaction((tx) => decideInTx(ctx, tx, actor, { id, input: { action: 'dismiss', reason } }));
      dismissed.push(id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      skipped.push(id);
    }
  }
  return { dismissed, skipped };
}

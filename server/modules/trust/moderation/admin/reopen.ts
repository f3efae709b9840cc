import type { reopenCases } from '@stagedoor/contract/admin/cases.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { logAction } from '../../../identity/audit-log/index.ts';
import { findReopenObstacle, requireReadAccess } from '../access.ts';
import { ENDING_ACTIONS } from '../kinds.ts';
import { addEntry, type CaseDecisionRow, lockCase, lockOpenCase, reopenCase, updateCase } from '../store.ts';
import * as texts from '../texts.ts';
import { notifyReopened } from './notify.ts';
import { loadCaseContext } from './view.ts';

/**
 * Throws NOT_FOUND, FORBIDDEN with the reason, CONFLICT if the case is not closed or its subject was reported again.
 */
export async function reopenInTx(
  ctx: Context,
  tx: DbTransaction,
  actor: Pick<Actor, 'userId' | 'roles'>,
  id: string,
  reason: string,
): Promise<void> {
  const row = await lockCase(tx, id);
  if (!row) throw new AppError('NOT_FOUND');
  await requireReadAccess(tx, actor, row);
  const { outcome } = row;
  if (row.state !== 'closed') throw new AppError('CONFLICT', { message: texts.alreadyReopenedBySomeone });
  const obstacle = findReopenObstacle(actor, await loadCaseContext(tx, row));
  if (obstacle !== undefined) throw new AppError('FORBIDDEN', { message: obstacle });
  if (!(await reopenCase(ctx, tx, row))) throw new AppError('CONFLICT', { message: texts.reportedAgainSinceError });
  await tx.query
    .updateTable('case_decisions')
    .set({ undone_at: ctx.clock.now(), undone_by: actor.userId, undo_reason: reason })
    .where('case_id', '=', id)
    .where('action', 'in', [...ENDING_ACTIONS])
    .where('undone_at', 'is', null)
    .execute();
  await addEntry(ctx, tx, id, { kind: 'undone', byId: actor.userId, body: `${outcome}: ${reason}` });
  await notifyReopened(ctx, tx, row);
  await logAction(ctx, tx, {
    ...{ operatorId: actor.userId, action: 'case.reopen', subjectKind: 'case', subjectId: id },
    details: { reference: row.reference, undone: outcome, reason },
  });
}

/** Throws CONFLICT if it is reversed already. */
export async function markReversed(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  { by, decisionId, reason }: { by: string | null; decisionId: string; reason: string },
): Promise<CaseDecisionRow> {
  const undone = await tx.query
    .updateTable('case_decisions')
    .set({ undone_at: ctx.clock.now(), undone_by: by, undo_reason: reason })
    .where('id', '=', decisionId)
    .where('undone_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!undone) throw new AppError('CONFLICT', { message: texts.alreadyReversedBySomeone });
  return undone;
}

/**
 * Reopens an overturned case and assigns it to the deciding operator. If the subject was reported again in the
 * meantime, that open case is used instead.
 */
export async function reopenOverturned(
  ctx: Context,
  tx: DbTransaction,
  by: string | null,
  dismissal: CaseDecisionRow,
  reason: string,
): Promise<void> {
  const { case_id: id } = await markReversed(ctx, tx, { by, decisionId: dismissal.id, reason });
  const row = await lockCase(tx, id);
  if (!row) throw new AppError('NOT_FOUND');
  await addEntry(ctx, tx, id, { kind: 'undone', byId: by, body: `${dismissal.action}: ${reason}` });
  const isOpen = await reopenCase(ctx, tx, row);
  const targetCase = isOpen ? row : await lockOpenCase(tx, row);
  if (!targetCase) throw new AppError('NOT_FOUND');
  if (!isOpen)
    await addEntry(ctx, tx, targetCase.id, {
      kind: 'note',
      byId: by,
      body: formatText(texts.dismissedCaseMergedNote, { reference: row.reference }),
    });
  await updateCase(tx, targetCase.id, { assigned_to: by });
  await notifyReopened(ctx, tx, row);
}

/** Reopens each case in its own transaction and skips those that cannot be reopened. */
export async function reopenMany(
  ctx: Context,
  actor: Actor,
  { ids, reason }: BodyOf<typeof reopenCases>,
): Promise<ResponseInputOf<typeof reopenCases>> {
  const reopened: typeof ids = [];
  const skipped: typeof ids = [];
  for (const id of new Set(ids)) {
    try {
      await ctx.db.transaction((tx) => reopenInTx(ctx, tx, actor, id, reason));
      reopened.push(id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      skipped.push(id);
    }
  }
  return { reopened, skipped };
}

import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type { reopenCases } from '@stagedoor/contract/cases-desk.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Transaction } from '../../../kernel/db.ts';
import type { Actor } from '../../../kernel/session.ts';
import { noteAct } from '../../audit/index.ts';
import { obstacleToReopen, requireReads } from '../access.ts';
import { ENDS } from '../kinds.ts';
import { addEntry, changeCase, type DecisionRow, lockCase, lockReported, reopen } from '../store.ts';
import { tellOpenAgain } from './telling.ts';
import { involvedIn } from './view.ts';

/**
 * Throws NOT_FOUND, FORBIDDEN with the reason, CONFLICT if the case is not closed or its subject was reported again.
 */
export async function reopenWithin(
  ctx: Context,
  tx: Transaction,
  actor: Pick<Actor, 'userId' | 'roles'>,
  id: string,
  ground: string,
): Promise<void> {
  const row = await lockCase(tx, id);
  if (!row) throw new AppError('NOT_FOUND');
  await requireReads(tx, actor, row);
  const { outcome } = row;
  if (row.state !== 'closed') throw new AppError('CONFLICT', { message: 'Someone else already reopened this.' });
  const obstacle = obstacleToReopen(actor, await involvedIn(tx, row));
  if (obstacle !== undefined) throw new AppError('FORBIDDEN', { message: obstacle });
  if (!(await reopen(ctx, tx, row)))
    throw new AppError('CONFLICT', { message: 'This was reported again since, and that case is open.' });
  await tx.query
    .updateTable('case_decisions')
    .set({ undone_at: ctx.clock.now(), undone_by: actor.userId, undo_ground: ground })
    .where('case_id', '=', id)
    .where('act', 'in', [...ENDS])
    .where('undone_at', 'is', null)
    .execute();
  await addEntry(ctx, tx, id, { kind: 'undone', byId: actor.userId, body: `${outcome}: ${ground}` });
  await tellOpenAgain(ctx, tx, row);
  await noteAct(ctx, tx, {
    ...{ operatorId: actor.userId, act: 'case.reopen', subjectKind: 'case', subjectId: id },
    facts: { reference: row.reference, undone: outcome, ground },
  });
}

/** Throws CONFLICT if it is reversed already. */
export async function markUndone(
  ctx: Pick<Context, 'clock'>,
  tx: Transaction,
  { by, decisionId, ground }: { by: string | null; decisionId: string; ground: string },
): Promise<DecisionRow> {
  const undone = await tx.query
    .updateTable('case_decisions')
    .set({ undone_at: ctx.clock.now(), undone_by: by, undo_ground: ground })
    .where('id', '=', decisionId)
    .where('undone_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!undone) throw new AppError('CONFLICT', { message: 'Someone else already reversed this.' });
  return undone;
}

/**
 * Reopens an overturned case and assigns it to the deciding operator. If the subject was reported again in the
 * meantime, that open case is used instead.
 */
export async function openOverturned(
  ctx: Context,
  tx: Transaction,
  by: string | null,
  dismissal: DecisionRow,
  ground: string,
): Promise<void> {
  const { case_id: id } = await markUndone(ctx, tx, { by, decisionId: dismissal.id, ground });
  const row = await lockCase(tx, id);
  if (!row) throw new AppError('NOT_FOUND');
  await addEntry(ctx, tx, id, { kind: 'undone', byId: by, body: `${dismissal.act}: ${ground}` });
  const isOpen = await reopen(ctx, tx, row);
  const open = isOpen ? row : await lockReported(tx, row);
  if (!open) throw new AppError('NOT_FOUND');
  if (!isOpen)
    await addEntry(ctx, tx, open.id, {
      kind: 'note',
      byId: by,
      body: `${row.reference}, which was dismissed, is to be decided with this.`,
    });
  await changeCase(tx, open.id, { assigned_to: by });
  await tellOpenAgain(ctx, tx, row);
}

/** Reopens each case in its own transaction and skips those that cannot be reopened. */
export async function reopenAll(
  ctx: Context,
  actor: Actor,
  { ids, ground }: BodyOf<typeof reopenCases>,
): Promise<AnswerOf<typeof reopenCases>> {
  const reopened: typeof ids = [];
  const left: typeof ids = [];
  for (const id of new Set(ids)) {
    try {
      await ctx.db.transaction((tx) => reopenWithin(ctx, tx, actor, id, ground));
      reopened.push(id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      left.push(id);
    }
  }
  return { reopened, left };
}

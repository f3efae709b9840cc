/**
 * Requests of operators that wait for a second one, of all kinds. One waits per kind and subject. Confirming it performs
 * it in the same transaction.
 */

import type { ApprovalKind } from '@stagedoor/contract/admin/approval-request.ts';
import type { APPROVAL_DECISIONS } from '@stagedoor/contract/admin/setting-approvals.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Selectable } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, Tables } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { type AuditAction, logAction } from '../audit-log/index.ts';
import { type OperatorRoute, requireTwoOperators } from './four-eyes.ts';
import * as texts from './texts.ts';

export type RequestKind = ApprovalKind | 'setting';
export type RequestRow = Selectable<Tables['approval_requests']>;
export type ApprovalDecision = { decision: (typeof APPROVAL_DECISIONS)[number]; reason: string };
export type DecidingOperator = Pick<Actor, 'userId' | 'roles'>;

export type ConfirmedApproval = {
  subjectId: string;
  /** 0 for a kind without an amount. */
  amountCents: number;
  payload: unknown;
  reason: string;
  requesterId: string;
  confirmer: DecidingOperator;
};

/** What a kind of request locks, requires, logs and performs. */
export type KindRules = {
  /** What the requester must still be allowed to call when the request is confirmed. */
  requestRoute: OperatorRoute;
  /** By which the request is decided. Who confirms it must still be allowed to call it. */
  decisionRoute: OperatorRoute;
  /** Takes the locks of the action, before any other. Throws NOT_FOUND when the subject is gone. */
  lock(tx: DbTransaction, subjectId: string): Promise<unknown>;
  /** Throws CONFLICT or FORBIDDEN when it is no longer possible, or not with this confirming operator. */
  perform(tx: DbTransaction, approval: ConfirmedApproval): Promise<void>;
  /** Returns the audit log entry of a decision, before it is performed. */
  describe(tx: DbTransaction, row: RequestRow, decision: ApprovalDecision): Promise<Omit<AuditAction, 'operatorId'>>;
};

export type RequestInput<K extends RequestKind, Amount extends number | null> = {
  kind: K;
  subjectId: string;
  subjectLabel: string;
  amountCents: Amount;
  payload: Readonly<Record<string, string | number>>;
  operatorId: string;
  reason: string;
};

/** With `isPassed` the request is stored as already done, because the operator may do it alone. */
export async function insertRequest(
  { clock }: Pick<Context, 'clock'>,
  tx: DbTransaction,
  request: RequestInput<RequestKind, number | null>,
  isPassed: boolean,
): Promise<void> {
  const { kind, reason, operatorId: operator_id, amountCents: amount_cents } = request;
  const at = clock.now();
  await tx.query
    .insertInto('approval_requests')
    .values({
      ...{ id: createId(clock), kind, subject_id: request.subjectId, subject_label: request.subjectLabel },
      ...{ payload: JSON.stringify(request.payload), amount_cents, operator_id, reason, at },
      ...(isPassed && { outcome: 'passed', ended_at: at, ended_by: operator_id }),
    })
    .execute();
}

/** Returns undefined when no such request is pending. */
export function endRequest(
  { clock }: Pick<Context, 'clock'>,
  tx: DbTransaction,
  request: { id: string } | { kind: RequestKind; subject_id: string },
  { outcome, by }: { outcome: 'confirmed' | 'refused' | 'withdrawn'; by: string | null },
): Promise<RequestRow | undefined> {
  return tx.query
    .updateTable('approval_requests')
    .set({ outcome, ended_at: clock.now(), ended_by: by })
    .where('outcome', 'is', null)
    .where((row) => row.and(request))
    .returningAll()
    .executeTakeFirst();
}

const selectPending = (db: Executor, kinds: readonly RequestKind[]) =>
  db.query.selectFrom('approval_requests').where('outcome', 'is', null).where('kind', 'in', kinds);

/** Returns the oldest requests first. */
export function listPending(
  db: Executor,
  kinds: readonly RequestKind[],
  subjectIds?: readonly string[],
): Promise<RequestRow[]> {
  const query = selectPending(db, kinds).selectAll().orderBy('at').orderBy('subject_id');
  return (subjectIds ? query.where('subject_id', 'in', subjectIds) : query).execute();
}

export function countPending(
  db: Executor,
  kinds: readonly RequestKind[],
): Promise<{ count: number; since: Date | null }> {
  return selectPending(db, kinds)
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min<Date | null>('at').as('since')])
    .executeTakeFirstOrThrow();
}

export const createDecidedError = () => new AppError('CONFLICT', { message: texts.alreadyDecided });

/**
 * Confirming performs the request in the same transaction. Throws CONFLICT (already decided, the operator's own, roles too
 * new, the requester has lost the right) and what the rules of the kind throw.
 */
export async function decideRequest(
  ctx: Pick<Context, 'clock' | 'db'>,
  confirmer: DecidingOperator,
  { id, subject_id: subjectId }: RequestRow,
  decision: ApprovalDecision,
  { requestRoute, decisionRoute, lock, perform, describe }: KindRules,
): Promise<void> {
  const { userId: confirmerId } = confirmer;
  const isConfirmed = decision.decision === 'confirm';
  const outcome = isConfirmed ? 'confirmed' : 'refused';
  await ctx.db.transaction(async (tx) => {
    await lock(tx, subjectId);
    const row = await endRequest(ctx, tx, { id }, { outcome, by: confirmerId });
    if (!row) throw createDecidedError();
    const entry = await describe(tx, row, decision);
    if (isConfirmed) {
      const { amount_cents: cents, payload, reason, operator_id: requesterId } = row;
      await requireTwoOperators(ctx, tx, {
        requester: { id: requesterId, route: requestRoute },
        confirmer: { id: confirmerId, route: decisionRoute },
      });
      await perform(tx, { subjectId, amountCents: cents ?? 0, payload, reason, requesterId, confirmer });
    }
    await logAction(ctx, tx, { operatorId: confirmerId, ...entry });
  });
}

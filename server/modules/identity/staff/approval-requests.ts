/**
 * Giving money away above a limit needs a second operator. Modules call `requireSecondApproval` first and register with
 * `registerApprovalHandler` what happens once it is confirmed. Amounts that one operator passed alone add up for a day, so
 * that splitting does not avoid the limit.
 */

import { APPROVAL_KINDS, type ApprovalKind, type approvalRequest } from '@stagedoor/contract/admin/approval-request.ts';
import { decideApproval as decideRoute, type listApprovals } from '@stagedoor/contract/admin/approvals.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { approvalRequestId } from '@stagedoor/contract/shared/ids.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement, Tables } from '../../../platform/database/db.ts';
import { defineHook, defineKeyedHook } from '../../../platform/hooks.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findUserSummaries } from '../accounts/index.ts';
import { logAction } from '../audit-log/index.ts';
import { isOnlyOperator, requireEstablishedOperator, requireTwoOperators } from './four-eyes.ts';

type ApprovalRow = Selectable<Tables['approval_requests']>;
const DAY_MS = 24 * 60 * 60_000;
const MAX_ENDED = 20;

export type ConfirmedApproval = {
  subjectId: string;
  amountCents: number;
  payload: unknown;
  reason: string;
  requesterId: string;
  confirmer: Pick<Actor, 'userId' | 'roles'>;
};
type ApprovalDetails = Pick<z.input<typeof approvalRequest>, 'sales' | 'queue'>;
const NO_DETAILS: ApprovalDetails = { sales: [], queue: null };
export type ApprovalHandler = {
  /** Locks the subject, before any other lock of the module. Throws NOT_FOUND when it is gone. */
  lock(tx: DbTransaction, subjectId: string): Promise<unknown>;
  /** Throws CONFLICT or FORBIDDEN when it is no longer possible, or not with this confirming operator. */
  perform(tx: DbTransaction, approval: ConfirmedApproval): Promise<void>;
  /** Returns details in the order of `approvals`. */
  loadDetails?(
    db: Executor,
    approvals: readonly Pick<ConfirmedApproval, 'subjectId' | 'payload'>[],
  ): Promise<ApprovalDetails[]>;
};
type ApprovalContext = Pick<Context, 'clock'>;

/** Returns the limit in cents for one operator within 24 hours. */
type GetApprovalLimit = (db: Executor) => Promise<number>;
const approvalLimit = defineHook<GetApprovalLimit>('staff.approvalLimit');
export const registerApprovalLimit = approvalLimit.register;

const approvalHandlers = defineKeyedHook<ApprovalHandler, ApprovalKind>('staff.approvalHandler');
export const registerApprovalHandler = approvalHandlers.register;

export type ApprovalInput = {
  kind: ApprovalKind;
  subjectId: string;
  subjectLabel: string;
  amountCents: number;
  payload: Readonly<Record<string, string>>;
  operatorId: string;
  reason: string;
};

const LOCK_APPROVALS: SqlStatement = {
  name: 'approvals-lock',
  text: `select pg_advisory_xact_lock(hashtext('approvals'))`,
};
/**
 * This must be the first lock of the transaction, before the case, the processor event or the wallet, to avoid
 * deadlocks.
 */
export async function lockApprovals(tx: DbTransaction): Promise<void> {
  await tx.run(LOCK_APPROVALS, []);
}

const SUM_PASSED: SqlStatement = {
  name: 'approvals-sum-passed',
  text: `select coalesce(sum(amount_cents), 0)::bigint as cents from approval_requests where outcome = 'passed' and at > $1 and operator_id = $2`,
};
/** Values are compared as jsonb, which ignores the order of keys. */
const FIND_PENDING: SqlStatement = {
  name: 'approvals-find-pending',
  text: `select operator_id = $3 and payload = $4::jsonb as "isSame" from approval_requests where kind = $1 and subject_id = $2 and outcome is null`,
};

/**
 * Returns whether the action waits for a second operator. `isNew` is true for the first request. The caller locks the
 * subject, after {@link lockApprovals}. `details` belong in the audit log. Throws CONFLICT when another request is
 * pending or the operator's roles are too new.
 */
export async function requireSecondApproval(
  ctx: ApprovalContext,
  tx: DbTransaction,
  { kind, subjectId, subjectLabel, amountCents, payload, operatorId, reason }: ApprovalInput,
): Promise<{ needsApproval: boolean; isNew: boolean; details: { alone?: true } }> {
  const { clock } = ctx;
  const now = clock.now();
  const [pending] = await tx.run<{ isSame: boolean }>(FIND_PENDING, [
    kind,
    subjectId,
    operatorId,
    JSON.stringify(payload),
  ]);
  if (pending?.isSame) return { needsApproval: true, isNew: false, details: {} };
  if (pending) throw new AppError('CONFLICT', { message: 'Part of this is already awaiting second approval.' });
  const since = new Date(now.getTime() - DAY_MS);
  const [passedSum] = await tx.run<{ cents: number }>(SUM_PASSED, [since, operatorId]);
  const isLarge = (passedSum?.cents ?? 0) + amountCents > (await approvalLimit.get(ctx)(tx));
  const needsApproval = isLarge && !(await isOnlyOperator(ctx, tx, operatorId, decideRoute));
  if (needsApproval) await requireEstablishedOperator(ctx, tx, operatorId);
  await tx.query
    .insertInto('approval_requests')
    .values({
      ...{
        id: createId(clock),
        kind,
        subject_id: subjectId,
        subject_label: subjectLabel,
        payload: JSON.stringify(payload),
        amount_cents: amountCents,
      },
      ...{ operator_id: operatorId, reason, at: now },
      ...(!needsApproval && { outcome: 'passed', ended_at: now, ended_by: operatorId }),
    })
    .execute();
  return { needsApproval, isNew: needsApproval, details: isLarge && !needsApproval ? { alone: true } : {} };
}

async function present<R extends ApprovalRow>(db: Executor, rows: readonly R[]) {
  const usersById = await findUserSummaries(
    db,
    rows.flatMap(({ operator_id: by, ended_by: endedBy }) => (endedBy === null ? [by] : [by, endedBy])),
  );
  const getUsername = (id: string | null) => usersById.get(id ?? '')?.username ?? '';
  return rows.map((row) => ({
    row,
    endedBy: getUsername(row.ended_by),
    approval: {
      id: z.parse(approvalRequestId, row.id),
      kind: z.parse(z.enum(APPROVAL_KINDS), row.kind),
      subjectId: row.subject_id,
      subjectLabel: row.subject_label,
      amount: toUsd(asCents(row.amount_cents)),
      operator: getUsername(row.operator_id),
      reason: row.reason,
      at: row.at.toISOString(),
    },
  }));
}

async function loadDetailsById(
  ctx: Pick<Context, 'db'>,
  rows: readonly ApprovalRow[],
): Promise<Map<string, ApprovalDetails>> {
  const detailsById = new Map<string, ApprovalDetails>();
  for (const kind of APPROVAL_KINDS) {
    const ofKind = rows.filter((row) => row.kind === kind);
    if (ofKind.length === 0) continue;
    const details = await approvalHandlers.find(ctx, kind)?.loadDetails?.(
      ctx.db,
      ofKind.map(({ subject_id: subjectId, payload }) => ({ subjectId, payload })),
    );
    for (const [index, row] of ofKind.entries()) detailsById.set(row.id, details?.[index] ?? NO_DETAILS);
  }
  return detailsById;
}

async function presentPending(
  ctx: Pick<Context, 'db'>,
  rows: readonly ApprovalRow[],
): Promise<z.input<typeof approvalRequest>[]> {
  const [presented, detailsById] = await Promise.all([present(ctx.db, rows), loadDetailsById(ctx, rows)]);
  return presented.map(({ approval }) => ({ ...approval, ...(detailsById.get(approval.id) ?? NO_DETAILS) }));
}

export async function listPendingApprovals(
  ctx: Pick<Context, 'db'>,
  kind: ApprovalKind,
  subjectIds: readonly string[],
): Promise<Map<string, z.input<typeof approvalRequest>>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await ctx.db.query
    .selectFrom('approval_requests')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject_id', 'in', subjectIds)
    .where('outcome', 'is', null)
    .execute();
  return new Map((await presentPending(ctx, rows)).map((approval) => [approval.subjectId, approval]));
}

export async function loadApprovals(ctx: Pick<Context, 'db'>): Promise<ResponseInputOf<typeof listApprovals>> {
  const query = ctx.db.query.selectFrom('approval_requests').selectAll();
  const [pending, ended] = await Promise.all([
    query.where('outcome', 'is', null).orderBy('at').orderBy('id').execute(),
    query.where('outcome', 'in', ['confirmed', 'refused']).orderBy('ended_at', 'desc').limit(MAX_ENDED).execute(),
  ]);
  const [data, decided] = await Promise.all([presentPending(ctx, pending), present(ctx.db, ended)]);
  return {
    data,
    decided: decided.map(({ approval, row, endedBy }) => ({
      ...approval,
      outcome: row.outcome === 'confirmed' ? 'confirmed' : 'refused',
      decidedAt: (row.ended_at ?? row.at).toISOString(),
      decidedBy: endedBy,
    })),
  };
}

export async function countPendingApprovals(db: Executor): Promise<{ count: number; since: Date | null }> {
  const rows = await db.query
    .selectFrom('approval_requests')
    .select('at')
    .where('outcome', 'is', null)
    .orderBy('at')
    .execute();
  return { count: rows.length, since: rows[0]?.at ?? null };
}

/**
 * Confirming carries the request out in the same transaction. Throws NOT_FOUND, CONFLICT (already decided, the
 * operator's own, roles too new, the requester has lost the right, no longer possible), FORBIDDEN with the reason.
 */
export async function decideApproval(
  ctx: Context,
  actor: Pick<Actor, 'userId' | 'roles'>,
  id: string,
  { decision, reason }: BodyOf<typeof decideRoute>,
): Promise<ResponseInputOf<typeof listApprovals>> {
  const request = await ctx.db.query
    .selectFrom('approval_requests')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!request || request.outcome === 'passed') throw new AppError('NOT_FOUND');
  const kind = z.parse(z.enum(APPROVAL_KINDS), request.kind);
  const handler = approvalHandlers.get(ctx, kind);
  const isConfirmed = decision === 'confirm';
  await ctx.db.transaction(async (tx) => {
    await lockApprovals(tx);
    await handler.lock(tx, request.subject_id);
    const row = await tx.query
      .updateTable('approval_requests')
      .set({ outcome: isConfirmed ? 'confirmed' : 'refused', ended_at: ctx.clock.now(), ended_by: actor.userId })
      .where('id', '=', id)
      .where('outcome', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new AppError('CONFLICT', { message: 'This was decided already.' });
    if (isConfirmed) {
      const { subject_id: subjectId, amount_cents: amountCents, payload, reason, operator_id: requesterId } = row;
      // Requesting and confirming require the same right.
      await requireTwoOperators(ctx, tx, { requesterId, confirmer: actor.userId, route: decideRoute });
      await handler.perform(tx, { subjectId, amountCents, payload, reason, requesterId, confirmer: actor });
    }
    await logApprovalDecision(ctx, tx, row, { decision, by: actor.userId, reason });
  });
  return loadApprovals(ctx);
}

type ApprovalDecision = { decision: BodyOf<typeof decideRoute>['decision']; by: string | null; reason: string };

function logApprovalDecision(
  ctx: ApprovalContext,
  tx: DbTransaction,
  row: ApprovalRow,
  { decision, by, reason }: ApprovalDecision,
): Promise<void> {
  return logAction(ctx, tx, {
    operatorId: by,
    action: `approval.${decision}`,
    subjectKind: 'approval',
    subjectId: row.id,
    details: {
      kind: row.kind,
      subjectLabel: row.subject_label,
      amountCents: row.amount_cents,
      requesterId: row.operator_id,
      reason,
    },
  });
}

/** Refuses the pending request when its subject has ended. The caller locks the subject. */
export async function refusePendingApproval(
  ctx: ApprovalContext,
  tx: DbTransaction,
  { kind, subjectId, by, reason }: { kind: ApprovalKind; subjectId: string; by: string | null; reason: string },
): Promise<void> {
  const row = await tx.query
    .updateTable('approval_requests')
    .set({ outcome: 'refused', ended_at: ctx.clock.now(), ended_by: by })
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .where('outcome', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (row) await logApprovalDecision(ctx, tx, row, { decision: 'refuse', by, reason });
}

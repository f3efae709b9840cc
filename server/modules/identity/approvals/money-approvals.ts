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
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { defineHook, defineKeyedHook } from '../../../platform/hooks.ts';
import { findUserSummaries } from '../accounts/index.ts';
import { logAction } from '../audit-log/index.ts';
import { needsSecondOperator } from './four-eyes.ts';
import {
  type ApprovalDecision,
  type ConfirmedApproval,
  countPending,
  type DecidingOperator,
  decideRequest,
  endRequest,
  insertRequest,
  type KindRules,
  listPending,
  type RequestInput,
  type RequestRow,
} from './requests.ts';
import * as texts from './texts.ts';

type ApprovalView = z.input<typeof approvalRequest>;
type ApprovalDetails = Pick<ApprovalView, 'sales' | 'queue'>;
const DAY_MS = 24 * 60 * 60_000;
const MAX_ENDED = 20;
const NO_DETAILS: ApprovalDetails = { sales: [], queue: null };

export type ApprovalHandler = Pick<KindRules, 'lock' | 'perform'> & {
  /** Returns details in the order of `approvals`. */
  loadDetails?(
    db: Executor,
    approvals: readonly Pick<ConfirmedApproval, 'subjectId' | 'payload'>[],
  ): Promise<ApprovalDetails[]>;
};

const approvalHandlers = defineKeyedHook<ApprovalHandler, ApprovalKind>('approvals.approvalHandler');
export const registerApprovalHandler = approvalHandlers.register;

/** Returns the limit in cents for one operator within 24 hours. */
type GetApprovalLimit = (db: Executor) => Promise<number>;
const approvalLimit = defineHook<GetApprovalLimit>('approvals.approvalLimit');
export const registerApprovalLimit = approvalLimit.register;

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
 * subject, after {@link lockApprovals}. `details` belong in the audit log. Throws CONFLICT when another request is pending or
 * the operator's roles are too new.
 */
export async function requireSecondApproval(
  ctx: Pick<Context, 'clock' | 'hooks'>,
  tx: DbTransaction,
  request: RequestInput<ApprovalKind, number>,
): Promise<{ needsApproval: boolean; isNew: boolean; details: { alone?: true } }> {
  const { kind, subjectId, operatorId } = request;
  const [pending] = await tx.run<{ isSame: boolean }>(FIND_PENDING, [
    kind,
    subjectId,
    operatorId,
    JSON.stringify(request.payload),
  ]);
  if (pending?.isSame) return { needsApproval: true, isNew: false, details: {} };
  if (pending) throw new AppError('CONFLICT', { message: texts.partAwaitingSecondApproval });
  const since = new Date(ctx.clock.now().getTime() - DAY_MS);
  const [passedSum] = await tx.run<{ cents: number }>(SUM_PASSED, [since, operatorId]);
  const isLarge = (passedSum?.cents ?? 0) + request.amountCents > (await approvalLimit.get(ctx)(tx));
  const needsApproval = isLarge && (await needsSecondOperator(ctx, tx, operatorId, decideRoute));
  await insertRequest(ctx, tx, request, !needsApproval);
  return { needsApproval, isNew: needsApproval, details: isLarge && !needsApproval ? { alone: true } : {} };
}

async function present(db: Executor, rows: readonly RequestRow[]) {
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
      amount: toUsd(asCents(row.amount_cents ?? 0)),
      operator: getUsername(row.operator_id),
      reason: row.reason,
      at: row.at.toISOString(),
    },
  }));
}

async function loadDetailsById(
  ctx: Pick<Context, 'db' | 'hooks'>,
  rows: readonly RequestRow[],
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
  ctx: Pick<Context, 'db' | 'hooks'>,
  rows: readonly RequestRow[],
): Promise<ApprovalView[]> {
  const [presented, detailsById] = await Promise.all([present(ctx.db, rows), loadDetailsById(ctx, rows)]);
  return presented.map(({ approval }) => ({ ...approval, ...(detailsById.get(approval.id) ?? NO_DETAILS) }));
}

export async function listPendingApprovals(
  ctx: Pick<Context, 'db' | 'hooks'>,
  kind: ApprovalKind,
  subjectIds: readonly string[],
): Promise<Map<string, ApprovalView>> {
  if (subjectIds.length === 0) return new Map();
  const approvals = await presentPending(ctx, await listPending(ctx.db, [kind], subjectIds));
  return new Map(approvals.map((approval) => [approval.subjectId, approval]));
}

const selectRequests = ({ db }: Pick<Context, 'db'>) =>
  db.query.selectFrom('approval_requests').selectAll().where('kind', 'in', APPROVAL_KINDS);

export async function loadApprovals(
  ctx: Pick<Context, 'db' | 'hooks'>,
): Promise<ResponseInputOf<typeof listApprovals>> {
  const [pending, ended] = await Promise.all([
    listPending(ctx.db, APPROVAL_KINDS),
    selectRequests(ctx)
      .where('outcome', 'in', ['confirmed', 'refused'])
      .orderBy('ended_at', 'desc')
      .limit(MAX_ENDED)
      .execute(),
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

export const countPendingApprovals = (db: Executor): ReturnType<typeof countPending> =>
  countPending(db, APPROVAL_KINDS);

const describeDecision = (row: RequestRow, { decision, reason }: ApprovalDecision) => ({
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

/** Throws NOT_FOUND, CONFLICT or FORBIDDEN as {@link decideRequest}, with the reason. */
export async function decideApproval(
  ctx: Context,
  actor: DecidingOperator,
  id: string,
  decision: BodyOf<typeof decideRoute>,
): Promise<ResponseInputOf<typeof listApprovals>> {
  const request = await selectRequests(ctx).where('id', '=', id).executeTakeFirst();
  if (!request || request.outcome === 'passed') throw new AppError('NOT_FOUND');
  const { lock, perform } = approvalHandlers.get(ctx, z.parse(z.enum(APPROVAL_KINDS), request.kind));
  await decideRequest(ctx, actor, request, decision, {
    // Requesting and confirming require the same right.
    requestRoute: decideRoute,
    decisionRoute: decideRoute,
    lock: async (tx, subjectId) => {
      await lockApprovals(tx);
      await lock(tx, subjectId);
    },
    perform,
    describe: async (_tx, row) => describeDecision(row, decision),
  });
  return loadApprovals(ctx);
}

/** Refuses the pending request when its subject has ended. The caller locks the subject. */
export async function refusePendingApproval(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  { kind, subjectId, by, reason }: { kind: ApprovalKind; subjectId: string; by: string | null; reason: string },
): Promise<void> {
  const row = await endRequest(ctx, tx, { kind, subject_id: subjectId }, { outcome: 'refused', by });
  if (row) await logAction(ctx, tx, { operatorId: by, ...describeDecision(row, { decision: 'refuse', reason }) });
}

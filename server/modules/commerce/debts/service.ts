import {
  DEBT_DECISIONS,
  type debtor,
  type decideDebt as decideRoute,
  type listDebtors,
} from '@stagedoor/contract/admin/debts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { parseSkip, toOffsetPage } from '../../../platform/database/pagination.ts';
import { findUser, findUserSummaries } from '../../identity/accounts/index.ts';
import {
  type ApprovalHandler,
  listPendingApprovals,
  lockApprovals,
  requireSecondApproval,
} from '../../identity/approvals/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import {
  getSpendingStatus,
  listDebtorIds,
  listDebtParts,
  listDebts,
  lockWallet,
  setSpendingBlocked,
  writeOffDebt,
} from '../../ledger/ledger/index.ts';
import { presentDebt } from './present.ts';
import * as texts from './texts.ts';

/** The command line provides this context, too. */
type DebtContext = Pick<Context, 'hooks' | 'clock' | 'config' | 'db' | 'log' | 'mailer'>;
type DebtorView = z.input<typeof debtor>;

function listDebtDecisions(ctx: DebtContext, fanIds: readonly string[]) {
  return ctx.db.query.selectFrom('debt_decisions').selectAll().where('fan_id', 'in', fanIds).orderBy('id').execute();
}

async function presentDebtors(ctx: DebtContext, fanIds: readonly string[]): Promise<DebtorView[]> {
  if (fanIds.length === 0) return [];
  const [decisions, debts, pendingApprovals] = await Promise.all([
    listDebtDecisions(ctx, fanIds),
    listDebts(ctx.db, fanIds),
    listPendingApprovals(ctx, 'writeOff', fanIds),
  ]);
  const users = await findUserSummaries(ctx.db, [
    ...fanIds,
    ...decisions.flatMap(({ actor_id: actorId }) => actorId ?? []),
  ]);
  return fanIds.map((fanId) => {
    const [fan, debt] = [users.get(fanId), debts.find((one) => one.fanId === fanId)];
    if (!fan || !debt) throw new AppError('NOT_FOUND');
    return {
      fan: { id: z.parse(userId, fan.id), username: fan.username, name: fan.name },
      ...presentDebt(debt, debt.parts),
      pendingApproval: pendingApprovals.get(fanId) ?? null,
      decisions: decisions
        .filter(({ fan_id: id }) => id === fanId)
        .map((one) => ({
          decision: DEBT_DECISIONS.find((known) => known === one.decision) ?? 'block',
          reason: one.reason,
          amount: toUsd(asCents(one.amount_cents)),
          decidedAt: one.decided_at.toISOString(),
          operator: users.get(one.actor_id ?? '')?.username ?? null,
        })),
    };
  });
}

export async function viewDebtors(
  ctx: DebtContext,
  { limit, offset }: QueryOf<typeof listDebtors>,
): Promise<ResponseInputOf<typeof listDebtors>> {
  const skip = parseSkip(offset);
  const { fanIds, total } = await listDebtorIds(ctx.db, { limit, skip });
  return toOffsetPage(await presentDebtors(ctx, fanIds), { limit, skip, total });
}

type DebtDecisionInput = BodyOf<typeof decideRoute>;
type DebtDecision = {
  actorId: string | null;
  fanId: string;
  decision: DebtDecisionInput['decision'];
  reason: string;
  cents: number;
};

async function saveDebtDecision(
  ctx: DebtContext,
  tx: DbTransaction,
  { actorId, fanId, decision, reason, cents }: DebtDecision,
  details = {},
) {
  await tx.query
    .insertInto('debt_decisions')
    .values({
      ...{ fan_id: fanId, actor_id: actorId, decision, reason },
      ...{ amount_cents: cents, decided_at: ctx.clock.now() },
    })
    .execute();
  await logAction(ctx, tx, {
    operatorId: actorId,
    action: `debt.${decision}`,
    subjectKind: 'account',
    subjectId: fanId,
    details: { reason, cents, ...details },
  });
}

const listOpenReversalIds = async (tx: DbTransaction, fanId: string): Promise<string[]> =>
  (await listDebtParts(tx, fanId)).flatMap(({ reversalId, openCents }) => (openCents > 0 ? reversalId : []));

async function writeOff(
  ctx: DebtContext,
  tx: DbTransaction,
  actorId: string | null,
  fan: { id: string; username: string },
  reason: string,
): Promise<void> {
  const { owedCents: cents } = await getSpendingStatus(tx, fan.id);
  if (cents === 0) throw new AppError('NOT_FOUND', { message: texts.noOutstandingBalance });
  const payload = { parts: (await listOpenReversalIds(tx, fan.id)).join(' ') };
  const request = {
    kind: 'writeOff',
    subjectId: fan.id,
    subjectLabel: `@${fan.username}`,
    payload,
    amountCents: cents,
    reason,
  } as const;
  const approval =
    actorId === null ? undefined : await requireSecondApproval(ctx, tx, { ...request, operatorId: actorId });
  if (!approval?.needsApproval) {
    await writeOffDebt(tx, fan.id, ctx.clock.now());
    await saveDebtDecision(ctx, tx, { actorId, fanId: fan.id, decision: 'writeOff', reason, cents }, approval?.details);
  } else if (approval.isNew)
    await logAction(ctx, tx, {
      operatorId: actorId,
      action: 'debt.writeOffRequested',
      subjectKind: 'account',
      subjectId: fan.id,
      details: { reason, cents },
    });
}

const writeOffPayload = z.object({ parts: z._default(z.string(), '') });

export const createWriteOffApproval = (ctx: Context): ApprovalHandler => ({
  lock: (tx, fanId) => lockWallet(tx, fanId),
  perform: async (tx, { subjectId: fanId, amountCents, payload, reason, requesterId, confirmer }) => {
    const { owedCents } = await getSpendingStatus(tx, fanId);
    if (owedCents === 0) throw new AppError('CONFLICT', { message: texts.debtAlreadySettled });
    const requestedParts = z.parse(writeOffPayload, payload).parts.split(' ');
    const open = await listOpenReversalIds(tx, fanId);
    if (!open.some((part) => requestedParts.includes(part)))
      throw new AppError('CONFLICT', {
        message: texts.originalDebtSettled,
      });
    if (owedCents > amountCents || open.some((part) => !requestedParts.includes(part)))
      throw new AppError('CONFLICT', { message: texts.debtHasGrown });
    await writeOffDebt(tx, fanId, ctx.clock.now());
    const decided = { actorId: requesterId, fanId, decision: 'writeOff', reason, cents: owedCents } as const;
    await saveDebtDecision(ctx, tx, decided, { confirmedBy: confirmer.userId });
  },
});

/**
 * Decides about a fan. `actorId` is null for the command line. A block replaces the block for a debt and does not end
 * with the debt.
 * Throws NOT_FOUND (no such fan, or nothing to write off), CONFLICT (already blocked or unblocked).
 */
export async function decideDebt(
  ctx: DebtContext,
  actorId: string | null,
  fanId: string,
  { decision, reason }: DebtDecisionInput,
): Promise<DebtorView> {
  await ctx.db.transaction(async (tx) => {
    if (decision === 'writeOff' && actorId !== null) await lockApprovals(tx);
    const fan = await findUser(tx, fanId);
    if (fan?.type !== 'customer') throw new AppError('NOT_FOUND');
    await lockWallet(tx, fanId);
    if (decision === 'writeOff') return writeOff(ctx, tx, actorId, fan, reason);
    const { isBlocked, isForDebt, owedCents } = await getSpendingStatus(tx, fanId);
    const isUnchanged = decision === 'block' ? isBlocked && !isForDebt : !isBlocked;
    if (isUnchanged)
      throw new AppError('CONFLICT', {
        message: formatText(texts.spendingAlreadyInState, { state: decision === 'block' ? 'blocked' : 'allowed' }),
      });
    await setSpendingBlocked(tx, fanId, decision === 'block');
    await saveDebtDecision(ctx, tx, { actorId, fanId, decision, reason, cents: owedCents });
  });
  ctx.log.info({ fanId, actorId, decision }, 'an operator decided on what a fan owes or may spend');
  const [view] = await presentDebtors(ctx, [fanId]);
  if (!view) throw new AppError('NOT_FOUND');
  return view;
}

import type { AdminPayoutDetail } from '@stagedoor/contract/admin/payouts.ts';
import { MONEY_KINDS } from '@stagedoor/contract/commerce/money-kinds.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { transactionId } from '@stagedoor/contract/shared/ids.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { getVerificationVerdict } from '../../compliance/verification/index.ts';
import { findUserSummaries, requireUser } from '../../identity/accounts/index.ts';
import { listLegs } from '../../ledger/ledger/index.ts';
import { viewAdminPayout } from './admin.ts';
import { findPayoutProblem, METHOD_RETURNED, requireNoLedgerAlarm } from './eligibility.ts';
import { isOpen, presentMethod, presentTimeline, toPayoutEvent, toPayoutSource } from './present.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

async function findCurrentProblem(db: Executor, request: store.RequestRow, now: Date): Promise<string | undefined> {
  const isUnsent = request.status === 'approved' && request.batch_id === null;
  if (!isUnsent && !isOpen(request)) return undefined;
  if (request.invalid_at) return METHOD_RETURNED;
  try {
    await requireNoLedgerAlarm(db);
    return await findPayoutProblem(db, { userId: request.user_id, source: toPayoutSource(request.source) }, now);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

const ACCOUNT_LABELS: readonly (readonly [RegExp, string])[] = [
  [/:available$/, texts.recipientAvailableBalance],
  [/_reserved$|:reserved$/, texts.onHoldForPayouts],
  [/^liab:payout_clearing:/, texts.inTransit],
  [/^rev:payout_fee$/, texts.ourFee],
  [/^asset:bank:/, texts.ourBankAccount],
];
const getAccountLabel = (code: string) => ACCOUNT_LABELS.find(([pattern]) => pattern.test(code))?.[1] ?? code;

const TITLES: Readonly<Partial<Record<ReturnType<typeof toPayoutEvent>, string>>> = {
  requested: 'payout_requested',
  rejected: 'payout_cancelled',
  cancelled: 'payout_cancelled',
  sent: 'payout_sent',
  queued: 'payout_sent',
  unsent: 'payout_unsent',
  paid: 'payout_paid',
  failed: 'payout_failed',
  returned: 'payout_failed',
};

async function listTransactions(
  db: Executor,
  { sent_transaction_id: sentId }: store.RequestRow,
  events: readonly store.PayoutEventRow[],
): Promise<AdminPayoutDetail['transactions']> {
  // Older payouts were sent before events stored their transaction.
  const first = events.some(({ transaction_id: id }) => id === sentId)
    ? undefined
    : events.find(({ event }) => event === 'sent' || event === 'queued');
  const bookedEvents = events.flatMap((row) => {
    const id = row === first ? sentId : row.transaction_id;
    return id === null ? [] : [{ id, at: row.at, event: toPayoutEvent(row.event) }];
  });
  return Promise.all(
    bookedEvents.map(async ({ id, at, event }) => ({
      transactionId: z.parse(transactionId, id),
      title: MONEY_KINDS[TITLES[event] ?? '']?.title ?? event,
      at: at.toISOString(),
      legs: (await listLegs(db, id)).map(({ code, cents }) => ({
        account: getAccountLabel(code),
        amount: toUsd(asCents(code.startsWith('asset:') ? cents : -cents)),
      })),
    })),
  );
}

async function presentHistory(
  db: Executor,
  ownerId: string,
  events: readonly store.PayoutEventRow[],
): Promise<AdminPayoutDetail['history']> {
  const getOperatorId = (row: store.PayoutEventRow) => (row.by_id === ownerId ? null : row.by_id);
  const operators = await findUserSummaries(
    db,
    events.flatMap((row) => getOperatorId(row) ?? []),
  );
  return presentTimeline(events).map(({ label, at }, index) => {
    const row = events[index];
    return {
      label,
      at,
      operator: operators.get((row && getOperatorId(row)) ?? '')?.username ?? null,
      reason: row?.reason || null,
    };
  });
}

/** Throws NOT_FOUND. */
export async function viewPayoutDetail(ctx: Context, id: string): Promise<AdminPayoutDetail> {
  const request = await store.findPayout(ctx.db, id);
  if (!request) throw new AppError('NOT_FOUND');
  const { user_id: ownerId, method_id: methodId } = request;
  const [view, method, arrivedCount, events, user, problem] = await Promise.all([
    viewAdminPayout(ctx, id),
    store.findMethod(ctx.db, methodId),
    store.countArrived(ctx.db, methodId),
    store.listPayoutEvents(ctx.db, [id]),
    requireUser(ctx.db, ownerId),
    findCurrentProblem(ctx.db, request, ctx.clock.now()),
  ]);
  const [history, transactions, verdict] = await Promise.all([
    presentHistory(ctx.db, ownerId, events),
    listTransactions(ctx.db, request, events),
    user.type === 'creator' ? getVerificationVerdict(ctx.db, ownerId) : undefined,
  ]);
  const { createdAt: addedAt, usableAt, problem: methodProblem } = presentMethod(method, ctx.clock.now());
  return {
    ...view,
    destination: { addedAt, usableAt, problem: methodProblem, arrivedCount },
    verification: verdict ? { ...verdict, decidedAt: verdict.decidedAt?.toISOString() ?? null } : null,
    problem: problem ?? null,
    history,
    transactions,
  };
}

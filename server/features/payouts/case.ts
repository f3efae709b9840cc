import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { transactionId } from '@stagedoor/contract/atoms/ids.ts';
import { asCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import { MONEY_KINDS } from '@stagedoor/contract/money-kinds.ts';
import type { PayoutCase } from '@stagedoor/contract/payout-desk.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { findPeople, requireUser } from '../accounts/index.ts';
import { legsOf } from '../ledger/index.ts';
import { verdictOf } from '../verification/index.ts';
import { requireBalance, viewOne } from './desk.ts';
import { CAME_BACK, whyNotPaid } from './gates.ts';
import { isCancellable, momentOf, presentMethod, presentTrack, sourceOf } from './present.ts';
import * as store from './store.ts';

async function problemOf(db: Executor, request: store.RequestRow, now: Date): Promise<string | undefined> {
  const isUnsent = request.status === 'approved' && request.batch_id === null;
  if (!isUnsent && !isCancellable(request)) return undefined;
  if (request.invalid_at) return CAME_BACK;
  try {
    await requireBalance(db);
    return await whyNotPaid(db, { userId: request.user_id, source: sourceOf(request.source) }, now);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

const ACCOUNTS: readonly (readonly [RegExp, string])[] = [
  [/:available$/, 'Recipient’s available balance'],
  [/_reserved$|:reserved$/, 'On hold for payouts'],
  [/^liab:payout_clearing:/, 'In transit'],
  [/^rev:payout_fee$/, 'Our fee'],
  [/^asset:bank:/, 'Our bank account'],
];
const accountWords = (code: string) => ACCOUNTS.find(([pattern]) => pattern.test(code))?.[1] ?? code;

const TITLES: Readonly<Partial<Record<ReturnType<typeof momentOf>, string>>> = {
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

async function workingOf(
  db: Executor,
  { sent_id: sentId }: store.RequestRow,
  moments: readonly store.MomentRow[],
): Promise<PayoutCase['working']> {
  // Older payouts were sent before events stored their transaction.
  const first = moments.some(({ transaction_id: id }) => id === sentId)
    ? undefined
    : moments.find(({ moment }) => moment === 'sent' || moment === 'queued');
  const moved = moments.flatMap((row) => {
    const id = row === first ? sentId : row.transaction_id;
    return id === null ? [] : [{ id, at: row.at, moment: momentOf(row.moment) }];
  });
  return Promise.all(
    moved.map(async ({ id, at, moment }) => ({
      transactionId: z.parse(transactionId, id),
      title: MONEY_KINDS[TITLES[moment] ?? '']?.title ?? moment,
      at: at.toISOString(),
      lines: (await legsOf(db, id)).map(({ code, cents }) => ({
        account: accountWords(code),
        amount: toUsd(asCents(code.startsWith('asset:') ? cents : -cents)),
      })),
    })),
  );
}

async function historyOf(
  db: Executor,
  personId: string,
  moments: readonly store.MomentRow[],
): Promise<PayoutCase['history']> {
  const by = (row: store.MomentRow) => (row.by_id === personId ? null : row.by_id);
  const operators = await findPeople(
    db,
    moments.flatMap((row) => by(row) ?? []),
  );
  return presentTrack(moments).map(({ words, at }, index) => {
    const row = moments[index];
    return {
      words,
      at,
      operator: operators.get((row && by(row)) ?? '')?.username ?? null,
      ground: row?.ground || null,
    };
  });
}

/** Throws NOT_FOUND. */
export async function viewCase(ctx: Context, id: string): Promise<PayoutCase> {
  const request = await store.findPayout(ctx.db, id);
  if (!request) throw new AppError('NOT_FOUND');
  const { user_id: personId, method_id: methodId } = request;
  const [view, method, arrived, moments, person, problem] = await Promise.all([
    viewOne(ctx, id),
    store.findMethod(ctx.db, methodId),
    store.countArrived(ctx.db, methodId),
    store.momentsOf(ctx.db, [id]),
    requireUser(ctx.db, personId),
    problemOf(ctx.db, request, ctx.clock.now()),
  ]);
  const [history, working, verdict] = await Promise.all([
    historyOf(ctx.db, personId, moments),
    workingOf(ctx.db, request, moments),
    person.type === 'creator' ? verdictOf(ctx.db, personId) : undefined,
  ]);
  const { createdAt: addedAt, usableAt, problem: broken } = presentMethod(method, ctx.clock.now());
  return {
    ...view,
    destination: { addedAt, usableAt, problem: broken, arrived },
    verification: verdict ? { ...verdict, decidedAt: verdict.decidedAt?.toISOString() ?? null } : null,
    problem: problem ?? null,
    history,
    working,
  };
}

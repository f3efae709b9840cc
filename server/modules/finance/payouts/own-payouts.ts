import type {
  getPayoutOverview,
  listPayouts as listRoute,
  PayoutDetail,
  PayoutSource,
  PayoutState,
} from '@stagedoor/contract/finance/payouts.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { asCents, type Cents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { parseSkip, toOffsetPage } from '../../../platform/database/pagination.ts';
import { getBalance } from '../../ledger/ledger/index.ts';
import { findPayoutProblem, type Payee } from './eligibility.ts';
import { presentPayout, presentTimeline } from './present.ts';
import { getPayoutAccounts } from './requests.ts';
import { getMinimum, loadPayoutSettings } from './settings.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Returns a request of the user. Throws NOT_FOUND (not of this user and source). */
export async function viewPayout(db: Executor, payee: Payee, id: string): Promise<PayoutDetail> {
  const row = await store.findPayout(db, id);
  if (!row || row.user_id !== payee.userId || row.source !== payee.source) throw new AppError('NOT_FOUND');
  return {
    ...presentPayout(row),
    timeline: presentTimeline(await store.listPayoutEvents(db, [id])),
    reference: row.reference,
  };
}

export type PayoutQuery = {
  limit: number;
  offset: string;
  status?: PayoutState | undefined;
  /** Request days in UTC, both inclusive. */
  from?: string | undefined;
  to?: string | undefined;
};

/** Converts days to times. Throws VALIDATION when they are in the wrong order. */
export function toTimeRange({
  from,
  to,
}: Pick<PayoutQuery, 'from' | 'to'>): Pick<store.PayoutFilter, 'since' | 'before'> {
  if (from !== undefined && to !== undefined && from > to) throw createFieldError('to', texts.endDateBeforeStart);
  return {
    since: from === undefined ? undefined : new Date(from),
    before: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
  };
}

export async function viewPayouts(
  db: Executor,
  { userId, source }: Payee,
  query: PayoutQuery,
): Promise<ResponseInputOf<typeof listRoute>> {
  const { limit, offset, status } = query;
  const skip = parseSkip(offset);
  const { rows, total } = await store.listPayouts(
    db,
    { userId, source, status, ...toTimeRange(query) },
    { limit, skip },
  );
  return toOffsetPage(rows.map(presentPayout), { limit, skip, total });
}

export async function viewPayoutOverview(
  ctx: Context,
  userId: string,
  source: PayoutSource,
): Promise<ResponseInputOf<typeof getPayoutOverview>> {
  const { available, reserved } = getPayoutAccounts(userId, source);
  const settings = await loadPayoutSettings(ctx.db);
  const [availableCents, reservedCents, problem] = await Promise.all([
    getBalance(ctx.db, available),
    getBalance(ctx.db, reserved),
    findPayoutProblem(ctx.db, { userId, source }, ctx.clock.now()),
  ]);
  const minimum = (kind: 'ach' | 'paypal' | 'crypto') => toUsd(getMinimum(settings, source, kind));
  return {
    available: toUsd(availableCents),
    reserved: toUsd(reservedCents),
    minimum: { ach: minimum('ach'), paypal: minimum('paypal'), crypto: minimum('crypto') },
    problem: problem ?? null,
  };
}

export async function sumInTransit(db: Executor, { userId, source }: Payee): Promise<Cents> {
  const { cents } = await db.query
    .selectFrom('payouts')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('amount_cents'), row.lit(0)).as('cents'))
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .where('status', '=', 'approved')
    .where('sent_transaction_id', 'is not', null)
    .executeTakeFirstOrThrow();
  return asCents(Number(cents));
}

import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { asCents, type Cents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type {
  listPayouts as listRoute,
  PayoutDetail,
  PayoutSource,
  PayoutState,
  payoutOverview,
} from '@stagedoor/contract/payouts.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { pageOf, skipOf } from '../../kernel/offset.ts';
import { balanceOf } from '../ledger/index.ts';
import { type Payee, whyNotPaid } from './gates.ts';
import { presentPayout, presentTrack } from './present.ts';
import { accountsOf } from './requests.ts';
import { minimumOf, payoutSettings } from './settings.ts';
import * as store from './store.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Returns a request of the user. Throws NOT_FOUND (not of this user and source). */
export async function viewPayout(db: Executor, payee: Payee, id: string): Promise<PayoutDetail> {
  const row = await store.findPayout(db, id);
  if (!row || row.user_id !== payee.userId || row.source !== payee.source) throw new AppError('NOT_FOUND');
  return { ...presentPayout(row), track: presentTrack(await store.momentsOf(db, [id])), reference: row.reference };
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
export function instantsOf({
  from,
  to,
}: Pick<PayoutQuery, 'from' | 'to'>): Pick<store.PayoutFilter, 'since' | 'before'> {
  if (from !== undefined && to !== undefined && from > to) throw invalid('to', 'End date is before start date');
  return {
    since: from === undefined ? undefined : new Date(from),
    before: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
  };
}

export async function viewPayouts(
  db: Executor,
  { userId, source }: Payee,
  query: PayoutQuery,
): Promise<AnswerOf<typeof listRoute>> {
  const { limit, offset, status } = query;
  const skip = skipOf(offset);
  const { rows, total } = await store.listPayouts(
    db,
    { userId, source, status, ...instantsOf(query) },
    { limit, skip },
  );
  return pageOf(rows.map(presentPayout), { limit, skip, total });
}

export async function viewOverview(
  ctx: Context,
  userId: string,
  source: PayoutSource,
): Promise<AnswerOf<typeof payoutOverview>> {
  const { available, reserved } = accountsOf(userId, source);
  const settings = await payoutSettings(ctx.db);
  const [availableCents, reservedCents, problem] = await Promise.all([
    balanceOf(ctx.db, available),
    balanceOf(ctx.db, reserved),
    whyNotPaid(ctx.db, { userId, source }, ctx.clock.now()),
  ]);
  const minimum = (kind: 'ach' | 'paypal' | 'crypto') => toUsd(minimumOf(settings, source, kind));
  return {
    available: toUsd(availableCents),
    reserved: toUsd(reservedCents),
    minimum: { ach: minimum('ach'), paypal: minimum('paypal'), crypto: minimum('crypto') },
    problem: problem ?? null,
  };
}

export async function onTheWay(db: Executor, { userId, source }: Payee): Promise<Cents> {
  const { cents } = await db.query
    .selectFrom('payouts')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('amount_cents'), row.lit(0)).as('cents'))
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .where('status', '=', 'approved')
    .where('sent_id', 'is not', null)
    .executeTakeFirstOrThrow();
  return asCents(Number(cents));
}

import type {
  getWithdrawal,
  listReferrals,
  listWithdrawals,
  Referral,
  Withdrawal,
} from '@stagedoor/contract/finance/affiliates.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { getCommissionRates, sumCommissionsByUser } from '../../commerce/sales/index.ts';
import { toAvatarUrl } from '../../identity/accounts/index.ts';
import { requireAffiliate } from './codes.ts';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;
const AFTER_ALL = Date.parse('9999-12-31');

function toTimeSpan({ startDate, endDate }: { startDate?: string | undefined; endDate?: string | undefined }): Date[] {
  if (startDate && endDate && endDate < startDate) throw createFieldError('endDate', texts.endDateBeforeStart);
  const from = startDate ? Math.max(0, Date.parse(startDate)) : 0;
  const until = endDate ? Math.min(AFTER_ALL, Date.parse(endDate) + DAY_MS) : AFTER_ALL;
  return [new Date(from), new Date(until)];
}

const toSkip = ({ currentPage, limit }: { currentPage: number; limit: number }) => (currentPage - 1) * limit;

type ReferralsQuery = QueryOf<typeof listReferrals>;
type ReferralRow = Pick<Referral, 'id' | 'name' | 'referredType' | 'status'> & {
  username: string;
  avatarKey: string | null;
  invitedAt: Date;
  approvedAt: Date | null;
  endsAt: Date | null;
};

const REFERRALS_BY = {
  createdAt: 'r.invited_at',
  approvedAt: 'r.approved_at',
  name: 'unaccent_lower(u.name)',
} as const;
const REFERRALS = `from referrals r join users u on u.id = r.referred_id where r.affiliate_id = $1 and r.invited_at >= $2 and r.invited_at < $3
  and ($4::text is null or r.status = $4) and ($5::text is null or r.referred_type = $5)`;
const COUNT_REFERRALS: SqlStatement = {
  name: 'affiliates-count-referrals',
  text: `select count(*)::int as count ${REFERRALS}`,
};
const createReferralsStatement = ({ sortByKey, sortOrderBy }: ReferralsQuery): SqlStatement => ({
  name: `affiliates-referrals-${sortByKey}-${sortOrderBy}`,
  text: `select u.id, u.username, u.name, u.avatar_key as "avatarKey", r.referred_type as "referredType", r.status, r.invited_at as "invitedAt",
      r.approved_at as "approvedAt", r.ends_at as "endsAt" ${REFERRALS}
    order by ${REFERRALS_BY[sortByKey]} ${sortOrderBy} nulls last, r.referred_id ${sortOrderBy} offset $6 limit $7`,
});

/**
 * Lists the referrals of the actor (row H2). Throws NOT_FOUND for the id of another user, FORBIDDEN for operators,
 * VALIDATION for a range that ends before it begins.
 */
export async function viewReferrals(
  ctx: Context,
  actor: Actor,
  affiliateId: string,
  query: ReferralsQuery,
): Promise<ResponseInputOf<typeof listReferrals>> {
  requireAffiliate(actor);
  if (affiliateId !== actor.userId) throw new AppError('NOT_FOUND');
  const filterValues = [affiliateId, ...toTimeSpan(query), query.status ?? null, query.referredType ?? null];
  const [rows, counted] = await Promise.all([
    ctx.db.run<ReferralRow>(createReferralsStatement(query), [...filterValues, toSkip(query), query.limit]),
    ctx.db.run<{ count: number }>(COUNT_REFERRALS, filterValues),
  ]);
  const ids = rows.map(({ id }) => id);
  const [earned, rates] = await Promise.all([
    sumCommissionsByUser(ctx.db, affiliateId, ids),
    getCommissionRates(ctx.db, affiliateId, ids),
  ]);
  const data = rows.map(({ username, avatarKey, invitedAt, approvedAt, endsAt, ...row }) => ({
    ...row,
    avatarUrl: toAvatarUrl(avatarKey),
    createdAt: invitedAt.toISOString(),
    approvedAt: approvedAt?.toISOString() ?? null,
    endsAt: endsAt?.toISOString() ?? null,
    pr: rates.get(row.id) ?? null,
    totalEarnings: toUsd(earned.get(row.id) ?? asCents(0)),
    href: row.referredType === 'creator' ? profilePath(username) : null,
  }));
  return { data, limit: query.limit, totalCount: counted[0]?.count ?? 0 };
}

type WithdrawalsQuery = QueryOf<typeof listWithdrawals>;
type WithdrawalRow = Pick<Withdrawal, 'id' | 'type' | 'status'> & {
  createdAt: Date;
  updatedAt: Date;
  amountCents: number;
  customerCents: number;
  feeCents: number;
};

const WITHDRAWALS = `(select c.id, c.affiliate_id, case when p.id is null then 'balance' else 'payout' end as type, coalesce(p.status, 'transfered') as status,
    c.created_at, coalesce(p.updated_at, c.created_at) as updated_at, c.amount_cents, c.customer_cents, c.fee_cents
    from affiliate_claims c left join payouts p on p.id = c.id) w`;
const COLUMNS = `w.id, w.type, w.status, w.created_at as "createdAt", w.updated_at as "updatedAt", w.amount_cents as "amountCents",
  w.customer_cents as "customerCents", w.fee_cents as "feeCents"`;
const FILTERED = `from ${WITHDRAWALS} where w.affiliate_id = $1 and w.created_at >= $2 and w.created_at < $3 and ($4::text is null or w.status = $4)`;
const WITHDRAWALS_BY = { createdAt: 'w.created_at', amount: 'w.amount_cents' } as const;
const COUNT_WITHDRAWALS: SqlStatement = {
  name: 'affiliates-count-withdrawals',
  text: `select count(*)::int as count ${FILTERED}`,
};
const FIND_WITHDRAWAL: SqlStatement = {
  name: 'affiliates-withdrawal',
  text: `select ${COLUMNS} from ${WITHDRAWALS} where w.id = $1 and w.affiliate_id = $2`,
};
const createWithdrawalsStatement = ({ sortByKey, sortOrderBy }: WithdrawalsQuery): SqlStatement => ({
  name: `affiliates-withdrawals-${sortByKey}-${sortOrderBy}`,
  text: `select ${COLUMNS} ${FILTERED} order by ${WITHDRAWALS_BY[sortByKey]} ${sortOrderBy}, w.id ${sortOrderBy} offset $5 limit $6`,
});

function presentWithdrawal({ createdAt, updatedAt, amountCents, feeCents, customerCents, ...row }: WithdrawalRow) {
  const amounts = { amount: toUsd(amountCents), fee: toUsd(feeCents), net: toUsd(amountCents - feeCents) };
  const bySide = { customerAmount: toUsd(customerCents), creatorAmount: toUsd(amountCents - customerCents) };
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString(), ...amounts, ...bySide };
}

/**
 * Lists the withdrawals of the actor (row H2). Throws FORBIDDEN for operators, VALIDATION for a range that ends before
 * it begins.
 */
export async function viewWithdrawals(
  ctx: Context,
  actor: Actor,
  query: WithdrawalsQuery,
): Promise<ResponseInputOf<typeof listWithdrawals>> {
  requireAffiliate(actor);
  const filterValues = [actor.userId, ...toTimeSpan(query), query.status ?? null];
  const [rows, counted] = await Promise.all([
    ctx.db.run<WithdrawalRow>(createWithdrawalsStatement(query), [...filterValues, toSkip(query), query.limit]),
    ctx.db.run<{ count: number }>(COUNT_WITHDRAWALS, filterValues),
  ]);
  return { data: rows.map(presentWithdrawal), limit: query.limit, totalCount: counted[0]?.count ?? 0 };
}

/** Returns one withdrawal of the actor (row H2). Throws NOT_FOUND, and FORBIDDEN for operators. */
export async function viewWithdrawal(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ResponseInputOf<typeof getWithdrawal>> {
  requireAffiliate(actor);
  const [row] = await ctx.db.run<WithdrawalRow>(FIND_WITHDRAWAL, [id, actor.userId]);
  if (!row) throw new AppError('NOT_FOUND');
  return { ...presentWithdrawal(row), canCancel: ['requested', 'inreview'].includes(row.status) };
}

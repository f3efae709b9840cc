import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { translateRefusals } from '../../ledger/ledger/index.ts';

export type EffectiveFee = {
  percent: number;
  generalPercent: number;
  isCustomGeneral: boolean;
  offerPercent: number | null;
  offerUntil: Date | null;
  isCustomOffer: boolean;
};

const FEE: SqlStatement = {
  name: 'sales-fee',
  text: `select general, "isCustomGeneral", case when runs then offer end as offer, case when runs then until end as until, runs and "isCustomOffer" as "isCustomOffer" from (
    select *, $2 < until and ($2 >= begins) is not false and offer < general as runs from (
      select coalesce(f.general_basis_points, s.general_basis_points) as general, coalesce(f.offer_basis_points, s.offer_basis_points) as offer,
        f.general_basis_points is not null as "isCustomGeneral",
        coalesce(f.offer_basis_points::text, f.offer_until::text, f.offer_from::text) is not null as "isCustomOffer",
        f.offer_from as begins, coalesce(f.offer_until, coalesce(f.signed_up_at, c.created_at) + s.offer_days * interval '24 hours') as until
      from sales_settings s, creators c left join sales_fees f on f.creator_id = c.user_id where c.user_id = $1) t) u`,
};

type FeeRow = {
  general: number;
  isCustomGeneral: boolean;
  offer: number | null;
  until: Date | null;
  isCustomOffer: boolean;
};

/**
 * Returns the fee on sales of a creator at a time (docs/product.md, Terms: the promotional rate while it runs and is
 * lower, otherwise the general rate). Throws NOT_FOUND.
 */
export async function getEffectiveFee(db: Executor, creatorId: string, at: Date): Promise<EffectiveFee> {
  const [row] = await db.run<FeeRow>(FEE, [creatorId, at]);
  if (!row) throw new AppError('NOT_FOUND');
  return {
    percent: (row.offer ?? row.general) / 100,
    generalPercent: row.general / 100,
    isCustomGeneral: row.isCustomGeneral,
    offerPercent: row.offer === null ? null : row.offer / 100,
    offerUntil: row.until,
    isCustomOffer: row.isCustomOffer,
  };
}

export type CustomFeeTerms = {
  generalPercent: number | null;
  offerPercent: number | null;
  /** The start of the promotional rate. Null or absent means that it has started. */
  offerFrom?: Date | null;
  /** The end of the promotional rate. Null means the default number of days after sign-up. */
  offerUntil: Date | null;
};

const OPEN_EARNINGS: SqlStatement = { name: 'sales-open-creator', text: 'select sales_open_earnings($1)' };
const SET: SqlStatement = {
  name: 'sales-set-fee',
  text: 'update sales_fees set general_basis_points = $2, offer_basis_points = $3, offer_until = $4, offer_from = $5 where creator_id = $1',
};

export async function openEarnings(tx: DbTransaction, creatorId: string): Promise<void> {
  await translateRefusals(tx.run(OPEN_EARNINGS, [creatorId]));
}

/** Sets the custom fee of a creator, or null for the general rate. Earlier sales keep their fee. Throws NOT_FOUND. */
export async function setCreatorFee(tx: DbTransaction, creatorId: string, fee: CustomFeeTerms): Promise<void> {
  const toBasisPoints = (percent: number | null) => (percent === null ? null : Math.round(percent * 100));
  await openEarnings(tx, creatorId);
  const { offerUntil, offerFrom = null } = fee;
  await tx.run(SET, [
    creatorId,
    toBasisPoints(fee.generalPercent),
    toBasisPoints(fee.offerPercent),
    offerUntil,
    offerFrom,
  ]);
}

const CUSTOM = `f.creator_id as "creatorId", f.general_basis_points / 100.0 as "generalPercent",
  coalesce(f.offer_basis_points, s.offer_basis_points) / 100.0 as "offerPercent", f.offer_from as "offerFrom",
  case when coalesce(f.offer_basis_points::text, f.offer_until::text, f.offer_from::text) is not null
    then coalesce(f.offer_until, f.signed_up_at + s.offer_days * interval '24 hours') end as "offerUntil"
  from sales_fees f, sales_settings s`;
const IS_CUSTOM = 'coalesce(f.general_basis_points::text, f.offer_basis_points::text, f.offer_until::text) is not null';
const LIST_CUSTOM: SqlStatement = {
  name: 'sales-custom-fees',
  text: `select ${CUSTOM} where ${IS_CUSTOM} order by f.creator_id desc limit $1 offset $2`,
};
const FIND_CUSTOM: SqlStatement = { name: 'sales-custom-fee', text: `select ${CUSTOM} where f.creator_id = $1` };
const COUNT_CUSTOM: SqlStatement = {
  name: 'sales-count-custom-fees',
  text: `select count(*)::int as count from sales_fees f where ${IS_CUSTOM}`,
};

export type CreatorFeeTerms = Required<CustomFeeTerms> & { creatorId: string };

export async function findCustomFee(db: Executor, creatorId: string): Promise<CreatorFeeTerms | undefined> {
  return (await db.run<CreatorFeeTerms>(FIND_CUSTOM, [creatorId]))[0];
}

const LOWEST_CUSTOM: SqlStatement = {
  name: 'sales-lowest-custom-fee',
  text: `select least(min(general_basis_points), min(offer_basis_points) filter (where offer_until > $1)) / 100.0 as percent from sales_fees`,
};

export async function findLowestCustomFee(db: Executor, at: Date): Promise<number | undefined> {
  return (await db.run<{ percent: number | null }>(LOWEST_CUSTOM, [at]))[0]?.percent ?? undefined;
}

export async function listCustomFees(
  db: Executor,
  page: { limit: number; skip: number },
): Promise<{ fees: CreatorFeeTerms[]; total: number }> {
  const fees = await db.run<CreatorFeeTerms>(LIST_CUSTOM, [page.limit, page.skip]);
  const [row] = await db.run<{ count: number }>(COUNT_CUSTOM, []);
  return { fees, total: row?.count ?? 0 };
}

export type SalesTerms = {
  generalPercent: number;
  offerPercent: number;
  offerDays: number;
  clearingDays: number;
  dailyLimitCents: number;
};

const SETTINGS: SqlStatement = {
  name: 'sales-settings',
  text: `select general_basis_points / 100.0 as "generalPercent", offer_basis_points / 100.0 as "offerPercent", offer_days as "offerDays",
    clearing_days as "clearingDays", daily_limit_cents as "dailyLimitCents" from sales_settings`,
};
const CHANGE: SqlStatement = {
  name: 'sales-change-settings',
  text: `update sales_settings set general_basis_points = round($1::numeric * 100), offer_basis_points = round($2::numeric * 100), offer_days = $3,
    clearing_days = $4, longest_clearing_days = greatest(longest_clearing_days, $4), was_clearing_shortened = was_clearing_shortened or $4 < clearing_days, daily_limit_cents = $5`,
};

export async function getSalesSettings(db: Executor): Promise<SalesTerms> {
  const [row] = await db.run<SalesTerms>(SETTINGS, []);
  if (!row) throw new Error('sales_settings is empty');
  return row;
}

const LOCK: SqlStatement = { name: 'sales-lock-settings', text: 'select id from sales_settings for update' };

/** Serializes changes of rates. Sales continue meanwhile. */
export async function lockFees(tx: DbTransaction): Promise<void> {
  await tx.run(LOCK, []);
}

/** Changes rates and limits. Earlier sales keep their terms. */
export async function updateSalesSettings(tx: DbTransaction, change: Partial<SalesTerms>): Promise<SalesTerms> {
  const next = { ...(await getSalesSettings(tx)), ...change };
  await tx.run(CHANGE, [
    next.generalPercent,
    next.offerPercent,
    next.offerDays,
    next.clearingDays,
    next.dailyLimitCents,
  ]);
  return next;
}

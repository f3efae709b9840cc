import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { refusing } from '../ledger/index.ts';

export type Fee = {
  percent: number;
  generalPercent: number;
  isOwnGeneral: boolean;
  offerPercent: number | null;
  offerUntil: Date | null;
  isOwnOffer: boolean;
};

const FEE: Statement = {
  name: 'sales-fee',
  text: `select general, "isOwnGeneral", case when runs then offer end as offer, case when runs then until end as until, runs and "isOwnOffer" as "isOwnOffer" from (
    select *, $2 < until and ($2 >= begins) is not false and offer < general as runs from (
      select coalesce(f.general_basis_points, s.general_basis_points) as general, coalesce(f.offer_basis_points, s.offer_basis_points) as offer,
        f.general_basis_points is not null as "isOwnGeneral",
        coalesce(f.offer_basis_points::text, f.offer_until::text, f.offer_from::text) is not null as "isOwnOffer",
        f.offer_from as begins, coalesce(f.offer_until, coalesce(f.signed_up_at, c.created_at) + s.offer_days * interval '24 hours') as until
      from sales_settings s, creators c left join sales_fees f on f.creator_id = c.user_id where c.user_id = $1) t) u`,
};

type FeeRow = { general: number; isOwnGeneral: boolean; offer: number | null; until: Date | null; isOwnOffer: boolean };

/**
 * Returns the fee on sales of a creator at a time (docs/product.md, Terms: the promotional rate while it runs and is
 * lower, otherwise the general rate). Throws NOT_FOUND.
 */
export async function effectiveFee(db: Executor, creatorId: string, at: Date): Promise<Fee> {
  const [row] = await db.run<FeeRow>(FEE, [creatorId, at]);
  if (!row) throw new AppError('NOT_FOUND');
  return {
    percent: (row.offer ?? row.general) / 100,
    generalPercent: row.general / 100,
    isOwnGeneral: row.isOwnGeneral,
    offerPercent: row.offer === null ? null : row.offer / 100,
    offerUntil: row.until,
    isOwnOffer: row.isOwnOffer,
  };
}

export type OwnFee = {
  generalPercent: number | null;
  offerPercent: number | null;
  /** The start of the promotional rate. Null or absent means that it has started. */
  offerFrom?: Date | null;
  /** The end of the promotional rate. Null means the default number of days after sign-up. */
  offerUntil: Date | null;
};

const OPEN: Statement = { name: 'sales-open-creator', text: 'select sales_open_creator($1)' };
const SET: Statement = {
  name: 'sales-set-fee',
  text: 'update sales_fees set general_basis_points = $2, offer_basis_points = $3, offer_until = $4, offer_from = $5 where creator_id = $1',
};

export async function openCreator(tx: Transaction, creatorId: string): Promise<void> {
  await refusing(tx.run(OPEN, [creatorId]));
}

/** Sets the own fee of a creator, or null for the general rate. Earlier sales keep their fee. Throws NOT_FOUND. */
export async function setCreatorFee(tx: Transaction, creatorId: string, fee: OwnFee): Promise<void> {
  const points = (percent: number | null) => (percent === null ? null : Math.round(percent * 100));
  await openCreator(tx, creatorId);
  const { offerUntil, offerFrom = null } = fee;
  await tx.run(SET, [creatorId, points(fee.generalPercent), points(fee.offerPercent), offerUntil, offerFrom]);
}

const OWN = `f.creator_id as "creatorId", f.general_basis_points / 100.0 as "generalPercent",
  coalesce(f.offer_basis_points, s.offer_basis_points) / 100.0 as "offerPercent", f.offer_from as "offerFrom",
  case when coalesce(f.offer_basis_points::text, f.offer_until::text, f.offer_from::text) is not null
    then coalesce(f.offer_until, f.signed_up_at + s.offer_days * interval '24 hours') end as "offerUntil"
  from sales_fees f, sales_settings s`;
const IS_OWN = 'coalesce(f.general_basis_points::text, f.offer_basis_points::text, f.offer_until::text) is not null';
const OWN_FEES: Statement = {
  name: 'sales-own-fees',
  text: `select ${OWN} where ${IS_OWN} order by f.creator_id desc limit $1 offset $2`,
};
const OWN_FEE: Statement = { name: 'sales-own-fee', text: `select ${OWN} where f.creator_id = $1` };
const COUNT_OWN: Statement = {
  name: 'sales-count-own-fees',
  text: `select count(*)::int as count from sales_fees f where ${IS_OWN}`,
};

export type CreatorFee = Required<OwnFee> & { creatorId: string };

export async function ownFeeOf(db: Executor, creatorId: string): Promise<CreatorFee | undefined> {
  return (await db.run<CreatorFee>(OWN_FEE, [creatorId]))[0];
}

const LOWEST_OWN: Statement = {
  name: 'sales-lowest-own-fee',
  text: `select least(min(general_basis_points), min(offer_basis_points) filter (where offer_until > $1)) / 100.0 as percent from sales_fees`,
};

export async function lowestOwnFee(db: Executor, at: Date): Promise<number | undefined> {
  return (await db.run<{ percent: number | null }>(LOWEST_OWN, [at]))[0]?.percent ?? undefined;
}

export async function ownFees(
  db: Executor,
  page: { limit: number; skip: number },
): Promise<{ fees: CreatorFee[]; total: number }> {
  const fees = await db.run<CreatorFee>(OWN_FEES, [page.limit, page.skip]);
  const [row] = await db.run<{ count: number }>(COUNT_OWN, []);
  return { fees, total: row?.count ?? 0 };
}

export type Settings = {
  generalPercent: number;
  offerPercent: number;
  offerDays: number;
  clearingDays: number;
  dailyLimitCents: number;
};

const SETTINGS: Statement = {
  name: 'sales-settings',
  text: `select general_basis_points / 100.0 as "generalPercent", offer_basis_points / 100.0 as "offerPercent", offer_days as "offerDays",
    clearing_days as "clearingDays", daily_limit_cents as "dailyLimitCents" from sales_settings`,
};
const CHANGE: Statement = {
  name: 'sales-change-settings',
  text: `update sales_settings set general_basis_points = round($1::numeric * 100), offer_basis_points = round($2::numeric * 100), offer_days = $3,
    clearing_days = $4, longest_clearing_days = greatest(longest_clearing_days, $4), was_shortened = was_shortened or $4 < clearing_days, daily_limit_cents = $5`,
};

export async function salesSettings(db: Executor): Promise<Settings> {
  const [row] = await db.run<Settings>(SETTINGS, []);
  if (!row) throw new Error('sales_settings is empty');
  return row;
}

const LOCK: Statement = { name: 'sales-lock-settings', text: 'select id from sales_settings for update' };

/** Serializes changes of rates. Sales continue meanwhile. */
export async function lockFees(tx: Transaction): Promise<void> {
  await tx.run(LOCK, []);
}

/** Changes rates and limits. Earlier sales keep their terms. */
export async function changeSalesSettings(tx: Transaction, change: Partial<Settings>): Promise<Settings> {
  const next = { ...(await salesSettings(tx)), ...change };
  await tx.run(CHANGE, [
    next.generalPercent,
    next.offerPercent,
    next.offerDays,
    next.clearingDays,
    next.dailyLimitCents,
  ]);
  return next;
}

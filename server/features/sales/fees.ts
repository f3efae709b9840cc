/** What the platform keeps of a sale: the operator's rates, a creator's own, and which of them applies. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { refusing } from '../ledger/index.ts';

export type Fee = {
  /** What applies now. */
  percent: number;
  generalPercent: number;
  /** Null when no promotional fee runs. */
  offerPercent: number | null;
  offerUntil: Date | null;
};

const FEE: Statement = {
  name: 'sales-fee',
  text: `select general, case when $2 < until then offer end as offer, case when $2 < until then until end as until from (
      select coalesce(f.general_basis_points, s.general_basis_points) as general, coalesce(f.offer_basis_points, s.offer_basis_points) as offer,
        coalesce(f.offer_until, coalesce(f.signed_up_at, c.created_at) + s.offer_days * interval '24 hours') as until
      from sales_settings s, creators c left join sales_fees f on f.creator_id = c.user_id where c.user_id = $1) t`,
};

/** The fee on a creator's sales at an instant (docs/product.md, Terms: the offer while it runs, else the general one). Throws NOT_FOUND. */
export async function effectiveFee(db: Executor, creatorId: string, at: Date): Promise<Fee> {
  const [row] = await db.run<{ general: number; offer: number | null; until: Date | null }>(FEE, [creatorId, at]);
  if (!row) throw new AppError('NOT_FOUND');
  return {
    percent: (row.offer ?? row.general) / 100,
    generalPercent: row.general / 100,
    offerPercent: row.offer === null ? null : row.offer / 100,
    offerUntil: row.until,
  };
}

export type OwnFee = { generalPercent: number | null; offerPercent: number | null; offerUntil: Date | null };

const OPEN: Statement = { name: 'sales-open-creator', text: 'select sales_open_creator($1)' };
const SET: Statement = {
  name: 'sales-set-fee',
  text: 'update sales_fees set general_basis_points = $2, offer_basis_points = $3, offer_until = $4 where creator_id = $1',
};

/** Makes sure of a creator's accounts and fee. */
export async function openCreator(tx: Transaction, creatorId: string): Promise<void> {
  await refusing(tx.run(OPEN, [creatorId]));
}

/** Sets a creator's own fee; null is the operator's. Sales made before keep theirs. Throws NOT_FOUND. */
export async function setCreatorFee(tx: Transaction, creatorId: string, fee: OwnFee): Promise<void> {
  const points = (percent: number | null) => (percent === null ? null : Math.round(percent * 100));
  await openCreator(tx, creatorId);
  await tx.run(SET, [creatorId, points(fee.generalPercent), points(fee.offerPercent), fee.offerUntil]);
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

/** The operator's rates and limits. */
export async function salesSettings(db: Executor): Promise<Settings> {
  const [row] = await db.run<Settings>(SETTINGS, []);
  if (!row) throw new Error('sales_settings is empty');
  return row;
}

/** Changes the operator's rates and limits; what was sold before keeps its terms. */
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

/** Reading what a creator earned: sales one by one, and sums by day from the ledger's own daily sums. */
import type { Executor, Statement } from '../../kernel/db.ts';

export type EarningRow = {
  id: string;
  created_at: Date;
  kind: 'tip' | 'post';
  fan_id: string;
  creator_id: string;
  subject_id: string | null;
  gross_cents: number;
  fee_cents: number;
  fee_basis_points: number;
  reversed_cents: number;
  clears_at: Date;
  tip_type: string | null;
  note: string;
};

const COLUMNS =
  'id, created_at, kind, fan_id, creator_id, subject_id, gross_cents, fee_cents, fee_basis_points, reversed_cents, clears_at, tip_type, note';

const PAGE: Statement = {
  name: 'wallet-earnings',
  text: `select ${COLUMNS} from sales where creator_id = $1 and id < $2::uuid and kind = any($3::text[]) order by id desc offset $4 limit $5`,
};
const ONE: Statement = {
  name: 'wallet-earning',
  text: `select ${COLUMNS} from sales where creator_id = $1 and id = $2 and kind = any($3::text[])`,
};

export type EarningsPage = { before: string; skip: number; limit: number };

/** Sales of a creator of those kinds, newest first. */
export function listEarnings(
  db: Executor,
  creatorId: string,
  kinds: readonly string[],
  page: EarningsPage,
): Promise<EarningRow[]> {
  return db.run<EarningRow>(PAGE, [creatorId, page.before, kinds, page.skip, page.limit]);
}

export async function findEarning(
  db: Executor,
  creatorId: string,
  id: string,
  kinds: readonly string[],
): Promise<EarningRow | undefined> {
  return (await db.run<EarningRow>(ONE, [creatorId, id, kinds]))[0];
}

/** What an account received by UTC day and kind of sale: what is summed up, and what is not yet. */
const RECEIVED = `with own as (select id from ledger_accounts where code = $1), received as (
    select d.day, d.tag, d.amount_cents, d.items from ledger_days d, own where d.account_id = own.id
    union all select i.day, i.tag, i.amount_cents, i.items from ledger_inflows i, own where i.account_id = own.id)`;

const BY_DAY: Statement = {
  name: 'wallet-earned-by-day',
  text: `${RECEIVED} select day::text, sum(amount_cents)::bigint as cents, sum(items)::bigint as items from received
    where tag = any($2::text[]) and day >= $3::date group by day order by day`,
};
const TOTAL: Statement = {
  name: 'wallet-earned-total',
  text: `${RECEIVED} select coalesce(sum(amount_cents), 0)::bigint as cents, coalesce(sum(items), 0)::bigint as items from received where tag = any($2::text[])`,
};

export type Earned = { cents: number; items: number };

/** @param from `YYYY-MM-DD`, UTC; days without anything are absent */
export function earnedByDay(
  db: Executor,
  accountCode: string,
  tags: readonly string[],
  from: string,
): Promise<(Earned & { day: string })[]> {
  return db.run<Earned & { day: string }>(BY_DAY, [accountCode, tags, from]);
}

/** Net of what was given back, and how many sales were made. */
export async function earnedInAll(db: Executor, accountCode: string, tags: readonly string[]): Promise<Earned> {
  return (await db.run<Earned>(TOTAL, [accountCode, tags]))[0] ?? { cents: 0, items: 0 };
}

const FOLLOWERS: Statement = {
  name: 'wallet-followers',
  text: `select coalesce((select follower_count from creators where user_id = $1), 0) as total,
      count(*) filter (where created_at >= $3) as today, count(*) filter (where created_at < $3) as yesterday
    from follows where creator_id = $1 and created_at >= $2`,
};

export type Followers = { total: number; today: number; yesterday: number };

/** How many follow, and how many of them since `today` and on the day before. */
export async function countFollowers(
  db: Executor,
  creatorId: string,
  yesterday: Date,
  today: Date,
): Promise<Followers> {
  const [row] = await db.run<Followers>(FOLLOWERS, [creatorId, yesterday, today]);
  return row ?? { total: 0, today: 0, yesterday: 0 };
}

const NEXT_CLEARS: Statement = {
  name: 'wallet-next-clears',
  text: `select clears_at from sales where creator_id = $1 and id >= $2::uuid and clears_at > $3 and reversed_cents < gross_cents
    order by id limit 1`,
};

/** When the oldest sale that still waits clears. @param since an id that no waiting sale is older than */
export async function nextClearing(db: Executor, creatorId: string, since: string, now: Date): Promise<Date | null> {
  return (await db.run<{ clears_at: Date }>(NEXT_CLEARS, [creatorId, since, now]))[0]?.clears_at ?? null;
}

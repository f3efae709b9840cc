/**
 * Affiliate commission, which the SQL function sales_commission() pays out of the platform fee when a sale is made.
 * This file manages its terms, reversals and totals. The affiliates module decides who referred whom and since when.
 */
import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { account, postTransaction, reverseClearing } from '../../ledger/ledger/index.ts';

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'commission.earned': { affiliateId: string; transactionId: string; cents: number; at: string };
  }
}

export type CommissionTerms = {
  userId: string;
  affiliateId: string;
  basisPoints: number;
  /** `from` is inclusive, `until` exclusive. */
  from: Date;
  until: Date;
};

const OPEN: SqlStatement = {
  name: 'commissions-open',
  text: `insert into sales_affiliates (user_id, affiliate_id, pending_account_id, basis_points, from_at, until_at)
    select $1, $2, ledger_account($3), $4, $5, $6 on conflict (user_id) do nothing`,
};

/**
 * Starts commission for an affiliate on the sales or purchases of a user. A second call for the same user has no
 * effect.
 */
export async function startCommission(tx: DbTransaction, terms: CommissionTerms): Promise<void> {
  const { userId, affiliateId, basisPoints, from, until } = terms;
  await tx.run(OPEN, [userId, affiliateId, account.affiliatePending(affiliateId), basisPoints, from, until]);
}

const END: SqlStatement = {
  name: 'commissions-end',
  text: `update sales_affiliates set until_at = greatest($2::timestamptz, from_at) + interval '1 minute', ended_at = $2
    where affiliate_id = $1 and until_at > greatest($2::timestamptz, from_at) + interval '1 minute'`,
};

/**
 * Ends all commission of an affiliate one minute after `at`, because a sale in progress may have read its time already.
 * Idempotent.
 */
export async function endCommissions(db: Executor, affiliateId: string, at: Date): Promise<void> {
  await db.run(END, [affiliateId, at]);
}

type CommissionPart = {
  id: string;
  affiliateId: string;
  side: string;
  clearsAt: Date;
  cents: number;
};

/**
 * The total reversed commission is proportional and rounded half up, so that the parts sum to the whole. They are in the
 * order in which clearing locks the accounts of affiliates.
 */
const REVERSE = `reversed as (update sales_commissions c set reversed_cents = c.reversed_cents + r.cents, unpaid_cents = c.unpaid_cents + r.unpaid
  from (select c.id, l.unpaid, round(c.cents::numeric * least(l.gross, l.back + c.unpaid_cents + l.unpaid) / l.gross)::bigint - c.reversed_cents as cents
    from lost l join sales_commissions c on c.sale_id = l.sale_id) r
  where c.id = r.id returning c.id, c.affiliate_id, c.side, c.clears_at, r.cents)
  select id, affiliate_id as "affiliateId", side, clears_at as "clearsAt", cents from reversed where cents <> 0 order by affiliate_id`;
const REVERSE_OF_SALE: SqlStatement = {
  name: 'commissions-return',
  text: `with lost as (select id as sale_id, gross_cents as gross, $2::bigint as back, 0::bigint as unpaid from sales where id = $1), ${REVERSE}`,
};
/** Takes the newest sales first, each up to what is left of it, until the amount is covered. */
const REVERSE_UNPAID: SqlStatement = {
  name: 'commissions-return-unpaid',
  text: `with sold as (
      select s.id, s.gross_cents as gross, s.reversed_cents as back, greatest(0, s.gross_cents - s.reversed_cents - c.unpaid) as open, s.created_at
      from (select sale_id, max(unpaid_cents) as unpaid from sales_commissions where fan_id = $1 group by sale_id) c join sales s on s.id = c.sale_id
    ), summed as (
      select *, sum(open) over (order by created_at desc, id desc) - open as before from sold where open > 0
    ), lost as (select id as sale_id, gross, back, least(open, $2 - before)::bigint as unpaid from summed where before < $2),
    ${REVERSE}`,
};

async function reverseParts(tx: DbTransaction, parts: readonly CommissionPart[], at: Date): Promise<void> {
  for (const { id, affiliateId, side, clearsAt, cents } of parts) {
    const pending = account.affiliatePending(affiliateId);
    await reverseClearing(tx, { pending, transactionId: id, clearsAt, cents, at });
    await postTransaction(tx, {
      kind: 'commission_return',
      legs: [
        [pending, cents],
        [account.commissions, -cents],
      ],
      reversesId: id,
      tag: `commission:${side}`,
      at,
    });
  }
}

/** Reverses commission of a sale in proportion to its refunds so far. Requires the wallet lock of the fan. */
export async function reverseSaleCommissions(
  tx: DbTransaction,
  { saleId, refundedCents, at }: { saleId: string; refundedCents: number; at: Date },
): Promise<void> {
  await reverseParts(tx, await tx.run<CommissionPart>(REVERSE_OF_SALE, [saleId, refundedCents]), at);
}

/**
 * Reverses commission when a deposit was reversed and the wallet could not cover it. The newest sales count as refunded
 * up to that amount. This is final: repaying the debt later restores no commission. Requires the wallet lock of the
 * fan.
 */
export async function reverseUnpaidCommissions(
  tx: DbTransaction,
  { fanId, cents, at }: { fanId: string; cents: number; at: Date },
): Promise<void> {
  await reverseParts(tx, await tx.run<CommissionPart>(REVERSE_UNPAID, [fanId, cents]), at);
}

export type CommissionTotals = {
  /** Net of reversals. */
  earnedCents: Cents;
  pendingCents: Cents;
};

/** Reads stored sums and pending amounts in a single statement, so that the result is consistent. */
const TOTALS: SqlStatement = {
  name: 'commissions-totals',
  text: `with own as (select id from ledger_accounts where code = $2), stored as (
      select tag, amount_cents from ledger_received((select id from own), '-infinity', 'infinity')
    ), waiting as (
      select c.side, m.amount_cents from sales_commissions c
        join ledger_pending_clearings m on m.due_at = c.clears_at and m.transaction_id = c.id and m.account_id = (select id from own)
        where c.affiliate_id = $1 and c.clears_at >= (select min(due_at) from ledger_pending_clearings)
      union all select c.side, i.amount_cents from ledger_inflows i join sales_commissions c on c.id = i.transaction_id
        where i.account_id = (select id from own) and i.due_at is not null
    )
    select s.side, (select coalesce(sum(amount_cents), 0)::bigint from stored where tag = 'commission:' || s.side) as "earnedCents",
      (select coalesce(sum(amount_cents), 0)::bigint from waiting w where w.side = s.side) as "pendingCents"
    from (values ('customer'), ('creator')) s (side)`,
};

export async function getCommissionTotals(
  db: Executor,
  affiliateId: string,
): Promise<Record<'customer' | 'creator', CommissionTotals>> {
  const rows = await db.run<CommissionTotals & { side: string }>(TOTALS, [
    affiliateId,
    account.affiliatePending(affiliateId),
  ]);
  const toSideTotals = (side: string) => {
    const { earnedCents, pendingCents } = rows.find((row) => row.side === side) ?? {
      earnedCents: asCents(0),
      pendingCents: asCents(0),
    };
    return { earnedCents, pendingCents };
  };
  return { customer: toSideTotals('customer'), creator: toSideTotals('creator') };
}

const LIST_RATES: SqlStatement = {
  name: 'commissions-rates',
  text: 'select user_id as id, basis_points as "basisPoints" from sales_affiliates where user_id = any ($1::uuid[]) and affiliate_id = $2',
};

/** Returns the percentage of the gross amount that each user earns the affiliate, fixed at their approval. */
export async function getCommissionRates(
  db: Executor,
  affiliateId: string,
  referredIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.run<{ id: string; basisPoints: number }>(LIST_RATES, [referredIds, affiliateId]);
  return new Map(rows.map(({ id, basisPoints }) => [id, basisPoints / 100]));
}

const BY_REFERRED: SqlStatement = {
  name: 'commissions-by-referred',
  text: `select referred_id as id, sum(cents - reversed_cents)::bigint as cents from sales_commissions
    where referred_id = any ($1::uuid[]) and affiliate_id = $2 group by 1`,
};

export async function sumCommissionsByUser(
  db: Executor,
  affiliateId: string,
  referredIds: readonly string[],
): Promise<Map<string, Cents>> {
  const rows = await db.run<{ id: string; cents: number }>(BY_REFERRED, [referredIds, affiliateId]);
  return new Map(rows.map(({ id, cents }) => [id, asCents(cents)]));
}

/**
 * Commission of those who brought in a fan or a creator, paid of the platform's fee by sales_commission() as each sale is made: on
 * whose sales, what goes back of it, and what it comes to. Who brought in whom, and since when, is for the room above to say.
 */
import { asCents, type Cents } from '@stagedoor/contract/atoms/money.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { account, post, unclear } from '../ledger/index.ts';

declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A sale earned whoever brought in one of its two sides so much: by sales_commission(), as it is made. */
    'commission.earned': { affiliateId: string; transactionId: string; cents: number; at: string };
  }
}

export type CommissionTerms = {
  /** A fan or a creator: what they buy, or sell. */
  userId: string;
  affiliateId: string;
  basisPoints: number;
  /** `from` is in it and `until` is not. */
  from: Date;
  until: Date;
};

const OPEN: Statement = {
  name: 'commissions-open',
  text: `insert into sales_affiliates (user_id, affiliate_id, pending_account_id, basis_points, from_at, until_at)
    select $1, $2, ledger_account($3), $4, $5, $6 on conflict (user_id) do nothing`,
};

/** From now on an affiliate gets their part of each sale of that person in that time. Once a person: the first terms stay. */
export async function openCommission(tx: Transaction, terms: CommissionTerms): Promise<void> {
  const { userId, affiliateId, basisPoints, from, until } = terms;
  await tx.run(OPEN, [userId, affiliateId, account.affiliatePending(affiliateId), basisPoints, from, until]);
}

const END: Statement = {
  name: 'commissions-end',
  text: `update sales_affiliates set until_at = greatest($2::timestamptz, from_at) + interval '1 minute', ended_at = $2
    where affiliate_id = $1 and until_at > greatest($2::timestamptz, from_at) + interval '1 minute'`,
};

/** From a minute after that instant on an affiliate earns nothing more by anybody: a sale that is being made has read its own clock. Again, it changes nothing. */
export async function endCommissions(db: Executor, affiliateId: string, at: Date): Promise<void> {
  await db.run(END, [affiliateId, at]);
}

type Part = {
  id: string;
  affiliateId: string;
  side: string;
  clearsAt: Date;
  /** What goes back now. */
  cents: number;
};

/** What went back in all is the commission in proportion, rounded half up: the parts sum to the whole. */
const RETURN = `update sales_commissions c set reversed_cents = c.reversed_cents + r.cents, unpaid_cents = c.unpaid_cents + r.unpaid
  from (select c.id, l.unpaid, round(c.cents::numeric * least(l.gross, l.back + c.unpaid_cents + l.unpaid) / l.gross)::bigint - c.reversed_cents as cents
    from lost l join sales_commissions c on c.sale_id = l.sale_id) r
  where c.id = r.id returning c.id, c.affiliate_id as "affiliateId", c.side, c.clears_at as "clearsAt", r.cents`;
const RETURN_OF_SALE: Statement = {
  name: 'commissions-return',
  text: `with lost as (select id as sale_id, gross_cents as gross, $2::bigint as back, 0::bigint as unpaid from sales where id = $1) ${RETURN}`,
};
/** The newest first, of each what is left of it, until it is covered. */
const RETURN_UNPAID: Statement = {
  name: 'commissions-return-unpaid',
  text: `with sold as (
      select s.id, s.gross_cents as gross, s.reversed_cents as back, greatest(0, s.gross_cents - s.reversed_cents - c.unpaid) as open, s.created_at
      from (select sale_id, max(unpaid_cents) as unpaid from sales_commissions where fan_id = $1 group by sale_id) c join sales s on s.id = c.sale_id
    ), summed as (
      select *, sum(open) over (order by created_at desc, id desc) - open as before from sold where open > 0
    ), lost as (select id as sale_id, gross, back, least(open, $2 - before)::bigint as unpaid from summed where before < $2)
    ${RETURN}`,
};

async function giveBack(tx: Transaction, parts: readonly Part[], at: Date): Promise<void> {
  // In the order in which clearing locks what is theirs.
  for (const { id, affiliateId, side, clearsAt, cents } of parts.toSorted((a, b) =>
    a.affiliateId < b.affiliateId ? -1 : 1,
  )) {
    if (cents === 0) continue;
    const pending = account.affiliatePending(affiliateId);
    await unclear(tx, { pending, transactionId: id, clearsAt, cents, at });
    await post(tx, {
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

/** Takes commission of a sale back in proportion to what was given back of its gross, now and before. Under the fan's wallet's lock. */
export async function returnCommissions(
  tx: Transaction,
  { saleId, givenBackCents, at }: { saleId: string; givenBackCents: number; at: Date },
): Promise<void> {
  await giveBack(tx, await tx.run<Part>(RETURN_OF_SALE, [saleId, givenBackCents]), at);
}

/**
 * Takes commission back for what a fan did not pay after all: a payment was taken back and their wallet could not cover it, so that
 * as much of their newest sales counts as given back. For good: what works the debt off later earns nothing. Under the fan's
 * wallet's lock.
 */
export async function returnUnpaid(
  tx: Transaction,
  { fanId, cents, at }: { fanId: string; cents: number; at: Date },
): Promise<void> {
  await giveBack(tx, await tx.run<Part>(RETURN_UNPAID, [fanId, cents]), at);
}

export type CommissionFigures = {
  /** Less what went back. */
  earnedCents: Cents;
  /** Of it, what has not cleared. */
  pendingCents: Cents;
};

/** Sums that are kept, and what waits: nothing is counted anew. In one statement, so that all is of one moment. */
const FIGURES: Statement = {
  name: 'commissions-figures',
  text: `with own as (select id from ledger_accounts where code = $2), kept as (
      select tag, amount_cents from ledger_received((select id from own), '-infinity', 'infinity')
    ), waiting as (
      select c.side, m.amount_cents from sales_commissions c
        join ledger_maturities m on m.due_at = c.clears_at and m.transaction_id = c.id and m.account_id = (select id from own)
        where c.affiliate_id = $1 and c.clears_at >= (select min(due_at) from ledger_maturities)
      union all select c.side, i.amount_cents from ledger_inflows i join sales_commissions c on c.id = i.transaction_id
        where i.account_id = (select id from own) and i.due_at is not null
    )
    select s.side, (select coalesce(sum(amount_cents), 0)::bigint from kept where tag = 'commission:' || s.side) as "earnedCents",
      (select coalesce(sum(amount_cents), 0)::bigint from waiting w where w.side = s.side) as "pendingCents"
    from (values ('customer'), ('creator')) s (side)`,
};

/** What an affiliate earned of fans and of creators. */
export async function commissionFigures(
  db: Executor,
  affiliateId: string,
): Promise<Record<'customer' | 'creator', CommissionFigures>> {
  const rows = await db.run<CommissionFigures & { side: string }>(FIGURES, [
    affiliateId,
    account.affiliatePending(affiliateId),
  ]);
  const of = (side: string) => {
    const { earnedCents, pendingCents } = rows.find((row) => row.side === side) ?? {
      earnedCents: asCents(0),
      pendingCents: asCents(0),
    };
    return { earnedCents, pendingCents };
  };
  return { customer: of('customer'), creator: of('creator') };
}

const SHARES: Statement = {
  name: 'commissions-shares',
  text: 'select user_id as id, basis_points as "basisPoints" from sales_affiliates where user_id = any ($1::uuid[]) and affiliate_id = $2',
};

/** At which share of the gross, in percent, each of these people earns or earned an affiliate: that of the day of their approval. */
export async function sharesOf(
  db: Executor,
  affiliateId: string,
  referredIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.run<{ id: string; basisPoints: number }>(SHARES, [referredIds, affiliateId]);
  return new Map(rows.map(({ id, basisPoints }) => [id, basisPoints / 100]));
}

const BY_REFERRED: Statement = {
  name: 'commissions-by-referred',
  text: `select referred_id as id, sum(cents - reversed_cents)::bigint as cents from sales_commissions
    where referred_id = any ($1::uuid[]) and affiliate_id = $2 group by 1`,
};

/** What each of these people earned an affiliate; those who earned nothing are absent. */
export async function commissionsOf(
  db: Executor,
  affiliateId: string,
  referredIds: readonly string[],
): Promise<Map<string, Cents>> {
  const rows = await db.run<{ id: string; cents: number }>(BY_REFERRED, [referredIds, affiliateId]);
  return new Map(rows.map(({ id, cents }) => [id, asCents(cents)]));
}

/**
 * The history of an account: every transaction, oldest first, with the balance after it. A spendable account has stored
 * lines. Other accounts receive money without a lock and are read from the journal. Requires a snapshot. Opening and
 * closing balance come from stored sums, so the transactions verify them.
 */
import type { Executor, Statement } from '../../kernel/db.ts';
import { inPages } from '../../kernel/pages.ts';

export type Movement = {
  transactionId: string;
  at: Date;
  kind: string;
  cents: number;
};
/** Midnights in UTC, `from` inclusive and `to` exclusive. */
export type Span = { from: Date; to: Date };
export type History = {
  openingCents: number;
  closingCents: number;
  movements: AsyncIterable<Movement[]>;
};

const AT_ONCE = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

type Account = { id: number; isSpendable: boolean; isDebit: boolean };
const FIND: Statement = {
  name: 'history-account',
  text: `select id, spendable as "isSpendable", kind in ('asset', 'expense') as "isDebit" from ledger_accounts where code = $1`,
};

const PLATFORM: Statement = {
  name: 'history-platform',
  text: 'select code from ledger_accounts where owner_id is null order by code',
};

export async function platformAccounts(db: Executor): Promise<string[]> {
  return (await db.run<{ code: string }>(PLATFORM, [])).map(({ code }) => code);
}

const LINES_BEFORE: Statement = {
  name: 'history-lines-before',
  text: 'select ledger_balance_before($1, $2) as cents',
};
const LINES: Statement = {
  name: 'history-lines',
  text: `select l.transaction_id as "transactionId", t.occurred_at as at, l.kind, l.amount_cents as cents
    from ledger_lines_between($1, $2, $3) l join ledger_transactions t on t.id = l.transaction_id order by l.line`,
};

/** Sums the legs of a transaction on account `$1`. `$2` says whether debits are positive. */
export const MOVED = (of: string) => `(select sum(case when $2 then leg.amount else -leg.amount end)
  from unnest(${of}.account_ids, ${of}.amounts::bigint[]) as leg (account_id, amount) where leg.account_id = $1)::bigint`;
export const KINDS = `(select k.kind from ledger_kinds k, ledger_accounts a where a.id = $1 and a.code like any (k.debits || k.credits)) k`;

/**
 * Sums incoming money before a time, rolled up or not. The stored sums deduct a refund on the day of its sale
 * (post.ts), so refunds that were posted later are added back.
 */
export const BEFORE: Statement = {
  name: 'history-before',
  text: `select (coalesce((select sum(amount_cents) from ledger_received($1, '-infinity', ($3::timestamptz at time zone 'UTC')::date)), 0)
      - coalesce((select sum(${MOVED('t')}) from ledger_transactions t join ledger_reversals r on r.transaction_id = t.id
          join ledger_transactions o on o.id = r.reverses_id
          where t.kind = 'sale_refund' and t.occurred_at >= $3 and t.account_ids @> array[$1::bigint] and o.occurred_at < $3), 0))::bigint as cents`,
};
const MOVEMENTS: Statement = {
  name: 'history-movements',
  text: `select t.id as "transactionId", t.occurred_at as at, t.kind, ${MOVED('t')} as cents from ${KINDS}, lateral (
      select * from ledger_transactions where kind = k.kind and account_ids @> array[$1::bigint] and occurred_at < $5
        and (occurred_at, id) > ($3, $4::uuid) order by occurred_at, id limit ${AT_ONCE}) t
    order by t.occurred_at, t.id limit ${AT_ONCE}`,
};

async function* movements(db: Executor, { id, isDebit }: Account, { from, to }: Span): AsyncGenerator<Movement[]> {
  let place: [Date, string] = [from, FIRST];
  for (;;) {
    const rows = await db.run<Movement>(MOVEMENTS, [id, isDebit, ...place, to]);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    place = [last.at, last.transactionId];
  }
}

export async function accountHistory(db: Executor, code: string, span: Span): Promise<History | undefined> {
  const [account] = await db.run<Account>(FIND, [code]);
  if (!account) return undefined;
  const { id, isSpendable, isDebit } = account;
  const before = async (at: Date): Promise<number> => {
    const [sum] = await (isSpendable
      ? db.run<{ cents: number }>(LINES_BEFORE, [id, at])
      : db.run<{ cents: number }>(BEFORE, [id, isDebit, at]));
    return sum?.cents ?? 0;
  };
  return {
    openingCents: await before(span.from),
    closingCents: await before(span.to),
    movements: isSpendable ? inPages<Movement>(db, LINES, [id, span.from, span.to]) : movements(db, account, span),
  };
}

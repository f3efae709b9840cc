/** A ledger with a past: tips of a week in bulk, written as the sales room would have, so that the books balance. */
import { type Database, runSql } from '../../server/kernel/db.ts';
import { personIdSql } from './people.ts';

/** Nothing has cleared yet, so that all of it is still pending. */
const DAYS = 6;
const GROSS = 100;
const FEE = 20;

/** Writes `sales` tips of 1 USD, of three legs each, from fans and to creators in turn. Fans have one entry before: their deposit. */
export async function makePastSales(db: Database, sales: number, fans: number, creators: number): Promise<void> {
  const stepMs = Math.max(1, Math.floor((DAYS * 24 * 3_600_000) / sales));
  const net = GROSS - FEE;
  await runSql(
    db,
    `set session_replication_role = replica;
     select sales_open_creator(user_id) from creators;
     create temporary table past as
       select n, (regexp_replace(lpad(to_hex(ms), 12, '0'), '^(.{8})', '\\1-') || '-7000-8000-' || lpad(n::text, 12, '0'))::uuid as id,
           to_timestamp(ms / 1000.0) as at, f.id as wallet_id, f.owner_id as fan, c.id as pending_id, c.owner_id as creator,
           2 + n / ${fans} as line, 90000000 - ${GROSS} * (n / ${fans} + 1) as balance
         from (select n, floor(extract(epoch from now()) * 1000)::bigint - ${sales}::bigint * ${stepMs} + n::bigint * ${stepMs} as ms
             from generate_series(0, ${sales - 1}) as n) as moments
         join (select n as fan_number, ${personIdSql('fan', 'n')} as fan_id from generate_series(0, ${fans - 1}) as n) as fan on fan_number = n % ${fans}
         join (select n as creator_number, ${personIdSql('creator', 'n')} as creator_id from generate_series(0, ${creators - 1}) as n) as creator on creator_number = (n * 7::bigint) % ${creators}
         join ledger_accounts f on f.code = 'liab:fan:' || fan_id || ':wallet'
         join ledger_accounts c on c.code = 'liab:creator:' || creator_id || ':pending'
         order by n;
     insert into ledger_transactions (id, occurred_at, kind, actor_id, operation_id, request_hash, account_ids, amounts)
       select past.id, at, 'tip', fan, gen_random_uuid(), sha256(past.id::text::bytea), array[wallet_id, pending_id, s.tip_fee_account_id],
         array[${GROSS}, ${-net}, ${-FEE}] from past, sales_settings s order by n;
     insert into ledger_lines (account_id, line, transaction_id, amount_cents, balance_cents)
       select wallet_id, line, id, ${-GROSS}, balance from past order by wallet_id, line;
     insert into ledger_maturities (due_at, transaction_id, account_id, amount_cents)
       select at + interval '7 days', id, pending_id, ${net} from past order by n;
     insert into sales (id, fan_id, creator_id, created_at, clears_at, gross_cents, fee_cents, fee_basis_points, kind, tip_type, note)
       select id, fan, creator, at, at + interval '7 days', ${GROSS}, ${FEE}, 2000, 'tip', 'profile', '' from past order by n;
     insert into ledger_days (account_id, day, tag, amount_cents, items)
       select pending_id, (at at time zone 'UTC')::date, 'tip', sum(${net}), count(*) from past group by 1, 2
       union all select s.tip_fee_account_id, (at at time zone 'UTC')::date, 'tip', sum(${FEE}), count(*) from past, sales_settings s group by 1, 2;
     update ledger_accounts a set balance_cents = a.balance_cents - p.spent, lines = a.lines + p.lines
       from (select wallet_id, sum(${GROSS}) as spent, count(*) as lines from past group by wallet_id) p where a.id = p.wallet_id;
     update ledger_accounts a set balance_cents = a.balance_cents + p.earned
       from (select pending_id as id, sum(${net}) as earned from past group by 1
             union all select s.tip_fee_account_id, sum(${FEE}) from past, sales_settings s group by 1) p where a.id = p.id;
     drop table past;
     set session_replication_role = origin`,
  );
}

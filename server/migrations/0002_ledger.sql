-- The double-entry ledger: accounts, the immutable journal and statements, what came in and is summed up later, what matures,
-- and holds. The database itself refuses what would lose a cent.
--
-- Errors of our own carry SQLSTATEs of class SD: SD402 funds, SD403 spending blocked, SD404 unknown, SD409 the operation id
-- was used with another request, SD410 over the daily limit, SD411 more than is left to reverse, SD412 already resolved.
-- A role that is not the owner needs: grant select, insert on ledger_transactions, ledger_lines, ledger_externals, ledger_reversals (never update, delete or
-- truncate), and all but truncate on the other tables.

create table ledger_accounts (
  id bigint generated always as identity primary key,
  code text collate "C" not null unique,
  kind text not null,
  owner_id uuid,
  -- Spendable: the balance is kept exact in this row, under its lock, and never below zero. Others are appended to
  -- (ledger_inflows), so that paying somebody takes no lock on what they own.
  spendable boolean not null,
  -- On the normal side: debit for asset and expense, credit for liability and revenue. Without the inflows.
  balance_cents bigint not null default 0,
  -- How many lines a spendable account's statement has.
  lines bigint not null default 0,
  is_frozen boolean not null default false,
  -- What may be spent in one UTC day; null is the operator's default. What was spent on `spent_day`.
  day_limit_cents bigint,
  spent_day date,
  spent_cents bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  constraint ledger_accounts_not_negative check (not spendable or balance_cents >= 0)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);

-- The legs of a transaction in cents, two to six: positive debits, negative credits. Zero-sum by its type, so that nothing
-- unbalanced can be written, not even for a moment; leg 1 moves something, so at least two do.
create domain ledger_amounts as bigint[] check ((
  array_lower(value, 1) = 1 and array_upper(value, 1) <= 6 and value[1] <> 0
  and value[1] + value[2] + coalesce(value[3], 0) + coalesce(value[4], 0) + coalesce(value[5], 0) + coalesce(value[6], 0) = 0
) is true);

-- The journal: one row is one whole, balanced transaction. Nobody can add a leg later, or leave one out.
create table ledger_transactions (
  id uuid primary key,
  occurred_at timestamptz(3) not null,
  -- Who asked and their id for it: asking again with the same pair gives the same transaction, if the hash agrees.
  actor_id uuid,
  operation_id uuid,
  kind text not null,
  request_hash bytea,
  account_ids bigint[] not null,
  amounts ledger_amounts not null,
  metadata jsonb,
  constraint ledger_transactions_paired check (cardinality(account_ids) = cardinality(amounts))
);
create unique index ledger_transactions_operation on ledger_transactions (operation_id, actor_id);

-- The journal's legs as rows, for people and proofs.
create view ledger_entries as
  select t.id as transaction_id, l.leg::int as leg, l.account_id, case when l.amount > 0 then 'D' else 'C' end as side, abs(l.amount) as amount_cents,
    t.kind, t.occurred_at
  from ledger_transactions t, unnest(t.account_ids, t.amounts::bigint[]) with ordinality as l (account_id, amount, leg) where l.amount <> 0;

-- The statement of each spendable account: every movement, numbered from 1 without gaps, with the balance after it.
create table ledger_lines (
  account_id bigint not null,
  line bigint not null,
  transaction_id uuid not null,
  -- On the account's normal side: positive is received, negative is paid.
  amount_cents bigint not null,
  balance_cents bigint not null,
  -- The transaction's kind, so that a statement of one kind is read from its lines alone.
  kind text not null,
  primary key (account_id, line)
);

-- The outside event a transaction answers to, told any number of times.
create table ledger_externals (
  provider text not null,
  event_key text not null,
  transaction_id uuid not null unique references ledger_transactions,
  ref text,
  primary key (provider, event_key)
);
create index ledger_externals_ref on ledger_externals (provider, ref);

-- Which transaction takes back which, wholly or in part.
create table ledger_reversals (
  transaction_id uuid primary key references ledger_transactions,
  reverses_id uuid not null references ledger_transactions
);
create index ledger_reversals_of on ledger_reversals (reverses_id);

-- What came into accounts that nobody spends from, until ledger_roll() sums it up: one row for the receiving side of a
-- transaction. `day` and `tag` are for statistics: the UTC day and kind of the sale it belongs to, also for what takes it
-- back; `items` is 1 for a sale made. What must wait to be cleared says until when, and of which transaction it is.
create table ledger_inflows (
  account_id bigint not null,
  amount_cents bigint not null,
  -- The platform's part of the same transaction, so that a sale is one row and not two.
  platform_account_id bigint,
  platform_cents bigint,
  due_at timestamptz(3),
  transaction_id uuid,
  day date not null,
  items int not null,
  tag text not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index ledger_inflows_account on ledger_inflows (account_id);

-- Inflows summed up. What an account received on a day = this + its inflows not yet rolled.
create table ledger_days (
  account_id bigint not null,
  day date not null,
  tag text not null,
  amount_cents bigint not null,
  items bigint not null,
  primary key (account_id, day, tag)
) with (fillfactor = 70);

-- What waits on a pending account until it is due, made by ledger_roll(); gone once cleared or taken back.
create table ledger_maturities (
  due_at timestamptz(3) not null,
  transaction_id uuid not null,
  account_id bigint not null,
  amount_cents bigint not null,
  primary key (due_at, transaction_id, account_id)
);

-- Money set aside before the price is known (a call). Resolved once: captured (wholly, partly or for nothing) or released.
create table ledger_holds (
  id uuid primary key,
  fan_id uuid not null,
  purpose text not null,
  amount_cents bigint not null check (amount_cents > 0),
  captured_cents bigint not null default 0 check (captured_cents between 0 and amount_cents),
  state text not null default 'held' check (state in ('held', 'captured', 'released')),
  -- The UTC day whose spending it counts towards.
  spent_day date not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  resolved_at timestamptz(3),
  check ((state = 'held') = (resolved_at is null)),
  check (state = 'captured' or captured_cents = 0)
);
create index ledger_holds_open on ledger_holds (expires_at) where state = 'held';
create index ledger_holds_of_fan on ledger_holds (fan_id, id);

-- Immutable ------------------------------------------------------------------------------------------------------------

create function ledger_refuse() returns trigger language plpgsql as $$
begin
  raise exception '% is refused on %: corrections are reversing transactions', tg_op, tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger ledger_transactions_immutable before update or delete or truncate on ledger_transactions for each statement execute function ledger_refuse();
create trigger ledger_externals_immutable before update or delete or truncate on ledger_externals for each statement execute function ledger_refuse();
create trigger ledger_reversals_immutable before update or delete or truncate on ledger_reversals for each statement execute function ledger_refuse();
create trigger ledger_lines_immutable before update or delete or truncate on ledger_lines for each statement execute function ledger_refuse();
create trigger ledger_accounts_stay before delete or truncate on ledger_accounts for each statement execute function ledger_refuse();

-- Accounts -------------------------------------------------------------------------------------------------------------

-- The id of the account with that code, made when it is missing. Safe when several make it at once: the insert waits for
-- the other's. Which shapes of code exist, and which are spendable, is said here and nowhere else.
create function ledger_account(p_code text) returns bigint language plpgsql as $$
declare
  v_id bigint;
  v_uuid constant text := '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
  v_spendable boolean;
begin
  select id into v_id from ledger_accounts where code = p_code;
  if found then return v_id; end if;
  v_spendable := p_code ~ ('^(liab:fan:' || v_uuid || ':(wallet|call_hold)|liab:(creator|affiliate):' || v_uuid
    || ':(available|payout_reserved)|asset:creator:' || v_uuid || ':receivable)$');
  if not v_spendable and p_code !~ ('^(liab:(creator|affiliate):' || v_uuid || ':pending|liab:payout_clearing:(ach|paypal|crypto)'
    || '|asset:processor:[a-z0-9_]+:clearing|asset:bank:operating|rev:(deposit_fee|payout_fee|platform_fee:(tip|post|chat|call))'
    || '|exp:(processor_fee|chargeback_loss|chargeback_fee|affiliate))$') then
    raise exception 'no account has the code %', p_code using errcode = 'SD404';
  end if;
  insert into ledger_accounts (code, kind, owner_id, spendable)
    values (p_code, case split_part(p_code, ':', 1) when 'asset' then 'asset' when 'liab' then 'liability' when 'rev' then 'revenue' else 'expense' end,
      substring(p_code from v_uuid)::uuid, v_spendable)
    on conflict (code) do nothing returning id into v_id;
  if v_id is null then select id into v_id from ledger_accounts where code = p_code; end if;
  return v_id;
end $$;

select ledger_account(code) from unnest(array['rev:deposit_fee', 'rev:platform_fee:tip', 'rev:platform_fee:post', 'rev:platform_fee:chat',
  'rev:platform_fee:call', 'exp:chargeback_loss']) as code;

-- The exact balance in cents on the normal side; 0 for an account that does not exist yet. One snapshot sees all parts.
create function ledger_balance(p_code text) returns bigint language sql stable as $$
  select coalesce((
    select a.balance_cents + case when a.spendable then 0 else
      coalesce((select sum(i.amount_cents) from ledger_inflows i where i.account_id = a.id), 0)::bigint end
      + case when a.owner_id is null then
      coalesce((select sum(i.platform_cents) from ledger_inflows i where i.platform_account_id = a.id), 0)::bigint else 0 end
    from ledger_accounts a where a.code = p_code), 0)
$$;

-- Sums up at most p_limit inflows (of one account, if named) and answers how many. One at a time: p_wait says whether to
-- wait for another one or to answer 0. Exactly once: the rows go and the sums grow in one transaction.
create function ledger_roll(p_limit int default 20000, p_account text default null, p_wait boolean default false) returns int language plpgsql as $$
declare
  v_count int;
begin
  if p_wait then
    perform pg_advisory_xact_lock(hashtext('ledger_roll'));
  elsif not pg_try_advisory_xact_lock(hashtext('ledger_roll')) then
    return 0;
  end if;
  with taken as (
    delete from ledger_inflows where ctid = any (array(
      select ctid from ledger_inflows where p_account is null or account_id = (select id from ledger_accounts where code = p_account) limit p_limit))
    returning *
  ), parts as (
    select account_id, day, tag, amount_cents, items from taken
    union all select platform_account_id, day, tag, platform_cents, items from taken where platform_account_id is not null
  ), days as (
    insert into ledger_days as d (account_id, day, tag, amount_cents, items)
      select account_id, day, tag, sum(amount_cents), sum(items) from parts group by account_id, day, tag
      on conflict (account_id, day, tag) do update
        set amount_cents = d.amount_cents + excluded.amount_cents, items = d.items + excluded.items
  ), balances as (
    update ledger_accounts a set balance_cents = a.balance_cents + s.amount_cents
      from (select account_id, sum(amount_cents) as amount_cents from parts group by account_id) s
      where a.id = s.account_id
  ), waiting as (
    insert into ledger_maturities (due_at, transaction_id, account_id, amount_cents)
      select due_at, transaction_id, account_id, amount_cents from taken where due_at is not null and amount_cents > 0
  )
  select count(*) into v_count from taken;
  return v_count;
end $$;

-- Posting --------------------------------------------------------------------------------------------------------------

-- A new id that sorts at an instant (null: now). In seconds, because days differ in length where clocks change.
create function ledger_new_id(p_at timestamptz) returns uuid language sql volatile as $$
  select case when p_at is null then uuidv7() else uuidv7(make_interval(secs => extract(epoch from p_at - clock_timestamp())::float8)) end
$$;

-- Posts one transaction. p_codes names the accounts (made when missing), p_amounts the cents: positive debits, negative
-- credits; zero legs are left out. Spendable accounts are locked in the order of their ids, then idempotency is looked at,
-- then money moves. p_day, p_tag and p_items go to the inflows (default: the day, the kind, 0).
-- Answers the transaction and whether it had been posted before. Raises SD402, SD404, SD409.
create function ledger_post(
  p_kind text, p_codes text[], p_amounts bigint[],
  p_actor uuid default null, p_operation uuid default null, p_hash bytea default null,
  p_provider text default null, p_ref text default null, p_event text default null,
  p_reverses uuid default null, p_metadata jsonb default null, p_at timestamptz default null,
  p_tag text default null, p_day date default null, p_items int default 0,
  out transaction_id uuid, out replayed boolean
) language plpgsql as $$
declare
  v_ids bigint[] := '{}';
  v_amounts bigint[] := '{}';
  v_account ledger_accounts;
  v_hash bytea;
  v_at timestamptz;
  v_delta bigint;
begin
  perform ledger_account(code) from (select code from unnest(p_codes) as code group by code order by code collate "C") c;
  perform from ledger_accounts where code = any (p_codes) and spendable order by id for update;
  select t.id, t.request_hash into transaction_id, v_hash from ledger_transactions t
    where (t.operation_id = p_operation and t.actor_id = p_actor);
  if not found then
    select x.transaction_id, p_hash into transaction_id, v_hash from ledger_externals x where x.provider = p_provider and x.event_key = p_event;
  end if;
  if transaction_id is not null then
    if v_hash is distinct from p_hash then
      raise exception 'operation % was used with another request', p_operation using errcode = 'SD409';
    end if;
    replayed := true;
    return;
  end if;
  replayed := false;
  transaction_id := ledger_new_id(p_at);
  v_at := date_trunc('milliseconds', coalesce(p_at, now()));
  for i in 1 .. cardinality(p_codes) loop
    continue when p_amounts[i] = 0;
    select * into strict v_account from ledger_accounts where code = p_codes[i];
    v_delta := case when v_account.kind in ('liability', 'revenue') then -p_amounts[i] else p_amounts[i] end;
    v_ids := v_ids || v_account.id;
    v_amounts := v_amounts || p_amounts[i];
    if v_account.spendable then
      if v_account.balance_cents + v_delta < 0 then
        raise exception 'account % has not enough', v_account.code using errcode = 'SD402';
      end if;
      update ledger_accounts set lines = lines + 1, balance_cents = balance_cents + v_delta
        where id = v_account.id returning balance_cents, lines into v_account.balance_cents, v_account.lines;
      insert into ledger_lines (account_id, line, transaction_id, amount_cents, balance_cents, kind)
        values (v_account.id, v_account.lines, ledger_post.transaction_id, v_delta, v_account.balance_cents, p_kind);
    else
      insert into ledger_inflows (account_id, amount_cents, day, items, tag)
        values (v_account.id, v_delta, coalesce(p_day, (v_at at time zone 'UTC')::date), p_items, coalesce(p_tag, p_kind));
    end if;
  end loop;
  insert into ledger_transactions (id, occurred_at, kind, actor_id, operation_id, request_hash, account_ids, amounts, metadata)
    values (transaction_id, v_at, p_kind, p_actor, p_operation, p_hash, v_ids, v_amounts, p_metadata);
  if p_event is not null then insert into ledger_externals (provider, event_key, transaction_id, ref) values (p_provider, p_event, transaction_id, p_ref); end if;
  if p_reverses is not null then insert into ledger_reversals (transaction_id, reverses_id) values (transaction_id, p_reverses); end if;
end $$;

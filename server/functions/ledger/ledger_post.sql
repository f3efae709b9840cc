-- Posts one transaction. p_codes names the accounts, which are created when missing. p_amounts are cents: positive
-- debits, negative credits, zero legs are left out. Spendable accounts are locked in the order of their ids, then
-- idempotency is checked, then balances change. p_day, p_tag and p_items are written to the inflows (default: the day,
-- the kind, 0). Returns the transaction and whether it had been posted before. Raises SD400 (unknown kind, or a leg
-- that it does not permit), SD402 (insufficient balance), SD403 (debit of a frozen account), SD404 (invalid account
-- code), SD409 (operation used with another request).
create or replace function ledger_post(
  p_kind text, p_codes text[], p_amounts bigint[],
  p_actor uuid default null, p_operation uuid default null, p_hash bytea default null,
  p_provider text default null, p_ref text default null, p_event text default null,
  p_reverses uuid default null, p_metadata jsonb default null, p_at timestamptz default null,
  p_tag text default null, p_day date default null, p_items int default 0,
  out transaction_id uuid, out replayed boolean
) language plpgsql as $$
declare
  v_kind ledger_kinds;
  v_ids bigint[] := '{}';
  v_amounts bigint[] := '{}';
  v_account ledger_accounts;
  v_hash bytea;
  v_at timestamptz;
  v_delta bigint;
  -- The creator's and the platform's parts of a sale are written as one inflow, as in ledger_spend().
  v_fee constant int := (select min(i) from generate_subscripts(p_codes, 1) i where p_codes[i] like 'rev:platform_fee:%' and p_amounts[i] <> 0);
  -- When the fee takes the whole amount, the fee still counts in the creator's daily sums.
  v_share constant int := (select min(i) from generate_subscripts(p_codes, 1) i
    where p_codes[i] like 'liab:creator:%:pending' and (p_amounts[i] <> 0 or v_fee is not null));
begin
  select * into v_kind from ledger_kinds where kind = p_kind;
  if not found then raise exception 'no kind of transaction is called %', p_kind using errcode = 'SD400'; end if;
  perform ledger_account(code) from (select code from unnest(p_codes) as code group by code order by code collate "C") c;
  perform from ledger_accounts where code = any (p_codes) and spendable order by id for update;
  select t.id, t.request_hash into transaction_id, v_hash from ledger_transactions t
    where (t.operation_id = p_operation and t.actor_id = p_actor);
  if not found then
    select x.transaction_id, p_hash into transaction_id, v_hash from ledger_external_refs x where x.provider = p_provider and x.event_key = p_event;
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
    continue when p_amounts[i] = 0 and (i is distinct from v_share or v_fee is null);
    if p_amounts[i] <> 0 and not p_codes[i] like any (case when p_amounts[i] > 0 then v_kind.debits else v_kind.credits end) then
      raise exception 'a % may not % the account %', p_kind, case when p_amounts[i] > 0 then 'debit' else 'credit' end, p_codes[i] using errcode = 'SD400';
    end if;
    select * into strict v_account from ledger_accounts where code = p_codes[i];
    v_delta := case when v_account.kind in ('liability', 'revenue') then -p_amounts[i] else p_amounts[i] end;
    if p_amounts[i] <> 0 then
      v_ids := v_ids || v_account.id;
      v_amounts := v_amounts || p_amounts[i];
    end if;
    if v_account.spendable then
      if v_delta < 0 and v_account.is_frozen and not v_kind.can_debit_frozen then
        raise exception 'account % is frozen', v_account.code using errcode = 'SD403';
      end if;
      if v_account.balance_cents + v_delta < 0 then
        raise exception 'account % has not enough', v_account.code using errcode = 'SD402';
      end if;
      update ledger_accounts set lines = lines + 1, balance_cents = balance_cents + v_delta,
          last_line_at = greatest(last_line_at, v_at), max_late_ms = greatest(max_late_ms, (extract(epoch from last_line_at - v_at) * 1000)::bigint)
        where id = v_account.id returning balance_cents, lines into v_account.balance_cents, v_account.lines;
      perform ledger_write(transaction_id, p_kind, p_line_account => v_account.id, p_line => v_account.lines, p_line_cents => v_delta,
        p_balance => v_account.balance_cents);
    elsif i is distinct from v_fee or v_share is null then
      perform ledger_write(transaction_id, p_kind, p_inflow_account => v_account.id, p_inflow_cents => v_delta,
        p_day => coalesce(p_day, (v_at at time zone 'UTC')::date), p_items => p_items, p_tag => coalesce(p_tag, p_kind),
        p_platform_account => case when i = v_share then (select id from ledger_accounts where code = p_codes[v_fee]) end,
        p_platform_cents => case when i = v_share then -p_amounts[v_fee] end);
    end if;
  end loop;
  -- A domain constraint refuses a transaction without legs, which rolls everything back.
  perform ledger_write(transaction_id, p_kind, v_ids, v_amounts, v_at, p_actor, p_operation, p_hash, p_metadata);
  if p_event is not null then insert into ledger_external_refs (provider, event_key, transaction_id, ref) values (p_provider, p_event, transaction_id, p_ref); end if;
  if p_reverses is not null then insert into ledger_reversals (transaction_id, reverses_id) values (transaction_id, p_reverses); end if;
end $$;

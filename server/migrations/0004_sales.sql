-- Sales: what fans pay creators, how the gross is split, and the one function that charges in a single round trip.

-- Operator settings that money depends on, in one row (decisions, Money 6 and 8). Percents in basis points.
create table sales_settings (
  id boolean primary key default true check (id),
  general_basis_points int not null default 2000 check (general_basis_points between 0 and 10000),
  offer_basis_points int not null default 1000 check (offer_basis_points between 0 and 10000),
  offer_days int not null default 90 check (offer_days >= 0),
  clearing_days int not null default 7 check (clearing_days >= 0),
  daily_limit_cents bigint not null default 50000 check (daily_limit_cents >= 0)
);
insert into sales_settings default values;

-- A creator's fee where it differs from the operator's (null: the default), and where their earnings go.
create table sales_fees (
  creator_id uuid primary key,
  pending_account_id bigint not null,
  general_basis_points int check (general_basis_points between 0 and 10000),
  offer_basis_points int check (offer_basis_points between 0 and 10000),
  -- End of the promotional fee; null: the operator's days after sign-up.
  offer_until timestamptz(3),
  signed_up_at timestamptz(3) not null
);

-- One row a sale; its id is the ledger transaction's. The split that was used is stored, so that a refund reverses it.
create table sales (
  id uuid primary key,
  fan_id uuid not null,
  creator_id uuid not null,
  -- What was bought: the post; for a tip on a post, that post.
  subject_id uuid,
  gross_cents bigint not null check (gross_cents > 0),
  fee_cents bigint not null check (fee_cents between 0 and gross_cents),
  net_cents bigint not null check (net_cents = gross_cents - fee_cents),
  reversed_cents bigint not null default 0 check (reversed_cents between 0 and gross_cents),
  reversed_fee_cents bigint not null default 0 check (reversed_fee_cents between 0 and fee_cents),
  created_at timestamptz(3) not null,
  clears_at timestamptz(3) not null,
  fee_basis_points int not null,
  kind text not null check (kind in ('tip', 'post', 'chat', 'call')),
  tip_type text check (tip_type in ('chat', 'post', 'profile', 'call')),
  note text not null check (length(note) <= 200)
);
create index sales_of_creator on sales (creator_id, id);
-- What a fan owns is bought once, unless it was given back.
create unique index sales_once on sales (fan_id, subject_id) where kind in ('post', 'chat') and reversed_cents < gross_cents;

-- Opens a creator's earnings: made at their first sale, safe when several come at once. Raises SD404 if there is no such creator.
create function sales_open_creator(p_creator uuid) returns void language plpgsql as $$
begin
  insert into sales_fees (creator_id, pending_account_id, signed_up_at)
    select c.user_id, ledger_account('liab:creator:' || c.user_id || ':pending'), c.created_at from creators c where c.user_id = p_creator
    on conflict (creator_id) do nothing;
  perform from sales_fees where creator_id = p_creator;
  if not found then raise exception 'no creator %', p_creator using errcode = 'SD404'; end if;
end $$;

-- The fee in basis points that applies at an instant (decisions, Terms: offerFee while it runs, else generalFee).
create function sales_basis_points(f sales_fees, s sales_settings, p_at timestamptz) returns int language sql stable as $$
  select case when p_at < coalesce(f.offer_until, f.signed_up_at + s.offer_days * interval '1 day')
    then coalesce(f.offer_basis_points, s.offer_basis_points) else coalesce(f.general_basis_points, s.general_basis_points) end
$$;

-- Charges a fan for one sale. outcome: 'made'; 'replayed', the stored result of the same operation; 'owned', the fan has the
-- subject already and nothing is charged. Only the wallet's row is locked, first of all; whoever asks twice waits there, and
-- then sees the first one's rows. p_extra_codes and p_extra_amounts (positive debits, negative credits, together zero, no
-- spendable accounts) are further legs of the same transaction, such as commission out of the platform's fee.
-- Raises SD402 funds, SD403 blocked, SD404 no such creator, SD409 other request, SD410 daily limit.
create function sales_charge(
  p_kind text, p_fan uuid, p_creator uuid, p_gross bigint, p_operation uuid, p_hash bytea,
  p_subject uuid default null, p_note text default '', p_tip_type text default null, p_at timestamptz default null,
  p_extra_codes text[] default null, p_extra_amounts bigint[] default null,
  out transaction_id uuid, out outcome text, out balance_cents bigint, out gross_cents bigint, out fee_cents bigint, out fee_basis_points int,
  out clears_at timestamptz, out created_at timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare
  v_code text := 'liab:fan:' || p_fan || ':wallet';
  v_id uuid;
  v_at timestamptz := coalesce(p_at, clock_timestamp());
  v_day date := (v_at at time zone 'UTC')::date;
  v_pending bigint; v_fee_account bigint; v_wallet bigint; v_line bigint; v_balance bigint;
  v_basis int; v_clearing int; v_limit bigint; v_fee bigint; v_net bigint; v_clears timestamptz;
  v_old_day date; v_old_spent bigint; v_hash bytea; v_frozen boolean;
begin
  loop
    select f.pending_account_id, s.clearing_days, s.daily_limit_cents, a.id,
        case when v_at < coalesce(f.offer_until, f.signed_up_at + s.offer_days * interval '1 day')
          then coalesce(f.offer_basis_points, s.offer_basis_points) else coalesce(f.general_basis_points, s.general_basis_points) end
      into v_pending, v_clearing, v_limit, v_fee_account, v_basis
      from sales_settings s, sales_fees f, ledger_accounts a
      where f.creator_id = p_creator and a.code = 'rev:platform_fee:' || p_kind;
    exit when found;
    perform sales_open_creator(p_creator);
  end loop;

  loop
    update ledger_accounts a set
        balance_cents = a.balance_cents - p_gross, lines = a.lines + 1,
        spent_cents = case when a.spent_day = v_day then a.spent_cents else 0 end + p_gross, spent_day = v_day
      where a.code = v_code and a.balance_cents >= p_gross and not a.is_frozen
        and case when a.spent_day = v_day then a.spent_cents else 0 end + p_gross <= coalesce(a.day_limit_cents, v_limit)
      returning a.id, a.balance_cents, a.lines, old.spent_day, old.spent_cents
      into v_wallet, v_balance, v_line, v_old_day, v_old_spent;
    if not found then
      select a.id, a.balance_cents, a.is_frozen, coalesce(a.day_limit_cents, v_limit), case when a.spent_day = v_day then a.spent_cents else 0 end
        into v_wallet, v_balance, v_frozen, v_limit, v_old_spent from ledger_accounts a where a.code = v_code for update;
    end if;

    -- Under the lock: was this asked before, or is it owned?
    select t.id, t.request_hash into v_id, v_hash from ledger_transactions t where t.operation_id = p_operation and t.actor_id = p_fan;
    if found then
      if v_hash <> p_hash then raise exception 'operation % was used with another request', p_operation using errcode = 'SD409'; end if;
      outcome := 'replayed';
    elsif p_kind in ('post', 'chat') then
      select s.id into v_id from sales s where s.fan_id = p_fan and s.subject_id = p_subject and s.kind in ('post', 'chat') and s.reversed_cents < s.gross_cents;
      if found then outcome := 'owned'; end if;
    end if;
    if outcome is not null then
      -- Takes the charge above back, so that the row is as it was.
      if v_line is not null then
        update ledger_accounts a set balance_cents = a.balance_cents + p_gross, lines = a.lines - 1, spent_day = v_old_day, spent_cents = v_old_spent
          where a.id = v_wallet returning a.balance_cents into v_balance;
      end if;
      select s.id, s.gross_cents, s.fee_cents, s.fee_basis_points, s.clears_at, s.created_at, coalesce(case when outcome = 'replayed' then e.balance_after end, v_balance)
        into transaction_id, gross_cents, fee_cents, fee_basis_points, clears_at, created_at, balance_cents
        from sales s left join ledger_entries e on e.transaction_id = s.id and e.account_id = v_wallet where s.id = v_id;
      if not found then raise exception 'operation % was used for something else', p_operation using errcode = 'SD409'; end if;
      return;
    end if;
    exit when v_line is not null;

    if v_frozen then raise exception 'spending is blocked' using errcode = 'SD403'; end if;
    if v_wallet is null or v_balance < p_gross then raise exception 'not enough in the wallet' using errcode = 'SD402'; end if;
    if v_old_spent + p_gross > v_limit then
      raise exception 'over the daily limit' using errcode = 'SD410', detail = v_limit::text;
    end if;
    -- A deposit came in between: once more.
  end loop;

  v_id := case when p_at is null then uuidv7() else uuidv7(p_at - clock_timestamp()) end;
  v_at := uuid_extract_timestamp(v_id);
  v_day := (v_at at time zone 'UTC')::date;
  v_clears := v_at + v_clearing * interval '1 day';
  -- Round half up (decisions, Money 6).
  v_fee := (p_gross * v_basis + 5000) / 10000;
  v_net := p_gross - v_fee;

  insert into ledger_transactions (id, occurred_at, kind, actor_id, operation_id, request_hash) values (v_id, v_at, p_kind, p_fan, p_operation, p_hash);
  if p_extra_codes is null and v_fee > 0 and v_net > 0 then
    insert into ledger_entries (transaction_id, account_id, amount_cents, balance_after, line, leg, side) values
      (v_id, v_wallet, p_gross, v_balance, v_line, 1, 'D'), (v_id, v_pending, v_net, null, null, 2, 'C'), (v_id, v_fee_account, v_fee, null, null, 3, 'C');
    insert into ledger_inflows (account_id, amount_cents, day, items, tag) values (v_pending, v_net, v_day, 1, p_kind), (v_fee_account, v_fee, v_day, 1, p_kind);
  else
    perform sales_legs(v_id, v_wallet, v_balance, v_line, v_pending, v_net, v_fee_account, v_fee, p_kind, v_day, p_extra_codes, p_extra_amounts);
  end if;
  if v_net > 0 then insert into ledger_maturities (due_at, transaction_id, account_id, amount_cents) values (v_clears, v_id, v_pending, v_net); end if;
  insert into sales (id, fan_id, creator_id, subject_id, gross_cents, fee_cents, net_cents, created_at, clears_at, fee_basis_points, kind, tip_type, note)
    values (v_id, p_fan, p_creator, p_subject, p_gross, v_fee, v_net, v_at, v_clears, v_basis, p_kind, p_tip_type, p_note);
  insert into outbox (type, payload) values ('sale.made', jsonb_build_object('transactionId', v_id, 'kind', p_kind, 'fanId', p_fan, 'creatorId', p_creator,
    'subjectId', p_subject, 'grossCents', p_gross, 'netCents', v_net, 'balanceCents', v_balance));

  transaction_id := v_id; outcome := 'made'; balance_cents := v_balance; gross_cents := p_gross; fee_cents := v_fee; fee_basis_points := v_basis;
  clears_at := v_clears; created_at := v_at;
end $$;

-- The legs of a sale in the general case: nothing for the platform or for the creator, or further legs.
create function sales_legs(
  p_id uuid, p_wallet bigint, p_balance bigint, p_line bigint, p_pending bigint, p_net bigint, p_fee_account bigint, p_fee bigint,
  p_kind text, p_day date, p_extra_codes text[], p_extra_amounts bigint[]
) returns void language plpgsql as $$
begin
  perform ledger_account(code) from (select code from unnest(p_extra_codes) as code group by code order by code collate "C") c;
  if exists (select from ledger_accounts where code = any (p_extra_codes) and spendable) then
    raise exception 'further legs of a sale must not touch a spendable account' using errcode = 'check_violation';
  end if;
  with legs as (
    select row_number() over () as leg, l.* from (
      select p_wallet as account_id, p_balance as balance_after, p_line as line, p_gross.cents as amount, false as credit, 0 as items
        from (select p_net + p_fee as cents) p_gross
      union all select p_pending, null, null, -p_net, true, 1 where p_net > 0
      union all select p_fee_account, null, null, -p_fee, true, 1 where p_fee > 0
      union all select a.id, null, null, x.amount, a.kind in ('liability', 'revenue'), 0
        from unnest(p_extra_codes, p_extra_amounts) as x (code, amount) join ledger_accounts a on a.code = x.code where x.amount <> 0
    ) l
  ), appended as (
    insert into ledger_inflows (account_id, amount_cents, day, items, tag)
      select account_id, case when credit then -amount else amount end, p_day, items, p_kind from legs where line is null
  )
  insert into ledger_entries (transaction_id, account_id, amount_cents, balance_after, line, leg, side)
    select p_id, account_id, abs(amount), balance_after, line, leg, case when amount > 0 then 'D' else 'C' end::"char" from legs;
end $$;

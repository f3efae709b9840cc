-- Sales: what fans pay creators, how the gross is split, and the one function that charges in a single round trip.

-- Operator settings that money depends on, in one row (decisions, Money 6 and 8). Percents in basis points.
create table sales_settings (
  id boolean primary key default true check (id),
  general_basis_points int not null default 2000 check (general_basis_points between 0 and 10000),
  offer_basis_points int not null default 1000 check (offer_basis_points between 0 and 10000),
  offer_days int not null default 90 check (offer_days >= 0),
  clearing_days int not null default 7 check (clearing_days >= 0),
  -- The most it ever was: what was sold longer ago has cleared.
  longest_clearing_days int not null default 7,
  daily_limit_cents bigint not null default 50000 check (daily_limit_cents >= 0),
  tip_fee_account_id bigint not null default ledger_account('rev:platform_fee:tip'),
  post_fee_account_id bigint not null default ledger_account('rev:platform_fee:post'),
  chat_fee_account_id bigint not null default ledger_account('rev:platform_fee:chat'),
  call_fee_account_id bigint not null default ledger_account('rev:platform_fee:call')
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
-- No CHECKs: they are parsed anew for every insert. Only the functions below write here, and ledger:check proves each row.
create table sales (
  id uuid primary key,
  fan_id uuid not null,
  creator_id uuid not null,
  -- What was bought: the post; for a tip on a post, that post.
  subject_id uuid,
  created_at timestamptz(3) not null,
  clears_at timestamptz(3) not null,
  gross_cents bigint not null,
  fee_cents bigint not null,
  net_cents bigint generated always as (gross_cents - fee_cents) virtual,
  reversed_cents bigint not null default 0,
  reversed_fee_cents bigint not null default 0,
  fee_basis_points int not null,
  -- tip, post, chat or call.
  kind text not null,
  -- chat, post, profile or call.
  tip_type text,
  note text not null
);
-- By time and not by id: an order that the primary key has, too, would tempt the planner to walk everybody's sales.
create index sales_of_creator on sales (creator_id, kind, created_at);

-- What a fan bought and still owns: once each. A row goes when the whole sale is given back. A table of its own, so that tips
-- do not pay for its index.
create table sales_owned (
  fan_id uuid not null,
  subject_id uuid not null,
  sale_id uuid not null,
  primary key (fan_id, subject_id)
);

-- Opens a creator's earnings: made at their first sale, safe when several come at once. Raises SD404 if there is no such creator.
create function sales_open_creator(p_creator uuid) returns void language plpgsql as $$
begin
  insert into sales_fees (creator_id, pending_account_id, signed_up_at)
    select c.user_id, ledger_account('liab:creator:' || c.user_id || ':pending'), c.created_at from creators c where c.user_id = p_creator
    on conflict (creator_id) do nothing;
  perform from sales_fees where creator_id = p_creator;
  if not found then raise exception 'no creator %', p_creator using errcode = 'SD404'; end if;
end $$;

-- Charges a fan for one sale. outcome: 'made'; 'replayed', the stored result of the same operation; 'owned', the fan has the
-- subject already and nothing is charged. Raises SD402 funds, SD403 blocked, SD404 no such creator, SD409 other request,
-- SD410 daily limit (its detail is the limit in cents).
--
-- Only the wallet's row is locked, and first of all: whoever asks twice at once waits there, and then sees the first one's
-- rows. The good way is few statements, because starting one costs more than what most of them do; anything else is
-- sales_charge_refused(). Commission later is a transaction of its own beside this one, posted by ledger_post() in the
-- same database transaction: debit exp:affiliate, credit the affiliates.
create function sales_charge(
  p_kind text, p_fan uuid, p_creator uuid, p_gross bigint, p_operation uuid, p_hash bytea,
  p_subject uuid default null, p_note text default '', p_tip_type text default null, p_at timestamptz default null,
  out transaction_id uuid, out outcome text, out balance_cents bigint, out gross_cents bigint, out fee_cents bigint,
  out fee_basis_points int, out clears_at timestamptz, out created_at timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare
  v_wallet bigint; v_line bigint; v_pending bigint; v_fee_account bigint; v_limit bigint; v_today date; v_old_day date; v_old_spent bigint;
  v_clearing_days int; v_offer_days int; v_general int; v_offer int;
begin
  select s.daily_limit_cents, case p_kind when 'tip' then s.tip_fee_account_id when 'post' then s.post_fee_account_id when 'chat' then s.chat_fee_account_id end,
      date_trunc('milliseconds', coalesce(p_at, now())), s.clearing_days, s.offer_days, s.general_basis_points, s.offer_basis_points
    into v_limit, v_fee_account, created_at, v_clearing_days, v_offer_days, v_general, v_offer
    from sales_settings s;
  -- The offer while it runs, else the general fee (decisions, Terms); nothing until the creator's earnings are open.
  select f.pending_account_id, created_at + v_clearing_days * interval '24 hours', (created_at at time zone 'UTC')::date,
      case when created_at < coalesce(f.offer_until, f.signed_up_at + v_offer_days * interval '24 hours')
        then coalesce(f.offer_basis_points, v_offer) else coalesce(f.general_basis_points, v_general) end
    into v_pending, clears_at, v_today, fee_basis_points
    from sales_fees f where f.creator_id = p_creator;

  update ledger_accounts a set
      balance_cents = a.balance_cents - p_gross, lines = a.lines + 1, spent_day = v_today,
      spent_cents = case when a.spent_day = v_today then a.spent_cents + p_gross else p_gross end
    where a.code = 'liab:fan:' || p_fan || ':wallet' and a.balance_cents >= p_gross and not a.is_frozen and v_pending is not null
      and case when a.spent_day = v_today then a.spent_cents + p_gross else p_gross end <= coalesce(a.day_limit_cents, v_limit)
    -- The id is made under the lock, so that the ids of one wallet are in the order of its statement.
    returning ledger_new_id(p_at), a.id, a.balance_cents, a.lines, p_gross,
      -- Round half up (decisions, Money 6).
      (p_gross * fee_basis_points + 5000) / 10000, old.spent_day, old.spent_cents
    into transaction_id, v_wallet, balance_cents, v_line, gross_cents, fee_cents, v_old_day, v_old_spent;

  if v_line is not null and not exists (select from ledger_transactions t where t.operation_id = p_operation and t.actor_id = p_fan) then
    if p_kind = 'tip' then
      outcome := 'made';
    else
      insert into sales_owned (fan_id, subject_id, sale_id) values (p_fan, p_subject, transaction_id) on conflict do nothing;
      if found then outcome := 'made'; end if;
    end if;
  end if;
  if outcome is null then
    select * into transaction_id, outcome, balance_cents, gross_cents, fee_cents, fee_basis_points, clears_at, created_at
      from sales_charge_refused(p_kind, p_fan, p_creator, p_gross, p_operation, p_hash, p_subject, p_note, p_tip_type, p_at, v_line is not null, v_old_day, v_old_spent);
    return;
  end if;

  with journal as (
    insert into ledger_transactions (id, occurred_at, kind, actor_id, operation_id, request_hash, account_ids, amounts)
      values (transaction_id, created_at, p_kind, p_fan, p_operation, p_hash,
        array[v_wallet, v_pending, v_fee_account], array[p_gross, fee_cents - p_gross, -fee_cents])
  ), line as (
    insert into ledger_lines (account_id, line, transaction_id, amount_cents, balance_cents, kind)
      values (v_wallet, v_line, transaction_id, -p_gross, balance_cents, p_kind)
  ), inflow as (
    insert into ledger_inflows (account_id, amount_cents, platform_account_id, platform_cents, due_at, transaction_id, day, items, tag)
      values (v_pending, p_gross - fee_cents, v_fee_account, fee_cents, clears_at, transaction_id, v_today, 1, p_kind)
  ), told as (
    insert into outbox (type, payload) values ('sale.made', jsonb_build_object('transactionId', transaction_id, 'kind', p_kind, 'fanId', p_fan,
      'creatorId', p_creator, 'subjectId', p_subject, 'grossCents', p_gross, 'netCents', p_gross - fee_cents, 'balanceCents', balance_cents))
  )
  insert into sales (id, fan_id, creator_id, subject_id, gross_cents, fee_cents, created_at, clears_at, fee_basis_points, kind, tip_type, note)
    values (transaction_id, p_fan, p_creator, p_subject, p_gross, fee_cents, created_at, clears_at, fee_basis_points, p_kind, p_tip_type, p_note);
end $$;

-- What sales_charge() answers when it does not sell: the known result, or the reason as an error. p_taken says that the
-- wallet was already charged, which is put back. Sells after all when the creator's earnings were not open yet, or money
-- or time came in between.
create function sales_charge_refused(
  p_kind text, p_fan uuid, p_creator uuid, p_gross bigint, p_operation uuid, p_hash bytea, p_subject uuid, p_note text, p_tip_type text,
  p_at timestamptz, p_taken boolean, p_old_day date, p_old_spent bigint,
  out transaction_id uuid, out outcome text, out balance_cents bigint, out gross_cents bigint, out fee_cents bigint,
  out fee_basis_points int, out clears_at timestamptz, out created_at timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare
  v_account ledger_accounts; v_hash bytea; v_id uuid; v_limit bigint; v_today date := (coalesce(p_at, now()) at time zone 'UTC')::date;
begin
  if p_taken then
    update ledger_accounts a set balance_cents = a.balance_cents + p_gross, lines = a.lines - 1, spent_day = p_old_day, spent_cents = p_old_spent
      where a.code = 'liab:fan:' || p_fan || ':wallet';
  end if;
  select * into v_account from ledger_accounts a where a.code = 'liab:fan:' || p_fan || ':wallet' for update;

  select t.id, t.request_hash into v_id, v_hash from ledger_transactions t where t.operation_id = p_operation and t.actor_id = p_fan;
  if found then
    outcome := 'replayed';
  elsif p_kind <> 'tip' then
    select o.sale_id into v_id from sales_owned o where o.fan_id = p_fan and o.subject_id = p_subject;
    if found then outcome := 'owned'; end if;
  end if;
  if outcome is not null then
    select s.id, s.gross_cents, s.fee_cents, s.fee_basis_points, s.clears_at, s.created_at, case outcome when 'owned' then v_account.balance_cents else l.balance_cents end
      into transaction_id, gross_cents, fee_cents, fee_basis_points, clears_at, created_at, balance_cents
      from sales s left join lateral (
        -- From the newest: what is asked again was asked lately.
        select balance_cents from ledger_lines where account_id = v_account.id and transaction_id = s.id order by line desc limit 1) l on true
      where s.id = v_id;
    if not found or (outcome = 'replayed' and v_hash <> p_hash) then
      raise exception 'operation % was used with another request', p_operation using errcode = 'SD409';
    end if;
    return;
  end if;

  perform sales_open_creator(p_creator);
  if v_account.is_frozen then raise exception 'spending is blocked' using errcode = 'SD403'; end if;
  if v_account.id is null or v_account.balance_cents < p_gross then raise exception 'not enough in the wallet' using errcode = 'SD402'; end if;
  select coalesce(v_account.day_limit_cents, s.daily_limit_cents) into v_limit from sales_settings s;
  if (case when v_account.spent_day = v_today then v_account.spent_cents else 0 end) + p_gross > v_limit then
    raise exception 'over the daily limit' using errcode = 'SD410', detail = v_limit::text;
  end if;
  select * into transaction_id, outcome, balance_cents, gross_cents, fee_cents, fee_basis_points, clears_at, created_at
    from sales_charge(p_kind, p_fan, p_creator, p_gross, p_operation, p_hash, p_subject, p_note, p_tip_type, p_at);
end $$;

-- What is told live carries a revision, by which of two tellings the later one is known whichever arrives first (decision 0040).

-- Balances: the line of the wallet's statement ------------------------------------------------------------------------

drop function sales_charge;
drop function sales_charge_refused;
drop function ledger_spend;

-- A fan's wallet pays a creator's pending account, and the platform its part: the fast way in for sales, in few statements.
-- It counts towards the day's spending, of which p_limit is the most unless the wallet has its own. p_due is when the
-- creator's part clears. Answers the balance after it, with its line in the wallet's statement; null when the wallet may not
-- pay (ledger_refuse_spending() says why).
-- Only the wallet's row is locked, and first of all. The caller has read the kind's row, which permits a sale's legs by its
-- constraint, and that a wallet pays it.
create function ledger_spend(
  p_kind text, p_fan uuid, p_cents bigint, p_limit bigint, p_pending bigint, p_fee_account bigint, p_fee bigint,
  p_operation uuid, p_hash bytea, p_at timestamptz, p_due timestamptz, out transaction_id uuid, out balance_cents bigint, out line bigint
) language plpgsql as $$
declare
  v_at constant timestamptz := date_trunc('milliseconds', coalesce(p_at, now()));
  v_day constant date := (v_at at time zone 'UTC')::date;
  v_wallet bigint;
begin
  update ledger_accounts a set
      balance_cents = a.balance_cents - p_cents, lines = a.lines + 1, spent_day = v_day,
      spent_cents = case when a.spent_day = v_day then a.spent_cents + p_cents else p_cents end
    where a.code = 'liab:fan:' || p_fan || ':wallet' and a.balance_cents >= p_cents and not a.is_frozen
      and case when a.spent_day = v_day then a.spent_cents + p_cents else p_cents end <= coalesce(a.day_limit_cents, p_limit)
    -- The id is made under the lock, so that the ids of one wallet are in the order of its statement.
    returning ledger_new_id(p_at), a.id, a.lines, a.balance_cents into transaction_id, v_wallet, line, balance_cents;
  if not found then return; end if;
  transaction_id := ledger_write(transaction_id, p_kind, array[v_wallet, p_pending, p_fee_account], array[p_cents, p_fee - p_cents, -p_fee],
    v_at, p_fan, p_operation, p_hash, null, v_wallet, line, -p_cents, balance_cents,
    p_pending, p_cents - p_fee, v_day, 1, p_kind, p_fee_account, p_fee, p_due);
end $$;

-- Charges a fan for one sale. outcome: 'made'; 'replayed', the stored result of the same operation; 'owned', the fan has the
-- subject already and nothing is charged. line is that of the wallet's statement after which the balance is as answered. Raises
-- SD400 (no kind of sale that a wallet pays), SD402 funds, SD403 blocked, SD404 no such creator, SD409 other request, SD410 daily
-- limit (its detail is the limit in cents).
--
-- p_looks says whether to look first if it was asked or bought before. Who does not look pays for one look less, as most ask
-- once; of what was known an index then refuses the second (23505 of ledger_transactions_operation, or 40001), which is to be
-- asked again, looking. Who looks is refused so only by another who asks at the same moment.
--
-- The good way is few statements, because starting one costs more than what most of them do; anything else is
-- sales_charge_refused(). Commission later is a transaction of its own beside this one, posted by ledger_post() in the
-- same database transaction: debit exp:affiliate, credit the affiliates.
create function sales_charge(
  p_kind text, p_fan uuid, p_creator uuid, p_gross bigint, p_operation uuid, p_hash bytea,
  p_subject uuid default null, p_note text default '', p_tip_type text default null, p_at timestamptz default null,
  p_looks boolean default false,
  out transaction_id uuid, out outcome text, out balance_cents bigint, out gross_cents bigint, out fee_cents bigint,
  out fee_basis_points int, out clears_at timestamptz, out created_at timestamptz, out line bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  v_at constant timestamptz := date_trunc('milliseconds', coalesce(p_at, now()));
  v_limit bigint; v_once boolean; v_pending bigint; v_fee_account bigint; v_known boolean := false; v_paid record;
begin
  -- The offer while it runs, else the general fee (decisions, Terms); no pending account until the creator's earnings are open.
  select s.daily_limit_cents, k.is_once, k.fee_account_id, f.pending_account_id, v_at + s.clearing_days * interval '24 hours',
      case when v_at < coalesce(f.offer_until, f.signed_up_at + s.offer_days * interval '24 hours')
        then coalesce(f.offer_basis_points, s.offer_basis_points) else coalesce(f.general_basis_points, s.general_basis_points) end
    into v_limit, v_once, v_fee_account, v_pending, clears_at, fee_basis_points
    from sales_settings s
    join ledger_kinds k on k.kind = p_kind and 'liab:fan:%:wallet' = any (k.debits) and k.fee_account is not null
      and (not k.is_once or p_subject is not null)
    left join sales_fees f on f.creator_id = p_creator;
  if not found then raise exception 'no wallet pays a sale of kind %, or it has no subject', p_kind using errcode = 'SD400'; end if;

  if p_looks then
    v_known := exists (select from ledger_transactions t where t.operation_id = p_operation and t.actor_id = p_fan)
      or v_once and exists (select from sales_owned o where o.fan_id = p_fan and o.subject_id = p_subject);
  end if;
  -- Round half up (decisions, Money 6).
  fee_cents := (p_gross * fee_basis_points + 5000) / 10000;
  if v_pending is not null and not v_known then
    v_paid := ledger_spend(p_kind, p_fan, p_gross, v_limit, v_pending, v_fee_account, fee_cents, p_operation, p_hash, p_at, clears_at);
    transaction_id := v_paid.transaction_id;
  end if;
  if transaction_id is null then
    select * into transaction_id, outcome, balance_cents, gross_cents, fee_cents, fee_basis_points, clears_at, created_at, line
      from sales_charge_refused(p_kind, p_fan, p_creator, p_gross, p_operation, p_hash, p_subject, p_note, p_tip_type, p_at);
    return;
  end if;
  outcome := 'made';
  balance_cents := v_paid.balance_cents;
  line := v_paid.line;
  gross_cents := p_gross;
  created_at := v_at;

  if v_once then
    insert into sales_owned (fan_id, subject_id, sale_id) values (p_fan, p_subject, transaction_id) on conflict do nothing;
    if not found then raise exception 'it is being bought' using errcode = 'serialization_failure'; end if;
  end if;
  with told as (
    insert into outbox (type, payload) values ('sale.made', jsonb_build_object('transactionId', transaction_id, 'kind', p_kind, 'fanId', p_fan,
      'creatorId', p_creator, 'subjectId', p_subject, 'grossCents', p_gross, 'netCents', p_gross - fee_cents, 'balanceCents', balance_cents,
      'balanceLine', line, 'tipType', p_tip_type, 'at', v_at))
  )
  insert into sales (id, fan_id, creator_id, subject_id, gross_cents, fee_cents, created_at, clears_at, fee_basis_points, kind, tip_type, note)
    values (transaction_id, p_fan, p_creator, p_subject, p_gross, fee_cents, v_at, clears_at, fee_basis_points, p_kind, p_tip_type, p_note);
end $$;

-- What sales_charge() answers when it does not sell: the known result, or the reason as an error. Sells after all when the
-- creator's earnings were not open yet, or money or time came in between.
create function sales_charge_refused(
  p_kind text, p_fan uuid, p_creator uuid, p_gross bigint, p_operation uuid, p_hash bytea, p_subject uuid, p_note text, p_tip_type text,
  p_at timestamptz,
  out transaction_id uuid, out outcome text, out balance_cents bigint, out gross_cents bigint, out fee_cents bigint,
  out fee_basis_points int, out clears_at timestamptz, out created_at timestamptz, out line bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  v_wallet bigint; v_balance bigint; v_line bigint; v_hash bytea; v_id uuid;
begin
  select t.id, t.request_hash into v_id, v_hash from ledger_transactions t where t.operation_id = p_operation and t.actor_id = p_fan;
  if found then
    outcome := 'replayed';
  else
    select o.sale_id into v_id from sales_owned o join ledger_kinds k on k.kind = p_kind and k.is_once where o.fan_id = p_fan and o.subject_id = p_subject;
    if found then outcome := 'owned'; end if;
  end if;
  if outcome is not null then
    select a.id, a.balance_cents, a.lines into v_wallet, v_balance, v_line from ledger_accounts a where a.code = 'liab:fan:' || p_fan || ':wallet';
    select s.id, s.gross_cents, s.fee_cents, s.fee_basis_points, s.clears_at, s.created_at, case outcome when 'owned' then v_balance else l.balance_cents end,
        case outcome when 'owned' then v_line else l.line end
      into transaction_id, gross_cents, fee_cents, fee_basis_points, clears_at, created_at, balance_cents, line
      from sales s left join lateral (
        -- From the newest: what is asked again was asked lately.
        select n.line, n.balance_cents from ledger_lines n where n.account_id = v_wallet and n.transaction_id = s.id order by n.line desc limit 1) l on true
      where s.id = v_id;
    if not found or (outcome = 'replayed' and v_hash <> p_hash) then
      raise exception 'operation % was used with another request', p_operation using errcode = 'SD409';
    end if;
    return;
  end if;

  -- The wallet first: whoever holds it may be opening the same earnings.
  perform ledger_refuse_spending(p_fan, p_gross, (select daily_limit_cents from sales_settings), p_at);
  perform sales_open_creator(p_creator);
  select * into transaction_id, outcome, balance_cents, gross_cents, fee_cents, fee_basis_points, clears_at, created_at, line
    from sales_charge(p_kind, p_fan, p_creator, p_gross, p_operation, p_hash, p_subject, p_note, p_tip_type, p_at, true);
end $$;

-- Chat: a count of the changes of a row -------------------------------------------------------------------------------

alter table conversations add column revision bigint not null default 0;
alter table messages add column revision bigint not null default 0;
-- Of what a broadcast's messages have from it: a message's revision is the sum of both.
alter table broadcasts add column revision bigint not null default 0;

create function chat_revise() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
create trigger conversations_revise before update on conversations for each row execute function chat_revise();
create trigger messages_revise before update on messages for each row execute function chat_revise();
create trigger broadcasts_revise before update on broadcasts for each row execute function chat_revise();

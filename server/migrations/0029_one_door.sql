-- One door for money, kinds as rows: what a transaction may be and move is said in ledger_kinds, ledger_write() alone writes
-- the journal, the statements' lines and the inflows, and everything that moves money goes through it.

-- The kinds of transaction. A new kind is a row here and the same row in words in contract/money-kinds.ts.
create table ledger_kinds (
  kind text primary key,
  -- In plain words, for people.
  title text not null,
  -- Under which type a fan's statement shows and filters it.
  statement_type text not null,
  -- Of a sale: which account gets the platform's part, and its id, which a trigger fills in. Null: it is no sale.
  fee_account text,
  fee_account_id bigint,
  -- A fan buys a subject at most once, and owns it until the whole sale is given back.
  is_once boolean not null default false,
  -- The accounts it may debit and credit, as LIKE patterns of their codes. Any other leg is refused.
  debits text[] not null,
  credits text[] not null,
  constraint ledger_kinds_sale check (
    case when fee_account is null then not is_once
      -- So that charging a sale need not look at each leg: its kind is known to permit them.
      else fee_account like 'rev:platform_fee:%' and credits @> array['liab:creator:%:pending', fee_account] end)
);
create trigger ledger_kinds_stay before delete or truncate on ledger_kinds for each statement execute function ledger_refuse();

-- As in 0002, but that each kind of sale may have an account for its fee.
create or replace function ledger_account(p_code text) returns bigint language plpgsql as $$
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
    || '|asset:processor:[a-z0-9_]+:clearing|asset:bank:operating|rev:(deposit_fee|payout_fee|platform_fee:[a-z_]+)'
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

create function ledger_open_fee() returns trigger language plpgsql as $$
begin
  if new.fee_account is not null then new.fee_account_id := ledger_account(new.fee_account); end if;
  return new;
end $$;
create trigger ledger_kinds_fee before insert or update on ledger_kinds for each row execute function ledger_open_fee();

insert into ledger_kinds (kind, title, statement_type, debits, credits) values
  ('deposit', 'Deposit', 'deposit', '{asset:processor:%:clearing}', '{liab:fan:%:wallet,rev:deposit_fee}'),
  ('deposit_refund', 'Refund to your card', 'refund', '{liab:fan:%:wallet,exp:chargeback_loss,rev:deposit_fee}', '{asset:processor:%:clearing}'),
  ('deposit_void', 'Payment cancelled', 'refund', '{liab:fan:%:wallet,exp:chargeback_loss,rev:deposit_fee}', '{asset:processor:%:clearing}'),
  ('deposit_return', 'Payment returned by the bank', 'refund', '{liab:fan:%:wallet,exp:chargeback_loss,rev:deposit_fee}', '{asset:processor:%:clearing}'),
  ('deposit_chargeback', 'Chargeback', 'chargeback', '{liab:fan:%:wallet,exp:chargeback_loss,rev:deposit_fee}', '{asset:processor:%:clearing}'),
  ('settlement', 'Settlement', 'other', '{asset:bank:operating,exp:processor_fee}', '{asset:processor:%:clearing}'),
  ('sale_refund', 'Refund', 'refund', '{liab:creator:%:pending,rev:platform_fee:%}', '{liab:fan:%:wallet}'),
  ('hold', 'Set aside', 'hold', '{liab:fan:%:wallet}', '{liab:fan:%:call_hold}'),
  ('hold_extend', 'Set aside', 'hold', '{liab:fan:%:wallet}', '{liab:fan:%:call_hold}'),
  ('hold_release', 'No longer set aside', 'release', '{liab:fan:%:call_hold}', '{liab:fan:%:wallet}'),
  ('clearing', 'Cleared', 'other', '{liab:creator:%:pending,liab:affiliate:%:pending}',
    '{liab:creator:%:available,liab:affiliate:%:available,asset:creator:%:receivable}'),
  ('clearing_return', 'Back to pending', 'other', '{liab:creator:%:available,asset:creator:%:receivable}', '{liab:creator:%:pending}');
insert into ledger_kinds (kind, title, statement_type, fee_account, is_once, debits, credits) values
  ('tip', 'Tip', 'tip', 'rev:platform_fee:tip', false, '{liab:fan:%:wallet}', '{liab:creator:%:pending,rev:platform_fee:tip}'),
  ('post', 'Post', 'post', 'rev:platform_fee:post', true, '{liab:fan:%:wallet}', '{liab:creator:%:pending,rev:platform_fee:post}'),
  ('chat', 'Chat Media', 'chat', 'rev:platform_fee:chat', true, '{liab:fan:%:wallet}', '{liab:creator:%:pending,rev:platform_fee:chat}'),
  -- What was set aside pays it; the rest goes back in the same transaction.
  ('call', 'Video Call', 'call', 'rev:platform_fee:call', false, '{liab:fan:%:call_hold}',
    '{liab:creator:%:pending,rev:platform_fee:call,liab:fan:%:wallet}');

alter table sales_settings drop column tip_fee_account_id, drop column post_fee_account_id, drop column chat_fee_account_id,
  drop column call_fee_account_id;

-- Writing --------------------------------------------------------------------------------------------------------------

-- The door: writes what is given of one transaction, and answers its id: the transaction (when its legs are given), a line of
-- a statement and an inflow (when their accounts are). A transaction of more lines or inflows is written in several calls.
-- Nothing else writes these three tables. The callers, ledger_post() and ledger_spend(), have moved the spendable balances
-- under their locks and seen that the kind permits the legs. When the same operation comes in at the same moment, the index
-- on operations refuses the second: to be tried again.
create function ledger_write(
  p_id uuid, p_kind text,
  p_accounts bigint[] default null, p_amounts bigint[] default null, p_at timestamptz default null,
  p_actor uuid default null, p_operation uuid default null, p_hash bytea default null, p_metadata jsonb default null,
  p_line_account bigint default null, p_line bigint default null, p_line_cents bigint default null, p_balance bigint default null,
  p_inflow_account bigint default null, p_inflow_cents bigint default null, p_day date default null, p_items int default null, p_tag text default null,
  p_platform_account bigint default null, p_platform_cents bigint default null, p_due timestamptz default null
) returns uuid language plpgsql as $$
begin
  with line as (
    insert into ledger_lines (account_id, line, transaction_id, amount_cents, balance_cents, kind)
      select p_line_account, p_line, p_id, p_line_cents, p_balance, p_kind where p_line_account is not null
  ), inflow as (
    insert into ledger_inflows (account_id, amount_cents, platform_account_id, platform_cents, due_at, transaction_id, day, items, tag)
      select p_inflow_account, p_inflow_cents, p_platform_account, p_platform_cents, p_due, case when p_due is not null then p_id end,
        p_day, p_items, p_tag where p_inflow_account is not null
  )
  insert into ledger_transactions (id, occurred_at, kind, actor_id, operation_id, request_hash, account_ids, amounts, metadata)
    select p_id, p_at, p_kind, p_actor, p_operation, p_hash, p_accounts, p_amounts, p_metadata where p_accounts is not null;
  return p_id;
end $$;

-- Posts one transaction. p_codes names the accounts (made when missing), p_amounts the cents: positive debits, negative
-- credits; zero legs are left out. Spendable accounts are locked in the order of their ids, then idempotency is looked at,
-- then money moves. p_day, p_tag and p_items go to the inflows (default: the day, the kind, 0).
-- Answers the transaction and whether it had been posted before. Raises SD400 (no such kind, or a leg that it does not
-- permit), SD402, SD404, SD409.
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
begin
  select * into v_kind from ledger_kinds where kind = p_kind;
  if not found then raise exception 'no kind of transaction is called %', p_kind using errcode = 'SD400'; end if;
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
    if not p_codes[i] like any (case when p_amounts[i] > 0 then v_kind.debits else v_kind.credits end) then
      raise exception 'a % may not % the account %', p_kind, case when p_amounts[i] > 0 then 'debit' else 'credit' end, p_codes[i] using errcode = 'SD400';
    end if;
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
      perform ledger_write(transaction_id, p_kind, p_line_account => v_account.id, p_line => v_account.lines, p_line_cents => v_delta,
        p_balance => v_account.balance_cents);
    else
      perform ledger_write(transaction_id, p_kind, p_inflow_account => v_account.id, p_inflow_cents => v_delta,
        p_day => coalesce(p_day, (v_at at time zone 'UTC')::date), p_items => p_items, p_tag => coalesce(p_tag, p_kind));
    end if;
  end loop;
  -- Of no legs the domain refuses it, and nothing is left of it.
  perform ledger_write(transaction_id, p_kind, v_ids, v_amounts, v_at, p_actor, p_operation, p_hash, p_metadata);
  if p_event is not null then insert into ledger_externals (provider, event_key, transaction_id, ref) values (p_provider, p_event, transaction_id, p_ref); end if;
  if p_reverses is not null then insert into ledger_reversals (transaction_id, reverses_id) values (transaction_id, p_reverses); end if;
end $$;

-- A fan's wallet pays a creator's pending account, and the platform its part: the fast way in for sales, in few statements.
-- It counts towards the day's spending, of which p_limit is the most unless the wallet has its own. p_due is when the
-- creator's part clears. Answers null when the wallet may not pay (ledger_refuse_spending() says why).
-- Only the wallet's row is locked, and first of all. The caller has read the kind's row, which permits a sale's legs by its
-- constraint, and that a wallet pays it.
create function ledger_spend(
  p_kind text, p_fan uuid, p_cents bigint, p_limit bigint, p_pending bigint, p_fee_account bigint, p_fee bigint,
  p_operation uuid, p_hash bytea, p_at timestamptz, p_due timestamptz, out transaction_id uuid, out balance_cents bigint
) language plpgsql as $$
declare
  v_at constant timestamptz := date_trunc('milliseconds', coalesce(p_at, now()));
  v_day constant date := (v_at at time zone 'UTC')::date;
  v_wallet bigint; v_line bigint;
begin
  update ledger_accounts a set
      balance_cents = a.balance_cents - p_cents, lines = a.lines + 1, spent_day = v_day,
      spent_cents = case when a.spent_day = v_day then a.spent_cents + p_cents else p_cents end
    where a.code = 'liab:fan:' || p_fan || ':wallet' and a.balance_cents >= p_cents and not a.is_frozen
      and case when a.spent_day = v_day then a.spent_cents + p_cents else p_cents end <= coalesce(a.day_limit_cents, p_limit)
    -- The id is made under the lock, so that the ids of one wallet are in the order of its statement.
    returning ledger_new_id(p_at), a.id, a.lines, a.balance_cents into transaction_id, v_wallet, v_line, balance_cents;
  if not found then return; end if;
  transaction_id := ledger_write(transaction_id, p_kind, array[v_wallet, p_pending, p_fee_account], array[p_cents, p_fee - p_cents, -p_fee],
    v_at, p_fan, p_operation, p_hash, null, v_wallet, v_line, -p_cents, balance_cents,
    p_pending, p_cents - p_fee, v_day, 1, p_kind, p_fee_account, p_fee, p_due);
end $$;

-- Why a wallet may not pay so much: raises SD402 funds, SD403 blocked, or SD410 daily limit (its detail is the limit in
-- cents); nothing when it may after all, and then it is locked.
create function ledger_refuse_spending(p_fan uuid, p_cents bigint, p_limit bigint, p_at timestamptz) returns void language plpgsql as $$
declare
  v_account ledger_accounts;
begin
  select * into v_account from ledger_accounts where code = 'liab:fan:' || p_fan || ':wallet' for update;
  if v_account.is_frozen then raise exception 'spending is blocked' using errcode = 'SD403'; end if;
  if v_account.id is null or v_account.balance_cents < p_cents then raise exception 'not enough in the wallet' using errcode = 'SD402'; end if;
  if (case when v_account.spent_day = (coalesce(p_at, now()) at time zone 'UTC')::date then v_account.spent_cents else 0 end) + p_cents
    > coalesce(v_account.day_limit_cents, p_limit) then
    raise exception 'over the daily limit' using errcode = 'SD410', detail = coalesce(v_account.day_limit_cents, p_limit)::text;
  end if;
end $$;

-- Charging -------------------------------------------------------------------------------------------------------------

drop function sales_charge;
drop function sales_charge_refused;

-- Charges a fan for one sale. outcome: 'made'; 'replayed', the stored result of the same operation; 'owned', the fan has the
-- subject already and nothing is charged. Raises SD400 (no kind of sale that a wallet pays), SD402 funds, SD403 blocked,
-- SD404 no such creator, SD409 other request, SD410 daily limit (its detail is the limit in cents).
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
  out fee_basis_points int, out clears_at timestamptz, out created_at timestamptz
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
    select * into transaction_id, outcome, balance_cents, gross_cents, fee_cents, fee_basis_points, clears_at, created_at
      from sales_charge_refused(p_kind, p_fan, p_creator, p_gross, p_operation, p_hash, p_subject, p_note, p_tip_type, p_at);
    return;
  end if;
  outcome := 'made';
  balance_cents := v_paid.balance_cents;
  gross_cents := p_gross;
  created_at := v_at;

  if v_once then
    insert into sales_owned (fan_id, subject_id, sale_id) values (p_fan, p_subject, transaction_id) on conflict do nothing;
    if not found then raise exception 'it is being bought' using errcode = 'serialization_failure'; end if;
  end if;
  with told as (
    insert into outbox (type, payload) values ('sale.made', jsonb_build_object('transactionId', transaction_id, 'kind', p_kind, 'fanId', p_fan,
      'creatorId', p_creator, 'subjectId', p_subject, 'grossCents', p_gross, 'netCents', p_gross - fee_cents, 'balanceCents', balance_cents,
      'tipType', p_tip_type, 'at', v_at))
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
  out fee_basis_points int, out clears_at timestamptz, out created_at timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare
  v_wallet bigint; v_balance bigint; v_hash bytea; v_id uuid;
begin
  select t.id, t.request_hash into v_id, v_hash from ledger_transactions t where t.operation_id = p_operation and t.actor_id = p_fan;
  if found then
    outcome := 'replayed';
  else
    select o.sale_id into v_id from sales_owned o join ledger_kinds k on k.kind = p_kind and k.is_once where o.fan_id = p_fan and o.subject_id = p_subject;
    if found then outcome := 'owned'; end if;
  end if;
  if outcome is not null then
    select a.id, a.balance_cents into v_wallet, v_balance from ledger_accounts a where a.code = 'liab:fan:' || p_fan || ':wallet';
    select s.id, s.gross_cents, s.fee_cents, s.fee_basis_points, s.clears_at, s.created_at, case outcome when 'owned' then v_balance else l.balance_cents end
      into transaction_id, gross_cents, fee_cents, fee_basis_points, clears_at, created_at, balance_cents
      from sales s left join lateral (
        -- From the newest: what is asked again was asked lately.
        select balance_cents from ledger_lines where account_id = v_wallet and transaction_id = s.id order by line desc limit 1) l on true
      where s.id = v_id;
    if not found or (outcome = 'replayed' and v_hash <> p_hash) then
      raise exception 'operation % was used with another request', p_operation using errcode = 'SD409';
    end if;
    return;
  end if;

  -- The wallet first: whoever holds it may be opening the same earnings.
  perform ledger_refuse_spending(p_fan, p_gross, (select daily_limit_cents from sales_settings), p_at);
  perform sales_open_creator(p_creator);
  select * into transaction_id, outcome, balance_cents, gross_cents, fee_cents, fee_basis_points, clears_at, created_at
    from sales_charge(p_kind, p_fan, p_creator, p_gross, p_operation, p_hash, p_subject, p_note, p_tip_type, p_at, true);
end $$;

-- Charges a fan for one sale. outcome: 'made'; 'replayed', the stored result of the same operation; 'owned', the fan
-- already owns the subject and is not charged. line is the wallet's statement line that led to the returned balance.
-- Raises SD400 (not a sale that wallets pay), SD402 insufficient funds, SD403 blocked, SD404 no such creator, SD409
-- operation used with another request, SD410 spending limit, SD413 spending break (details: ledger_spending_refusal()).
-- p_checks_earlier decides whether an earlier operation or purchase is looked up first. The usual first call saves that lookup,
-- and a unique index refuses a repeated operation (23505 of ledger_transactions_operation, or 40001), which the caller
-- retries with p_checks_earlier. The successful path uses few statements because starting one costs more than its work. All
-- other cases are in sales_charge_refused().
create or replace function sales_charge(
  p_kind text, p_fan uuid, p_creator uuid, p_gross bigint, p_operation uuid, p_hash bytea,
  p_subject uuid default null, p_note text default '', p_tip_type text default null, p_at timestamptz default null,
  p_checks_earlier boolean default false,
  out transaction_id uuid, out outcome text, out balance_cents bigint, out gross_cents bigint, out fee_cents bigint,
  out fee_basis_points int, out clears_at timestamptz, out created_at timestamptz, out line bigint
) language plpgsql as $$
#variable_conflict use_column
declare
  v_at constant timestamptz := date_trunc('milliseconds', coalesce(p_at, now()));
  v_limit bigint; v_once boolean; v_used boolean; v_pending bigint; v_fee_account bigint; v_is_referred boolean; v_known boolean := false; v_paid record;
begin
  -- The introductory fee applies while it runs and is lower (decisions, Terms). The pending account is null until the
  -- creator's earnings are open.
  select s.daily_limit_cents, k.is_once, k.fee_account_id, f.pending_account_id, v_at + s.clearing_days * interval '24 hours',
      case when (v_at >= f.offer_from) is not false and v_at < coalesce(f.offer_until, f.signed_up_at + s.offer_days * interval '24 hours')
        then least(coalesce(f.offer_basis_points, s.offer_basis_points), coalesce(f.general_basis_points, s.general_basis_points))
        else coalesce(f.general_basis_points, s.general_basis_points) end,
      exists (select from idempotency_keys o where o.actor_id = p_fan and o.operation_id = p_operation),
      exists (select from sales_affiliates a where a.user_id in (p_fan, p_creator) and v_at >= a.from_at and v_at < a.until_at)
    into v_limit, v_once, v_fee_account, v_pending, clears_at, fee_basis_points, v_used, v_is_referred
    from sales_settings s
    join ledger_kinds k on k.kind = p_kind and 'liab:fan:%:wallet' = any (k.debits) and k.fee_account is not null
      and (not k.is_once or p_subject is not null)
    left join sales_fees f on f.creator_id = p_creator;
  if not found then raise exception 'no wallet pays a sale of kind %, or it has no subject', p_kind using errcode = 'SD400'; end if;
  -- A key belongs to one request, so the key of a deposit is refused for a sale.
  if v_used then raise exception 'operation % was used with another request', p_operation using errcode = 'SD409'; end if;

  if p_checks_earlier then
    v_known := exists (select from ledger_transactions t where t.operation_id = p_operation and t.actor_id = p_fan)
      or v_once and exists (select from owned_purchases o where o.fan_id = p_fan and o.subject_id = p_subject);
  end if;
  -- Rounds half up (decisions, Money 6).
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
    insert into owned_purchases (fan_id, subject_id, sale_id) values (p_fan, p_subject, transaction_id) on conflict do nothing;
    if not found then raise exception 'it is being bought' using errcode = 'serialization_failure'; end if;
  end if;
  with emitted as (
    -- The id of an event contains its time, so old sales, which only the demo data creates, get ids in the past.
    insert into outbox (event_id, type, payload) values (
      uuidv7(case when v_at < now() - interval '1 day' then v_at - now() else interval '0' end), 'sale.made', jsonb_build_object('transactionId', transaction_id, 'kind', p_kind, 'fanId', p_fan,
      'creatorId', p_creator, 'subjectId', p_subject, 'grossCents', p_gross, 'netCents', p_gross - fee_cents, 'balanceCents', balance_cents,
      'balanceLine', line, 'tipType', p_tip_type, 'at', v_at))
  )
  insert into sales (id, fan_id, creator_id, subject_id, gross_cents, fee_cents, created_at, clears_at, fee_basis_points, kind, tip_type, note)
    values (transaction_id, p_fan, p_creator, p_subject, p_gross, fee_cents, v_at, clears_at, fee_basis_points, p_kind, p_tip_type, p_note);
  if v_is_referred then perform sales_commission(transaction_id, p_fan, p_creator, p_gross, fee_cents, v_at, clears_at); end if;
end $$;

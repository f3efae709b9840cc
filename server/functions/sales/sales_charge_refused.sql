-- Returns the known result of a sale or raises why it is refused. Sells after all when the creator's earnings were not
-- open yet, or when the wallet became able to pay.
create or replace function sales_charge_refused(
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
    select o.sale_id into v_id from owned_purchases o join ledger_kinds k on k.kind = p_kind and k.is_once where o.fan_id = p_fan and o.subject_id = p_subject;
    if found then outcome := 'owned'; end if;
  end if;
  if outcome is not null then
    select a.id, a.balance_cents, a.lines into v_wallet, v_balance, v_line from ledger_accounts a where a.code = 'liab:fan:' || p_fan || ':wallet';
    select s.id, s.gross_cents, s.fee_cents, s.fee_basis_points, s.clears_at, s.created_at, case outcome when 'owned' then v_balance else l.balance_cents end,
        case outcome when 'owned' then v_line else l.line end
      into transaction_id, gross_cents, fee_cents, fee_basis_points, clears_at, created_at, balance_cents, line
      from sales s left join lateral (
        -- Searches from the newest line because repeated operations are recent.
        select n.line, n.balance_cents from ledger_lines n where n.account_id = v_wallet and n.transaction_id = s.id order by n.line desc limit 1) l on true
      where s.id = v_id;
    if not found or (outcome = 'replayed' and v_hash <> p_hash) then
      raise exception 'operation % was used with another request', p_operation using errcode = 'SD409';
    end if;
    return;
  end if;

  -- Locks the wallet first because another transaction that holds it may be opening the same earnings.
  perform ledger_require_spendable(p_fan, p_gross, (select daily_limit_cents from sales_settings), p_at);
  perform sales_open_earnings(p_creator);
  select * into transaction_id, outcome, balance_cents, gross_cents, fee_cents, fee_basis_points, clears_at, created_at, line
    from sales_charge(p_kind, p_fan, p_creator, p_gross, p_operation, p_hash, p_subject, p_note, p_tip_type, p_at, true);
end $$;

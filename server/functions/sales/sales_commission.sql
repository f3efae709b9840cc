-- Pays the affiliates who referred the fan or the creator of a sale: gross × rate, rounded down, each at most half of
-- the platform's fee, so that both together never exceed it (docs/money.md, 6). Emits an event for each, dated like the
-- sale.
create or replace function sales_commission(p_sale uuid, p_fan uuid, p_creator uuid, p_gross bigint, p_fee bigint, p_at timestamptz, p_due timestamptz)
returns void language plpgsql as $$
begin
  with made as (
    insert into sales_commissions (id, sale_id, affiliate_id, referred_id, fan_id, basis_points, cents, created_at, clears_at)
      select ledger_commission(a.pending_account_id, c.cents, 'commission:' || case a.user_id when p_fan then 'customer' else 'creator' end, p_at, p_due),
        p_sale, a.affiliate_id, a.user_id, p_fan, a.basis_points, c.cents, p_at, p_due
      from sales_affiliates a cross join lateral (select least(p_gross * a.basis_points / 10000, p_fee / 2) as cents) c
      where a.user_id in (p_fan, p_creator) and p_at >= a.from_at and p_at < a.until_at and c.cents > 0
      returning id, affiliate_id, cents
  )
  insert into outbox (event_id, type, payload) select
    uuidv7(case when p_at < now() - interval '1 day' then p_at - now() else interval '0' end), 'commission.earned',
    jsonb_build_object('affiliateId', affiliate_id, 'transactionId', id, 'cents', cents, 'at', p_at) from made;
end $$;

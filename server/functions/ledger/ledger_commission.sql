-- Pays an affiliate from the platform's fee of a sale, without a lock, and returns the transaction. p_tag groups the
-- daily sums, p_due is when the amount clears.
create or replace function ledger_commission(p_pending bigint, p_cents bigint, p_tag text, p_at timestamptz, p_due timestamptz) returns uuid language plpgsql as $$
begin
  return (select ledger_write(ledger_new_id(p_at), 'commission', array[x.id, p_pending], array[p_cents, -p_cents], p_at,
      p_inflow_account => p_pending, p_inflow_cents => p_cents, p_day => (p_at at time zone 'UTC')::date, p_items => 1, p_tag => p_tag,
      p_platform_account => x.id, p_platform_cents => p_cents, p_due => p_due)
    from ledger_accounts x where x.code = 'exp:affiliate');
end $$;

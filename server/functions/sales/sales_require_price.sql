-- Returns a price that is within the operator's limits, or the given ones where none are set. Raises SD414 with both
-- limits otherwise. Call it within the statement that charges, so that limits cannot change in between.
create or replace function sales_require_price(p_kind text, p_cents bigint, p_min bigint, p_max bigint) returns bigint language plpgsql stable as $$
declare
  v_min bigint; v_max bigint;
begin
  select min_cents, max_cents into v_min, v_max from sales_price_limits where kind = p_kind;
  v_min := coalesce(v_min, p_min);
  v_max := coalesce(v_max, p_max);
  if p_cents between v_min and v_max then return p_cents; end if;
  raise exception 'a price of kind % beyond its limits', p_kind using errcode = 'SD414', detail = v_min || ' ' || v_max;
end $$;

-- A new id that sorts at an instant (null: now). In seconds, because days differ in length where clocks change.
create or replace function ledger_new_id(p_at timestamptz) returns uuid language sql volatile as $$
  select case when p_at is null then uuidv7() else uuidv7(make_interval(secs => extract(epoch from p_at - clock_timestamp())::float8)) end
$$;

-- Returns a UUID that sorts at an instant (null: now), as PostgreSQL's uuidv7() would create it: 48 bits of
-- milliseconds since 1970, the version, 12 bits of the fraction of the millisecond, the variant and random bits.
create or replace function ledger_new_id(p_at timestamptz) returns uuid language sql volatile as $$
  select case when p_at is null then uuidv7() else encode(
    int8send((timestamptz_send(p_at)::bigint + 946684800000000) / 1000 << 16 | x'7000'::bigint
      | (timestamptz_send(p_at)::bigint + 946684800000000) % 1000 * 4096 / 1000)
    || substr(uuid_send(gen_random_uuid()), 9), 'hex')::uuid end
$$;

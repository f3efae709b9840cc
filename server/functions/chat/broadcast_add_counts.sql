-- Adds to the counts of a broadcast. The fan selects one of eight shards, so that concurrent fans rarely wait for the
-- same row lock.
create or replace function broadcast_add_counts(p_broadcast uuid, p_fan uuid, p_delivered int, p_read int, p_purchased int, p_earned bigint) returns void language sql as $$
  insert into broadcast_counts as n (broadcast_id, shard, delivered, read, purchased, earned_cents)
    values (p_broadcast, abs(hashtext(p_fan::text)) % 8, p_delivered, p_read, p_purchased, p_earned)
    on conflict (broadcast_id, shard) do update set delivered = n.delivered + excluded.delivered, read = n.read + excluded.read,
      purchased = n.purchased + excluded.purchased, earned_cents = n.earned_cents + excluded.earned_cents
$$;

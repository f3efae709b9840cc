-- Returns why p_viewer (null: anonymous) has access to p_subject: 'own', 'free', 'purchase', 'gift', 'subscription', or
-- null when it is locked. p_access: 'shown'; 'withdrawn', available only to the owner and to buyers; 'ownerOnly',
-- available only to the owner. p_whole: a grant of this subject, which contains p_subject, also gives access. Returns a
-- row for a lateral join because PostgreSQL can inline it, unlike a scalar function. EXISTS would cost more to start
-- than the scalar subqueries.
create or replace function entitlement(p_viewer uuid, p_owner uuid, p_subject uuid, p_price bigint, p_access text, p_whole uuid)
returns table (source text) language sql stable as $$
  select case
    when p_viewer = p_owner then 'own'
    when p_access = 'ownerOnly' then null
    when p_price = 0 and p_access = 'shown' then 'free'
    else coalesce(
      (select 'purchase' from owned_purchases o where o.fan_id = p_viewer and o.subject_id = p_subject),
      case when p_access = 'shown' then (
        select min(g.source) from entitlement_grants g
        where g.fan_id = p_viewer and g.subject_id in (p_subject, p_whole) and g.revoked_at is null and (g.until is null or g.until > now())) end)
  end
$$;

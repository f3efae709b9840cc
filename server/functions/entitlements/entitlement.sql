-- By what right p_viewer (null: nobody) has p_subject: 'own', 'free', 'purchase', 'gift', 'subscription', or null: it is locked.
-- p_standing says how it stands: 'shown'; 'withdrawn', to its owner and to those who paid for it alone; 'shut', to its owner
-- alone. A grant of p_whole, of which it is a part, opens it too.
--
-- One row, to be joined laterally: so it becomes part of the statement, as a function that answers a value would not. What is
-- one's own or free asks no table. Values and not EXISTS, which is dearer to begin.
create or replace function entitlement(p_viewer uuid, p_owner uuid, p_subject uuid, p_price bigint, p_standing text, p_whole uuid)
returns table (source text) language sql stable as $$
  select case
    when p_viewer = p_owner then 'own'
    when p_standing = 'shut' then null
    when p_price = 0 and p_standing = 'shown' then 'free'
    else coalesce(
      (select 'purchase' from sales_owned o where o.fan_id = p_viewer and o.subject_id = p_subject),
      case when p_standing = 'shown' then (
        select min(g.source) from entitlement_grants g
        where g.fan_id = p_viewer and g.subject_id in (p_subject, p_whole) and g.revoked_at is null and (g.until is null or g.until > now())) end)
  end
$$;

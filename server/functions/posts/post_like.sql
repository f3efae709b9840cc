-- Likes or unlikes a post, or toggles when p_is_liked is null. The row of the like serializes concurrent calls of one user,
-- so the count stays exact.
create or replace function post_like(p_post uuid, p_user uuid, p_is_liked boolean, out is_liked boolean, out like_count bigint) language plpgsql as $$
declare
  v_change int := 0;
begin
  if p_is_liked is distinct from false then
    insert into post_likes (post_id, user_id) values (p_post, p_user) on conflict do nothing;
    if found then v_change := 1; end if;
  end if;
  if p_is_liked is false or (p_is_liked is null and v_change = 0) then
    delete from post_likes l where l.post_id = p_post and l.user_id = p_user;
    if found then v_change := -1; end if;
  end if;
  is_liked := v_change = 1 or (v_change = 0 and p_is_liked is true);
  if v_change = 0 then
    select p.like_count into like_count from posts p where p.id = p_post;
  else
    update posts p set like_count = p.like_count + v_change where p.id = p_post returning p.like_count into like_count;
  end if;
end $$;

-- The creators whose text comes closest to what was typed, the closest first: for a search that nothing fits as it was spelled, within
-- a category where one is named. How far off a word may be is a setting of the function, so that the index answers it.
create or replace function creators_like(p_search text, p_category text, p_most int) returns table (id uuid, closeness real)
  language sql stable set pg_trgm.word_similarity_threshold = 0.45 as $$
  select c.user_id, word_similarity(plain(p_search), c.search_text) as closeness from creators c
    where c.is_listed and plain(p_search) <% c.search_text and (p_category is null or c.category = p_category)
    order by closeness desc, c.follower_count desc, c.user_id desc limit p_most
$$;

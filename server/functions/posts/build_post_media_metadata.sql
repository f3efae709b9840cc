create or replace function build_post_media_metadata(p_media uuid[], p_alts text[]) returns text language sql stable as $$
  select '[' || string_agg('{"alt":' || to_json(g.alt)::text || ',' || substr(m.metadata, 2), ',' order by g.position) || ']'
    from unnest(p_media, p_alts) with ordinality as g (id, alt, position) join media m on m.id = g.id
$$;

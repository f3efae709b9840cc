-- Posts, their media, likes, and who bought what. A post's id (UUIDv7) is its place in time; lists go by it.

create table posts (
  id uuid primary key default uuidv7(),
  creator_id uuid not null references users on delete cascade,
  type text not null check (type in ('picture', 'pictureSet', 'video')),
  caption text not null default '' check (length(caption) <= 4000),
  price_cents bigint not null default 0 check (price_cents >= 0),
  media_count int not null check (media_count > 0),
  -- The facts and alt texts of its media in their order, as JSON: post_media and media put together once when something
  -- changes, not for every post of every page that is read. See post_media_facts.
  media_facts text not null,
  like_count bigint not null default 0 check (like_count >= 0),
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  -- A removed post stays for those who bought it.
  removed_at timestamptz(3)
) with (fillfactor = 85);
create index posts_published on posts (creator_id, id desc) where removed_at is null;
create index posts_removed on posts (creator_id, id desc) where removed_at is not null;

create table post_media (
  post_id uuid not null references posts on delete cascade,
  position smallint not null check (position >= 0),
  media_id uuid not null unique references media,
  alt text not null default '' check (length(alt) <= 500),
  primary key (post_id, position)
);

-- The JSON of these media with these alt texts, in that order.
create function post_media_facts(p_media uuid[], p_alts text[]) returns text language sql stable as $$
  select '[' || string_agg('{"alt":' || to_json(g.alt)::text || ',' || substr(m.facts, 2), ',' order by g.place) || ']'
    from unnest(p_media, p_alts) with ordinality as g (id, alt, place) join media m on m.id = g.id
$$;

create function media_facts_to_post() returns trigger language plpgsql as $$
begin
  update posts p set media_facts = (
      select post_media_facts(array_agg(pm.media_id order by pm.position), array_agg(pm.alt order by pm.position)) from post_media pm where pm.post_id = p.id)
    where p.id = (select pm.post_id from post_media pm where pm.media_id = new.id);
  return null;
end $$;
create trigger media_facts_to_post after update on media for each row
  when (old.facts is distinct from new.facts and new.used_at is not null) execute function media_facts_to_post();

create table post_likes (
  post_id uuid not null references posts on delete cascade,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (post_id, user_id)
);

-- The row that opens a post to a fan; its id is the sale's. Nothing of it lies in the post's row, so that a post that
-- everybody buys at once is no hot row; for the same reason it has no foreign keys (each would lock the post's row).
create table post_purchases (
  transaction_id uuid primary key,
  fan_id uuid not null,
  post_id uuid not null,
  price_cents bigint not null check (price_cents > 0),
  -- What the creator keeps of it after the fee and what was given back.
  net_cents bigint not null check (net_cents >= 0),
  purchased_at timestamptz(3) not null default now(),
  -- Not in the fan's list any more; the purchase stands.
  hidden_at timestamptz(3),
  -- The sale was given back wholly; the post is closed again.
  revoked_at timestamptz(3)
);
create unique index post_purchases_once on post_purchases (fan_id, post_id) where revoked_at is null;
create index post_purchases_of_fan on post_purchases (fan_id, transaction_id desc) where revoked_at is null and hidden_at is null;
create index post_purchases_of_post on post_purchases (post_id) include (net_cents) where revoked_at is null;

-- Likes or unlikes, and answers what is so afterwards. `p_wish` null turns the present state. The like's own row decides
-- between a person's two fast fingers; the count follows it exactly.
create function post_like(p_post uuid, p_user uuid, p_wish boolean, out is_liked boolean, out like_count bigint) language plpgsql as $$
declare
  v_change int := 0;
begin
  if p_wish is distinct from false then
    insert into post_likes (post_id, user_id) values (p_post, p_user) on conflict do nothing;
    if found then v_change := 1; end if;
  end if;
  if p_wish is false or (p_wish is null and v_change = 0) then
    delete from post_likes l where l.post_id = p_post and l.user_id = p_user;
    if found then v_change := -1; end if;
  end if;
  is_liked := v_change = 1 or (v_change = 0 and p_wish is true);
  if v_change = 0 then
    select p.like_count into like_count from posts p where p.id = p_post;
  else
    update posts p set like_count = p.like_count + v_change where p.id = p_post returning p.like_count into like_count;
  end if;
end $$;

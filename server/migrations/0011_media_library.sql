-- Video and audio, and the creator's library: how far processing is, what is played, and what lists and searches go by.

create extension if not exists btree_gin;

alter table media
  add stage text not null default 'done' check (stage in ('queued', 'inspecting', 'packaging', 'encoding', 'improving', 'done')),
  -- 0 to 1 of the present stage.
  add progress real not null default 0,
  add title text not null default '' check (length(title) <= 120),
  add tags text[] not null default '{}',
  add price_cents bigint not null default 0 check (price_cents >= 0),
  -- Hangs in a post with others.
  add is_in_set boolean not null default false,
  -- Counts the posters, captions and teasers that it had: part of their files' names, as a name's bytes never change.
  add serial int not null default 0,
  -- The poster's; 0 is the first.
  add picture_serial int not null default 0,
  add poster_second double precision,
  -- What the inspection found; read by processing only.
  add source jsonb,
  -- What of it can be played, see store.ts. Null for pictures.
  add stream jsonb,
  add captions jsonb not null default '[]',
  add teaser_start double precision,
  add teaser_end double precision,
  add teaser_serial int not null default 0,
  -- The teaser's file is there, and that long.
  add teaser_seconds double precision,
  -- What a search looks in; kept by trigger. Begins with a space, so that every word does.
  add search_text text not null default '',
  add check ((teaser_start is null) = (teaser_end is null));

create or replace function media_facts() returns trigger language plpgsql as $$
begin
  new.facts := json_build_object('id', new.id, 'kind', new.kind, 'byte_size', new.byte_size, 'width', new.width, 'height', new.height,
    'duration_seconds', new.duration_seconds, 'webp_widths', new.webp_widths, 'avif_widths', new.avif_widths, 'jpeg_width', new.jpeg_width,
    'thumbhash', new.thumbhash, 'preview_thumbhash', new.preview_thumbhash, 'preview_height', new.preview_height, 'is_public', new.is_public,
    'picture_serial', new.picture_serial, 'stream', new.stream, 'captions', new.captions,
    'teaser_serial', new.teaser_serial, 'teaser_seconds', new.teaser_seconds)::text;
  new.search_text := lower(' ' || new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || new.file_name);
  return new;
end $$;
update media m set is_in_set = exists (
  select from post_media a join post_media b on b.post_id = a.post_id and b.media_id <> a.media_id where a.media_id = m.id);

create index media_library_unused on media (owner_id, id desc) where used_at is null;
create index media_library_used on media (owner_id, id desc) where used_at is not null;
create index media_library_of_type on media (owner_id, kind, is_in_set, id desc);
create index media_library_of_type_unused on media (owner_id, kind, is_in_set, id desc) where used_at is null;
create index media_library_of_type_used on media (owner_id, kind, is_in_set, id desc) where used_at is not null;
create index media_search on media using gin (owner_id, search_text gin_trgm_ops);

-- How many of each an owner has, so that a list of a million need not be counted: keys are `kind:set|single:used|unused`.
-- One row an owner: whoever changes it waits for no more than one lock.
create table media_counts (
  owner_id uuid primary key references users on delete cascade,
  counts jsonb not null default '{}'
);

create function media_count_key(m media) returns text language sql immutable as $$
  select m.kind || case when m.is_in_set then ':set' else ':single' end || case when m.used_at is null then ':unused' else ':used' end
$$;

-- Adds a change, `{"key": n, …}`, to an owner's counts.
create function media_count_add(p_counts jsonb, p_change jsonb) returns jsonb language sql immutable as $$
  select p_counts || (select jsonb_object_agg(c.key, coalesce((p_counts ->> c.key)::bigint, 0) + c.value::bigint) from jsonb_each_text(p_change) c)
$$;

create function media_count_inserted() returns trigger language plpgsql as $$
begin
  insert into media_counts as c (owner_id, counts)
    select g.owner_id, jsonb_object_agg(g.key, g.n) from (
      select i.owner_id, media_count_key(i::media) as key, count(*) as n from inserted i where i.status <> 'uploading' group by 1, 2) g
    group by g.owner_id
    on conflict (owner_id) do update set counts = media_count_add(c.counts, excluded.counts);
  return null;
end $$;
create trigger media_count_inserted after insert on media referencing new table as inserted for each statement execute function media_count_inserted();

create function media_count_deleted() returns trigger language plpgsql as $$
begin
  -- An owner who is deleted takes the counts along.
  update media_counts c set counts = media_count_add(c.counts, g.change) from (
    select f.owner_id, jsonb_object_agg(f.key, -f.n) as change from (
      select d.owner_id, media_count_key(d::media) as key, count(*) as n from deleted d where d.status <> 'uploading' group by 1, 2) f
    group by f.owner_id) g
  where c.owner_id = g.owner_id;
  return null;
end $$;
create trigger media_count_deleted after delete on media referencing old table as deleted for each statement execute function media_count_deleted();

create function media_count_updated() returns trigger language plpgsql as $$
declare
  v_change jsonb := '{}';
begin
  if old.status <> 'uploading' then v_change := jsonb_build_object(media_count_key(old), -1); end if;
  if new.status <> 'uploading' then
    v_change := v_change || jsonb_build_object(media_count_key(new), 1 + coalesce((v_change ->> media_count_key(new))::int, 0));
  end if;
  insert into media_counts as c (owner_id, counts) values (new.owner_id, v_change)
    on conflict (owner_id) do update set counts = media_count_add(c.counts, excluded.counts);
  return null;
end $$;
create trigger media_count_updated after update on media for each row
  when ((old.status = 'uploading') <> (new.status = 'uploading') or old.kind <> new.kind or old.is_in_set <> new.is_in_set
    or (old.used_at is null) <> (new.used_at is null)) execute function media_count_updated();

insert into media_counts (owner_id, counts)
  select g.owner_id, jsonb_object_agg(g.key, g.n) from (
    select m.owner_id, media_count_key(m) as key, count(*) as n from media m where m.status <> 'uploading' group by 1, 2) g
  group by g.owner_id;

-- How a creator's media are delivered.
create table media_settings (
  owner_id uuid primary key references users on delete cascade,
  is_watermarked boolean not null default false
);

-- Where a person stopped watching or listening.
create table media_positions (
  user_id uuid not null references users on delete cascade,
  media_id uuid not null references media on delete cascade,
  seconds double precision not null check (seconds >= 0),
  updated_at timestamptz(3) not null default now(),
  primary key (user_id, media_id)
);
create index media_positions_of_media on media_positions (media_id);

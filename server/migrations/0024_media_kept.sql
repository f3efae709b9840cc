-- Files lie under the number of who wrote them, what is deleted rests before its bytes go, and a nightly audit says whether rows
-- and store agree.

-- 0 and less: written before there were numbers for all. Posters of then have numbers of their own, now negative.
alter table media add avif_serial int not null default 0;

create or replace function media_facts() returns trigger language plpgsql as $$
begin
  new.facts := json_build_object('id', new.id, 'kind', new.kind, 'byte_size', new.byte_size, 'width', new.width, 'height', new.height,
    'duration_seconds', new.duration_seconds, 'webp_widths', new.webp_widths, 'avif_widths', new.avif_widths, 'jpeg_width', new.jpeg_width,
    'thumbhash', new.thumbhash, 'preview_thumbhash', new.preview_thumbhash, 'preview_height', new.preview_height, 'is_public', new.is_public,
    'picture_serial', new.picture_serial, 'avif_serial', new.avif_serial, 'stream', new.stream, 'captions', new.captions,
    'teaser_serial', new.teaser_serial, 'teaser_seconds', new.teaser_seconds)::text;
  new.search_text := lower(' ' || new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || new.file_name);
  return new;
end $$;
-- Streams name their files by their place in the medium's folder.
update media set
  picture_serial = -picture_serial,
  stream = case when stream is not null then jsonb_build_object(
    'hls', case when (stream ->> 'hasHls')::boolean then 'h/master.m3u8' end,
    'file', 'f/' || (stream ->> 'file'),
    'sprite', case when jsonb_typeof(stream -> 'sprite') = 'object'
      then (stream -> 'sprite') || jsonb_build_object('file', 'f/' || (stream #>> '{sprite,file}')) end,
    'waveform', coalesce(stream -> 'waveform', '[]'),
    'clip', case when (stream ->> 'hasClip')::boolean then 0 end) end;

-- What an owner deleted, as it was in media, until its bytes go. In no list, count or view, as it is not in media.
create table media_deleted (
  id uuid primary key,
  owner_id uuid not null references users on delete cascade,
  deleted_at timestamptz(3) not null,
  medium jsonb not null
);
create index media_deleted_at on media_deleted (deleted_at);
create index media_deleted_of_owner on media_deleted (owner_id);

-- What each audit of rows against the store found, in numbers.
create table media_audits (
  id bigint generated always as identity primary key,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  media bigint not null,
  files bigint not null,
  bytes bigint not null,
  -- Files that rows name and the store does not have, and files that no row names.
  missing bigint not null,
  orphans bigint not null,
  removed bigint not null
);
-- What the latest audit found, file by file. An orphan goes once it has been one for some days.
create table media_findings (
  key text primary key,
  kind text not null check (kind in ('missing', 'orphan')),
  seen_at timestamptz(3) not null,
  audited_at timestamptz(3) not null
);
create index media_findings_of_kind on media_findings (kind, seen_at);

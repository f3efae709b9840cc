-- Uploads and what is made of them. The row is born with the upload, so that every byte has an owner from the first on.

create table media (
  -- The upload's id: the last part of its tus address, and the random part of every address made of it.
  id uuid primary key,
  owner_id uuid not null references users on delete cascade,
  kind text not null default 'picture' check (kind in ('picture', 'video', 'audio')),
  status text not null check (status in ('uploading', 'processing', 'ready', 'failed')),
  -- For people: why it failed. Only with that status.
  failure text,
  -- As the owner's device named it; shown to the owner, never used for anything else.
  file_name text not null default '',
  byte_size bigint not null check (byte_size >= 0),
  -- By content, never by what the device said.
  content_type text,
  width int,
  height int,
  duration_seconds double precision,
  -- What exists in the store: WebP and AVIF by width, one JPEG.
  webp_widths int[] not null default '{}',
  avif_widths int[] not null default '{}',
  jpeg_width int,
  -- base64; the second one is of the locked preview and knows no more than it.
  thumbhash text,
  preview_thumbhash text,
  preview_height int,
  -- Whether the open variants may be seen by anybody: used in a published free post. Kept by the room that uses it.
  is_public boolean not null default false,
  -- What views are made of, as JSON; kept by trigger.
  facts text not null default '',
  -- A medium is used once.
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  check ((failure is not null) = (status = 'failed')),
  check (status <> 'ready' or (width > 0 and height > 0 and finished_at is not null))
);
create index media_of_owner on media (owner_id, id desc);
create index media_unfinished on media (created_at) where status = 'uploading';

create function media_facts() returns trigger language plpgsql as $$
begin
  new.facts := json_build_object('id', new.id, 'kind', new.kind, 'byte_size', new.byte_size, 'width', new.width, 'height', new.height,
    'duration_seconds', new.duration_seconds, 'webp_widths', new.webp_widths, 'avif_widths', new.avif_widths, 'jpeg_width', new.jpeg_width,
    'thumbhash', new.thumbhash, 'preview_thumbhash', new.preview_thumbhash, 'preview_height', new.preview_height, 'is_public', new.is_public)::text;
  return new;
end $$;
create trigger media_facts before insert or update on media for each row execute function media_facts();

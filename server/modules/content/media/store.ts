import type { MEDIA_STAGES } from '@stagedoor/contract/content/media.ts';
import type { MediaId, UserId } from '@stagedoor/contract/shared/ids.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { MediaKind, ProbedSource, Rendition, Sprite } from '../media-processing/index.ts';

export type { MediaKind };
export type Stage = (typeof MEDIA_STAGES)[number];
export type MediaStatus = 'uploading' | 'processing' | 'ready' | 'failed';

export type MediaMetadata = {
  id: string;
  kind: MediaKind;
  byte_size: number;
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
  webp_widths: number[];
  avif_widths: number[];
  jpeg_width: number | null;
  thumbhash: string | null;
  preview_thumbhash: string | null;
  preview_height: number | null;
  is_public: boolean;
  picture_serial: number;
  avif_serial: number;
  stream: StreamMetadata | null;
  captions: CaptionMetadata[];
  teaser_serial: number;
  teaser_seconds: number | null;
};

export type StreamMetadata = {
  hls: string | null;
  file: string | null;
  sprite: (Sprite & { file: string }) | null;
  waveform: number[];
  /** The serial of the animated previews (row C6). */
  clip: number | null;
  /** True for an animated picture. Absent in older rows. */
  isLoop?: boolean;
};
export type CaptionMetadata = { language: string; label: string; file: string };

export type SourceMetadata = ProbedSource & {
  renditions: StoredRendition[];
  isRemuxed: boolean;
  canStayRemuxed: boolean;
  /** A larger poster replaces the one with this serial, unless the owner chose another. */
  firstPosterSerial?: number;
};
export type StoredRendition = Rendition & { serial?: number };

export type MediaRow = MediaMetadata & {
  id: MediaId;
  owner_id: UserId;
  status: MediaStatus;
  stage: Stage;
  progress: number;
  failure: string | null;
  file_name: string;
  title: string;
  tags: string[];
  price_cents: number;
  content_type: string | null;
  source: SourceMetadata | null;
  poster_second: number | null;
  teaser_start: number | null;
  teaser_end: number | null;
  serial: number;
  used_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
};

export const MEDIA_COLUMNS = `id, owner_id, kind, status, stage, progress, failure, file_name, title, tags, price_cents, byte_size, content_type,
  width, height, duration_seconds, webp_widths, avif_widths, jpeg_width, thumbhash, preview_thumbhash, preview_height, is_public,
  picture_serial, avif_serial, poster_second, source, stream, captions, teaser_start, teaser_end, teaser_serial, teaser_seconds, serial, used_at, created_at, finished_at`;

const FIND: SqlStatement = { name: 'media-find', text: `select ${MEDIA_COLUMNS} from media where id = $1` };
const LIST_BY_IDS: SqlStatement = {
  name: 'media-find-many',
  text: `select ${MEDIA_COLUMNS} from media where id = any($1::uuid[])`,
};
/** Media of a blocked user are visible only to their buyers. */
const IS_PUBLIC = 'm.is_public and not u.is_blocked as is_public';
const OWNER: SqlStatement = {
  name: 'media-owner',
  text: `select m.owner_id, ${IS_PUBLIC}, m.taken_down_at is not null as is_taken_down, coalesce(s.is_watermarked, false) as is_watermarked
    from media m join users u on u.id = m.owner_id left join media_settings s on s.owner_id = m.owner_id where m.id = $1`,
};

export async function findMedia(db: Executor, id: string): Promise<MediaRow | undefined> {
  return (await db.run<MediaRow>(FIND, [id]))[0];
}

export function listMediaByIds(db: Executor, ids: readonly string[]): Promise<MediaRow[]> {
  return ids.length === 0 ? Promise.resolve([]) : db.run<MediaRow>(LIST_BY_IDS, [ids]);
}

type MediaOwner = { owner_id: string; is_public: boolean; is_watermarked: boolean; is_taken_down: boolean };

export async function findMediaOwner(db: Executor, id: string): Promise<MediaOwner | undefined> {
  return (await db.run<MediaOwner>(OWNER, [id]))[0];
}

const LOCK_OWNER: SqlStatement = {
  name: 'media-lock-owner',
  text: 'select 1 from users where id = $1 for no key update',
};
const INSERT: SqlStatement = {
  name: 'media-insert-upload',
  text: `insert into media (id, owner_id, status, file_name, byte_size, created_at) select $1, $2, 'uploading', $3, $4, $5
    where (select count(*) from media m where m.owner_id = $2 and m.status = 'uploading') < $6 returning id`,
};

/** Returns false if the owner already has `limit` unfinished ones. */
export async function insertUpload(
  tx: Executor,
  upload: { id: string; ownerId: string; fileName: string; byteSize: number; createdAt: Date; limit: number },
): Promise<boolean> {
  const { id, ownerId, fileName, byteSize, createdAt, limit } = upload;
  // A separate statement, because the count must see what earlier holders of the lock wrote.
  await tx.run(LOCK_OWNER, [ownerId]);
  return (await tx.run(INSERT, [id, ownerId, fileName, byteSize, createdAt, limit])).length > 0;
}

/** Returns false if it was not uploading any more. */
export async function markProcessing(
  db: Executor,
  id: string,
  detected: { kind: MediaKind; contentType: string },
): Promise<boolean> {
  const rows = await db.query
    .updateTable('media')
    .set({
      status: 'processing',
      stage: 'queued',
      progress: 0,
      kind: detected.kind,
      content_type: detected.contentType,
    })
    .where('id', '=', id)
    .where('status', '=', 'uploading')
    .returning('id')
    .execute();
  return rows.length > 0;
}

const LIST_QUEUED: SqlStatement = {
  name: 'media-queued',
  text: `select ${MEDIA_COLUMNS} from media where status = 'processing' and stage = 'queued' and id > $1 order by id limit 500`,
};

export function listQueuedMedia(db: Executor, after: string): Promise<MediaRow[]> {
  return db.run<MediaRow>(LIST_QUEUED, [after]);
}

/** Returns those of `ids` that their owners deleted and whose files are retained. */
export async function listDeletedIds(db: Executor, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db.query.selectFrom('deleted_media').select('id').where('id', 'in', ids).execute();
  return rows.map(({ id }) => id);
}

/** Deletes an unused medium without retention. */
export async function deleteUnused(db: Executor, id: string): Promise<boolean> {
  const rows = await db.query
    .deleteFrom('media')
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning('id')
    .execute();
  return rows.length > 0;
}

export async function deleteStaleUploads(db: Executor, before: Date): Promise<string[]> {
  const rows = await db.query
    .deleteFrom('media')
    .where('status', '=', 'uploading')
    .where('created_at', '<', before)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

const CLAIM: SqlStatement = {
  name: 'media-claim',
  text: `update media set used_at = $3, is_public = $4, is_in_set = cardinality($2::uuid[]) > 1
    where id = any($2::uuid[]) and owner_id = $1 and status = 'ready' and used_at is null and taken_down_at is null returning id, kind`,
};

/** Returns the claimed media. Concurrent claims of the same medium wait for each other. */
export function claim(
  db: Executor,
  ownerId: string,
  ids: readonly string[],
  at: Date,
  isPublic: boolean,
): Promise<{ id: string; kind: MediaKind }[]> {
  return db.run<{ id: string; kind: MediaKind }>(CLAIM, [ownerId, ids, at, isPublic]);
}

const RELEASE: SqlStatement = {
  name: 'media-release',
  text: 'update media set used_at = null, is_public = false, is_in_set = false where id = any($1::uuid[])',
};

export async function release(db: Executor, ids: readonly string[]): Promise<void> {
  await db.run(RELEASE, [ids]);
}

const SET_IN_SET: SqlStatement = {
  name: 'media-set-in-set',
  text: 'update media set is_in_set = $2 where id = any($1::uuid[]) and is_in_set <> $2',
};

export async function setInSet(db: Executor, ids: readonly string[], isInSet: boolean): Promise<void> {
  await db.run(SET_IN_SET, [ids, isInSet]);
}

const SET_PUBLIC: SqlStatement = {
  name: 'media-set-public',
  text: 'update media set is_public = $2 where id = any($1::uuid[]) and is_public <> $2',
};

export async function setPublic(db: Executor, ids: readonly string[], isPublic: boolean): Promise<void> {
  await db.run(SET_PUBLIC, [ids, isPublic]);
}

/** The media rows in typed SQL. No rights, no events. */
import type { MediaId, UserId } from '@stagedoor/contract/atoms/ids.ts';
import type { Executor, Statement } from '../../kernel/db.ts';

export type MediaKind = 'picture' | 'video' | 'audio';
export type MediaStatus = 'uploading' | 'processing' | 'ready' | 'failed';

/** What a view of a medium is made of. */
export type MediaFacts = {
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
};

export type MediaRow = MediaFacts & {
  id: MediaId;
  owner_id: UserId;
  status: MediaStatus;
  failure: string | null;
  file_name: string;
  content_type: string | null;
  used_at: Date | null;
  created_at: Date;
};

const COLUMNS = `id, owner_id, kind, status, failure, file_name, byte_size, content_type, width, height, duration_seconds,
  webp_widths, avif_widths, jpeg_width, thumbhash, preview_thumbhash, preview_height, is_public, used_at, created_at`;

const FIND: Statement = { name: 'media-find', text: `select ${COLUMNS} from media where id = $1` };
const FIND_MANY: Statement = {
  name: 'media-find-many',
  text: `select ${COLUMNS} from media where id = any($1::uuid[])`,
};
/** What a blocked person shows is shown to nobody but those who bought it. */
const SHOWN = 'm.is_public and not u.is_blocked as is_public';
const IS_PUBLIC: Statement = {
  name: 'media-is-public',
  text: `select ${SHOWN} from media m join users u on u.id = m.owner_id where m.id = $1`,
};
const OWNER: Statement = {
  name: 'media-owner',
  text: `select m.owner_id, ${SHOWN} from media m join users u on u.id = m.owner_id where m.id = $1`,
};

/** The row of an id, or nothing. */
export async function findMedia(db: Executor, id: string): Promise<MediaRow | undefined> {
  return (await db.run<MediaRow>(FIND, [id]))[0];
}

/** The rows of these ids, in no order. */
export function findMany(db: Executor, ids: readonly string[]): Promise<MediaRow[]> {
  return ids.length === 0 ? Promise.resolve([]) : db.run<MediaRow>(FIND_MANY, [ids]);
}

/** Whether anybody may see the open variants. */
export async function isMediaPublic(db: Executor, id: string): Promise<boolean> {
  return (await db.run<{ is_public: boolean }>(IS_PUBLIC, [id]))[0]?.is_public ?? false;
}

/** Whose a medium is, and whether anybody may see it. */
export async function findOwner(
  db: Executor,
  id: string,
): Promise<{ owner_id: string; is_public: boolean } | undefined> {
  return (await db.run<{ owner_id: string; is_public: boolean }>(OWNER, [id]))[0];
}

const LOCK_OWNER: Statement = { name: 'media-lock-owner', text: 'select 1 from users where id = $1 for no key update' };
const INSERT: Statement = {
  name: 'media-insert-upload',
  text: `insert into media (id, owner_id, status, file_name, byte_size, created_at) select $1, $2, 'uploading', $3, $4, $5
    where (select count(*) from media m where m.owner_id = $2 and m.status = 'uploading') < $6 returning id`,
};

/** Notes an upload that begins. Answers false when the owner has `limit` unfinished ones already. */
export async function insertUpload(
  tx: Executor,
  upload: { id: string; ownerId: string; fileName: string; byteSize: number; createdAt: Date; limit: number },
): Promise<boolean> {
  const { id, ownerId, fileName, byteSize, createdAt, limit } = upload;
  // A statement of its own: the count must see what those before us in the queue wrote.
  await tx.run(LOCK_OWNER, [ownerId]);
  return (await tx.run(INSERT, [id, ownerId, fileName, byteSize, createdAt, limit])).length > 0;
}

/** Uploading → processing. Answers false when it was not uploading any more. */
export async function markProcessing(db: Executor, id: string, contentType: string): Promise<boolean> {
  const rows = await db.query
    .updateTable('media')
    .set({ status: 'processing', content_type: contentType })
    .where('id', '=', id)
    .where('status', '=', 'uploading')
    .returning('id')
    .execute();
  return rows.length > 0;
}

/** Uploading or processing → failed. Answers false when it was neither. */
export async function markFailed(db: Executor, id: string, failure: string, at: Date): Promise<boolean> {
  const rows = await db.query
    .updateTable('media')
    .set({ status: 'failed', failure, finished_at: at })
    .where('id', '=', id)
    .where('status', 'in', ['uploading', 'processing'])
    .returning('id')
    .execute();
  return rows.length > 0;
}

export type Made = {
  width: number;
  height: number;
  webpWidths: number[];
  jpegWidth: number;
  thumbhash: string;
  previewThumbhash: string;
  previewHeight: number;
};

/** Processing → ready, with what was made. Answers false when it was not processing any more. */
export async function markReady(db: Executor, id: string, made: Made, at: Date): Promise<boolean> {
  const rows = await db.query
    .updateTable('media')
    .set({
      status: 'ready',
      width: made.width,
      height: made.height,
      webp_widths: made.webpWidths,
      jpeg_width: made.jpegWidth,
      thumbhash: made.thumbhash,
      preview_thumbhash: made.previewThumbhash,
      preview_height: made.previewHeight,
      finished_at: at,
    })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .returning('id')
    .execute();
  return rows.length > 0;
}

export async function setAvifWidths(db: Executor, id: string, widths: number[]): Promise<boolean> {
  const rows = await db.query
    .updateTable('media')
    .set({ avif_widths: widths })
    .where('id', '=', id)
    .where('status', '=', 'ready')
    .returning('id')
    .execute();
  return rows.length > 0;
}

/** Removes the row unless it is used. Answers whether it is gone. */
export async function deleteUnused(db: Executor, id: string): Promise<boolean> {
  const rows = await db.query
    .deleteFrom('media')
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning('id')
    .execute();
  return rows.length > 0;
}

/** Removes uploads that were begun before `before` and never finished; answers their ids. */
export async function deleteStaleUploads(db: Executor, before: Date): Promise<string[]> {
  const rows = await db.query
    .deleteFrom('media')
    .where('status', '=', 'uploading')
    .where('created_at', '<', before)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

const CLAIM: Statement = {
  name: 'media-claim',
  text: `update media set used_at = $3, is_public = $4
    where id = any($2::uuid[]) and owner_id = $1 and status = 'ready' and used_at is null returning id, kind`,
};

/** Marks own, ready, unused media as used; answers which. Two who claim the same one wait for each other. */
export function claim(
  db: Executor,
  ownerId: string,
  ids: readonly string[],
  at: Date,
  isPublic: boolean,
): Promise<{ id: string; kind: MediaKind }[]> {
  return db.run<{ id: string; kind: MediaKind }>(CLAIM, [ownerId, ids, at, isPublic]);
}

const SET_PUBLIC: Statement = {
  name: 'media-set-public',
  text: 'update media set is_public = $2 where id = any($1::uuid[]) and is_public <> $2',
};

export async function setPublic(db: Executor, ids: readonly string[], isPublic: boolean): Promise<void> {
  await db.run(SET_PUBLIC, [ids, isPublic]);
}

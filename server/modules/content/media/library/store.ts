import type { LIBRARY_TYPES } from '@stagedoor/contract/content/media.ts';
import { hasUnspacedScript } from '@stagedoor/contract/shared/scripts.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { MEDIA_COLUMNS, type MediaRow } from '../store.ts';

export type LibraryType = (typeof LIBRARY_TYPES)[number];
export type LibraryUse = 'all' | 'used' | 'unused';
export type LibraryFilter = { type: LibraryType; use: LibraryUse; search: string };

const MAX_COUNTED = 10_000;

const TYPE_SQL: Record<LibraryType, string> = {
  all: '',
  picture: ` and kind = 'picture' and not is_in_set`,
  pictureSet: ` and kind = 'picture' and is_in_set`,
  video: ` and kind = 'video' and not is_in_set`,
  audio: ` and kind = 'audio' and not is_in_set`,
};
const USE_SQL: Record<LibraryUse, string> = {
  all: '',
  used: ' and used_at is not null',
  unused: ' and used_at is null',
};

function toConditionsSql({ type, use, search }: LibraryFilter): string {
  const searchSql = search === '' ? '' : ' and search_text like unaccent_lower_spaced($2)';
  return `${TYPE_SQL[type]}${USE_SQL[use]}${searchSql} and status <> 'uploading'`;
}

/**
 * Short words match only at the beginning of a word, because the index finds nothing else. In scripts without blanks
 * every letter begins a word.
 */
function toLikePattern(search: string): string {
  const text = search.normalize('NFKC');
  const escaped = text.replace(/[\\%_]/g, String.raw`\$&`);
  return Array.from(text).length < 3 && !hasUnspacedScript(text) ? `% ${escaped}%` : `%${escaped}%`;
}

export function listLibrary(
  db: Executor,
  ownerId: string,
  filter: LibraryFilter,
  page: { before: string; skip: number; limit: number },
): Promise<MediaRow[]> {
  const isSearch = filter.search !== '';
  const name = `media-list-${filter.type}-${filter.use}${isSearch ? '-search' : ''}`;
  // With equality the planner may scan all media by id where few owners have many. A range that holds one owner keeps
  // it on the owner's index.
  const [owner, order] = isSearch ? ['owner_id = $1', 'id desc'] : ['owner_id between $1 and $1', 'owner_id, id desc'];
  const text = `select ${MEDIA_COLUMNS} from media where ${owner}${toConditionsSql(filter)} and id < $3::uuid and $2::text is not null
    order by ${order} offset $4 limit $5`;
  const { before, skip, limit } = page;
  return db.run<MediaRow>({ name, text }, [ownerId, toLikePattern(filter.search), before, skip, limit]);
}

const COUNTS: SqlStatement = { name: 'media-counts', text: 'select counts from media_counts where owner_id = $1' };

function isCounted(key: string, { type, use }: LibraryFilter): boolean {
  const [kind, grouping, used] = key.split(':');
  const isSet = grouping === 'set';
  if (type !== 'all' && (type === 'pictureSet' ? kind !== 'picture' || !isSet : kind !== type || isSet)) return false;
  return use === 'all' || used === use;
}

export async function countLibrary(db: Executor, ownerId: string, filter: LibraryFilter): Promise<number> {
  if (filter.search === '') {
    const [row] = await db.run<{ counts: Record<string, number> }>(COUNTS, [ownerId]);
    return Object.entries(row?.counts ?? {}).reduce(
      (sum, [key, amount]) => (isCounted(key, filter) ? sum + amount : sum),
      0,
    );
  }
  const name = `media-count-${filter.type}-${filter.use}`;
  const text = `select count(*) as count from (select from media where owner_id = $1${toConditionsSql(filter)} limit ${MAX_COUNTED}) found`;
  return (await db.run<{ count: number }>({ name, text }, [ownerId, toLikePattern(filter.search)]))[0]?.count ?? 0;
}

export type UploadChanges = {
  title?: string | undefined;
  tags?: string[] | undefined;
  price_cents?: number | undefined;
  teaser?: { start: number; end: number } | null | undefined;
};

/** Returns false if the upload does not exist. */
export async function updateMediaRow(
  db: Executor,
  id: string,
  { title, tags, price_cents, teaser }: UploadChanges,
): Promise<boolean> {
  const rows = await db.query
    .updateTable('media')
    .set((eb) => ({
      // Keeps the statement valid when no field is given.
      serial: eb.ref('serial'),
      ...(title === undefined ? {} : { title }),
      ...(tags === undefined ? {} : { tags }),
      ...(price_cents === undefined ? {} : { price_cents }),
      ...(teaser === undefined
        ? {}
        : { teaser_start: teaser?.start ?? null, teaser_end: teaser?.end ?? null, teaser_seconds: null }),
    }))
    .where('id', '=', id)
    .where('status', '<>', 'uploading')
    .returning('id')
    .execute();
  return rows.length > 0;
}

const LOCK: SqlStatement = {
  name: 'media-lock',
  text: `select ${MEDIA_COLUMNS} from media where id = $1 for no key update`,
};

export async function lockMedia(tx: DbTransaction, id: string): Promise<MediaRow | undefined> {
  return (await tx.run<MediaRow>(LOCK, [id]))[0];
}

export async function isWatermarked(db: Executor, ownerId: string): Promise<boolean> {
  const row = await db.query
    .selectFrom('media_settings')
    .select('is_watermarked')
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  return row?.is_watermarked ?? false;
}

export async function setWatermarked(db: Executor, ownerId: string, isEnabled: boolean): Promise<void> {
  await db.query
    .insertInto('media_settings')
    .values({ owner_id: ownerId, is_watermarked: isEnabled })
    .onConflict((conflict) => conflict.column('owner_id').doUpdateSet({ is_watermarked: isEnabled }))
    .execute();
}

const POSITION: SqlStatement = {
  name: 'media-position',
  text: 'select seconds from media_positions where user_id = $1 and media_id = $2',
};
const SAVE_POSITION: SqlStatement = {
  name: 'media-save-position',
  text: `insert into media_positions (user_id, media_id, seconds, updated_at) values ($1, $2, $3, $4)
    on conflict (user_id, media_id) do update set seconds = excluded.seconds, updated_at = excluded.updated_at`,
};

/** Returns the position in seconds. */
export async function getPositionSeconds(db: Executor, userId: string, mediaId: string): Promise<number> {
  return (await db.run<{ seconds: number }>(POSITION, [userId, mediaId]))[0]?.seconds ?? 0;
}

export async function upsertPosition(
  db: Executor,
  userId: string,
  mediaId: string,
  seconds: number,
  at: Date,
): Promise<void> {
  await db.run(SAVE_POSITION, [userId, mediaId, seconds, at]);
}

export async function deletePosition(db: Executor, userId: string, mediaId: string): Promise<void> {
  await db.query.deleteFrom('media_positions').where('user_id', '=', userId).where('media_id', '=', mediaId).execute();
}

export type MediaPosition = { media_id: string; seconds: number; updated_at: Date };
const POSITIONS: SqlStatement = {
  name: 'media-positions',
  text: 'select media_id, seconds, updated_at from media_positions where user_id = $1 order by updated_at desc, media_id limit $2',
};

export function listPositions(db: Executor, userId: string, limit: number): Promise<MediaPosition[]> {
  return db.run<MediaPosition>(POSITIONS, [userId, limit]);
}

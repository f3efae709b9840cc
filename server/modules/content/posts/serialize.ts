/**
 * The part that viewers share is serialized once and cached with the columns that it was made of. It is reused while
 * the row has the same values, so that no invalidation is needed.
 */
import { type Post, post } from '@stagedoor/contract/content/posts.ts';
import { Preserialized } from '../../../platform/http/preserialized.ts';
import { toSerializer } from '../../../platform/http/response-serializer.ts';
import { createLruCache } from '../../../platform/lru-cache.ts';
import { hydratePost, type StoredPost } from './hydrate.ts';
import { presentSharedFields, presentViewerFields } from './present.ts';

/** The columns that {@link presentSharedFields} reads, except the id and the time, which never change. */
const SHARED_COLUMNS = [
  'media_metadata',
  'caption',
  'type',
  'price_cents',
  'files_revision',
  'media_count',
  'username',
  'name',
  'avatar_key',
  'craft',
  'city',
  'is_verified',
  'pin_place',
  'people_json',
  'details_json',
  'opening_tier_json',
] as const satisfies readonly (keyof StoredPost)[];

type CachedText = { readonly row: StoredPost; readonly text: string };

/** About 4,000 posts. */
const MAX_BYTES = 16 * 1024 * 1024;
const ENTRY_BYTES = 600;
const cache = createLruCache<CachedText>(MAX_BYTES);
const serialize = toSerializer(post);

function hasSameColumns(one: StoredPost, other: StoredPost): boolean {
  return SHARED_COLUMNS.every((column) => one[column] === other[column]);
}

function serializeSharedFields(row: StoredPost, isUnlocked: boolean): string {
  const key = isUnlocked ? row.id : `${row.id} locked`;
  const cached = cache.get(key);
  if (cached && hasSameColumns(cached.row, row)) return cached.text;
  const text = JSON.stringify(serialize(presentSharedFields(hydratePost(row), isUnlocked)));
  cache.set(key, { row, text }, text.length + row.caption.length + row.media_metadata.length + ENTRY_BYTES);
  return text;
}

export function serializePost(row: StoredPost): Preserialized<Post> {
  const viewerFields = presentViewerFields(row);
  return new Preserialized(
    `${JSON.stringify(viewerFields).slice(0, -1)},${serializeSharedFields(row, viewerFields.isUnlocked).slice(1)}`,
  );
}

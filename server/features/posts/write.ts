/**
 * The part that viewers share is serialized once and cached with the columns that it was made of. It is reused while
 * the row has the same values, so that no invalidation is needed.
 */
import { type Post, post } from '@stagedoor/contract/posts.ts';
import { createRecent } from '../../kernel/recent.ts';
import { shapeOf } from '../../kernel/shape.ts';
import { Written } from '../../kernel/written.ts';
import { opened, type StoredPost } from './hydrate.ts';
import { presentOfViewer, presentShared } from './present.ts';

/** The columns that {@link presentShared} reads, except the id and the time, which never change. */
const FACTS = [
  'media_facts',
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
  'people_facts',
] as const satisfies readonly (keyof StoredPost)[];

type Kept = { readonly row: StoredPost; readonly text: string };

/** About 4,000 posts. */
const MAX_BYTES = 16 * 1024 * 1024;
const ENTRY_BYTES = 600;
const kept = createRecent<Kept>(MAX_BYTES);
const shape = shapeOf(post);

function isSame(one: StoredPost, other: StoredPost): boolean {
  return (
    FACTS.every((fact) => one[fact] === other[fact]) &&
    one.tags.length === other.tags.length &&
    one.tags.every((tag, index) => tag === other.tags[index])
  );
}

function sharedText(row: StoredPost, isUnlocked: boolean): string {
  const key = isUnlocked ? row.id : `${row.id} locked`;
  const known = kept.get(key);
  if (known && isSame(known.row, row)) return known.text;
  const text = JSON.stringify(shape(presentShared(opened(row), isUnlocked)));
  kept.put(key, { row, text }, text.length + row.caption.length + row.media_facts.length + ENTRY_BYTES);
  return text;
}

export function writePost(row: StoredPost): Written<Post> {
  const ofViewer = presentOfViewer(row);
  return new Written(`${JSON.stringify(ofViewer).slice(0, -1)},${sharedText(row, ofViewer.isUnlocked).slice(1)}`);
}

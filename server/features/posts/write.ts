/**
 * Posts as JSON for lists. What viewers share of a post is written once and kept beside the facts of which it was made; it is
 * used again while the row that was read has the very same facts. So nothing must tell that a post has changed.
 */
import { type Post, post } from '@stagedoor/contract/posts.ts';
import { createRecent } from '../../kernel/recent.ts';
import { shapeOf } from '../../kernel/shape.ts';
import { Written } from '../../kernel/written.ts';
import { opened, type StoredPost } from './hydrate.ts';
import { presentOfViewer, presentShared } from './present.ts';

/** What {@link presentShared} reads of a row, but for its id and the time, which never change. */
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

/** Some 4,000 posts. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Of an entry beside its texts. */
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

/** A post for whom the row was read. */
export function writePost(row: StoredPost): Written<Post> {
  const ofViewer = presentOfViewer(row);
  return new Written(`${JSON.stringify(ofViewer).slice(0, -1)},${sharedText(row, ofViewer.isUnlocked).slice(1)}`);
}

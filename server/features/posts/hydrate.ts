/**
 * Posts as they are read: one statement answers everything that a page of them shows (posts, authors, media, the viewer's
 * like and right), whichever way its page was chosen.
 */
import type { PostId, UserId } from '@stagedoor/contract/atoms/ids.ts';
import type { PostType } from '@stagedoor/contract/posts.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { hiddenHere, isHiddenHere } from '../../kernel/places.ts';
import { apart } from '../blocks/index.ts';
import { type Entitlement, joinEntitlement } from '../entitlements/index.ts';
import type { MediaFacts } from '../media/index.ts';

export type PostMediaFacts = MediaFacts & { alt: string };

/** Somebody in a post who is shown on it. */
export type PersonFacts = { id: UserId; username: string; name: string; avatar_key: string | null };

export type PostRow = {
  id: PostId;
  creator_id: UserId;
  type: PostType;
  caption: string;
  price_cents: number;
  files_revision: number;
  media_count: number;
  like_count: number;
  created_at: Date;
  removed_at: Date | null;
  username: string;
  name: string;
  avatar_key: string | null;
  /** By an operator, or apart from the viewer: shown to those alone who bought it. */
  is_blocked: boolean;
  craft: string;
  city: string;
  is_verified: boolean;
  is_liked: boolean;
  /** By what right its media are open to the viewer; null when they are locked. */
  entitlement: Entitlement;
  /** What the viewer paid for it, while the sale stands. */
  bought_cents: number | null;
  media: PostMediaFacts[];
  tags: string[];
  people: PersonFacts[];
  pin_place: number | null;
};

/**
 * Whether the post `p` of the user `u` is open to somebody: a subscription to its creator opens it too. Removed, and of a creator who is
 * blocked or apart from them (`bond.is_apart`), it is withdrawn. Being apart is asked once for a row: each look that a statement names is
 * made ready before it runs, needed or not, which takes as long as a row.
 */
export const joinRight = (viewer: string): string =>
  `cross join lateral (select ${apart(viewer, 'p.creator_id')} as is_apart offset 0) bond ${joinEntitlement({
    viewer,
    owner: 'p.creator_id',
    subject: 'p.id',
    price: 'p.price_cents',
    standing: `case when p.removed_at is null and not u.is_blocked and not bond.is_apart then 'shown' else 'withdrawn' end`,
    whole: 'p.creator_id',
  })}`;

const BOUGHT =
  '(select b.price_cents from post_purchases b where b.fan_id = $1::uuid and b.post_id = p.id and b.revoked_at is null)';
const PEOPLE = `(select json_agg(json_build_object('id', w.id, 'username', w.username, 'name', w.name, 'avatar_key', w.avatar_key)
    order by pp.position)::text
  from post_people pp join users w on w.id = pp.user_id where pp.post_id = p.id and pp.left_at is null and not w.is_blocked
    and not ${apart('$1::uuid', 'w.id')})`;

/**
 * A statement that reads the posts of `page`, newest first. `page` is a SELECT that answers `id` and may answer more, which
 * `extra` then names; its parameters begin with $2, as $1 is the viewer (null for nobody).
 */
export function postsStatement(name: string, page: string, { extra = '', order = 'p.id desc' } = {}): Statement {
  return {
    name,
    text: `with page as (${page})
select p.id, p.creator_id, p.type, p.caption, p.price_cents, p.files_revision, p.media_count, p.like_count, p.created_at, p.removed_at,
  u.username, u.name, u.avatar_key, u.is_blocked or bond.is_apart as is_blocked, c.craft, c.city, c.is_verified,
  exists (select from post_likes l where l.post_id = p.id and l.user_id = $1::uuid) as is_liked,
  e.source as entitlement,
  ${BOUGHT} as bought_cents,
  p.tags, p.pin_place, case when p.has_people then ${PEOPLE} end as people_facts, p.media_facts${extra}
from page join posts p on p.id = page.id join users u on u.id = p.creator_id join creators c on c.user_id = p.creator_id ${joinRight('$1::uuid')}
order by ${order}`,
  };
}

/** As the database answers it: media and people as JSON. */
export type StoredPost = Omit<PostRow, 'media' | 'people'> & { media_facts: string; people_facts: string | null };

function mediaOf(stored: StoredPost): PostMediaFacts[] {
  return JSON.parse(stored.media_facts);
}

function peopleOf(stored: StoredPost): PersonFacts[] {
  return stored.people_facts === null ? [] : JSON.parse(stored.people_facts);
}

/** A stored post as what is presented. */
export function opened<Row extends StoredPost>(stored: Row): Row & PostRow {
  return { ...stored, media: mediaOf(stored), people: peopleOf(stored) };
}

/** A post as it is from where it is asked for: of a creator who is hidden there, what was bought alone is open. */
function asSeenHere<Row extends StoredPost>(row: Row): Row {
  const isHidden = isHiddenHere(row.creator_id);
  const people_facts = row.people_facts && JSON.stringify(peopleOf(row).filter((person) => !isHiddenHere(person.id)));
  if (!isHidden) return { ...row, people_facts };
  const isBought = row.entitlement === 'purchase' || row.bought_cents !== null;
  return { ...row, people_facts, is_blocked: true, entitlement: isBought ? 'purchase' : null };
}

/** Runs a {@link postsStatement}; `Extra` is what its `extra` names. */
export async function readStored<Extra extends object = object>(
  db: Executor,
  statement: Statement,
  values: readonly unknown[],
): Promise<(StoredPost & Extra)[]> {
  const rows = await db.run<StoredPost & Extra>(statement, values);
  return hiddenHere().length > 0 ? rows.map(asSeenHere) : rows;
}

/** {@link readStored}, opened. */
export async function readPosts<Extra extends object = object>(
  db: Executor,
  statement: Statement,
  values: readonly unknown[],
): Promise<(PostRow & Extra)[]> {
  return (await readStored<Extra>(db, statement, values)).map(opened);
}

/** One statement returns everything that a page of posts shows, however the page was selected. */
import type { PostId, UserId } from '@stagedoor/contract/atoms/ids.ts';
import type { PostType } from '@stagedoor/contract/posts.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { hiddenHere, isHiddenHere } from '../../kernel/places.ts';
import { apart } from '../blocks/index.ts';
import { type Entitlement, joinEntitlement } from '../entitlements/index.ts';
import type { MediaFacts } from '../media/index.ts';

export type PostMediaFacts = MediaFacts & { alt: string };

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
  /** True if the creator is blocked or in a blocked pair with the viewer. Then only buyers see the post. */
  is_blocked: boolean;
  craft: string;
  city: string;
  is_verified: boolean;
  is_liked: boolean;
  /** The right that opens its media, or null if they are locked. */
  entitlement: Entitlement;
  /** The price that the viewer paid, or null without a purchase or after a refund. */
  bought_cents: number | null;
  media: PostMediaFacts[];
  tags: string[];
  people: PersonFacts[];
  pin_place: number | null;
};

/**
 * A post is withdrawn if it is removed, or if its creator is blocked or in a blocked pair with the viewer
 * (`bond.is_apart`). The blocked pair is looked up once per row, because each subquery takes as long to prepare as
 * reading a row.
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
 * `page` is a SELECT that returns `id` and may return more columns, which `extra` then names. Its parameters start at
 * $2, because $1 is the viewer (null for a visitor).
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

export type StoredPost = Omit<PostRow, 'media' | 'people'> & { media_facts: string; people_facts: string | null };

function mediaOf(stored: StoredPost): PostMediaFacts[] {
  return JSON.parse(stored.media_facts);
}

function peopleOf(stored: StoredPost): PersonFacts[] {
  return stored.people_facts === null ? [] : JSON.parse(stored.people_facts);
}

export function opened<Row extends StoredPost>(stored: Row): Row & PostRow {
  return { ...stored, media: mediaOf(stored), people: peopleOf(stored) };
}

/** Only bought posts are open if their creator is hidden in the caller's region. */
function asSeenHere<Row extends StoredPost>(row: Row): Row {
  const isHidden = isHiddenHere(row.creator_id);
  const people_facts = row.people_facts && JSON.stringify(peopleOf(row).filter((person) => !isHiddenHere(person.id)));
  if (!isHidden) return { ...row, people_facts };
  const isBought = row.entitlement === 'purchase' || row.bought_cents !== null;
  return { ...row, people_facts, is_blocked: true, entitlement: isBought ? 'purchase' : null };
}

export async function readStored<Extra extends object = object>(
  db: Executor,
  statement: Statement,
  values: readonly unknown[],
): Promise<(StoredPost & Extra)[]> {
  const rows = await db.run<StoredPost & Extra>(statement, values);
  return hiddenHere().length > 0 ? rows.map(asSeenHere) : rows;
}

export async function readPosts<Extra extends object = object>(
  db: Executor,
  statement: Statement,
  values: readonly unknown[],
): Promise<(PostRow & Extra)[]> {
  return (await readStored<Extra>(db, statement, values)).map(opened);
}

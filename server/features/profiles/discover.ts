import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { FAIR_SHARE, newcomersBefore, withNewcomers } from '@stagedoor/contract/fair-share.ts';
import type { followingCounts, listCreators, listFollowing } from '@stagedoor/contract/profiles.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { cursorOf, DEEPEST_SKIP, readOffset } from '../../kernel/offset.ts';
import { hiddenHere, isHiddenHere } from '../../kernel/places.ts';
import type { Actor } from '../../kernel/session.ts';
import { apart, togetherWith } from '../blocks/index.ts';
import { onlineIds } from '../presence/index.ts';
import { type CreatorRow, creatorsStatement, presentCard } from './card.ts';
import { newcomersOf } from './newcomers.ts';
import { patternsOf, searchCreators } from './search.ts';

const COUNTED = 1_000;
/** In a list this long, at least {@link COUNTED} creators remain for a viewer with up to a thousand blocked pairs. */
const PLENTY = 2 * COUNTED;

const TOGETHER = `not ${apart('$1::uuid', 'c.user_id')}`;

/** $1 is the viewer. */
class Parameters {
  readonly values: unknown[];
  constructor(viewerId: string | null) {
    this.values = [viewerId];
  }
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

type Listing = {
  name: string;
  from: string;
  conditions: string[];
  /** Conditions that do not depend on the viewer, if an index alone can count them. */
  plainly: string[];
  order: string;
  parameters: Parameters;
};

async function read(
  db: Executor,
  { name, from, conditions, order, parameters }: Listing,
  page: { place: string[]; skip: number; limit: number },
): Promise<CreatorRow[]> {
  const where = [...conditions, ...page.place].join(' and ');
  const skip = parameters.add(Math.min(page.skip, DEEPEST_SKIP));
  const limit = parameters.add(page.limit);
  const text = `select c.user_id as id, row_number() over (order by ${order}) as place from ${from} where ${where} order by ${order} offset ${skip}::int limit ${limit}::int`;
  return db.run<CreatorRow>(
    creatorsStatement(`${name}${page.place.length > 0 ? '-after' : ''}`, text),
    parameters.values,
  );
}

async function count(db: Executor, { name, from, conditions, plainly }: Listing, values: unknown[]): Promise<number> {
  // Every parameter must occur in the text, but not every condition uses the viewer.
  const counted = (those: readonly string[], most: number) =>
    `(select count(*) from (select from ${from} where ${those.join(' and ')} limit ${most}) found)`;
  const exactly = counted(conditions, COUNTED);
  const known = `${counted(plainly, PLENTY)} = ${PLENTY}`;
  const text = `select ${plainly.length === 0 ? exactly : `case when ${known} then ${COUNTED} else ${exactly} end`} as count where $1::uuid is not distinct from $1::uuid`;
  return (await db.run<{ count: number }>({ name: `${name}-count`, text }, values))[0]?.count ?? 0;
}

type Query = QueryOf<typeof listCreators>;

/** Returns the suffix for the statement's name. */
function leaveOutHidden(conditions: string[], parameters: Parameters): string {
  const hidden = hiddenHere();
  if (hidden.length === 0) return '';
  conditions.push(`c.user_id <> all (${parameters.add(hidden)}::uuid[])`);
  return '-here';
}

/** The name must be different for every possible text. */
function listingOf(ctx: Context, viewerId: string | null, { category, sort, exclude }: Query): Listing {
  const parameters = new Parameters(viewerId);
  const conditions = ['c.is_listed', TOGETHER];
  if (category) conditions.push(`c.category = ${parameters.add(category)}`);
  // Online creators with nothing to show are found only by name.
  if (sort === 'online')
    conditions.push(`c.user_id = any (${parameters.add(onlineIds(ctx))}::uuid[])`, 'c.post_count > 0');
  if (sort === 'following')
    conditions.push('exists (select from follows f where f.fan_id = $1::uuid and f.creator_id = c.user_id)');
  if (exclude)
    conditions.push(
      'c.user_id is distinct from $1::uuid',
      'not exists (select from follows f where f.fan_id = $1::uuid and f.creator_id = c.user_id)',
    );
  const here = leaveOutHidden(conditions, parameters);
  return {
    name: `profiles-list-${sort}${category ? '-category' : ''}${exclude ? `-${exclude}` : ''}${here}`,
    from: 'creators c',
    conditions,
    plainly:
      viewerId === null || exclude || sort === 'online' || sort === 'following'
        ? []
        : conditions.filter((one) => one !== TOGETHER),
    order: sort === 'new' ? 'c.user_id desc' : 'c.follower_count desc, c.user_id desc',
    parameters,
  };
}

function placeAfter(sort: Query['sort'], after: string | undefined, parameters: Parameters): string[] {
  if (after === undefined) return [];
  const [first = '', second = ''] = after.split(' ');
  if (sort === 'new') {
    if (!isId(first)) throw invalid('offset', 'Invalid offset');
    return [`c.user_id < ${parameters.add(first)}::uuid`];
  }
  if (!/^\d{1,15}$/.test(first) || !isId(second)) throw invalid('offset', 'Invalid offset');
  return [`(c.follower_count, c.user_id) < (${parameters.add(first)}::bigint, ${parameters.add(second)}::uuid)`];
}

const BY_IDS = creatorsStatement(
  'profiles-by-ids',
  `select n.id, n.place from unnest($2::uuid[]) with ordinality as n (id, place)
    join creators l on l.user_id = n.id and l.is_listed`,
);

async function findRecommended(
  ctx: Context,
  viewerId: string | null,
  query: Query,
  drawn: readonly string[],
): Promise<AnswerOf<typeof listCreators>> {
  const { limit } = query;
  const seen = drawn.filter((id) => !isHiddenHere(id));
  const newcomers = viewerId === null ? seen : await togetherWith(ctx.db, viewerId, seen);
  const { skip: asked, after } = readOffset(query.offset);
  // A cursor without a position comes from a list without new creators, so their slots are over.
  const [, , place = String(FAIR_SHARE.every * FAIR_SHARE.most)] = after?.split(' ') ?? [];
  if (!/^\d{1,9}$/.test(place)) throw invalid('offset', 'Invalid offset');
  const skip = after === undefined ? asked : Number(place);
  const listing = listingOf(ctx, viewerId, query);
  const counted = count(ctx.db, listing, [...listing.parameters.values]);
  listing.name += '-fair';
  listing.conditions.push(`c.user_id <> all (${listing.parameters.add(newcomers)}::uuid[])`);
  const from = placeAfter('recommended', after, listing.parameters);
  const fromStart = after === undefined ? skip - newcomersBefore(skip, newcomers.length) : 0;
  const [totalCount, others, theirs] = await Promise.all([
    counted,
    read(ctx.db, listing, { place: from, skip: fromStart, limit: limit + 1 }),
    ctx.db.run<CreatorRow>(BY_IDS, [viewerId, newcomers]),
  ]);
  const rows = withNewcomers(others, theirs, skip, limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.findLast(({ id }) => !newcomers.includes(id));
  return {
    data: shown.map((row) => presentCard(ctx, row)),
    limit,
    totalCount,
    ...(rows.length > limit && {
      nextOffset: last ? cursorOf(`${last.follower_count} ${last.id} ${skip + limit}`) : String(skip + limit),
    }),
  };
}

export async function findCreators(
  ctx: Context,
  actor: Actor | undefined,
  query: Query,
): Promise<AnswerOf<typeof listCreators>> {
  const { limit, sort, search, category, exclude } = query;
  const viewerId = actor?.userId ?? null;
  if (search !== '') return searchCreators(ctx, viewerId, query);
  if (sort === 'recommended' && !category && !exclude) {
    const newcomers = await newcomersOf(ctx);
    if (newcomers.length > 0) return findRecommended(ctx, viewerId, query, newcomers);
  }
  const { skip, after } = readOffset(query.offset);
  const listing = listingOf(ctx, viewerId, query);
  const counted = count(ctx.db, listing, [...listing.parameters.values]);
  const place = placeAfter(sort, after, listing.parameters);
  const [totalCount, rows] = await Promise.all([counted, read(ctx.db, listing, { place, skip, limit: limit + 1 })]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const cursor = last && cursorOf(sort === 'new' ? last.id : `${last.follower_count} ${last.id}`);
  return {
    data: shown.map((row) => presentCard(ctx, row)),
    limit,
    totalCount,
    ...(rows.length > limit && cursor ? { nextOffset: cursor } : {}),
  };
}

/** Muting belongs to the chat module. Only its state is read here. */
const MUTED =
  'exists (select from conversations v where v.fan_id = f.fan_id and v.creator_id = f.creator_id and v.is_muted_by_fan)';

export async function findFollowed(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof listFollowing>,
): Promise<AnswerOf<typeof listFollowing>> {
  const { limit, search, sort, status } = query;
  const { skip, after } = readOffset(query.offset);
  if (after !== undefined) throw invalid('offset', 'Invalid offset');
  const parameters = new Parameters(actor.userId);
  const patterns = patternsOf(search);
  const conditions = ['f.fan_id = $1::uuid', 'not u.is_blocked'];
  for (const pattern of patterns) {
    const parameter = parameters.add(pattern);
    conditions.push(`(plain(u.name) like plain(${parameter}) or plain(u.username::text) like plain(${parameter}))`);
  }
  if (status === 'muted') conditions.push(MUTED);
  if (status === 'online') conditions.push(`c.user_id = any (${parameters.add(onlineIds(ctx))}::uuid[])`);
  const here = leaveOutHidden(conditions, parameters);
  const listing: Listing = {
    name: `profiles-followed-${sort}-${patterns.length}${status ?? ''}${here}`,
    from: 'follows f join creators c on c.user_id = f.creator_id join users u on u.id = c.user_id',
    conditions,
    plainly: [],
    order: sort === 'name' ? 'plain(u.name), c.user_id' : 'f.created_at desc, c.user_id desc',
    parameters,
  };
  const counted = count(ctx.db, listing, [...parameters.values]);
  const [totalCount, rows] = await Promise.all([counted, read(ctx.db, listing, { place: [], skip, limit: limit + 1 })]);
  const data = rows.slice(0, limit).map((row) => presentCard(ctx, row));
  return { data, limit, totalCount, ...(rows.length > limit ? { nextOffset: String(skip + limit) } : {}) };
}

const COUNTS = {
  name: 'profiles-following-counts',
  text: `select count(*) as following, count(*) filter (where f.creator_id = any ($2::uuid[])) as online,
      count(*) filter (where ${MUTED}) as muted
    from follows f join users u on u.id = f.creator_id where f.fan_id = $1 and not u.is_blocked and f.creator_id <> all ($3::uuid[])`,
};

export async function countFollowed(ctx: Context, actor: Actor): Promise<AnswerOf<typeof followingCounts>> {
  const [row] = await ctx.db.run<{ following: number; online: number; muted: number }>(COUNTS, [
    actor.userId,
    onlineIds(ctx),
    hiddenHere(),
  ]);
  return row ?? { following: 0, online: 0, muted: 0 };
}

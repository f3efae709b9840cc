import {
  countSlotsBefore,
  mergeNewCreators,
  NEW_CREATOR_SLOTS,
} from '@stagedoor/contract/content/new-creator-slots.ts';
import type { getFollowingCounts, listCreators, listFollowing } from '@stagedoor/contract/content/profiles.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { MAX_SKIP, parseOffset, toCursor } from '../../../platform/database/pagination.ts';
import { isGeoBlocked, listGeoBlockedIds } from '../../../platform/geo.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { blockedPairSql, filterUnblocked } from '../../identity/blocks/index.ts';
import { listOnlineIds } from '../../identity/presence/index.ts';
import { type CreatorRow, createCreatorsStatement, presentCard } from './card.ts';
import { listNewCreators } from './new-creator-slots.ts';
import { searchCreators, toLikePatterns } from './search.ts';
import { hasSubscriptionFilter, toMaxCents } from './subscription-filter.ts';
import * as texts from './texts.ts';

const MAX_COUNTED = 1_000;
/** In a list this long, at least {@link MAX_COUNTED} creators remain for a viewer with up to a thousand blocked pairs. */
const COUNT_WITHOUT_BLOCKS = 2 * MAX_COUNTED;

const NOT_BLOCKED_PAIR = `not ${blockedPairSql('$1::uuid', 'c.user_id')}`;

/** $1 is the viewer. */
class SqlParameters {
  readonly values: unknown[];
  constructor(viewerId: string | null) {
    this.values = [viewerId];
  }
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

type CreatorListing = {
  name: string;
  from: string;
  conditions: string[];
  /** Conditions that do not depend on the viewer, if an index alone can count them. */
  viewerIndependent: string[];
  order: string;
  parameters: SqlParameters;
};

async function queryListing(
  db: Executor,
  { name, from, conditions, order, parameters }: CreatorListing,
  page: { cursorConditions: string[]; skip: number; limit: number },
): Promise<CreatorRow[]> {
  const where = [...conditions, ...page.cursorConditions].join(' and ');
  const skip = parameters.add(Math.min(page.skip, MAX_SKIP));
  const limit = parameters.add(page.limit);
  const text = `select c.user_id as id, row_number() over (order by ${order}) as position from ${from} where ${where} order by ${order} offset ${skip}::int limit ${limit}::int`;
  return db.run<CreatorRow>(
    createCreatorsStatement(`${name}${page.cursorConditions.length > 0 ? '-after' : ''}`, text),
    parameters.values,
  );
}

async function countListing(
  db: Executor,
  { name, from, conditions, viewerIndependent }: CreatorListing,
  values: unknown[],
): Promise<number> {
  // Every parameter must occur in the text, but not every condition uses the viewer.
  const toCountSql = (filters: readonly string[], max: number) =>
    `(select count(*) from (select from ${from} where ${filters.join(' and ')} limit ${max}) found)`;
  const exactCount = toCountSql(conditions, MAX_COUNTED);
  const isLongList = `${toCountSql(viewerIndependent, COUNT_WITHOUT_BLOCKS)} = ${COUNT_WITHOUT_BLOCKS}`;
  const text = `select ${viewerIndependent.length === 0 ? exactCount : `case when ${isLongList} then ${MAX_COUNTED} else ${exactCount} end`} as count where $1::uuid is not distinct from $1::uuid`;
  return (await db.run<{ count: number }>({ name: `${name}-count`, text }, values))[0]?.count ?? 0;
}

type Query = QueryOf<typeof listCreators>;

/** Returns the suffix for the statement's name. */
function excludeGeoBlocked(conditions: string[], parameters: SqlParameters): string {
  const blockedIds = listGeoBlockedIds();
  if (blockedIds.length === 0) return '';
  conditions.push(`c.user_id <> all (${parameters.add(blockedIds)}::uuid[])`);
  return '-here';
}

/** The name must be different for every possible text. */
function createListing(ctx: Context, viewerId: string | null, query: Query): CreatorListing {
  const { category, sort, exclude, trial } = query;
  const parameters = new SqlParameters(viewerId);
  const conditions = ['c.is_listed', NOT_BLOCKED_PAIR];
  if (category) conditions.push(`c.category = ${parameters.add(category)}`);
  const maxCents = toMaxCents(query);
  if (maxCents !== undefined) conditions.push(`c.subscription_cents <= ${parameters.add(maxCents)}::bigint`);
  if (trial) conditions.push('c.has_trial');
  // Online creators with nothing to show are found only by name.
  if (sort === 'online')
    conditions.push(`c.user_id = any (${parameters.add(listOnlineIds(ctx))}::uuid[])`, 'c.post_count > 0');
  if (sort === 'following')
    conditions.push('exists (select from follows f where f.fan_id = $1::uuid and f.creator_id = c.user_id)');
  if (exclude)
    conditions.push(
      'c.user_id is distinct from $1::uuid',
      'not exists (select from follows f where f.fan_id = $1::uuid and f.creator_id = c.user_id)',
    );
  const geoSuffix = excludeGeoBlocked(conditions, parameters);
  return {
    name: `profiles-list-${sort}${category ? '-category' : ''}${maxCents === undefined ? '' : '-price'}${trial ? '-trial' : ''}${exclude ? `-${exclude}` : ''}${geoSuffix}`,
    from: 'creators c',
    conditions,
    viewerIndependent:
      viewerId === null || exclude || sort === 'online' || sort === 'following'
        ? []
        : conditions.filter((one) => one !== NOT_BLOCKED_PAIR),
    order: sort === 'new' ? 'c.user_id desc' : 'c.follower_count desc, c.user_id desc',
    parameters,
  };
}

function toCursorConditions(sort: Query['sort'], after: string | undefined, parameters: SqlParameters): string[] {
  if (after === undefined) return [];
  const [first = '', second = ''] = after.split(' ');
  if (sort === 'new') {
    if (!isId(first)) throw createFieldError('offset', texts.invalidOffset);
    return [`c.user_id < ${parameters.add(first)}::uuid`];
  }
  if (!/^\d{1,15}$/.test(first) || !isId(second)) throw createFieldError('offset', texts.invalidOffset);
  return [`(c.follower_count, c.user_id) < (${parameters.add(first)}::bigint, ${parameters.add(second)}::uuid)`];
}

const BY_IDS = createCreatorsStatement(
  'profiles-by-ids',
  `select n.id, n.position from unnest($2::uuid[]) with ordinality as n (id, position)
    join creators l on l.user_id = n.id and l.is_listed`,
);

async function listRecommended(
  ctx: Context,
  viewerId: string | null,
  query: Query,
  drawnIds: readonly string[],
): Promise<ResponseInputOf<typeof listCreators>> {
  const { limit } = query;
  const visibleIds = drawnIds.filter((id) => !isGeoBlocked(id));
  const newCreatorIds = viewerId === null ? visibleIds : await filterUnblocked(ctx.db, viewerId, visibleIds);
  const { skip: requestedSkip, after } = parseOffset(query.offset);
  // A cursor without a position comes from a list without new creators, so their slots are over.
  const [, , position = String(NEW_CREATOR_SLOTS.every * NEW_CREATOR_SLOTS.max)] = after?.split(' ') ?? [];
  if (!/^\d{1,9}$/.test(position)) throw createFieldError('offset', texts.invalidOffset);
  const skip = after === undefined ? requestedSkip : Number(position);
  const listing = createListing(ctx, viewerId, query);
  const countPromise = countListing(ctx.db, listing, [...listing.parameters.values]);
  listing.name += '-new-creators';
  listing.conditions.push(`c.user_id <> all (${listing.parameters.add(newCreatorIds)}::uuid[])`);
  const cursorConditions = toCursorConditions('recommended', after, listing.parameters);
  const listingSkip = after === undefined ? skip - countSlotsBefore(skip, newCreatorIds.length) : 0;
  const [totalCount, others, newCreatorRows] = await Promise.all([
    countPromise,
    queryListing(ctx.db, listing, { cursorConditions, skip: listingSkip, limit: limit + 1 }),
    ctx.db.run<CreatorRow>(BY_IDS, [viewerId, newCreatorIds]),
  ]);
  const rows = mergeNewCreators(others, newCreatorRows, skip, limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.findLast(({ id }) => !newCreatorIds.includes(id));
  return {
    data: shown.map((row) => presentCard(ctx, row)),
    limit,
    totalCount,
    ...(rows.length > limit && {
      nextOffset: last ? toCursor(`${last.follower_count} ${last.id} ${skip + limit}`) : String(skip + limit),
    }),
  };
}

export async function listCreatorCards(
  ctx: Context,
  actor: Actor | undefined,
  query: Query,
): Promise<ResponseInputOf<typeof listCreators>> {
  const { limit, sort, search, category, exclude } = query;
  const viewerId = actor?.userId ?? null;
  if (search !== '') return searchCreators(ctx, viewerId, query);
  if (sort === 'recommended' && !category && !exclude && !hasSubscriptionFilter(query)) {
    const newCreatorIds = await listNewCreators(ctx);
    if (newCreatorIds.length > 0) return listRecommended(ctx, viewerId, query, newCreatorIds);
  }
  const { skip, after } = parseOffset(query.offset);
  const listing = createListing(ctx, viewerId, query);
  const countPromise = countListing(ctx.db, listing, [...listing.parameters.values]);
  const cursorConditions = toCursorConditions(sort, after, listing.parameters);
  const [totalCount, rows] = await Promise.all([
    countPromise,
    queryListing(ctx.db, listing, { cursorConditions, skip, limit: limit + 1 }),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const cursor = last && toCursor(sort === 'new' ? last.id : `${last.follower_count} ${last.id}`);
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

export async function listFollowedCreators(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof listFollowing>,
): Promise<ResponseInputOf<typeof listFollowing>> {
  const { limit, search, sort, status } = query;
  const { skip, after } = parseOffset(query.offset);
  if (after !== undefined) throw createFieldError('offset', texts.invalidOffset);
  const parameters = new SqlParameters(actor.userId);
  const patterns = toLikePatterns(search);
  const conditions = ['f.fan_id = $1::uuid', 'not u.is_blocked'];
  for (const pattern of patterns) {
    const parameter = parameters.add(pattern);
    conditions.push(
      `(unaccent_lower(u.name) like unaccent_lower(${parameter}) or (has_unspaced_script(${parameter}) and replace(unaccent_lower(u.name), ' ', '') like unaccent_lower(${parameter})) or unaccent_lower(u.username::text) like unaccent_lower(${parameter}))`,
    );
  }
  if (status === 'muted') conditions.push(MUTED);
  if (status === 'online') conditions.push(`c.user_id = any (${parameters.add(listOnlineIds(ctx))}::uuid[])`);
  const geoSuffix = excludeGeoBlocked(conditions, parameters);
  const listing: CreatorListing = {
    name: `profiles-followed-${sort}-${patterns.length}${status ?? ''}${geoSuffix}`,
    from: 'follows f join creators c on c.user_id = f.creator_id join users u on u.id = c.user_id',
    conditions,
    viewerIndependent: [],
    order: sort === 'name' ? 'unaccent_lower(u.name), c.user_id' : 'f.created_at desc, c.user_id desc',
    parameters,
  };
  const countPromise = countListing(ctx.db, listing, [...parameters.values]);
  const [totalCount, rows] = await Promise.all([
    countPromise,
    queryListing(ctx.db, listing, { cursorConditions: [], skip, limit: limit + 1 }),
  ]);
  const data = rows.slice(0, limit).map((row) => presentCard(ctx, row));
  return { data, limit, totalCount, ...(rows.length > limit ? { nextOffset: String(skip + limit) } : {}) };
}

const COUNTS = {
  name: 'profiles-following-counts',
  text: `select count(*) as following, count(*) filter (where f.creator_id = any ($2::uuid[])) as online,
      count(*) filter (where ${MUTED}) as muted
    from follows f join users u on u.id = f.creator_id where f.fan_id = $1 and not u.is_blocked and f.creator_id <> all ($3::uuid[])`,
};

export async function countFollowedCreators(
  ctx: Context,
  actor: Actor,
): Promise<ResponseInputOf<typeof getFollowingCounts>> {
  const [row] = await ctx.db.run<{ following: number; online: number; muted: number }>(COUNTS, [
    actor.userId,
    listOnlineIds(ctx),
    listGeoBlockedIds(),
  ]);
  return row ?? { following: 0, online: 0, muted: 0 };
}

import { FEATURED_WORKS, type listFeaturedWorks, type listWorks } from '@stagedoor/contract/content/discovery-works.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { MAX_SKIP, parseIdOffset, toCursor } from '../../../platform/database/pagination.ts';
import { listGeoBlockedIds } from '../../../platform/geo.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { blockedCreatorIdsSql, blockedPairSql } from '../../identity/blocks/index.ts';
import { isFree } from '../entitlements/index.ts';
import { isVisible } from './access.ts';
import { createPostsStatement, type PostRow, queryPosts } from './hydrate.ts';
import { presentPost } from './present.ts';

type CreatorWorks = { open: string | null; priced: string | null };

/** $1 viewer, $2 creators hidden in the caller's region. Only the latest posts of each creator are considered. */
const LATEST_WORKS: SqlStatement = {
  name: 'posts-latest-works',
  text: `select w.ids, w.prices from (
      select c.user_id, c.last_post_at from creators c
        where c.is_listed and c.last_post_at is not null and c.user_id <> all ($2::uuid[] || ${blockedCreatorIdsSql('$1::uuid')})
        order by c.last_post_at desc, c.user_id desc limit ${FEATURED_WORKS.creators}) m
    cross join lateral (
      select coalesce(array_agg(p.id order by p.id desc), '{}') as ids,
          coalesce(array_agg(p.price_cents::int order by p.id desc), '{}') as prices
        from (select p.id, p.price_cents from posts p where p.creator_id = m.user_id and p.removed_at is null and p.media_count > 0
          order by p.id desc limit ${FEATURED_WORKS.latest}) p) w
    order by m.last_post_at desc, m.user_id desc`,
};

type LatestWorksRow = { ids: string[]; prices: number[] };

function toCreatorWorks({ ids, prices }: LatestWorksRow): CreatorWorks {
  const isOpen = (index: number) => isFree(prices[index] ?? 0);
  return {
    open: ids.find((_, index) => isOpen(index)) ?? null,
    priced: ids.find((_, index) => !isOpen(index)) ?? null,
  };
}

/**
 * Selects one work per creator, in their order. Every fourth slot has a price, and creators without an open work come
 * into those first.
 */
export function selectFeaturedWorks(creators: readonly CreatorWorks[]): string[] {
  const remaining = creators.filter(({ open, priced }) => open !== null || priced !== null);
  const selected: string[] = [];
  const takeWork = (isFitting: (creator: CreatorWorks) => boolean, field: keyof CreatorWorks): string | null => {
    const index = remaining.findIndex(isFitting);
    const [creator] = index < 0 ? [] : remaining.splice(index, 1);
    return creator?.[field] ?? null;
  };
  while (remaining.length > 0) {
    const isPriced = (selected.length + 1) % FEATURED_WORKS.every === 0;
    const id = isPriced
      ? (takeWork(({ open }) => open === null, 'priced') ?? takeWork(({ priced }) => priced !== null, 'priced'))
      : takeWork(({ open }) => open !== null, 'open');
    // If no creator fits the slot, the next one fills it with any work.
    const workId = id ?? takeWork(() => true, remaining[0]?.open ? 'open' : 'priced');
    if (workId !== null) selected.push(workId);
  }
  return selected;
}

const BY_IDS = createPostsStatement(
  'posts-by-ids',
  'select n.id, n.position from unnest($2::uuid[]) with ordinality as n (id, position)',
  { order: 'page.position' },
);

export async function getFeaturedWorksPage(
  ctx: Context,
  actor: Actor | undefined,
  { limit }: QueryOf<typeof listFeaturedWorks>,
): Promise<ResponseInputOf<typeof listFeaturedWorks>> {
  const viewerId = actor?.userId ?? null;
  const latest = await ctx.db.run<LatestWorksRow>(LATEST_WORKS, [viewerId, listGeoBlockedIds()]);
  const ids = selectFeaturedWorks(latest.map(toCreatorWorks)).slice(0, limit);
  const rows = ids.length > 0 ? await queryPosts(ctx.db, BY_IDS, [viewerId, ids]) : [];
  return { dependsOnAllPosts: true, data: rows.filter(isVisible).map(presentPost), limit };
}

/** This many posts are read for one page, so that a category with few works costs no more. */
export const MAX_SCANNED_POSTS = 20_000;

/**
 * $2 before which id, $3 skip, $4 limit, $5 creators hidden in the caller's region, $6 category. Creators are looked up
 * one by one, while posts are read in their order.
 */
const createWorksStatement = (filter: '' | 'of-category') =>
  createPostsStatement(
    `posts-works${filter && '-of-category'}`,
    `select p.id from (select q.id, q.creator_id from posts q where q.removed_at is null and q.media_count > 0 and q.id < $2::uuid
        order by q.id desc limit ${MAX_SCANNED_POSTS}) p
      cross join lateral (select from creators c where c.user_id = p.creator_id and c.is_listed and c.user_id <> all ($5::uuid[])
        ${filter && 'and c.category = $6'} and not ${blockedPairSql('$1::uuid', 'c.user_id')} offset 0) c
      order by p.id desc offset $3 limit $4`,
  );
const ALL = createWorksStatement('');
const BY_CATEGORY = createWorksStatement('of-category');

const LAST_SCANNED: SqlStatement = {
  name: 'posts-works-last',
  text: `select q.id from posts q where q.removed_at is null and q.media_count > 0 and q.id < $1::uuid
    order by q.id desc offset ${MAX_SCANNED_POSTS - 1} limit 1`,
};

/** May return fewer works than requested with a `nextOffset`. Throws VALIDATION for a cursor of another list. */
export async function getWorksPage(
  ctx: Context,
  actor: Actor | undefined,
  { category, limit, offset }: QueryOf<typeof listWorks>,
): Promise<ResponseInputOf<typeof listWorks>> {
  const { before, skip } = parseIdOffset(offset);
  const values = [actor?.userId ?? null, before, Math.min(skip, MAX_SKIP), limit + 1, listGeoBlockedIds()];
  const rows = await queryWorks(ctx.db, values, category);
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? shown.at(-1) : (await ctx.db.run<{ id: string }>(LAST_SCANNED, [before]))[0];
  return {
    dependsOnAllPosts: true,
    data: shown.filter(isVisible).map(presentPost),
    limit,
    ...(next && { nextOffset: toCursor(next.id) }),
  };
}

function queryWorks(db: Executor, values: unknown[], category: string | undefined): Promise<PostRow[]> {
  return category === undefined ? queryPosts(db, ALL, values) : queryPosts(db, BY_CATEGORY, [...values, category]);
}

import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { HANGING, type listHanging, type listWorks } from '@stagedoor/contract/works.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { cursorOf, DEEPEST_SKIP, readIdOffset } from '../../kernel/offset.ts';
import { hiddenHere } from '../../kernel/places.ts';
import type { Actor } from '../../kernel/session.ts';
import { apart, creatorsApart } from '../blocks/index.ts';
import { isFree } from '../entitlements/index.ts';
import { isVisible } from './access.ts';
import { type PostRow, postsStatement, readPosts } from './hydrate.ts';
import { presentPost } from './present.ts';

type Maker = { open: string | null; priced: string | null };

/** $1 viewer, $2 creators hidden in the caller's region. Only the latest posts of each creator are considered. */
const MAKERS: Statement = {
  name: 'posts-makers',
  text: `select w.ids, w.prices from (
      select c.user_id, c.last_post_at from creators c
        where c.is_listed and c.last_post_at is not null and c.user_id <> all ($2::uuid[] || ${creatorsApart('$1::uuid')})
        order by c.last_post_at desc, c.user_id desc limit ${HANGING.creators}) m
    cross join lateral (
      select coalesce(array_agg(p.id order by p.id desc), '{}') as ids,
          coalesce(array_agg(p.price_cents::int order by p.id desc), '{}') as prices
        from (select p.id, p.price_cents from posts p where p.creator_id = m.user_id and p.removed_at is null and p.media_count > 0
          order by p.id desc limit ${HANGING.latest}) p) w
    order by m.last_post_at desc, m.user_id desc`,
};

type Latest = { ids: string[]; prices: number[] };

function makerOf({ ids, prices }: Latest): Maker {
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
export function hang(makers: readonly Maker[]): string[] {
  const left = makers.filter(({ open, priced }) => open !== null || priced !== null);
  const hung: string[] = [];
  const take = (isFit: (maker: Maker) => boolean, which: keyof Maker): string | null => {
    const place = left.findIndex(isFit);
    const [maker] = place < 0 ? [] : left.splice(place, 1);
    return maker?.[which] ?? null;
  };
  while (left.length > 0) {
    const isPriced = (hung.length + 1) % HANGING.every === 0;
    const id = isPriced
      ? (take(({ open }) => open === null, 'priced') ?? take(({ priced }) => priced !== null, 'priced'))
      : take(({ open }) => open !== null, 'open');
    // If no creator fits the slot, the next one fills it with any work.
    const hangs = id ?? take(() => true, left[0]?.open ? 'open' : 'priced');
    if (hangs !== null) hung.push(hangs);
  }
  return hung;
}

const BY_IDS = postsStatement(
  'posts-by-ids',
  'select n.id, n.place from unnest($2::uuid[]) with ordinality as n (id, place)',
  { order: 'page.place' },
);

export async function listHung(
  ctx: Context,
  actor: Actor | undefined,
  { limit }: QueryOf<typeof listHanging>,
): Promise<AnswerOf<typeof listHanging>> {
  const viewerId = actor?.userId ?? null;
  const latest = await ctx.db.run<Latest>(MAKERS, [viewerId, hiddenHere()]);
  const ids = hang(latest.map(makerOf)).slice(0, limit);
  const rows = ids.length > 0 ? await readPosts(ctx.db, BY_IDS, [viewerId, ids]) : [];
  return { isEverybodys: true, data: rows.filter(isVisible).map(presentPost), limit };
}

/** This many posts are read for one page, so that a craft with few works costs no more. */
export const LOOKED_AT = 20_000;

/**
 * $2 before which id, $3 skip, $4 limit, $5 creators hidden in the caller's region, $6 craft. Creators are looked up
 * one by one, while posts are read in their order.
 */
const works = (craft: '' | 'of-craft') =>
  postsStatement(
    `posts-works${craft && '-of-craft'}`,
    `select p.id from (select q.id, q.creator_id from posts q where q.removed_at is null and q.media_count > 0 and q.id < $2::uuid
        order by q.id desc limit ${LOOKED_AT}) p
      cross join lateral (select from creators c where c.user_id = p.creator_id and c.is_listed and c.user_id <> all ($5::uuid[])
        ${craft && 'and c.category = $6'} and not ${apart('$1::uuid', 'c.user_id')} offset 0) c
      order by p.id desc offset $3 limit $4`,
  );
const ALL = works('');
const OF_CRAFT = works('of-craft');

const LAST_LOOKED_AT: Statement = {
  name: 'posts-works-last',
  text: `select q.id from posts q where q.removed_at is null and q.media_count > 0 and q.id < $1::uuid
    order by q.id desc offset ${LOOKED_AT - 1} limit 1`,
};

/** May return fewer works than requested with a `nextOffset`. Throws VALIDATION for a cursor of another list. */
export async function listAll(
  ctx: Context,
  actor: Actor | undefined,
  { category, limit, offset }: QueryOf<typeof listWorks>,
): Promise<AnswerOf<typeof listWorks>> {
  const { before, skip } = readIdOffset(offset);
  const values = [actor?.userId ?? null, before, Math.min(skip, DEEPEST_SKIP), limit + 1, hiddenHere()];
  const rows = await readWorks(ctx.db, values, category);
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? shown.at(-1) : (await ctx.db.run<{ id: string }>(LAST_LOOKED_AT, [before]))[0];
  return {
    isEverybodys: true,
    data: shown.filter(isVisible).map(presentPost),
    limit,
    ...(next && { nextOffset: cursorOf(next.id) }),
  };
}

function readWorks(db: Executor, values: unknown[], category: string | undefined): Promise<PostRow[]> {
  return category === undefined ? readPosts(db, ALL, values) : readPosts(db, OF_CRAFT, [...values, category]);
}

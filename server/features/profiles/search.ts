/** Uses lists of words, so that the cost does not grow with the number of creators. */
import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { SEARCH_WORDS } from '@stagedoor/contract/atoms/limits.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { listCreators } from '@stagedoor/contract/profiles.ts';
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { cursorOf, DEEPEST_SKIP, readOffset } from '../../kernel/offset.ts';
import { hiddenHere } from '../../kernel/places.ts';
import { creatorsApart } from '../blocks/index.ts';
import { onlineIds } from '../presence/index.ts';
import { type CreatorRow, creatorsStatement, presentCard } from './card.ts';

function wordsOf(search: string): string[] {
  return search
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, SEARCH_WORDS);
}

export function patternsOf(search: string): string[] {
  return wordsOf(search).map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
}

type Query = QueryOf<typeof listCreators>;
type Found = CreatorRow & { part: number; rank: number };
type Place = { part: number; rank: number | null; id: string | null; came: number };

const FOLLOWED = 'array(select f.creator_id from follows f where f.fan_id = $1::uuid)';
/** Limits a search to these creators. Null means everyone. $10 holds the creators who are online, or null. */
const AMONG: Readonly<Record<Query['sort'], string>> = {
  recommended: '$10::uuid[]',
  new: '$10::uuid[]',
  online: 'array(select o.user_id from creators o where o.user_id = any ($10::uuid[]) and o.post_count > 0)',
  following: `$10::uuid[] || ${FOLLOWED}`,
};

function statementOf({ sort, exclude }: Query): Statement {
  const own = ['array_remove(array[$1::uuid], null)', FOLLOWED];
  const without = ['$11::uuid[]', creatorsApart('$1::uuid'), ...(exclude ? own : [])];
  return creatorsStatement(
    `profiles-search-${sort}${exclude ? `-${exclude}` : ''}`,
    `select f.id, f.place, f.part, f.rank from creators_found($2::text, $3::text[], $4::text, $5::boolean, $6::int, $7::smallint, $8::uuid,
      $9::int, ${AMONG[sort]}, ${without.join(' || ')}) with ordinality as f (id, part, rank, place)`,
    ', page.part, page.rank',
  );
}

function readPlace(after: string | undefined): Place {
  if (after === undefined) return { part: 0, rank: null, id: null, came: 0 };
  const [, part, rank, id, came] = /^([12]) (\d{1,2}) (\S+) (\d{1,9})$/.exec(after) ?? [];
  if (id === undefined || !isId(id)) throw invalid('offset', 'Invalid offset');
  return { part: Number(part), rank: Number(rank), id, came: Number(came) };
}

/** `totalCount` is the number returned so far, plus one if there are more. Throws VALIDATION for an invalid cursor. */
export async function searchCreators(
  ctx: Context,
  viewerId: string | null,
  query: Query,
): Promise<AnswerOf<typeof listCreators>> {
  const { search, category, sort, limit } = query;
  const { skip: asked, after } = readOffset(query.offset);
  const skip = Math.min(asked, DEEPEST_SKIP);
  const { part, rank, id, came } = readPlace(after);
  const rows = await ctx.db.run<Found>(statementOf(query), [
    viewerId,
    wordsOf(search).join(' '),
    patternsOf(search),
    category ?? null,
    sort === 'new',
    part,
    rank,
    id,
    skip + limit + 1,
    sort === 'online' ? onlineIds(ctx) : null,
    hiddenHere(),
  ]);
  const shown = rows.slice(skip, skip + limit);
  const last = shown.at(-1);
  const isMore = rows.length > skip + limit;
  const count = came + skip + shown.length;
  return {
    data: shown.map((row) => presentCard(ctx, row)),
    limit,
    totalCount: last ? count + Number(isMore) : came + Math.min(rows.length, skip),
    // Results with only some of the words are limited to one page.
    ...(isMore && last && last.part < 3 && { nextOffset: cursorOf(`${last.part} ${last.rank} ${last.id} ${count}`) }),
  };
}

/** Uses lists of words, so that the cost does not grow with the number of creators. */

import type { listCreators } from '@stagedoor/contract/content/profiles.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { SEARCH_TERMS_MAX } from '@stagedoor/contract/shared/limits.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { MAX_SKIP, parseOffset, toCursor } from '../../../platform/database/pagination.ts';
import { listGeoBlockedIds } from '../../../platform/geo.ts';
import { blockedCreatorIdsSql } from '../../identity/blocks/index.ts';
import { listOnlineIds } from '../../identity/presence/index.ts';
import { type CreatorRow, createCreatorsStatement, presentCard } from './card.ts';
import { toMaxCents } from './subscription-filter.ts';
import * as texts from './texts.ts';

function splitTerms(search: string): string[] {
  return search
    .normalize('NFKC')
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, SEARCH_TERMS_MAX);
}

export function toLikePatterns(search: string): string[] {
  return splitTerms(search).map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
}

type Query = QueryOf<typeof listCreators>;
type SearchRow = CreatorRow & { part: number; rank: number };
type SearchCursor = { part: number; rank: number | null; id: string | null; returned: number };

const FOLLOWED_IDS = 'array(select f.creator_id from follows f where f.fan_id = $1::uuid)';
/** Limits a search to these creators. Null means everyone. $10 holds the creators who are online, or null. */
const ONLY_IDS: Readonly<Record<Query['sort'], string>> = {
  recommended: '$10::uuid[]',
  new: '$10::uuid[]',
  online: 'array(select o.user_id from creators o where o.user_id = any ($10::uuid[]) and o.post_count > 0)',
  following: `$10::uuid[] || ${FOLLOWED_IDS}`,
};

function createSearchStatement({ sort, exclude }: Query): SqlStatement {
  const ownIds = ['array_remove(array[$1::uuid], null)', FOLLOWED_IDS];
  const excludedIds = ['$11::uuid[]', blockedCreatorIdsSql('$1::uuid'), ...(exclude ? ownIds : [])];
  return createCreatorsStatement(
    `profiles-search-${sort}${exclude ? `-${exclude}` : ''}`,
    `select f.id, f.position, f.part, f.rank from search_creators($2::text, $3::text[], $4::text, $5::boolean, $6::int, $7::smallint, $8::uuid,
      $9::int, ${ONLY_IDS[sort]}, ${excludedIds.join(' || ')}, $12::bigint, $13::boolean) with ordinality as f (id, part, rank, position)`,
    ', page.part, page.rank',
  );
}

function parseCursor(after: string | undefined): SearchCursor {
  if (after === undefined) return { part: 0, rank: null, id: null, returned: 0 };
  const [, part, rank, id, returned] = /^([12]) (\d{1,2}) (\S+) (\d{1,9})$/.exec(after) ?? [];
  if (id === undefined || !isId(id)) throw createFieldError('offset', texts.invalidOffset);
  return { part: Number(part), rank: Number(rank), id, returned: Number(returned) };
}

/** `totalCount` is the number returned so far, plus one if there are more. Throws VALIDATION for an invalid cursor. */
export async function searchCreators(
  ctx: Context,
  viewerId: string | null,
  query: Query,
): Promise<ResponseInputOf<typeof listCreators>> {
  const { search, category, sort, limit } = query;
  const { skip: requestedSkip, after } = parseOffset(query.offset);
  const skip = Math.min(requestedSkip, MAX_SKIP);
  const { part, rank, id, returned } = parseCursor(after);
  const rows = await ctx.db.run<SearchRow>(createSearchStatement(query), [
    viewerId,
    splitTerms(search).join(' '),
    toLikePatterns(search),
    category ?? null,
    sort === 'new',
    part,
    rank,
    id,
    skip + limit + 1,
    sort === 'online' ? listOnlineIds(ctx) : null,
    listGeoBlockedIds(),
    toMaxCents(query) ?? null,
    query.trial !== undefined,
  ]);
  const shown = rows.slice(skip, skip + limit);
  const last = shown.at(-1);
  const hasMore = rows.length > skip + limit;
  const count = returned + skip + shown.length;
  return {
    data: shown.map((row) => presentCard(ctx, row)),
    limit,
    totalCount: last ? count + Number(hasMore) : returned + Math.min(rows.length, skip),
    // Results with only some of the words are limited to one page.
    ...(hasMore && last && last.part < 3 && { nextOffset: toCursor(`${last.part} ${last.rank} ${last.id} ${count}`) }),
  };
}

/** A creator's followers (row B12): sorted by time or name, filtered by days, paginated. */
import {
  FOLLOWER_SORT_KEYS,
  type Follower,
  type followersQuery,
  listFollowers,
  SORT_ORDERS,
} from '@stagedoor/contract/content/follows.ts';
import { keepPreviousData } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type * as z from 'zod/mini';
import { parseDayParam, parseOption } from '../../../platform/address.ts';
import { formatDay } from '../../../platform/dates.ts';
import { apiQuery } from '../../../platform/query.ts';
import { UserRow } from '../../../ui/card.tsx';
import * as texts from './texts.ts';

export type FollowerFilters = Required<
  Pick<z.output<typeof followersQuery>, 'sortByKey' | 'sortOrderBy' | 'currentPage' | 'limit'>
> &
  Pick<z.output<typeof followersQuery>, 'startDate' | 'endDate'>;

const PAGE_SIZE_OPTIONS = ['10', '30', '50'] as const;

export function parseFollowerFilters(search: URLSearchParams): FollowerFilters {
  const [startDate, endDate] = [parseDayParam(search, 'startDate'), parseDayParam(search, 'endDate')];
  const page = Number(search.get('currentPage') ?? '1');
  return {
    sortByKey: parseOption(FOLLOWER_SORT_KEYS, search.get('sortByKey')) ?? 'createdAt',
    sortOrderBy: parseOption(SORT_ORDERS, search.get('sortOrderBy')) ?? 'desc',
    currentPage: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
    limit: Number(parseOption(PAGE_SIZE_OPTIONS, search.get('limit')) ?? '10'),
    ...(startDate && { startDate }),
    ...(endDate && (!startDate || endDate >= startDate) && { endDate }),
  };
}

export const followersPageQuery = (filters: FollowerFilters) => ({
  ...apiQuery(listFollowers, { query: filters }),
  placeholderData: keepPreviousData,
});

export function FollowerRows({
  followers,
  now,
  renderEnd,
  renderNote,
  renderAction,
}: {
  followers: readonly Follower[];
  now: string;
  renderEnd?: (id: Follower['id']) => ReactNode;
  renderNote?: (id: Follower['id']) => ReactNode;
  renderAction?: (follower: Pick<Follower, 'id' | 'name'>) => ReactNode;
}) {
  return (
    <ul className="rows rows--closed wraps" aria-label={texts.followers}>
      {followers.map(({ id, name, username, avatarUrl, followedAt }) => (
        <li key={id} className="flex items-center justify-between gap-4 py-2">
          <div className="min-w-0 flex-1">
            <UserRow name={name} avatar={{ src: avatarUrl }} sub={`@${username}`} />
            {renderNote?.(id)}
          </div>
          <span className="num flex-none text-right text-small text-muted">
            <time className="block" dateTime={followedAt}>
              {formatDay(followedAt, now)}
            </time>
            {renderEnd?.(id)}
          </span>
          {renderAction?.({ id, name })}
        </li>
      ))}
    </ul>
  );
}

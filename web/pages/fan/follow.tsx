/** The creators whom the fan follows (row B3): search, sorting, presence and mute. */

import { FOLLOW_SORTS, FOLLOW_STATUSES } from '@stagedoor/contract/content/profiles.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useRef } from 'react';
import {
  type ClientLoaderFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  type MetaArgs,
  useSearchParams,
  useSubmit,
} from 'react-router';
import {
  type FollowingFilters,
  FollowingRows,
  followingCountsQuery,
  followingQuery,
  parseFollowingFilters,
} from '../../modules/content/profiles/following.tsx';
import { buildAddress } from '../../platform/address.ts';
import { isolateText } from '../../platform/bidi.ts';
import { lazyPart } from '../../platform/lazy-part.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { ChipLink, Chips, Tabs } from '../../ui/chips.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Suggestions, suggestedQuery } from './feed-rail.tsx';
import { Listing } from './listing.tsx';
import * as texts from './texts.ts';

const PATH = PATHS.fanFollow;
const TAB_LABELS = { online: texts.online, muted: texts.muted } as const;
const SORT_LABELS = { recent: texts.newestFirst, name: 'Name' } as const;

const Bell = lazyPart(async () => (await import('../../modules/notifications/push/mute-button.tsx')).MuteButton);

export const handle: PageHandle = { width: 'column' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.following });

const load: PageLoad<null> = async ({ client, url }) => {
  await awaitOnServer(
    client.ensureQueryData(followingCountsQuery()),
    client.prefetchQuery(suggestedQuery()),
    client.ensureInfiniteQueryData(followingQuery(parseFollowingFilters(url.searchParams))),
  );
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function Search({ filters }: { filters: FollowingFilters }) {
  const submit = useSubmit();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current && field.current !== document.activeElement) field.current.value = filters.search;
  }, [filters.search]);
  return (
    <search>
      <Form
        action={PATH}
        className="search"
        onChange={(event) => void submit(event.currentTarget, { replace: true, preventScrollReset: true })}
      >
        <Icon name="search" />
        <input
          ref={field}
          className="search__input"
          type="search"
          name="search"
          aria-label={texts.searchUsersYouFollow}
          placeholder={texts.searchByName}
          defaultValue={filters.search}
          enterKeyHint="search"
          autoComplete="off"
          maxLength={100}
        />
        {filters.tab && <input type="hidden" name="tab" value={filters.tab} />}
        {filters.sort !== 'recent' && <input type="hidden" name="sort" value={filters.sort} />}
      </Form>
    </search>
  );
}

function Empty({ filters }: { filters: FollowingFilters }) {
  if (filters.search)
    return (
      <EmptyState
        line={formatText(texts.noFollowingMatches, { search: isolateText(filters.search) })}
        action={<Button href={PATH}>{texts.showEveryoneYouFollow}</Button>}
      />
    );
  if (filters.tab === 'muted')
    return (
      <EmptyState
        line={texts.noMutedTitle}
        more={texts.noMutedHint}
        action={<Button href={PATH}>{texts.showEveryoneYouFollow}</Button>}
      />
    );
  if (filters.tab === 'online')
    return (
      <EmptyState
        line={texts.noOnlineFollowingTitle}
        action={<Button href="/?sort=online">{texts.seeWhoIsOnline}</Button>}
      />
    );
  return (
    <>
      <EmptyState line={texts.emptyFollowingTitle} action={<Button href="/">{texts.findCreators}</Button>} />
      <Suggestions />
    </>
  );
}

export default function FollowPage() {
  const [search] = useSearchParams();
  const filters = parseFollowingFilters(search);
  const counts = useQuery(followingCountsQuery()).data;
  const query = useInfiniteQuery(followingQuery(filters));
  const followsNoCreators = counts?.following === 0 && !filters.tab && !filters.search;
  const tabs = [
    { href: PATH, label: texts.following, count: counts?.following.toLocaleString('en-US') },
    ...FOLLOW_STATUSES.map((tab) => ({
      href: `${PATH}?tab=${tab}`,
      label: TAB_LABELS[tab],
      count: counts?.[tab].toLocaleString('en-US'),
    })),
  ];
  return (
    <div className="pt-7 lg:pt-10">
      <h1 className="display d2 mb-3">{texts.following}</h1>
      {!followsNoCreators && (
        <>
          <Tabs label={texts.following} tabs={tabs} current={filters.tab ? `${PATH}?tab=${filters.tab}` : PATH} />
          <div className="grid grid-cols-1 gap-3 py-4">
            <Search filters={filters} />
            <Chips label={texts.sortBy}>
              {FOLLOW_SORTS.map((sort) => (
                <ChipLink
                  key={sort}
                  href={buildAddress(PATH, search, { sort: sort === 'recent' ? undefined : sort })}
                  current={filters.sort === sort}
                >
                  {SORT_LABELS[sort]}
                </ChipLink>
              ))}
            </Chips>
          </div>
        </>
      )}
      <Listing query={query} isEmpty={(pages) => !pages[0]?.data.length} empty={<Empty filters={filters} />}>
        {(pages) => (
          <>
            <FollowingRows
              creators={pages.flatMap((page) => page.data)}
              renderActions={(creator) => (
                <Suspense fallback={<span className="size-11" />}>
                  <Bell creator={creator} />
                </Suspense>
              )}
            />
            <Pager
              onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
              busy={query.isFetchingNextPage}
            />
          </>
        )}
      </Listing>
    </div>
  );
}

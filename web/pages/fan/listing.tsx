import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { Pager, type PagerProps } from '../../ui/pager.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import * as texts from './texts.ts';

export interface ListQuery<Page> {
  data: { pages: Page[] } | undefined;
  isPending: boolean;
  isError: boolean;
  isFetching: boolean;
  fetchStatus: 'fetching' | 'paused' | 'idle';
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

export interface ListingProps<Page> {
  query: ListQuery<Page>;
  skeleton?: ReactNode;
  isEmpty: (pages: Page[]) => boolean;
  empty: ReactNode;
  children: (pages: Page[]) => ReactNode;
}

const OFFLINE = texts.offlineLoadHint;

export function Listing<Page>({
  query,
  skeleton = <SkeletonRows count={6} />,
  isEmpty,
  empty,
  children,
}: ListingProps<Page>) {
  if (query.data) {
    return (
      <>
        {isEmpty(query.data.pages) ? empty : children(query.data.pages)}
        {query.isFetchNextPageError && (
          <ErrorState
            title={texts.loadMoreError}
            onRetry={() => void query.fetchNextPage()}
            busy={query.isFetchingNextPage}
          />
        )}
      </>
    );
  }
  if (query.fetchStatus === 'paused')
    return (
      <div data-awaited="">
        <ErrorState title={texts.loadPageError} more={OFFLINE} onRetry={() => void query.refetch()} />
      </div>
    );
  if (query.isError && !query.isFetching) return <ErrorState onRetry={() => void query.refetch()} />;
  return skeleton;
}

interface CountedPage<T> {
  data: readonly T[];
  totalCount: number;
}

export function CountedListing<T>({
  pager,
  unit = '',
  children,
  ...listing
}: Pick<ListingProps<CountedPage<T>>, 'query' | 'skeleton' | 'empty'> & {
  pager?: (total: number) => PagerProps;
  unit?: string;
  children: (all: T[]) => ReactNode;
}) {
  const { query } = listing;
  return (
    <Listing {...listing} isEmpty={(pages) => !pages[0]?.data.length}>
      {(pages) => {
        const all = pages.flatMap((page) => page.data);
        const total = pages[0]?.totalCount ?? all.length;
        return (
          <>
            {children(all)}
            <Pager
              onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
              busy={query.isFetchingNextPage}
              shown={formatText(texts.shownOfTotal, {
                shownCount: all.length.toLocaleString('en-US'),
                total: total.toLocaleString('en-US'),
                unit,
              })}
              {...pager?.(total)}
            />
          </>
        );
      }}
    </Listing>
  );
}

/** Loads the next page before the end of a list is reached. A failed page is retried only by the user. */
export function Sentinel({
  query,
}: {
  query: Pick<ListQuery<unknown>, 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'>;
}) {
  const sentinel = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const shouldLoad = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    const element = sentinel.current;
    if (!shouldLoad || !element) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && fetchNextPage(),
      { rootMargin: '1200px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [shouldLoad, fetchNextPage]);
  return <div ref={sentinel} aria-hidden="true" />;
}

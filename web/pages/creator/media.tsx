/** The creator's media library (row C7) with live processing status. */

import type { Media } from '@stagedoor/contract/content/media.ts';
import { getCurrentUser } from '@stagedoor/contract/identity/accounts.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useSearchParams } from 'react-router';
import { LibraryFilters } from '../../modules/content/media/library/library-filters.tsx';
import { LibraryGrid } from '../../modules/content/media/library/library-grid.tsx';
import {
  LIBRARY_PATH,
  type LibraryFilterState,
  libraryQuery,
  parseLibraryFilters,
} from '../../modules/content/media/library/queries.ts';
import { SelectionBar } from '../../modules/content/media/library/selection.tsx';
import { toUniqueItems } from '../../modules/content/media/library/socket-events.ts';
import { useLiveLibrary } from '../../modules/content/media/library/use-library.ts';
import { isolateText } from '../../platform/bidi.ts';
import { formatCount } from '../../platform/dates.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { useApi } from '../../platform/query.ts';
import { Button } from '../../ui/button.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState, SkeletonCards } from '../../ui/states.tsx';
import { Listing, Sentinel } from '../fan/listing.tsx';
import { UploadHeader } from './media-uploads.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.media });

const load: PageLoad<null> = async ({ client, url }) => {
  await awaitOnServer(client.ensureInfiniteQueryData(libraryQuery(parseLibraryFilters(url.searchParams))));
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function Empty({ filters }: { filters: LibraryFilterState }) {
  const isFiltered = filters.type !== 'all' || filters.use !== 'all' || filters.search !== '';
  if (isFiltered)
    return (
      <EmptyState
        line={
          filters.search
            ? formatText(texts.noResultsForSearch, { search: isolateText(filters.search) })
            : texts.noMatchingFiles
        }
        action={<Button href={LIBRARY_PATH}>{texts.showAll}</Button>}
      />
    );
  return (
    <EmptyState
      line={texts.noMediaYet}
      more={texts.noMediaHint}
      action={<Button href={PATHS.creatorNewPost}>{texts.createAPost}</Button>}
    />
  );
}

function toggleId(chosen: ReadonlySet<Media['id']>, id: Media['id']): ReadonlySet<Media['id']> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}

function Library({ filters }: { filters: LibraryFilterState }) {
  const query = useInfiniteQuery(libraryQuery(filters));
  const [chosen, setChosen] = useState<ReadonlySet<Media['id']>>();
  const total = query.data?.pages[0]?.totalCount ?? 0;
  const selecting = chosen && {
    has: (id: Media['id']) => chosen.has(id),
    toggle: (id: Media['id']) => setChosen(toggleId(chosen, id)),
  };
  return (
    <>
      <LibraryFilters filters={filters} />
      <div className="flex min-h-11 items-center justify-between gap-4 pt-4 pb-3">
        <p className="text-small text-muted tabular-nums" role="status">
          {query.data && formatCount(total, 'file')}
        </p>
        {total > 0 && !chosen && (
          <Button variant="quiet" className="-mr-2.5" onClick={() => setChosen(new Set())}>
            {texts.select}
          </Button>
        )}
      </div>
      <Listing
        query={query}
        skeleton={
          <SkeletonCards count={10} ratio="1" className="grid grid-cols-2 gap-2 md:grid-cols-3 xl:grid-cols-5" />
        }
        isEmpty={(pages) => toUniqueItems(pages).length === 0}
        empty={<Empty filters={filters} />}
      >
        {(pages) => {
          const items = toUniqueItems(pages);
          return (
            <>
              <LibraryGrid items={items} selection={selecting} />
              <Sentinel query={query} />
              {query.hasNextPage && !query.isFetchNextPageError && (
                <Pager onMore={() => void query.fetchNextPage()} busy={query.isFetchingNextPage} />
              )}
              {chosen && (
                <SelectionBar
                  items={items}
                  selectedIds={chosen}
                  onSelect={setChosen}
                  onEnd={() => setChosen(undefined)}
                />
              )}
            </>
          );
        }}
      </Listing>
    </>
  );
}

export default function MediaLibrary() {
  const [search] = useSearchParams();
  const filters = parseLibraryFilters(search);
  const me = useApi(getCurrentUser, {});
  useLiveLibrary();
  return (
    <>
      <UploadHeader title={texts.media} ownerId={me.id} />
      <Library key={`${filters.type} ${filters.use} ${filters.search}`} filters={filters} />
    </>
  );
}

import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { searchLedger } from '@stagedoor/contract/admin/ledger.ts';
import { useQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { adminSearchQuery, parseSearch } from '../../modules/admin/console/search/queries.ts';
import { AdminSearchForm, SearchResults } from '../../modules/admin/console/search/search-results.tsx';
import { formatExactTime } from '../../platform/dates.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { useCanCallRoute } from '../../platform/operator.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { formatNodes } from '../../ui/format-nodes.ts';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.search });

const load = createAdminLoad(({ client, url }) =>
  client.prefetchQuery(adminSearchQuery(parseSearch(url.searchParams))),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function SearchResultsSection({ q }: { q: string }) {
  const { now } = useLoaderData<typeof loader>();
  const canSearchLedger = useCanCallRoute(searchLedger);
  const query = useQuery(adminSearchQuery(q));
  if (q === '')
    return (
      <p className="max-w-160 text-small text-muted">
        {formatNodes(texts.searchHint, { ledgerHint: canSearchLedger && ', payout number or amount such as 12.34' })}
      </p>
    );
  if (!query.data)
    return query.isError ? (
      <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />
    ) : (
      <SkeletonRows count={4} />
    );
  const { data, hasMore, searchedBackTo } = query.data;
  return (
    <>
      {data.length === 0 ? <EmptyState line={texts.noResults} /> : <SearchResults results={data} now={now} />}
      {hasMore && <p className="text-small text-muted">{texts.moreSearchResultsHint}</p>}
      {searchedBackTo !== null && (
        <p className="text-small text-muted">
          {formatNodes(texts.searchedBackTo, {
            date: formatExactTime(searchedBackTo),
            link: (
              <a
                className="underline underline-offset-4"
                href={`${ADMIN_PATHS.adminLedger}?sum=${q.replace(/[$,\s]/g, '')}`}
              >
                {texts.continueInTheLedger}
              </a>
            ),
          })}
        </p>
      )}
    </>
  );
}

export default function SearchPage() {
  const [search] = useSearchParams();
  const q = parseSearch(search);
  return (
    <AdminList title={texts.search}>
      <AdminSearchForm q={q} />
      <SearchResultsSection q={q} />
    </AdminList>
  );
}

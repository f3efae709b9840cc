import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { searchLedger } from '@stagedoor/contract/ledger-desk.ts';
import { useQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { Hits, LookUpForm } from '../../features/desk/lookup/hits.tsx';
import { lookUpQuery, soughtIn } from '../../features/desk/lookup/queries.ts';
import { formatExact } from '../../kernel/dates.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { useMay } from '../../kernel/operator.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { DeskList } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Search' });

const load = deskLoad(({ client, url }) => client.prefetchQuery(lookUpQuery(soughtIn(url.searchParams))));
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

function Found({ q }: { q: string }) {
  const { now } = useLoaderData<typeof loader>();
  const mayMoney = useMay(searchLedger);
  const query = useQuery(lookUpQuery(q));
  if (q === '')
    return (
      <p className="max-w-160 text-small text-muted">
        Search by name, username or email (full or the first letters), case number or ID
        {mayMoney && ', payout number or amount such as 12.34'}. Searches are recorded in the audit log.
      </p>
    );
  if (!query.data)
    return query.isError ? (
      <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />
    ) : (
      <SkeletonRows count={4} />
    );
  const { data, hasMore, lookedBackTo } = query.data;
  return (
    <>
      {data.length === 0 ? <EmptyState line="No results" /> : <Hits hits={data} now={now} />}
      {hasMore && <p className="text-small text-muted">More results available. Refine your search.</p>}
      {lookedBackTo !== null && (
        <p className="text-small text-muted">
          Searched back to {formatExact(lookedBackTo)}.{' '}
          <a
            className="underline underline-offset-4"
            href={`${DESK_PATHS.adminLedger}?sum=${q.replace(/[$,\s]/g, '')}`}
          >
            Continue in the ledger
          </a>
        </p>
      )}
    </>
  );
}

export default function SearchDesk() {
  const [search] = useSearchParams();
  const q = soughtIn(search);
  return (
    <DeskList title="Search">
      <LookUpForm q={q} />
      <Found q={q} />
    </DeskList>
  );
}

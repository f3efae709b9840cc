import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { DeskPage, handle as nameOf } from '../../features/ledger-desk/parts.tsx';
import { ledgerFilters, searchQuery } from '../../features/ledger-desk/queries.ts';
import {
  AccountRows,
  LookedBack,
  PlatformAccounts,
  SearchFields,
  TransactionRows,
} from '../../features/ledger-desk/search.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Listing } from '../fan/listing.tsx';
import { deskLoad } from './desk-load.ts';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Ledger' });

const load = deskLoad(({ client, url }) =>
  begin(client.ensureInfiniteQueryData(searchQuery(ledgerFilters(url.searchParams)))),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function Ledger() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filters = ledgerFilters(search);
  const query = useInfiniteQuery(searchQuery(filters));
  return (
    <DeskPage
      title="Ledger"
      end={
        <span className="flex flex-wrap gap-3">
          <Button href={DESK_PATHS.adminSettlements}>Settlements</Button>
          <Button href={DESK_PATHS.adminReconciliation}>Reconciliation</Button>
        </span>
      }
    >
      <SearchFields filters={filters} />
      <Listing
        query={query}
        isEmpty={(pages) => {
          const [first] = pages;
          return (
            !first ||
            (first.data.length === 0 && first.person === null && first.accounts.length === 0 && !query.hasNextPage)
          );
        }}
        empty={
          <EmptyState
            line="No results. Try different filters."
            action={<Button href={DESK_PATHS.adminLedger}>Clear filters</Button>}
          />
        }
      >
        {(pages) => {
          const [first] = pages;
          const rows = pages.flatMap(({ data }) => data);
          const title = first?.person ? `Accounts of ${nameOf(first.person.username)}` : 'Account';
          return (
            <>
              {first && (first.person ?? first.accounts[0]) && (
                <section aria-labelledby="accounts">
                  <SectionHead id="accounts" title={title} />
                  <AccountRows accounts={first.accounts} label={title} />
                  {first.accounts.length === 0 && <p className="text-muted">No transactions yet</p>}
                </section>
              )}
              {(rows.length > 0 || query.hasNextPage) && (
                <section aria-labelledby="transactions" className="grid gap-4">
                  <SectionHead id="transactions" title="Transactions" />
                  <TransactionRows rows={rows} now={now} />
                  <LookedBack to={pages.at(-1)?.lookedBackTo} />
                  <Pager
                    onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
                    busy={query.isFetchingNextPage}
                    endText="End of list"
                  />
                </section>
              )}
            </>
          );
        }}
      </Listing>
      {filters.q === undefined && <PlatformAccounts />}
    </DeskPage>
  );
}

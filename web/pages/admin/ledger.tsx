import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { AdminPage, formatUsername } from '../../modules/admin/ledger-explorer/parts.tsx';
import { parseLedgerFilters, searchQuery } from '../../modules/admin/ledger-explorer/queries.ts';
import {
  AccountRows,
  LedgerTransactionRows,
  PlatformAccounts,
  SearchedUntil,
  SearchFields,
} from '../../modules/admin/ledger-explorer/search.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Listing } from '../fan/listing.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.ledger });

const load = createAdminLoad(({ client, url }) =>
  awaitOnServer(client.ensureInfiniteQueryData(searchQuery(parseLedgerFilters(url.searchParams)))),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function Ledger() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filters = parseLedgerFilters(search);
  const query = useInfiniteQuery(searchQuery(filters));
  return (
    <AdminPage
      title={texts.ledger}
      end={
        <span className="flex flex-wrap gap-3">
          <Button href={ADMIN_PATHS.adminSettlements}>{texts.settlements}</Button>
          <Button href={ADMIN_PATHS.adminReconciliation}>{texts.reconciliation}</Button>
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
            (first.data.length === 0 && first.user === null && first.accounts.length === 0 && !query.hasNextPage)
          );
        }}
        empty={
          <EmptyState
            line={texts.noFilteredResults}
            action={<Button href={ADMIN_PATHS.adminLedger}>{texts.clearFilters}</Button>}
          />
        }
      >
        {(pages) => {
          const [first] = pages;
          const rows = pages.flatMap(({ data }) => data);
          const title = first?.user
            ? formatText(texts.accountsOfUser, { username: formatUsername(first.user.username) })
            : texts.account;
          return (
            <>
              {first && (first.user ?? first.accounts[0]) && (
                <section aria-labelledby="accounts">
                  <SectionHead id="accounts" title={title} />
                  <AccountRows accounts={first.accounts} label={title} />
                  {first.accounts.length === 0 && <p className="text-muted">{texts.noTransactionsYet}</p>}
                </section>
              )}
              {(rows.length > 0 || query.hasNextPage) && (
                <section aria-labelledby="transactions" className="grid gap-4">
                  <SectionHead id="transactions" title={texts.transactions} />
                  <LedgerTransactionRows rows={rows} now={now} />
                  <SearchedUntil to={pages.at(-1)?.searchedBackTo} />
                  <Pager
                    onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
                    busy={query.isFetchingNextPage}
                    endText={texts.endOfList}
                  />
                </section>
              )}
            </>
          );
        }}
      </Listing>
      {filters.q === undefined && <PlatformAccounts />}
    </AdminPage>
  );
}

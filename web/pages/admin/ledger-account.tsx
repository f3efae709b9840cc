import { ADMIN_PATHS, ledgerAccountPath, ledgerSearchPath } from '@stagedoor/contract/admin/addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useParams,
  useSearchParams,
} from 'react-router';
import { AdminPage, formatAmount, formatUsername } from '../../modules/admin/ledger-explorer/parts.tsx';
import { parseLedgerFilters, statementQuery } from '../../modules/admin/ledger-explorer/queries.ts';
import { SearchedUntil } from '../../modules/admin/ledger-explorer/search.tsx';
import { StatementFields, StatementTable } from '../../modules/admin/ledger-explorer/statement.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Listing } from '../fan/listing.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide', nav: ADMIN_PATHS.adminLedger };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.account });

const load = createAdminLoad(({ client, params, url }) =>
  client.ensureInfiniteQueryData(statementQuery(params.code ?? '', parseLedgerFilters(url.searchParams))),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function AccountStatement({ code }: { code: string }) {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filters = parseLedgerFilters(search);
  const query = useInfiniteQuery(statementQuery(code, filters));
  const first = query.data?.pages[0];
  const owner = first?.account.owner;
  return (
    <AdminPage
      title={first?.account.label ?? texts.account}
      back={{ href: ADMIN_PATHS.adminLedger, label: texts.ledger }}
    >
      {first && (
        <div className="grid gap-1">
          {owner && (
            <p>
              <UiLink href={ledgerSearchPath(owner.id)} className="link">
                <bdi>{owner.name}</bdi> {formatUsername(owner.username)}
              </UiLink>
            </p>
          )}
          <p className="display d3 num">{formatAmount(first.account.balance)}</p>
          <p className="ld__code">{code}</p>
        </div>
      )}
      <StatementFields code={code} filters={filters} hasLines={first?.hasLines ?? false} />
      <Listing
        query={query}
        isEmpty={(pages) => !pages.some(({ data }) => data.length > 0) && !query.hasNextPage}
        empty={
          <EmptyState
            line={texts.noTransactionsInThisPeriod}
            action={<Button href={ledgerAccountPath(code)}>{texts.clearFilters}</Button>}
          />
        }
      >
        {(pages) => (
          <>
            <StatementTable pages={pages} now={now} />
            <SearchedUntil to={pages.at(-1)?.searchedBackTo} />
            <Pager
              onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
              busy={query.isFetchingNextPage}
              endText={texts.endOfList}
            />
          </>
        )}
      </Listing>
    </AdminPage>
  );
}

export default function LedgerAccountPage() {
  const { code = '' } = useParams();
  return <AccountStatement key={code} code={code} />;
}

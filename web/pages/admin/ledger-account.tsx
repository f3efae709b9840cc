import { DESK_PATHS, ledgerAccountPath, ledgerSearchPath } from '@stagedoor/contract/desk-addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useParams,
  useSearchParams,
} from 'react-router';
import { DeskPage, figureText, handle as nameOf } from '../../features/ledger-desk/parts.tsx';
import { ledgerFilters, statementQuery } from '../../features/ledger-desk/queries.ts';
import { LookedBack } from '../../features/ledger-desk/search.tsx';
import { StatementFields, StatementTable } from '../../features/ledger-desk/statement.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Listing } from '../fan/listing.tsx';
import { deskLoad } from './desk-load.ts';

export const handle: PageHandle = { width: 'wide', nav: DESK_PATHS.adminLedger };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Account' });

const load = deskLoad(({ client, params, url }) =>
  client.ensureInfiniteQueryData(statementQuery(params.code ?? '', ledgerFilters(url.searchParams))),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

function Desk({ code }: { code: string }) {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filters = ledgerFilters(search);
  const query = useInfiniteQuery(statementQuery(code, filters));
  const first = query.data?.pages[0];
  const owner = first?.account.owner;
  return (
    <DeskPage title={first?.account.words ?? 'Account'} back={{ href: DESK_PATHS.adminLedger, words: 'Ledger' }}>
      {first && (
        <div className="grid gap-1">
          {owner && (
            <p>
              <UiLink href={ledgerSearchPath(owner.id)} className="link">
                <bdi>{owner.name}</bdi> {nameOf(owner.username)}
              </UiLink>
            </p>
          )}
          <p className="display d3 num">{figureText(first.account.balance)}</p>
          <p className="ld__code">{code}</p>
        </div>
      )}
      <StatementFields code={code} filters={filters} hasLines={first?.hasLines ?? false} />
      <Listing
        query={query}
        isEmpty={(pages) => !pages.some(({ data }) => data.length > 0) && !query.hasNextPage}
        empty={
          <EmptyState
            line="No transactions in this period"
            action={<Button href={ledgerAccountPath(code)}>Clear filters</Button>}
          />
        }
      >
        {(pages) => (
          <>
            <StatementTable pages={pages} now={now} />
            <LookedBack to={pages.at(-1)?.lookedBackTo} />
            <Pager
              onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
              busy={query.isFetchingNextPage}
              endText="End of list"
            />
          </>
        )}
      </Listing>
    </DeskPage>
  );
}

export default function LedgerAccount() {
  const { code = '' } = useParams();
  return <Desk key={code} code={code} />;
}

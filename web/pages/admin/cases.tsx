import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { CASE_QUEUES } from '@stagedoor/contract/case-kinds.ts';
import { CASE_VIEWS } from '@stagedoor/contract/cases-desk.ts';
import { operatorReadsQueue } from '@stagedoor/contract/operator-rights.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { type CaseFilters, caseFilters, countsQuery, inboxQuery } from '../../features/desk/cases/queries.ts';
import { InboxRows } from '../../features/desk/cases/rows.tsx';
import { QUEUE_WORDS, VIEW_WORDS } from '../../features/desk/cases/words.ts';
import { addressWith } from '../../kernel/address.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { useRoles } from '../../kernel/operator.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SearchForm } from '../../ui/search-form.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Listing } from '../fan/listing.tsx';
import { DeskList } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

const PATH = CASE_PATHS.adminCases;

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Cases' });

const load = deskLoad(({ client, url }) =>
  begin(
    client.ensureInfiniteQueryData({ ...inboxQuery(caseFilters(url.searchParams)), revalidateIfStale: true }),
    client.prefetchQuery(countsQuery()),
  ),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

const counted = (count: number | undefined) =>
  count === undefined || count === 0 ? null : <span className="num">{count >= 999 ? '999+' : count}</span>;

function Filters({ filters, search }: { filters: CaseFilters; search: URLSearchParams }) {
  const counts = useQuery(countsQuery()).data;
  const roles = useRoles();
  const { view, queue } = filters;
  const to = (change: Record<string, string | undefined>) => addressWith(PATH, search, { q: undefined, ...change });
  const countOf = { mine: counts?.mine, nobodys: counts?.nobodys } as const;
  return (
    <>
      <Chips label="Filter">
        {CASE_VIEWS.map((each) => (
          <ChipLink
            key={each}
            href={to({ view: each === 'open' ? undefined : each })}
            current={each === view && !filters.q}
          >
            {VIEW_WORDS[each]}
            {(each === 'mine' || each === 'nobodys') && counted(countOf[each])}
          </ChipLink>
        ))}
      </Chips>
      <Chips label="Queue">
        <ChipLink href={to({ queue: undefined })} current={queue === undefined}>
          All queues
        </ChipLink>
        {CASE_QUEUES.filter((each) => operatorReadsQueue(roles, each)).map((each) => (
          <ChipLink key={each} href={to({ queue: each })} current={each === queue}>
            {QUEUE_WORDS[each]}
            {counted(counts?.queues.find((one) => one.queue === each)?.count)}
          </ChipLink>
        ))}
      </Chips>
      <SearchForm
        maxLength={254}
        key={filters.q ?? ''}
        action={PATH}
        name="q"
        placeholder="Reference, username or email"
        defaultValue={filters.q}
      />
      <p className="text-small text-muted max-lg:hidden" aria-hidden="true">
        <kbd>A</kbd> Assign or unassign <kbd>X</kbd> Select
      </p>
    </>
  );
}

export default function CasesDesk() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filters = caseFilters(search);
  const query = useInfiniteQuery(inboxQuery(filters));
  return (
    <DeskList title="Cases">
      <Filters filters={filters} search={search} />
      <Listing
        query={query}
        isEmpty={(pages) => !pages[0]?.data.length}
        empty={<EmptyState line={filters.q ? 'No results' : 'No cases'} />}
      >
        {(pages) => (
          <>
            <InboxRows lines={pages.flatMap((page) => page.data)} now={now} filters={filters} />
            <Pager
              onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
              busy={query.isFetchingNextPage}
            />
          </>
        )}
      </Listing>
    </DeskList>
  );
}

import { CASE_VIEWS } from '@stagedoor/contract/admin/cases.ts';
import { canOperatorReadQueue } from '@stagedoor/contract/admin/operator-rights.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { CASE_QUEUES } from '@stagedoor/contract/trust/case-kinds.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { CASE_QUEUE_LABELS, INBOX_VIEW_LABELS } from '../../modules/admin/console/cases/case-labels.ts';
import { InboxRows } from '../../modules/admin/console/cases/inbox-rows.tsx';
import {
  type CaseFilters,
  caseCountsQuery,
  caseInboxQuery,
  parseCaseFilters,
} from '../../modules/admin/console/cases/queries.ts';
import { buildAddress } from '../../platform/address.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { useRoles } from '../../platform/operator.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { formatNodes } from '../../ui/format-nodes.ts';
import { Pager } from '../../ui/pager.tsx';
import { SearchForm } from '../../ui/search-form.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Listing } from '../fan/listing.tsx';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

const PATH = CASE_PATHS.adminCases;

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.cases });

const load = createAdminLoad(({ client, url }) =>
  awaitOnServer(
    client.ensureInfiniteQueryData({ ...caseInboxQuery(parseCaseFilters(url.searchParams)), revalidateIfStale: true }),
    client.prefetchQuery(caseCountsQuery()),
  ),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

const toCountBadge = (count: number | undefined) =>
  count === undefined || count === 0 ? null : <span className="num">{count >= 999 ? '999+' : count}</span>;

function Filters({ filters, search }: { filters: CaseFilters; search: URLSearchParams }) {
  const counts = useQuery(caseCountsQuery()).data;
  const roles = useRoles();
  const { view, queue } = filters;
  const to = (change: Record<string, string | undefined>) => buildAddress(PATH, search, { q: undefined, ...change });
  const countByView = { mine: counts?.mine, unassigned: counts?.unassigned } as const;
  return (
    <>
      <Chips label={texts.filter}>
        {CASE_VIEWS.map((each) => (
          <ChipLink
            key={each}
            href={to({ view: each === 'open' ? undefined : each })}
            current={each === view && !filters.q}
          >
            {INBOX_VIEW_LABELS[each]}
            {(each === 'mine' || each === 'unassigned') && toCountBadge(countByView[each])}
          </ChipLink>
        ))}
      </Chips>
      <Chips label={texts.queue}>
        <ChipLink href={to({ queue: undefined })} current={queue === undefined}>
          {texts.allQueues}
        </ChipLink>
        {CASE_QUEUES.filter((each) => canOperatorReadQueue(roles, each)).map((each) => (
          <ChipLink key={each} href={to({ queue: each })} current={each === queue}>
            {CASE_QUEUE_LABELS[each]}
            {toCountBadge(counts?.queues.find((one) => one.queue === each)?.count)}
          </ChipLink>
        ))}
      </Chips>
      <SearchForm
        maxLength={254}
        key={filters.q ?? ''}
        action={PATH}
        name="q"
        placeholder={texts.caseSearchPlaceholder}
        defaultValue={filters.q}
      />
      <p className="text-small text-muted max-lg:hidden" aria-hidden="true">
        {formatNodes(texts.caseKeysHint, { assignKey: <kbd>A</kbd>, selectKey: <kbd>X</kbd> })}
      </p>
    </>
  );
}

export default function CasesPage() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filters = parseCaseFilters(search);
  const query = useInfiniteQuery(caseInboxQuery(filters));
  return (
    <AdminList title={texts.cases}>
      <Filters filters={filters} search={search} />
      <Listing
        query={query}
        isEmpty={(pages) => !pages[0]?.data.length}
        empty={<EmptyState line={filters.q ? texts.noResults : texts.noCases} />}
      >
        {(pages) => (
          <>
            <InboxRows cases={pages.flatMap((page) => page.data)} now={now} filters={filters} />
            <Pager
              onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
              busy={query.isFetchingNextPage}
            />
          </>
        )}
      </Listing>
    </AdminList>
  );
}

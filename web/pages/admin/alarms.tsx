import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { listAlarms } from '@stagedoor/contract/admin/ledger.ts';
import { getWorkQueue } from '@stagedoor/contract/admin/work-queue.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { AlarmList, LedgerChecks } from '../../modules/admin/ledger-explorer/alarms.tsx';
import { AdminPage } from '../../modules/admin/ledger-explorer/parts.tsx';
import { alarmsQuery, parseAlarmView } from '../../modules/admin/ledger-explorer/queries.ts';
import { buildAddress } from '../../platform/address.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { routeKey } from '../../platform/query.ts';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Listing } from '../fan/listing.tsx';

const CHECKING_MS = 3_000;

import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.alerts });

const load = createAdminLoad(({ client, url }) =>
  awaitOnServer(
    client.ensureInfiniteQueryData({ ...alarmsQuery(parseAlarmView(url.searchParams)), revalidateIfStale: true }),
  ),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function Alarms() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const client = useQueryClient();
  const view = parseAlarmView(search);
  const query = useInfiniteQuery({
    ...alarmsQuery(view),
    refetchInterval: ({ state }) => (state.data?.pages[0]?.isChecking ? CHECKING_MS : false),
  });
  const refetch = () => {
    for (const one of [listAlarms, getWorkQueue]) void client.invalidateQueries({ queryKey: routeKey(one) });
  };
  return (
    <AdminPage title={texts.alerts}>
      <Listing query={query} isEmpty={() => false} empty={null}>
        {(pages) => {
          const [first] = pages;
          const alarms = pages.flatMap(({ data }) => data);
          return (
            <>
              {first && <LedgerChecks page={first} now={now} onStarted={refetch} />}
              <section aria-labelledby="alarms" className="grid gap-4">
                <SectionHead id="alarms" title={texts.alerts} />
                <Chips label={texts.filter}>
                  <ChipLink
                    href={buildAddress(ADMIN_PATHS.adminAlarms, search, { view: undefined })}
                    current={view === 'open'}
                  >
                    {texts.open}
                  </ChipLink>
                  <ChipLink
                    href={buildAddress(ADMIN_PATHS.adminAlarms, search, { view: 'over' })}
                    current={view === 'over'}
                  >
                    {texts.resolved}
                  </ChipLink>
                </Chips>
                {alarms.length === 0 && (
                  <EmptyState line={view === 'open' ? texts.noOpenAlerts : texts.noResolvedAlerts} />
                )}
                <AlarmList alarms={alarms} now={now} onDone={refetch} />
                <Pager
                  onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
                  busy={query.isFetchingNextPage}
                />
              </section>
            </>
          );
        }}
      </Listing>
    </AdminPage>
  );
}

import { operatorDesk } from '@stagedoor/contract/desk.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { listAlarms } from '@stagedoor/contract/ledger-desk.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { AlarmCases, Checks } from '../../features/ledger-desk/alarms.tsx';
import { DeskPage } from '../../features/ledger-desk/parts.tsx';
import { alarmsQuery, alarmView } from '../../features/ledger-desk/queries.ts';
import { addressWith } from '../../kernel/address.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { routeKey } from '../../kernel/query.ts';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Listing } from '../fan/listing.tsx';

const CHECKING_MS = 3_000;

import { deskLoad } from './desk-load.ts';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Alerts' });

const load = deskLoad(({ client, url }) =>
  begin(client.ensureInfiniteQueryData({ ...alarmsQuery(alarmView(url.searchParams)), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function Alarms() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const client = useQueryClient();
  const is = alarmView(search);
  const query = useInfiniteQuery({
    ...alarmsQuery(is),
    refetchInterval: ({ state }) => (state.data?.pages[0]?.isChecking ? CHECKING_MS : false),
  });
  const again = () => {
    for (const one of [listAlarms, operatorDesk]) void client.invalidateQueries({ queryKey: routeKey(one) });
  };
  return (
    <DeskPage title="Alerts">
      <Listing query={query} isEmpty={() => false} empty={null}>
        {(pages) => {
          const [first] = pages;
          const alarms = pages.flatMap(({ data }) => data);
          return (
            <>
              {first && <Checks page={first} now={now} onBegun={again} />}
              <section aria-labelledby="alarms" className="grid gap-4">
                <SectionHead id="alarms" title="Alerts" />
                <Chips label="Filter">
                  <ChipLink
                    href={addressWith(DESK_PATHS.adminAlarms, search, { is: undefined })}
                    current={is === 'open'}
                  >
                    Open
                  </ChipLink>
                  <ChipLink href={addressWith(DESK_PATHS.adminAlarms, search, { is: 'over' })} current={is === 'over'}>
                    Resolved
                  </ChipLink>
                </Chips>
                {alarms.length === 0 && <EmptyState line={is === 'open' ? 'No open alerts' : 'No resolved alerts'} />}
                <AlarmCases alarms={alarms} now={now} onDone={again} />
                <Pager
                  onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
                  busy={query.isFetchingNextPage}
                />
              </section>
            </>
          );
        }}
      </Listing>
    </DeskPage>
  );
}

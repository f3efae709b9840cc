import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { PAYOUT_QUEUES } from '@stagedoor/contract/admin/payouts.ts';
import { PAYOUT_KINDS, PAYOUT_SOURCES, PAYOUT_STATES } from '@stagedoor/contract/finance/payouts.ts';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '@stagedoor/contract/shared/paging.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import {
  type AdminPayoutFilters,
  ALL_QUEUES,
  adminPayoutsQuery,
  hasAdminPayoutFilters,
  parseAdminPayoutFilters,
} from '../../modules/admin/console/payouts/filters.ts';
import {
  PAYOUT_KIND_LABELS,
  PAYOUT_QUEUE_LABELS,
  PAYOUT_SOURCE_LABELS,
  PAYOUT_STATE_LABELS,
} from '../../modules/admin/console/payouts/payout-labels.ts';
import { PayoutRows } from '../../modules/admin/console/payouts/rows.tsx';
import { payoutRailsQuery, SendPayouts } from '../../modules/admin/console/payouts/send.tsx';
import { buildAddress } from '../../platform/address.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

const PATH = ADMIN_PATHS.adminPayouts;
const ANY = { value: '', label: texts.anyOption };
/** The on-hold queue has a chip only while it is selected. A notice in the send queue links to it. */
const VISIBLE_QUEUES = [...PAYOUT_QUEUES, ALL_QUEUES] as const;
const EMPTY = {
  toApprove: texts.noPayoutsToApprove,
  toSend: texts.noPayoutsToSend,
  toConfirm: texts.nothingAwaitingSecondApproval,
  inTransit: texts.noPayoutsInTransit,
  onHold: texts.noPayoutsOnHold,
} as const;

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.payouts });

const load = createAdminLoad(({ client, url }) => {
  const filters = parseAdminPayoutFilters(url.searchParams);
  return awaitOnServer(
    client.ensureInfiniteQueryData({ ...adminPayoutsQuery(filters), revalidateIfStale: true }),
    ...(filters.queue === 'toSend' ? [client.ensureQueryData({ ...payoutRailsQuery(), revalidateIfStale: true })] : []),
  );
});
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

const toOptions = <T extends string>(values: readonly T[], labels: Readonly<Record<T, string>>) => [
  ANY,
  ...values.map((value) => ({ value, label: labels[value] })),
];

function Filters({ filters }: { filters: AdminPayoutFilters }) {
  const { queue, rail, status, kind, source, search, from, to } = filters;
  return (
    <details className="group border-t border-line" open={hasAdminPayoutFilters(filters)}>
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 text-small font-semibold">
        {texts.filter}
        <Icon name="chevron-down" size={18} className="group-open:rotate-180" />
      </summary>
      <Form action={PATH} key={JSON.stringify(filters)} className="grid grid-cols-2 gap-3 pb-5 md:grid-cols-3">
        <input type="hidden" name="queue" value={queue ?? ALL_QUEUES} />
        {rail && <input type="hidden" name="rail" value={rail} />}
        <TextField
          className="col-span-2 md:col-span-3"
          label={texts.payoutOrUser}
          hint={texts.payoutSearchHint}
          name="search"
          autoComplete="off"
          defaultValue={search ?? ''}
        />
        <SelectField
          label={texts.destination}
          name="kind"
          options={toOptions(PAYOUT_KINDS, PAYOUT_KIND_LABELS)}
          defaultValue={kind ?? ''}
        />
        <SelectField
          label={texts.source}
          name="source"
          options={toOptions(PAYOUT_SOURCES, PAYOUT_SOURCE_LABELS)}
          defaultValue={source ?? ''}
        />
        {queue === undefined && (
          <SelectField
            className="max-md:col-span-2"
            label={texts.status}
            name="status"
            options={toOptions(PAYOUT_STATES, PAYOUT_STATE_LABELS)}
            defaultValue={status ?? ''}
          />
        )}
        <TextField className="min-w-0" label={texts.requestedFrom} type="date" name="from" defaultValue={from ?? ''} />
        <TextField className="min-w-0" label={texts.untilDate} type="date" name="to" defaultValue={to ?? ''} />
        <div className="col-span-2 flex flex-wrap gap-3 md:col-span-3">
          <Button type="submit">{texts.showButton}</Button>
          <Button variant="quiet" href={queue === 'toApprove' ? PATH : `${PATH}?queue=${queue ?? ALL_QUEUES}`}>
            {texts.clearFilters}
          </Button>
        </div>
      </Form>
    </details>
  );
}

export default function PayoutsPage() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filters = parseAdminPayoutFilters(search);
  const query = useInfiniteQuery(adminPayoutsQuery(filters));
  const { queue, batchId, limit } = filters;
  const count = query.data?.pages[0]?.totalCount;
  const to = (next: string | undefined) =>
    buildAddress(PATH, search, { queue: next, status: undefined, batchId: undefined, rail: undefined });
  return (
    <AdminList title={texts.payouts}>
      {/* The key remounts the chips when a link below opens the on-hold queue, so that its chip scrolls into view. */}
      <Chips key={queue === 'onHold' ? queue : ALL_QUEUES} label={texts.filter}>
        {VISIBLE_QUEUES.filter((each) => each !== 'onHold' || queue === 'onHold').map((each) => {
          const isCurrent = batchId === undefined && each === (queue ?? ALL_QUEUES);
          return (
            <ChipLink key={each} href={to(each === 'toApprove' ? undefined : each)} current={isCurrent}>
              {each === ALL_QUEUES ? texts.all : PAYOUT_QUEUE_LABELS[each]}
              {isCurrent && count !== undefined && <span className="num">{count.toLocaleString('en-US')}</span>}
            </ChipLink>
          );
        })}
        {batchId !== undefined && (
          <ChipLink href={to(ALL_QUEUES)} current>
            {texts.batch}
          </ChipLink>
        )}
      </Chips>
      {queue === 'toSend' && <SendPayouts />}
      {(queue === 'toSend' || queue === 'inTransit') && (
        <p className="flex flex-wrap gap-x-3">
          <Button variant="quiet" href={ADMIN_PATHS.adminPayoutBatches}>
            {texts.payoutBatches}
          </Button>
          <Button variant="quiet" href={ADMIN_PATHS.adminPayoutWebhooks}>
            {texts.paypalEvents}
          </Button>
        </p>
      )}
      <Filters filters={filters} />
      <CountedListing
        query={query}
        empty={<EmptyState line={hasAdminPayoutFilters(filters) || !queue ? texts.noFilteredResults : EMPTY[queue]} />}
        pager={(total) =>
          total > PAGE_SIZES[0]
            ? {
                size: limit,
                sizeHref: (size) =>
                  buildAddress(PATH, search, { limit: size === DEFAULT_PAGE_SIZE ? undefined : String(size) }),
              }
            : {}
        }
      >
        {(payouts) => <PayoutRows payouts={payouts} now={now} />}
      </CountedListing>
    </AdminList>
  );
}

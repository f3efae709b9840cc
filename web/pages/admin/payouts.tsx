import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '@stagedoor/contract/atoms/paging.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { PAYOUT_QUEUES } from '@stagedoor/contract/payout-desk.ts';
import { PAYOUT_KINDS, PAYOUT_SOURCES, PAYOUT_STATES } from '@stagedoor/contract/payouts.ts';
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
  ALL,
  deskPayoutsQuery,
  isFiltered,
  type PayoutFilters,
  payoutFilters,
} from '../../features/desk/payouts/filters.ts';
import { PayoutRows } from '../../features/desk/payouts/rows.tsx';
import { railsQuery, SendPayouts } from '../../features/desk/payouts/send.tsx';
import { KIND_WORDS, QUEUE_WORDS, SOURCE_WORDS, STATE_WORDS } from '../../features/desk/payouts/words.ts';
import { addressWith } from '../../kernel/address.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { DeskList } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

const PATH = DESK_PATHS.adminPayouts;
const ANY = { value: '', label: 'Any' };
/** The held-back queue has a chip only while it is selected. A notice in the send queue links to it. */
const SHOWN = [...PAYOUT_QUEUES, ALL] as const;
const EMPTY = {
  toApprove: 'No payouts to approve',
  toSend: 'No payouts to send',
  toConfirm: 'Nothing awaiting second approval',
  onTheWay: 'No payouts in transit',
  heldBack: 'No payouts on hold',
} as const;

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Payouts' });

const load = deskLoad(({ client, url }) => {
  const filters = payoutFilters(url.searchParams);
  return begin(
    client.ensureInfiniteQueryData({ ...deskPayoutsQuery(filters), revalidateIfStale: true }),
    ...(filters.queue === 'toSend' ? [client.ensureQueryData({ ...railsQuery(), revalidateIfStale: true })] : []),
  );
});
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

const optionsOf = <T extends string>(values: readonly T[], words: Readonly<Record<T, string>>) => [
  ANY,
  ...values.map((value) => ({ value, label: words[value] })),
];

function Filters({ filters }: { filters: PayoutFilters }) {
  const { queue, rail, status, kind, source, search, from, to } = filters;
  return (
    <details className="group border-t border-line" open={isFiltered(filters)}>
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 text-small font-semibold">
        Filter
        <Icon name="chevron-down" size={18} className="group-open:rotate-180" />
      </summary>
      <Form action={PATH} key={JSON.stringify(filters)} className="grid grid-cols-2 gap-3 pb-5 md:grid-cols-3">
        <input type="hidden" name="queue" value={queue ?? ALL} />
        {rail && <input type="hidden" name="rail" value={rail} />}
        <TextField
          className="col-span-2 md:col-span-3"
          label="Payout or user"
          hint="Payout number (PO-000001), exact username or email"
          name="search"
          autoComplete="off"
          defaultValue={search ?? ''}
        />
        <SelectField
          label="Destination"
          name="kind"
          options={optionsOf(PAYOUT_KINDS, KIND_WORDS)}
          defaultValue={kind ?? ''}
        />
        <SelectField
          label="Source"
          name="source"
          options={optionsOf(PAYOUT_SOURCES, SOURCE_WORDS)}
          defaultValue={source ?? ''}
        />
        {queue === undefined && (
          <SelectField
            className="max-md:col-span-2"
            label="Status"
            name="status"
            options={optionsOf(PAYOUT_STATES, STATE_WORDS)}
            defaultValue={status ?? ''}
          />
        )}
        <TextField className="min-w-0" label="Requested from" type="date" name="from" defaultValue={from ?? ''} />
        <TextField className="min-w-0" label="Until" type="date" name="to" defaultValue={to ?? ''} />
        <div className="col-span-2 flex flex-wrap gap-3 md:col-span-3">
          <Button type="submit">Show</Button>
          <Button variant="quiet" href={queue === 'toApprove' ? PATH : `${PATH}?queue=${queue ?? ALL}`}>
            Clear filters
          </Button>
        </div>
      </Form>
    </details>
  );
}

export default function PayoutsDesk() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filters = payoutFilters(search);
  const query = useInfiniteQuery(deskPayoutsQuery(filters));
  const { queue, batchId, limit } = filters;
  const count = query.data?.pages[0]?.totalCount;
  const to = (next: string | undefined) =>
    addressWith(PATH, search, { queue: next, status: undefined, batchId: undefined, rail: undefined });
  return (
    <DeskList title="Payouts">
      {/* The key remounts the chips when a link below opens the held-back queue, so that its chip scrolls into view. */}
      <Chips key={queue === 'heldBack' ? queue : ALL} label="Filter">
        {SHOWN.filter((each) => each !== 'heldBack' || queue === 'heldBack').map((each) => {
          const isCurrent = batchId === undefined && each === (queue ?? ALL);
          return (
            <ChipLink key={each} href={to(each === 'toApprove' ? undefined : each)} current={isCurrent}>
              {each === ALL ? 'All' : QUEUE_WORDS[each]}
              {isCurrent && count !== undefined && <span className="num">{count.toLocaleString('en-US')}</span>}
            </ChipLink>
          );
        })}
        {batchId !== undefined && (
          <ChipLink href={to(ALL)} current>
            Batch
          </ChipLink>
        )}
      </Chips>
      {queue === 'toSend' && <SendPayouts />}
      {(queue === 'toSend' || queue === 'onTheWay') && (
        <p className="flex flex-wrap gap-x-3">
          <Button variant="quiet" href={DESK_PATHS.adminPayoutBatches}>
            Payout batches
          </Button>
          <Button variant="quiet" href={DESK_PATHS.adminPayoutNotices}>
            PayPal events
          </Button>
        </p>
      )}
      <Filters filters={filters} />
      <CountedListing
        query={query}
        empty={
          <EmptyState line={isFiltered(filters) || !queue ? 'No results. Try different filters.' : EMPTY[queue]} />
        }
        pager={(total) =>
          total > PAGE_SIZES[0]
            ? {
                size: limit,
                sizeHref: (size) =>
                  addressWith(PATH, search, { limit: size === DEFAULT_PAGE_SIZE ? undefined : String(size) }),
              }
            : {}
        }
      >
        {(payouts) => <PayoutRows payouts={payouts} now={now} />}
      </CountedListing>
    </DeskList>
  );
}

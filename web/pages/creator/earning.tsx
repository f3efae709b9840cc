/** What a creator earned, why, and when it can be had (rows G2, G3): balances, what clears when, by kind, and every sale. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { PAGE_SIZES } from '@stagedoor/contract/atoms/paging.ts';
import {
  CHART_KINDS,
  EARNING_RANGES,
  type EarningRange,
  earningReceived,
  listEarnings,
} from '@stagedoor/contract/earnings.ts';
import { MONEY_KINDS } from '@stagedoor/contract/money-kinds.ts';
import { earningsStatement } from '@stagedoor/contract/statements.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
  useSubmit,
} from 'react-router';
import { balanceQuery } from '../../features/earnings/balance-stats.tsx';
import { ClearingTable, clearingQuery } from '../../features/earnings/clearing-table.tsx';
import { chartQuery } from '../../features/earnings/earnings-chart.tsx';
import { type EarningFilters, earningFilters, isFiltered, transactionsQuery } from '../../features/earnings/filters.ts';
import { EarnedByKind } from '../../features/earnings/kinds.tsx';
import { forgetSums } from '../../features/earnings/live.ts';
import { MoneyStats } from '../../features/earnings/money-stats.tsx';
import { Transactions } from '../../features/earnings/transactions.tsx';
import { Payouts } from '../../features/payouts/payouts.tsx';
import { methodsQuery, overviewQuery, payoutsQuery } from '../../features/payouts/queries.ts';
import { RequestPayout } from '../../features/payouts/request-form.tsx';
import { StatementForm } from '../../features/statements/statement-form.tsx';
import { JournalExport } from '../../features/transparency/journal-export.tsx';
import { Proof } from '../../features/transparency/proof.tsx';
import { addressWith } from '../../kernel/address.ts';
import { useLive } from '../../kernel/live.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { begin, inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { routeKey } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { TextField } from '../../ui/field.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';

const PATH = PATHS.creatorEarning;
const NO_DAYS = { range: undefined, startDate: undefined, endDate: undefined };
const RANGE_WORDS: Record<EarningRange, string> = { today: 'Today', '30days': '30 days', '365days': '365 days' };

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Earnings' });

const load: PageLoad<{ now: string }> = async ({ client, url }) => {
  const filters = earningFilters(url.searchParams);
  await Promise.all([
    client.ensureQueryData(balanceQuery()),
    client.ensureQueryData(clearingQuery()),
    client.ensureQueryData(overviewQuery()),
    client.ensureQueryData(methodsQuery()),
    begin(
      client.ensureQueryData(chartQuery(filters.period)),
      client.ensureInfiniteQueryData(transactionsQuery(filters)),
      client.ensureInfiniteQueryData(payoutsQuery(filters.payouts)),
    ),
  ]);
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

type FiltersProps = { filters: EarningFilters; search: URLSearchParams };

function Filters({ filters, search }: FiltersProps) {
  const submit = useSubmit();
  const to = (change: Record<string, string | undefined>) => addressWith(PATH, search, change);
  const go = (change: Record<string, string | undefined>) =>
    void submit(new URLSearchParams(addressWith('', search, { range: undefined, ...change }).slice(1)), {
      action: PATH,
      replace: true,
      preventScrollReset: true,
    });
  const isAnyDay = filters.range === undefined && filters.startDate === undefined && filters.endDate === undefined;
  return (
    <div className="grid gap-2 py-4">
      <Chips label="Kind">
        <ChipLink href={to({ kind: undefined })} current={filters.kind === undefined}>
          All
        </ChipLink>
        {Object.values(CHART_KINDS).map((kind) => (
          <ChipLink key={kind} href={to({ kind })} current={filters.kind === kind}>
            {MONEY_KINDS[kind]?.title}
          </ChipLink>
        ))}
      </Chips>
      <Chips label="Days">
        <ChipLink href={to(NO_DAYS)} current={isAnyDay}>
          Any day
        </ChipLink>
        {EARNING_RANGES.map((range) => (
          <ChipLink key={range} href={to({ ...NO_DAYS, range })} current={filters.range === range}>
            {RANGE_WORDS[range]}
          </ChipLink>
        ))}
      </Chips>
      <Form action={PATH} className="grid grid-cols-2 gap-3 md:max-w-100">
        <TextField
          className="min-w-0"
          label="From"
          type="date"
          name="startDate"
          max={filters.endDate}
          value={filters.startDate ?? ''}
          onChange={(event) => go({ startDate: event.currentTarget.value || undefined })}
        />
        <TextField
          className="min-w-0"
          label="To"
          type="date"
          name="endDate"
          min={filters.startDate}
          value={filters.endDate ?? ''}
          onChange={(event) => go({ endDate: event.currentTarget.value || undefined })}
        />
      </Form>
    </div>
  );
}

/** How many at a time: asked only where it makes a difference. */
const sizes = (name: 'size' | 'payouts', size: EarningFilters['size'], search: URLSearchParams) => (total: number) =>
  total > PAGE_SIZES[0]
    ? {
        size,
        sizeHref: (next: number) =>
          addressWith(PATH, search, { [name]: next === PAGE_SIZES[0] ? undefined : String(next) }),
      }
    : {};

function PaidOut({ filters, search, now }: FiltersProps & { now: string }) {
  const query = useInfiniteQuery(payoutsQuery(filters.payouts));
  return (
    <section aria-labelledby="payouts">
      <SectionHead id="payouts" title="Payouts" />
      <CountedListing
        query={query}
        empty={<EmptyState line="You have not asked for a payout yet." />}
        pager={sizes('payouts', filters.payouts, search)}
      >
        {(payouts) => <Payouts payouts={payouts} now={now} />}
      </CountedListing>
    </section>
  );
}

function Sales({ filters, search, now }: FiltersProps & { now: string }) {
  const query = useInfiniteQuery(transactionsQuery(filters));
  const all = addressWith(PATH, search, { ...NO_DAYS, kind: undefined });
  const empty = isFiltered(filters) ? (
    <EmptyState line="Nothing fits these filters." action={<Button href={all}>Show everything</Button>} />
  ) : (
    <EmptyState
      line="Nothing has been sold yet."
      more="Tips, unlocks and calls appear here the moment they are paid."
      action={<Button href={PATHS.creatorNewPost}>Publish a post</Button>}
    />
  );
  return (
    <section aria-labelledby="transactions">
      <SectionHead id="transactions" title="Transactions" />
      <Filters filters={filters} search={search} />
      <CountedListing query={query} empty={empty} pager={sizes('size', filters.size, search)}>
        {(earnings) => <Transactions earnings={earnings} now={now} proofOf={(id) => <Proof transactionId={id} />} />}
      </CountedListing>
    </section>
  );
}

export default function EarningPage() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filters = earningFilters(search);
  useLive(earningReceived, (client) => {
    forgetSums(client);
    void client.invalidateQueries({ queryKey: routeKey(listEarnings) });
  });
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 pt-7 pb-5 lg:pt-11 lg:pb-7">
        <h1 className="display d2">Earnings</h1>
        <Button href={PATHS.creatorFees}>Fees and prices</Button>
      </div>
      <div className="grid gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,1fr)_384px]">
        <div className="grid min-w-0 content-start gap-6">
          <MoneyStats />
          <ClearingTable now={now} />
        </div>
        <div className="grid min-w-0 content-start gap-9 lg:row-span-2">
          <RequestPayout />
          <PaidOut filters={filters} search={search} now={now} />
        </div>
        <EarnedByKind path={PATH} period={filters.period} />
        <Sales filters={filters} search={search} now={now} />
        <div className="grid min-w-0 content-start gap-9">
          <StatementForm route={earningsStatement} of="earnings" now={now} />
          <JournalExport />
        </div>
      </div>
    </>
  );
}

/** Earnings (rows G2, G3): balances, clearing dates, totals by kind and every sale. */

import { MONEY_KINDS } from '@stagedoor/contract/commerce/money-kinds.ts';
import {
  CHART_KINDS,
  EARNING_RANGES,
  type EarningRange,
  earningReceived,
  getFirstDay,
  listEarnings,
} from '@stagedoor/contract/finance/earnings.ts';
import { PAYOUT_STATES } from '@stagedoor/contract/finance/payouts.ts';
import { downloadEarningsStatement } from '@stagedoor/contract/finance/statements.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { PAGE_SIZES } from '@stagedoor/contract/shared/paging.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { creatorBalanceQuery } from '../../modules/finance/earnings/balance-stats.tsx';
import { ClearingTable, clearingDaysQuery } from '../../modules/finance/earnings/clearing-table.tsx';
import { EarningTransactions } from '../../modules/finance/earnings/earning-transactions.tsx';
import { EarningsByKind } from '../../modules/finance/earnings/earnings-by-kind.tsx';
import { earningsChartQuery } from '../../modules/finance/earnings/earnings-chart.tsx';
import {
  type EarningFilters,
  earningTransactionsQuery,
  hasEarningFilters,
  parseEarningFilters,
} from '../../modules/finance/earnings/filters.ts';
import { MoneyStats } from '../../modules/finance/earnings/money-stats.tsx';
import { invalidateSums } from '../../modules/finance/earnings/socket-events.ts';
import {
  ALL_PAYOUTS,
  ANY_PAYOUT_DAY,
  arePayoutsFiltered,
  PAYOUT_DAYS,
  parsePayoutFilters,
  payoutsQuery,
} from '../../modules/finance/payouts/filters.ts';
import { PayoutList } from '../../modules/finance/payouts/payouts.tsx';
import { methodsQuery, overviewQuery, PAYOUT_STATUS_LABELS, ruleQuery } from '../../modules/finance/payouts/queries.ts';
import { RequestPayout } from '../../modules/finance/payouts/request-form.tsx';
import { AutomaticPayouts } from '../../modules/finance/payouts/rule.tsx';
import { StatementForm } from '../../modules/finance/statements/statement-form.tsx';
import { JournalExport } from '../../modules/trust/transparency-log/journal-export.tsx';
import { TransactionProof } from '../../modules/trust/transparency-log/proof.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { routeKey } from '../../platform/query.ts';
import { useViewer } from '../../platform/session.ts';
import { useSocketEvent } from '../../platform/socket-events.ts';
import { Button } from '../../ui/button.tsx';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { SelectField } from '../../ui/field.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { DayFields, type ToListUrl, useListUrl } from '../list-url.tsx';
import * as texts from './texts.ts';

const PATH = PATHS.creatorEarning;
const NO_DAYS = { range: undefined, startDate: undefined, endDate: undefined };
const RANGE_LABELS: Record<EarningRange, string> = { today: texts.today, '30days': '30 days', '365days': '365 days' };

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.earnings });

const load: PageLoad<{ now: string }> = async ({ client, url, viewer }) => {
  const filters = parseEarningFilters(url.searchParams);
  // Only the owner sees payouts and statements, not team members.
  const isOwner = !(await viewer())?.delegation;
  await Promise.all([
    client.ensureQueryData(creatorBalanceQuery()),
    client.ensureQueryData(clearingDaysQuery()),
    ...(isOwner
      ? [
          client.ensureQueryData(overviewQuery()),
          client.ensureQueryData(methodsQuery()),
          client.ensureQueryData(ruleQuery()),
        ]
      : []),
    awaitOnServer(
      client.ensureQueryData(earningsChartQuery(filters.period)),
      client.ensureInfiniteQueryData(earningTransactionsQuery(filters)),
      ...(isOwner ? [client.ensureInfiniteQueryData(payoutsQuery(parsePayoutFilters(url.searchParams)))] : []),
    ),
  ]);
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function Filters({ filters }: { filters: EarningFilters }) {
  const { to, go } = useListUrl(PATH, { range: undefined });
  const isAnyDay = filters.range === undefined && filters.startDate === undefined && filters.endDate === undefined;
  return (
    <div className="grid grid-cols-1 gap-2 py-4">
      <Chips label={texts.type}>
        <ChipLink href={to({ kind: undefined })} current={filters.kind === undefined}>
          {texts.all}
        </ChipLink>
        {Object.values(CHART_KINDS).map((kind) => (
          <ChipLink key={kind} href={to({ kind })} current={filters.kind === kind}>
            {MONEY_KINDS[kind]?.title}
          </ChipLink>
        ))}
      </Chips>
      <Chips label={texts.dateRange}>
        <ChipLink href={to(NO_DAYS)} current={isAnyDay}>
          {texts.allTime}
        </ChipLink>
        {EARNING_RANGES.map((range) => (
          <ChipLink key={range} href={to({ ...NO_DAYS, range })} current={filters.range === range}>
            {RANGE_LABELS[range]}
          </ChipLink>
        ))}
      </Chips>
      <Form action={PATH} className="grid grid-cols-2 gap-3 md:max-w-100">
        <DayFields names={['startDate', 'endDate']} from={filters.startDate} to={filters.endDate} go={go} />
      </Form>
    </div>
  );
}

const createPager = (name: 'size' | 'payouts', size: EarningFilters['size'], to: ToListUrl) => (total: number) =>
  total > PAGE_SIZES[0]
    ? { size, sizeHref: (next: number) => to({ [name]: next === PAGE_SIZES[0] ? undefined : String(next) }) }
    : {};

const PAYOUT_CHOICES = [
  { value: '', label: texts.all },
  ...PAYOUT_STATES.map((value) => ({ value, label: PAYOUT_STATUS_LABELS[value] })),
];

function PayoutHistory({ now }: { now: string }) {
  const { search, to, go } = useListUrl(PATH);
  const filters = parsePayoutFilters(search);
  const query = useInfiniteQuery(payoutsQuery(filters));
  const isFiltered = arePayoutsFiltered(filters);
  const empty = isFiltered ? (
    <EmptyState
      line={texts.noFilteredResults}
      action={<Button href={to(ALL_PAYOUTS)}>{texts.showAllPayouts}</Button>}
    />
  ) : (
    <EmptyState line={texts.noPayoutsYet} />
  );
  return (
    <section aria-labelledby="payouts">
      <SectionHead id="payouts" title={texts.payouts} />
      {(isFiltered || !!query.data?.pages[0]?.totalCount) && (
        <Form action={PATH} className="grid grid-cols-2 gap-3 py-4" aria-label={texts.filterPayouts}>
          <SelectField
            className="col-span-2"
            label={texts.status}
            name="payoutState"
            value={filters.state ?? ''}
            options={PAYOUT_CHOICES}
            onChange={(event) => go({ payoutState: event.currentTarget.value || undefined })}
          />
          <DayFields names={PAYOUT_DAYS} from={filters.from} to={filters.to} go={go} />
          <Chips label={texts.whenRequested} className="col-span-2">
            <ChipLink href={to(ANY_PAYOUT_DAY)} current={filters.from === undefined && filters.to === undefined}>
              {texts.allTime}
            </ChipLink>
            {EARNING_RANGES.map((range) => {
              const from = getFirstDay(range, new Date(now));
              return (
                <ChipLink
                  key={range}
                  href={to({ ...ANY_PAYOUT_DAY, payoutsFrom: from })}
                  current={filters.from === from && filters.to === undefined}
                >
                  {RANGE_LABELS[range]}
                </ChipLink>
              );
            })}
          </Chips>
        </Form>
      )}
      <CountedListing query={query} empty={empty} pager={createPager('payouts', filters.size, to)}>
        {(payouts) => <PayoutList payouts={payouts} now={now} />}
      </CountedListing>
    </section>
  );
}

function Sales({ filters, now }: { filters: EarningFilters; now: string }) {
  const isOwner = !useViewer()?.delegation;
  const { to } = useListUrl(PATH);
  const query = useInfiniteQuery(earningTransactionsQuery(filters));
  const all = to({ ...NO_DAYS, kind: undefined });
  const empty = hasEarningFilters(filters) ? (
    <EmptyState line={texts.noFilteredResults} action={<Button href={all}>{texts.showAllTransactions}</Button>} />
  ) : (
    <EmptyState
      line={texts.noSalesYet}
      more={texts.noSalesHint}
      action={<Button href={PATHS.creatorNewPost}>{texts.publishAPost}</Button>}
    />
  );
  return (
    <section aria-labelledby="transactions">
      <SectionHead id="transactions" title={texts.transactions} />
      <Filters filters={filters} />
      <CountedListing query={query} empty={empty} pager={createPager('size', filters.size, to)}>
        {(earnings) => (
          <EarningTransactions
            earnings={earnings}
            now={now}
            renderProof={(id) => isOwner && <TransactionProof transactionId={id} />}
          />
        )}
      </CountedListing>
    </section>
  );
}

export default function EarningPage() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filters = parseEarningFilters(search);
  const isOwner = !useViewer()?.delegation;
  useSocketEvent(earningReceived, (client) => {
    invalidateSums(client);
    void client.invalidateQueries({ queryKey: routeKey(listEarnings) });
  });
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 pt-7 pb-5 lg:pt-11 lg:pb-7">
        <h1 className="display d2">{texts.earnings}</h1>
        <div className="flex flex-wrap gap-2">
          <Button href={PATHS.creatorSubscribers}>{texts.subscribers}</Button>
          {isOwner && <Button href={PATHS.creatorFees}>{texts.feesAndPrices}</Button>}
        </div>
      </div>
      <div className="grid grid-cols-1 gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,1fr)_384px] lg:grid-rows-[auto_1fr]">
        <div className="grid grid-cols-1 min-w-0 content-start gap-6">
          <MoneyStats />
          <ClearingTable now={now} />
        </div>
        <div className="grid grid-cols-1 min-w-0 content-start gap-9 lg:row-span-2">
          {isOwner && (
            <>
              <RequestPayout />
              <AutomaticPayouts now={now} />
              <PayoutHistory now={now} />
            </>
          )}
        </div>
        <EarningsByKind path={PATH} period={filters.period} />
        <Sales filters={filters} now={now} />
        <div className="grid grid-cols-1 min-w-0 content-start gap-9">
          {isOwner && (
            <>
              <StatementForm route={downloadEarningsStatement} kind="earnings" now={now} />
              <JournalExport />
            </>
          )}
        </div>
      </div>
    </>
  );
}

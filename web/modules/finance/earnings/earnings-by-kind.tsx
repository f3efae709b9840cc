/** Earnings by kind (row G2): small charts on a common scale, with a table below. */

import { CHART_PERIODS, type EarningsChart } from '@stagedoor/contract/finance/earnings.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { buildAddress } from '../../../platform/address.ts';
import { ChipLink, Chips } from '../../../ui/chips.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { SmallCharts } from '../../../ui/stat.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Table } from '../../../ui/table.tsx';
import { earningsChartQuery, PERIOD_TITLES, PERIOD_UNITS, roundUpScale } from './earnings-chart.tsx';
import type { EarningFilters } from './filters.ts';

const COLUMNS = [
  { head: 'Type' },
  { head: 'Sales', wide: true },
  { head: 'Fans paid', wide: true },
  { head: 'Platform fee', wide: true },
  { head: 'You earn' },
];
const LATEST_LABELS: Record<EarningFilters['period'], string> = {
  weekly: 'Today',
  monthly: 'This month',
  yearly: 'This year',
};

type KindTotals = { transactionCount: number; fansPaid: number; platformFee: number; totalEarnings: number };

const toCells = (name: string, { transactionCount, fansPaid, platformFee, totalEarnings }: KindTotals) => [
  name,
  transactionCount.toLocaleString('en-US'),
  formatUsd(fansPaid),
  formatUsd(-platformFee),
  formatUsd(totalEarnings),
];

export function EarningsByKind({ path, period }: { path: string; period: EarningFilters['period'] }) {
  const [search] = useSearchParams();
  const query = useQuery({ ...earningsChartQuery(period), placeholderData: keepPreviousData });
  const periodText = PERIOD_TITLES[period].toLowerCase();
  return (
    <section aria-labelledby="kinds" aria-busy={query.isPlaceholderData}>
      <SectionHead id="kinds" title="By type" end={PERIOD_TITLES[period]} />
      <Chips label="Period" className="mb-5">
        {CHART_PERIODS.map((each) => (
          <ChipLink
            key={each}
            href={buildAddress(path, search, { period: each === 'weekly' ? undefined : each })}
            current={each === period}
          >
            {PERIOD_UNITS[each]}
          </ChipLink>
        ))}
      </Chips>
      {query.data ? (
        <KindCharts chart={query.data} period={period} periodText={periodText} />
      ) : query.isError ? (
        <ErrorState onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton style={{ height: 360 }} />
      )}
    </section>
  );
}

function KindCharts({
  chart: { data, kinds, total },
  period,
  periodText,
}: {
  chart: EarningsChart;
  period: EarningFilters['period'];
  periodText: string;
}) {
  if (total.transactionCount === 0) return <p className="text-muted">No earnings in the {periodText}.</p>;
  const top = roundUpScale(Math.max(0, ...kinds.flatMap(({ earnings }) => earnings)));
  return (
    <>
      <SmallCharts
        charts={kinds.map(({ label, earnings, totalEarnings }) => {
          const text = formatUsd(earnings.at(-1) ?? 0);
          return {
            name: label,
            text,
            summary: `${label}: ${text} ${LATEST_LABELS[period].toLowerCase()}, ${formatUsd(totalEarnings)} in the ${periodText}`,
            values: earnings,
          };
        })}
        max={top}
        maxText={formatUsd(top).replace('.00', '')}
        from={data[0]?.label ?? ''}
        to={LATEST_LABELS[period]}
      />
      <Table
        caption={`Earnings by type in the ${periodText}`}
        columns={COLUMNS}
        rows={kinds.map(({ kind, label, ...split }) => ({ key: kind, cells: toCells(label, split) }))}
        foot={toCells('Total', total)}
      />
      <p className="pt-3 text-small text-muted">Refunds are deducted on the day of the sale. Days are in UTC.</p>
    </>
  );
}

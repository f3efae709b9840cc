/** Earnings by kind (row G2): small charts on a common scale, with a table below. */

import { CHART_PERIODS, type EarningsChart } from '@stagedoor/contract/finance/earnings.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
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
import * as texts from './texts.ts';

const COLUMNS = [
  { head: texts.typeLabel },
  { head: texts.sales, wide: true },
  { head: texts.fansPaid, wide: true },
  { head: texts.platformFeeColumn, wide: true },
  { head: texts.youEarn },
];
const LATEST_LABELS: Record<EarningFilters['period'], string> = {
  weekly: texts.today,
  monthly: texts.thisMonth,
  yearly: texts.thisYear,
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
      <SectionHead id="kinds" title={texts.byType} end={PERIOD_TITLES[period]} />
      <Chips label={texts.periodLabel} className="mb-5">
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
  if (total.transactionCount === 0)
    return <p className="text-muted">{formatText(texts.noEarningsInPeriod, { period: periodText })}</p>;
  const top = roundUpScale(Math.max(0, ...kinds.flatMap(({ earnings }) => earnings)));
  return (
    <>
      <SmallCharts
        charts={kinds.map(({ label, earnings, totalEarnings }) => {
          const text = formatUsd(earnings.at(-1) ?? 0);
          return {
            name: label,
            text,
            summary: formatText(texts.earningsByTypeSummary, {
              type: label,
              latestAmount: text,
              latestPeriod: LATEST_LABELS[period].toLowerCase(),
              totalEarnings: formatUsd(totalEarnings),
              period: periodText,
            }),
            values: earnings,
          };
        })}
        max={top}
        maxText={formatUsd(top).replace('.00', '')}
        from={data[0]?.label ?? ''}
        to={LATEST_LABELS[period]}
      />
      <Table
        caption={formatText(texts.earningsByTypeCaption, { period: periodText })}
        columns={COLUMNS}
        rows={kinds.map(({ kind, label, ...split }) => ({ key: kind, cells: toCells(label, split) }))}
        foot={toCells(texts.totalRow, total)}
      />
      <p className="pt-3 text-small text-muted">{texts.refundsAndDaysNote}</p>
    </>
  );
}

/** Earnings by kind (row G2): small charts on a common scale, with a table below. */
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { CHART_PERIODS, type EarningsChart } from '@stagedoor/contract/earnings.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { addressWith } from '../../kernel/address.ts';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { SmallCharts } from '../../ui/stat.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { chartQuery, PERIOD_TITLES, PERIOD_WORDS, scaleTop } from './earnings-chart.tsx';
import type { EarningFilters } from './filters.ts';

const COLUMNS = [
  { head: 'Type' },
  { head: 'Sales', wide: true },
  { head: 'Fans paid', wide: true },
  { head: 'Platform fee', wide: true },
  { head: 'You earn' },
];
const LAST: Record<EarningFilters['period'], string> = { weekly: 'Today', monthly: 'This month', yearly: 'This year' };

type Split = { transactionCount: number; fansPaid: number; platformFee: number; totalEarnings: number };

const cellsOf = (name: string, { transactionCount, fansPaid, platformFee, totalEarnings }: Split) => [
  name,
  transactionCount.toLocaleString('en-US'),
  formatUsd(fansPaid),
  formatUsd(-platformFee),
  formatUsd(totalEarnings),
];

export function EarnedByKind({ path, period }: { path: string; period: EarningFilters['period'] }) {
  const [search] = useSearchParams();
  const query = useQuery({ ...chartQuery(period), placeholderData: keepPreviousData });
  const words = PERIOD_TITLES[period].toLowerCase();
  return (
    <section aria-labelledby="kinds" aria-busy={query.isPlaceholderData}>
      <SectionHead id="kinds" title="By type" end={PERIOD_TITLES[period]} />
      <Chips label="Period" className="mb-5">
        {CHART_PERIODS.map((each) => (
          <ChipLink
            key={each}
            href={addressWith(path, search, { period: each === 'weekly' ? undefined : each })}
            current={each === period}
          >
            {PERIOD_WORDS[each]}
          </ChipLink>
        ))}
      </Chips>
      {query.data ? (
        <Kinds answer={query.data} period={period} words={words} />
      ) : query.isError ? (
        <ErrorState onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton style={{ height: 360 }} />
      )}
    </section>
  );
}

function Kinds({
  answer: { data, kinds, together },
  period,
  words,
}: {
  answer: EarningsChart;
  period: EarningFilters['period'];
  words: string;
}) {
  if (together.transactionCount === 0) return <p className="text-muted">No earnings in the {words}.</p>;
  const top = scaleTop(Math.max(0, ...kinds.flatMap(({ earnings }) => earnings)));
  return (
    <>
      <SmallCharts
        charts={kinds.map(({ label, earnings, totalEarnings }) => {
          const text = formatUsd(earnings.at(-1) ?? 0);
          return {
            name: label,
            text,
            summary: `${label}: ${text} ${LAST[period].toLowerCase()}, ${formatUsd(totalEarnings)} in the ${words}`,
            values: earnings,
          };
        })}
        max={top}
        maxText={formatUsd(top).replace('.00', '')}
        from={data[0]?.label ?? ''}
        to={LAST[period]}
      />
      <Table
        caption={`Earnings by type in the ${words}`}
        columns={COLUMNS}
        rows={kinds.map(({ kind, label, ...split }) => ({ key: kind, cells: cellsOf(label, split) }))}
        foot={cellsOf('Total', together)}
      />
      <p className="pt-3 text-small text-muted">Refunds are deducted on the day of the sale. Days are in UTC.</p>
    </>
  );
}

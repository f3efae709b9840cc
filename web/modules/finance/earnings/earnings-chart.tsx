/** Earnings over time (row G2): 7 days, 12 months or 3 years, counted back from today in UTC. */

import { CHART_PERIODS, getEarningsChart } from '@stagedoor/contract/finance/earnings.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../../platform/query.ts';
import { Chip, Chips } from '../../../ui/chips.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { BarChart } from '../../../ui/stat.tsx';
import * as texts from './texts.ts';

type Period = (typeof CHART_PERIODS)[number];
export const PERIOD_TITLES: Record<Period, string> = {
  weekly: texts.lastSevenDays,
  monthly: texts.lastTwelveMonths,
  yearly: texts.lastThreeYears,
};
export const PERIOD_UNITS: Record<Period, string> = { weekly: texts.days, monthly: texts.months, yearly: texts.years };

export const earningsChartQuery = (period: Period) => apiQuery(getEarningsChart, { query: { period } });

/** Returns a round maximum for the scale: 1, 2 or 5 times a power of ten, at least ten dollars. */
export function roundUpScale(highest: number): number {
  if (highest <= 10) return 10;
  const power = 10 ** Math.floor(Math.log10(highest));
  return ([1, 2, 5, 10].find((step) => step * power >= highest) ?? 10) * power;
}

export function EarningsChartSection() {
  const [period, setPeriod] = useState<Period>('weekly');
  const { data } = useQuery({ ...earningsChartQuery(period), placeholderData: keepPreviousData });
  const bars = (data?.data ?? []).map((entry) => ({
    label: entry.date ?? entry.month ?? entry.year ?? entry.label,
    value: entry.totalEarnings,
    text: formatUsd(entry.totalEarnings),
    tick: entry.label,
  }));
  const top = roundUpScale(Math.max(0, ...bars.map((bar) => bar.value)));
  return (
    <section aria-labelledby="earned">
      <SectionHead id="earned" title={texts.totalEarning} end={PERIOD_TITLES[period]} />
      <Chips label={texts.periodLabel} className="mb-4">
        {CHART_PERIODS.map((each) => (
          <Chip key={each} pressed={each === period} onClick={() => setPeriod(each)}>
            {PERIOD_UNITS[each]}
          </Chip>
        ))}
      </Chips>
      <BarChart
        caption={formatText(texts.totalEarningCaption, { period: PERIOD_TITLES[period].toLowerCase() })}
        bars={bars}
        max={top}
        maxText={formatUsd(top).replace('.00', '')}
        heads={[texts.timeColumn, texts.earned]}
      />
    </section>
  );
}

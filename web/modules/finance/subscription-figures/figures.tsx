import { getSubscriptionFigures } from '@stagedoor/contract/finance/subscription-figures.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatCount } from '../../../platform/dates.ts';
import { useApi } from '../../../platform/query.ts';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { BarChart, StatCard, Stats } from '../../../ui/stat.tsx';
import { Table } from '../../../ui/table.tsx';
import { formatMonth } from './labels.ts';
import * as texts from './texts.ts';

const useFigures = () => useApi(getSubscriptionFigures, {});
const formatPercent = (percent: number | null) =>
  percent === null ? texts.unknown : formatText(texts.percent, { share: percent });

export function FigureStats() {
  const { churn, expected, monthlyRecurring, months, newCount, previousChurn, recurringChange, subscriberCount } =
    useFigures();
  const lastMonth = formatMonth(months.at(-2)?.month ?? '');
  const change = formatUsd(recurringChange, { sign: true });
  return (
    <Stats label={texts.figures} className="max-md:*:first:[grid-column:auto] max-md:*:first:[--stat:26px]">
      <StatCard
        name={texts.recurringNow}
        value={formatUsd(monthlyRecurring)}
        note={
          recurringChange === 0
            ? formatText(texts.noChange, { month: lastMonth })
            : formatText(texts.sinceMonth, { change, month: lastMonth })
        }
        noteMuted={recurringChange === 0}
      />
      <StatCard
        name={texts.subscribers}
        value={subscriberCount.toLocaleString('en-US')}
        note={formatText(texts.joinedAndLeft, {
          joined: newCount.toLocaleString('en-US'),
          left: churn.left.toLocaleString('en-US'),
        })}
      />
      <StatCard
        name={texts.churn}
        value={formatPercent(churn.percent)}
        note={
          churn.percent === null
            ? texts.noChurnYet
            : previousChurn.percent === null
              ? formatText(texts.churnDetail, churn)
              : formatText(texts.churnBefore, { ...churn, before: formatPercent(previousChurn.percent) })
        }
      />
      <StatCard name={texts.expected} value={formatUsd(expected.yours)} note={texts.expectedNote} />
    </Stats>
  );
}

/** Returns a round maximum of the scale with two significant digits at most, at least ten dollars. */
export function roundUpScale(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 10)));
  return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= highest) ?? 10) * power;
}

export function RecurringChart() {
  const { months } = useFigures();
  const top = roundUpScale(Math.max(...months.map(({ amount }) => amount)));
  return (
    <section aria-labelledby="recurring" className="min-w-0">
      <SectionHead id="recurring" title={texts.recurringByMonth} end={texts.twelveMonths} />
      <BarChart
        caption={texts.chartCaption}
        heads={[texts.month, texts.recurring]}
        max={top}
        maxText={formatUsd(top).replace('.00', '')}
        bars={months.map(({ month, amount }, index) => ({
          label: `${formatMonth(month)} ${month.slice(0, 4)}`,
          value: amount,
          text: formatUsd(amount),
          tick: index % 2 === 1 ? formatMonth(month) : undefined,
        }))}
      />
    </section>
  );
}

export function TierFigures({ canEdit }: { canEdit: boolean }) {
  const { bundles, monthlyRecurring, offers, subscriberCount, tiers } = useFigures();
  const toSavings = (key: string, name: string, { count, saved }: typeof bundles) => ({
    key,
    cells: [
      <span key="name" className="font-normal text-muted">
        {name}
      </span>,
      count.toLocaleString('en-US'),
      <span key="saved" className="font-normal">
        {formatUsd(-saved)}
      </span>,
    ],
  });
  return (
    <section aria-labelledby="tiers" className="min-w-0">
      <SectionHead
        id="tiers"
        title={texts.byTier}
        {...(canEdit && { end: texts.editTiers, href: PATHS.creatorSubscriptionTiers })}
      />
      <Table
        caption={texts.tierCaption}
        columns={[{ head: texts.tier }, { head: texts.subscribers }, { head: texts.perMonth }]}
        rows={[
          ...tiers.map((tier) => ({
            key: tier.id,
            cells: [
              <span key="name">
                <bdi>{tier.name}</bdi>{' '}
                <span className="font-normal text-muted">
                  {tier.isDeleted ? texts.deleted : tier.monthlyPrice !== null && formatUsd(tier.monthlyPrice)}
                </span>
              </span>,
              tier.subscriberCount.toLocaleString('en-US'),
              formatUsd(tier.perMonth),
            ],
          })),
          ...(bundles.count > 0 ? [toSavings('bundles', texts.savedByBundles, bundles)] : []),
          ...(offers.count > 0 ? [toSavings('offers', texts.savedByOffers, offers)] : []),
        ]}
        foot={[texts.total, subscriberCount.toLocaleString('en-US'), formatUsd(monthlyRecurring)]}
      />
      <p className="pt-2 text-small text-muted">{texts.recurringHint}</p>
    </section>
  );
}

export function ExpectedIncome() {
  const { fee, feePercent, losses, renewals, trials, yours } = useFigures().expected;
  const trialCount = formatCount(trials.count, texts.trial);
  return (
    <section aria-labelledby="expected" className="min-w-0">
      <SectionHead id="expected" title={texts.expected} />
      <PriceSummary
        items={[
          {
            name: formatText(texts.renewals, { count: formatCount(renewals.count, texts.renewal) }),
            value: formatUsd(renewals.amount),
          },
          {
            name: trials.isMeasured
              ? formatText(texts.trialsStay, { trials: trialCount, percent: trials.stayPercent })
              : formatText(texts.trialsAssumed, { trials: trialCount }),
            value: formatUsd(trials.amount, { sign: true }),
          },
          { name: texts.losses, value: formatUsd(-losses.amount) },
          { name: formatText(texts.fee, { percent: feePercent }), value: formatUsd(-fee) },
        ]}
        total={{ name: texts.yours, value: formatUsd(yours) }}
      />
    </section>
  );
}

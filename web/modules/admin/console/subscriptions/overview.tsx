import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { DUE_DAYS, RECENT_DAYS, type SubscriptionOverview } from '@stagedoor/contract/admin/subscriptions.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatCount, formatExactTime } from '../../../../platform/dates.ts';
import { UiLink } from '../../../../ui/link.tsx';
import { StatCard, Stats } from '../../../../ui/stat.tsx';
import { Banner } from '../../../../ui/states.tsx';
import * as texts from './texts.ts';

type CountedSum = SubscriptionOverview['due'];

function SumCard({ name, sum: { count, amount }, isRecent }: { name: string; sum: CountedSum; isRecent?: boolean }) {
  const shownCount = count.toLocaleString('en-US');
  return (
    <StatCard
      name={name}
      value={formatUsd(amount)}
      note={
        isRecent
          ? formatText(texts.lastDays, { count: shownCount, days: RECENT_DAYS })
          : formatCount(count, 'subscription')
      }
    />
  );
}

export function SubscriptionOverviewFigures({ overview }: { overview: SubscriptionOverview }) {
  const { dueSoon, due, failing, unpaid, refunded, chargeback, paused } = overview;
  return (
    <>
      {paused && (
        <Banner>
          {formatText(texts.pausedSince, {
            time: formatExactTime(paused.since),
            count: formatCount(paused.count, 'renewal'),
            amount: formatUsd(paused.amount),
          })}{' '}
          <UiLink href={ADMIN_PATHS.adminKillSwitches} className="underline underline-offset-4">
            {texts.openKillSwitches}
          </UiLink>
        </Banner>
      )}
      <Stats label={texts.overview} className="md:grid-cols-3!">
        <SumCard name={texts.dueSoon} sum={dueSoon} />
        <SumCard name={formatText(texts.due, { days: DUE_DAYS })} sum={due} />
        <SumCard name={texts.failing} sum={failing} />
        <SumCard name={texts.unpaid} sum={unpaid} isRecent />
        <SumCard name={texts.refunded} sum={refunded} isRecent />
        <SumCard name={texts.chargedBack} sum={chargeback} isRecent />
      </Stats>
    </>
  );
}

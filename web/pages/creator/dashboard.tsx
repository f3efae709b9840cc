/** The creator dashboard (row G1): exact earnings and next steps. */

import { getVerification } from '@stagedoor/contract/compliance/verification.ts';
import { getOwnProfile } from '@stagedoor/contract/content/profiles.ts';
import { getCreatorStats, getSameTimeStats, listClearingDays } from '@stagedoor/contract/finance/earnings.ts';
import { listPayoutMethods } from '@stagedoor/contract/finance/payouts.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { calculatePercentChange, formatUsd } from '@stagedoor/contract/shared/money.ts';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  redirect,
  useLoaderData,
} from 'react-router';
import { formatAnswerTime } from '../../modules/compliance/verification/verification-labels.ts';
import { BalanceStats, creatorBalanceQuery } from '../../modules/finance/earnings/balance-stats.tsx';
import { BestSellers, highlightsQuery } from '../../modules/finance/earnings/best-sellers.tsx';
import { ClearingTable, clearingDaysQuery } from '../../modules/finance/earnings/clearing-table.tsx';
import { EarningsChartSection, earningsChartQuery } from '../../modules/finance/earnings/earnings-chart.tsx';
import { RecentEarnings, recentEarningsQuery } from '../../modules/finance/earnings/recent-earnings.tsx';
import { SetupCard } from '../../modules/finance/earnings/setup-card.tsx';
import { getDelegationPath } from '../../modules/identity/teams/delegation.ts';
import { CallsCard } from '../../modules/messaging/calls/availability.tsx';
import { callSettingsQuery } from '../../modules/messaging/calls/availability-widget.tsx';
import { missedCallsQuery } from '../../modules/messaging/calls/missed-calls.ts';
import { formatCount } from '../../platform/dates.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { formatNodes } from '../../ui/format-nodes.ts';
import { SectionHead } from '../../ui/label.tsx';
import { StatCard, Stats } from '../../ui/stat.tsx';
import { lastPostQuery, NextSteps } from './next-steps.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: 'Home' });

const load: PageLoad<{ now: string }> = async ({ client, viewer }) => {
  const delegation = (await viewer())?.delegation;
  // Only the creator has a dashboard. Team members are redirected to the first page that they have a right to.
  if (delegation) throw redirect(getDelegationPath(delegation.rights));
  await Promise.all([
    client.ensureQueryData(apiQuery(getCreatorStats, {})),
    client.ensureQueryData(apiQuery(getSameTimeStats, {})),
    client.ensureQueryData(lastPostQuery()),
    client.ensureQueryData(apiQuery(getOwnProfile, {})),
    client.ensureQueryData(creatorBalanceQuery()),
    client.ensureQueryData(recentEarningsQuery()),
    client.ensureQueryData(earningsChartQuery('weekly')),
    client.ensureQueryData(clearingDaysQuery()),
    client.ensureQueryData(apiQuery(listPayoutMethods, {})),
    client.ensureQueryData(apiQuery(getVerification, {})),
    client.prefetchQuery(highlightsQuery()),
    client.prefetchQuery(callSettingsQuery()),
    client.prefetchQuery(missedCallsQuery()),
  ]);
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

/** Returns text such as "$13.50 yesterday, +20% vs. same time", compared with the same part of yesterday (row G1). */
export function formatComparison(today: number, yesterdayPart: number, yesterday: string): string {
  if (yesterdayPart === 0) return formatText(texts.yesterdayAmount, { amount: yesterday });
  const change = calculatePercentChange(yesterdayPart, today);
  return formatText(texts.yesterdayComparison, {
    amount: yesterday,
    sign: change > 0 ? '+' : change < 0 ? '−' : '',
    percent: Math.abs(change),
  });
}

type Figures = { today: number; yesterday: number; total: number };

function TodayStats() {
  const { earnings, transactions, followers } = useApi(getCreatorStats, {});
  const before = useApi(getSameTimeStats, {}).yesterday;
  const renderCard = (
    name: string,
    { today, yesterday }: Figures,
    before: number,
    format: (value: number) => string,
  ) => <StatCard name={name} value={format(today)} note={formatComparison(today, before, format(yesterday))} />;
  const count = (value: number) => value.toLocaleString('en-US');
  return (
    <div>
      <Stats label={texts.today}>
        {renderCard(texts.earnedToday, earnings, before.earnings, formatUsd)}
        {renderCard(texts.salesToday, transactions, before.transactions, count)}
        {renderCard(texts.newFollowersToday, followers, before.followers, count)}
      </Stats>
      <p className="num text-small text-muted">
        {formatText(texts.allTimeSummary, {
          total: formatUsd(earnings.total),
          saleCount: formatCount(transactions.total, 'sale'),
          followerCount: formatCount(followers.total, 'follower'),
        })}
      </p>
    </div>
  );
}

const DAYS_SHOWN = 3;

function Clearing({ now }: { now: string }) {
  if (useApi(listClearingDays, {}).data.length === 0) return null;
  return (
    <section aria-labelledby="clearing">
      <SectionHead id="clearing" title={texts.clearingSchedule} end={texts.allEarnings} href={PATHS.creatorEarning} />
      <ClearingTable now={now} maxDays={DAYS_SHOWN} />
    </section>
  );
}

function Setup({ now }: { now: string }) {
  const profile = useApi(getOwnProfile, {});
  const hasPayoutMethod = useApi(listPayoutMethods, {}).data.length > 0;
  const { answerBy } = useApi(getVerification, {});
  return (
    <SetupCard {...{ profile, hasPayoutMethod }} review={answerBy ? formatAnswerTime(answerBy, now) : undefined} />
  );
}

/**
 * The order of the cells on phones, where both columns become one: setup, money, next steps, calls, recent earnings.
 */
const COLUMN = 'grid grid-cols-1 min-w-0 content-start gap-9';
const CELL = 'grid grid-cols-1 min-w-0 gap-9 empty:hidden';

export default function Dashboard() {
  const { now } = useLoaderData<typeof loader>();
  const profile = useApi(getOwnProfile, {});
  const hasSold = useApi(getCreatorStats, {}).transactions.total > 0;
  return (
    <>
      <h1 className="display d2 pt-7 pb-5 wrap-anywhere lg:pt-11 lg:pb-7">
        {formatNodes(texts.greeting, { firstName: <bdi>{profile.name.split(' ')[0]}</bdi> })}
      </h1>
      <div className="grid grid-cols-1 gap-x-14 gap-y-9 lg:grid-cols-[minmax(0,1fr)_384px]">
        <div className={`${COLUMN} max-lg:contents`}>
          <div className={CELL}>
            <BalanceStats now={now} />
            <TodayStats />
            <NextSteps now={now} />
          </div>
          <div className={`${CELL} max-lg:order-2`}>
            {hasSold && <EarningsChartSection />}
            <RecentEarnings now={now} moreHref={PATHS.creatorEarning} />
          </div>
        </div>
        <div className={`${COLUMN} max-lg:contents`}>
          <div className={`${CELL} max-lg:order-first`}>
            <Setup now={now} />
          </div>
          <div className={`${CELL} max-lg:order-1`}>
            <CallsCard />
          </div>
          <div className={`${CELL} max-lg:order-3`}>
            <Clearing now={now} />
            <BestSellers />
          </div>
        </div>
      </div>
    </>
  );
}

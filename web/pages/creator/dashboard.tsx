/** The creator's home (row G1): what came in, true to the cent, and what to do next. */
import { formatUsd, percentChange } from '@stagedoor/contract/atoms/money.ts';
import { creatorStats, statsByNow } from '@stagedoor/contract/earnings.ts';
import { getOwnProfile } from '@stagedoor/contract/profiles.ts';
import { earningsStatement } from '@stagedoor/contract/statements.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { CallsCard } from '../../features/calls/availability.tsx';
import { settingsQuery } from '../../features/calls/availability-widget.tsx';
import { missedQuery } from '../../features/calls/missed.ts';
import { BalanceStats, balanceQuery } from '../../features/earnings/balance-stats.tsx';
import { chartQuery, EarningsChart } from '../../features/earnings/earnings-chart.tsx';
import { RecentEarnings, recentQuery } from '../../features/earnings/recent-earnings.tsx';
import { SetupCard } from '../../features/earnings/setup-card.tsx';
import { StatementForm } from '../../features/statements/statement-form.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { FactList } from '../../ui/facts.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { lastPostQuery, NextSteps } from './next-steps.tsx';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Home' });

const load: PageLoad<{ now: string }> = async ({ client }) => {
  await Promise.all([
    client.ensureQueryData(apiQuery(creatorStats, {})),
    client.ensureQueryData(apiQuery(statsByNow, {})),
    client.ensureQueryData(lastPostQuery()),
    client.ensureQueryData(apiQuery(getOwnProfile, {})),
    client.ensureQueryData(balanceQuery()),
    client.ensureQueryData(recentQuery()),
    client.ensureQueryData(chartQuery('weekly')),
    client.prefetchQuery(settingsQuery()),
    client.prefetchQuery(missedQuery()),
  ]);
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

/** "12, +20% on yesterday by this time": a part of a day beside the same part. */
export function compared(today: number, yesterdayPart: number, text: string): string {
  const change = percentChange(yesterdayPart, today);
  return `${text}, ${change > 0 ? '+' : change < 0 ? '−' : ''}${Math.abs(change)}% on yesterday by this time`;
}

function Totals() {
  const { earnings, transactions, followers } = useApi(creatorStats, {});
  const before = useApi(statsByNow, {}).yesterday;
  return (
    <section aria-labelledby="totals">
      <SectionHead id="totals" title="Since you began" />
      <FactList
        facts={[
          { name: 'Earned', value: formatUsd(earnings.total) },
          { name: 'Earned today', value: compared(earnings.today, before.earnings, formatUsd(earnings.today)) },
          { name: 'Tips and unlocks', value: transactions.total.toLocaleString('en-US') },
          { name: 'Today', value: compared(transactions.today, before.transactions, String(transactions.today)) },
          { name: 'Followers', value: followers.total.toLocaleString('en-US') },
          { name: 'New today', value: compared(followers.today, before.followers, String(followers.today)) },
        ]}
      />
    </section>
  );
}

export default function Dashboard() {
  const { now } = useLoaderData<typeof loader>();
  const profile = useApi(getOwnProfile, {});
  const { earnings, transactions, followers } = useApi(creatorStats, {});
  // Who has nothing to count yet is shown the way in, and no row of zeros.
  const isNew = earnings.total === 0 && transactions.total === 0 && followers.total === 0;
  if (isNew)
    return (
      <>
        <h1 className="display d2 pt-7 pb-5 wrap-anywhere lg:pt-11 lg:pb-7">Hello, {profile.name.split(' ')[0]}</h1>
        <div className="grid max-w-[640px] gap-9">
          <SetupCard profile={profile} />
          <NextSteps now={now} />
          <RecentEarnings now={now} />
        </div>
      </>
    );
  return (
    <>
      <h1 className="display d2 pt-7 pb-5 wrap-anywhere lg:pt-11 lg:pb-7">
        Hello, <bdi>{profile.name.split(' ')[0]}</bdi>
      </h1>
      <div className="grid gap-x-14 gap-y-9 lg:grid-cols-[minmax(0,1fr)_384px]">
        <div className="grid min-w-0 content-start gap-9">
          <NextSteps now={now} />
          <BalanceStats now={now} />
          <EarningsChart />
          <RecentEarnings now={now} />
          <StatementForm route={earningsStatement} of="earnings" now={now} />
        </div>
        <div className="order-first grid content-start gap-9 lg:order-none">
          <SetupCard profile={profile} />
          <CallsCard />
          <div className="hidden lg:block">
            <Totals />
          </div>
        </div>
        <div className="lg:hidden">
          <Totals />
        </div>
      </div>
    </>
  );
}

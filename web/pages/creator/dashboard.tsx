/** The creator dashboard (row G1): exact earnings and next steps. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { formatUsd, percentChange } from '@stagedoor/contract/atoms/money.ts';
import { clearingDays, creatorStats, statsByNow } from '@stagedoor/contract/earnings.ts';
import { listPayoutMethods } from '@stagedoor/contract/payouts.ts';
import { getOwnProfile } from '@stagedoor/contract/profiles.ts';
import { verificationStatus } from '@stagedoor/contract/verification.ts';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  redirect,
  useLoaderData,
} from 'react-router';
import { CallsCard } from '../../features/calls/availability.tsx';
import { settingsQuery } from '../../features/calls/availability-widget.tsx';
import { missedQuery } from '../../features/calls/missed.ts';
import { BalanceStats, balanceQuery } from '../../features/earnings/balance-stats.tsx';
import { Best, bestQuery } from '../../features/earnings/best.tsx';
import { ClearingTable, clearingQuery } from '../../features/earnings/clearing-table.tsx';
import { chartQuery, EarningsChart } from '../../features/earnings/earnings-chart.tsx';
import { RecentEarnings, recentQuery } from '../../features/earnings/recent-earnings.tsx';
import { SetupCard } from '../../features/earnings/setup-card.tsx';
import { homeOfRights } from '../../features/team/act.ts';
import { promiseOf } from '../../features/verification/words.ts';
import { plural } from '../../kernel/dates.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { SectionHead } from '../../ui/label.tsx';
import { StatCard, Stats } from '../../ui/stat.tsx';
import { lastPostQuery, NextSteps } from './next-steps.tsx';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Home' });

const load: PageLoad<{ now: string }> = async ({ client, viewer }) => {
  const acting = (await viewer())?.acting;
  // Only the creator has a dashboard. Team members are redirected to the first page that they have a right to.
  if (acting) throw redirect(homeOfRights(acting.rights));
  await Promise.all([
    client.ensureQueryData(apiQuery(creatorStats, {})),
    client.ensureQueryData(apiQuery(statsByNow, {})),
    client.ensureQueryData(lastPostQuery()),
    client.ensureQueryData(apiQuery(getOwnProfile, {})),
    client.ensureQueryData(balanceQuery()),
    client.ensureQueryData(recentQuery()),
    client.ensureQueryData(chartQuery('weekly')),
    client.ensureQueryData(clearingQuery()),
    client.ensureQueryData(apiQuery(listPayoutMethods, {})),
    client.ensureQueryData(apiQuery(verificationStatus, {})),
    client.prefetchQuery(bestQuery()),
    client.prefetchQuery(settingsQuery()),
    client.prefetchQuery(missedQuery()),
  ]);
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

/** Returns text such as "$13.50 yesterday, +20% vs. same time", compared with the same part of yesterday (row G1). */
export function compared(today: number, yesterdayPart: number, yesterday: string): string {
  if (yesterdayPart === 0) return `${yesterday} yesterday`;
  const change = percentChange(yesterdayPart, today);
  return `${yesterday} yesterday, ${change > 0 ? '+' : change < 0 ? '−' : ''}${Math.abs(change)}% vs. same time`;
}

type Figures = { today: number; yesterday: number; total: number };

function Today() {
  const { earnings, transactions, followers } = useApi(creatorStats, {});
  const before = useApi(statsByNow, {}).yesterday;
  const card = (name: string, { today, yesterday }: Figures, before: number, words: (value: number) => string) => (
    <StatCard name={name} value={words(today)} note={compared(today, before, words(yesterday))} />
  );
  const count = (value: number) => value.toLocaleString('en-US');
  return (
    <div>
      <Stats label="Today">
        {card('Earned today', earnings, before.earnings, formatUsd)}
        {card('Sales today', transactions, before.transactions, count)}
        {card('New followers today', followers, before.followers, count)}
      </Stats>
      <p className="num text-small text-muted">
        All time: {formatUsd(earnings.total)} earned, {plural(transactions.total, 'sale')},{' '}
        {plural(followers.total, 'follower')}.
      </p>
    </div>
  );
}

const DAYS_SHOWN = 3;

function Clearing({ now }: { now: string }) {
  if (useApi(clearingDays, {}).data.length === 0) return null;
  return (
    <section aria-labelledby="clearing">
      <SectionHead id="clearing" title="Clearing schedule" end="All earnings" href={PATHS.creatorEarning} />
      <ClearingTable now={now} most={DAYS_SHOWN} />
    </section>
  );
}

function Setup({ now }: { now: string }) {
  const profile = useApi(getOwnProfile, {});
  const hasPayoutMethod = useApi(listPayoutMethods, {}).data.length > 0;
  const { answerBy } = useApi(verificationStatus, {});
  return <SetupCard {...{ profile, hasPayoutMethod }} review={answerBy ? promiseOf(answerBy, now) : undefined} />;
}

/**
 * The order of the cells on phones, where both columns become one: setup, money, next steps, calls, recent earnings.
 */
const COLUMN = 'grid grid-cols-1 min-w-0 content-start gap-9';
const CELL = 'grid grid-cols-1 min-w-0 gap-9 empty:hidden';

export default function Dashboard() {
  const { now } = useLoaderData<typeof loader>();
  const profile = useApi(getOwnProfile, {});
  const hasSold = useApi(creatorStats, {}).transactions.total > 0;
  return (
    <>
      <h1 className="display d2 pt-7 pb-5 wrap-anywhere lg:pt-11 lg:pb-7">
        Hi <bdi>{profile.name.split(' ')[0]}</bdi>
      </h1>
      <div className="grid grid-cols-1 gap-x-14 gap-y-9 lg:grid-cols-[minmax(0,1fr)_384px]">
        <div className={`${COLUMN} max-lg:contents`}>
          <div className={CELL}>
            <BalanceStats now={now} />
            <Today />
            <NextSteps now={now} />
          </div>
          <div className={`${CELL} max-lg:order-2`}>
            {hasSold && <EarningsChart />}
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
            <Best />
          </div>
        </div>
      </div>
    </>
  );
}

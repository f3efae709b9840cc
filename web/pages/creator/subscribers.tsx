/** Recurring income and subscribers. Filter and order of the list are stored in the address. */
import { getSubscriptionFigures } from '@stagedoor/contract/finance/subscription-figures.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { CohortTable } from '../../modules/finance/subscription-figures/cohort-table.tsx';
import {
  ExpectedIncome,
  FigureStats,
  RecurringChart,
  TierFigures,
} from '../../modules/finance/subscription-figures/figures.tsx';
import { parseSubscriberFilters, subscribersQuery } from '../../modules/finance/subscription-figures/filters.ts';
import { SubscriberFilterBar } from '../../modules/finance/subscription-figures/subscriber-filters.tsx';
import { SubscriberRows } from '../../modules/finance/subscription-figures/subscriber-rows.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { useViewer } from '../../platform/session.ts';
import { Button } from '../../ui/button.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { useListUrl } from '../list-url.tsx';
import * as texts from './texts.ts';

const PATH = PATHS.creatorSubscribers;
export const handle: PageHandle = { width: 'wide', nav: PATHS.creatorEarning };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.subscribers });

const load: PageLoad<{ now: string }> = async ({ client, url }) => {
  await Promise.all([
    client.ensureQueryData(apiQuery(getSubscriptionFigures, {})),
    client.ensureInfiniteQueryData(subscribersQuery(parseSubscriberFilters(url.searchParams))),
  ]);
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function Everyone({ now }: { now: string }) {
  const { search, to, go } = useListUrl(PATH);
  const delegation = useViewer()?.delegation;
  const filters = parseSubscriberFilters(search);
  const query = useInfiniteQuery(subscribersQuery(filters));
  const page = query.data?.pages[0];
  return (
    <section aria-labelledby="everyone">
      <SectionHead id="everyone" title={texts.everyone} />
      {page && (
        <SubscriberFilterBar
          filters={filters}
          counts={page.counts}
          perMonth={page.perMonth}
          canMessage={!delegation || delegation.rights.includes('chat')}
          toFilter={(filter) => to({ filter: filter === 'all' ? undefined : filter })}
          onSort={(sort) => go({ sort: sort === 'renewal' ? undefined : sort })}
        />
      )}
      <div className={query.isPlaceholderData ? 'opacity-60' : undefined}>
        <CountedListing
          query={query}
          empty={
            <EmptyState
              line={texts.noSubscriberMatches}
              action={
                filters.filter !== 'all' && <Button href={to({ filter: undefined })}>{texts.showAllSubscribers}</Button>
              }
            />
          }
        >
          {(subscribers) => <SubscriberRows subscribers={subscribers} now={now} />}
        </CountedListing>
      </div>
    </section>
  );
}

export default function SubscribersPage() {
  const { now } = useLoaderData<typeof loader>();
  const { cohorts, subscriberCount, tiers } = useApi(getSubscriptionFigures, {});
  const isOwner = !useViewer()?.delegation;
  const hadSubscribers = subscriberCount > 0 || cohorts.length > 0;
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 pt-7 pb-5 lg:pt-11 lg:pb-7">
        <h1 className="display d2">{texts.subscribers}</h1>
        {isOwner && tiers.length > 0 && (
          <Button icon="edit" href={PATHS.creatorSubscriptionTiers}>
            {texts.editTiers}
          </Button>
        )}
      </div>
      {hadSubscribers ? (
        <>
          <FigureStats />
          <div className="grid grid-cols-1 gap-x-14 gap-y-10 pt-5 pb-10 lg:grid-cols-[minmax(0,1fr)_400px]">
            <RecurringChart />
            <TierFigures canEdit={isOwner} />
            <CohortTable />
            <ExpectedIncome />
          </div>
          <Everyone now={now} />
        </>
      ) : (
        <EmptyState
          line={texts.noSubscribersYet}
          more={texts.noSubscribersHint}
          action={
            isOwner && (
              <Button variant="primary" href={PATHS.creatorSubscriptionTiers}>
                {tiers.length > 0 ? texts.editTiers : texts.setUpTiers}
              </Button>
            )
          }
        />
      )}
    </>
  );
}

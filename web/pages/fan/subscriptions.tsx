/** All subscriptions of a fan, with their next charges and what they cost per month and year. */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { EndedRows, endedSubscriptionsQuery } from '../../modules/content/subscriptions/ended-rows.tsx';
import { getGroup } from '../../modules/content/subscriptions/groups.ts';
import { NextCharges } from '../../modules/content/subscriptions/next-charges.tsx';
import { SubscriptionCosts } from '../../modules/content/subscriptions/subscription-costs.tsx';
import {
  SubscriptionGroup,
  SubscriptionList,
  subscriptionsQuery,
} from '../../modules/content/subscriptions/subscription-list.tsx';
import { useLiveSubscriptions } from '../../modules/content/subscriptions/use-live-subscriptions.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { useIsHydrated } from '../../ui/use-is-hydrated.ts';
import { useNow } from '../../ui/use-now.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.subscriptionsTitle });

const load: PageLoad<{ now: string }> = async ({ client }) => {
  await awaitOnServer(
    client.ensureQueryData({ ...subscriptionsQuery(), revalidateIfStale: true }),
    client.prefetchInfiniteQuery(endedSubscriptionsQuery()),
  );
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function Ended({ now }: { now: string }) {
  const query = useInfiniteQuery(endedSubscriptionsQuery());
  const pages = query.data?.pages ?? [];
  const all = pages.flatMap(({ data }) => data);
  if (all.length === 0) return null;
  return (
    <SubscriptionGroup title={texts.endedSubscriptions} count={pages[0]?.totalCount ?? all.length}>
      <EndedRows subscriptions={all} now={now} />
      {query.isFetchNextPageError && (
        <ErrorState title={texts.loadMoreError} onRetry={() => void query.fetchNextPage()} />
      )}
      {query.hasNextPage && <Pager onMore={() => void query.fetchNextPage()} busy={query.isFetchingNextPage} />}
    </SubscriptionGroup>
  );
}

function Current({ now }: { now: string }) {
  const query = useQuery(subscriptionsQuery());
  const { data: list } = query;
  const retry = () => void query.refetch();
  if (!list) {
    if (query.fetchStatus === 'paused')
      return <ErrorState title={texts.loadPageError} more={texts.offlineLoadHint} onRetry={retry} />;
    return query.isError && !query.isFetching ? <ErrorState onRetry={retry} /> : <SkeletonRows count={5} />;
  }
  if (list.data.length === 0)
    return (
      <EmptyState
        line={texts.noSubscriptions}
        more={texts.noSubscriptionsHint}
        action={<Button href={PUBLIC_PATHS.discovery}>{texts.findCreators}</Button>}
      />
    );
  return (
    <>
      <div>
        <SubscriptionCosts list={list} now={now} />
        <SubscriptionList subscriptions={list.data} now={now} />
      </div>
      <aside className="pt-8 xl:col-start-2 xl:row-span-2 xl:row-start-1 xl:pt-4">
        <NextCharges subscriptions={list.data} now={now} />
      </aside>
    </>
  );
}

function Counts() {
  const { data } = useQuery(subscriptionsQuery());
  const groups = data?.data.map(getGroup) ?? [];
  const canceledCount = groups.filter((group) => group === 'canceled').length;
  const renewingCount = groups.length - canceledCount;
  if (groups.length === 0) return null;
  return (
    <p role="status" className="num text-small text-muted">
      {[
        formatText(texts.renewingCount, { count: renewingCount }),
        canceledCount > 0 ? formatText(texts.canceledCount, { count: canceledCount }) : '',
      ]
        .filter(Boolean)
        .join(', ')}
    </p>
  );
}

export default function SubscriptionsPage() {
  useLiveSubscriptions();
  const loaded = useLoaderData<typeof loader>();
  // Ends the time for a refund while the page is open.
  const tick = new Date(useNow(true)).toISOString();
  const now = useIsHydrated() ? tick : loaded.now;
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-6 gap-y-1 pt-7 pb-4 lg:pt-10 lg:pb-6">
        <h1 className="display d2">{texts.subscriptionsTitle}</h1>
        <Counts />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-x-14 pb-8 xl:grid-cols-[minmax(0,1fr)_22rem] xl:grid-rows-[auto_1fr]">
        <Current now={now} />
        <Ended now={now} />
      </div>
    </>
  );
}

import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { SUBSCRIPTION_LISTS } from '@stagedoor/contract/admin/subscriptions.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { LIST_LABELS } from '../../modules/admin/console/subscriptions/labels.ts';
import { SubscriptionOverviewFigures } from '../../modules/admin/console/subscriptions/overview.tsx';
import {
  adminSubscriptionsQuery,
  subscriptionOverviewQuery,
} from '../../modules/admin/console/subscriptions/queries.ts';
import { SubscriptionRows } from '../../modules/admin/console/subscriptions/rows.tsx';
import { parseOption } from '../../platform/address.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { SearchForm } from '../../ui/search-form.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { AdminList, StateChips } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

const USER_LENGTH = 254;
const parseList = (search: URLSearchParams) => parseOption(SUBSCRIPTION_LISTS, search.get('state')) ?? 'due';
const parseUser = (search: URLSearchParams) => search.get('user')?.trim().slice(0, USER_LENGTH) || undefined;
const toListQuery = (search: URLSearchParams) => adminSubscriptionsQuery(parseList(search), parseUser(search));

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.subscriptions });

const load = createAdminLoad(({ client, url }) =>
  awaitOnServer(
    client.ensureQueryData({ ...subscriptionOverviewQuery(), revalidateIfStale: true }),
    client.ensureInfiniteQueryData({ ...toListQuery(url.searchParams), revalidateIfStale: true }),
  ),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function Overview() {
  const query = useQuery(subscriptionOverviewQuery());
  if (query.data) return <SubscriptionOverviewFigures overview={query.data} />;
  if (query.isError) return <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />;
  return <SkeletonRows count={2} />;
}

export default function SubscriptionsPage() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const [list, user] = [parseList(search), parseUser(search)];
  const query = useInfiniteQuery(toListQuery(search));
  return (
    <AdminList title={texts.subscriptions}>
      <Overview />
      <SearchForm
        key={user ?? ''}
        action={ADMIN_PATHS.adminSubscriptions}
        name="user"
        placeholder={texts.subscriptionSearchLabel}
        label={texts.subscriptionSearchLabel}
        maxLength={USER_LENGTH}
        defaultValue={user}
        className="pt-2"
      />
      {user === undefined ? (
        <StateChips
          path={ADMIN_PATHS.adminSubscriptions}
          states={LIST_LABELS}
          current={list}
          count={query.data?.pages[0]?.totalCount}
        />
      ) : (
        <p>
          <Button variant="quiet" href={ADMIN_PATHS.adminSubscriptions} className="-ml-3">
            {texts.allSubscriptions}
          </Button>
        </p>
      )}
      <CountedListing
        query={query}
        empty={<EmptyState line={user === undefined ? texts.noSubscriptionsHere : texts.noSubscriptionsOfUser} />}
      >
        {(subscriptions) => <SubscriptionRows subscriptions={subscriptions} now={now} />}
      </CountedListing>
    </AdminList>
  );
}

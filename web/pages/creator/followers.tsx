/** The creator's followers (row B12). The filters are stored in the address and work as a plain form. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { listFollowers } from '@stagedoor/contract/follows.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
} from 'react-router';
import { BlockButton } from '../../features/blocking/block-button.tsx';
import { SeemsWords, useSeemBlocked } from '../../features/blocking/seems.tsx';
import { ReportButton } from '../../features/cases/report-button.tsx';
import { spentQuery, useSpent } from '../../features/earnings/spent.ts';
import {
  type FollowerFilters,
  FollowerRows,
  followerFilters,
  followersPage,
} from '../../features/follows/followers.tsx';
import { plural } from '../../kernel/dates.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { begin, inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { routeKey } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { DayFields, NumberedPages, useListAddress } from '../list-address.tsx';

const PATH = PATHS.creatorFollowers;
const ORDERS = [
  { value: 'createdAt desc', label: 'Newest first' },
  { value: 'createdAt asc', label: 'Oldest first' },
  { value: 'name asc', label: 'Name, A to Z' },
  { value: 'name desc', label: 'Name, Z to A' },
];

export const handle: PageHandle = { width: 'column', nav: PATHS.creatorProfile };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Followers' });

const load: PageLoad<{ now: string }> = async ({ client, url }) => {
  const ask = async () => {
    const { data } = await client.ensureQueryData(followersPage(followerFilters(url.searchParams)));
    if (data.length > 0) await client.prefetchQuery(spentQuery(data.map(({ id }) => id)));
  };
  await begin(ask());
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

const useFollowersAddress = () => useListAddress(PATH, { currentPage: undefined });

function Filters({ filters }: { filters: FollowerFilters }) {
  const { go } = useFollowersAddress();
  const [sortByKey, sortOrderBy] = [filters.sortByKey, filters.sortOrderBy];
  return (
    <Form action={PATH} className="grid grid-cols-2 gap-3 py-4 md:grid-cols-3">
      <SelectField
        className="col-span-2 md:col-span-1"
        label="Sort by"
        value={`${sortByKey} ${sortOrderBy}`}
        options={ORDERS}
        onChange={(event) => {
          const [key, order] = event.currentTarget.value.split(' ');
          go({ sortByKey: key, sortOrderBy: order });
        }}
      />
      <DayFields names={['startDate', 'endDate']} from={filters.startDate} to={filters.endDate} go={go} />
    </Form>
  );
}

export default function FollowersPage() {
  const client = useQueryClient();
  const { now } = useLoaderData<typeof loader>();
  const { search, to } = useFollowersAddress();
  const filters = followerFilters(search);
  const query = useQuery(followersPage(filters));
  const isFiltered = filters.startDate !== undefined || filters.endDate !== undefined;
  const page = query.data;
  const ids = page?.data.map(({ id }) => id) ?? [];
  const spent = useSpent(ids);
  const seems = useSeemBlocked(ids);
  return (
    <div className="pt-7 lg:pt-10">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 className="display d2">Followers</h1>
        {page && (
          <span className="num text-muted" role="status">
            {plural(page.totalRecords, 'person', 'people')}
          </span>
        )}
      </div>
      <Filters filters={filters} />
      {!page && (query.isError ? <ErrorState onRetry={() => void query.refetch()} /> : <SkeletonRows count={6} />)}
      {page && page.data.length > 0 && (
        <div className={query.isPlaceholderData ? 'opacity-60' : undefined}>
          <FollowerRows
            followers={page.data}
            now={now}
            endOf={(id) => {
              const usd = spent.get(id) ?? 0;
              return usd > 0 && <span className="block text-ink">{formatUsd(usd)} paid</span>;
            }}
            noteOf={(id) => seems.has(id) && <SeemsWords />}
            actOf={(person) => (
              <span className="flex flex-none">
                <ReportButton person={person} />
                <BlockButton
                  person={person}
                  onBlocked={() => void client.invalidateQueries({ queryKey: routeKey(listFollowers) })}
                />
              </span>
            )}
          />
          <NumberedPages {...filters} total={page.totalRecords} to={to} />
        </div>
      )}
      {page && page.data.length === 0 && (
        <EmptyState
          line={isFiltered || filters.currentPage > 1 ? 'No results' : 'No followers yet'}
          more={isFiltered ? 'No new followers in this period.' : undefined}
          action={
            isFiltered || filters.currentPage > 1 ? (
              <Button href={PATH}>Show all followers</Button>
            ) : (
              <Button href={PATHS.creatorNewPost}>Publish a free post</Button>
            )
          }
        />
      )}
    </div>
  );
}

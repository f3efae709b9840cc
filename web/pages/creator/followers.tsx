/** The creator's followers (row B12). The filters are stored in the address and work as a plain form. */

import { listFollowers } from '@stagedoor/contract/content/follows.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
} from 'react-router';
import {
  type FollowerFilters,
  FollowerRows,
  followersPageQuery,
  parseFollowerFilters,
} from '../../modules/content/follows/followers.tsx';
import { fanSpendingQuery, useFanSpending } from '../../modules/finance/earnings/fan-spending.ts';
import { BanEvasionLabel, useBanEvasionHints } from '../../modules/identity/blocks/ban-evasion-hint.tsx';
import { BlockButton } from '../../modules/identity/blocks/block-button.tsx';
import { ReportButton } from '../../modules/trust/moderation/report-button.tsx';
import { formatCount } from '../../platform/dates.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { routeKey } from '../../platform/query.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { DayFields, NumberedPages, useListUrl } from '../list-url.tsx';
import * as texts from './texts.ts';

const PATH = PATHS.creatorFollowers;
const ORDERS = [
  { value: 'createdAt desc', label: texts.newestFirst },
  { value: 'createdAt asc', label: texts.oldestFirst },
  { value: 'name asc', label: texts.nameAToZ },
  { value: 'name desc', label: texts.nameZToA },
];

export const handle: PageHandle = { width: 'column', nav: PATHS.creatorProfile };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.followers });

const load: PageLoad<{ now: string }> = async ({ client, url }) => {
  const loadFollowers = async () => {
    const { data } = await client.ensureQueryData(followersPageQuery(parseFollowerFilters(url.searchParams)));
    if (data.length > 0) await client.prefetchQuery(fanSpendingQuery(data.map(({ id }) => id)));
  };
  await awaitOnServer(loadFollowers());
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

const useFollowersAddress = () => useListUrl(PATH, { currentPage: undefined });

function Filters({ filters }: { filters: FollowerFilters }) {
  const { go } = useFollowersAddress();
  const [sortByKey, sortOrderBy] = [filters.sortByKey, filters.sortOrderBy];
  return (
    <Form action={PATH} className="grid grid-cols-2 gap-3 py-4 md:grid-cols-3">
      <SelectField
        className="col-span-2 md:col-span-1"
        label={texts.sortBy}
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
  const filters = parseFollowerFilters(search);
  const query = useQuery(followersPageQuery(filters));
  const isFiltered = filters.startDate !== undefined || filters.endDate !== undefined;
  const page = query.data;
  const ids = page?.data.map(({ id }) => id) ?? [];
  const spent = useFanSpending(ids);
  const hints = useBanEvasionHints(ids);
  return (
    <div className="pt-7 lg:pt-10">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 className="display d2">{texts.followers}</h1>
        {page && (
          <span className="num text-muted" role="status">
            {formatCount(page.totalRecords, 'person', 'people')}
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
            renderEnd={(id) => {
              const usd = spent.get(id) ?? 0;
              return (
                usd > 0 && (
                  <span className="block text-ink">{formatText(texts.paidAmount, { amount: formatUsd(usd) })}</span>
                )
              );
            }}
            renderNote={(id) => hints.has(id) && <BanEvasionLabel />}
            renderAction={(follower) => (
              <span className="flex flex-none">
                <ReportButton user={follower} />
                <BlockButton
                  user={follower}
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
          line={isFiltered || filters.currentPage > 1 ? texts.noResults : texts.noFollowersYet}
          more={isFiltered ? texts.noNewFollowersInPeriod : undefined}
          action={
            isFiltered || filters.currentPage > 1 ? (
              <Button href={PATH}>{texts.showAllFollowers}</Button>
            ) : (
              <Button href={PATHS.creatorNewPost}>{texts.publishAFreePost}</Button>
            )
          }
        />
      )}
    </div>
  );
}

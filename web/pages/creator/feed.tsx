/** The creator's own posts (row C2): published, scheduled, drafts and taken down. */

import { listDrafts } from '@stagedoor/contract/content/drafts.ts';
import { listOwnPosts, type OwnPost, publicPostFeed } from '@stagedoor/contract/content/posts.ts';
import { getCurrentUser } from '@stagedoor/contract/identity/accounts.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { DraftList, type DraftTab, draftsQuery } from '../../modules/content/drafts/draft-list.tsx';
import { AudienceSelectionBar } from '../../modules/content/posts/audience-selection.tsx';
import { OwnPostCard } from '../../modules/content/posts/own-post.tsx';
import { parseOption } from '../../platform/address.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { useAudienceOptions } from '../../platform/post-audience.ts';
import { apiInfiniteQuery, apiQuery, routeKey, useApi } from '../../platform/query.ts';
import { useSocketEvent } from '../../platform/socket-events.ts';
import { Button } from '../../ui/button.tsx';
import { Tabs } from '../../ui/chips.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState } from '../../ui/states.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.yourPosts });

const PAGE = 12;
const TABS = ['published', 'scheduled', 'drafts', 'removed'] as const;
type Tab = (typeof TABS)[number];
type PostState = 'published' | 'removed';
const TAB_LABELS: Readonly<Record<Tab, string>> = {
  published: texts.published,
  scheduled: texts.scheduled,
  drafts: texts.drafts,
  removed: texts.deleted,
};

const parseTab = (search: URLSearchParams): Tab => parseOption(TABS, search.get('status')) ?? 'published';
const toTabHref = (tab: Tab) => (tab === 'published' ? PATHS.creatorFeed : `${PATHS.creatorFeed}?status=${tab}`);
const postsQuery = (status: PostState) => apiInfiniteQuery(listOwnPosts, { query: { status, limit: PAGE } });
const toPostCountRequest = (status: PostState) => ({ query: { status, limit: 1 } });
const toDraftCountRequest = (state: DraftTab) => ({ query: { state, limit: 1 } });

const load: PageLoad<{ now: string }> = async ({ client, url }) => {
  const tab = parseTab(url.searchParams);
  await Promise.all([
    tab === 'drafts' || tab === 'scheduled'
      ? client.ensureInfiniteQueryData(draftsQuery(tab === 'drafts' ? 'draft' : 'scheduled'))
      : client.ensureInfiniteQueryData(postsQuery(tab)),
    client.ensureQueryData(apiQuery(listOwnPosts, toPostCountRequest('published'))),
    client.ensureQueryData(apiQuery(listOwnPosts, toPostCountRequest('removed'))),
    client.ensureQueryData(apiQuery(listDrafts, toDraftCountRequest('draft'))),
    client.ensureQueryData(apiQuery(listDrafts, toDraftCountRequest('scheduled'))),
  ]);
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function Posts({ status, now }: { status: PostState; now: string }) {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(postsQuery(status));
  const posts = data?.pages.flatMap((page) => page.data) ?? [];
  const options = useAudienceOptions();
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>();
  const toggle = (id: string, isSelected: boolean) =>
    setSelectedIds((ids = new Set()) => new Set(isSelected ? [...ids, id] : [...ids].filter((each) => each !== id)));
  const { totalCount: total = 0, pinnedCount = 0 } = data?.pages[0] ?? {};
  if (posts.length === 0)
    return status === 'removed' ? (
      <EmptyState line={texts.noDeletedPosts} />
    ) : (
      <EmptyState
        line={texts.noPostsYet}
        more={texts.noPostsHint}
        action={<Button href={PATHS.creatorNewPost}>{texts.publishYourFirstPost}</Button>}
      />
    );
  const hasTiers = options !== undefined && options.length > 1;
  const findAudienceLabel = ({ subscribers }: OwnPost['post']) =>
    subscribers === 'none' ? undefined : options?.find(({ value }) => value === subscribers)?.label;
  return (
    <>
      {status === 'published' && hasTiers && !selectedIds && (
        <div className="flex justify-end pt-3">
          <Button variant="quiet" icon="check" onClick={() => setSelectedIds(new Set())}>
            {texts.selectPosts}
          </Button>
        </div>
      )}
      {selectedIds && options && (
        <AudienceSelectionBar
          selectedIds={selectedIds}
          onSelect={(ids) => setSelectedIds(new Set(ids))}
          onClose={() => setSelectedIds(undefined)}
          options={options}
        />
      )}
      <ul className="grid grid-cols-2 gap-x-2 gap-y-6 pt-5 md:grid-cols-3 lg:gap-x-4 lg:gap-y-8 xl:grid-cols-4">
        {posts.map((own) => (
          <OwnPostCard
            key={own.post.id}
            own={own}
            pinnedCount={pinnedCount}
            now={now}
            audienceLabel={findAudienceLabel(own.post)}
            selection={
              selectedIds && {
                isSelected: selectedIds.has(own.post.id),
                onChange: (isSelected) => toggle(own.post.id, isSelected),
              }
            }
          />
        ))}
      </ul>
      <Pager
        onMore={hasNextPage ? () => void fetchNextPage() : undefined}
        busy={isFetchingNextPage}
        shown={formatText(texts.shownOfTotal, { postCount: posts.length, total: total.toLocaleString('en-US') })}
      />
    </>
  );
}

function useCounts(): Readonly<Record<Tab, string>> {
  const responses = {
    published: useApi(listOwnPosts, toPostCountRequest('published')),
    scheduled: useApi(listDrafts, toDraftCountRequest('scheduled')),
    drafts: useApi(listDrafts, toDraftCountRequest('draft')),
    removed: useApi(listOwnPosts, toPostCountRequest('removed')),
  };
  const formatTotal = (tab: Tab) => responses[tab].totalCount.toLocaleString('en-US');
  return {
    published: formatTotal('published'),
    scheduled: formatTotal('scheduled'),
    drafts: formatTotal('drafts'),
    removed: formatTotal('removed'),
  };
}

export default function OwnFeed() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const me = useApi(getCurrentUser, {});
  const counts = useCounts();
  const tab = parseTab(search);
  // A scheduled post moves to the published list by itself.
  useSocketEvent(publicPostFeed, (client, { creatorId }) => {
    if (creatorId !== me.id) return;
    for (const route of [listOwnPosts, listDrafts]) void client.invalidateQueries({ queryKey: routeKey(route) });
  });
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 pt-7 pb-5">
        <h1 className="display d2">{texts.yourPosts}</h1>
        <div className="flex flex-wrap gap-2">
          <Button icon="images" href={PATHS.creatorMedia}>
            {texts.media}
          </Button>
          <Button variant="primary" icon="plus" href={PATHS.creatorNewPost}>
            {texts.newPost}
          </Button>
        </div>
      </div>
      <Tabs
        label={texts.yourPosts}
        current={toTabHref(tab)}
        tabs={TABS.map((each) => ({ href: toTabHref(each), label: TAB_LABELS[each], count: counts[each] }))}
      />
      {tab === 'drafts' && <DraftList key={tab} state="draft" />}
      {tab === 'scheduled' && <DraftList key={tab} state="scheduled" />}
      {(tab === 'published' || tab === 'removed') && <Posts key={tab} status={tab} now={now} />}
    </>
  );
}

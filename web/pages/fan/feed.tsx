/** The fan's feed (rows C2 to C4): posts of followed creators, newest first, updated live. */

import type { Post } from '@stagedoor/contract/content/posts.ts';
import { PATHS, postPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { memo, type RefObject, useMemo, useRef } from 'react';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { findMarkerIndex, useSeenBefore } from '../../modules/content/posts/caught-up.ts';
import { FeedEntry } from '../../modules/content/posts/feed-entry.tsx';
import { type FeedKind, feedQuery, useLiveFeed } from '../../modules/content/posts/feed-query.ts';
import { NewPostBar, useNewPostFlag } from '../../modules/content/posts/new-post-bar.tsx';
import { useProtectedPosts } from '../../modules/content/posts/post-card.tsx';
import { toUniquePosts } from '../../modules/content/posts/post-pages.ts';
import { TipButton } from '../../modules/finance/wallet/tip-button.tsx';
import { ReportItem } from '../../modules/trust/moderation/report-item.tsx';
import { formatDay, lowercaseDayWord } from '../../platform/dates.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { useViewer } from '../../platform/session.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { formatNodes } from '../../ui/format-nodes.ts';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { PostPlayer } from '../post-player.tsx';
import { FEED_KIND_LABELS, KindChips, parseFeedKind } from './feed-filter.tsx';
import { POSITION_ATTRIBUTE, useListPosition } from './feed-position.ts';
import { FeedRail, FollowingLink, loadRail, Suggestions } from './feed-rail.tsx';
import { Listing, type ListQuery, Sentinel } from './listing.tsx';
import * as texts from './texts.ts';

const PATH = PATHS.fanDashboard;
export const handle: PageHandle = { width: 'column', rightRail: FeedRail, rightRailLabel: texts.creators };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.feed });

const load: PageLoad<{ now: string }> = async ({ client, url }) => {
  await awaitOnServer(client.ensureInfiniteQueryData(feedQuery(parseFeedKind(url.searchParams))), loadRail(client));
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function FeedSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-4">
      <span className="sr-only" role="status">
        {texts.loading}
      </span>
      <div className="flex gap-3">
        <Skeleton shape="round" style={{ width: 44, height: 44 }} />
        <span className="flex-1 pt-1">
          <Skeleton shape="text" style={{ width: '36%' }} />
          <Skeleton shape="text" style={{ width: '52%' }} />
        </span>
      </div>
      <Skeleton className="bleed md:mx-0" style={{ aspectRatio: '4 / 5' }} />
      <Skeleton shape="text" style={{ width: '60%' }} />
    </div>
  );
}

function Empty({ kind }: { kind: FeedKind }) {
  if (kind !== 'all')
    return (
      <EmptyState
        line={formatText(texts.noPostsOfKind, { kind: FEED_KIND_LABELS[kind].toLowerCase() })}
        action={<Button href={PATH}>{texts.showAllPosts}</Button>}
      />
    );
  return (
    <>
      <EmptyState
        line={texts.yourFeedIsEmpty}
        more={texts.emptyFeedHint}
        action={<Button href="/">{texts.findCreators}</Button>}
      />
      <Suggestions className="xl:hidden" />
    </>
  );
}

function Tip({ post }: { post: Post }) {
  const { author } = post;
  return (
    <TipButton
      target={{
        creatorId: author.id,
        creatorName: author.name,
        type: 'post',
        postId: post.id,
        returnTo: postPath(post.id),
      }}
    />
  );
}

function formatEnd(posts: readonly Post[], now: string): string {
  const oldest = posts.at(-1);
  if (!oldest || posts.length < 3) return texts.feedEnd;
  return formatText(texts.seenAllPostsSince, { date: lowercaseDayWord(formatDay(oldest.createdAt, now)) });
}

type EntryProps = { post: Post; now: string; isNewestLocked: boolean; isPriority: boolean };

/** Memoized by post, so that a change to one of hundreds does not render the others. */
const Entry = memo(function Entry({ post, ...options }: EntryProps) {
  return (
    <FeedEntry
      post={post}
      {...options}
      tip={<Tip post={post} />}
      more={
        <ReportItem
          target={{ userId: post.author.id, type: 'post', typeId: post.id }}
          path={postPath(post.id)}
          label={texts.reportThisPost}
        />
      }
      renderPlayer={(item, frame) => (
        <PostPlayer post={post} item={item} {...frame} isCompact={item.kind === 'audio'} pausesOutOfView />
      )}
    />
  );
});

const EAGER_COUNT = 2;
/** The other posts are laid out when they come near the viewport. An open menu must not be clipped. */
const DEFERRED_CLASS =
  '[content-visibility:auto] [contain-intrinsic-size:auto_860px] has-[details[open]]:[content-visibility:visible]';

function CaughtUp() {
  return (
    <p className="absolute inset-x-edge -top-12 flex h-12 items-center gap-3 text-small text-muted md:inset-x-4">
      {formatNodes(texts.caughtUp, {
        leadingLine: <span className="h-px flex-1 bg-line" aria-hidden="true" />,
        trailingLine: <span className="h-px flex-1 bg-line" aria-hidden="true" />,
      })}
    </p>
  );
}

type EntriesProps = { posts: readonly Post[]; now: string; seen: string; list: RefObject<HTMLUListElement | null> };

function Entries({ posts, now, seen, list }: EntriesProps) {
  const newestLocked = posts.find((post) => !post.isUnlocked)?.id;
  const marker = findMarkerIndex(posts, seen);
  return (
    <ul ref={list} className="grid grid-cols-1 gap-12">
      {posts.map((post, index) => (
        <li
          key={post.id}
          {...{ [POSITION_ATTRIBUTE]: post.id }}
          className={cx(
            'relative -mx-edge min-w-0 px-edge md:-mx-4 md:px-4',
            // Contained posts clip their content, but the marker extends above the post.
            index >= EAGER_COUNT && index !== marker && DEFERRED_CLASS,
          )}
        >
          {index === marker && <CaughtUp />}
          <Entry post={post} now={now} isNewestLocked={post.id === newestLocked} isPriority={index === 0} />
        </li>
      ))}
    </ul>
  );
}

function Posts({ posts, kind, now, query }: { posts: Post[]; kind: FeedKind; now: string; query: ListQuery<unknown> }) {
  const viewer = useViewer();
  useProtectedPosts(posts);
  const list = useRef<HTMLUListElement>(null);
  const ids = useMemo(() => posts.map(({ id }) => id), [posts]);
  const seen = useSeenBefore(viewer?.id ?? '', kind === 'all' ? posts[0]?.createdAt : undefined);
  useListPosition({
    list,
    name: kind,
    ids,
    hasMore: query.hasNextPage && !query.isFetchNextPageError,
    isFetching: query.isFetching,
    fetchMore: query.fetchNextPage,
  });
  return (
    <>
      <Entries posts={posts} now={now} seen={kind === 'all' ? seen : ''} list={list} />
      <Sentinel query={query} />
      {!query.isFetchNextPageError && (
        <Pager
          onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
          busy={query.isFetchingNextPage}
          endText={formatEnd(posts, now)}
        />
      )}
    </>
  );
}

export default function FeedPage() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const kind = parseFeedKind(search);
  const query = useInfiniteQuery(feedQuery(kind));
  const flag = useNewPostFlag();
  useLiveFeed(kind, flag.raise);
  const isEmptyFeed = kind === 'all' && query.data && toUniquePosts(query.data.pages).length === 0;
  return (
    <div className="pt-7 lg:pt-10">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 className="display d2">{texts.feed}</h1>
        <FollowingLink />
      </div>
      {!isEmptyFeed && <KindChips path={PATH} search={search} />}
      <Listing
        query={query}
        skeleton={<FeedSkeleton />}
        isEmpty={(pages) => toUniquePosts(pages).length === 0}
        empty={<Empty kind={kind} />}
      >
        {(pages) => <Posts key={kind} posts={toUniquePosts(pages)} kind={kind} now={now} query={query} />}
      </Listing>
      <NewPostBar flag={flag} />
    </div>
  );
}

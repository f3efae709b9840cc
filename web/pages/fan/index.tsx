import type { Post } from '@stagedoor/contract/content/posts.ts';
import { listCreators } from '@stagedoor/contract/content/profiles.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { FollowButton } from '../../modules/content/follows/follow-button.tsx';
import { ContinueWatching, continueWatchingQuery } from '../../modules/content/posts/continue-watching.tsx';
import { feedQuery, useLiveFeed } from '../../modules/content/posts/feed-query.ts';
import { NewPostBar, useNewPostFlag } from '../../modules/content/posts/new-post-bar.tsx';
import { PostCard, useProtectedPosts } from '../../modules/content/posts/post-card.tsx';
import { toUniquePosts } from '../../modules/content/posts/post-pages.ts';
import { CreatorGallery, CreatorStrip } from '../../modules/content/profiles/creator-gallery.tsx';
import { followingCountsQuery } from '../../modules/content/profiles/following.tsx';
import { recentCallsQuery } from '../../modules/messaging/calls/unanswered.ts';
import { unreadQuery } from '../../modules/messaging/chat/inbox/unread.ts';
import { formatCount } from '../../platform/dates.ts';
import { lazyPart } from '../../platform/lazy-part.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery } from '../../platform/query.ts';
import { useViewer } from '../../platform/session.ts';
import { Button } from '../../ui/button.tsx';
import { formatNodes } from '../../ui/format-nodes.ts';
import { SectionHead } from '../../ui/label.tsx';
import { EmptyState, SkeletonCards } from '../../ui/states.tsx';
import { suggestedQuery } from './feed-rail.tsx';
import { Listing } from './listing.tsx';
import * as texts from './texts.ts';

const UnansweredCalls = lazyPart(
  async () => (await import('../../modules/messaging/calls/unanswered-calls.tsx')).UnansweredCalls,
);
const NEWEST = 8;
const SUGGESTED = 3;
const GRID_CLASS = 'grid grid-cols-2 gap-x-2 gap-y-6 md:grid-cols-3 lg:grid-cols-4 lg:gap-x-4 lg:gap-y-8';

export const handle: PageHandle = { width: 'wide', nav: '/' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: 'Home' });

const onlineQuery = () => apiQuery(listCreators, { query: { sort: 'online', limit: 8 } });

const load: PageLoad<{ now: string }> = async ({ client }) => {
  await awaitOnServer(
    client.ensureInfiniteQueryData(feedQuery('all')),
    client.prefetchQuery(followingCountsQuery()),
    client.prefetchQuery(onlineQuery()),
    client.prefetchQuery(suggestedQuery()),
    client.prefetchQuery(continueWatchingQuery()),
    client.prefetchQuery(unreadQuery()),
    client.prefetchQuery(recentCallsQuery()),
  );
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

const takeNewest = (pages: readonly { data: Post[] }[]) => toUniquePosts(pages).slice(0, NEWEST);

function Newest({ now }: { now: string }) {
  const query = useInfiniteQuery(feedQuery('all'));
  useProtectedPosts(takeNewest(query.data?.pages ?? []));
  const following = useQuery(followingCountsQuery()).data?.following;
  return (
    <section aria-labelledby="newest">
      <SectionHead
        id="newest"
        title={texts.newFromCreatorsYouFollow}
        href={PATHS.fanDashboard}
        end={following === undefined ? texts.feed : formatCount(following, 'creator')}
      />
      <Listing
        query={query}
        skeleton={<SkeletonCards className={GRID_CLASS} />}
        isEmpty={(pages) => toUniquePosts(pages).length === 0}
        empty={
          <EmptyState
            line={texts.nothingHereYet}
            more={texts.emptyFeedHint}
            action={<Button href="/">{texts.findCreators}</Button>}
          />
        }
      >
        {(pages) => (
          <>
            <ul className={GRID_CLASS}>
              {takeNewest(pages).map((post, index) => (
                <li key={post.id} className="min-w-0">
                  <PostCard
                    post={post}
                    now={now}
                    hasAuthor
                    isPriority={index < 2}
                    sizes="(min-width: 60rem) 22vw, (min-width: 43.75rem) 30vw, 50vw"
                  />
                </li>
              ))}
            </ul>
            <p className="pt-6 text-center">
              <Button href={PATHS.fanDashboard}>{texts.viewFeed}</Button>
            </p>
          </>
        )}
      </Listing>
    </section>
  );
}

function CreatorSuggestions() {
  const online = useQuery(onlineQuery()).data?.data ?? [];
  const suggested = (useQuery(suggestedQuery()).data?.data ?? []).slice(0, SUGGESTED);
  return (
    <>
      {online.length > 0 && (
        <section aria-labelledby="there">
          <SectionHead id="there" title={texts.onlineNow} href="/?sort=online" end={texts.all} />
          <CreatorStrip creators={online} />
        </section>
      )}
      {suggested.length > 0 && (
        <section aria-labelledby="suggested">
          <SectionHead id="suggested" title={texts.youMightLike} href="/" end={texts.all} />
          <CreatorGallery
            creators={suggested}
            renderFollow={(creator) => <FollowButton creator={creator} />}
            isFirst={false}
          />
        </section>
      )}
    </>
  );
}

function Unread() {
  const { count, isMore } = useQuery(unreadQuery()).data ?? { count: 0, isMore: false };
  if (count === 0) return null;
  return (
    <p className="-mt-4 lg:-mt-6">
      <Button href={PATHS.fanChat} icon="chat">
        {isMore
          ? formatText(texts.manyUnreadMessages, { unreadMessageCount: formatCount(count, texts.unreadMessage) })
          : formatCount(count, texts.unreadMessage)}
      </Button>
    </p>
  );
}

export default function FanDashboard() {
  const { now } = useLoaderData<typeof loader>();
  const viewer = useViewer();
  const flag = useNewPostFlag();
  useLiveFeed('all', flag.raise);
  return (
    <div className="grid gap-10 pt-7 lg:gap-14 lg:pt-10">
      <h1 className="display d2 wrap-anywhere">
        {formatNodes(texts.welcomeBack, { firstName: <bdi>{viewer?.name.split(' ')[0]}</bdi> })}
      </h1>
      <Unread />
      <Suspense fallback={null}>
        <UnansweredCalls now={now} />
      </Suspense>
      <ContinueWatching className={GRID_CLASS} />
      <Newest now={now} />
      <CreatorSuggestions />
      <NewPostBar flag={flag} />
    </div>
  );
}

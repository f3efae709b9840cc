/** The fan's feed (rows C2 to C4): what the creators one follows have shown, newest first, as it comes. */
import { FEED_KINDS, type Post } from '@stagedoor/contract/posts.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { FeedEntry } from '../../features/posts/feed-entry.tsx';
import { flatten } from '../../features/posts/feed-live.ts';
import { type FeedKind, feedQuery, useLiveFeed } from '../../features/posts/feed-query.ts';
import { NewPostBar } from '../../features/posts/new-post-bar.tsx';
import { TipButton } from '../../features/wallet/tip-button.tsx';
import { addressWith } from '../../kernel/address.ts';
import { formatDay } from '../../kernel/dates.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { begin, inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { Played } from '../playing.tsx';
import { FeedRail, FollowingLink, loadRail } from './feed-rail.tsx';
import { KIND_WORDS, kindOf } from './kinds.ts';
import { Listing, Sentinel } from './listing.tsx';

const PATH = '/fan/feed';
export const handle: PageHandle = { width: 'column', rightRail: FeedRail, rightRailLabel: 'Creators' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Feed' });

const load: PageLoad<{ now: string }> = async ({ client, url }) => {
  await begin(client.ensureInfiniteQueryData(feedQuery(kindOf(url.searchParams))), loadRail(client));
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

function FeedSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-4">
      <span className="sr-only" role="status">
        Loading
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
        line={`No ${KIND_WORDS[kind].toLowerCase()} from the people you follow.`}
        action={<Button href={PATH}>See everything</Button>}
      />
    );
  return (
    <EmptyState
      line="Your feed hangs empty."
      more="Follow somebody, and what they show appears here first."
      action={
        <Button variant="primary" href="/">
          Find people to follow
        </Button>
      }
    />
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
        returnTo: `/post/${post.id}`,
      }}
    />
  );
}

/** Said at the very end, so that nobody wonders whether there is more. */
function endWords(posts: readonly Post[], now: string): string {
  const oldest = posts.at(-1);
  if (!oldest || posts.length < 3) return 'That is everything.';
  return `You have seen everything since ${formatDay(oldest.createdAt, now)}.`;
}

function Entries({ posts, now }: { posts: readonly Post[]; now: string }) {
  const newestLocked = posts.find((post) => !post.isUnlocked)?.id;
  return (
    <ul className="grid gap-12">
      {posts.map((post, index) => (
        <li key={post.id} className="min-w-0">
          <FeedEntry
            post={post}
            now={now}
            tip={<Tip post={post} />}
            play={(item, look) => (
              <Played post={post} item={item} {...look} isCompact={item.kind === 'audio'} pausesOutOfView />
            )}
            isNewestLocked={post.id === newestLocked}
            isPriority={index === 0}
          />
        </li>
      ))}
    </ul>
  );
}

export default function FeedPage() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const kind = kindOf(search);
  const query = useInfiniteQuery(feedQuery(kind));
  useLiveFeed();
  return (
    <div className="pt-7 lg:pt-10">
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h1 className="display d2">Feed</h1>
        <FollowingLink />
      </div>
      <Chips label="Kind of media" className="mb-6">
        {FEED_KINDS.map((each) => (
          <ChipLink
            key={each}
            href={addressWith(PATH, search, { type: each === 'all' ? undefined : each })}
            current={kind === each}
          >
            {KIND_WORDS[each]}
          </ChipLink>
        ))}
      </Chips>
      <Listing
        query={query}
        skeleton={<FeedSkeleton />}
        isEmpty={(pages) => flatten(pages).length === 0}
        empty={<Empty kind={kind} />}
      >
        {(pages) => {
          const posts = flatten(pages);
          return (
            <>
              <Entries posts={posts} now={now} />
              <Sentinel query={query} />
              {!query.isFetchNextPageError && (
                <Pager
                  onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
                  busy={query.isFetchingNextPage}
                  endText={endWords(posts, now)}
                />
              )}
            </>
          );
        }}
      </Listing>
      <NewPostBar onTop={() => void query.refetch()} />
    </div>
  );
}

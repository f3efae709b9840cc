/** The creator's own posts with their numbers: published, and taken down (row C2). */
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { listOwnPosts, type OwnPost } from '@stagedoor/contract/posts.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { PostCard } from '../../features/posts/post-card.tsx';
import { plural } from '../../kernel/dates.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { apiInfiniteQuery } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { Tabs } from '../../ui/chips.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState } from '../../ui/states.tsx';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Your posts' });

const PAGE = 12;
const PUBLISHED = '/creator/feed';
const REMOVED = '/creator/feed?status=removed';

const statusOf = (search: URLSearchParams) => (search.get('status') === 'removed' ? 'removed' : 'published');
const postsQuery = (status: 'published' | 'removed') =>
  apiInfiniteQuery(listOwnPosts, { query: { status, limit: PAGE } });

const load: PageLoad<{ now: string }> = async ({ client, url }) => {
  await client.ensureInfiniteQueryData(postsQuery(statusOf(url.searchParams)));
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

function Own({ own, now }: { own: OwnPost; now: string }) {
  const { post, unlockCount, earned, isEditable } = own;
  const numbers =
    post.price > 0
      ? `${formatUsd(post.price)} · ${plural(unlockCount, 'unlock')} · ${formatUsd(earned)} earned`
      : 'Free';
  return (
    <li className="min-w-0">
      <PostCard post={post} now={now} sizes="(min-width: 960px) 22vw, 50vw" />
      <p className="pt-1 text-small text-muted tabular-nums">
        {numbers} · {plural(post.likeCount, 'like')}
      </p>
      {isEditable && (
        <Button
          variant="quiet"
          icon="edit"
          className="-ml-2.5"
          href={`/creator/post/${post.id}/edit`}
          aria-label={`Edit ${post.title || 'post'}`}
        >
          Edit
        </Button>
      )}
    </li>
  );
}

export default function OwnFeed() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const status = statusOf(search);
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(postsQuery(status));
  const posts = data?.pages.flatMap((page) => page.data) ?? [];
  const total = data?.pages[0]?.totalCount ?? 0;
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 pt-7 pb-5">
        <h1 className="display d2">Your posts</h1>
        <div className="flex flex-wrap gap-2">
          <Button icon="images" href="/creator/media">
            Media
          </Button>
          <Button variant="primary" icon="plus" href="/creator/post/add">
            New post
          </Button>
        </div>
      </div>
      <Tabs
        label="Your posts"
        current={status === 'removed' ? REMOVED : PUBLISHED}
        tabs={[
          { href: PUBLISHED, label: 'Published' },
          { href: REMOVED, label: 'Removed' },
        ]}
      />
      {posts.length === 0 ? (
        status === 'removed' ? (
          <EmptyState line="You have taken nothing down." />
        ) : (
          <EmptyState
            line="Nothing hangs here yet."
            more="Your first post can be free: it is what visitors see before they follow you."
            action={<Button href="/creator/post/add">Publish your first post</Button>}
          />
        )
      ) : (
        <>
          <ul className="grid grid-cols-2 gap-x-2 gap-y-6 pt-5 md:grid-cols-3 lg:gap-x-4 lg:gap-y-8 xl:grid-cols-4">
            {posts.map((own) => (
              <Own key={own.post.id} own={own} now={now} />
            ))}
          </ul>
          <Pager
            onMore={hasNextPage ? () => void fetchNextPage() : undefined}
            busy={isFetchingNextPage}
            shown={`${posts.length} of ${total.toLocaleString('en-US')}`}
          />
        </>
      )}
    </>
  );
}

/** A creator's public profile (row B2): who they are, their posts and media, and what one can do about them. */
import { listCreatorPosts } from '@stagedoor/contract/posts.ts';
import { getProfile, type Profile } from '@stagedoor/contract/profiles.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useParams,
  useSearchParams,
} from 'react-router';
import { PostWall } from '../features/posts/post-wall.tsx';
import { ShareMenu } from '../features/posts/share-menu.tsx';
import { profileHref } from '../features/profiles/creator-card.tsx';
import { FollowButton } from '../features/profiles/follow-button.tsx';
import { ProfileAside, ProfileHead } from '../features/profiles/profile-head.tsx';
import { TipButton } from '../features/wallet/tip-button.tsx';
import { pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../kernel/page-data.ts';
import { apiInfiniteQuery, apiQuery, useApi } from '../kernel/query.ts';
import { useViewer } from '../kernel/session.ts';
import { Button } from '../ui/button.tsx';
import { Tabs } from '../ui/chips.tsx';
import { Pager } from '../ui/pager.tsx';
import { EmptyState } from '../ui/states.tsx';

type Told = { name: string; description: string; image: string | undefined; path: string; now: string };
const TABS = ['posts', 'about'] as const;
const PAGE = 12;

export const handle: PageHandle = { hydrate: false, query: ['tab', 'offset'], width: 'bleed' };

const postsOf = (profile: Profile, offset: string | null) =>
  apiInfiniteQuery(listCreatorPosts, {
    params: { creatorId: profile.id },
    query: { limit: PAGE, ...(offset && { offset }) },
  });

const load: PageLoad<Told> = async ({ client, params, url }) => {
  const profile = await client.ensureQueryData(apiQuery(getProfile, { params: { id: params.id ?? '' } }));
  await client.ensureInfiniteQueryData(postsOf(profile, url.searchParams.get('offset')));
  return {
    name: profile.name,
    description: profile.bio || `${profile.name} on Stagedoor. You see the price first, every time.`,
    image: profile.cover?.url ?? profile.avatarUrl ?? undefined,
    path: profileHref(profile),
    now: new Date().toISOString(),
  };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export const meta = (args: MetaArgs<typeof loader>) => {
  const told = args.loaderData;
  if (!told) return pageMeta(args, { title: 'Not found' });
  return pageMeta(args, {
    title: told.name,
    description: told.description,
    image: told.image,
    path: told.path,
    type: 'profile',
    isEmbeddable: true,
  });
};

function Actions({ profile }: { profile: Profile }) {
  const viewer = useViewer();
  const isOwn = viewer?.id === profile.id;
  return (
    <>
      {isOwn ? (
        <Button icon="edit" href="/creator/profile">
          Edit profile
        </Button>
      ) : (
        <>
          <FollowButton creator={profile} />
          <TipButton
            hasWord
            target={{
              creatorId: profile.id,
              creatorName: profile.name,
              type: 'profile',
              returnTo: profileHref(profile),
            }}
          />
        </>
      )}
      <span className="flex-1" />
      <ShareMenu
        frame={{ kind: 'profile', id: profile.username }}
        path={profileHref(profile)}
        text={`${profile.name} on Stagedoor`}
      />
    </>
  );
}

function Posts({ profile, now }: { profile: Profile; now: string }) {
  const viewer = useViewer();
  const [search] = useSearchParams();
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    postsOf(profile, search.get('offset')),
  );
  const posts = data?.pages.flatMap((page) => page.data) ?? [];
  if (posts.length === 0)
    return viewer?.id === profile.id ? (
      <EmptyState
        line="Nothing hangs here yet."
        action={<Button href="/creator/post/add">Publish your first post</Button>}
      />
    ) : (
      <EmptyState
        line="Nothing hangs here yet."
        more={!viewer || viewer.type === 'customer' ? `Follow ${profile.name} and you will see it first.` : undefined}
      />
    );
  const nextOffset = data?.pages.at(-1)?.nextOffset;
  const more = viewer
    ? { onMore: hasNextPage ? () => void fetchNextPage() : undefined }
    : { moreHref: nextOffset && `${profileHref(profile)}?offset=${nextOffset}#posts` };
  return (
    <>
      <div id="posts" className="pt-5">
        <PostWall posts={posts} look={profile} now={now} />
      </div>
      <Pager {...more} busy={isFetchingNextPage} />
    </>
  );
}

export default function ProfilePage() {
  const { id = '' } = useParams();
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const profile = useApi(getProfile, { params: { id } });
  const tab = TABS.find((each) => each === search.get('tab')) ?? 'posts';
  const base = profileHref(profile);
  const tabs = [
    { href: base, label: 'Posts', count: profile.totalPostCount.toLocaleString('en-US') },
    { href: `${base}?tab=about`, label: 'About' },
  ];
  return (
    <>
      <ProfileHead profile={profile} actions={<Actions profile={profile} />} />
      <div className="px-edge lg:grid lg:grid-cols-[minmax(0,8fr)_minmax(0,3fr)] lg:gap-x-14">
        <div className="pt-5 pb-4 lg:col-start-2 lg:row-start-1 lg:pt-7">
          <ProfileAside profile={profile} />
        </div>
        <div className="lg:col-start-1 lg:row-start-1">
          <Tabs label="Profile" tabs={tabs} current={tab === 'about' ? `${base}?tab=about` : base} />
          {tab === 'about' ? (
            <p dir="auto" className="max-w-[60ch] whitespace-pre-line wrap-anywhere pt-6">
              {profile.bio || `${profile.name} has not written anything here yet.`}
            </p>
          ) : (
            <Posts profile={profile} now={now} />
          )}
        </div>
      </div>
    </>
  );
}

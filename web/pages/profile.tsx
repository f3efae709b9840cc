/** A creator's public profile (row B2). */

import { doorPath, PATHS, profilePath } from '@stagedoor/contract/addresses.ts';
import { userId } from '@stagedoor/contract/atoms/ids.ts';
import { follow } from '@stagedoor/contract/follows.ts';
import { listCreatorPosts, POSTED_KINDS } from '@stagedoor/contract/posts.ts';
import { getProfile, type Profile } from '@stagedoor/contract/profiles.ts';
import { profileSharePicture } from '@stagedoor/contract/shares.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import {
  type ActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  redirect,
  useActionData,
  useLoaderData,
  useNavigate,
  useParams,
  useSearchParams,
} from 'react-router';
import * as z from 'zod/mini';
import { BlockItem } from '../features/blocking/block-item.tsx';
import { CallButton, useCanCall } from '../features/calls/call-button.tsx';
import { CallTimes, callTermsQuery } from '../features/calls/call-times.tsx';
import { ReportItem } from '../features/cases/report-item.tsx';
import { MessageButton } from '../features/chat/message-button.tsx';
import { FollowButton } from '../features/follows/follow-button.tsx';
import { GoalCard, goalQuery } from '../features/goals/goal-card.tsx';
import { useProtectedPosts } from '../features/posts/post-card.tsx';
import { MediaWall, type PostedKind, PostWall, postedQuery } from '../features/posts/post-wall.tsx';
import { ShareMenu } from '../features/posts/share-menu.tsx';
import { profileHref } from '../features/profiles/creator-card.tsx';
import { ProfileAbout } from '../features/profiles/profile-head.tsx';
import { facePreload } from '../features/themes/themed.tsx';
import { TipButton } from '../features/wallet/tip-button.tsx';
import { addressWith, oneOf } from '../kernel/address.ts';
import { isolated } from '../kernel/bidi.ts';
import { profileForMachines } from '../kernel/for-machines.ts';
import { formValues, sendForm } from '../kernel/form-action.ts';
import { lazyPart } from '../kernel/lazy-part.ts';
import { pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../kernel/page-data.ts';
import { useProtectedMedia } from '../kernel/protected-page.ts';
import { apiInfiniteQuery, apiQuery, useApi } from '../kernel/query.ts';
import { useViewer } from '../kernel/session.ts';
import { Button } from '../ui/button.tsx';
import { ChipLink, Chips } from '../ui/chips.tsx';
import { Pager } from '../ui/pager.tsx';
import { Banner, EmptyState } from '../ui/states.tsx';
import { PROFILE_TABS, type ProfileTab, ProfileView, usePlaceBelow } from './profile-view.tsx';

type Told = {
  name: string;
  description: string;
  share: { path: string; width: number; height: number } | undefined;
  path: string;
  now: string;
  look: Profile['theme'];
  forMachines: Profile | undefined;
};
const KIND_WORDS: Record<PostedKind, string> = { all: 'All', picture: 'Photos', video: 'Videos', audio: 'Audio' };
const PAGE = 12;

const bells = () => import('../features/notifications/push/bell.tsx');
const Bell = lazyPart(async () => (await bells()).Bell);
const BellItem = lazyPart(async () => (await bells()).BellItem);

export const handle: PageHandle = { hydrate: false, query: ['tab', 'kind', 'offset'], width: 'bleed' };

const tabOf = (search: URLSearchParams): ProfileTab => oneOf(PROFILE_TABS, search.get('tab')) ?? 'posts';
const hungKindOf = (search: URLSearchParams): PostedKind => oneOf(POSTED_KINDS, search.get('kind')) ?? 'all';

const postsOf = (profile: Profile, offset: string | null) =>
  apiInfiniteQuery(listCreatorPosts, {
    params: { creatorId: profile.id },
    query: { limit: PAGE, ...(offset && { offset }) },
  });

const load: PageLoad<Told> = async ({ client, params, url, viewer }) => {
  const profile = await client.ensureQueryData(apiQuery(getProfile, { params: { id: params.id ?? '' } }));
  const tab = tabOf(url.searchParams);
  // Link previews are fetched without a session.
  const isVisitor = (await viewer()) === null;
  await Promise.all([client.prefetchQuery(goalQuery(profile.id)), client.prefetchQuery(callTermsQuery(profile.id))]);
  const offset = url.searchParams.get('offset');
  if (tab === 'posts') await client.ensureInfiniteQueryData(postsOf(profile, offset));
  if (tab === 'media')
    await client.ensureInfiniteQueryData(postedQuery(profile.id, hungKindOf(url.searchParams), offset));
  return {
    name: profile.name,
    description: profile.bio || `${profile.name} on Stagedoor: posts, chat and calls.`,
    share: isVisitor
      ? await client.ensureQueryData(apiQuery(profileSharePicture, { params: { id: profile.id } }))
      : undefined,
    path: profileHref(profile),
    forMachines: isVisitor ? profile : undefined,
    now: new Date().toISOString(),
    look: profile.theme,
  };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

type Refusal = { isFollowed: boolean; message: string | undefined };

/**
 * Handles the follow form without script. Visitors are redirected to sign up, other refusals are shown on this page.
 */
export async function action(args: ActionFunctionArgs): Promise<Response | Refusal> {
  const values = await formValues(args.request);
  const id = z.safeParse(userId, values.creatorId);
  const here = profilePath(args.params.id ?? '');
  if (!id.success) return redirect(here, { status: 303 });
  const isFollowed = values.isFollowed === 'true';
  const result = await sendForm(args, follow, { params: { id: id.data }, body: { isFollowed } }, values);
  if (result.ok) return redirect(here, { status: 303 });
  if (result.code === 'UNAUTHORIZED') return redirect(doorPath('follow', here), { status: 303 });
  return { isFollowed, message: result.refused.message };
}

/** The canonical address. Later pages of a list have their own address and are not indexed. */
function onePage(path: string, search: string) {
  const query = new URLSearchParams(search);
  const asked = ['tab', 'kind', 'offset'].flatMap((name) =>
    query
      .getAll(name)
      .slice(0, 1)
      .map((value) => [name, value]),
  );
  return query.has('offset') ? { path: `${path}?${new URLSearchParams(asked)}`, isListed: false } : { path };
}

export const meta = (args: MetaArgs<typeof loader>) => {
  const told = args.loaderData;
  if (!told) return pageMeta(args, { title: 'Not found' });
  return [
    ...pageMeta(args, {
      title: told.name,
      description: told.description,
      image: told.share?.path,
      imageSize: told.share && { width: told.share.width, height: told.share.height },
      imageAlt: told.name,
      ...onePage(told.path, args.location.search),
      type: 'profile',
      isEmbeddable: true,
    }),
    ...facePreload(told.look),
    // Only crawlers need this, and they have no session. Browser bundles leave it out.
    ...(import.meta.env.SSR && told.forMachines ? profileForMachines(args, told.forMachines) : []),
  ];
};

function Actions({ profile }: { profile: Profile }) {
  const viewer = useViewer();
  const isOwn = viewer?.id === profile.id;
  const navigate = useNavigate();
  const canCall = useCanCall(profile);
  const hasBell = viewer?.type === 'customer' && profile.isFollowed;
  return (
    <>
      {isOwn ? (
        !viewer.acting && (
          <Button icon="edit" href={PATHS.creatorProfile}>
            Edit profile
          </Button>
        )
      ) : (
        <>
          <CallButton creator={profile} />
          <FollowButton creator={profile} isFirst={canCall === false} />
          {hasBell && (
            <span className="max-sm:hidden">
              <Suspense fallback={<span className="block size-11" />}>
                <Bell creator={profile} />
              </Suspense>
            </span>
          )}
          <MessageButton hasWord creatorId={profile.id} creatorName={profile.name} />
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
        more={
          <>
            {hasBell && (
              <Suspense>
                <BellItem creator={profile} />
              </Suspense>
            )}
            <ReportItem
              target={{ userId: profile.id, type: 'profile', typeId: profile.id }}
              path={profileHref(profile)}
              label="Report this profile"
            />
            <BlockItem person={profile} onBlocked={() => void navigate(PATHS.home)} />
          </>
        }
      />
    </>
  );
}

function Goal({ profile, now }: { profile: Profile; now: string }) {
  const target = {
    creatorId: profile.id,
    creatorName: profile.name,
    type: 'profile' as const,
    returnTo: profileHref(profile),
  };
  return (
    <GoalCard
      creatorId={profile.id}
      now={now}
      tip={({ id, title }) => <TipButton isButton target={{ ...target, goal: { id, title } }} />}
    />
  );
}

function Posts({ profile, now }: { profile: Profile; now: string }) {
  const viewer = useViewer();
  const [search] = useSearchParams();
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    postsOf(profile, search.get('offset')),
  );
  const posts = data?.pages.flatMap((page) => page.data) ?? [];
  useProtectedPosts(posts);
  if (posts.length === 0)
    return viewer?.id === profile.id ? (
      <EmptyState line="No posts yet" action={<Button href={PATHS.creatorNewPost}>Publish your first post</Button>} />
    ) : (
      <EmptyState
        line="No posts yet"
        more={
          !viewer || viewer.type === 'customer' ? `Follow ${isolated(profile.name)} to see new posts first.` : undefined
        }
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

function Media({ profile }: { profile: Profile }) {
  const viewer = useViewer();
  const [search] = useSearchParams();
  const kind = hungKindOf(search);
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    postedQuery(profile.id, kind, search.get('offset')),
  );
  const media = data?.pages.flatMap((page) => page.data) ?? [];
  useProtectedMedia(
    viewer?.id !== profile.id && media.some(({ price, media: { isLocked } }) => price > 0 && !isLocked),
  );
  const nextOffset = data?.pages.at(-1)?.nextOffset;
  const place = usePlaceBelow();
  const here = addressWith(profileHref(profile), search, {});
  const more = viewer
    ? { onMore: hasNextPage ? () => void fetchNextPage() : undefined }
    : { moreHref: nextOffset && `${here}&offset=${nextOffset}#media` };
  return (
    <div id="media" className="pt-4">
      {profile.totalMediaCount > 0 && (
        <Chips label="Media type" className="mb-4">
          {POSTED_KINDS.map((each) => (
            <ChipLink
              key={each}
              href={addressWith(profileHref(profile), search, { kind: each === 'all' ? undefined : each }) + place}
              current={kind === each}
            >
              {KIND_WORDS[each]}
            </ChipLink>
          ))}
        </Chips>
      )}
      {media.length === 0 ? (
        <EmptyState line={kind === 'all' ? 'No posts yet' : 'Nothing here yet'} />
      ) : (
        <>
          <MediaWall media={media} look={profile} />
          <Pager {...more} busy={isFetchingNextPage} />
        </>
      )}
    </div>
  );
}

export default function ProfilePage() {
  const { id = '' } = useParams();
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const profile = useApi(getProfile, { params: { id } });
  const refusal = useActionData<typeof action>();
  const tab = tabOf(search);
  return (
    <>
      {refusal?.message && refusal.isFollowed !== profile.isFollowed && (
        <div className="px-edge py-4">
          <Banner kind="error">{refusal.message}</Banner>
        </div>
      )}
      <ProfileView
        profile={profile}
        tab={tab}
        actions={<Actions profile={profile} />}
        aside={
          <>
            <CallTimes creatorId={profile.id} />
            <Goal profile={profile} now={now} />
          </>
        }
      >
        {tab === 'posts' && <Posts profile={profile} now={now} />}
        {tab === 'media' && <Media profile={profile} />}
        {tab === 'about' && (
          <>
            <ProfileAbout profile={profile} />
            <div className="max-w-[60ch] pt-8">
              <CallTimes creatorId={profile.id} />
            </div>
          </>
        )}
      </ProfileView>
    </>
  );
}

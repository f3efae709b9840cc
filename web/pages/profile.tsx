/** A creator's public profile (row B2). */

import { followCreator } from '@stagedoor/contract/content/follows.ts';
import { getProfileOgImage } from '@stagedoor/contract/content/og-images.ts';
import { listCreatorPosts, POSTED_MEDIA_KINDS } from '@stagedoor/contract/content/posts.ts';
import { getProfile, type Profile } from '@stagedoor/contract/content/profiles.ts';
import type { SubscriptionTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { PATHS, profilePath, signupGatePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { userId } from '@stagedoor/contract/shared/ids.ts';
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
import { FollowButton } from '../modules/content/follows/follow-button.tsx';
import { useProtectedPosts } from '../modules/content/posts/post-card.tsx';
import {
  MediaGallery,
  type PostedMediaKind,
  PostGallery,
  postedMediaQuery,
} from '../modules/content/posts/post-gallery.tsx';
import { ShareMenu } from '../modules/content/posts/share-menu.tsx';
import { toProfileHref } from '../modules/content/profiles/creator-card.tsx';
import { ProfileAbout } from '../modules/content/profiles/profile-head.tsx';
import { creatorTiersQuery, useCanSubscribe } from '../modules/content/subscriptions/creator-tiers.ts';
import { OFFER_PARAMS, PLAN_PARAMS, readOfferCode } from '../modules/content/subscriptions/plan-choice.ts';
import { SubscribeSection } from '../modules/content/subscriptions/subscribe-section.tsx';
import { TierTable } from '../modules/content/subscriptions/tier-table.tsx';
import { listFontPreloads } from '../modules/content/themes/themed.tsx';
import { TipGoalCard, tipGoalQuery } from '../modules/finance/tip-goals/tip-goal-card.tsx';
import { TipButton } from '../modules/finance/wallet/tip-button.tsx';
import { BlockItem } from '../modules/identity/blocks/block-item.tsx';
import { CallButton, useCanCall } from '../modules/messaging/calls/call-button.tsx';
import { CallTimes, callTermsQuery } from '../modules/messaging/calls/call-times.tsx';
import { MessageButton } from '../modules/messaging/chat/message-button.tsx';
import { ReportItem } from '../modules/trust/moderation/report-item.tsx';
import { buildAddress, parseOption } from '../platform/address.ts';
import { isolateText } from '../platform/bidi.ts';
import { readFormValues, sendForm } from '../platform/form-action.ts';
import { lazyPart } from '../platform/lazy-part.ts';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { apiInfiniteQuery, apiQuery, useApi } from '../platform/query.ts';
import { useViewer } from '../platform/session.ts';
import { toProfileJsonLd } from '../platform/structured-data.ts';
import { useContentProtection } from '../platform/use-content-protection.ts';
import { Button } from '../ui/button.tsx';
import { ChipLink, Chips } from '../ui/chips.tsx';
import { Pager } from '../ui/pager.tsx';
import { Banner, EmptyState } from '../ui/states.tsx';
import { PROFILE_TABS, type ProfileTab, ProfileView, useTabsHash } from './profile-view.tsx';
import * as texts from './texts.ts';

type ProfilePageData = {
  name: string;
  description: string;
  share: { path: string; width: number; height: number } | undefined;
  path: string;
  now: string;
  theme: Profile['theme'];
  structuredData: { profile: Profile; tiers: readonly SubscriptionTier[] } | undefined;
};
const KIND_LABELS: Record<PostedMediaKind, string> = {
  all: texts.all,
  picture: texts.photos,
  video: texts.videos,
  audio: texts.audio,
};
const PAGE = 12;

const loadBell = () => import('../modules/notifications/push/mute-button.tsx');
const Bell = lazyPart(async () => (await loadBell()).MuteButton);
const BellItem = lazyPart(async () => (await loadBell()).MuteMenuItem);

export const handle: PageHandle = {
  hydrate: false,
  query: ['tab', 'kind', 'offset', ...PLAN_PARAMS],
  codes: OFFER_PARAMS,
  width: 'bleed',
};

const parseTab = (search: URLSearchParams): ProfileTab => parseOption(PROFILE_TABS, search.get('tab')) ?? 'posts';
const parseMediaKind = (search: URLSearchParams): PostedMediaKind =>
  parseOption(POSTED_MEDIA_KINDS, search.get('kind')) ?? 'all';

const postsQuery = (profile: Profile, offset: string | null) =>
  apiInfiniteQuery(listCreatorPosts, {
    params: { creatorId: profile.id },
    query: { limit: PAGE, ...(offset && { offset }) },
  });

const load: PageLoad<ProfilePageData> = async ({ client, params, url, viewer }) => {
  const profile = await client.ensureQueryData(apiQuery(getProfile, { params: { id: params.id ?? '' } }));
  const tab = parseTab(url.searchParams);
  // Link previews are fetched without a session.
  const isVisitor = (await viewer()) === null;
  const offset = url.searchParams.get('offset');
  const mediaKind = parseMediaKind(url.searchParams);
  const [share] = await Promise.all([
    isVisitor ? client.ensureQueryData(apiQuery(getProfileOgImage, { params: { id: profile.id } })) : undefined,
    client.prefetchQuery(tipGoalQuery(profile.id)),
    client.prefetchQuery(callTermsQuery(profile.id)),
    client.prefetchQuery(creatorTiersQuery(profile.id, readOfferCode(url.searchParams))),
    tab === 'posts' && client.ensureInfiniteQueryData(postsQuery(profile, offset)),
    tab === 'media' && client.ensureInfiniteQueryData(postedMediaQuery(profile.id, mediaKind, offset)),
  ]);
  return {
    name: profile.name,
    description: profile.bio || formatText(texts.profileDescription, { name: profile.name }),
    share,
    path: toProfileHref(profile),
    structuredData: isVisitor
      ? { profile, tiers: client.getQueryData(creatorTiersQuery(profile.id).queryKey)?.tiers ?? [] }
      : undefined,
    now: new Date().toISOString(),
    theme: profile.theme,
  };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

type FollowRefusal = { isFollowed: boolean; message: string | undefined };

/**
 * Handles the follow form without script. Visitors are redirected to sign up, other refusals are shown on this page.
 */
export async function action(args: ActionFunctionArgs): Promise<Response | FollowRefusal> {
  const values = await readFormValues(args.request);
  const id = z.safeParse(userId, values.creatorId);
  const address = profilePath(args.params.id ?? '');
  if (!id.success) return redirect(address, { status: 303 });
  const isFollowed = values.isFollowed === 'true';
  const result = await sendForm(args, followCreator, { params: { id: id.data }, body: { isFollowed } }, values);
  if (result.ok) return redirect(address, { status: 303 });
  if (result.code === 'UNAUTHORIZED') return redirect(signupGatePath('follow', address), { status: 303 });
  return { isFollowed, message: result.refusal.message };
}

/** The canonical address. Later pages of a list have their own address and are not indexed. */
function toCanonical(path: string, search: string) {
  const query = new URLSearchParams(search);
  const parameters = ['tab', 'kind', 'offset'].flatMap((name) =>
    query
      .getAll(name)
      .slice(0, 1)
      .map((value) => [name, value]),
  );
  return query.has('offset') ? { path: `${path}?${new URLSearchParams(parameters)}`, isListed: false } : { path };
}

export const meta = (args: MetaArgs<typeof loader>) => {
  const pageData = args.loaderData;
  if (!pageData) return createPageMeta(args, { title: texts.missingPageTitle });
  const { structuredData } = pageData;
  return [
    ...createPageMeta(args, {
      title: pageData.name,
      description: pageData.description,
      image: pageData.share?.path,
      imageSize: pageData.share && { width: pageData.share.width, height: pageData.share.height },
      imageAlt: pageData.name,
      ...toCanonical(pageData.path, args.location.search),
      type: 'profile',
      isEmbeddable: true,
    }),
    ...listFontPreloads(pageData.theme),
    // Only crawlers need this, and they have no session. Browser bundles leave it out.
    ...(import.meta.env.SSR && structuredData
      ? toProfileJsonLd(args, structuredData.profile, structuredData.tiers)
      : []),
  ];
};

function Actions({ profile }: { profile: Profile }) {
  const viewer = useViewer();
  const isOwn = viewer?.id === profile.id;
  const navigate = useNavigate();
  const canCall = useCanCall(profile);
  const canSubscribe = useCanSubscribe(profile.id);
  const hasBell = viewer?.type === 'customer' && profile.isFollowed;
  return (
    <>
      {isOwn ? (
        !viewer.delegation && (
          <Button icon="edit" href={PATHS.creatorProfile}>
            {texts.editProfile}
          </Button>
        )
      ) : (
        <>
          <CallButton creator={profile} isFirst={!canSubscribe} />
          <FollowButton creator={profile} isFirst={canCall === false && !canSubscribe} />
          {hasBell && (
            <span className="max-sm:hidden">
              <Suspense fallback={<span className="block size-11" />}>
                <Bell creator={profile} />
              </Suspense>
            </span>
          )}
          <MessageButton hasLabel creatorId={profile.id} creatorName={profile.name} />
          <TipButton
            hasLabel
            target={{
              creatorId: profile.id,
              creatorName: profile.name,
              type: 'profile',
              returnTo: toProfileHref(profile),
            }}
          />
        </>
      )}
      <span className="flex-1" />
      <ShareMenu
        embed={{ kind: 'profile', id: profile.username }}
        path={toProfileHref(profile)}
        text={formatText(texts.nameOnStagedoor, { name: profile.name })}
        more={
          <>
            {hasBell && (
              <Suspense>
                <BellItem creator={profile} />
              </Suspense>
            )}
            <ReportItem
              target={{ userId: profile.id, type: 'profile', typeId: profile.id }}
              path={toProfileHref(profile)}
              label={texts.reportThisProfile}
            />
            <BlockItem user={profile} onBlocked={() => void navigate(PATHS.home)} />
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
    returnTo: toProfileHref(profile),
  };
  return (
    <TipGoalCard
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
    postsQuery(profile, search.get('offset')),
  );
  const posts = data?.pages.flatMap((page) => page.data) ?? [];
  useProtectedPosts(posts);
  if (posts.length === 0)
    return viewer?.id === profile.id ? (
      <EmptyState
        line={texts.noPostsYet}
        action={<Button href={PATHS.creatorNewPost}>{texts.publishYourFirstPost}</Button>}
      />
    ) : (
      <EmptyState
        line={texts.noPostsYet}
        more={
          !viewer || viewer.type === 'customer'
            ? formatText(texts.followToSeePostsHint, { name: isolateText(profile.name) })
            : undefined
        }
      />
    );
  const nextOffset = data?.pages.at(-1)?.nextOffset;
  const more = viewer
    ? { onMore: hasNextPage ? () => void fetchNextPage() : undefined }
    : { moreHref: nextOffset && `${toProfileHref(profile)}?offset=${nextOffset}#posts` };
  return (
    <>
      <div id="posts" className="pt-5">
        <PostGallery posts={posts} layout={profile} now={now} />
      </div>
      <Pager {...more} busy={isFetchingNextPage} />
    </>
  );
}

function Media({ profile }: { profile: Profile }) {
  const viewer = useViewer();
  const [search] = useSearchParams();
  const kind = parseMediaKind(search);
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    postedMediaQuery(profile.id, kind, search.get('offset')),
  );
  const media = data?.pages.flatMap((page) => page.data) ?? [];
  useContentProtection(
    viewer?.id !== profile.id && media.some(({ price, media: { isLocked } }) => price > 0 && !isLocked),
  );
  const nextOffset = data?.pages.at(-1)?.nextOffset;
  const hash = useTabsHash();
  const address = buildAddress(toProfileHref(profile), search, {});
  const more = viewer
    ? { onMore: hasNextPage ? () => void fetchNextPage() : undefined }
    : { moreHref: nextOffset && `${address}&offset=${nextOffset}#media` };
  return (
    <div id="media" className="pt-4">
      {profile.totalMediaCount > 0 && (
        <Chips label={texts.mediaType} className="mb-4">
          {POSTED_MEDIA_KINDS.map((each) => (
            <ChipLink
              key={each}
              href={buildAddress(toProfileHref(profile), search, { kind: each === 'all' ? undefined : each }) + hash}
              current={kind === each}
            >
              {KIND_LABELS[each]}
            </ChipLink>
          ))}
        </Chips>
      )}
      {media.length === 0 ? (
        <EmptyState line={kind === 'all' ? texts.noPostsYet : texts.nothingHereYet} />
      ) : (
        <>
          <MediaGallery media={media} layout={profile} />
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
  const tab = parseTab(search);
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
        lead={<SubscribeSection key={profile.id} creator={profile} now={now} />}
        aside={
          <>
            <TierTable creatorId={profile.id} />
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

import { type CreatorCard, listCreators } from '@stagedoor/contract/content/profiles.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { QueryClient } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { FollowButton } from '../../modules/content/follows/follow-button.tsx';
import { toProfileHref } from '../../modules/content/profiles/creator-card.tsx';
import { followingCountsQuery } from '../../modules/content/profiles/following.tsx';
import { isolateText } from '../../platform/bidi.ts';
import { useAvatar } from '../../platform/presence.ts';
import { apiQuery } from '../../platform/query.ts';
import { UserRow } from '../../ui/card.tsx';
import { formatNodes } from '../../ui/format-nodes.ts';
import { SectionHead } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import * as texts from './texts.ts';

const MAX_SHOWN = 5;
const FOLLOWING = PATHS.fanFollow;

const onlineQuery = () => apiQuery(listCreators, { query: { sort: 'online', limit: MAX_SHOWN } });
/** Requests more than are shown, because those who are online are already listed above. */
export const suggestedQuery = () =>
  apiQuery(listCreators, { query: { sort: 'recommended', exclude: 'followed', limit: MAX_SHOWN * 2 } });

/** Errors are ignored because the feed also renders without the rail. */
export async function loadRail(client: QueryClient): Promise<void> {
  await Promise.all([
    client.prefetchQuery(followingCountsQuery()),
    client.prefetchQuery(onlineQuery()),
    client.prefetchQuery(suggestedQuery()),
  ]);
}

export function FollowingLink() {
  const counts = useQuery(followingCountsQuery()).data;
  return (
    <UiLink href={FOLLOWING} className="head__link num">
      {formatNodes(texts.followingLink, { count: counts && ` ${counts.following.toLocaleString('en-US')}` })}
    </UiLink>
  );
}

function Suggested({ creator }: { creator: CreatorCard }) {
  return (
    <UserRow
      row
      name={creator.name}
      href={toProfileHref(creator)}
      verified={creator.isVerified}
      avatar={useAvatar(creator)}
      sub={isolateText(creator.craft) || `@${creator.username}`}
      end={<FollowButton creator={creator} />}
    />
  );
}

type CreatorSectionProps = { id: string; title: string; href: string; creators: readonly CreatorCard[] };

function CreatorSection({
  id,
  title,
  href,
  creators,
  className,
}: CreatorSectionProps & { className?: string | undefined }) {
  if (creators.length === 0) return null;
  return (
    <section aria-labelledby={id} className={className}>
      <SectionHead id={id} title={title} end={texts.all} href={href} />
      <ul>
        {creators.map((creator) => (
          <li key={creator.id}>
            <Suggested creator={creator} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Suggestions({ className }: { className?: string }) {
  const creators = (useQuery(suggestedQuery()).data?.data ?? []).slice(0, MAX_SHOWN);
  const head = { id: 'suggestions', title: texts.youMightLike, href: PATHS.home };
  return <CreatorSection {...head} {...{ creators, className }} />;
}

export function FeedRail() {
  const online = useQuery(onlineQuery()).data?.data ?? [];
  const suggested = (useQuery(suggestedQuery()).data?.data ?? [])
    .filter(({ id, isFollowed }) => !isFollowed && online.every((each) => each.id !== id))
    .slice(0, MAX_SHOWN);
  const sections = [
    { id: 'rail-online', title: texts.onlineNow, href: '/?sort=online', creators: online },
    { id: 'rail-suggested', title: texts.youMightLike, href: PATHS.home, creators: suggested },
  ];
  return sections.map((section) => (
    <CreatorSection key={section.id} {...section} className="mb-9 [&_.follow]:px-2.5" />
  ));
}

import type { Profile } from '@stagedoor/contract/content/profiles.ts';
import { SOCIAL_NETWORK_DETAILS, toLinkHref } from '@stagedoor/contract/content/social-links.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { replaceDeceptiveHosts } from '@stagedoor/contract/shared/hosts.ts';
import type { ReactNode } from 'react';
import { isolateText, joinIsolated } from '../../../platform/bidi.ts';
import { formatCount } from '../../../platform/dates.ts';
import { LinkedText } from '../../../platform/linked-text.tsx';
import { PRESENCE_LABELS, toPresenceProps, useAvatar, usePresence } from '../../../platform/presence.ts';
import { Avatar, StatusDot } from '../../../ui/avatar.tsx';
import { cx } from '../../../ui/class-names.ts';
import { DefinitionList } from '../../../ui/definition-list.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { VerifiedTick } from '../../../ui/label.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { Cover, Picture } from '../../../ui/picture.tsx';
import { StickyBar } from '../../../ui/shell.tsx';
import { toCoverProps } from './creator-card.tsx';
import * as texts from './texts.ts';

const FULL_WIDTH = '100vw';
const LONG_BIO = 420;
const LONG_LINES = 9;

function ProfileMeta({ profile }: { profile: Profile }) {
  const craft = joinIsolated([profile.craft, profile.city], ', ');
  const status = usePresence(profile.id, profile.status) ?? 'offline';
  return (
    <>
      <span>@{profile.username}</span>
      {craft && <span className="min-w-0 wrap-anywhere">{craft}</span>}
      {status !== 'offline' && (
        <StatusDot state={toPresenceProps(status).presence}>{PRESENCE_LABELS[status]}</StatusDot>
      )}
    </>
  );
}

function ProfileTitle({ profile, className }: { profile: Profile; className: string }) {
  return (
    <h1 className={cx('display wrap-anywhere', className)}>
      <bdi>{profile.name}</bdi>
      {profile.isVerified && (
        <span className="ml-[.2em] inline-block align-[.12em]">
          <VerifiedTick />
        </span>
      )}
    </h1>
  );
}

function ProfileAvatar({ profile, size }: { profile: Profile; size: 'l' | 'xl' }) {
  const avatar = useAvatar(profile);
  const isBox = profile.shape === 'box';
  return (
    <div className={cx('relative w-fit bg-surface-0 p-1', isBox ? 'rounded-[16px]' : 'rounded-full')}>
      <Avatar
        {...avatar}
        name={profile.name}
        size={size}
        className={isBox ? 'rounded-[12px] [&_img]:rounded-[12px]' : undefined}
      />
    </div>
  );
}

function findShownCover(profile: Profile) {
  if (profile.theme?.cover === 'colour') return undefined;
  return toCoverProps(profile, FULL_WIDTH, { priority: true, alt: '' });
}

function HeroHead({ profile }: { profile: Profile }) {
  const isColour = profile.theme?.cover === 'colour';
  return (
    <div className="profile-cover">
      <Cover
        picture={findShownCover(profile) ?? { alt: '', empty: null }}
        title={
          <>
            <ProfileAvatar profile={profile} size="l" />
            <ProfileTitle
              profile={profile}
              className={cx(
                'd1 mt-3',
                isColour ? '[--surface-0:var(--tint)] [--text:var(--on-tint)]' : '[--surface-0:#14161b] [--text:#fff]',
              )}
            />
          </>
        }
      >
        <ProfileMeta profile={profile} />
      </Cover>
    </div>
  );
}

function ClassicHead({ profile }: { profile: Profile }) {
  const cover = findShownCover(profile);
  return (
    <header>
      <div className={cx('profile-cover', !cover && profile.theme?.cover !== 'colour' && 'bg-surface-2')}>
        {cover ? <Picture {...cover} ratio="auto" className="h-36 lg:h-56" /> : <div className="h-24 lg:h-36" />}
      </div>
      <div className="px-edge">
        <div className="-mt-14">
          <ProfileAvatar profile={profile} size="xl" />
        </div>
        <ProfileTitle profile={profile} className="d2 mt-3" />
        <p className="mt-2 mb-3 flex flex-wrap gap-x-4 gap-y-1 text-muted">
          <ProfileMeta profile={profile} />
        </p>
      </div>
    </header>
  );
}

export function ProfileHead({ profile, actions }: { profile: Profile; actions: ReactNode }) {
  return (
    <>
      {profile.layout === 'hero' ? <HeroHead profile={profile} /> : <ClassicHead profile={profile} />}
      <StickyBar>{actions}</StickyBar>
    </>
  );
}

const getHost = (url: string) => url.split('/')[2]?.replace(/^www\./, '') ?? '';

/** Custom links come first. They show the host, so that a label cannot pretend to lead somewhere else. */
function ProfileLinks({
  links,
  customLinks,
  className,
}: Pick<Profile, 'links' | 'customLinks'> & { className: string }) {
  if (links.length + customLinks.length === 0) return null;
  return (
    <ul className={className} aria-label={texts.links}>
      {customLinks.map(({ label, url }) => (
        <li key={`${label} ${url}`} className="min-w-0">
          <a
            className="inline-flex min-h-11 max-w-full items-center gap-1.5"
            href={url}
            rel="nofollow noopener ugc"
            target="_blank"
          >
            <span className="min-w-0 wrap-anywhere">
              <bdi className="link">{replaceDeceptiveHosts(label)}</bdi>{' '}
              <span className="text-small text-muted">{getHost(url)}</span>
            </span>
            <Icon name="external" size={16} />
          </a>
        </li>
      ))}
      {links.map(({ network, url }) => (
        <li key={network}>
          <a
            className="link inline-flex min-h-11 items-center gap-1.5"
            href={toLinkHref(url)}
            rel="me nofollow noopener"
            target="_blank"
          >
            {SOCIAL_NETWORK_DETAILS[network].name}
            <Icon name="external" size={16} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function listCounts(profile: Profile) {
  const { totalPostCount, totalFollowersCount, totalMediaCount, profileViewCount } = profile;
  return [
    { name: 'Posts', value: totalPostCount.toLocaleString('en-US') },
    { name: 'Followers', value: totalFollowersCount.toLocaleString('en-US') },
    { name: texts.photosVideosAudio, value: totalMediaCount.toLocaleString('en-US') },
    // Only the owner receives the view count.
    ...(profileViewCount === undefined
      ? []
      : [{ name: texts.profileViews, value: profileViewCount.toLocaleString('en-US') }]),
  ];
}

export function ProfileAside({ profile, aboutHref }: { profile: Profile; aboutHref: string }) {
  const isLong = profile.bio.length > LONG_BIO || profile.bio.split('\n').length > LONG_LINES;
  return (
    <div className="grid grid-cols-1 content-start gap-4">
      {profile.bio && (
        <div>
          <p
            dir="auto"
            className={cx('whitespace-pre-line wrap-anywhere', isLong && 'line-clamp-5 lg:[-webkit-line-clamp:12]')}
          >
            <LinkedText text={profile.bio} />
          </p>
          {isLong && (
            <UiLink href={aboutHref} className="link inline-flex min-h-11 items-center">
              {texts.readMore}
            </UiLink>
          )}
        </div>
      )}
      <ProfileLinks links={profile.links} customLinks={profile.customLinks} className="flex flex-wrap gap-x-4" />
      <p className="flex flex-wrap gap-x-6 lg:hidden">
        <span>{formatCount(profile.totalPostCount, 'post')}</span>
        <span>{formatCount(profile.totalFollowersCount, 'follower')}</span>
        {profile.profileViewCount !== undefined && <span>{formatCount(profile.profileViewCount, 'view')}</span>}
      </p>
      <div className="hidden lg:block">
        <DefinitionList items={listCounts(profile)} />
      </div>
    </div>
  );
}

export function ProfileAbout({ profile }: { profile: Profile }) {
  const { bio, craft, city, category } = profile;
  const items = [
    { name: texts.whatTheyDo, value: isolateText(craft) },
    { name: 'City', value: isolateText(city) },
    { name: 'Category', value: category ?? '' },
  ].filter(({ value }) => value !== '');
  return (
    <div className="grid max-w-[60ch] gap-6 pt-6">
      <p dir="auto" className={cx('whitespace-pre-line wrap-anywhere', !bio && 'text-muted')}>
        {bio ? <LinkedText text={bio} /> : formatText(texts.noBioYet, { name: isolateText(profile.name) })}
      </p>
      <ProfileLinks links={profile.links} customLinks={profile.customLinks} className="flex flex-wrap gap-x-5" />
      <DefinitionList items={[...items, ...listCounts(profile)]} />
    </div>
  );
}

/** The top of a profile in either layout: hero hangs the name over the cover, classic sets it beside a short banner. */
import type { Profile } from '@stagedoor/contract/profiles.ts';
import type { ReactNode } from 'react';
import { plural } from '../../kernel/dates.ts';
import { pictureProps } from '../../kernel/pictures.ts';
import { Avatar, Lamp } from '../../ui/avatar.tsx';
import { cx } from '../../ui/class-names.ts';
import { FactList } from '../../ui/facts.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Tick } from '../../ui/label.tsx';
import { Cover, Picture } from '../../ui/picture.tsx';
import { StickyBar } from '../../ui/shell.tsx';
import { avatarOf, PRESENCE_WORDS } from './creator-card.tsx';

const FULL_WIDTH = '100vw';

function Meta({ profile }: { profile: Profile }) {
  const craft = [profile.craft, profile.city].filter(Boolean).join(', ');
  return (
    <>
      <span>@{profile.username}</span>
      {craft && <span className="min-w-0 wrap-anywhere">{craft}</span>}
      {profile.status !== 'offline' && <Lamp state={avatarOf(profile).presence}>{PRESENCE_WORDS[profile.status]}</Lamp>}
    </>
  );
}

function Title({ profile, className }: { profile: Profile; className: string }) {
  return (
    <h1 className={cx('display wrap-anywhere', className)}>
      {profile.name}
      {profile.isVerified && (
        <span className="ml-[.2em] inline-block align-[.12em]">
          <Tick />
        </span>
      )}
    </h1>
  );
}

function HeroHead({ profile }: { profile: Profile }) {
  const cover = profile.cover
    ? pictureProps(profile.cover, FULL_WIDTH, { priority: true, alt: '' })
    : { alt: '', empty: null };
  return (
    <Cover picture={cover} title={<Title profile={profile} className="d1 [--surface-0:#14161b] [--text:#fff]" />}>
      <Meta profile={profile} />
    </Cover>
  );
}

function ClassicHead({ profile }: { profile: Profile }) {
  return (
    <header>
      {profile.cover ? (
        <Picture
          {...pictureProps(profile.cover, FULL_WIDTH, { priority: true, alt: '' })}
          ratio="auto"
          className="h-36 lg:h-56"
        />
      ) : (
        <div className="h-24 bg-surface-2 lg:h-36" />
      )}
      <div className="px-edge">
        <div className="-mt-14 w-fit rounded-full bg-surface-0 p-1">
          <Avatar {...avatarOf(profile)} name={profile.name} size="xl" />
        </div>
        <Title profile={profile} className="d2 mt-3" />
        <p className="mt-2 mb-3 flex flex-wrap gap-x-4 gap-y-1 text-muted">
          <Meta profile={profile} />
        </p>
      </div>
    </header>
  );
}

/** `actions` are the buttons: the primary one last on a desk, first on a phone. */
export function ProfileHead({ profile, actions }: { profile: Profile; actions: ReactNode }) {
  return (
    <>
      {profile.layout === 'hero' ? <HeroHead profile={profile} /> : <ClassicHead profile={profile} />}
      <StickyBar>{actions}</StickyBar>
    </>
  );
}

/** Bio, links and counts: beside the posts on a desk, above them on a phone. */
export function ProfileAside({ profile }: { profile: Profile }) {
  return (
    <div className="grid content-start gap-4">
      {profile.bio && (
        <p dir="auto" className="whitespace-pre-line wrap-anywhere">
          {profile.bio}
        </p>
      )}
      {profile.links.length > 0 && (
        <ul className="flex flex-wrap gap-x-4">
          {profile.links.map(({ network, url }) => (
            <li key={network}>
              <a
                className="link inline-flex min-h-11 items-center gap-1.5"
                href={url.startsWith('www.') ? `https://${url}` : url}
                rel="me nofollow noopener"
                target="_blank"
              >
                <span className="capitalize">{network}</span>
                <Icon name="external" size={16} />
              </a>
            </li>
          ))}
        </ul>
      )}
      <p className="flex flex-wrap gap-x-6 lg:hidden">
        <span>{plural(profile.totalPostCount, 'post')}</span>
        <span>{plural(profile.totalFollowersCount, 'follower')}</span>
      </p>
      <div className="hidden lg:block">
        <FactList
          facts={[
            { name: 'Posts', value: profile.totalPostCount.toLocaleString('en-US') },
            { name: 'Followers', value: profile.totalFollowersCount.toLocaleString('en-US') },
            { name: 'Photos and videos', value: profile.totalMediaCount.toLocaleString('en-US') },
          ]}
        />
      </div>
    </div>
  );
}

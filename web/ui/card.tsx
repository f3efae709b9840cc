import type { ReactNode } from 'react';
import { Avatar, type AvatarProps } from './avatar.tsx';
import { cx } from './class-names.ts';
import type { IconName } from './icon.tsx';
import { Label, type LabelProps, VerifiedName } from './label.tsx';
import { UiLink } from './link.tsx';
import { MediaKindIcon, Picture, PictureBadge, type PictureProps } from './picture.tsx';

export interface MediaCardProps {
  href: string;
  picture: PictureProps;
  label: LabelProps;
  seal?: { icon?: IconName | undefined; text: ReactNode } | undefined;
  kind?: { icon: IconName; label: string } | undefined;
  className?: string | undefined;
}

export function MediaCard({ href, picture, label, seal, kind, className }: MediaCardProps) {
  return (
    <UiLink href={href} className={cx('media-card', className)}>
      <span className="mat">
        <Picture {...picture}>
          {seal && <PictureBadge icon={seal.icon}>{seal.text}</PictureBadge>}
          {kind && <MediaKindIcon {...kind} />}
        </Picture>
      </span>
      <Label {...label} />
    </UiLink>
  );
}

export interface UserItemProps {
  name: string;
  href?: string | undefined;
  avatar: Omit<AvatarProps, 'name'>;
  verified?: boolean | undefined;
  sub?: ReactNode;
  end?: ReactNode;
  className?: string | undefined;
}

function UserItem({
  name,
  href,
  avatar,
  verified,
  sub,
  end,
  className,
  current,
}: UserItemProps & { current?: boolean | undefined }) {
  return (
    <div className={cx('person', className)} data-current={current ? '' : undefined}>
      <Avatar {...avatar} name={name} />
      <div className="min-w-0">
        <VerifiedName href={href} verified={verified}>
          {name}
        </VerifiedName>
        {sub && <p className="person__sub one-line">{sub}</p>}
      </div>
      {end}
    </div>
  );
}

export function UserRow({
  row,
  current,
  ...user
}: UserItemProps & { row?: boolean | undefined; current?: boolean | undefined }) {
  return <UserItem {...user} current={current} className={cx(row && 'person--row', user.className)} />;
}

export interface UserCardProps extends UserItemProps {
  href: string;
  picture: PictureProps;
}

export function UserCard({ picture, className, ...user }: UserCardProps) {
  return (
    <div className={cx('person-card', className)}>
      <UiLink href={user.href} tabIndex={-1} aria-hidden="true">
        <Picture {...picture} ratio={picture.ratio ?? '4 / 5'} alt="" />
      </UiLink>
      <UserItem {...user} className="person--gap" />
    </div>
  );
}

export function Card({
  children,
  className,
  labelledBy,
}: {
  children: ReactNode;
  className?: string | undefined;
  labelledBy?: string | undefined;
}) {
  return (
    <section className={cx('card', className)} aria-labelledby={labelledBy}>
      {children}
    </section>
  );
}

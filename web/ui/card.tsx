import type { ReactNode } from 'react';
import { Avatar, type AvatarProps } from './avatar.tsx';
import { cx } from './class-names.ts';
import type { IconName } from './icon.tsx';
import { Label, type LabelProps, Name } from './label.tsx';
import { UiLink } from './link.tsx';
import { Kind, Picture, type PictureProps, Seal } from './picture.tsx';

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
          {seal && <Seal icon={seal.icon}>{seal.text}</Seal>}
          {kind && <Kind {...kind} />}
        </Picture>
      </span>
      <Label {...label} />
    </UiLink>
  );
}

export interface PersonProps {
  name: string;
  href?: string | undefined;
  avatar: Omit<AvatarProps, 'name'>;
  verified?: boolean | undefined;
  sub?: ReactNode;
  end?: ReactNode;
  className?: string | undefined;
}

function Person({
  name,
  href,
  avatar,
  verified,
  sub,
  end,
  className,
  current,
}: PersonProps & { current?: boolean | undefined }) {
  return (
    <div className={cx('person', className)} data-current={current ? '' : undefined}>
      <Avatar {...avatar} name={name} />
      <div className="min-w-0">
        <Name href={href} verified={verified}>
          {name}
        </Name>
        {sub && <p className="person__sub one-line">{sub}</p>}
      </div>
      {end}
    </div>
  );
}

export function PersonRow({
  row,
  current,
  ...person
}: PersonProps & { row?: boolean | undefined; current?: boolean | undefined }) {
  return <Person {...person} current={current} className={cx(row && 'person--row', person.className)} />;
}

export interface PersonCardProps extends PersonProps {
  href: string;
  picture: PictureProps;
}

export function PersonCard({ picture, className, ...person }: PersonCardProps) {
  return (
    <div className={cx('person-card', className)}>
      <UiLink href={person.href} tabIndex={-1} aria-hidden="true">
        <Picture {...picture} ratio={picture.ratio ?? '4 / 5'} alt="" />
      </UiLink>
      <Person {...person} className="person--gap" />
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

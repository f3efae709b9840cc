import { profilePath } from '@stagedoor/contract/addresses.ts';
import { formatRate } from '@stagedoor/contract/atoms/money.ts';
import { type CreatorCard as Creator, MIDDLE } from '@stagedoor/contract/profiles.ts';
import type { ReactNode } from 'react';
import { pictureProps } from '../../kernel/pictures.ts';
import { useAvatar } from '../../kernel/presence.ts';
import { initials } from '../../ui/avatar.tsx';
import { PersonCard, PersonRow } from '../../ui/card.tsx';
import type { PictureProps } from '../../ui/picture.tsx';

export function profileHref(creator: { username: string }): string {
  return profilePath(creator.username);
}

export function coverProps(
  { cover, coverFocus: { x, y } }: Pick<Creator, 'cover' | 'coverFocus'>,
  sizes: string,
  more: Partial<PictureProps> = {},
): PictureProps | undefined {
  if (!cover) return undefined;
  const isMiddle = x === MIDDLE.x && y === MIDDLE.y;
  return pictureProps(cover, sizes, { ...(!isMiddle && { focus: `${x}% ${y}%` }), ...more });
}

/** Renders text such as "Ceramicist · $4.00/min". A long craft is truncated, the price never is. */
function CraftLine({ creator }: { creator: Creator }) {
  const craft = creator.craft || creator.category || `@${creator.username}`;
  if (creator.callRate === null) return <bdi>{craft}</bdi>;
  return (
    <span className="flex">
      <bdi className="one-line">{craft}</bdi>
      <span className="flex-none">
        &nbsp;· <span className="num">{formatRate(creator.callRate)}</span>
      </span>
    </span>
  );
}

export type CreatorCardProps = {
  creator: Creator;
  sizes: string;
  end?: ReactNode;
  ratio?: string | undefined;
  isPriority?: boolean;
};

export function CreatorCard({ creator, sizes, end, ratio = '4 / 5', isPriority = false }: CreatorCardProps) {
  return (
    <PersonCard
      name={creator.name}
      href={profileHref(creator)}
      verified={creator.isVerified}
      avatar={useAvatar(creator)}
      sub={<CraftLine creator={creator} />}
      end={end}
      picture={
        coverProps(creator, sizes, { ratio, priority: isPriority }) ?? {
          src: creator.avatarUrl,
          alt: '',
          ratio,
          empty: <span className="display text-d1">{initials(creator.name)}</span>,
        }
      }
    />
  );
}

export function CreatorRow({ creator, end }: { creator: Creator; end?: ReactNode }) {
  return (
    <PersonRow
      row
      name={creator.name}
      href={profileHref(creator)}
      verified={creator.isVerified}
      avatar={useAvatar(creator)}
      sub={<CraftLine creator={creator} />}
      end={end}
    />
  );
}

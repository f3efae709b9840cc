import { CENTER, type CreatorCard as Creator } from '@stagedoor/contract/content/profiles.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatRate, formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ReactNode } from 'react';
import { toPictureProps } from '../../../platform/pictures.ts';
import { useAvatar } from '../../../platform/presence.ts';
import { getInitials } from '../../../ui/avatar.tsx';
import { UserCard, UserRow } from '../../../ui/card.tsx';
import type { PictureProps } from '../../../ui/picture.tsx';
import * as texts from './texts.ts';

export function toProfileHref(creator: { username: string }): string {
  return profilePath(creator.username);
}

export function toCoverProps(
  { cover, coverFocus: { x, y } }: Pick<Creator, 'cover' | 'coverFocus'>,
  sizes: string,
  more: Partial<PictureProps> = {},
): PictureProps | undefined {
  if (!cover) return undefined;
  const isCentered = x === CENTER.x && y === CENTER.y;
  return toPictureProps(cover, sizes, { ...(!isCentered && { focus: `${x}% ${y}%` }), ...more });
}

/** Renders text such as "Ceramicist · $4.00/min". A long craft is truncated, the price never is. */
function CraftLine({ creator }: { creator: Creator }) {
  const craft = creator.craft || creator.category || `@${creator.username}`;
  const { callRate, subscriptionPrice } = creator;
  if (callRate === null && subscriptionPrice === null) return <bdi>{craft}</bdi>;
  return (
    <>
      <span className="flex">
        <bdi className="one-line">{craft}</bdi>
        {callRate !== null && (
          <span className="flex-none">
            &nbsp;· <span className="num">{formatRate(callRate)}</span>
          </span>
        )}
      </span>
      {subscriptionPrice !== null && (
        // A trial that does not fit next to the price wraps below the line, where it is hidden.
        <span className="flex h-5 flex-wrap overflow-hidden">
          <span className="num">{formatText(texts.fromPerMonth, { price: formatUsd(subscriptionPrice) })}</span>
          {creator.hasTrial && <>&nbsp;· {texts.freeTrial}</>}
        </span>
      )}
    </>
  );
}

export type CreatorProfileCardProps = {
  creator: Creator;
  sizes: string;
  end?: ReactNode;
  ratio?: string | undefined;
  isPriority?: boolean;
};

export function CreatorProfileCard({
  creator,
  sizes,
  end,
  ratio = '4 / 5',
  isPriority = false,
}: CreatorProfileCardProps) {
  return (
    <UserCard
      name={creator.name}
      href={toProfileHref(creator)}
      verified={creator.isVerified}
      avatar={useAvatar(creator)}
      sub={<CraftLine creator={creator} />}
      end={end}
      picture={
        toCoverProps(creator, sizes, { ratio, priority: isPriority }) ?? {
          src: creator.avatarUrl,
          alt: '',
          ratio,
          empty: <span className="display text-d1">{getInitials(creator.name)}</span>,
        }
      }
    />
  );
}

export function CreatorListRow({ creator, end }: { creator: Creator; end?: ReactNode }) {
  return (
    <UserRow
      row
      name={creator.name}
      href={toProfileHref(creator)}
      verified={creator.isVerified}
      avatar={useAvatar(creator)}
      sub={<CraftLine creator={creator} />}
      end={end}
    />
  );
}

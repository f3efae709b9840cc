import type { CreatorCard } from '@stagedoor/contract/content/profiles.ts';
import { formatRate } from '@stagedoor/contract/shared/money.ts';
import { toPresenceProps } from '../../../platform/presence.ts';
import { getInitials, StatusDot } from '../../../ui/avatar.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { toCoverProps, toProfileHref } from './creator-card.tsx';

function CreatorTile({ creator }: { creator: CreatorCard }) {
  const { avatarUrl, name, craft, username, callRate, status } = creator;
  const { presence, presenceLabel } = toPresenceProps(status);
  const picture = (!avatarUrl && toCoverProps(creator, '160px')) || {
    src: avatarUrl,
    alt: '',
    focus: '50% 24%',
    empty: <span className="display text-d1">{getInitials(name)}</span>,
  };
  return (
    <UiLink href={toProfileHref(creator)} className="face">
      <Picture {...picture} ratio="1" />
      <span className="face__label">
        <b className="flex min-w-0 items-center gap-[7px]">
          <StatusDot state={presence}>{''}</StatusDot>
          <span className="one-line">
            <bdi>{name.split(' ')[0] ?? name}</bdi>
            <span className="sr-only">, {presenceLabel}</span>
          </span>
        </b>
        <span className="face__craft one-line">
          <bdi>{craft || `@${username}`}</bdi>
        </span>
        {callRate !== null && <span className="num">{formatRate(callRate)}</span>}
      </span>
    </UiLink>
  );
}

export function CreatorTiles({ creators }: { creators: readonly CreatorCard[] }) {
  return (
    <ul className="faces">
      {creators.map((creator) => (
        <li key={creator.id} className="min-w-0">
          <CreatorTile creator={creator} />
        </li>
      ))}
    </ul>
  );
}

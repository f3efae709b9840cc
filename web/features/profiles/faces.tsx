import { formatRate } from '@stagedoor/contract/atoms/money.ts';
import type { CreatorCard } from '@stagedoor/contract/profiles.ts';
import { lampOf } from '../../kernel/presence.ts';
import { initials, Lamp } from '../../ui/avatar.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import { coverProps, profileHref } from './creator-card.tsx';

function Face({ creator }: { creator: CreatorCard }) {
  const { avatarUrl, name, craft, username, callRate, status } = creator;
  const { presence, presenceLabel } = lampOf(status);
  const picture = (!avatarUrl && coverProps(creator, '160px')) || {
    src: avatarUrl,
    alt: '',
    focus: '50% 24%',
    empty: <span className="display text-d1">{initials(name)}</span>,
  };
  return (
    <UiLink href={profileHref(creator)} className="face">
      <Picture {...picture} ratio="1" />
      <span className="face__label">
        <b className="flex min-w-0 items-center gap-[7px]">
          <Lamp state={presence}>{''}</Lamp>
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

export function Faces({ creators }: { creators: readonly CreatorCard[] }) {
  return (
    <ul className="faces">
      {creators.map((creator) => (
        <li key={creator.id} className="min-w-0">
          <Face creator={creator} />
        </li>
      ))}
    </ul>
  );
}

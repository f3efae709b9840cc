import { formatRate } from '@stagedoor/contract/atoms/money.ts';
import type { CreatorCard as Creator } from '@stagedoor/contract/profiles.ts';
import type { ReactNode } from 'react';
import { isolated } from '../../kernel/bidi.ts';
import { MediaCard } from '../../ui/card.tsx';
import { cx } from '../../ui/class-names.ts';
import { hangsWide } from '../../ui/rhythm.ts';
import { CreatorCard, coverProps, profileHref } from './creator-card.tsx';

const ON_A_WALL = 'lg:[&_.pic]:!aspect-auto lg:[&_.pic]:h-[440px]';
const WIDE = '(min-width: 60rem) 50vw, (min-width: 43.75rem) 50vw, 100vw';
const NARROW = '(min-width: 60rem) 25vw, (min-width: 43.75rem) 50vw, 100vw';

export function CreatorWall({
  creators,
  follow,
  isFirst,
  ratio,
}: {
  creators: readonly Creator[];
  follow: (creator: Creator) => ReactNode;
  isFirst: boolean;
  ratio?: string | undefined;
}) {
  return (
    <ul className="grid gap-x-6 gap-y-9 md:grid-cols-2 md:gap-y-10 lg:grid-cols-12 lg:gap-y-14">
      {creators.map((creator, index) => {
        const wide = hangsWide(index, creators.length);
        return (
          <li key={creator.id} className={cx('min-w-0', ON_A_WALL, wide ? 'lg:col-span-6' : 'lg:col-span-3')}>
            <CreatorCard
              creator={creator}
              end={follow(creator)}
              sizes={wide ? WIDE : NARROW}
              isPriority={isFirst && index === 0}
              ratio={ratio}
            />
          </li>
        );
      })}
    </ul>
  );
}

export function CreatorStrip({ creators }: { creators: readonly Creator[] }) {
  return (
    <ul className="bleed grid auto-cols-[112px] grid-flow-col gap-2 overflow-x-auto px-edge [scrollbar-width:none] lg:mx-0 lg:grid-flow-row lg:grid-cols-8 lg:gap-4 lg:px-0">
      {creators.map((creator) => (
        <li key={creator.id} className="min-w-0">
          <MediaCard
            href={profileHref(creator)}
            picture={
              (!creator.avatarUrl && coverProps(creator, '160px', { ratio: '3 / 4' })) || {
                src: creator.avatarUrl,
                alt: '',
                ratio: '3 / 4',
                focus: '50% 30%',
              }
            }
            label={{
              who: creator.name.split(' ')[0] ?? creator.name,
              what:
                creator.callRate === null
                  ? isolated(creator.craft) || `@${creator.username}`
                  : formatRate(creator.callRate),
              stacked: true,
            }}
          />
        </li>
      ))}
    </ul>
  );
}

import type { CreatorCard as Creator } from '@stagedoor/contract/content/profiles.ts';
import { formatRate } from '@stagedoor/contract/shared/money.ts';
import type { ReactNode } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { MediaCard } from '../../../ui/card.tsx';
import { cx } from '../../../ui/class-names.ts';
import { isWideTile } from '../../../ui/gallery-layout.ts';
import { CreatorProfileCard, toCoverProps, toProfileHref } from './creator-card.tsx';

const GALLERY_HEIGHT = 'lg:[&_.pic]:!aspect-auto lg:[&_.pic]:h-[440px]';
const WIDE = '(min-width: 60rem) 50vw, (min-width: 43.75rem) 50vw, 100vw';
const NARROW = '(min-width: 60rem) 25vw, (min-width: 43.75rem) 50vw, 100vw';

export function CreatorGallery({
  creators,
  renderFollow,
  isFirst,
  ratio,
}: {
  creators: readonly Creator[];
  renderFollow: (creator: Creator) => ReactNode;
  isFirst: boolean;
  ratio?: string | undefined;
}) {
  return (
    <ul className="grid gap-x-6 gap-y-9 md:grid-cols-2 md:gap-y-10 lg:grid-cols-12 lg:gap-y-14">
      {creators.map((creator, index) => {
        const isWide = isWideTile(index, creators.length);
        return (
          <li key={creator.id} className={cx('min-w-0', GALLERY_HEIGHT, isWide ? 'lg:col-span-6' : 'lg:col-span-3')}>
            <CreatorProfileCard
              creator={creator}
              end={renderFollow(creator)}
              sizes={isWide ? WIDE : NARROW}
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
            href={toProfileHref(creator)}
            picture={
              (!creator.avatarUrl && toCoverProps(creator, '160px', { ratio: '3 / 4' })) || {
                src: creator.avatarUrl,
                alt: '',
                ratio: '3 / 4',
                focus: '50% 30%',
              }
            }
            label={{
              title: creator.name.split(' ')[0] ?? creator.name,
              detail:
                creator.callRate === null
                  ? isolateText(creator.craft) || `@${creator.username}`
                  : formatRate(creator.callRate),
              stacked: true,
            }}
          />
        </li>
      ))}
    </ul>
  );
}

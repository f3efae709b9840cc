import type { Post } from '@stagedoor/contract/content/posts.ts';
import { postPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { toPictureProps } from '../../../platform/pictures.ts';
import { MediaCard } from '../../../ui/card.tsx';
import { isWideTile } from '../../../ui/gallery-layout.ts';
import { describeMedia, findKindBadge, findLeadPicture, OwnedLabel } from './post-card.tsx';
import * as texts from './texts.ts';
import { WaysIn } from './ways-in.tsx';

function describeWork(post: Post): string {
  const isPlayed = post.type === 'video' || post.type === 'audio';
  const name = post.title && `“${isolateText(post.title)}”`;
  return [name, (isPlayed || !name) && describeMedia(post)].filter(Boolean).join(' · ');
}

export function WorkCard({ post, sizes, isPriority = false }: { post: Post; sizes: string; isPriority?: boolean }) {
  const lead = findLeadPicture(post);
  return (
    <MediaCard
      href={postPath(post.id)}
      picture={lead ? toPictureProps(lead, sizes, { priority: isPriority }) : { alt: '' }}
      seal={post.isUnlocked ? undefined : { icon: 'lock', text: <WaysIn post={post} isShort /> }}
      kind={findKindBadge(post)}
      label={{
        title: post.author.name,
        detail: describeWork(post),
        price: post.isPurchased ? (
          <OwnedLabel post={post} />
        ) : post.price === 0 ? (
          texts.freeLabel
        ) : (
          formatUsd(post.price)
        ),
      }}
    />
  );
}

const WIDE = '(min-width: 60rem) 50vw, 100vw';
const NARROW = '(min-width: 60rem) 25vw, 50vw';

export function WorksGallery({ works, isFirst = false }: { works: readonly Post[]; isFirst?: boolean }) {
  return (
    <ul className="hang">
      {works.map((post, index) => {
        const isWide = isWideTile(index, works.length);
        return (
          <li key={post.id} className={isWide ? 'hang__wide' : undefined}>
            <WorkCard post={post} sizes={isWide ? WIDE : NARROW} isPriority={isFirst && index === 0} />
          </li>
        );
      })}
    </ul>
  );
}

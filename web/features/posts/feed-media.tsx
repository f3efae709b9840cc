import { postPath } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { PostMedia } from '@stagedoor/contract/pictures.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import type { ReactNode } from 'react';
import { pictureProps } from '../../kernel/pictures.ts';
import { UiLink } from '../../ui/link.tsx';
import { Hung, Kind, Picture, Seal } from '../../ui/picture.tsx';
import { describeMedia, leadPicture, ownRatio } from './post-card.tsx';

const COLUMN = '(min-width: 43.75rem) 640px, 100vw';
const THIRD = '(min-width: 43.75rem) 208px, 33vw';
const THUMBS = 3;
function Rest({ post }: { post: Post }) {
  const rest = post.media.slice(1).flatMap((item) => (item.isLocked ? [] : [item]));
  if (rest.length === 0) return null;
  const more = rest.length - THUMBS;
  return (
    <span className="mt-2 grid grid-cols-3 gap-2">
      {rest.slice(0, THUMBS).map((item, index) => (
        <Picture key={item.id} {...pictureProps(item.picture, THIRD, { ratio: '1' })}>
          {index === THUMBS - 1 && more > 0 && <Seal>+{more}</Seal>}
          {item.kind === 'video' && <Kind icon="play" label="Video" />}
        </Picture>
      ))}
    </span>
  );
}

export type FeedMediaProps = {
  post: Post;
  /** Renders the player, provided by the page because it belongs to another module. `sizes` is the HTML attribute. */
  play: (item: PostMedia, look: { sizes: string; ratio: string; isPriority: boolean }) => ReactNode;
  isPriority?: boolean;
};

function playable(post: Post): PostMedia | undefined {
  const [first] = post.media;
  if (!first || first.kind === 'picture') return undefined;
  return first.isLocked && !first.teaser ? undefined : first;
}

export function FeedMedia({ post, play, isPriority = false }: FeedMediaProps) {
  const lead = leadPicture(post);
  const name = `${post.title || 'Post'}, ${describeMedia(post)}${post.isUnlocked ? '' : `, locked, ${formatUsd(post.price)}`}`;
  const href = postPath(post.id);
  const played = playable(post);
  if (played && lead) {
    return (
      <div className="bleed relative md:mx-0">
        <div className="mat">
          <Hung ratio={ownRatio(lead)}>{play(played, { sizes: COLUMN, ratio: ownRatio(lead), isPriority })}</Hung>
        </div>
        {post.media.length > 1 && post.isUnlocked && (
          <UiLink href={href} className="block" aria-label={name}>
            <Rest post={post} />
          </UiLink>
        )}
      </div>
    );
  }
  return (
    <UiLink href={href} className="bleed block md:mx-0" aria-label={name}>
      <span className="mat">
        <Picture
          {...(lead ? pictureProps(lead, COLUMN, { priority: isPriority }) : { alt: '', ratio: '4 / 5' })}
          className="hung"
        >
          {!post.isUnlocked && <Seal icon="lock">{formatUsd(post.price)}</Seal>}
          {post.type === 'video' && <Kind icon="play" label="Video" />}
        </Picture>
      </span>
      <Rest post={post} />
    </UiLink>
  );
}

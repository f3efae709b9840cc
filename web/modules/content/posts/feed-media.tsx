import type { PostMedia } from '@stagedoor/contract/content/pictures.ts';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { postPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { ReactNode } from 'react';
import { toPictureProps } from '../../../platform/pictures.ts';
import { UiLink } from '../../../ui/link.tsx';
import { MediaKindIcon, Picture, PictureBadge, PictureFrame } from '../../../ui/picture.tsx';
import { describeMedia, findLeadPicture, toPictureRatio } from './post-card.tsx';
import * as texts from './texts.ts';
import { formatWaysIn, WaysIn } from './ways-in.tsx';

const COLUMN = '(min-width: 43.75rem) 640px, 100vw';
const THIRD = '(min-width: 43.75rem) 208px, 33vw';
const THUMBS = 3;
function MoreMedia({ post }: { post: Post }) {
  const others = post.media.slice(1).flatMap((item) => (item.isLocked ? [] : [item]));
  if (others.length === 0) return null;
  const hiddenCount = others.length - THUMBS;
  return (
    <span className="mt-2 grid grid-cols-3 gap-2">
      {others.slice(0, THUMBS).map((item, index) => (
        <Picture key={item.id} {...toPictureProps(item.picture, THIRD, { ratio: '1' })}>
          {index === THUMBS - 1 && hiddenCount > 0 && <PictureBadge>+{hiddenCount}</PictureBadge>}
          {item.kind === 'video' && <MediaKindIcon icon="play" label={texts.video} />}
        </Picture>
      ))}
    </span>
  );
}

export type FeedMediaProps = {
  post: Post;
  /** Renders the player, provided by the page because it belongs to another module. `sizes` is the HTML attribute. */
  renderPlayer: (item: PostMedia, options: { sizes: string; ratio: string; isPriority: boolean }) => ReactNode;
  isPriority?: boolean;
};

function findPlayable(post: Post): PostMedia | undefined {
  const [first] = post.media;
  if (!first || first.kind === 'picture') return undefined;
  return first.isLocked && !first.teaser ? undefined : first;
}

export function FeedMedia({ post, renderPlayer, isPriority = false }: FeedMediaProps) {
  const lead = findLeadPicture(post);
  const name = `${post.title || texts.post}, ${describeMedia(post)}${post.isUnlocked ? '' : formatText(texts.lockedPriceState, { price: formatWaysIn(post) })}`;
  const href = postPath(post.id);
  const playableMedia = findPlayable(post);
  if (playableMedia && lead) {
    return (
      <div className="bleed relative md:mx-0">
        <div className="mat">
          <PictureFrame ratio={toPictureRatio(lead)}>
            {renderPlayer(playableMedia, { sizes: COLUMN, ratio: toPictureRatio(lead), isPriority })}
          </PictureFrame>
        </div>
        {post.media.length > 1 && post.isUnlocked && (
          <UiLink href={href} className="block" aria-label={name}>
            <MoreMedia post={post} />
          </UiLink>
        )}
      </div>
    );
  }
  return (
    <UiLink href={href} className="bleed block md:mx-0" aria-label={name}>
      <span className="mat">
        <Picture
          {...(lead ? toPictureProps(lead, COLUMN, { priority: isPriority }) : { alt: '', ratio: '4 / 5' })}
          className="hung"
        >
          {!post.isUnlocked && (
            <PictureBadge icon="lock">
              <WaysIn post={post} />
            </PictureBadge>
          )}
          {post.type === 'video' && <MediaKindIcon icon="play" label={texts.video} />}
        </Picture>
      </span>
      <MoreMedia post={post} />
    </UiLink>
  );
}

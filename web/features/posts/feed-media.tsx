/** A post's pictures in the feed: one large, or a set as a large one over a row of three; locked, its light and its price. */
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Picture as PictureView } from '@stagedoor/contract/pictures.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import { pictureProps } from '../../kernel/pictures.ts';
import { UiLink } from '../../ui/link.tsx';
import { Kind, Picture, Seal } from '../../ui/picture.tsx';
import { describeMedia, leadPicture } from './post-card.tsx';

const COLUMN = '(min-width: 700px) 640px, 100vw';
const THIRD = '(min-width: 700px) 208px, 33vw';
const THUMBS = 3;
/** Nothing in the column is taller than this or flatter than that. */
const TALLEST = 4 / 5;
const FLATTEST = 16 / 9;

function ratioOf({ width, height }: PictureView): string {
  return String(Math.min(FLATTEST, Math.max(TALLEST, width / height)));
}

function Rest({ post }: { post: Post }) {
  const rest = post.media.slice(1).flatMap((item) => (item.isLocked ? [] : [item]));
  if (rest.length === 0) return null;
  const more = rest.length - THUMBS;
  return (
    <span className="mt-2 grid grid-cols-3 gap-2">
      {rest.slice(0, THUMBS).map((item, index) => (
        <Picture key={item.id} {...pictureProps(item.picture, THIRD, { ratio: '1' })}>
          {index === THUMBS - 1 && more > 0 && <Seal>+{more}</Seal>}
        </Picture>
      ))}
    </span>
  );
}

export function FeedMedia({ post, isPriority = false }: { post: Post; isPriority?: boolean }) {
  const lead = leadPicture(post);
  const name = `${post.title || 'A post'}, ${describeMedia(post)}${post.isUnlocked ? '' : `, locked, ${formatUsd(post.price)}`}`;
  return (
    <UiLink href={`/post/${post.id}`} className="bleed block md:mx-0" aria-label={name}>
      <Picture
        {...(lead
          ? pictureProps(lead, COLUMN, { ratio: ratioOf(lead), priority: isPriority })
          : { alt: '', ratio: '4 / 5' })}
      >
        {!post.isUnlocked && <Seal icon="lock">{formatUsd(post.price)}</Seal>}
        {post.type === 'video' && <Kind icon="play" label="Video" />}
      </Picture>
      <Rest post={post} />
    </UiLink>
  );
}

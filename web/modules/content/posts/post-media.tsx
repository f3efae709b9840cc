import type { PostMedia as Item } from '@stagedoor/contract/content/pictures.ts';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { ReactNode } from 'react';
import { toPictureProps } from '../../../platform/pictures.ts';
import { cx } from '../../../ui/class-names.ts';
import { Picture, PictureBadge, PictureFrame } from '../../../ui/picture.tsx';
import { describeMedia, toPictureRatio } from './post-card.tsx';
import * as texts from './texts.ts';
import { WaysIn } from './ways-in.tsx';

const LARGE_SIZES = '(min-width: 60rem) calc(100vw - 512px), 100vw';

/** On large screens the text is next to the media, so the media may fill the window. */
const DESKTOP_HEIGHT = 'lg:[--tallest:100svh]';
const FRAME_LAYOUT = 'grid content-start lg:h-full';
const toItemRatio = (item: Item) => toPictureRatio(item.isLocked ? item.preview : item.picture);

export type PostMediaListProps = {
  post: Post;
  /** Plays an open video or audio, or a locked item with a teaser. `sizes` is the HTML attribute. */
  renderPlayer: (item: Item, sizes: string, isPriority: boolean) => ReactNode;
  /** Opens the viewer at an item. Without it, pictures are not buttons. */
  onOpen?: ((item: Item) => void) | undefined;
};

function hasTeaser(item: Item | undefined): boolean {
  return item?.isLocked === true && item.teaser !== null;
}

function LockedMedia({ post, renderPlayer }: PostMediaListProps) {
  const teased = post.media.find(hasTeaser);
  if (teased)
    return (
      <div className={FRAME_LAYOUT}>
        <PictureFrame ratio={toItemRatio(teased)} className={DESKTOP_HEIGHT}>
          {renderPlayer(teased, LARGE_SIZES, true)}
        </PictureFrame>
      </div>
    );
  const [first] = post.media;
  if (!first?.isLocked) return null;
  return (
    <div className="grid lg:h-full lg:grid-rows-[100%]">
      <Picture
        {...toPictureProps(first.preview, LARGE_SIZES, {
          priority: true,
          alt: formatText(texts.blurredPostPreview, { postName: describeMedia(post) }),
        })}
        className="hung hung--full"
      >
        <PictureBadge icon="lock">
          <WaysIn post={post} />
        </PictureBadge>
      </Picture>
    </div>
  );
}

function UnlockedMedia({
  item,
  index,
  renderPlayer,
  onOpen,
}: { item: Item; index: number } & Omit<PostMediaListProps, 'post'>) {
  if (item.isLocked) return null;
  if (item.kind === 'audio') return renderPlayer(item, LARGE_SIZES, index === 0);
  if (item.kind === 'video')
    return (
      <PictureFrame ratio={toItemRatio(item)} className={DESKTOP_HEIGHT}>
        {renderPlayer(item, LARGE_SIZES, index === 0)}
      </PictureFrame>
    );
  const picture = (
    <Picture
      {...toPictureProps(item.picture, LARGE_SIZES, { priority: index === 0 })}
      className={cx('hung', DESKTOP_HEIGHT)}
    />
  );
  if (!onOpen) return picture;
  return (
    <button
      type="button"
      className="block w-full cursor-zoom-in focus-visible:-outline-offset-4"
      aria-label={formatText(texts.viewFullScreen, {
        description: item.picture.alt || formatText(texts.photoNumber, { number: index + 1 }),
      })}
      onClick={() => onOpen(item)}
    >
      {picture}
    </button>
  );
}

export function PostMediaList(props: PostMediaListProps) {
  const { post, ...slots } = props;
  const [first] = post.media;
  if (!first) return <Picture alt="" ratio="4 / 5" />;
  if (first.isLocked) return <LockedMedia {...props} />;
  return (
    <ul className="grid gap-2 lg:min-h-screen lg:content-start">
      {post.media.map((item, index) => (
        <li key={item.id} className="min-w-0">
          <UnlockedMedia item={item} index={index} {...slots} />
        </li>
      ))}
    </ul>
  );
}

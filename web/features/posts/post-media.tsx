import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { PostMedia as Item } from '@stagedoor/contract/pictures.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import type { ReactNode } from 'react';
import { pictureProps } from '../../kernel/pictures.ts';
import { cx } from '../../ui/class-names.ts';
import { Hung, Picture, Seal } from '../../ui/picture.tsx';
import { describeMedia, ownRatio } from './post-card.tsx';

const LARGE = '(min-width: 60rem) calc(100vw - 512px), 100vw';

/** On large screens the text is beside the media, so the media may fill the window. */
const ON_DESK = 'lg:[--tallest:100svh]';
const ROOM = 'grid content-start lg:h-full';
const ratioOf = (item: Item) => ownRatio(item.isLocked ? item.preview : item.picture);

export type PostMediaProps = {
  post: Post;
  /** Plays an open video or audio, or a locked item with a teaser. `sizes` is the HTML attribute. */
  play: (item: Item, sizes: string, isPriority: boolean) => ReactNode;
  /** Opens the viewer at an item. Without it, pictures are not buttons. */
  onOpen?: ((item: Item) => void) | undefined;
};

function isTasted(item: Item | undefined): boolean {
  return item?.isLocked === true && item.teaser !== null;
}

function Locked({ post, play }: PostMediaProps) {
  const tasted = post.media.find(isTasted);
  if (tasted)
    return (
      <div className={ROOM}>
        <Hung ratio={ratioOf(tasted)} className={ON_DESK}>
          {play(tasted, LARGE, true)}
        </Hung>
      </div>
    );
  const [first] = post.media;
  if (!first?.isLocked) return null;
  return (
    <div className="grid lg:h-full lg:grid-rows-[100%]">
      <Picture
        {...pictureProps(first.preview, LARGE, { priority: true, alt: `Blurred preview of ${describeMedia(post)}` })}
        className="hung hung--full"
      >
        <Seal icon="lock">{formatUsd(post.price)}</Seal>
      </Picture>
    </div>
  );
}

function Open({ item, index, play, onOpen }: { item: Item; index: number } & Omit<PostMediaProps, 'post'>) {
  if (item.isLocked) return null;
  if (item.kind === 'audio') return play(item, LARGE, index === 0);
  if (item.kind === 'video')
    return (
      <Hung ratio={ratioOf(item)} className={ON_DESK}>
        {play(item, LARGE, index === 0)}
      </Hung>
    );
  const picture = (
    <Picture {...pictureProps(item.picture, LARGE, { priority: index === 0 })} className={cx('hung', ON_DESK)} />
  );
  if (!onOpen) return picture;
  return (
    <button
      type="button"
      className="block w-full cursor-zoom-in focus-visible:-outline-offset-4"
      aria-label={`View ${item.picture.alt || `photo ${index + 1}`} full screen`}
      onClick={() => onOpen(item)}
    >
      {picture}
    </button>
  );
}

export function PostMedia(props: PostMediaProps) {
  const { post, ...slots } = props;
  const [first] = post.media;
  if (!first) return <Picture alt="" ratio="4 / 5" />;
  if (first.isLocked) return <Locked {...props} />;
  return (
    <ul className="grid gap-2 lg:min-h-screen lg:content-start">
      {post.media.map((item, index) => (
        <li key={item.id} className="min-w-0">
          <Open item={item} index={index} {...slots} />
        </li>
      ))}
    </ul>
  );
}

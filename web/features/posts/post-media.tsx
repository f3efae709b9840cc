/** A post's media, large: one alone, or a set in its order; locked ones show their light, what they are, and a taste where there is one. */
import type { PostMedia as Item } from '@stagedoor/contract/pictures.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import type { ReactNode } from 'react';
import { pictureProps } from '../../kernel/pictures.ts';
import { Picture, Seal } from '../../ui/picture.tsx';
import { describeMedia } from './post-card.tsx';

const LARGE = '(min-width: 960px) calc(100vw - 512px), 100vw';

/** Players belong to another room; the page hands them in. */
export type PostMediaProps = {
  post: Post;
  /** An open video or audio; a locked item with a teaser. `sizes` as in HTML. */
  play: (item: Item, sizes: string, isPriority: boolean) => ReactNode;
  /** Opens the viewer at that item. Without it, pictures are not buttons. */
  onOpen?: ((item: Item) => void) | undefined;
};

function isTasted(item: Item | undefined): boolean {
  return item?.isLocked === true && item.teaser !== null;
}

function Locked({ post, play }: PostMediaProps) {
  const tasted = post.media.find(isTasted);
  if (tasted)
    return (
      <div className="grid content-center bg-surface-1 lg:h-full">
        <div className="relative">{play(tasted, LARGE, true)}</div>
      </div>
    );
  const [first] = post.media;
  if (!first?.isLocked) return null;
  return (
    <Picture
      {...pictureProps(first.preview, LARGE, { priority: true, alt: `Blurred preview of ${describeMedia(post)}` })}
      ratio="auto"
      className="aspect-square lg:aspect-auto lg:h-full"
    >
      <Seal icon="lock">Preview only</Seal>
    </Picture>
  );
}

function Open({ item, index, play, onOpen }: { item: Item; index: number } & Omit<PostMediaProps, 'post'>) {
  if (item.isLocked) return null;
  // Nothing is taller than the window.
  const style = { maxWidth: `calc(100svh * ${item.picture.width / item.picture.height})` };
  if (item.kind === 'audio') return play(item, LARGE, index === 0);
  if (item.kind === 'video')
    return (
      <div className="mx-auto" style={style}>
        {play(item, LARGE, index === 0)}
      </div>
    );
  const picture = (
    <Picture {...pictureProps(item.picture, LARGE, { priority: index === 0 })} className="mx-auto" style={style} />
  );
  if (!onOpen) return picture;
  return (
    <button
      type="button"
      className="block w-full cursor-zoom-in focus-visible:-outline-offset-4"
      aria-label={`Enlarge ${item.picture.alt || `picture ${index + 1}`}`}
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
    <ul className="grid gap-2 lg:min-h-screen lg:content-center">
      {post.media.map((item, index) => (
        <li key={item.id} className="min-w-0">
          <Open item={item} index={index} {...slots} />
        </li>
      ))}
    </ul>
  );
}

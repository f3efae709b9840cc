/** A post's pictures, large: one alone, or a set in its order; locked ones show their light and what they are. */
import type { Post } from '@stagedoor/contract/posts.ts';
import { plural } from '../../kernel/dates.ts';
import { pictureProps } from '../../kernel/pictures.ts';
import { Picture, Seal } from '../../ui/picture.tsx';

const LARGE = '(min-width: 960px) calc(100vw - 512px), 100vw';

export function PostMedia({ post }: { post: Post }) {
  const [first] = post.media;
  if (!first) return <Picture alt="" ratio="4 / 5" />;
  if (first.isLocked) {
    return (
      <Picture
        {...pictureProps(first.preview, LARGE, {
          priority: true,
          alt: `Blurred preview of ${plural(post.mediaCount, 'photo')}`,
        })}
        ratio="auto"
        className="aspect-square lg:aspect-auto lg:h-full"
      >
        <Seal icon="lock">Preview only</Seal>
      </Picture>
    );
  }
  return (
    <ul className="grid gap-2 lg:min-h-screen lg:content-center">
      {post.media.map((item, index) => (
        <li key={item.id}>
          {!item.isLocked && (
            <Picture
              {...pictureProps(item.picture, LARGE, { priority: index === 0 })}
              className="mx-auto"
              style={{ maxWidth: `calc(100svh * ${item.picture.width / item.picture.height})` }}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

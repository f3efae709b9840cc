/** Whether somebody looks at what they paid for. */
import type { Post } from '@stagedoor/contract/posts.ts';

/** A paid post that stands open to whoever looks, and is not their own. */
export function isOpenedByPaying({ price, media, author }: Post, viewerId: string | undefined): boolean {
  return price > 0 && media.some(({ isLocked }) => !isLocked) && viewerId !== author.id;
}

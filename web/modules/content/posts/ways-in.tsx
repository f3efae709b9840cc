import type { Post } from '@stagedoor/contract/content/posts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { formatNodes } from '../../../ui/format-nodes.ts';
import * as texts from './texts.ts';

type Locked = Pick<Post, 'subscription' | 'price'>;

/** Both prices of a locked post: "With Kiln, or $18.00". */
export function formatWaysIn({ subscription, price }: Locked): string {
  if (!subscription) return formatUsd(price);
  return formatText(texts.withTierOrPrice, { tierName: isolateText(subscription.name), price: formatUsd(price) });
}

/** The same on a picture: a long name is cut, the price never. `isShort` is for cards. */
export function WaysIn({ post: { subscription, price }, isShort = false }: { post: Locked; isShort?: boolean }) {
  if (!subscription) return formatUsd(price);
  return (
    <span className="flex whitespace-pre">
      {formatNodes(isShort ? texts.tierOrPrice : texts.withTierOrPrice, {
        tierName: <bdi className="min-w-0 overflow-hidden text-ellipsis">{subscription.name}</bdi>,
        price: formatUsd(price),
      })}
    </span>
  );
}

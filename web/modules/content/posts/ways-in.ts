import type { Post } from '@stagedoor/contract/content/posts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText } from '../../../platform/bidi.ts';
import * as texts from './texts.ts';

/** Both prices of a locked post: "With Kiln, or $18.00". `isShort` is for cards. */
export function formatWaysIn({ subscription, price }: Pick<Post, 'subscription' | 'price'>, isShort = false): string {
  if (!subscription) return formatUsd(price);
  return formatText(isShort ? texts.tierOrPrice : texts.withTierOrPrice, {
    tierName: isolateText(subscription.name),
    price: formatUsd(price),
  });
}

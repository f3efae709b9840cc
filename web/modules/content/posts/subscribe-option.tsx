/** The second way into a locked post: the cheapest tier that opens it. */
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { subscribePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { useViewer } from '../../../platform/session.ts';
import { PriceButton } from '../../../ui/button.tsx';
import * as texts from './texts.ts';

type Subscription = NonNullable<Post['subscription']>;
const PERIOD_PRICES = { weekly: texts.pricePerWeek, monthaly: texts.pricePerMonth, yearly: texts.pricePerYear };

function formatTierPrice({ price, recurrence }: Subscription): string {
  return price > 0 ? formatText(PERIOD_PRICES[recurrence], { price: formatUsd(price) }) : texts.freeLabel;
}

export function SubscribeOption({ post }: { post: Pick<Post, 'subscription' | 'isUnlocked' | 'author'> }) {
  const viewer = useViewer();
  const { subscription, isUnlocked, author } = post;
  if (isUnlocked || !subscription || (viewer && viewer.type !== 'customer')) return null;
  const tierName = isolateText(subscription.name);
  return (
    <div className="grid gap-2">
      <PriceButton
        variant="ink"
        split
        size="lg"
        wide
        verb={formatText(texts.subscribeToTier, { tierName })}
        price={formatTierPrice(subscription)}
        href={subscribePath(author.username)}
      />
      <p className="text-small text-muted">{formatText(texts.waysInHint, { tierName })}</p>
    </div>
  );
}

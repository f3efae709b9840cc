import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatUnderstoodUsd } from '@stagedoor/contract/shared/money-input.ts';
import { Suspense, useId } from 'react';
import { lazyPart } from '../../../../platform/lazy-part.ts';
import { usePriceLimit } from '../../../../platform/price-limits.ts';
import { Switch } from '../../../../ui/choice.tsx';
import { useChatContext } from '../chat-parts.ts';
import * as texts from '../texts.ts';
import { parseMediaPrice } from './price.ts';

const SellingBlockedNotice = lazyPart(async () => (await import('./selling-blocked-notice.tsx')).SellingBlockedNotice);

export function PriceAndViewOnce({
  price,
  isViewOnce,
  onPrice,
  onViewOnce,
}: {
  price: string;
  isViewOnce: boolean;
  onPrice: (price: string) => void;
  onViewOnce: (isViewOnce: boolean) => void;
}) {
  const id = useId();
  const { CreatorShare } = useChatContext();
  const { min, max } = usePriceLimit('chatMedia');
  const { usd, error: priceError } = parseMediaPrice(price, { min, max });
  const rule = formatText(texts.messagePriceRange, { min: formatUsd(min), max: formatUsd(max) });
  return (
    <div className="write__terms">
      <span className="inline-flex items-center gap-2">
        <label htmlFor={id} className="text-note font-semibold">
          {texts.priceField}
        </label>
        <input
          id={id}
          className="input w-24"
          inputMode="decimal"
          autoComplete="off"
          placeholder={texts.free}
          value={price}
          aria-invalid={priceError ? true : undefined}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onPrice(event.currentTarget.value)}
        />
      </span>
      <Switch
        label={texts.viewOnce}
        checked={isViewOnce}
        onChange={(event) => onViewOnce(event.currentTarget.checked)}
      />
      <span id={`${id}-hint`} className={priceError ? 'w-full text-small text-danger' : 'w-full text-small text-muted'}>
        {!priceError && formatUnderstoodUsd(price) && `${formatUnderstoodUsd(price)}. `}
        {priceError ?? (usd > 0 ? <CreatorShare price={usd} /> : rule)}
      </span>
      <Suspense>
        <SellingBlockedNotice feature={texts.paidMessages} />
      </Suspense>
    </div>
  );
}

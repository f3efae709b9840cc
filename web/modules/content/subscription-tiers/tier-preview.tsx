/** A tier as fans see it on the profile. It shows valid parts of a draft, too, and has nothing to press. */
import { listBillingOptions, type TierBody } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatCount } from '../../../platform/dates.ts';
import { Icon } from '../../../ui/icon.tsx';
import { findMainOption, formatOption, RECURRENCE_UNITS } from './labels.ts';
import * as texts from './texts.ts';

export type PreviewedTier = Pick<TierBody, 'name' | 'benefits' | 'prices' | 'bundles' | 'trialDays' | 'isOpen'> & {
  /** What a new tier opens is not known before it is saved. */
  counts: { postCount: number; mediaCount: number } | undefined;
  /** The tier below, all of which is included. */
  includedName: string | undefined;
};

function PriceLine({ tier }: { tier: PreviewedTier }) {
  const main = findMainOption(tier);
  const others = listBillingOptions(tier).filter(
    ({ recurrence, count }) => recurrence !== main?.recurrence || count > 1,
  );
  return (
    <>
      <p className="num pt-1">
        <span className="display d3">{main ? formatUsd(main.price) : texts.free}</span>
        {main && <span className="text-muted"> / {RECURRENCE_UNITS[main.recurrence]}</span>}
      </p>
      {main && tier.trialDays !== null && (
        <p className="num pt-1 text-small">
          {formatText(texts.tryFree, { days: tier.trialDays, price: formatOption(main) })}
        </p>
      )}
      {others.length > 0 && <p className="num pt-1 text-small text-muted">{others.map(formatOption).join(' · ')}</p>}
    </>
  );
}

export function TierPreview({ tier }: { tier: PreviewedTier }) {
  const { name, benefits, counts, includedName, isOpen } = tier;
  const lines = [
    ...(includedName === undefined ? [] : [formatText(texts.everythingIn, { name: includedName })]),
    ...benefits.filter((text) => text.trim() !== ''),
  ];
  return (
    <article className="border border-line p-5">
      <h3 className="display d4 wrap-anywhere">
        <bdi>{name.trim() || texts.namePlaceholder}</bdi>
      </h3>
      <PriceLine tier={tier} />
      {lines.length > 0 && (
        <ul className="mt-4 grid gap-2 border-t border-line pt-4">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines can be equal while they are typed
            <li key={index} className="flex gap-3 wrap-anywhere">
              <Icon name="check" size={18} className="mt-0.75 flex-none" />
              <bdi className="min-w-0">{line}</bdi>
            </li>
          ))}
        </ul>
      )}
      {counts && (
        <p className="num pt-4 text-small text-muted">
          {formatText(texts.postsIncluded, {
            posts: formatCount(counts.postCount, 'post'),
            media: formatCount(counts.mediaCount, 'file'),
          })}
        </p>
      )}
      {!isOpen && <p className="pt-2 text-small text-muted">{texts.closed}</p>}
    </article>
  );
}

import type {
  listCreatorTiers,
  SubscriptionTier,
  ViewedOffer,
} from '@stagedoor/contract/content/subscription-tiers.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import type { CSSProperties, ReactNode } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { cx } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import {
  findBestSaving,
  findDiscount,
  findOption,
  findSaving,
  formatDiscount,
  formatIncluded,
  formatPeriodUnit,
  formatTrialName,
  hasOwnContent,
  type PeriodKey,
} from './billing.ts';
import { ChoiceLink, type ChoiceProps } from './choice-link.tsx';
import { choosePlanHref, isFull } from './plan-choice.ts';
import * as texts from './texts.ts';

/** The price of a tier for a period. A discounted one has the full price next to it. */
function TierPrice({
  tier,
  period,
  offer,
  isNarrow,
}: {
  tier: SubscriptionTier;
  period: PeriodKey | undefined;
  offer: ViewedOffer | null;
  isNarrow: boolean;
}) {
  const option = findOption(tier, period);
  const discount = findDiscount(offer, tier.id, option);
  return (
    <>
      <b
        className={cx(
          'text-lead font-[640] lg:font-display lg:tracking-[-0.035em]',
          isNarrow ? 'lg:text-[2rem] lg:leading-9' : 'lg:text-[2.5rem] lg:leading-11',
        )}
      >
        {option ? formatUsd(discount?.price ?? option.price) : texts.free}
      </b>
      {option && discount && (
        <>
          <s aria-hidden="true" className="pl-1.5 text-small font-normal text-muted">
            {formatUsd(option.price)}
          </s>
          <span className="sr-only"> {formatText(texts.oldPrice, { price: formatUsd(option.price) })} </span>
        </>
      )}
      {option && <small className="text-small text-muted lg:pl-1">{formatPeriodUnit(option)}</small>}
    </>
  );
}

/** Undefined without a discount. */
function formatTierDiscount(
  tier: SubscriptionTier,
  period: PeriodKey | undefined,
  offer: ViewedOffer | null,
): string | undefined {
  const option = findOption(tier, period);
  const discount = findDiscount(offer, tier.id, option);
  if (!option || !discount) return undefined;
  return formatText(texts.thenFullPrice, {
    discount: formatDiscount(discount),
    price: formatUsd(option.price),
    unit: formatPeriodUnit(option),
  });
}

function formatSaving(tier: SubscriptionTier, period: PeriodKey | undefined): string | undefined {
  const option = findOption(tier, period);
  if (!option) return undefined;
  const own = findSaving(option, tier.options);
  if (own) return formatText(texts.savedPerMonth, { perMonth: formatUsd(own.perMonth), saved: formatUsd(own.amount) });
  const best = findBestSaving(tier.options);
  if (!best || option.recurrence !== 'monthaly') return undefined;
  return formatText(texts.cheaperPeriod, {
    price: formatUsd(best.option.price),
    unit: formatPeriodUnit(best.option),
    saved: formatUsd(best.saving.amount),
  });
}

/** At most this many free slots are counted down. */
const FEW_SLOTS = 100;

function TierBadge({ tier, canHaveTrial }: { tier: SubscriptionTier; canHaveTrial: boolean }) {
  const { slotsLeft, trialDays } = tier;
  if (isFull(tier)) return <span className="text-small text-muted">{texts.full}</span>;
  return (
    <>
      {trialDays !== null && canHaveTrial && (
        <span className="num text-small font-semibold">{formatTrialName(trialDays)}</span>
      )}
      {slotsLeft !== null && slotsLeft <= FEW_SLOTS && (
        <span className="num text-small text-muted">
          {slotsLeft === 1 ? texts.oneSlotLeft : formatText(texts.slotsLeft, { count: slotsLeft })}
        </span>
      )}
    </>
  );
}

type FreeCounts = ResponseOf<typeof listCreatorTiers>['free'];

function Benefits({ tier, lower, free }: Pick<TierItemProps, 'tier' | 'lower' | 'free'>) {
  const lines = [
    ...(hasOwnContent(tier, free) ? [formatIncluded(tier)] : []),
    ...(lower ? [formatText(texts.everythingIn, { tierName: isolateText(lower.name) })] : []),
    ...tier.benefits.map(isolateText),
  ];
  return lines.map((line) => (
    <li key={line} className="grid grid-cols-[16px_minmax(0,1fr)] gap-2.5">
      <Icon name="check" size={16} className="mt-0.5" />
      <span className="wrap-anywhere">{line}</span>
    </li>
  ));
}

type TierItemProps = ChoiceProps & {
  tier: SubscriptionTier;
  lower: SubscriptionTier | undefined;
  free: FreeCounts;
  canHaveTrial: boolean;
  action: ReactNode;
};

function TierItem({
  creator,
  tiers,
  tier,
  lower,
  free,
  chosen,
  period,
  offer,
  canHaveTrial,
  onChoose,
  action,
}: TierItemProps) {
  const isChosen = tier.id === chosen.id;
  const choice = { tierId: tier.id, period };
  const saving = formatTierDiscount(tier, period, offer) ?? formatSaving(tier, period);
  return (
    <li
      className={cx(
        'relative grid grid-cols-[22px_minmax(0,1fr)_auto] content-start items-start gap-x-3.5 py-3.5 lg:grid-cols-[minmax(0,1fr)_22px] lg:pt-4 lg:pb-0',
        isChosen ? 'border-t-2 border-ink' : 'border-t border-line lg:border-line-strong lg:pt-[17px]',
      )}
    >
      <span
        aria-hidden="true"
        className={cx(
          'mt-0.5 size-[22px] rounded-full lg:col-start-2 lg:row-start-1',
          isChosen ? 'border-[7px] border-ink' : 'border-[1.5px] border-line-strong',
        )}
      />
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 lg:col-start-1 lg:row-start-1">
        <h3 className={cx('display d4 min-w-0 wrap-anywhere', !isChosen && 'text-muted')}>
          <ChoiceLink
            choice={choice}
            href={choosePlanHref(profilePath(creator.username), choice, offer?.code)}
            isCurrent={isChosen}
            onChoose={onChoose}
            className="after:absolute after:inset-0 after:min-h-11"
          >
            <bdi>{tier.name}</bdi>
          </ChoiceLink>
        </h3>
        <TierBadge tier={tier} canHaveTrial={canHaveTrial} />
      </div>
      <p className={cx('num text-right lg:col-span-full lg:pt-2 lg:text-left', !isChosen && 'text-muted')}>
        <TierPrice tier={tier} period={period} offer={offer} isNarrow={hasNarrowColumns(tiers)} />
      </p>
      {saving && <p className="num col-start-2 col-end-[-1] text-small text-muted lg:col-span-full">{saving}</p>}
      <ul
        className={cx(
          'col-start-2 col-end-[-1] gap-1.5 pt-2 text-note empty:hidden lg:col-span-full lg:grid lg:pt-3.5',
          isChosen ? 'grid' : 'hidden',
        )}
      >
        <Benefits tier={tier} lower={lower} free={free} />
      </ul>
      {action && <div className="relative z-[1] col-span-full empty:hidden lg:pt-4.5">{action}</div>}
    </li>
  );
}

/** More tiers than three are side by side only in wide windows, where each has little space. */
export const hasNarrowColumns = (tiers: readonly SubscriptionTier[]) => tiers.length > 3;

type GridStyle = CSSProperties & { '--tiers': number };

export function OpenTiers(props: ChoiceProps & { free: FreeCounts; canHaveTrial: boolean; action: ReactNode }) {
  const { tiers, chosen, action } = props;
  const style: GridStyle = { '--tiers': Math.max(tiers.length, 2) };
  return (
    <ul
      aria-label={texts.tiers}
      style={style}
      className={cx(
        'grid border-b border-line lg:gap-x-6 lg:border-b-0',
        hasNarrowColumns(tiers)
          ? 'lg:grid-cols-3 lg:gap-y-8 xl:grid-cols-[repeat(var(--tiers),minmax(0,1fr))]'
          : 'lg:grid-cols-[repeat(var(--tiers),minmax(0,1fr))]',
      )}
    >
      {tiers.map((tier, index) => (
        <TierItem
          {...props}
          key={tier.id}
          tier={tier}
          lower={tiers[index - 1]}
          action={tier.id === chosen.id ? action : undefined}
        />
      ))}
    </ul>
  );
}

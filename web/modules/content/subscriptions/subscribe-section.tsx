/**
 * The tiers of a creator with one primary action under the chosen one. Tier and period are links to this page, which work
 * without script; a hydrated page changes its state instead.
 */

import type {
  listCreatorTiers,
  SubscriptionTier,
  ViewedOffer,
} from '@stagedoor/contract/content/subscription-tiers.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type CSSProperties, type MouseEvent, type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { isolateText } from '../../../platform/bidi.ts';
import { useViewer } from '../../../platform/session.ts';
import { cx } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import {
  findBestSaving,
  findOption,
  findSaving,
  formatIncluded,
  formatPeriodName,
  formatPeriodUnit,
  formatTrialName,
  hasOwnContent,
  listPeriods,
  type PeriodKey,
  toPeriodKey,
} from './billing.ts';
import { creatorTiersQuery, type SubscribeCreator } from './creator-tiers.ts';
import { GiftMenu } from './gift-menu.tsx';
import { formatTierDiscount, OfferNote, TierPrice } from './offer-note.tsx';
import {
  choosePlanHref,
  isDialogRequested,
  isFull,
  type PlanChoice,
  type RequestedPlan,
  readOfferCode,
  readPlanChoice,
  resolvePlanChoice,
  SUBSCRIBE_ID,
} from './plan-choice.ts';
import { SubscribeAction } from './subscribe-action.tsx';
import { SubscribedNote } from './subscribed-note.tsx';
import * as texts from './texts.ts';
import { useLiveSubscriptions } from './use-live-subscriptions.ts';

function ChoiceLink({
  choice,
  href,
  isCurrent,
  onChoose,
  className,
  children,
}: {
  choice: PlanChoice;
  href: string;
  isCurrent: boolean;
  onChoose: (choice: PlanChoice) => void;
  className: string;
  children: ReactNode;
}) {
  const choose = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onChoose(choice);
  };
  return (
    <a href={href} className={className} aria-current={isCurrent ? 'true' : undefined} onClick={choose}>
      {children}
    </a>
  );
}

type ChoiceProps = {
  creator: SubscribeCreator;
  tiers: readonly SubscriptionTier[];
  chosen: SubscriptionTier;
  period: PeriodKey | undefined;
  offer: ViewedOffer | null;
  onChoose: (choice: PlanChoice) => void;
};

/** So many periods wrap to rows of two or three on a phone. */
const BASIS: Readonly<Record<number, string>> = { 4: 'basis-[40%]', 5: 'basis-[30%]', 6: 'basis-[30%]' };

function Periods({ creator, tiers, chosen, period, offer, onChoose }: ChoiceProps) {
  const periods = listPeriods(tiers);
  if (periods.length < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex container in all supported browsers
    <div
      role="group"
      aria-label={texts.billingPeriod}
      className="flex flex-wrap gap-px overflow-hidden rounded-1 border border-line-strong bg-line-strong lg:flex-nowrap"
    >
      {periods.map((each) => {
        const key = toPeriodKey(each);
        const own = chosen.options.find((option) => toPeriodKey(option) === key);
        const offering = own
          ? chosen
          : tiers.find(({ options }) => options.some((option) => toPeriodKey(option) === key));
        const saving = own && findSaving(own, chosen.options);
        const isCurrent = key === period;
        const choice = { tierId: (offering ?? chosen).id, period: key };
        return (
          <ChoiceLink
            key={key}
            choice={choice}
            href={choosePlanHref(profilePath(creator.username), choice, offer?.code)}
            isCurrent={isCurrent}
            onChoose={onChoose}
            className={cx(
              'flex min-h-12 flex-1 items-center justify-center px-1 py-1 text-center text-note font-semibold lg:basis-auto lg:px-5',
              BASIS[periods.length],
              'focus-visible:-outline-offset-4',
              isCurrent ? 'bg-ink text-surface-0 focus-visible:outline-surface-0' : 'bg-surface-0 hover:bg-surface-1',
            )}
          >
            <span className="num flex flex-wrap justify-center gap-x-1 whitespace-normal lg:flex-nowrap lg:gap-x-1.5 lg:whitespace-nowrap">
              {formatPeriodName(each)}
              {saving && (
                <span className={cx('font-medium', !isCurrent && 'text-muted')}>
                  {formatText(texts.percentSaved, { percent: saving.percent })}
                </span>
              )}
            </span>
          </ChoiceLink>
        );
      })}
    </div>
  );
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

function TierBadge({ tier, canTry }: { tier: SubscriptionTier; canTry: boolean }) {
  const { slotsLeft, trialDays } = tier;
  if (isFull(tier)) return <span className="text-small text-muted">{texts.full}</span>;
  return (
    <>
      {trialDays !== null && canTry && (
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
  canTry: boolean;
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
  canTry,
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
        <TierBadge tier={tier} canTry={canTry} />
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
const hasNarrowColumns = (tiers: readonly SubscriptionTier[]) => tiers.length > 3;

type GridStyle = CSSProperties & { '--tiers': number };

function TierList(props: ChoiceProps & { free: FreeCounts; canTry: boolean; action: ReactNode }) {
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

function TierChoice({
  creator,
  data,
  tiers,
  title,
  now,
  onCode,
}: {
  creator: SubscribeCreator;
  data: ResponseOf<typeof listCreatorTiers>;
  tiers: readonly SubscriptionTier[];
  title: string;
  now: string;
  onCode: (code: string | undefined) => void;
}) {
  const viewer = useViewer();
  const [search] = useSearchParams();
  const [choice, setChoice] = useState<RequestedPlan>(() => readPlanChoice(search));
  const resolved = resolvePlanChoice(tiers, choice);
  if (!resolved) return null;
  const { tier: chosen, period } = resolved;
  const { offer } = data;
  const props = { creator, tiers, chosen, period, offer, onChoose: setChoice };
  const action =
    viewer && viewer.type !== 'customer' ? undefined : (
      <SubscribeAction
        creator={creator}
        tier={chosen}
        period={period}
        canTry={data.canTry}
        offer={offer}
        onCode={onCode}
        now={now}
        hasShortLabel={hasNarrowColumns(tiers)}
      />
    );
  return (
    <>
      <div className="grid gap-3 pb-4 lg:flex lg:items-center lg:justify-between lg:pb-5">
        <div className="flex items-center justify-between gap-2">
          <h2 className="display d3">{title}</h2>
          {!data.subscription && <GiftMenu creator={creator} tiers={tiers} />}
        </div>
        <Periods {...props} />
      </div>
      <OfferNote offer={offer} refusal={data.offerRefusal} creatorName={creator.name} now={now} />
      <TierList {...props} free={data.free} canTry={data.canTry} action={action} />
      {viewer && viewer.type !== 'customer' && (
        <p className="pt-3 text-small text-muted">
          {viewer.id === creator.id ? texts.ownTiersNote : texts.onlyFansNote}
        </p>
      )}
    </>
  );
}

/** Nothing for creators without open tiers, unless the viewer subscribes to one of them. */
export function SubscribeSection({ creator, now }: { creator: SubscribeCreator; now: string }) {
  useLiveSubscriptions();
  const [search] = useSearchParams();
  const addressCode = readOfferCode(search);
  const [lastAddressCode, setLastAddressCode] = useState(addressCode);
  const [code, setCode] = useState(addressCode);
  // The code stays when the address loses it, for example on another tab of the profile.
  if (addressCode !== lastAddressCode) {
    setLastAddressCode(addressCode);
    if (addressCode !== undefined) setCode(addressCode);
  }
  // Otherwise the dialog would close while the prices change.
  const { data } = useQuery({ ...creatorTiersQuery(creator.id, code), placeholderData: keepPreviousData });
  // A fan returns from a deposit to the dialog of the tier that they want to change to.
  const [changedId, setChangedId] = useState(() => (isDialogRequested(search) ? data?.subscription?.id : undefined));
  if (!data) return null;
  const { subscription } = data;
  const tiers = data.tiers.filter(({ id, isOpen }) => isOpen && id !== subscription?.tierId);
  if (tiers.length === 0 && !subscription) return null;
  const canChange = tiers.length > 0 && subscription !== null && !subscription.isGift;
  const isChanging = canChange && changedId === subscription.id;
  return (
    <section id={SUBSCRIBE_ID} aria-label={texts.subscribe} className="scroll-mt-20 px-edge pt-5 lg:pt-7 lg:pb-3">
      {subscription && (
        <SubscribedNote
          subscription={subscription}
          tiers={data.tiers}
          now={now}
          menu={<GiftMenu creator={creator} tiers={data.tiers} />}
          {...(canChange && { isChanging, onChange: () => setChangedId(isChanging ? undefined : subscription.id) })}
        />
      )}
      {(!subscription || isChanging) && (
        <div className={isChanging ? 'pt-5' : undefined}>
          <TierChoice
            title={isChanging ? texts.changeTier : texts.subscribe}
            {...{ creator, data, tiers, now }}
            onCode={setCode}
          />
        </div>
      )}
    </section>
  );
}

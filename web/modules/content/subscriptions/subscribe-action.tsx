import { loginGatePath, profilePath, signupGatePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { type ReactNode, Suspense, startTransition, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { formatShortDay, toDayKey } from '../../../platform/dates.ts';
import { lazyPart } from '../../../platform/lazy-part.ts';
import { useViewer } from '../../../platform/session.ts';
import { Button, PriceButton } from '../../../ui/button.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { UiLink } from '../../../ui/link.tsx';
import { createChargePlan, findDiscount, findOption, formatInterval, formatPeriodUnit } from './billing.ts';
import type { ChosenPlan } from './creator-tiers.ts';
import { isDialogRequested, isFull, removeDialogRequest, resumeSubscribeHref } from './plan-choice.ts';
import * as texts from './texts.ts';

const SubscribeDialog = lazyPart(async () => (await import('./subscribe-dialog.tsx')).SubscribeDialog);

/** A longer name would not fit on the button next to the price. */
const NAME_ON_BUTTON = 12;

type SubscribeActionProps = ChosenPlan & {
  /** The button does not name the tier. */
  hasShortLabel: boolean;
  /** The fan has another tier of the creator. */
  isChange: boolean;
  /** Applies the code of an offer to the page, or removes it. */
  onCode: (code: string | undefined) => void;
};

function formatVerb({ tier, isChange, hasShortLabel }: SubscribeActionProps): string {
  if (hasShortLabel || tier.name.length > NAME_ON_BUTTON) return isChange ? texts.changeTier : texts.subscribe;
  return formatText(isChange ? texts.changeToTier : texts.subscribeToTier, { tierName: tier.name });
}

function formatAction(props: SubscribeActionProps): {
  verb: string;
  price: string;
  note: string;
} {
  const { tier, period, canHaveTrial, offer, now, isChange } = props;
  const option = findOption(tier, period);
  if (!option)
    return { verb: isChange ? formatVerb(props) : texts.subscribeForFree, price: formatUsd(0), note: texts.freeNote };
  const plan = createChargePlan(
    option,
    canHaveTrial ? tier.trialDays : null,
    toDayKey(now),
    findDiscount(offer, tier.id, option),
  );
  const { trialDays, renewal, afterOffer } = plan;
  const day = formatShortDay(plan.nextDay, now);
  const later = {
    ...{ price: formatUsd(renewal), unit: formatPeriodUnit(option), day, interval: formatInterval(option) },
    fullPrice: formatUsd(option.price),
    fullDay: afterOffer ? formatShortDay(afterOffer.day, now) : '',
  };
  const hasOtherRenewal = afterOffer !== undefined && afterOffer.price !== renewal;
  const isPlainMonth = option.recurrence === 'monthaly' && option.count === 1;
  const price = formatText(texts.priceToday, { price: formatUsd(plan.today) });
  if (trialDays !== null)
    return {
      verb: trialDays === 1 ? texts.tryOneDayFree : formatText(texts.tryDaysFree, { count: trialDays }),
      price,
      note: formatText(hasOtherRenewal ? texts.offerTrialNote : texts.trialNote, later),
    };
  return {
    verb: formatVerb(props),
    price,
    note: formatText(
      hasOtherRenewal ? texts.offerNote : isPlainMonth ? texts.monthlyRenewalNote : texts.renewalNote,
      later,
    ),
  };
}

/** On a phone the action stays above the tab bar. */
function ActionFrame({ note, children }: { note: ReactNode; children: ReactNode }) {
  return (
    <div className="action-bar lg:static lg:z-auto lg:border-0 lg:bg-transparent lg:p-0">
      {children}
      <p className="num pt-2 text-small whitespace-normal! text-muted">{note}</p>
    </div>
  );
}

/** The one primary action under the chosen tier. It shows what today costs, and when it renews at which price. */
export function SubscribeAction(props: SubscribeActionProps) {
  const { creator, tier, period, offer } = props;
  const viewer = useViewer();
  if (isFull(tier))
    return (
      <ActionFrame note={texts.tierFullHint}>
        <Button size="lg" wide disabled>
          {texts.tierFull}
        </Button>
      </ActionFrame>
    );
  const { verb, price, note } = formatAction(props);
  const button = { verb, price, size: 'lg', wide: true, split: true, className: 'text-left' } as const;
  if (viewer) return <FanAction {...props} balance={viewer.deposit} button={button} note={note} />;
  const next = resumeSubscribeHref(profilePath(creator.username), { tierId: tier.id, period }, offer?.code);
  const logIn = (
    <UiLink href={loginGatePath('subscribe', next)} className="font-semibold underline underline-offset-4">
      {texts.logIn}
    </UiLink>
  );
  return (
    <ActionFrame
      note={
        <>
          {note} <span className="block pt-1 max-lg:hidden">{formatNodes(texts.haveAccount, { logIn })}</span>
        </>
      }
    >
      <PriceButton {...button} href={signupGatePath('subscribe', next)} />
    </ActionFrame>
  );
}

type FanActionProps = ChosenPlan & {
  onCode: SubscribeActionProps['onCode'];
  balance: number;
  button: { verb: string; price: string; size: 'lg'; wide: true; split: true; className: string };
  note: string;
};

function FanAction({ balance, button, note, ...props }: FanActionProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const [search, setSearch] = useSearchParams();
  const isRequested = isDialogRequested(search);
  const open = () => {
    setWasOpened(true);
    setIsOpen(true);
  };
  useEffect(() => {
    if (!isRequested) return;
    startTransition(() => {
      setWasOpened(true);
      setIsOpen(true);
    });
    setSearch(removeDialogRequest, { replace: true, preventScrollReset: true });
  }, [isRequested, setSearch]);
  return (
    <>
      <ActionFrame note={note}>
        <PriceButton {...button} aria-haspopup="dialog" onClick={open} />
      </ActionFrame>
      {wasOpened && (
        <Suspense>
          <SubscribeDialog {...props} balance={balance} open={isOpen} onOpenChange={setIsOpen} />
        </Suspense>
      )}
    </>
  );
}

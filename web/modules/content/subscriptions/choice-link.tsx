import type { SubscriptionTier, ViewedOffer } from '@stagedoor/contract/content/subscription-tiers.ts';
import type { MouseEvent, ReactNode } from 'react';
import type { PeriodKey } from './billing.ts';
import type { SubscribeCreator } from './creator-tiers.ts';
import type { PlanChoice } from './plan-choice.ts';

/** The open tiers, with the chosen tier and period. */
export type ChoiceProps = {
  creator: SubscribeCreator;
  tiers: readonly SubscriptionTier[];
  chosen: SubscriptionTier;
  period: PeriodKey | undefined;
  offer: ViewedOffer | null;
  onChoose: (choice: PlanChoice) => void;
};

/** A link to the page with this choice, which works without script. A hydrated page changes its state instead. */
export function ChoiceLink({
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

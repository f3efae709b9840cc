/** The result of a card payment for a subscription, on the page to which the processor returns. */
import type { Deposit } from '@stagedoor/contract/commerce/deposits.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { Button } from '../../../ui/button.tsx';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import * as texts from './texts.ts';

/** An unused payment could not start the subscription and was added to the balance. */
export function SubscriptionPaid({ deposit, next }: { deposit: Deposit; next: string | undefined }) {
  const { amount, fee, paid, card, isUnused } = deposit;
  const lead = isUnused
    ? formatText(texts.subscriptionNotStarted, { amount: formatUsd(amount) })
    : card === null
      ? texts.subscriptionStarted
      : formatText(texts.subscriptionStartedByCard, { card });
  return (
    <>
      <h1 className="display d3">{getSubscriptionTitle(deposit)}</h1>
      <p className="mt-3 max-w-[52ch] text-pretty text-muted">{lead}</p>
      <PriceSummary
        className="mt-7 max-w-[420px] border-t border-line pt-2"
        items={[
          { name: isUnused ? texts.addedToBalance : texts.subscription, value: formatUsd(amount) },
          { name: 'Fee', value: formatUsd(fee) },
        ]}
        total={{ name: texts.youPaid, value: formatUsd(paid) }}
      />
      <div className="mt-7 flex flex-wrap gap-3">
        {next !== undefined && (
          <Button variant="primary" size="lg" href={next}>
            {texts.continueButton}
          </Button>
        )}
        <Button size="lg" variant={next === undefined ? 'line' : 'quiet'} href={PATHS.fanSubscriptions}>
          {texts.viewSubscriptions}
        </Button>
      </div>
    </>
  );
}

export const getSubscriptionTitle = ({ isUnused }: Pick<Deposit, 'isUnused'>): string =>
  isUnused ? texts.subscriptionNotStartedTitle : texts.subscriptionStartedTitle;

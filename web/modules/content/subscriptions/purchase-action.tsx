import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ReactNode } from 'react';
import { addFundsHref } from '../../../platform/address.ts';
import { findErrorHref } from '../../../platform/api-error.ts';
import { useLeavingLinkProps } from '../../../platform/running-call.ts';
import { SpendingBoundNote, type usePurchaseObstacle } from '../../../platform/spending-bound.tsx';
import { Button, PriceButton } from '../../../ui/button.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { Banner } from '../../../ui/states.tsx';
import { subtractUsd } from './billing.ts';
import * as texts from './texts.ts';

type Obstacle = ReturnType<typeof usePurchaseObstacle>;

type BalanceLineProps = {
  balance: number;
  price: number;
  obstacle: Obstacle['obstacle'];
  /** The day of the charge, if it is not today. */
  chargeDay?: string | undefined;
};

/** The balance now and after the charge, or what is missing. */
export function BalanceLine({ balance, price, obstacle, chargeDay }: BalanceLineProps) {
  const remaining = subtractUsd(balance, price);
  const getNote = () => {
    if (obstacle === 'limit') return texts.overSpendingLimit;
    if (obstacle) return formatText(texts.missing, { amount: formatUsd(-Math.min(remaining, 0)) });
    if (chargeDay === undefined) return formatText(texts.balanceAfter, { amount: formatUsd(remaining) });
    return remaining < 0
      ? formatText(texts.neededOn, { amount: formatUsd(price), day: chargeDay })
      : formatText(texts.balanceAfterDay, { amount: formatUsd(remaining), day: chargeDay });
  };
  return (
    <p className="num flex flex-wrap justify-between gap-x-4 pt-3 text-small text-muted">
      <span>{formatText(texts.balance, { amount: formatUsd(balance) })}</span>
      <span>{getNote()}</span>
    </p>
  );
}

type PurchaseActionProps = Obstacle & {
  verb: string;
  /** What is charged today. */
  price: number;
  addFundsText: string;
  missing: number;
  /** The page to which the fan returns after adding funds. */
  returnTo: string;
  disabledMessage: string | undefined;
  isBusy: boolean;
  error: Error | null;
  /** Shown below the button. */
  children: ReactNode;
};

/** The submit button of a purchase, or else what prevents it: a disabled feature, missing funds or a spending limit. */
export function PurchaseAction(props: PurchaseActionProps) {
  const { verb, price, addFundsText, missing, returnTo, disabledMessage, isBusy, error, obstacle, bound } = props;
  const leavingLink = useLeavingLinkProps();
  return (
    <>
      {disabledMessage !== undefined ? (
        <Banner kind="warn" inline>
          {disabledMessage}
        </Banner>
      ) : obstacle === 'balance' ? (
        <Button variant="primary" size="lg" wide href={addFundsHref(missing, returnTo)} {...leavingLink}>
          {addFundsText}
        </Button>
      ) : (
        <PriceButton
          type="submit"
          wide
          split
          size="lg"
          verb={verb}
          price={formatText(texts.priceToday, { price: formatUsd(price) })}
          busy={isBusy}
          disabled={obstacle === 'limit'}
        />
      )}
      {props.children}
      {obstacle === 'limit' && bound && <SpendingBoundNote bound={bound} />}
      {error && !obstacle && <InlineError message={error.message} href={findErrorHref(error)} />}
    </>
  );
}

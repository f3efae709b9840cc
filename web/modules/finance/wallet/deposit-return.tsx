/**
 * The return page of the card processor. It never credits anything and only shows the status that our server reports.
 */

import type { Deposit } from '@stagedoor/contract/commerce/deposits.ts';
import { PATHS, postPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { Spinner } from '../../../ui/states.tsx';
import { WalletFigures } from './balance-head.tsx';
import { depositHref } from './deposit-amount.ts';
import { getSubscriptionTitle, SubscriptionPaid } from './subscription-return.tsx';
import * as texts from './texts.ts';
import { useDepositWatch, type WatchState } from './use-deposit-watch.ts';

const WALLET = PATHS.fanWallet;
/** The title of each state, which is also announced to screen readers. */
const STATE_TITLES: Readonly<Record<WatchState, string>> = {
  waiting: texts.confirmingYourPayment,
  success: texts.fundsAdded,
  failed: texts.paymentFailed,
  late: texts.takingLongerTitle,
  unknown: texts.unknownPaymentTitle,
};

function ReturnMessage({ title, children, actions }: { title: string; children: ReactNode; actions: ReactNode }) {
  return (
    <>
      <h1 className="display d3">{title}</h1>
      <div className="mt-3 grid max-w-[52ch] gap-3 text-muted">{children}</div>
      <div className="mt-7 flex flex-wrap gap-3">{actions}</div>
    </>
  );
}

function Success({ deposit, next }: { deposit: Deposit; next: string | undefined }) {
  return (
    <>
      <h1 className="display d4 mb-2">{STATE_TITLES.success}</h1>
      <WalletFigures />
      <p className="pt-3 text-small text-muted">
        {formatNodes(texts.yourNewBalance, {
          cardNote: deposit.card && formatText(texts.paidWithCard, { card: deposit.card }),
        })}
      </p>
      <PriceSummary
        className="mt-7 max-w-[420px] border-t border-line pt-2"
        items={[
          { name: 'Added', value: formatUsd(deposit.amount) },
          { name: 'Fee', value: formatUsd(deposit.fee) },
        ]}
        total={{ name: texts.youPaid, value: formatUsd(deposit.paid) }}
      />
      {deposit.debtPaid > 0 && (
        <p className="max-w-[420px] pt-2 text-small text-muted tabular-nums">
          {formatText(texts.debtPaidNote, { amount: formatUsd(deposit.debtPaid) })}
        </p>
      )}
      <div className="mt-7 flex flex-wrap gap-3">
        {next && (
          <Button variant="primary" size="lg" href={next}>
            {next.startsWith(postPath('')) ? texts.backToPost : texts.continueButton}
          </Button>
        )}
        <Button size="lg" variant={next ? 'quiet' : 'line'} href={WALLET}>
          {texts.viewWallet}
        </Button>
      </div>
    </>
  );
}

/** @param storedNext The address that this tab stored to continue to. It must be internal. */
export function DepositReturn({ id, storedNext }: { id: string; storedNext: string | undefined }) {
  const { state, deposit, retry } = useDepositWatch(id);
  const next = deposit?.returnPath ?? storedNext;
  const isSubscription = deposit?.isSubscription ?? false;
  const wallet = (
    <Button size="lg" href={WALLET}>
      {texts.goToWallet}
    </Button>
  );
  return (
    <div className="pt-7 lg:pt-12">
      <p role="status" className="sr-only">
        {state === 'success' && deposit && isSubscription ? getSubscriptionTitle(deposit) : STATE_TITLES[state]}
      </p>
      {state === 'waiting' && (
        <ReturnMessage title={STATE_TITLES.waiting} actions={wallet}>
          <p className="flex items-center gap-3">
            <Spinner />
            {texts.confirmingHint}
          </p>
          <p>{isSubscription ? texts.confirmingSubscriptionLeaveHint : texts.confirmingLeaveHint}</p>
        </ReturnMessage>
      )}
      {state === 'success' &&
        deposit &&
        (isSubscription ? <SubscriptionPaid {...{ deposit, next }} /> : <Success {...{ deposit, next }} />)}
      {state === 'failed' && deposit && (
        <ReturnMessage
          title={STATE_TITLES.failed}
          actions={
            <>
              <Button
                variant="primary"
                size="lg"
                href={isSubscription ? (next ?? PATHS.fanSubscriptions) : depositHref(deposit, next)}
              >
                {texts.tryAgain}
              </Button>
              <Button size="lg" variant="quiet" href={WALLET}>
                {texts.goToWallet}
              </Button>
            </>
          }
        >
          <p className="text-ink">{deposit.reason ?? texts.yourCardWasDeclined}</p>
          <p>{isSubscription ? texts.subscriptionFailedHint : texts.paymentFailedHint}</p>
        </ReturnMessage>
      )}
      {state === 'late' && (
        <ReturnMessage
          title={STATE_TITLES.late}
          actions={
            <>
              <Button size="lg" icon="refresh" onClick={retry}>
                {texts.checkAgain}
              </Button>
              <Button size="lg" variant="quiet" href={WALLET}>
                {texts.goToWallet}
              </Button>
            </>
          }
        >
          <p>{texts.pendingPaymentHint}</p>
          <p>{texts.pendingPaymentLeaveHint}</p>
        </ReturnMessage>
      )}
      {state === 'unknown' && (
        <ReturnMessage title={STATE_TITLES.unknown} actions={wallet}>
          <p>{texts.unknownPaymentHint}</p>
        </ReturnMessage>
      )}
    </div>
  );
}

import {
  acceptPrice,
  cancelSubscription,
  paySubscription,
  refundSubscription,
  resumeSubscription,
  type Subscription,
} from '@stagedoor/contract/content/subscriptions.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQueryClient } from '@tanstack/react-query';
import { isolateText } from '../../../platform/bidi.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { updateBalance } from '../../../platform/session.ts';
import { invalidateMoney, invalidateSubscriptions, updateCachedSubscription } from './subscription-cache.ts';
import * as texts from './texts.ts';

type PaidResult = { subscription: Subscription; deposit: number; depositRevision: number };

/** What a fan can do with a subscription. Nothing is shown before the server confirms it. */
export function useSubscriptionActions() {
  const client = useQueryClient();
  // What the page shows may be outdated, so a refusal refetches it.
  const onError = () => void invalidateSubscriptions(client);
  const showChanged = (subscription: Subscription) => {
    updateCachedSubscription(client, subscription);
    void invalidateSubscriptions(client);
  };
  const showPaid = ({ subscription, ...balance }: PaidResult, text: string) => {
    updateBalance(client, balance);
    showChanged(subscription);
    void invalidateMoney(client);
    void showToast(formatText(text, { amount: formatUsd(balance.deposit) }), 'success', {
      id: `subscription:${subscription.id}`,
    });
  };
  const quiet = { showErrorMessage: false, onError } as const;
  const cancel = useApiMutation(cancelSubscription, {
    ...quiet,
    onSuccess: (subscription) => {
      showChanged(subscription);
      if (subscription.state === 'ended')
        void showToast(formatText(texts.unsubscribedToast, { creatorName: isolateText(subscription.creator.name) }));
    },
  });
  const resume = useApiMutation(resumeSubscription, { ...quiet, onSuccess: showChanged });
  const accept = useApiMutation(acceptPrice, { ...quiet, onSuccess: showChanged });
  const pay = useApiMutation(paySubscription, { ...quiet, onSuccess: (result) => showPaid(result, texts.paidToast) });
  const refund = useApiMutation(refundSubscription, {
    ...quiet,
    onSuccess: (result) => showPaid(result, texts.refundedToast),
  });
  const all = [cancel, resume, accept, pay, refund];
  return {
    cancel,
    resume,
    accept,
    pay,
    refund,
    isBusy: all.some(({ isPending }) => isPending),
    error: all.find(({ error }) => error !== null)?.error ?? null,
    /** Removes the error of an earlier attempt. */
    clearErrors: () => {
      for (const { error, reset } of all) if (error) reset();
    },
  };
}

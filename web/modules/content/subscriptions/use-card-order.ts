import { subscribeByCard } from '@stagedoor/contract/content/subscriptions.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useApiMutation } from '../../../platform/mutation.ts';
import { usePaymentPage } from '../../../platform/payment-page.ts';
import { refetchTerms } from './subscription-cache.ts';

/** Orders a subscription by card, then opens the payment page. The subscription starts when the processor reports the payment. */
export function useCardOrder(creatorId: string) {
  const client = useQueryClient();
  const { isLeaving, openPaymentPage } = usePaymentPage();
  const mutation = useApiMutation(subscribeByCard, {
    showErrorMessage: false,
    onSuccess: (order, { body }) => void openPaymentPage(order, body.returnPath),
    onError: (error) => refetchTerms(client, creatorId, error),
  });
  return { mutation, isLeaving };
}

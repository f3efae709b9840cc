/** Orders a subscription by card, then sends the browser to the card processor. It starts when the processor reports the payment. */
import { PAYMENT_FAILED } from '@stagedoor/contract/commerce/deposits.ts';
import { subscribeByCard } from '@stagedoor/contract/content/subscriptions.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { sessionStore } from '../../../platform/browser-storage.ts';
import { saveDepositMemory } from '../../../platform/deposit-memory.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { openDocument } from '../../../platform/page-exit.ts';
import { isPaymentAddress } from '../../../platform/payment-address.ts';
import { creatorTiersQuery } from './creator-tiers.ts';

/** `isLeaving` lasts until the browser has left the page, or came back to it. */
export function useCardOrder(creatorId: string) {
  const client = useQueryClient();
  const [isLeaving, setIsLeaving] = useState(false);
  const mutation = useApiMutation(subscribeByCard, {
    showErrorMessage: false,
    onSuccess: ({ paymentUrl, depositId }, { body }) => {
      if (!isPaymentAddress(paymentUrl)) return void showToast(PAYMENT_FAILED, 'error');
      saveDepositMemory(sessionStore, { depositId, next: body.returnPath });
      setIsLeaving(true);
      openDocument(paymentUrl);
    },
    onError: (error) => {
      const refetching = client.invalidateQueries({ queryKey: creatorTiersQuery(creatorId).queryKey });
      return error instanceof ApiError && error.code === 'CONFLICT' ? refetching : undefined;
    },
  });
  useEffect(() => {
    const handlePageShow = () => setIsLeaving(false);
    addEventListener('pageshow', handlePageShow);
    return () => removeEventListener('pageshow', handlePageShow);
  }, []);
  return { mutation, isLeaving };
}

import { PAYMENT_FAILED } from '@stagedoor/contract/commerce/deposits.ts';
import { useEffect, useState } from 'react';
import { sessionStore } from './browser-storage.ts';
import { saveDepositMemory } from './deposit-memory.ts';
import { showToast } from './feedback.ts';
import { openDocument } from './page-exit.ts';

/** The browser may be sent only to http and https addresses. */
export function isPaymentAddress(text: unknown): text is string {
  if (typeof text !== 'string' || !/^https?:\/\//i.test(text)) return false;
  try {
    return new URL(text).host !== '';
  } catch {
    return false;
  }
}

/** `isLeaving` lasts until the browser has left this page, or has come back to it. */
export function usePaymentPage() {
  const [isLeaving, setIsLeaving] = useState(false);
  useEffect(() => {
    // The back button may restore this page from the back/forward cache, so the form is enabled again.
    const handlePageShow = () => setIsLeaving(false);
    addEventListener('pageshow', handlePageShow);
    return () => removeEventListener('pageshow', handlePageShow);
  }, []);
  /**
   * Sends the browser to the card processor. `next` is the page to which the user continues after the payment. Returns false,
   * with a toast, if the address cannot be opened.
   */
  const openPaymentPage = (
    { paymentUrl, depositId }: { paymentUrl: string; depositId: string },
    next: string | undefined,
  ): boolean => {
    if (!isPaymentAddress(paymentUrl)) {
      void showToast(PAYMENT_FAILED, 'error');
      return false;
    }
    saveDepositMemory(sessionStore, { depositId, next });
    setIsLeaving(true);
    openDocument(paymentUrl);
    return true;
  };
  return { isLeaving, openPaymentPage };
}

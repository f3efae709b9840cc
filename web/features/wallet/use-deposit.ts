/** Starting a deposit: the order is made once however often it is pressed, and the browser leaves for the card processor. */

import { toCents } from '@stagedoor/contract/atoms/money.ts';
import {
  CUSTOM_CREDITS_TOAST,
  depositFunds,
  depositHistory,
  depositOptions,
  PAYMENT_FAILED,
} from '@stagedoor/contract/payments.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { addressWith } from '../../kernel/address.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { openDocument } from '../../kernel/page-exit.ts';
import { usePriceLimit } from '../../kernel/price-limits.ts';
import { apiQuery, routeKey } from '../../kernel/query.ts';
import { type Chosen, type Entry, type Limits, UNKNOWN_LIMITS } from './deposit-amount.ts';
import { keepDeposit } from './deposit-memory.ts';

export const depositOptionsQuery = () => apiQuery(depositOptions, {});

/** The limits in force; the product's own until the processor's are known. The server refuses what is beyond them anyway. */
/** `descriptor`: what the card’s statement says, once that is known. */
export function useDepositLimits(): Limits & { isTestMode: boolean; descriptor: string | undefined } {
  const options = useQuery(depositOptionsQuery()).data;
  const addFunds = usePriceLimit('addFunds');
  if (!options) return { ...UNKNOWN_LIMITS, addFunds, isTestMode: false, descriptor: undefined };
  return {
    addFunds,
    valueCents: toCents(options.creditValue),
    ceilingCents: toCents(options.ceiling),
    isTestMode: options.isTestMode,
    descriptor: options.descriptor,
  };
}

/** An address a browser may be sent to: the processor's is http(s), and nothing else is. */
export function isPaymentAddress(text: unknown): text is string {
  if (typeof text !== 'string' || !/^https?:\/\//i.test(text)) return false;
  try {
    return new URL(text).host !== '';
  } catch {
    return false;
  }
}

/** What is said of a failure, and where: in passing as a toast, or to stay under the button. */
export function failureOf(error: unknown, entry: Entry): { toast: string } | { stays: string } {
  if (!(error instanceof ApiError)) return { toast: PAYMENT_FAILED };
  if (error.code === 'VALIDATION' && entry === 'credits') return { toast: CUSTOM_CREDITS_TOAST };
  if (error.code === 'UPSTREAM' || error.code === 'INTERNAL' || error.code === 'UNAVAILABLE')
    return { toast: PAYMENT_FAILED };
  return { stays: error.message };
}

/** The browser's Back, on the processor's page, comes to the amount that was typed. */
function keepAmount(entry: Entry, amount: number): void {
  if (entry !== 'dollars') return;
  const address = addressWith(location.pathname, new URLSearchParams(location.search), { dollars: String(amount) });
  history.replaceState(history.state, '', address);
}

export interface DepositStart {
  /** From the first press until the browser has left. */
  isBusy: boolean;
  /** Why it could not be started, when there is something to be done about it. */
  failure: string | undefined;
  /** Makes the order and leaves. An amount that cannot be bought is said in a toast, and nothing is sent. */
  pay(chosen: Chosen): void;
  reset(): void;
}

export function useDepositStart(entry: Entry, next: string | undefined): DepositStart {
  const client = useQueryClient();
  const [isLeaving, setIsLeaving] = useState(false);
  // A second click can come before the first has been drawn.
  const isUnderway = useRef(false);
  const start = useApiMutation(depositFunds, {
    showErrorMessage: false,
    onSuccess: ({ paymentUrl, depositId }, { body: { amount } }) => {
      void client.invalidateQueries({ queryKey: routeKey(depositHistory) });
      if (!isPaymentAddress(paymentUrl)) {
        isUnderway.current = false;
        return void showToast(PAYMENT_FAILED, 'error');
      }
      keepDeposit(sessionStorage, { depositId, next });
      keepAmount(entry, amount);
      setIsLeaving(true);
      openDocument(paymentUrl);
    },
    onError: (error) => {
      isUnderway.current = false;
      const failure = failureOf(error, entry);
      if ('toast' in failure) void showToast(failure.toast, 'error');
    },
  });
  useEffect(() => {
    // Whoever comes back by the browser's Back finds the page as it was left, and may pay again.
    const shown = () => {
      isUnderway.current = false;
      setIsLeaving(false);
    };
    addEventListener('pageshow', shown);
    return () => removeEventListener('pageshow', shown);
  }, []);
  const failure = start.error ? failureOf(start.error, entry) : undefined;
  return {
    isBusy: start.isPending || isLeaving,
    failure: failure && 'stays' in failure ? failure.stays : undefined,
    pay: ({ body, complaint }) => {
      if (isUnderway.current) return;
      isUnderway.current = body !== undefined;
      if (body) start.mutate({ body: { paymentProvider: 'ccbill', ...body } });
      else void showToast(entry === 'credits' ? CUSTOM_CREDITS_TOAST : (complaint ?? PAYMENT_FAILED), 'error');
    },
    reset: start.reset,
  };
}

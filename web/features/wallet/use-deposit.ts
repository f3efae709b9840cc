/**
 * Starts a deposit: creates one order regardless of the number of presses, then sends the browser to the card
 * processor.
 */

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

/**
 * Returns the limits in force. The defaults apply until the processor's limits are loaded. The server enforces the
 * limits anyway.
 */
/** `descriptor` is the text on the card statement, once it is known. */
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

/** The browser may be sent only to http and https addresses. */
export function isPaymentAddress(text: unknown): text is string {
  if (typeof text !== 'string' || !/^https?:\/\//i.test(text)) return false;
  try {
    return new URL(text).host !== '';
  } catch {
    return false;
  }
}

export function failureOf(error: unknown, entry: Entry): { toast: string } | { stays: string } {
  if (!(error instanceof ApiError)) return { toast: PAYMENT_FAILED };
  if (error.code === 'VALIDATION' && entry === 'credits') return { toast: CUSTOM_CREDITS_TOAST };
  if (error.code === 'UPSTREAM' || error.code === 'INTERNAL' || error.code === 'UNAVAILABLE')
    return { toast: PAYMENT_FAILED };
  return { stays: error.message };
}

/** Stores the amount so that the browser's back button restores it from the processor's page. */
function keepAmount(entry: Entry, amount: number): void {
  if (entry !== 'dollars') return;
  const address = addressWith(location.pathname, new URLSearchParams(location.search), { dollars: String(amount) });
  history.replaceState(history.state, '', address);
}

export interface DepositStart {
  isBusy: boolean;
  failure: string | undefined;
  /** Creates the order and leaves the page. An invalid amount only shows a toast. */
  pay(chosen: Chosen): void;
  reset(): void;
}

export function useDepositStart(entry: Entry, next: string | undefined): DepositStart {
  const client = useQueryClient();
  const [isLeaving, setIsLeaving] = useState(false);
  // A second click can arrive before the first has been rendered.
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
    // The back button may restore this page from the back/forward cache, so the form is enabled again.
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

/**
 * Starts a deposit: creates one order regardless of the number of presses, then sends the browser to the card
 * processor.
 */

import {
  CUSTOM_CREDITS_TOAST,
  depositFunds,
  getDepositHistory,
  getDepositOptions,
  PAYMENT_FAILED,
} from '@stagedoor/contract/commerce/deposits.ts';
import { parseDestination } from '@stagedoor/contract/shared/destinations.ts';
import { toCents } from '@stagedoor/contract/shared/money.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { buildAddress } from '../../../platform/address.ts';
import { ApiError } from '../../../platform/api-error.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { usePaymentPage } from '../../../platform/payment-page.ts';
import { usePriceLimit } from '../../../platform/price-limits.ts';
import { apiQuery, routeKey } from '../../../platform/query.ts';
import {
  type DepositChoice,
  type DepositEntry,
  type DepositLimits,
  toStartParams,
  UNKNOWN_LIMITS,
} from './deposit-amount.ts';

export const depositOptionsQuery = () => apiQuery(getDepositOptions, {});

/**
 * Returns the limits in force. The defaults apply until the processor's limits are loaded. The server enforces the
 * limits anyway. `descriptor` is the text on the card statement, once it is known.
 */
export function useDepositLimits(): DepositLimits & { isTestMode: boolean; descriptor: string | undefined } {
  const options = useQuery(depositOptionsQuery()).data;
  const addFunds = usePriceLimit('addFunds');
  if (!options) return { ...UNKNOWN_LIMITS, addFunds, isTestMode: false, descriptor: undefined };
  return {
    addFunds,
    valueCents: toCents(options.creditValue),
    ceilingCents: toCents(options.max),
    isTestMode: options.isTestMode,
    descriptor: options.descriptor,
  };
}

export function toDepositFailure(error: unknown, entry: DepositEntry): { toast: string } | { inline: string } {
  if (!(error instanceof ApiError)) return { toast: PAYMENT_FAILED };
  if (error.code === 'VALIDATION' && entry === 'credits') return { toast: CUSTOM_CREDITS_TOAST };
  if (error.code === 'UPSTREAM' || error.code === 'INTERNAL' || error.code === 'UNAVAILABLE')
    return { toast: PAYMENT_FAILED };
  return { inline: error.message };
}

/** Stores the amount so that the browser's back button restores it from the processor's page. */
function saveAmountInUrl(body: { amount: number; credits?: number | undefined }): void {
  const url = buildAddress(location.pathname, new URLSearchParams(location.search), toStartParams(body));
  history.replaceState(history.state, '', url);
}

/** The deposit itself carries the way back, because the browser may store nothing. */
export function toReturnPath(next: string | undefined): { returnPath?: string } {
  const destination = parseDestination(next, location.origin);
  return destination ? { returnPath: destination.path } : {};
}

export interface DepositStart {
  isBusy: boolean;
  failure: string | undefined;
  /** Creates the order and leaves the page. An invalid amount only shows a toast. */
  pay(chosen: DepositChoice): void;
  reset(): void;
}

export function useDepositStart(entry: DepositEntry, next: string | undefined): DepositStart {
  const client = useQueryClient();
  const { isLeaving, openPaymentPage } = usePaymentPage();
  // A second click can arrive before the first has been rendered.
  const isStarted = useRef(false);
  const start = useApiMutation(depositFunds, {
    showErrorMessage: false,
    onSuccess: (order, { body }) => {
      void client.invalidateQueries({ queryKey: routeKey(getDepositHistory) });
      saveAmountInUrl(body);
      isStarted.current = openPaymentPage(order, next);
    },
    onError: (error) => {
      isStarted.current = false;
      const failure = toDepositFailure(error, entry);
      if ('toast' in failure) void showToast(failure.toast, 'error');
    },
  });
  useEffect(() => {
    if (!isLeaving) isStarted.current = false;
  }, [isLeaving]);
  const failure = start.error ? toDepositFailure(start.error, entry) : undefined;
  return {
    isBusy: start.isPending || isLeaving,
    failure: failure && 'inline' in failure ? failure.inline : undefined,
    pay: ({ body, error }) => {
      if (isStarted.current) return;
      isStarted.current = body !== undefined;
      if (body) start.mutate({ body: { paymentProvider: 'ccbill', ...body, ...toReturnPath(next) } });
      else void showToast(entry === 'credits' ? CUSTOM_CREDITS_TOAST : (error ?? PAYMENT_FAILED), 'error');
    },
    reset: start.reset,
  };
}

import { CUSTOM_CREDITS_TOAST, PAYMENT_FAILED } from '@stagedoor/contract/commerce/deposits.ts';
import { expect, test } from 'vitest';
import { ApiError } from '../../../platform/api-error.ts';
import { findDepositMemory, saveDepositMemory } from '../../../platform/deposit-memory.ts';
import { isPaymentAddress } from '../../../platform/payment-page.ts';
import { toStartAmounts, toStartParams, UNKNOWN_LIMITS } from './deposit-amount.ts';
import { isWalletFiltered, parseWalletFilters } from './filters.ts';
import { toMovementLabel } from './money-labels.ts';
import { toDepositFailure } from './use-deposit.ts';
import { getWatchState } from './use-deposit-watch.ts';

test.each([
  [undefined, undefined, false, 'waiting'],
  [{ status: 'pending' as const }, undefined, false, 'waiting'],
  [{ status: 'pending' as const }, undefined, true, 'late'],
  [{ status: 'success' as const }, undefined, true, 'success'],
  [{ status: 'failed' as const }, undefined, false, 'failed'],
  [undefined, new ApiError('NOT_FOUND', ''), false, 'unknown'],
  [undefined, new ApiError('VALIDATION', ''), false, 'unknown'],
  [undefined, new ApiError('NETWORK', ''), false, 'waiting'],
  [{ status: 'pending' as const }, new ApiError('NETWORK', ''), true, 'late'],
])('deposit %j with error %j, late %j, is shown as %s', (deposit, error, isLate, state) =>
  expect(getWatchState(deposit, error, isLate)).toBe(state),
);

test('amount and processor errors are shown as a toast, and refusals stay visible', () => {
  expect(toDepositFailure(new ApiError('VALIDATION', 'x'), 'credits')).toEqual({ toast: CUSTOM_CREDITS_TOAST });
  expect(toDepositFailure(new ApiError('VALIDATION', 'x'), 'dollars')).toEqual({ inline: 'x' });
  expect(toDepositFailure(new ApiError('UPSTREAM', 'x'), 'credits')).toEqual({ toast: PAYMENT_FAILED });
  expect(toDepositFailure(new Error('x'), 'credits')).toEqual({ toast: 'payment request failed. try after sometime' });
  expect(toDepositFailure(new ApiError('FORBIDDEN', 'Blocked.'), 'credits')).toEqual({ inline: 'Blocked.' });
  expect(toDepositFailure(new ApiError('NETWORK', 'Offline.'), 'dollars')).toEqual({ inline: 'Offline.' });
});

test.each([
  ['https://api.ccbill.com/wap-frontflex/flexforms/1?x=1', true],
  ['http://localhost:3000/sandbox', true],
  ['', false],
  [undefined, false],
  ['javascript:alert(1)', false],
  ['/relative', false],
])('%j is accepted as a payment address: %j', (address, isAccepted) =>
  expect(isPaymentAddress(address)).toBe(isAccepted),
);

test('the tab remembers the return address and ignores invalid stored data', () => {
  const stored = new Map<string, string>();
  const store = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  expect(findDepositMemory(store)).toBeUndefined();
  saveDepositMemory(store, { depositId: 'd', next: '/post/p' });
  expect(findDepositMemory(store)).toEqual({ depositId: 'd', next: '/post/p' });
  saveDepositMemory(store, { depositId: 'e', next: undefined });
  expect(findDepositMemory(store)).toEqual({ depositId: 'e', next: undefined });
  for (const rubbish of ['{', '7', '{"next":"/x"}', '{"depositId":7}']) {
    stored.set('deposit', rubbish);
    expect(findDepositMemory(store)).toBeUndefined();
  }
});

test('filters are read from the address, and invalid values are ignored', () => {
  const parse = (text: string) => parseWalletFilters(new URLSearchParams(text));
  expect(parse('')).toEqual({
    tab: 'transactions',
    type: undefined,
    status: undefined,
    minAmount: undefined,
    size: 10,
  });
  expect(parse('tab=deposits&status=failed&min=50&size=30')).toMatchObject({
    tab: 'deposits',
    status: 'failed',
    minAmount: 50,
    size: 30,
  });
  expect(parse('tab=x&type=x&status=x&min=7&size=1000')).toEqual(parse(''));
  expect(isWalletFiltered(parse('status=failed'))).toBe(false);
  expect(isWalletFiltered(parse('tab=deposits&status=failed'))).toBe(true);
  expect(isWalletFiltered(parse('min=25'))).toBe(true);
});

test('the label matches the sign of the amount', () => {
  expect([-1, 0, 1].map((amount) => toMovementLabel({ amount, owed: 0 }))).toEqual(['Paid', 'Free', 'Received']);
});

test.each([
  [{ amount: 300, credits: 30 }, { pack: '30' }],
  [
    { amount: 120, credits: 12 },
    { pack: 'custom', credits: '12' },
  ],
  [{ amount: 45.5 }, { dollars: '45.5', entryNote: undefined }],
  [
    { amount: 25, credits: null },
    { dollars: '25', entryNote: undefined },
  ],
])('another attempt begins with the amount of %j', (deposit, amounts) => {
  const params = new URLSearchParams(toStartParams(deposit));
  expect(params.get('chosen')).toBe('1');
  const start = { dollars: params.get('dollars') ?? undefined, credits: params.get('credits') ?? undefined };
  expect(toStartAmounts(start, UNKNOWN_LIMITS.addFunds)).toEqual(amounts);
});

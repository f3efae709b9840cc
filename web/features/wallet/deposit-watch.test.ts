import { CUSTOM_CREDITS_TOAST, PAYMENT_FAILED } from '@stagedoor/contract/payments.ts';
import { expect, test } from 'vitest';
import { ApiError } from '../../kernel/api-error.ts';
import { keepDeposit, keptDeposit } from './deposit-memory.ts';
import { isFiltered, walletFilters } from './filters.ts';
import { amountWord } from './money-words.ts';
import { failureOf, isPaymentAddress } from './use-deposit.ts';
import { watchState } from './use-deposit-watch.ts';

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
  expect(watchState(deposit, error, isLate)).toBe(state),
);

test('amount and processor errors are shown as a toast, and refusals stay visible', () => {
  expect(failureOf(new ApiError('VALIDATION', 'x'), 'credits')).toEqual({ toast: CUSTOM_CREDITS_TOAST });
  expect(failureOf(new ApiError('VALIDATION', 'x'), 'dollars')).toEqual({ stays: 'x' });
  expect(failureOf(new ApiError('UPSTREAM', 'x'), 'credits')).toEqual({ toast: PAYMENT_FAILED });
  expect(failureOf(new Error('x'), 'credits')).toEqual({ toast: 'payment request failed. try after sometime' });
  expect(failureOf(new ApiError('FORBIDDEN', 'Blocked.'), 'credits')).toEqual({ stays: 'Blocked.' });
  expect(failureOf(new ApiError('NETWORK', 'Offline.'), 'dollars')).toEqual({ stays: 'Offline.' });
});

test.each([
  ['https://api.ccbill.com/wap-frontflex/flexforms/1?x=1', true],
  ['http://localhost:3000/sandbox', true],
  ['', false],
  [undefined, false],
  ['javascript:alert(1)', false],
  ['/relative', false],
])('%j is accepted as a payment address: %j', (address, isIt) => expect(isPaymentAddress(address)).toBe(isIt));

test('the tab remembers the return address and ignores invalid stored data', () => {
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  expect(keptDeposit(store)).toBeUndefined();
  keepDeposit(store, { depositId: 'd', next: '/post/p' });
  expect(keptDeposit(store)).toEqual({ depositId: 'd', next: '/post/p' });
  keepDeposit(store, { depositId: 'e', next: undefined });
  expect(keptDeposit(store)).toEqual({ depositId: 'e', next: undefined });
  for (const rubbish of ['{', '7', '{"next":"/x"}', '{"depositId":7}']) {
    kept.set('deposit', rubbish);
    expect(keptDeposit(store)).toBeUndefined();
  }
  const forbidden = () => {
    throw new Error('forbidden');
  };
  const closed = { getItem: forbidden, setItem: forbidden, removeItem: forbidden };
  expect(() => keepDeposit(closed, { depositId: 'd', next: undefined })).not.toThrow();
  expect(keptDeposit(closed)).toBeUndefined();
});

test('filters are read from the address, and invalid values are ignored', () => {
  const asked = (text: string) => walletFilters(new URLSearchParams(text));
  expect(asked('')).toEqual({
    tab: 'transactions',
    type: undefined,
    status: undefined,
    minAmount: undefined,
    size: 10,
  });
  expect(asked('tab=deposits&status=failed&min=50&size=30')).toMatchObject({
    tab: 'deposits',
    status: 'failed',
    minAmount: 50,
    size: 30,
  });
  expect(asked('tab=x&type=x&status=x&min=7&size=1000')).toEqual(asked(''));
  expect(isFiltered(asked('status=failed'))).toBe(false);
  expect(isFiltered(asked('tab=deposits&status=failed'))).toBe(true);
  expect(isFiltered(asked('min=25'))).toBe(true);
});

test('the label matches the sign of the amount', () => {
  expect([-1, 0, 1].map((amount) => amountWord({ amount, owed: 0 }))).toEqual(['Paid', 'Free', 'Received']);
});

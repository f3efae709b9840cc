import { expect, test } from 'vitest';
import { AppError, ERRORS, invalid } from './errors.ts';

test('every error code has its documented status and message', () => {
  expect(Object.entries(ERRORS).map(([code, { status, words }]) => `${status} ${code}: ${words}`)).toEqual([
    '400 VALIDATION: Please check the highlighted fields.',
    '401 UNAUTHORIZED: Please log in.',
    '402 INSUFFICIENT_FUNDS: Your balance is too low for this. Add funds and try again.',
    '403 account_blocked: This account is blocked. Please contact us.',
    '403 FORBIDDEN: You may not do this.',
    '403 NOT_VERIFIED: Paid work begins once you are verified.',
    '404 NOT_FOUND: There is nothing here.',
    '409 CONFLICT: This was changed or used already.',
    '413 TOO_LARGE: This is larger than we accept.',
    '415 UNSUPPORTED_TYPE: This kind of content is not accepted.',
    '429 RATE_LIMITED: Too many attempts. Please wait a moment and try again.',
    '500 INTERNAL: Something went wrong on our side. Please try again.',
    '502 UPSTREAM: A service we depend on did not answer. Please try again.',
    '503 UNAVAILABLE: We are restarting. Please try again in a moment.',
    '503 STOPPED: This is stopped for the moment.',
    '503 MAINTENANCE: We are working on Stagedoor. Please try again in a moment.',
  ]);
});

test('an error uses its own message, or the default message of its code', () => {
  expect(new AppError('CONFLICT').message).toBe(ERRORS.CONFLICT.words);
  expect(new AppError('CONFLICT', { message: 'No.' }).message).toBe('No.');
  expect(invalid('name', 'No.')).toMatchObject({
    code: 'VALIDATION',
    message: 'No.',
    data: { error: [{ field: 'name', message: 'No.' }] },
  });
});

import { expect, test } from 'vitest';
import { AppError, createFieldError, ERRORS } from './errors.ts';

test('every error code has its documented status and message', () => {
  expect(Object.entries(ERRORS).map(([code, { status, message }]) => `${status} ${code}: ${message}`)).toEqual([
    '400 VALIDATION: Check the highlighted fields.',
    '401 UNAUTHORIZED: Log in to continue.',
    '402 INSUFFICIENT_FUNDS: Not enough funds. Add funds and try again.',
    '403 account_blocked: This account is blocked. Contact support.',
    '403 FORBIDDEN: You don’t have permission to do this.',
    '403 NOT_VERIFIED: Verify your identity to start selling.',
    '404 NOT_FOUND: Not found.',
    '409 CONFLICT: This has already changed. Reload and try again.',
    '413 TOO_LARGE: This file is too large.',
    '415 UNSUPPORTED_TYPE: This file type isn’t supported.',
    '429 RATE_LIMITED: Too many attempts. Try again later.',
    '500 INTERNAL: Something went wrong. Try again.',
    '502 UPSTREAM: Service temporarily unavailable. Try again.',
    '503 UNAVAILABLE: We’ll be right back. Try again in a moment.',
    '503 FEATURE_DISABLED: This is temporarily unavailable.',
    '503 MAINTENANCE: We’re doing maintenance. Try again shortly.',
  ]);
});

test('an error uses its own message, or the default message of its code', () => {
  expect(new AppError('CONFLICT').message).toBe(ERRORS.CONFLICT.message);
  expect(new AppError('CONFLICT', { message: 'No.' }).message).toBe('No.');
  expect(createFieldError('name', 'No.')).toMatchObject({
    code: 'VALIDATION',
    message: 'No.',
    data: { error: [{ field: 'name', message: 'No.' }] },
  });
});

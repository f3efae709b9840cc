import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { expect, test } from 'vitest';
import { hashPassword, isPassword } from './passwords.ts';

test('a password matches its own hash, and no password matches without a hash', async () => {
  const stored = await hashPassword('Curtain7!call');
  expect(await isPassword(stored, 'Curtain7!call')).toBe(true);
  expect(await isPassword(stored, 'curtain7!call')).toBe(false);
  expect(await isPassword(undefined, 'Curtain7!call')).toBe(false);
  expect(await hashPassword('Curtain7!call')).not.toBe(stored);
});

test('hashing requests beyond the queue limit are refused, and those in the queue are served', async () => {
  const stored = await hashPassword('Curtain7!call');
  const results = await Promise.allSettled(Array.from({ length: 150 }, () => isPassword(stored, 'Curtain7!call')));
  const served = results.filter((result) => result.status === 'fulfilled' && result.value);
  const refused = results.filter((result) => result.status === 'rejected');
  expect(served).toHaveLength(102);
  expect(refused).toHaveLength(48);
  for (const { reason } of refused) {
    expect(reason).toBeInstanceOf(AppError);
    expect(reason).toMatchObject({ code: 'RATE_LIMITED', data: { retryAfterSeconds: 5 } });
  }
  expect(await isPassword(stored, 'Curtain7!call')).toBe(true);
});

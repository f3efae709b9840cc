/** Covers section V of the specification. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  email,
  PASSWORD_RULE,
  PASSWORD_TOO_SHORT,
  password,
  registration,
  USERNAME_LENGTH,
  username,
} from './accounts.ts';

const getMessage = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).error?.issues[0]?.message;

test('a username is accepted up to the length of its input field and refused beyond it', () => {
  expect(getMessage(username, 'x'.repeat(USERNAME_LENGTH))).toBeUndefined();
  expect(getMessage(username, 'x'.repeat(USERNAME_LENGTH + 1))).toBe('Please provide a valid username.');
});

describe('e-mail address (row V1)', () => {
  test.each(['a@b.co', 'a@b.com', 'first.last@sub.example.org', 'a-b_c+tag@ex-ample.com'])('accepts %s', (value) => {
    expect(getMessage(email, value)).toBeUndefined();
  });
  test.each([
    'a@b',
    'a b@c.de',
    '.a@b.co',
    'a..b@c.de',
    'a@b.c',
    'a@b.info',
    'a@b.museum',
    'a@b.c1',
    `${'a'.repeat(300)}@b.co`,
  ])('refuses %s', (value) => {
    expect(getMessage(email, value)).toBe('Invalid email');
  });
  test('refuses a very long crafted address quickly, without catastrophic backtracking', () => {
    const start = Date.now();
    for (const sign of ['a_', 'a.', 'a-', 'a']) {
      expect(getMessage(email, `${sign.repeat(100_000)}!`)).toBe('Invalid email');
      expect(getMessage(email, `a@${sign.repeat(100_000)}!`)).toBe('Invalid email');
    }
    expect(Date.now() - start).toBeLessThan(5_000);
  });
  test('requires the address', () => {
    expect(getMessage(email, '')).toBe('Please enter email');
    expect(getMessage(email, undefined)).toBe('Please enter email');
  });
});

describe('username (row V2)', () => {
  test.each(['abcdef', 'a.b_c.d', 'A1234567890123456789'])('accepts %s', (value) => {
    expect(getMessage(username, value)).toBeUndefined();
  });
  test.each(['abcde', 'a'.repeat(21), '.abcdef', 'abcdef_', 'ab..cdef', 'ab._cdef', 'abc def', 'abcdé1'])(
    'refuses %s',
    (value) => {
      expect(getMessage(username, value)).toBe('Please provide a valid username.');
    },
  );
  test('refuses an empty username', () => expect(getMessage(username, '')).toBe('Cannot be empty'));
});

describe('password (row V3)', () => {
  test.each(['Abcdefg1', 'Abc1!@#$%^&*', `Aa1${'x'.repeat(64)}`])('accepts %s', (value) => {
    expect(getMessage(password, value)).toBeUndefined();
  });
  test('refuses a password that is too short', () => expect(getMessage(password, 'Ab1')).toBe(PASSWORD_TOO_SHORT));
  test.each(['abcdefg1', 'ABCDEFG1', 'Abcdefgh', 'Abcdefg1 ', 'Abcdefg1ü'])(
    'refuses %s because it breaks the rule',
    (value) => {
      expect(getMessage(password, value)).toBe(PASSWORD_RULE);
    },
  );
});

test('sign-up names the missing field (row V4)', () => {
  const result = z.safeParse(registration, { username: 'abcdef', email: 'a@b.co', password: 'Abcdefg1' });
  expect(result.error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([
    ['accountType', 'Please select account type'],
  ]);
});

test('drops invisible characters that were pasted with a username or an email', () => {
  expect(z.safeParse(username, '\u200bines.valadao\u202c ').data).toBe('ines.valadao');
  expect(z.safeParse(email, ' ines\u00ad@example.com\ufeff').data).toBe('ines@example.com');
});

/** The exact rules and texts of section V of the rows. */
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

const messageOf = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).error?.issues[0]?.message;

test('a username is as long as a field for it, at most', () => {
  expect(messageOf(username, 'x'.repeat(USERNAME_LENGTH))).toBeUndefined();
  expect(messageOf(username, 'x'.repeat(USERNAME_LENGTH + 1))).toBe('Please provide a valid username.');
});

describe('e-mail (V1)', () => {
  test.each(['a@b.co', 'a@b.com', 'first.last@sub.example.org', 'a-b_c+tag@ex-ample.com'])(
    '%s is accepted',
    (value) => {
      expect(messageOf(email, value)).toBeUndefined();
    },
  );
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
  ])('%s is refused', (value) => {
    expect(messageOf(email, value)).toBe('Invalid email');
  });
  test('a text made to be slow is refused at once', () => {
    const start = Date.now();
    for (const sign of ['a_', 'a.', 'a-', 'a']) {
      expect(messageOf(email, `${sign.repeat(100_000)}!`)).toBe('Invalid email');
      expect(messageOf(email, `a@${sign.repeat(100_000)}!`)).toBe('Invalid email');
    }
    expect(Date.now() - start).toBeLessThan(5_000);
  });
  test('nothing asks for it', () => {
    expect(messageOf(email, '')).toBe('Please enter email');
    expect(messageOf(email, undefined)).toBe('Please enter email');
  });
});

describe('username (V2)', () => {
  test.each(['abcdef', 'a.b_c.d', 'A1234567890123456789'])('%s is accepted', (value) => {
    expect(messageOf(username, value)).toBeUndefined();
  });
  test.each(['abcde', 'a'.repeat(21), '.abcdef', 'abcdef_', 'ab..cdef', 'ab._cdef', 'abc def', 'abcdé1'])(
    '%s is refused',
    (value) => {
      expect(messageOf(username, value)).toBe('Please provide a valid username.');
    },
  );
  test('empty', () => expect(messageOf(username, '')).toBe('Cannot be empty'));
});

describe('password (V3)', () => {
  test.each(['Abcdefg1', 'Abc1!@#$%^&*', `Aa1${'x'.repeat(64)}`])('%s is accepted', (value) => {
    expect(messageOf(password, value)).toBeUndefined();
  });
  test('too short', () => expect(messageOf(password, 'Ab1')).toBe(PASSWORD_TOO_SHORT));
  test.each(['abcdefg1', 'ABCDEFG1', 'Abcdefgh', 'Abcdefg1 ', 'Abcdefg1ü'])('%s breaks the rule', (value) => {
    expect(messageOf(password, value)).toBe(PASSWORD_RULE);
  });
});

test('sign-up names what is missing (V4)', () => {
  const result = z.safeParse(registration, { username: 'abcdef', email: 'a@b.co', password: 'Abcdefg1' });
  expect(result.error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([
    ['accountType', 'Please select account type'],
  ]);
});

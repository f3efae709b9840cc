import { expect, test } from 'vitest';
import { parseReferralCode } from './referral-code.ts';

test.each([
  ['ABCD2345', 'ABCD2345'],
  ['abcd2345', 'ABCD2345'],
  ['  abcd 2345 ', 'ABCD2345'],
  ['https://stagedoor.example/r/ABCD2345', 'ABCD2345'],
  ['stagedoor.example/r/abcd2345/?as=fan#x', 'ABCD2345'],
])('%j yields the code %s', (input, code) => expect(parseReferralCode(input)).toBe(code));

test.each(['', '   ', 'abc', 'no code, sorry', 'x'.repeat(41), 'ä'.repeat(8)])(
  '%j yields no code and does not block the sign-up',
  (input) => expect(parseReferralCode(input)).toBe(''),
);

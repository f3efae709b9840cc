import { affiliateCode } from '@stagedoor/contract/finance/affiliates.ts';
import * as z from 'zod/mini';

/** Returns the code within the input, or an empty string, so that a wrong code never blocks the sign-up (row H4). */
export function parseReferralCode(input: string): string {
  const lastPart =
    input
      .trim()
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) ?? '';
  const code = lastPart.replace(/[\s-]/g, '').toUpperCase();
  return z.safeParse(affiliateCode, code).success ? code : '';
}

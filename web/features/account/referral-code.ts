/** Referral codes as people give them at sign-up (row H4): typed in any case, with spaces, or the whole link pasted. */
import { affiliateCode } from '@stagedoor/contract/affiliates.ts';
import * as z from 'zod/mini';

/** The code within what was given; empty where there can be none, so that nothing wrong is in the way of signing up. */
export function codeOf(given: string): string {
  const last =
    given
      .trim()
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) ?? '';
  const code = last.replace(/[\s-]/g, '').toUpperCase();
  return z.safeParse(affiliateCode, code).success ? code : '';
}

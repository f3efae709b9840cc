import { affiliateCode } from '@stagedoor/contract/affiliates.ts';
import * as z from 'zod/mini';

/** Returns the code within the input, or an empty string, so that a wrong code never blocks the sign-up (row H4). */
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

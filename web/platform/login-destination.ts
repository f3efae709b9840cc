/** Where a login leads (rows A9, A10). */

import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import { parseDestination } from '@stagedoor/contract/shared/destinations.ts';
import { readCookie, writeCookie } from './cookies.ts';
import { getHomePath, REFERRAL_URL_COOKIE } from './session.ts';

/** Returns `next`, else the saved address, which is used once, else the role's home page. */
export function getLoginDestination(
  next: string | null | undefined,
  saved: string | null | undefined,
  type: UserType | undefined,
  origin: string,
): string {
  return (parseDestination(next, origin) ?? parseDestination(saved, origin))?.path ?? getHomePath(type);
}

export function takeReferralUrl(): string | undefined {
  const saved = readCookie(REFERRAL_URL_COOKIE);
  if (saved !== undefined) writeCookie(REFERRAL_URL_COOKIE, '', 0);
  return saved;
}

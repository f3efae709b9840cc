/** Where a log-in leads (rows A9, A10). */
import type { UserType } from '@stagedoor/contract/accounts.ts';
import { readCookie, writeCookie } from './cookies.ts';
import { homeOf, ownDestination, REFERRAL_URL_COOKIE } from './session.ts';

/** Where to go after a log-in: `next`, else the saved address (used once), else the role's own page. */
export function afterLogin(
  next: string | null | undefined,
  saved: string | null | undefined,
  type: UserType | undefined,
  origin: string,
): string {
  return (ownDestination(next, origin) ?? ownDestination(saved, origin))?.path ?? homeOf(type);
}

/** Reads and removes the saved address. */
export function takeReferralUrl(): string | undefined {
  const saved = readCookie(REFERRAL_URL_COOKIE);
  if (saved !== undefined) writeCookie(REFERRAL_URL_COOKIE, '', 0);
  return saved;
}

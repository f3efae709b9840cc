/**
 * Guards a role's area: visitors are sent to the login page and return afterwards, other roles go to their own home
 * page (row A9).
 */
import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import { redirect } from 'react-router';
import { formatCookie } from '../platform/cookies.ts';
import { loginAddress, type PageLoad } from '../platform/page-data.ts';
import { getHomePath, REFERRAL_URL_COOKIE, REFERRAL_URL_SECONDS } from '../platform/session.ts';

export function requireUserType(type: UserType): PageLoad<null> {
  return async ({ url, viewer }) => {
    const user = await viewer();
    if (!user) {
      const saved = formatCookie(
        REFERRAL_URL_COOKIE,
        url.pathname + url.search,
        REFERRAL_URL_SECONDS,
        url.protocol === 'https:',
      );
      throw redirect(loginAddress(url), { headers: { 'set-cookie': saved } });
    }
    if (user.type !== type) throw redirect(getHomePath(user.type));
    return null;
  };
}

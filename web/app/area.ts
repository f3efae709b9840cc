/**
 * Guards a role's area: visitors are sent to the login page and return afterwards, other roles go to their own home
 * page (row A9).
 */
import type { UserType } from '@stagedoor/contract/accounts.ts';
import { redirect } from 'react-router';
import { formatCookie } from '../kernel/cookies.ts';
import { loginAddress, type PageLoad } from '../kernel/page-data.ts';
import { getHomePath, REFERRAL_URL_COOKIE, REFERRAL_URL_SECONDS } from '../kernel/session.ts';

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

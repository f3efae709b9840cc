/** The referral link `/r/:id`: remembers the code in a cookie, which the sign-up form reads, and leads there (row A10). */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { type LoaderFunctionArgs, redirect } from 'react-router';
import { cookieLine } from '../kernel/cookies.ts';
import { REFERRAL_CODE_COOKIE, REFERRAL_CODE_SECONDS } from '../kernel/session.ts';
import { visitContext } from '../kernel/visit.ts';

const CODE = /^[A-Za-z0-9_-]{1,40}$/;

export function loader({ params, context }: LoaderFunctionArgs) {
  const code = params.id ?? '';
  const isSecure = context.get(visitContext).origin.startsWith('https:');
  if (!CODE.test(code)) return redirect(PATHS.signup);
  return redirect(PATHS.signup, {
    headers: { 'set-cookie': cookieLine(REFERRAL_CODE_COOKIE, code, REFERRAL_CODE_SECONDS, isSecure) },
  });
}

/**
 * Handles the forms that only set a cookie (theme, age notice), so that they work without script, and redirects back.
 */
import { parseDestination } from '@stagedoor/contract/shared/destinations.ts';
import { type ActionFunctionArgs, redirect } from 'react-router';
import { COLOR_SCHEME_COOKIE, COLOR_SCHEME_SECONDS, parseColorScheme } from '../platform/color-scheme.ts';
import { formatCookie } from '../platform/cookies.ts';
import { requestContextKey } from '../platform/request-context.ts';
import { AGE_COOKIE, AGE_SECONDS } from '../platform/session.ts';

export async function action({ request, context }: ActionFunctionArgs) {
  const { origin } = context.get(requestContextKey);
  const form = await request.formData();
  const isSecure = origin.startsWith('https:');
  const next = form.get('next');
  const headers = new Headers();
  if (form.get('age') === '1') headers.append('set-cookie', formatCookie(AGE_COOKIE, '1', AGE_SECONDS, isSecure));
  if (form.has('theme')) {
    const theme = parseColorScheme(String(form.get('theme')));
    headers.append(
      'set-cookie',
      formatCookie(COLOR_SCHEME_COOKIE, theme ?? '', theme ? COLOR_SCHEME_SECONDS : 0, isSecure),
    );
  }
  return redirect(parseDestination(typeof next === 'string' ? next : null, origin)?.path ?? '/', {
    status: 303,
    headers,
  });
}

export const loader = () => redirect('/');

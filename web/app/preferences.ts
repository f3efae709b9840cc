/**
 * Handles the forms that only set a cookie (theme, age notice), so that they work without script, and redirects back.
 */
import { type ActionFunctionArgs, redirect } from 'react-router';
import { cookieLine } from '../kernel/cookies.ts';
import { AGE_COOKIE, AGE_SECONDS, ownDestination } from '../kernel/session.ts';
import { asTheme, THEME_COOKIE, THEME_SECONDS } from '../kernel/theme.ts';
import { visitContext } from '../kernel/visit.ts';

export async function action({ request, context }: ActionFunctionArgs) {
  const { origin } = context.get(visitContext);
  const form = await request.formData();
  const isSecure = origin.startsWith('https:');
  const next = form.get('next');
  const headers = new Headers();
  if (form.get('age') === '1') headers.append('set-cookie', cookieLine(AGE_COOKIE, '1', AGE_SECONDS, isSecure));
  if (form.has('theme')) {
    const theme = asTheme(String(form.get('theme')));
    headers.append('set-cookie', cookieLine(THEME_COOKIE, theme ?? '', theme ? THEME_SECONDS : 0, isSecure));
  }
  return redirect(ownDestination(typeof next === 'string' ? next : null, origin)?.path ?? '/', {
    status: 303,
    headers,
  });
}

export const loader = () => redirect('/');

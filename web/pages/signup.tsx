import { accountType, registerCreator, registerCustomer } from '@stagedoor/contract/accounts.ts';
import { doorPath, PATHS } from '@stagedoor/contract/addresses.ts';
import { useEffect, useSyncExternalStore } from 'react';
import {
  type ActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaArgs,
  redirect,
  useActionData,
  useLoaderData,
  useRouteLoaderData,
  useSearchParams,
} from 'react-router';
import * as z from 'zod/mini';
import { AccountFrame, loadFrame } from '../features/account/account-frame.tsx';
import { CheckMail } from '../features/account/check-mail.tsx';
import { codeOf } from '../features/account/referral-code.ts';
import { useRegistered } from '../features/account/registered.ts';
import { SignupForm, signup } from '../features/account/signup-form.tsx';
import { afterLogin } from '../kernel/after-login.ts';
import { cookieLine, cookieOf, readCookie, writeCookie } from '../kernel/cookies.ts';
import { formValues, sendForm } from '../kernel/form-action.ts';
import { complaints } from '../kernel/forms.ts';
import { pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../kernel/page-data.ts';
import {
  forgetReferralCode,
  ownDestination,
  REFERRAL_CODE_COOKIE,
  REFERRAL_URL_COOKIE,
  REFERRAL_URL_SECONDS,
} from '../kernel/session.ts';
import { keepReferralCode, referralCode as keptCode } from '../kernel/storage.ts';
import { visitContext } from '../kernel/visit.ts';
import { type Door, DoorFrame, loadDoor, otherDoor } from './account/door.tsx';
import { isDevelopmentOf } from './account/root-facts.ts';

const load: PageLoad<Door | null> = async (page) => {
  const { client, viewer, url } = page;
  const who = await viewer();
  if (who) throw redirect(afterLogin(url.searchParams.get('next'), null, who.type, url.origin));
  const [door] = await Promise.all([loadDoor(page), loadFrame(client)]);
  return door;
};
export async function loader(args: LoaderFunctionArgs) {
  const door = await onServer(args, load);
  return {
    door,
    code: cookieOf(args.request.headers.get('cookie') ?? '', REFERRAL_CODE_COOKIE) ?? '',
  };
}
export async function clientLoader(args: ClientLoaderFunctionArgs) {
  const door = await inBrowser(args, load);
  return { door, code: readCookie(REFERRAL_CODE_COOKIE) ?? '' };
}

export async function action(args: ActionFunctionArgs) {
  const values = await formValues(args.request);
  const { username = '', email = '', password = '', referralCode = '' } = values;
  const type = z.safeParse(accountType, values.accountType);
  const body = {
    username,
    email,
    password,
    accountType: type.success ? type.data : 'creator',
    isGiveConsent: values.isGiveConsent === 'on',
    referralCode: codeOf(referralCode),
  } as const;
  // Validates everything here, because the server does not check the consent.
  const fields = complaints(signup, body);
  if (Object.keys(fields).length > 0)
    return data({ refused: { values: { ...values, password: '' }, fields, message: undefined } });
  const result =
    body.accountType === 'creator'
      ? await sendForm(args, registerCreator, { body }, values)
      : await sendForm(args, registerCustomer, { body }, values);
  if (!result.ok) return data({ refused: result.refused });
  const { origin } = args.context.get(visitContext);
  const isSecure = origin.startsWith('https:');
  const next = ownDestination(new URL(args.request.url).searchParams.get('next'), origin)?.path;
  const headers = new Headers({ 'set-cookie': cookieLine(REFERRAL_CODE_COOKIE, '', 0, isSecure) });
  if (next) headers.append('set-cookie', cookieLine(REFERRAL_URL_COOKIE, next, REFERRAL_URL_SECONDS, isSecure));
  return data({ registered: { username: result.body.username, email: result.body.email } }, { headers });
}

export const handle: PageHandle = { shell: 'none' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Create your account' });

const listenNever = () => () => undefined;

export default function Signup() {
  const { code, door } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const answer = useActionData<typeof action>();
  const sentHere = answer && 'registered' in answer ? answer.registered : undefined;
  const [registered, setRegistered] = useRegistered(sentHere);
  const kept = useSyncExternalStore(
    listenNever,
    () => keptCode(localStorage),
    () => '',
  );
  const isDevelopment = isDevelopmentOf(useRouteLoaderData('root'));
  useEffect(() => {
    // The referral code stays in storage until a registration succeeds. A newer link replaces it.
    if (sentHere) forgetReferralCode();
    else if (code) keepReferralCode(localStorage, code);
  }, [code, sentHere]);
  const refused = answer && 'refused' in answer ? answer.refused : undefined;
  if (registered && !refused) {
    return (
      <AccountFrame title="Check your email" other={{ href: PATHS.login, label: 'Log in' }}>
        <CheckMail
          registered={registered}
          isDevelopment={isDevelopment}
          otherHref={door ? doorPath(door.act, door.next) : PATHS.signup}
          onOther={() => setRegistered(undefined)}
          onSent={() => setRegistered({ username: registered.username, email: registered.email })}
        />
      </AccountFrame>
    );
  }
  return (
    <DoorFrame door={door} title="Create your account" other={otherDoor(door, 'signup')}>
      <SignupForm
        isFan={door !== null || search.get('as') === 'fan'}
        referralCode={code || kept}
        refused={refused}
        onRegistered={(who) => {
          // The login happens later through the link in the email, so the destination is stored in a cookie.
          if (door) writeCookie(REFERRAL_URL_COOKIE, door.next, REFERRAL_URL_SECONDS);
          setRegistered(who);
        }}
      />
    </DoorFrame>
  );
}

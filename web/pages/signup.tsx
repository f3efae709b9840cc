import { parseThemeCode } from '@stagedoor/contract/content/themes.ts';
import { accountType, registerCreator, registerCustomer } from '@stagedoor/contract/identity/accounts.ts';
import { loginPath, PATHS, signupGatePath } from '@stagedoor/contract/shared/addresses.ts';
import { signupWithThemePath, themeEditPath } from '@stagedoor/contract/shared/public-addresses.ts';
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
import { AccountFrame, loadAccountFrame } from '../modules/identity/accounts/account-frame.tsx';
import { CheckMail } from '../modules/identity/accounts/check-mail.tsx';
import { parseReferralCode } from '../modules/identity/accounts/referral-code.ts';
import { useSignedUpAccount } from '../modules/identity/accounts/signed-up-account.ts';
import { SignupForm, signupSchema } from '../modules/identity/accounts/signup-form.tsx';
import { localStore } from '../platform/browser-storage.ts';
import { formatCookie, parseCookie, readCookie, writeCookie } from '../platform/cookies.ts';
import { readFormValues, sendForm } from '../platform/form-action.ts';
import { validateFields } from '../platform/forms.ts';
import { getLoginDestination } from '../platform/login-destination.ts';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { requestContextKey } from '../platform/request-context.ts';
import {
  deleteReferralCode,
  parseDestination,
  REFERRAL_CODE_COOKIE,
  REFERRAL_URL_COOKIE,
  REFERRAL_URL_SECONDS,
} from '../platform/session.ts';
import { readReferralCode, saveReferralCode } from '../platform/storage.ts';
import { readIsDevelopment } from './account/root-fields.ts';
import { type GateTarget, getOtherGateLink, loadGate, SignupGate } from './account/signup-gate.tsx';
import * as texts from './texts.ts';

type SignupTarget = { gate: GateTarget | null; themeCode: string | undefined };

const load: PageLoad<GateTarget | null> = async (page) => {
  const { client, viewer, url } = page;
  const user = await viewer();
  if (user) throw redirect(getLoginDestination(url.searchParams.get('next'), null, user.type, url.origin));
  const [gate] = await Promise.all([loadGate(page), loadAccountFrame(client)]);
  return gate;
};

const readThemeCode = ({ url }: Pick<Request, 'url'>) => new URL(url).searchParams.get('theme') ?? '';
/** A code that is not valid is ignored, because it must not prevent the sign-up. */
function parseThemeParameter(request: Request): string | undefined {
  const code = readThemeCode(request);
  return parseThemeCode(code) && code;
}

export async function loader(args: LoaderFunctionArgs) {
  const gate = await loadOnServer(args, load);
  return {
    gate,
    themeCode: parseThemeParameter(args.request),
    code: parseCookie(args.request.headers.get('cookie') ?? '', REFERRAL_CODE_COOKIE) ?? '',
  };
}
export async function clientLoader(args: ClientLoaderFunctionArgs) {
  const gate = await loadInBrowser(args, load);
  // Not parsed, so that the page does not load the schema. The server ignores a code that is not valid.
  return { gate, themeCode: readThemeCode(args.request) || undefined, code: readCookie(REFERRAL_CODE_COOKIE) ?? '' };
}

export async function action(args: ActionFunctionArgs) {
  const values = await readFormValues(args.request);
  const { username = '', email = '', password = '', referralCode = '' } = values;
  const type = z.safeParse(accountType, values.accountType);
  const body = {
    username,
    email,
    password,
    accountType: type.success ? type.data : 'creator',
    isGiveConsent: values.isGiveConsent === 'on',
    referralCode: parseReferralCode(referralCode),
  } as const;
  const { searchParams: search } = new URL(args.request.url);
  const themeCode = parseThemeParameter(args.request);
  // Validates everything here, because the server does not check the consent.
  const fields = validateFields(signupSchema, body);
  if (Object.keys(fields).length > 0)
    return data({ refused: { values: { ...values, password: '' }, fields, message: undefined } });
  const result =
    body.accountType === 'creator'
      ? await sendForm(args, registerCreator, { body: { ...body, themeCode } }, values)
      : await sendForm(args, registerCustomer, { body }, values);
  if (!result.ok) return data({ refused: result.refusal });
  const { origin } = args.context.get(requestContextKey);
  const isSecure = origin.startsWith('https:');
  const next = themeCode ? themeEditPath(themeCode) : parseDestination(search.get('next'), origin)?.path;
  const headers = new Headers({ 'set-cookie': formatCookie(REFERRAL_CODE_COOKIE, '', 0, isSecure) });
  if (next) headers.append('set-cookie', formatCookie(REFERRAL_URL_COOKIE, next, REFERRAL_URL_SECONDS, isSecure));
  return data({ registered: { username: result.body.username, email: result.body.email } }, { headers });
}

export const handle: PageHandle = { shell: 'none' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.createYourAccount });

function getSignupHref({ gate, themeCode }: SignupTarget): string {
  if (themeCode) return signupWithThemePath(themeCode);
  return gate ? signupGatePath(gate.intent, gate.next) : PATHS.signup;
}

const listenNever = () => () => undefined;

export default function Signup() {
  const { code, gate, themeCode } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const actionData = useActionData<typeof action>();
  const newlyRegistered = actionData && 'registered' in actionData ? actionData.registered : undefined;
  const [registered, setRegistered] = useSignedUpAccount(newlyRegistered);
  const storedCode = useSyncExternalStore(
    listenNever,
    () => readReferralCode(localStore),
    () => '',
  );
  const isDevelopment = readIsDevelopment(useRouteLoaderData('root'));
  useEffect(() => {
    // The referral code stays in storage until a registration succeeds. A newer link replaces it.
    if (newlyRegistered) deleteReferralCode();
    else if (code) saveReferralCode(localStore, code);
  }, [code, newlyRegistered]);
  const refused = actionData && 'refused' in actionData ? actionData.refused : undefined;
  if (registered && !refused) {
    return (
      <AccountFrame title={texts.checkYourEmail} headerLink={{ href: PATHS.login, label: texts.logIn }}>
        <CheckMail
          account={registered}
          isDevelopment={isDevelopment}
          changeAddressHref={getSignupHref({ gate, themeCode })}
          onChangeAddress={() => setRegistered(undefined)}
          onSent={() => setRegistered({ username: registered.username, email: registered.email })}
        />
      </AccountFrame>
    );
  }
  return (
    <SignupGate
      gate={gate}
      title={themeCode ? texts.keepYourTheme : texts.createYourAccount}
      headerLink={
        themeCode ? { href: loginPath(themeEditPath(themeCode)), label: texts.logIn } : getOtherGateLink(gate, 'signup')
      }
    >
      {themeCode && <p className="mb-6 text-muted">{texts.keepYourThemeLead}</p>}
      <SignupForm
        isFan={gate !== null || search.get('as') === 'fan'}
        referralCode={code || storedCode}
        themeCode={themeCode}
        refusal={refused}
        onRegistered={(user) => {
          // The login happens later through the link in the email, so the destination is stored in a cookie.
          const next = themeCode ? themeEditPath(themeCode) : gate?.next;
          if (next) writeCookie(REFERRAL_URL_COOKIE, next, REFERRAL_URL_SECONDS);
          setRegistered(user);
        }}
      />
    </SignupGate>
  );
}

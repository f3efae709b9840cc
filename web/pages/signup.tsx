import { parseThemeCode } from '@stagedoor/contract/content/themes.ts';
import { accountType, registerCreator, registerCustomer } from '@stagedoor/contract/identity/accounts.ts';
import { PATHS, signupGatePath, signupPath } from '@stagedoor/contract/shared/addresses.ts';
import { parseDestination } from '@stagedoor/contract/shared/destinations.ts';
import { signupWithThemePath, themeEditPath } from '@stagedoor/contract/shared/public-addresses.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
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
import { type FormRefusal, readFormValues, sendForm } from '../platform/form-action.ts';
import { validateFields } from '../platform/forms.ts';
import { getLoginDestination } from '../platform/login-destination.ts';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { requestContextKey } from '../platform/request-context.ts';
import {
  deleteReferralCode,
  REFERRAL_CODE_COOKIE,
  REFERRAL_URL_COOKIE,
  REFERRAL_URL_SECONDS,
} from '../platform/session.ts';
import { readReferralCode, saveReferralCode } from '../platform/storage.ts';
import { readIsDevelopment } from './account/root-fields.ts';
import { type GateTarget, getOtherGateLink, loadGate, SignupGate } from './account/signup-gate.tsx';
import * as texts from './texts.ts';

type SignupTarget = { gate: GateTarget | null; themeCode: string | undefined; next: string | undefined };

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

/** The internal path at which the sign-up began, and to which the link in the email leads back. */
function readNext({ url }: Pick<Request, 'url'>, themeCode: string | undefined): string | undefined {
  const { searchParams, origin } = new URL(url);
  return themeCode ? themeEditPath(themeCode) : parseDestination(searchParams.get('next'), origin)?.path;
}

export async function loader(args: LoaderFunctionArgs) {
  const gate = await loadOnServer(args, load);
  const themeCode = parseThemeParameter(args.request);
  return {
    gate,
    themeCode,
    next: readNext(args.request, themeCode),
    code: parseCookie(args.request.headers.get('cookie') ?? '', REFERRAL_CODE_COOKIE) ?? '',
  };
}
export async function clientLoader(args: ClientLoaderFunctionArgs) {
  const gate = await loadInBrowser(args, load);
  // Not parsed, so that the page does not load the schema. The server ignores a code that is not valid.
  const themeCode = readThemeCode(args.request) || undefined;
  const next = readNext(args.request, themeCode);
  return { gate, themeCode, next, code: readCookie(REFERRAL_CODE_COOKIE) ?? '' };
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
  const themeCode = parseThemeParameter(args.request);
  const next = readNext(args.request, themeCode);
  // Validates everything here, because the server does not check the consent.
  const fields = validateFields(signupSchema, body);
  if (Object.keys(fields).length > 0)
    return data({ refused: { values: { ...values, password: '' }, fields, message: undefined } });
  const result =
    body.accountType === 'creator'
      ? await sendForm(args, registerCreator, { body: { ...body, next, themeCode } }, values)
      : await sendForm(args, registerCustomer, { body: { ...body, next } }, values);
  if (!result.ok) return data({ refused: result.refusal });
  const { origin } = args.context.get(requestContextKey);
  const isSecure = origin.startsWith('https:');
  const headers = new Headers({ 'set-cookie': formatCookie(REFERRAL_CODE_COOKIE, '', 0, isSecure) });
  if (next) headers.append('set-cookie', formatCookie(REFERRAL_URL_COOKIE, next, REFERRAL_URL_SECONDS, isSecure));
  return data({ registered: { username: result.body.username, email: result.body.email } }, { headers });
}

export const handle: PageHandle = { shell: 'none' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.createYourAccount });

function getSignupHref({ gate, themeCode, next }: SignupTarget): string {
  if (themeCode) return signupWithThemePath(themeCode);
  if (gate) return signupGatePath(gate.intent, gate.next);
  return next ? signupPath(next) : PATHS.signup;
}

function toAccountType(refused: FormRefusal | undefined): string | undefined {
  return refused?.values.accountType;
}

const listenNever = () => () => undefined;

export default function Signup() {
  const { code, gate, themeCode, next } = useLoaderData<typeof loader>();
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
  const isFan = gate !== null || search.get('as') === 'fan';
  const [chosenType, setChosenType] = useState(toAccountType(refused));
  const keepsTheme = themeCode !== undefined && (chosenType ?? (isFan ? 'customer' : 'creator')) !== 'customer';
  if (registered && !refused) {
    return (
      <AccountFrame title={texts.checkYourEmail} headerLink={{ href: PATHS.login, label: texts.logIn }}>
        <CheckMail
          account={registered}
          isDevelopment={isDevelopment}
          changeAddressHref={getSignupHref({ gate, themeCode, next })}
          onChangeAddress={() => setRegistered(undefined)}
          onSent={() => setRegistered({ username: registered.username, email: registered.email })}
        />
      </AccountFrame>
    );
  }
  return (
    <SignupGate
      gate={gate}
      title={keepsTheme ? texts.keepYourTheme : texts.createYourAccount}
      headerLink={getOtherGateLink(gate, 'signup', next)}
    >
      {themeCode && (
        <p className="mb-6 text-muted" role="status">
          {keepsTheme ? texts.keepYourThemeLead : texts.fanHasNoThemeLead}
        </p>
      )}
      <SignupForm
        isFan={isFan}
        referralCode={code || storedCode}
        themeCode={themeCode}
        next={next}
        refusal={refused}
        onAccountType={setChosenType}
        onRegistered={(user) => {
          // The link in the email leads to `next` on any device. The cookie serves a login without the link.
          if (next) writeCookie(REFERRAL_URL_COOKIE, next, REFERRAL_URL_SECONDS);
          setRegistered(user);
        }}
      />
    </SignupGate>
  );
}

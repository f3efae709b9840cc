import { DISPLAY_MODE_HEADER, login } from '@stagedoor/contract/identity/accounts.ts';
import { consentPath } from '@stagedoor/contract/shared/public-addresses.ts';
import {
  type ActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  redirect,
  useActionData,
  useLoaderData,
  useRouteLoaderData,
  useSearchParams,
} from 'react-router';
import { loadAccountFrame } from '../modules/identity/accounts/account-frame.tsx';
import { LoginForm, type LoginStep } from '../modules/identity/accounts/login-form.tsx';
import { formatCookie, parseCookie } from '../platform/cookies.ts';
import { type FormRefusal, readFormValues, sendForm } from '../platform/form-action.ts';
import { getLoginDestination } from '../platform/login-destination.ts';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { requestContextKey } from '../platform/request-context.ts';
import { REFERRAL_URL_COOKIE } from '../platform/session.ts';
import { Banner } from '../ui/states.tsx';
import { readHasEnded } from './account/root-fields.ts';
import { type GateTarget, getOtherGateLink, loadGate, SignupGate } from './account/signup-gate.tsx';
import * as texts from './texts.ts';

const load: PageLoad<GateTarget | null> = async (page) => {
  const { client, viewer, url } = page;
  const user = await viewer();
  if (user) throw redirect(getLoginDestination(url.searchParams.get('next'), null, user.type, url.origin));
  const [gate] = await Promise.all([loadGate(page), loadAccountFrame(client)]);
  return gate;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export async function action(
  args: ActionFunctionArgs,
): Promise<Response | { refused: FormRefusal | undefined; step: LoginStep }> {
  const { origin } = args.context.get(requestContextKey);
  const values = await readFormValues(args.request);
  const { username = '', password = '', code } = values;
  const result = await sendForm(args, login, { body: { username, password, ...(code && { code }) } }, values, {
    [DISPLAY_MODE_HEADER]: 'browser',
  });
  const retryRefusal = { values: { username }, fields: {}, message: undefined };
  if (!result.ok) return { refused: result.refusal, step: code === undefined ? 'password' : 'code' };
  if (result.body.isTwoFactorRequired)
    return { refused: { ...retryRefusal, message: texts.passwordWithCodeHint }, step: 'code' };
  if (result.body.isEmailVerificationRequired) return { refused: retryRefusal, step: 'unverified' };
  const saved = parseCookie(args.request.headers.get('cookie') ?? '', REFERRAL_URL_COOKIE);
  const to = getLoginDestination(new URL(args.request.url).searchParams.get('next'), saved, result.body.type, origin);
  // Consent to new legal texts comes first. Without any, that page redirects further.
  return redirect(consentPath(to), {
    status: 303,
    headers: { 'set-cookie': formatCookie(REFERRAL_URL_COOKIE, '', 0, origin.startsWith('https:')) },
  });
}

export const handle: PageHandle = { shell: 'none' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.logIn });

export default function Login() {
  const [search] = useSearchParams();
  const gate = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const hasEnded = readHasEnded(useRouteLoaderData('root'));
  return (
    <SignupGate
      gate={gate}
      title={texts.welcomeBack}
      headerLink={getOtherGateLink(gate, 'login', search.get('next') ?? undefined)}
    >
      {hasEnded && !actionData && (
        <div className="mb-6">
          <Banner inline>{texts.sessionExpired}</Banner>
        </div>
      )}
      <LoginForm next={search.get('next')} refusal={actionData?.refused} initialStep={actionData?.step ?? 'password'} />
    </SignupGate>
  );
}

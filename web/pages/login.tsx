import { DISPLAY_MODE_HEADER, login } from '@stagedoor/contract/accounts.ts';
import { agreePath } from '@stagedoor/contract/public-addresses.ts';
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
import { loadFrame } from '../features/account/account-frame.tsx';
import { LoginForm, type LoginStep } from '../features/account/login-form.tsx';
import { afterLogin } from '../kernel/after-login.ts';
import { cookieLine, cookieOf } from '../kernel/cookies.ts';
import { formValues, type Refused, sendForm } from '../kernel/form-action.ts';
import { pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../kernel/page-data.ts';
import { REFERRAL_URL_COOKIE } from '../kernel/session.ts';
import { visitContext } from '../kernel/visit.ts';
import { Banner } from '../ui/states.tsx';
import { type Door, DoorFrame, loadDoor, otherDoor } from './account/door.tsx';
import { hasEndedOf } from './account/root-facts.ts';

const load: PageLoad<Door | null> = async (page) => {
  const { client, viewer, url } = page;
  const who = await viewer();
  if (who) throw redirect(afterLogin(url.searchParams.get('next'), null, who.type, url.origin));
  const [door] = await Promise.all([loadDoor(page), loadFrame(client)]);
  return door;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export async function action(
  args: ActionFunctionArgs,
): Promise<Response | { refused: Refused | undefined; step: LoginStep }> {
  const { origin } = args.context.get(visitContext);
  const values = await formValues(args.request);
  const { username = '', password = '', code } = values;
  const result = await sendForm(args, login, { body: { username, password, ...(code && { code }) } }, values, {
    [DISPLAY_MODE_HEADER]: 'browser',
  });
  const again = { values: { username }, fields: {}, message: undefined };
  if (!result.ok) return { refused: result.refused, step: code === undefined ? 'password' : 'code' };
  if (result.body.isTwoFactorRequired)
    return { refused: { ...again, message: 'Enter your password again along with the code.' }, step: 'code' };
  if (result.body.isEmailVerificationRequired) return { refused: again, step: 'unverified' };
  const saved = cookieOf(args.request.headers.get('cookie') ?? '', REFERRAL_URL_COOKIE);
  const to = afterLogin(new URL(args.request.url).searchParams.get('next'), saved, result.body.type, origin);
  // Consent to new legal texts comes first. Without any, that page redirects further.
  return redirect(agreePath(to), {
    status: 303,
    headers: { 'set-cookie': cookieLine(REFERRAL_URL_COOKIE, '', 0, origin.startsWith('https:')) },
  });
}

export const handle: PageHandle = { shell: 'none' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Log in' });

export default function Login() {
  const [search] = useSearchParams();
  const door = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const hasEnded = hasEndedOf(useRouteLoaderData('root'));
  return (
    <DoorFrame door={door} title="Welcome back" other={otherDoor(door, 'login')}>
      {hasEnded && !answer && (
        <div className="mb-6">
          <Banner inline>Your session has expired. Log in again.</Banner>
        </div>
      )}
      <LoginForm next={search.get('next')} refused={answer?.refused} initialStep={answer?.step ?? 'password'} />
    </DoorFrame>
  );
}

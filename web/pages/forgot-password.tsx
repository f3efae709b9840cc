/** Without a token the page requests the email, with the token from the email it sets a new password. */

import { forgotPassword, resetPassword } from '@stagedoor/contract/accounts.ts';
import { PATHS } from '@stagedoor/contract/addresses.ts';
import {
  type ActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useActionData,
  useSearchParams,
} from 'react-router';
import { AccountFrame, loadFrame } from '../features/account/account-frame.tsx';
import { AskForReset, SetNewPassword } from '../features/account/password-reset.tsx';
import { formValues, sendForm } from '../kernel/form-action.ts';
import { pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../kernel/page-data.ts';

const load: PageLoad<null> = async ({ client }) => {
  await loadFrame(client);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export async function action(args: ActionFunctionArgs) {
  const values = await formValues(args.request);
  const { email = '', token, newPassword = '' } = values;
  const result =
    token === undefined
      ? await sendForm(args, forgotPassword, { body: { email } }, values)
      : await sendForm(args, resetPassword, { body: { token, newPassword } }, values);
  return result.ok ? { info: result.body.info, refused: undefined } : { info: undefined, refused: result.refused };
}

export const handle: PageHandle = { shell: 'none' };
export const meta = (args: MetaArgs) => [
  ...pageMeta(args, { title: 'Reset password' }),
  { name: 'referrer', content: 'strict-origin' },
];

export default function ForgotPassword() {
  const [search] = useSearchParams();
  const answer = useActionData<typeof action>();
  const token = search.get('token');
  if (token) {
    return (
      <AccountFrame title="Set a new password" other={{ href: PATHS.login, label: 'Log in' }}>
        <SetNewPassword token={token} refused={answer?.refused} info={answer?.info} />
      </AccountFrame>
    );
  }
  return (
    <AccountFrame
      title="Forgot your password?"
      lead="Enter your email and we’ll send you a link to reset your password."
      other={{ href: PATHS.login, label: 'Log in' }}
    >
      <AskForReset refused={answer?.refused} info={answer?.info} />
    </AccountFrame>
  );
}

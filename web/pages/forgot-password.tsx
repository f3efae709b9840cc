/** Without a token the page requests the email, with the token from the email it sets a new password. */

import { requestPasswordReset, resetPassword } from '@stagedoor/contract/identity/accounts.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import {
  type ActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useActionData,
  useSearchParams,
} from 'react-router';
import { AccountFrame, loadAccountFrame } from '../modules/identity/accounts/account-frame.tsx';
import { NewPasswordForm, PasswordResetRequestForm } from '../modules/identity/accounts/password-reset.tsx';
import { readFormValues, sendForm } from '../platform/form-action.ts';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import * as texts from './texts.ts';

const load: PageLoad<null> = async ({ client }) => {
  await loadAccountFrame(client);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export async function action(args: ActionFunctionArgs) {
  const values = await readFormValues(args.request);
  const { email = '', token, newPassword = '' } = values;
  const result =
    token === undefined
      ? await sendForm(args, requestPasswordReset, { body: { email } }, values)
      : await sendForm(args, resetPassword, { body: { token, newPassword } }, values);
  return result.ok ? { info: result.body.info, refused: undefined } : { info: undefined, refused: result.refusal };
}

export const handle: PageHandle = { shell: 'none' };
export const meta = (args: MetaArgs) => [
  ...createPageMeta(args, { title: texts.resetPassword }),
  { name: 'referrer', content: 'strict-origin' },
];

export default function ForgotPassword() {
  const [search] = useSearchParams();
  const actionData = useActionData<typeof action>();
  const token = search.get('token');
  if (token) {
    return (
      <AccountFrame title={texts.setANewPassword} headerLink={{ href: PATHS.login, label: texts.logIn }}>
        <NewPasswordForm token={token} refusal={actionData?.refused} info={actionData?.info} />
      </AccountFrame>
    );
  }
  return (
    <AccountFrame
      title={texts.forgotYourPassword}
      lead={texts.resetLinkHint}
      headerLink={{ href: PATHS.login, label: texts.logIn }}
    >
      <PasswordResetRequestForm refusal={actionData?.refused} info={actionData?.info} />
    </AccountFrame>
  );
}

/** Confirms the email address from the link in the email (row A3): immediately with script, by a button without. */

import { verifyEmail } from '@stagedoor/contract/identity/accounts.ts';
import { emailConfirmedPath, PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { useEffect, useRef, useState } from 'react';
import {
  type ActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  redirect,
  useActionData,
  useSearchParams,
} from 'react-router';
import { AccountFrame, loadAccountFrame } from '../modules/identity/accounts/account-frame.tsx';
import { ResendEmailButton } from '../modules/identity/accounts/resend-email-button.tsx';
import { ApiError } from '../platform/api-error.ts';
import { readFormValues, sendForm } from '../platform/form-action.ts';
import { createPageMeta } from '../platform/meta.ts';
import { api } from '../platform/mutation.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Banner } from '../ui/states.tsx';
import * as texts from './texts.ts';

const NO_LINK = texts.linkIncompleteRequestNewError;

/** Returns the result of the confirmation. A failed one has an empty email (row A3). */
async function confirmEmail(
  token: string,
): Promise<{ email: string; next?: string | undefined; error: boolean; message?: string }> {
  try {
    const { email, next } = await api(verifyEmail, { body: { token } }, { showErrorMessage: false });
    return { email, next, error: false };
  } catch (error) {
    return { email: '', error: true, ...(error instanceof ApiError && { message: error.message }) };
  }
}

const load: PageLoad<null> = async ({ client }) => {
  await loadAccountFrame(client);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export async function action(args: ActionFunctionArgs) {
  const values = await readFormValues(args.request);
  const result = await sendForm(args, verifyEmail, { body: { token: values.token ?? '' } }, values);
  return result.ok
    ? redirect(emailConfirmedPath(result.body.next), { status: 303 })
    : { message: result.refusal.message ?? NO_LINK };
}

export const handle: PageHandle = { shell: 'none' };
export const meta = (args: MetaArgs) => [
  ...createPageMeta(args, { title: texts.confirmYourEmail }),
  { name: 'referrer', content: 'strict-origin' },
];

function Failed({ message }: { message: string }) {
  const [username, setUsername] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const requireName = () => {
    setMissing(true);
    field.current?.focus();
  };
  return (
    <div className="form">
      <Banner kind="error">{message}</Banner>
      <TextField
        label={texts.usernameOrEmail}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={username}
        onChange={(event) => setUsername(event.target.value)}
        hint={texts.newConfirmationEmailHint}
        ref={field}
        error={isMissing && username.trim() === '' ? texts.cannotBeEmpty : undefined}
      />
      <ResendEmailButton username={username} onMissing={requireName} />
    </div>
  );
}

export default function ConfirmMail() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const actionData = useActionData<typeof action>();
  const [message, setMessage] = useState(actionData?.message ?? (token === '' ? NO_LINK : undefined));
  const hasStarted = useRef(false);
  useEffect(() => {
    if (token === '' || hasStarted.current) return;
    hasStarted.current = true;
    void confirmEmail(token).then((outcome) => {
      if (outcome.error) setMessage(outcome.message ?? NO_LINK);
      else location.replace(emailConfirmedPath(outcome.next));
    });
  }, [token]);
  return (
    <AccountFrame
      title={message ? texts.thatDidntWork : texts.oneMoment}
      headerLink={{ href: PATHS.login, label: texts.logIn }}
    >
      {message ? (
        <Failed message={message} />
      ) : (
        <form className="form" method="post">
          <p role="status">{texts.confirmingYourEmail}</p>
          <input type="hidden" name="token" value={token} />
          <noscript>
            <Button type="submit" variant="primary" size="lg" wide>
              {texts.confirmEmail}
            </Button>
          </noscript>
        </form>
      )}
    </AccountFrame>
  );
}

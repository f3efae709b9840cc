/** Shown after the email address is confirmed (row A3). Opened directly, it only explains its purpose. */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { type LoaderFunctionArgs, type MetaArgs, useSearchParams } from 'react-router';
import { AccountFrame, loadAccountFrame } from '../modules/identity/accounts/account-frame.tsx';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { Button } from '../ui/button.tsx';

const load: PageLoad<null> = async ({ client }) => {
  await loadAccountFrame(client);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);

export const handle: PageHandle = { shell: 'none', hydrate: false, query: ['confirmed'] };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: 'Confirm your email' });

function NothingToConfirm() {
  return (
    <AccountFrame
      title="Nothing to confirm"
      lead="To confirm your email, open the link we sent after you signed up. You can resend it from the login page."
      headerLink={{ href: PATHS.signup, label: 'Sign up' }}
    >
      <Button variant="primary" size="lg" wide href={PATHS.login}>
        Log in
      </Button>
    </AccountFrame>
  );
}

export default function SuccessMail() {
  const [search] = useSearchParams();
  if (!search.has('confirmed')) return <NothingToConfirm />;
  return (
    <AccountFrame title="You’re in" lead="Your email is confirmed. Log in to get started.">
      <Button variant="primary" size="lg" wide href={PATHS.login}>
        Log in
      </Button>
    </AccountFrame>
  );
}

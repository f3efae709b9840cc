/** Shown after the email address is confirmed (row A3). Opened directly, it only explains its purpose. */
import { loginPath, PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { parseDestination } from '@stagedoor/contract/shared/destinations.ts';
import { type LoaderFunctionArgs, type MetaArgs, useSearchParams } from 'react-router';
import { AccountFrame, loadAccountFrame } from '../modules/identity/accounts/account-frame.tsx';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { Button } from '../ui/button.tsx';
import * as texts from './texts.ts';

const load: PageLoad<null> = async ({ client }) => {
  await loadAccountFrame(client);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);

export const handle: PageHandle = { shell: 'none', hydrate: false, query: ['confirmed', 'next'], freeText: ['next'] };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.confirmYourEmail });

/** `next` is a path, so that no absolute address is of this origin. */
const INTERNAL_ORIGIN = 'https://stagedoor.invalid';

function NothingToConfirm() {
  return (
    <AccountFrame
      title={texts.nothingToConfirm}
      lead={texts.confirmEmailInstructions}
      headerLink={{ href: PATHS.signup, label: texts.signUp }}
    >
      <Button variant="primary" size="lg" wide href={PATHS.login}>
        {texts.logIn}
      </Button>
    </AccountFrame>
  );
}

export default function SuccessMail() {
  const [search] = useSearchParams();
  if (!search.has('confirmed')) return <NothingToConfirm />;
  const next = parseDestination(search.get('next'), INTERNAL_ORIGIN)?.path;
  return (
    <AccountFrame title={texts.youreIn} lead={next ? texts.emailConfirmedContinueHint : texts.emailConfirmedHint}>
      <Button variant="primary" size="lg" wide href={next ? loginPath(next) : PATHS.login}>
        {texts.logIn}
      </Button>
    </AccountFrame>
  );
}

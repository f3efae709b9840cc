/** The address is confirmed (row A3). */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { LoaderFunctionArgs, MetaArgs } from 'react-router';
import { AccountFrame, loadFrame } from '../features/account/account-frame.tsx';
import { pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { onServer, type PageLoad } from '../kernel/page-data.ts';
import { Button } from '../ui/button.tsx';

const load: PageLoad<null> = async ({ client }) => {
  await loadFrame(client);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);

export const handle: PageHandle = { shell: 'none', hydrate: false };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Address confirmed' });

export default function SuccessMail() {
  return (
    <AccountFrame title="You’re in." lead="Your address is confirmed. Log in, and look around.">
      <Button variant="primary" size="lg" wide href={PATHS.login}>
        Log in
      </Button>
    </AccountFrame>
  );
}

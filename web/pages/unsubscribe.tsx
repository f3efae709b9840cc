import { PATHS } from '@stagedoor/contract/addresses.ts';
import { UNSUBSCRIBE_PATH } from '@stagedoor/contract/notifications.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useSearchParams } from 'react-router';
import { AccountFrame, loadFrame } from '../features/account/account-frame.tsx';
import { pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../kernel/page-data.ts';
import { Button } from '../ui/button.tsx';
import { Banner } from '../ui/states.tsx';

const load: PageLoad<null> = async ({ client }) => {
  await loadFrame(client);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export const handle: PageHandle = { shell: 'none', hydrate: false, query: ['token', 'done'], freeText: ['token'] };
export const meta = (args: MetaArgs) => [
  ...pageMeta(args, { title: 'No more mails' }),
  { name: 'referrer', content: 'strict-origin' },
];

function Words({ token, isDone }: { token: string; isDone: boolean }) {
  if (isDone)
    return (
      <p role="status">
        You get no more mails of what you missed. Mails about your money and your account still come: those cannot be
        turned off.
      </p>
    );
  if (token === '') return <Banner kind="error">This link is not complete. Open it from the mail again.</Banner>;
  return (
    <form className="form" method="post" action={`${UNSUBSCRIBE_PATH}/${encodeURIComponent(token)}`}>
      <p>
        Shall we send you no more mails of what you missed? In the app and by push everything stays as it is, and your
        alerts’ page turns the mails on again.
      </p>
      <Button type="submit" variant="primary" size="lg" wide>
        No more of these mails
      </Button>
    </form>
  );
}

export default function Unsubscribe() {
  const [search] = useSearchParams();
  const isDone = search.has('done');
  return (
    <AccountFrame title={isDone ? 'Done.' : 'No more mails?'} other={{ href: PATHS.home, label: 'To Stagedoor' }}>
      <Words token={search.get('token') ?? ''} isDone={isDone} />
    </AccountFrame>
  );
}

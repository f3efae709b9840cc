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
  ...pageMeta(args, { title: 'Unsubscribe' }),
  { name: 'referrer', content: 'strict-origin' },
];

function Words({ token, isDone }: { token: string; isDone: boolean }) {
  if (isDone)
    return (
      <p role="status">
        You won’t get summary emails anymore. You’ll still get emails about payments and your account.
      </p>
    );
  if (token === '') return <Banner kind="error">This link is incomplete. Open it from the email again.</Banner>;
  return (
    <form className="form" method="post" action={`${UNSUBSCRIBE_PATH}/${encodeURIComponent(token)}`}>
      <p>
        Unsubscribe from summary emails? In-app and push notifications won’t change. You can turn emails back on in
        Notification settings.
      </p>
      <Button type="submit" variant="primary" size="lg" wide>
        Unsubscribe
      </Button>
    </form>
  );
}

export default function Unsubscribe() {
  const [search] = useSearchParams();
  const isDone = search.has('done');
  return (
    <AccountFrame
      title={isDone ? 'You’re unsubscribed' : 'Unsubscribe from emails?'}
      other={{ href: PATHS.home, label: 'Go to Stagedoor' }}
    >
      <Words token={search.get('token') ?? ''} isDone={isDone} />
    </AccountFrame>
  );
}

import { UNSUBSCRIBE_PATH } from '@stagedoor/contract/notifications/notifications.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useSearchParams } from 'react-router';
import { AccountFrame, loadAccountFrame } from '../modules/identity/accounts/account-frame.tsx';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { Button } from '../ui/button.tsx';
import { Banner } from '../ui/states.tsx';
import * as texts from './texts.ts';

const load: PageLoad<null> = async ({ client }) => {
  await loadAccountFrame(client);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export const handle: PageHandle = { shell: 'none', hydrate: false, query: ['token', 'done'], freeText: ['token'] };
export const meta = (args: MetaArgs) => [
  ...createPageMeta(args, { title: texts.unsubscribe }),
  { name: 'referrer', content: 'strict-origin' },
];

function UnsubscribeForm({ token, isDone }: { token: string; isDone: boolean }) {
  if (isDone) return <p role="status">{texts.unsubscribedHint}</p>;
  if (token === '') return <Banner kind="error">{texts.linkIncompleteOpenAgainError}</Banner>;
  return (
    <form className="form" method="post" action={`${UNSUBSCRIBE_PATH}/${encodeURIComponent(token)}`}>
      <p>{texts.unsubscribeConsequence}</p>
      <Button type="submit" variant="primary" size="lg" wide>
        {texts.unsubscribe}
      </Button>
    </form>
  );
}

export default function Unsubscribe() {
  const [search] = useSearchParams();
  const isDone = search.has('done');
  return (
    <AccountFrame
      title={isDone ? texts.youreUnsubscribed : texts.unsubscribeQuestion}
      headerLink={{ href: PATHS.home, label: texts.goToStagedoor }}
    >
      <UnsubscribeForm token={search.get('token') ?? ''} isDone={isDone} />
    </AccountFrame>
  );
}

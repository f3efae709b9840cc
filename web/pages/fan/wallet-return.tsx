import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { parseDestination } from '@stagedoor/contract/shared/destinations.ts';
import { useSyncExternalStore } from 'react';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useSearchParams } from 'react-router';
import { DepositReturn } from '../../modules/finance/wallet/deposit-return.tsx';
import { depositQuery } from '../../modules/finance/wallet/use-deposit-watch.ts';
import { sessionStore } from '../../platform/browser-storage.ts';
import { findDepositMemory } from '../../platform/deposit-memory.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';

import { Wordmark } from '../../ui/logo.tsx';
import { subscribeToNothing } from '../../ui/subscribe-to-nothing.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = { shell: 'none' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.payment });

const ORDER = 'orderId';

const load: PageLoad<null> = async ({ client, url }) => {
  const id = url.searchParams.get(ORDER);
  if (id) await client.prefetchQuery(depositQuery(id));
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

const readDepositId = () => findDepositMemory(sessionStore)?.depositId ?? '';
const readNext = () => parseDestination(findDepositMemory(sessionStore)?.next, location.origin)?.path ?? '';
const getEmpty = () => '';

export default function WalletReturn() {
  const [search] = useSearchParams();
  const storedId = useSyncExternalStore(subscribeToNothing, readDepositId, getEmpty);
  const next = useSyncExternalStore(subscribeToNothing, readNext, getEmpty);
  return (
    <div className="mx-auto w-full max-w-[680px] px-edge pb-20">
      <header className="flex min-h-16 items-center lg:min-h-22">
        <a href={PATHS.fanHome} aria-label={texts.stagedoorHome} className="flex min-h-11 items-center">
          <Wordmark />
        </a>
      </header>
      <main id="main" tabIndex={-1}>
        <DepositReturn id={search.get(ORDER) || storedId || 'unknown'} storedNext={next || undefined} />
      </main>
    </div>
  );
}

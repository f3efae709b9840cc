/** The fan's purchases (row C5), in posts and in chat. */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { PurchaseGrid, purchasesQuery } from '../../modules/content/posts/purchases.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { useContentProtection } from '../../platform/use-content-protection.ts';
import { Button } from '../../ui/button.tsx';
import { Tabs } from '../../ui/chips.tsx';
import { EmptyState, SkeletonCards } from '../../ui/states.tsx';
import { ChatMedia, chatMediaQuery, parseChatKind } from './chat-media.tsx';
import { KindChips, parseFeedKind } from './feed-filter.tsx';
import { CountedListing } from './listing.tsx';
import * as texts from './texts.ts';

const PATH = PATHS.fanMedia;

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.media });

const TABS = [
  { href: PATH, label: texts.posts },
  { href: `${PATH}?tab=chat`, label: texts.chat },
];
const isChat = (search: URLSearchParams) => search.get('tab') === 'chat';

const load: PageLoad<{ now: string }> = async ({ client, url }) => {
  const { searchParams: search } = url;
  await awaitOnServer(
    isChat(search)
      ? client.ensureInfiniteQueryData(chatMediaQuery(parseChatKind(search)))
      : client.ensureInfiniteQueryData(purchasesQuery(parseFeedKind(search))),
  );
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState line={texts.noPurchasesOfThisType} action={<Button href={PATH}>{texts.showAllPurchases}</Button>} />
    );
  return (
    <EmptyState
      line={texts.noPostPurchasesTitle}
      more={texts.noPostPurchasesHint}
      action={<Button href="/">{texts.findCreators}</Button>}
    />
  );
}

function Posts({ search, now }: { search: URLSearchParams; now: string }) {
  const kind = parseFeedKind(search);
  const query = useInfiniteQuery(purchasesQuery(kind));
  return (
    <>
      {(kind !== 'all' || query.data?.pages[0]?.totalCount !== 0) && <KindChips path={PATH} search={search} />}
      <CountedListing
        query={query}
        skeleton={<SkeletonCards className="grid grid-cols-2 gap-2 md:grid-cols-3 lg:gap-4 xl:grid-cols-4" />}
        empty={<Empty isFiltered={kind !== 'all'} />}
      >
        {(all) => <PurchaseGrid purchases={all} now={now} />}
      </CountedListing>
    </>
  );
}

export default function PurchasedMediaPage() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const isChatTab = isChat(search);
  useContentProtection(true);
  return (
    <div className="pt-7 lg:pt-10">
      <h1 className="display d2 mb-3">{texts.yourMedia}</h1>
      <Tabs className="mb-5" label={texts.yourMedia} tabs={TABS} current={isChatTab ? `${PATH}?tab=chat` : PATH} />
      {isChatTab ? <ChatMedia search={search} now={now} /> : <Posts search={search} now={now} />}
    </div>
  );
}

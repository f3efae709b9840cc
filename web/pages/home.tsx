/** The front page and discovery (row B1). */

import './home/visitor.css';
import {
  type CreatorCard,
  DISCOVER_SORTS,
  type discoverQuery,
  listCreators,
  SUBSCRIPTION_PRICE_FILTERS,
} from '@stagedoor/contract/content/profiles.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CATEGORIES, SEARCH_LENGTH } from '@stagedoor/contract/shared/limits.ts';
import { creatorsPath } from '@stagedoor/contract/shared/public-addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useSearchParams } from 'react-router';
import type * as z from 'zod/mini';
import { FollowButton } from '../modules/content/follows/follow-button.tsx';
import { CreatorGallery, CreatorStrip } from '../modules/content/profiles/creator-gallery.tsx';
import { buildAddress, parseOption } from '../platform/address.ts';
import { isolateText } from '../platform/bidi.ts';
import { lazyPart } from '../platform/lazy-part.ts';
import { createPageMeta, type PageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { apiInfiniteQuery, apiQuery, useApi } from '../platform/query.ts';
import { useViewer } from '../platform/session.ts';
import { toHomeJsonLd } from '../platform/structured-data.ts';
import { Button } from '../ui/button.tsx';
import { ChipLink, Chips, Tabs } from '../ui/chips.tsx';
import { SectionHead } from '../ui/label.tsx';
import { Pager } from '../ui/pager.tsx';
import { SearchForm } from '../ui/search-form.tsx';
import { EmptyState } from '../ui/states.tsx';
import { FrontEnd, FrontTop, loadFront } from './home/visitor-front.tsx';
import * as texts from './texts.ts';

/** It renders nothing until a new post arrives, so its code may load later than the page. */
const NewPosts = lazyPart(async () => (await import('./home/new-posts.tsx')).NewPosts);

type Discover = z.input<typeof discoverQuery>;

const PAGE_SIZE = 12;
const FRONT_SIZE = 6;
const STRIP_SIZE = 8;
const SORT_LABELS = {
  recommended: texts.forYou,
  new: texts.newTab,
  online: texts.onlineNow,
  following: texts.following,
} as const;

export const handle: PageHandle = {
  hydrate: false,
  query: ['category', 'sort', 'price', 'trial', 'offset'],
  freeText: ['search'],
};
export const meta = (args: MetaArgs<typeof loader>) => [
  ...createPageMeta(args, toListMeta(parseQuery(new URLSearchParams(args.location.search)))),
  ...(import.meta.env.SSR && args.loaderData?.isVisitor ? toHomeJsonLd(args) : []),
];

function toTitle({ search, category }: Discover): string {
  return search ? `“${isolateText(search)}”` : (category ?? texts.discoverCreators);
}

/** Returns the page metadata of a list. Only its first page is indexed. */
function toListMeta(query: Discover): PageMeta {
  const { search, category, sort = 'recommended', offset } = query;
  if (import.meta.env.SSR && isFrontPage(query)) return { path: '/' };
  const title = [category, sort !== 'recommended' && SORT_LABELS[sort]].filter(Boolean).join(' · ');
  return {
    title: search ? toTitle(query) : title || undefined,
    ...(import.meta.env.SSR && {
      path: creatorsPath({ ...query, trial: query.trial !== undefined }),
      isListed: !search && !offset && !query.price && !query.trial,
      ...(category && {
        description: formatText(texts.categoryDescription, { category }),
      }),
    }),
  };
}

function parseQuery(search: URLSearchParams): Discover {
  const category = parseOption(CATEGORIES, search.get('category'));
  const price = parseOption(SUBSCRIPTION_PRICE_FILTERS, search.get('price'));
  const trial = parseOption(['true'] as const, search.get('trial'));
  const offset = search.get('offset');
  return {
    search: (search.get('search') ?? '').slice(0, SEARCH_LENGTH),
    sort: parseOption(DISCOVER_SORTS, search.get('sort')) ?? 'recommended',
    limit: PAGE_SIZE,
    ...(category && { category }),
    ...(price && { price }),
    ...(trial && { trial }),
    ...(offset && { offset }),
  };
}

const isFrontPage = ({ search, category, price, trial, offset, sort }: Discover) =>
  !search && !category && !price && !trial && !offset && sort === 'recommended';

const stripRequest: { query: Discover } = { query: { sort: 'online', limit: STRIP_SIZE } };

function hasOnlineStrip(isVisitor: boolean, query: Discover): boolean {
  return import.meta.env.SSR && isVisitor ? isFrontPage(query) : !query.search;
}

const load: PageLoad<{ isVisitor: boolean }> = async ({ client, url, viewer }) => {
  const query = parseQuery(url.searchParams);
  const isVisitor = (await viewer()) === null;
  await Promise.all([
    client.ensureInfiniteQueryData(apiInfiniteQuery(listCreators, { query })),
    hasOnlineStrip(isVisitor, query) && client.ensureQueryData(apiQuery(listCreators, stripRequest)),
    import.meta.env.SSR && isVisitor && isFrontPage(query) && loadFront(client),
  ]);
  return { isVisitor };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function OnlineCreators() {
  const { data, totalCount } = useApi(listCreators, stripRequest);
  if (data.length === 0) return null;
  return (
    <section className="pt-7 pb-9 lg:pt-9 lg:pb-12" aria-labelledby="door">
      <SectionHead
        id="door"
        title={texts.onlineNow}
        end={formatText(texts.onlineCount, { totalCount: totalCount.toLocaleString('en-US') })}
        href="/?sort=online"
      />
      <CreatorStrip creators={data} />
    </section>
  );
}

function Front({ everyone }: { everyone: readonly CreatorCard[] }) {
  return <FrontTop everyone={everyone} onlineList={useApi(listCreators, stripRequest)} />;
}

function Filters({ search, query, isFront }: { search: URLSearchParams; query: Discover; isFront: boolean }) {
  /** Pressing a chip that is on turns it off. */
  const toChip = (name: 'category' | 'price' | 'trial', value: string, label = value) => (
    <ChipLink
      key={value}
      href={buildAddress('/', search, { [name]: query[name] === value ? undefined : value })}
      current={query[name] === value}
    >
      {label}
    </ChipLink>
  );
  return (
    <>
      {/* The front page shows the crafts in a larger form. */}
      {!isFront && (
        <Chips label={texts.categories}>
          <ChipLink href={buildAddress('/', search, { category: undefined })} current={query.category === undefined}>
            {texts.all}
          </ChipLink>
          {CATEGORIES.map((each) => toChip('category', each))}
        </Chips>
      )}
      <Chips label={texts.subscriptions} className="pt-2">
        {SUBSCRIPTION_PRICE_FILTERS.map((each) =>
          toChip('price', each, formatText(texts.upToPerMonth, { price: `$${each}` })),
        )}
        {toChip('trial', 'true', texts.freeTrial)}
      </Chips>
    </>
  );
}

function CreatorList({ query, search, isFront }: { query: Discover; search: URLSearchParams; isFront: boolean }) {
  const viewer = useViewer();
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    apiInfiniteQuery(listCreators, { query }),
  );
  const listed = data?.pages.flatMap((page) => page.data) ?? [];
  const creators = isFront ? listed.slice(0, FRONT_SIZE) : listed;
  const nextOffset = creators.length < listed.length ? String(creators.length) : data?.pages.at(-1)?.nextOffset;
  if (creators.length === 0) {
    const line = query.search
      ? formatText(texts.noCreatorsMatchSearch, { search: isolateText(query.search) })
      : query.sort === 'following'
        ? texts.notFollowingAnyoneTitle
        : texts.noCreatorsToShow;
    return <EmptyState line={line} action={<Button href="/">{texts.seeAllCreators}</Button>} />;
  }
  const more = viewer
    ? { onMore: hasNextPage ? () => void fetchNextPage() : undefined }
    : {
        moreHref: nextOffset && `${buildAddress('/', search, { offset: nextOffset })}#tonight`,
      };
  return (
    <>
      <CreatorGallery
        creators={creators}
        isFirst={!isFront}
        ratio={isFront ? '3 / 2' : undefined}
        renderFollow={(creator) => <FollowButton creator={creator} />}
      />
      <Pager {...more} busy={isFetchingNextPage} />
    </>
  );
}

export default function Home() {
  const viewer = useViewer();
  const [search] = useSearchParams();
  const query = parseQuery(search);
  // Only the server renders it, because visitors' pages have no script. Browser bundles leave it out.
  const isFront = import.meta.env.SSR && !viewer && isFrontPage(query);
  const everyone = useInfiniteQuery(apiInfiniteQuery(listCreators, { query })).data?.pages[0]?.data ?? [];
  const sorts = DISCOVER_SORTS.filter((sort) => sort !== 'following' || viewer?.type === 'customer');
  return (
    <>
      {isFront && <Front everyone={everyone} />}
      {viewer && hasOnlineStrip(false, query) && <OnlineCreators />}
      <section id="tonight" aria-labelledby="tonight-title" className={isFront ? 'pt-14 lg:pt-24' : 'pt-8 lg:pt-10'}>
        <div className="pb-6">
          <SectionHead id="tonight-title" title={toTitle(query)} level={isFront ? 2 : 1} size="d2" />
          {/* Visitors on wide screens have it in the top bar. */}
          <div id="search" className={viewer ? 'mb-5' : 'mb-5 lg:hidden'}>
            <SearchForm
              action="/"
              name="search"
              placeholder={texts.searchCreatorsHint}
              maxLength={SEARCH_LENGTH}
              defaultValue={query.search}
            >
              {(['category', 'price', 'trial'] as const).map(
                (name) => query[name] && <input key={name} type="hidden" name={name} value={query[name]} />,
              )}
            </SearchForm>
          </div>
          <Tabs
            label={texts.sortBy}
            className={isFront ? 'mb-3' : 'mb-5'}
            current={buildAddress('/', search, { sort: query.sort === 'recommended' ? undefined : query.sort })}
            tabs={sorts.map((sort) => ({
              href: buildAddress('/', search, { sort: sort === 'recommended' ? undefined : sort }),
              label: SORT_LABELS[sort],
            }))}
          />
          <Filters search={search} query={query} isFront={isFront} />
        </div>
        <CreatorList query={query} search={search} isFront={isFront} />
      </section>
      {isFront && <FrontEnd />}
      {viewer && (
        <Suspense fallback={null}>
          <NewPosts viewerId={viewer.id} />
        </Suspense>
      )}
    </>
  );
}

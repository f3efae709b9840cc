/** All public works (row B1), newest first or by craft. */

import { listWorks } from '@stagedoor/contract/content/discovery-works.ts';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CATEGORIES } from '@stagedoor/contract/shared/limits.ts';
import { PUBLIC_PATHS, worksPath } from '@stagedoor/contract/shared/public-addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useSearchParams } from 'react-router';
import { useProtectedPosts } from '../../modules/content/posts/post-card.tsx';
import { WorksGallery } from '../../modules/content/posts/works-gallery.tsx';
import { buildAddress, parseOption } from '../../platform/address.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiInfiniteQuery } from '../../platform/query.ts';
import { useViewer } from '../../platform/session.ts';
import { toWorksJsonLd } from '../../platform/structured-data.ts';
import { Button } from '../../ui/button.tsx';
import { ChipLink, Chips } from '../../ui/chips.tsx';
import { formatNodes } from '../../ui/format-nodes.ts';
import { UiLink } from '../../ui/link.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState } from '../../ui/states.tsx';
import * as texts from './texts.ts';

/** A multiple of six, so that the last row is complete. */
const PAGE_SIZE = 24;

export const handle: PageHandle = { hydrate: false, query: ['category', 'offset'] };

function parseQuery(search: URLSearchParams) {
  const category = parseOption(CATEGORIES, search.get('category'));
  const offset = search.get('offset');
  return { limit: PAGE_SIZE, ...(category && { category }), ...(offset && { offset }) };
}

export const meta = (args: MetaArgs<typeof loader>) => {
  const { category, offset } = parseQuery(new URLSearchParams(args.location.search));
  const metadata = createPageMeta(args, {
    title: category ? formatText(texts.categoryPageTitle, { category }) : texts.allPosts,
    ...(import.meta.env.SSR && {
      description: formatText(texts.worksDescription, {
        categoryPart: category ? formatText(texts.inCategory, { category }) : '',
      }),
      path: worksPath({ category, offset }),
      isListed: !offset || offset === '0',
    }),
  });
  // Only crawlers need this, and they have no session. Browser bundles leave it out.
  if (!import.meta.env.SSR || !args.loaderData?.structuredData) return metadata;
  const path = worksPath({ category, offset });
  return [...metadata, ...toWorksJsonLd(args, category ?? texts.allPosts, path, args.loaderData.structuredData)];
};

const load: PageLoad<{ structuredData?: readonly Post[] }> = async ({ client, url, viewer }) => {
  const [pages, user] = await Promise.all([
    client.ensureInfiniteQueryData(apiInfiniteQuery(listWorks, { query: parseQuery(url.searchParams) })),
    viewer(),
  ]);
  return import.meta.env.SSR && user === null ? { structuredData: pages.pages[0]?.data ?? [] } : {};
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function WorkList({ search }: { search: URLSearchParams }) {
  const viewer = useViewer();
  const query = parseQuery(search);
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    apiInfiniteQuery(listWorks, { query }),
  );
  const works = data?.pages.flatMap((page) => page.data) ?? [];
  useProtectedPosts(works);
  const nextOffset = data?.pages.at(-1)?.nextOffset;
  if (works.length === 0 && !nextOffset)
    return (
      <EmptyState line={texts.noPostsYet} action={<Button href={PUBLIC_PATHS.works}>{texts.seeAllPosts}</Button>} />
    );
  const more = viewer
    ? { onMore: hasNextPage ? () => void fetchNextPage() : undefined }
    : { moreHref: nextOffset && buildAddress(PUBLIC_PATHS.works, search, { offset: nextOffset }) };
  return (
    <>
      {works.length === 0 ? <EmptyState line={texts.emptyCategoryHint} /> : <WorksGallery works={works} isFirst />}
      <Pager {...more} busy={isFetchingNextPage} />
    </>
  );
}

export default function Works() {
  const [search] = useSearchParams();
  const { category, offset } = parseQuery(search);
  return (
    <>
      <div className="pt-7 pb-6 lg:pt-12">
        <h1 className="display d1">{category ?? texts.allPosts}</h1>
        <p className="mt-4 max-w-[40ch] text-lead text-muted">
          {formatNodes(texts.worksLead, { priceHint: <b className="font-semibold text-text">{texts.priceNote}</b> })}
        </p>
      </div>
      <Chips label={texts.categories} className="mb-6 lg:mb-8">
        <ChipLink href={PUBLIC_PATHS.works} current={category === undefined}>
          {texts.allCategories}
        </ChipLink>
        {CATEGORIES.map((each) => (
          <ChipLink
            key={each}
            href={buildAddress(PUBLIC_PATHS.works, search, { category: each })}
            current={category === each}
          >
            {each}
          </ChipLink>
        ))}
      </Chips>
      {offset && offset !== '0' && (
        <p className="pb-4">
          <UiLink
            href={buildAddress(PUBLIC_PATHS.works, search, {})}
            className="link inline-flex min-h-11 items-center"
          >
            {texts.backToNewest}
          </UiLink>
        </p>
      )}
      <WorkList search={search} />
    </>
  );
}

/**
 * Compares a visitor's pages, cached and uncached, with prepared bytes and with bare React rendering, and measures how
 * they grow with posts.
 */
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Crowd, ensureCrowd } from './fixtures/crowd.ts';
import { listBenchPostIds } from './fixtures/posts.ts';
import { toBenchUserId } from './fixtures/users.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import { calculateRatio, formatSamples, getCpuMs, interleave, type LoadSample } from './harness/rounds.ts';
import type { RegisteredPage, RegisterPageJob } from './servers/react.ts';

const CLIENTS = 4;
/** Distinct pages that are requested once each, more than a measurement reaches. */
const UNIQUE_PAGES = 60_000;
const CATEGORIES = ['Music', 'Ceramics', 'Dance', 'Photography', 'Kitchen', 'Strength', 'Paper%20%26%20print', 'Film'];

export const BROWSER_HEADERS = [
  'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'accept-encoding: gzip, deflate, br, zstd',
  'accept-language: en-GB,en;q=0.9',
  'sec-fetch-dest: document',
  'sec-fetch-mode: navigate',
  'sec-fetch-site: cross-site',
  'upgrade-insecure-requests: 1',
].join('\r\n');
/** Rendering a page takes milliseconds, and V8 needs thousands of renderings until the code is compiled. */
export const WARM_SECONDS = 8;

async function startProduct(context: BenchContext, { url }: Crowd, name: string, hasPages: boolean): Promise<Child> {
  const dataDir = join(context.folder, name);
  await mkdir(dataDir, { recursive: true });
  return startChild('servers/product.ts', [url, dataDir, ...(hasPages ? ['pages'] : [])]);
}

export async function fetchBytes({ port }: Child, path: string): Promise<Uint8Array> {
  const headers = Object.fromEntries(BROWSER_HEADERS.split('\r\n').map((line) => line.split(': ', 2)));
  const sent = request({ host: '127.0.0.1', port, path, headers }).end();
  const [response] = await once(sent, 'response');
  if (!(response instanceof IncomingMessage) || response.statusCode !== 200) throw new Error(`${path} is not a page`);
  return buffer(response);
}

export async function measurePages(context: BenchContext): Promise<BenchResult> {
  const { options, postgres, logProgress } = context;
  const large = await ensureCrowd(context, 'large');
  const small = await ensureCrowd(context, 'small');
  const loader = await startLoader();
  const product = await startProduct(context, large, 'pages', true);
  const onSmall = await startProduct(context, small, 'pages-small', false);
  const raw = await startChild('servers/raw.ts');
  const react = await startChild('servers/react.ts');
  const newest = await withDatabase(large.url, (db) => listBenchPostIds(db, UNIQUE_PAGES, false));
  const newestSmall = await withDatabase(small.url, (db) => listBenchPostIds(db, 500, false));

  const [post = ''] = newest;
  const profile = `/profile/${toBenchUserId('creator', 0)}`;
  await raw.request(await fetchBytes(product, profile));
  const get = (server: Child, paths: readonly string[]) => {
    let first = 0;
    return async (seconds: number): Promise<LoadSample> => {
      const sample = await measureHttp({ loader, postgres }, server, {
        method: 'GET',
        connections: CLIENTS,
        seconds,
        headers: [BROWSER_HEADERS],
        paths,
        first,
      });
      first += sample.count + CLIENTS;
      return sample;
    };
  };
  const profiles = Array.from({ length: large.creators }, (_, n) => `/profile/${toBenchUserId('creator', n)}`);
  const registerPage = (name: string, path: string) =>
    react.request<RegisteredPage>({ name, port: product.port, path } satisfies RegisterPageJob);
  const listPaths = CATEGORIES.flatMap((category) =>
    // So many that a page is no longer cached when it is requested again.
    Array.from(
      { length: Math.max(100, large.creators / CATEGORIES.length - 100) },
      (_, n) => `/?category=${category}&offset=${n + 1}`,
    ),
  );
  const sharesByPage: Record<string, RegisteredPage> = {
    home: await registerPage('home', listPaths[0] ?? '/'),
    profile: await registerPage('profile', profile),
    post: await registerPage('post', `/post/${post}`),
  };
  for (const [name, { share }] of Object.entries(sharesByPage))
    if (Math.abs(share - 1) > 0.05) throw new Error(`${Math.round(share * 100)} % of ${name}'s markup was rendered.`);
  const pageSamples = await interleave(
    options,
    {
      raw: get(raw, ['/']),
      react: get(react, ['/']),
      homeMarkup: get(react, ['/markup/home']),
      profileMarkup: get(react, ['/markup/profile']),
      postMarkup: get(react, ['/markup/post']),
      homeTree: get(react, ['/tree/home']),
      profileTree: get(react, ['/tree/profile']),
      postTree: get(react, ['/tree/post']),
      homeCached: get(product, ['/']),
      profileCached: get(product, [profile]),
      postCached: get(product, [`/post/${post}`]),
      home: get(product, listPaths),
      profile: get(product, profiles),
      post: get(
        product,
        newest.map((id) => `/post/${id}`),
      ),
    },
    logProgress,
    WARM_SECONDS,
  );

  const createApiVariants = (server: Child, { creators }: Crowd, ids: readonly string[]) => {
    const creatorIds = Array.from({ length: Math.min(creators, 1_000) }, (_, n) => toBenchUserId('creator', n));
    return {
      home: get(server, ['/api/public/creators?limit=12']),
      profile: get(
        server,
        creatorIds.map((id) => `/api/public/profile/${id}`),
      ),
      posts: get(
        server,
        creatorIds.map((id) => `/api/public/posts/${id}?limit=12`),
      ),
      post: get(
        server,
        ids.slice(0, 500).map((id) => `/api/post/${id}`),
      ),
    };
  };
  const largeVariants = createApiVariants(product, large, newest);
  const smallVariants = createApiVariants(onSmall, small, newestSmall);
  const growth = await interleave(
    options,
    {
      'home, large': largeVariants.home,
      'home, small': smallVariants.home,
      'profile, large': largeVariants.profile,
      'profile, small': smallVariants.profile,
      'posts, large': largeVariants.posts,
      'posts, small': smallVariants.posts,
      'post, large': largeVariants.post,
      'post, small': smallVariants.post,
    },
    logProgress,
  );
  for (const child of [product, onSmall, raw, react]) await child.stop();
  await loader.stop();

  const figure = (
    name: string,
    ours: readonly LoadSample[],
    limit: readonly LoadSample[],
    atMost?: number,
  ): Figure => ({
    name,
    ours: formatSamples(ours),
    limit: formatSamples(limit),
    ratio: calculateRatio(ours, limit, getCpuMs),
    ...(atMost && { aim: { atMost } }),
  });
  const grown = (['home', 'profile', 'posts', 'post'] as const).map((kind) =>
    figure(
      `${kind}'s data: ${large.posts.toLocaleString('en')} posts ÷ ${small.posts.toLocaleString('en')}`,
      growth[`${kind}, large`],
      growth[`${kind}, small`],
      1.1,
    ),
  );
  return {
    bench: 'pages',
    reading:
      'CPU per request (Node and PostgreSQL) of a visitor’s pages: cached (kept) pages ÷ node:http sending the same bytes, uncached pages ÷ bare React renders with prepared data (of the page’s own components, of its elements alone, and of 20 posts), and the cost of their data with many posts ÷ few. Less is better.',
    figures: [
      figure('home, cached ÷ raw node:http', pageSamples.homeCached, pageSamples.raw, 4.5),
      figure('profile, cached ÷ raw node:http', pageSamples.profileCached, pageSamples.raw, 4.5),
      figure('post, cached ÷ raw node:http', pageSamples.postCached, pageSamples.raw, 4.5),
      figure('home, not cached ÷ its components, bare', pageSamples.home, pageSamples.homeTree, 3),
      figure('profile, not cached ÷ its components, bare', pageSamples.profile, pageSamples.profileTree, 3),
      figure('post, not cached ÷ its components, bare', pageSamples.post, pageSamples.postTree, 3),
      figure('home, not cached ÷ its elements, bare', pageSamples.home, pageSamples.homeMarkup),
      figure('profile, not cached ÷ its elements, bare', pageSamples.profile, pageSamples.profileMarkup),
      figure('post, not cached ÷ its elements, bare', pageSamples.post, pageSamples.postMarkup),
      figure('home, not cached ÷ bare React of 20 posts', pageSamples.home, pageSamples.react, 3),
      figure('profile, not cached ÷ bare React of 20 posts', pageSamples.profile, pageSamples.react, 3),
      figure('post, not cached ÷ bare React of 20 posts', pageSamples.post, pageSamples.react, 3),
      ...grown,
    ],
    notes: ['A page is not cached at its first request, and here every request is for another page.'],
  };
}

/**
 * Compares a visitor's pages, cached and uncached, with prepared bytes and with bare React rendering, and measures how
 * they grow with posts.
 */
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Child, startChild, startLoader } from './harness/child.ts';
import { withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { Figure, Result } from './harness/report.ts';
import { cpuOf, interleave, ratioOf, type Sample, shown } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import type { Taken, TakePage } from './servers/react.ts';
import { type Crowd, crowd } from './worlds/crowd.ts';
import { personId } from './worlds/people.ts';
import { postIds } from './worlds/posts.ts';

const CLIENTS = 4;
/** Distinct pages that are requested once each, more than a measurement reaches. */
const ONCE = 60_000;
const CATEGORIES = ['Music', 'Ceramics', 'Dance', 'Photography', 'Kitchen', 'Strength', 'Paper%20%26%20print', 'Film'];

export const BROWSER = [
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

async function openProduct(stage: Stage, { url }: Crowd, name: string, pages: boolean): Promise<Child> {
  const dataDir = join(stage.folder, name);
  await mkdir(dataDir, { recursive: true });
  return startChild('servers/product.ts', [url, dataDir, ...(pages ? ['pages'] : [])]);
}

export async function bytesOf({ port }: Child, path: string): Promise<Uint8Array> {
  const headers = Object.fromEntries(BROWSER.split('\r\n').map((line) => line.split(': ', 2)));
  const asked = request({ host: '127.0.0.1', port, path, headers }).end();
  const [answer] = await once(asked, 'response');
  if (!(answer instanceof IncomingMessage) || answer.statusCode !== 200) throw new Error(`${path} is no page`);
  return buffer(answer);
}

export async function pages(stage: Stage): Promise<Result> {
  const { options, postgres, tell } = stage;
  const large = await crowd(stage, 'large');
  const small = await crowd(stage, 'small');
  const loader = await startLoader();
  const product = await openProduct(stage, large, 'pages', true);
  const onSmall = await openProduct(stage, small, 'pages-small', false);
  const raw = await startChild('servers/raw.ts');
  const react = await startChild('servers/react.ts');
  const newest = await withDatabase(large.url, (db) => postIds(db, ONCE, false));
  const newestSmall = await withDatabase(small.url, (db) => postIds(db, 500, false));

  const [post = ''] = newest;
  const profile = `/profile/${personId('creator', 0)}`;
  await raw.ask(await bytesOf(product, profile));
  const get = (server: Child, paths: readonly string[]) => {
    let first = 0;
    return async (seconds: number): Promise<Sample> => {
      const sample = await measureHttp({ loader, postgres }, server, {
        method: 'GET',
        connections: CLIENTS,
        seconds,
        headers: [BROWSER],
        paths,
        first,
      });
      first += sample.count + CLIENTS;
      return sample;
    };
  };
  const profiles = Array.from({ length: large.creators }, (_, n) => `/profile/${personId('creator', n)}`);
  const takePage = (name: string, path: string) =>
    react.ask<Taken>({ name, port: product.port, path } satisfies TakePage);
  const walls = CATEGORIES.flatMap((category) =>
    Array.from({ length: 400 }, (_, n) => `/?category=${category}&offset=${n + 1}`),
  );
  const shares: Record<string, Taken> = {
    home: await takePage('home', walls[0] ?? '/'),
    profile: await takePage('profile', profile),
    post: await takePage('post', `/post/${post}`),
  };
  for (const [name, { share }] of Object.entries(shares))
    if (Math.abs(share - 1) > 0.05) throw new Error(`Of ${name}'s markup ${Math.round(share * 100)} % was rendered.`);
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
      homeKept: get(product, ['/']),
      profileKept: get(product, [profile]),
      postKept: get(product, [`/post/${post}`]),
      home: get(product, walls),
      profile: get(product, profiles),
      post: get(
        product,
        newest.map((id) => `/post/${id}`),
      ),
    },
    tell,
    WARM_SECONDS,
  );

  const api = (server: Child, { creators }: Crowd, ids: readonly string[]) => {
    const people = Array.from({ length: Math.min(creators, 1_000) }, (_, n) => personId('creator', n));
    return {
      home: get(server, ['/api/public/creators?limit=12']),
      profile: get(
        server,
        people.map((id) => `/api/public/profile/${id}`),
      ),
      posts: get(
        server,
        people.map((id) => `/api/public/posts/${id}?limit=12`),
      ),
      post: get(
        server,
        ids.slice(0, 500).map((id) => `/api/post/${id}`),
      ),
    };
  };
  const onLarge = api(product, large, newest);
  const onLittle = api(onSmall, small, newestSmall);
  const growth = await interleave(
    options,
    {
      'home, large': onLarge.home,
      'home, small': onLittle.home,
      'profile, large': onLarge.profile,
      'profile, small': onLittle.profile,
      'posts, large': onLarge.posts,
      'posts, small': onLittle.posts,
      'post, large': onLarge.post,
      'post, small': onLittle.post,
    },
    tell,
  );
  for (const child of [product, onSmall, raw, react]) await child.stop();
  await loader.stop();

  const figure = (name: string, ours: readonly Sample[], limit: readonly Sample[], atMost?: number): Figure => ({
    name,
    ours: shown(ours),
    limit: shown(limit),
    ratio: ratioOf(ours, limit, cpuOf),
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
      'CPU a request (node and PostgreSQL) of a visitor’s pages: kept ones ÷ node:http sending the same bytes, others ÷ bare React renders with data in hand (of the page’s own components, of its elements alone, and of 20 posts), and what their data costs with many posts ÷ few. Less is better.',
    figures: [
      figure('home, kept ÷ raw node:http', pageSamples.homeKept, pageSamples.raw, 4.5),
      figure('profile, kept ÷ raw node:http', pageSamples.profileKept, pageSamples.raw, 4.5),
      figure('post, kept ÷ raw node:http', pageSamples.postKept, pageSamples.raw, 4.5),
      figure('home, not kept ÷ its components, bare', pageSamples.home, pageSamples.homeTree, 3),
      figure('profile, not kept ÷ its components, bare', pageSamples.profile, pageSamples.profileTree, 3),
      figure('post, not kept ÷ its components, bare', pageSamples.post, pageSamples.postTree, 3),
      figure('home, not kept ÷ its elements, bare', pageSamples.home, pageSamples.homeMarkup),
      figure('profile, not kept ÷ its elements, bare', pageSamples.profile, pageSamples.profileMarkup),
      figure('post, not kept ÷ its elements, bare', pageSamples.post, pageSamples.postMarkup),
      figure('home, not kept ÷ bare React of 20 posts', pageSamples.home, pageSamples.react, 3),
      figure('profile, not kept ÷ bare React of 20 posts', pageSamples.profile, pageSamples.react, 3),
      figure('post, not kept ÷ bare React of 20 posts', pageSamples.post, pageSamples.react, 3),
      ...grown,
    ],
    notes: ['A page is not kept when it is asked for the first time; here every request is for another page.'],
  };
}

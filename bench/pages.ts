/** A visitor's pages, kept and not kept, beside bytes that lie ready and a bare React render; and their growth with posts. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Child, startChild, startLoader } from './harness/child.ts';
import { withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { Figure, Result } from './harness/report.ts';
import { cpuOf, interleave, ratioOf, type Sample, shown } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import { type Crowd, crowd } from './worlds/crowd.ts';
import { personId } from './worlds/people.ts';
import { postIds } from './worlds/posts.ts';

const CLIENTS = 4;
/** Distinct pages that are asked for once each: more than a measurement reaches. */
const ONCE = 60_000;
const CATEGORIES = ['Music', 'Ceramics', 'Dance', 'Photography', 'Kitchen', 'Strength', 'Paper%20%26%20print', 'Film'];

async function openProduct(stage: Stage, { url }: Crowd, name: string, pages: boolean): Promise<Child> {
  const dataDir = join(stage.folder, name);
  await mkdir(dataDir, { recursive: true });
  return startChild('servers/product.ts', [url, dataDir, ...(pages ? ['pages'] : [])]);
}

async function bytesOf(server: Child, path: string): Promise<Uint8Array> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
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
  // What a browser gets: the raw server sends the same bytes as the kept page.
  await raw.ask(await bytesOf(product, profile));
  const get = (server: Child, paths: readonly string[]) => {
    let first = 0;
    return async (seconds: number): Promise<Sample> => {
      const sample = await measureHttp({ loader, postgres }, server, {
        method: 'GET',
        connections: CLIENTS,
        seconds,
        headers: ['accept-encoding: br'],
        paths,
        first,
      });
      first += sample.count + CLIENTS;
      return sample;
    };
  };
  const profiles = Array.from({ length: large.creators }, (_, n) => `/profile/${personId('creator', n)}`);
  const walls = CATEGORIES.flatMap((category) =>
    Array.from({ length: 400 }, (_, n) => `/?category=${category}&offset=${n + 1}`),
  );
  const pageSamples = await interleave(
    options,
    {
      raw: get(raw, ['/']),
      react: get(react, ['/']),
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

  const figure = (name: string, ours: readonly Sample[], limit: readonly Sample[], atMost: number): Figure => {
    return { name, ours: shown(ours), limit: shown(limit), ratio: ratioOf(ours, limit, cpuOf), aim: { atMost } };
  };
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
      'CPU a request (node and PostgreSQL) of a visitor’s pages: kept ones ÷ node:http sending the same bytes, others ÷ a bare React render of 20 posts, and what their data costs with many posts ÷ few. Less is better.',
    figures: [
      figure('home, kept ÷ raw node:http', pageSamples.homeKept, pageSamples.raw, 4.5),
      figure('profile, kept ÷ raw node:http', pageSamples.profileKept, pageSamples.raw, 4.5),
      figure('post, kept ÷ raw node:http', pageSamples.postKept, pageSamples.raw, 4.5),
      figure('home, not kept ÷ bare React', pageSamples.home, pageSamples.react, 3),
      figure('profile, not kept ÷ bare React', pageSamples.profile, pageSamples.react, 3),
      figure('post, not kept ÷ bare React', pageSamples.post, pageSamples.react, 3),
      ...grown,
    ],
    notes: ['A page is not kept when it is asked for the first time; here every request is for another page.'],
  };
}

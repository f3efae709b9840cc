/**
 * Compares searches over many creators with searches over few, and measures the memory that a sitemap of many posts
 * takes.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { runSql } from '../server/kernel/db.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import { settleDatabase, withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { Figure, Result } from './harness/report.ts';
import { cpuOf, exactly, interleave, ratioOf, type Sample, shown } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import { makeCreators } from './worlds/people.ts';
import { makePosts } from './worlds/posts.ts';

const CLIENTS = 4;
const FEW = 1_000;
const MEANT = 500;
/** The memory that a sitemap may take while it is written. */
const BUDGET_MB = 32;

const nameSql = (n: string) => `initcap(translate(substr(md5((${n})::text), 1, 9), '0123456789', 'ghijklmnop'))`;

async function makeWorld(stage: Stage, name: string, creators: number, posts: number): Promise<string> {
  const url = await stage.postgres.migrated(name);
  await withDatabase(url, async (db) => {
    await makeCreators(db, creators);
    await runSql(
      db,
      `update users set name = ${nameSql('right(id::text, 12)::bigint')} || ' ' || ${nameSql('right(id::text, 12)::bigint + 7000000')} where type = 'creator'`,
    );
    if (posts > 0) await makePosts(db, { creators, posts, paidEvery: 3 });
  });
  await settleDatabase(url);
  return url;
}

async function meant(url: string): Promise<string> {
  return withDatabase(url, async (db) => {
    const { rows } = await db.pool.query<{ name: string }>(
      `select name from users where right(id::text, 12)::bigint = ${MEANT} and type = 'creator'`,
    );
    return rows[0]?.name ?? '';
  });
}

/** Swaps two letters in the middle, as in a typing error. */
const slip = (word: string) => `${word.slice(0, 4)}${word[5]}${word[4]}${word.slice(6)}`;

const ENDS = 5;

type File = { addresses: number; seconds: number };

function sumOf(files: readonly File[]): File {
  return files.reduce(
    (sum, each) => ({ addresses: sum.addresses + each.addresses, seconds: sum.seconds + each.seconds }),
    {
      addresses: 0,
      seconds: 0,
    },
  );
}

async function readSitemap(product: Child): Promise<File & { grownMb: number; first: File; last: File }> {
  const origin = `http://127.0.0.1:${product.port}`;
  const index = await (await fetch(`${origin}/sitemap.xml`)).text();
  const files = [...index.matchAll(/<loc>https?:\/\/[^/]+([^<]+)<\/loc>/g)].map(([, path]) => origin + path);
  const before = (await product.usage()).rssMb;
  const read: File[] = [];
  const ofPosts: File[] = [];
  let peak = before;
  for (const file of files) {
    const begun = performance.now();
    let addresses = 0;
    const answer = await fetch(file);
    if (!answer.ok || !answer.body) throw new Error(`${file} answered ${answer.status}`);
    let rest = '';
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      const text = rest + chunk;
      addresses += text.split('<url>').length - 1;
      rest = text.slice(-4);
    }
    const one = { addresses, seconds: (performance.now() - begun) / 1_000 };
    read.push(one);
    if (file.includes('/posts-')) ofPosts.push(one);
    peak = Math.max(peak, (await product.usage()).rssMb);
  }
  return {
    ...sumOf(read),
    grownMb: peak - before,
    first: sumOf(ofPosts.slice(0, ENDS)),
    last: sumOf(ofPosts.slice(-ENDS)),
  };
}

export async function found(stage: Stage): Promise<Result> {
  const { options, postgres, tell } = stage;
  const [many, posts] = options.isQuick ? [20_000, 200_000] : [100_000, 1_000_000];
  tell(`making ${many.toLocaleString('en')} creators and ${posts.toLocaleString('en')} posts`);
  const urls = { large: await makeWorld(stage, 'found', many, posts), small: await makeWorld(stage, 'few', FEW, 0) };
  const name = await meant(urls.large);
  const loader = await startLoader();
  const products: Record<keyof typeof urls, Child> = {
    large: await startProduct(stage, 'found', urls.large),
    small: await startProduct(stage, 'few', urls.small),
  };
  const words = encodeURIComponent(name);
  const slipped = encodeURIComponent(slip(name));
  const searches = {
    'a name': `search=${words}`,
    'a name within a category': `search=${words}&category=Kitchen`,
    'a word that all have': 'search=ceramicist',
    'a misspelt name': `search=${slipped}`,
    'a misspelt name within a category': `search=${slipped}&category=Kitchen`,
  };
  const ask = (product: Child, query: string) => (seconds: number) =>
    measureHttp({ loader, postgres }, product, {
      method: 'GET',
      connections: CLIENTS,
      seconds,
      paths: [`/api/public/creators?${query}&limit=12`],
      headers: [],
    });
  const runs: Record<string, (seconds: number) => Promise<Sample>> = {};
  for (const [what, query] of Object.entries(searches))
    for (const size of ['large', 'small'] as const) runs[`${what}, ${size}`] = ask(products[size], query);
  const samples = await interleave(options, runs, tell);
  const figures = Object.keys(searches).flatMap((what): Figure[] => {
    const [large, small] = [samples[`${what}, large`], samples[`${what}, small`]];
    if (!large || !small) return [];
    const ratio = ratioOf(large, small, cpuOf);
    const title = `${what}: ${many.toLocaleString('en')} creators ÷ ${FEW.toLocaleString('en')}`;
    return [{ name: title, ours: shown(large), limit: shown(small), ratio, aim: { atMost: 1.1 } }];
  });
  tell('reading the sitemap');
  const { addresses, seconds, grownMb, first, last } = await readSitemap(products.large);
  const each = (file: File) => (file.seconds / file.addresses) * 1_000;
  for (const product of Object.values(products)) await product.stop();
  await loader.stop();
  return {
    bench: 'found',
    reading: 'CPU of a search over many creators ÷ over few, and what memory a sitemap takes while it is written.',
    figures: [
      ...figures,
      {
        name: 'an address of a sitemap’s last files ÷ of its first',
        ours: `${each(last).toFixed(3)} ms`,
        limit: `${each(first).toFixed(3)} ms`,
        ratio: exactly(each(last) / each(first)),
        aim: { atMost: 1.2 },
      },
      {
        name: `memory that a sitemap of ${addresses.toLocaleString('en')} addresses takes while it is written ÷ ${BUDGET_MB} MB`,
        ours: `${grownMb.toFixed(0)} MB`,
        limit: `${BUDGET_MB} MB`,
        ratio: exactly(grownMb / BUDGET_MB),
        aim: { atMost: 1 },
      },
    ],
    notes: [`The sitemap was read in ${seconds.toFixed(1)} s.`],
  };
}

async function startProduct(stage: Stage, name: string, url: string): Promise<Child> {
  const dataDir = join(stage.folder, name);
  await mkdir(dataDir, { recursive: true });
  return startChild('servers/product.ts', [url, dataDir]);
}

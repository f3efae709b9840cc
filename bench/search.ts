/**
 * Compares searches over many creators with searches over few, and measures the memory that a sitemap of many posts
 * takes.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { runSql } from '../server/platform/database/db.ts';
import { makePosts } from './fixtures/posts.ts';
import { makeCreators } from './fixtures/users.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { vacuumDatabase, withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import { calculateRatio, formatSamples, getCpuMs, interleave, type LoadSample, toRatio } from './harness/rounds.ts';

const CLIENTS = 4;
const FEW = 1_000;
const SEARCHED_NUMBER = 500;
/** The memory that a sitemap may take while it is written. */
const BUDGET_MB = 32;

const nameSql = (n: string) => `initcap(translate(substr(md5((${n})::text), 1, 9), '0123456789', 'ghijklmnop'))`;

async function createWorld(context: BenchContext, name: string, creators: number, posts: number): Promise<string> {
  const url = await context.postgres.createMigrated(name);
  await withDatabase(url, async (db) => {
    await makeCreators(db, creators);
    await runSql(
      db,
      `update users set name = ${nameSql('right(id::text, 12)::bigint')} || ' ' || ${nameSql('right(id::text, 12)::bigint + 7000000')} where type = 'creator'`,
    );
    if (posts > 0) await makePosts(db, { creators, posts, paidEvery: 3 });
  });
  await vacuumDatabase(url);
  return url;
}

async function findSearchedName(url: string): Promise<string> {
  return withDatabase(url, async (db) => {
    const { rows } = await db.pool.query<{ name: string }>(
      `select name from users where right(id::text, 12)::bigint = ${SEARCHED_NUMBER} and type = 'creator'`,
    );
    return rows[0]?.name ?? '';
  });
}

/** Swaps two letters in the middle, as in a typing error. */
const misspell = (word: string) => `${word.slice(0, 4)}${word[5]}${word[4]}${word.slice(6)}`;

const EDGE_FILES = 5;

type SitemapFile = { addresses: number; seconds: number };

function sumFiles(files: readonly SitemapFile[]): SitemapFile {
  return files.reduce(
    (sum, each) => ({ addresses: sum.addresses + each.addresses, seconds: sum.seconds + each.seconds }),
    {
      addresses: 0,
      seconds: 0,
    },
  );
}

async function readSitemap(
  product: Child,
): Promise<SitemapFile & { grownMb: number; first: SitemapFile; last: SitemapFile }> {
  const origin = `http://127.0.0.1:${product.port}`;
  const index = await (await fetch(`${origin}/sitemap.xml`)).text();
  const files = [...index.matchAll(/<loc>https?:\/\/[^/]+([^<]+)<\/loc>/g)].map(([, path]) => origin + path);
  const before = (await product.usage()).rssMb;
  const results: SitemapFile[] = [];
  const postFiles: SitemapFile[] = [];
  let peak = before;
  for (const file of files) {
    const started = performance.now();
    let addresses = 0;
    const response = await fetch(file);
    if (!response.ok || !response.body) throw new Error(`${file} returned ${response.status}`);
    let rest = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const text = rest + chunk;
      addresses += text.split('<url>').length - 1;
      rest = text.slice(-4);
    }
    const result = { addresses, seconds: (performance.now() - started) / 1_000 };
    results.push(result);
    if (file.includes('/posts-')) postFiles.push(result);
    peak = Math.max(peak, (await product.usage()).rssMb);
  }
  return {
    ...sumFiles(results),
    grownMb: peak - before,
    first: sumFiles(postFiles.slice(0, EDGE_FILES)),
    last: sumFiles(postFiles.slice(-EDGE_FILES)),
  };
}

export async function measureSearch(context: BenchContext): Promise<BenchResult> {
  const { options, postgres, logProgress } = context;
  const [many, posts] = options.isQuick ? [20_000, 200_000] : [100_000, 1_000_000];
  logProgress(`making ${many.toLocaleString('en')} creators and ${posts.toLocaleString('en')} posts`);
  const urls = {
    large: await createWorld(context, 'search', many, posts),
    small: await createWorld(context, 'few', FEW, 0),
  };
  const name = await findSearchedName(urls.large);
  const loader = await startLoader();
  const products: Record<keyof typeof urls, Child> = {
    large: await startProduct(context, 'search', urls.large),
    small: await startProduct(context, 'few', urls.small),
  };
  const encodedName = encodeURIComponent(name);
  const misspelled = encodeURIComponent(misspell(name));
  const searches = {
    'a name': `search=${encodedName}`,
    'a name within a category': `search=${encodedName}&category=Kitchen`,
    'a word that all have': 'search=ceramicist',
    'a misspelt name': `search=${misspelled}`,
    'a misspelt name within a category': `search=${misspelled}&category=Kitchen`,
  };
  const createVariant = (product: Child, query: string) => (seconds: number) =>
    measureHttp({ loader, postgres }, product, {
      method: 'GET',
      connections: CLIENTS,
      seconds,
      paths: [`/api/public/creators?${query}&limit=12`],
      headers: [],
    });
  const runs: Record<string, (seconds: number) => Promise<LoadSample>> = {};
  for (const [label, query] of Object.entries(searches))
    for (const size of ['large', 'small'] as const) runs[`${label}, ${size}`] = createVariant(products[size], query);
  const samples = await interleave(options, runs, logProgress);
  const figures = Object.keys(searches).flatMap((label): Figure[] => {
    const [large, small] = [samples[`${label}, large`], samples[`${label}, small`]];
    if (!large || !small) return [];
    const ratio = calculateRatio(large, small, getCpuMs);
    const title = `${label}: ${many.toLocaleString('en')} creators ÷ ${FEW.toLocaleString('en')}`;
    return [{ name: title, ours: formatSamples(large), limit: formatSamples(small), ratio, aim: { atMost: 1.1 } }];
  });
  logProgress('reading the sitemap');
  const { addresses, seconds, grownMb, first, last } = await readSitemap(products.large);
  const getMsPerAddress = (file: SitemapFile) => (file.seconds / file.addresses) * 1_000;
  for (const product of Object.values(products)) await product.stop();
  await loader.stop();
  return {
    bench: 'search',
    reading: 'CPU of a search over many creators ÷ over few, and the memory that writing a sitemap takes.',
    figures: [
      ...figures,
      {
        name: 'an address of a sitemap’s last files ÷ of its first',
        ours: `${getMsPerAddress(last).toFixed(3)} ms`,
        limit: `${getMsPerAddress(first).toFixed(3)} ms`,
        ratio: toRatio(getMsPerAddress(last) / getMsPerAddress(first)),
        aim: { atMost: 1.2 },
      },
      {
        name: `memory that a sitemap of ${addresses.toLocaleString('en')} addresses takes while it is written ÷ ${BUDGET_MB} MB`,
        ours: `${grownMb.toFixed(0)} MB`,
        limit: `${BUDGET_MB} MB`,
        ratio: toRatio(grownMb / BUDGET_MB),
        aim: { atMost: 1 },
      },
    ],
    notes: [`The sitemap was read in ${seconds.toFixed(1)} s.`],
  };
}

async function startProduct(context: BenchContext, name: string, url: string): Promise<Child> {
  const dataDir = join(context.folder, name);
  await mkdir(dataDir, { recursive: true });
  return startChild('servers/product.ts', [url, dataDir]);
}

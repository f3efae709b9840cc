/**
 * Measures every public page: bytes, script and Lighthouse scores in a browser, and the cost of serving it cached and
 * uncached.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium as playwright } from '@playwright/test';
import { listWorks } from '../contract/content/discovery-works.ts';
import { embedPath } from '../contract/content/embeds.ts';
import { THEME_PRESETS } from '../contract/content/theme-presets.ts';
import { toThemeCode } from '../contract/content/themes.ts';
import {
  creatorsPath,
  PUBLIC_PATHS,
  policyPath,
  sharedThemePath,
  worksPath,
} from '../contract/shared/public-addresses.ts';
import { CASE_PATHS } from '../contract/trust/case-addresses.ts';
import { POLICY_KEYS } from '../contract/trust/legal.ts';
import { findChromium } from '../scripts/lib/system.mjs';
import { toCursor } from '../server/platform/database/pagination.ts';
import { auditPage, CHROMIUM_FLAGS, measureVisitorPage, type PageFigures } from './bytes.ts';
import { ensureCrowd } from './fixtures/crowd.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import type { BenchContext } from './harness/context.ts';
import { withDatabase } from './harness/database.ts';
import { ensureDemoWorld, startFullServer } from './harness/full-server.ts';
import { measureHttp } from './harness/http.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import { calculateRatio, formatSamples, getCpuMs, interleave, type LoadSample } from './harness/rounds.ts';
import { BROWSER_HEADERS, fetchBytes, WARM_SECONDS } from './pages.ts';

const CLIENTS = 4;

const PLATFORM_PAGES: Readonly<Record<string, string>> = {
  home: '/',
  'home, newest': creatorsPath({ sort: 'new' }),
  'a craft': creatorsPath({ category: 'Ceramics' }),
  works: worksPath({}),
  'works of a craft': worksPath({ category: 'Ceramics' }),
  'become a creator': PUBLIC_PATHS.becomeCreator,
  'how it works': PUBLIC_PATHS.howItWorks,
  plans: PUBLIC_PATHS.plans,
  prices: PUBLIC_PATHS.pricing,
  discovery: PUBLIC_PATHS.discovery,
  themes: PUBLIC_PATHS.themes,
  ...Object.fromEntries(THEME_PRESETS.slice(0, 1).map(({ theme }) => ['a theme', sharedThemePath(toThemeCode(theme))])),
  texts: PUBLIC_PATHS.policies,
  ...Object.fromEntries(POLICY_KEYS.map((key) => [key, policyPath(key)])),
  contact: CASE_PATHS.contactUs,
  complaints: CASE_PATHS.complaints,
};

async function findCreatorPages(url: string): Promise<Record<string, string>> {
  const json: unknown = await (await fetch(`${url}/api${listWorks.path}?limit=50`)).json();
  const { data } = listWorks.response.parse(json);
  const [open, locked] = [data.find(({ price }) => price === 0), data.find(({ price }) => price > 0)];
  if (!open?.postUri[0] || !locked?.postUri[0]) throw new Error('The demo data has no open or no locked post.');
  return {
    'a profile': `/profile/${open.author.username}`,
    'an open post': open.postUri[0],
    'a locked post': locked.postUri[0],
    'a framed post': embedPath('post', open.id),
    'a framed card': embedPath('profile', open.author.username),
    'a framed tip button': embedPath('tip', open.author.username),
  };
}

async function measureInBrowser(context: BenchContext): Promise<PageFigures[]> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium was not found; npm test installs it, or set CHROMIUM_PATH.');
  const product = await startFullServer(await ensureDemoWorld(context.folder, context.logProgress), 'production');
  const browser = await playwright.launch({ executablePath, args: CHROMIUM_FLAGS });
  const results: PageFigures[] = [];
  try {
    const paths = { ...PLATFORM_PAGES, ...(await findCreatorPages(product.url)) };
    for (const [name, path] of Object.entries(paths)) {
      context.logProgress(`weighing ${name}`);
      const page = { name, url: product.url + path };
      results.push(await measureVisitorPage(browser, page));
      // Embeds are not meant to be found by search engines, so they are not audited.
      if (!name.startsWith('a framed')) results.push(await auditPage(context, page, executablePath, true));
    }
  } finally {
    await browser.close();
    await product.stop();
  }
  return results;
}

async function measureCosts(context: BenchContext): Promise<Figure[]> {
  const { options, postgres, logProgress } = context;
  const { url } = await ensureCrowd(context, 'large');
  const dataDir = join(context.folder, 'public');
  await mkdir(dataDir, { recursive: true });
  const loader = await startLoader();
  const product = await startChild('servers/product.ts', [url, dataDir, 'pages']);
  const raw = await startChild('servers/raw.ts');
  const react = await startChild('servers/react.ts');
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
  const lists = await withDatabase(url, async (db) => {
    const { rows } = await db.pool.query<{ id: string }>('select id from posts order by id desc limit 5000');
    return rows.map(({ id }) => worksPath({ offset: toCursor(id) }));
  });
  const runs: Record<string, (seconds: number) => Promise<LoadSample>> = {
    'works, not cached': get(product, lists),
    react: get(react, ['/']),
  };
  for (const [name, path] of Object.entries(PLATFORM_PAGES)) {
    const bytes = await fetchBytes(product, path);
    runs[name] = get(product, [path]);
    runs[`${name}, raw`] = async (seconds) => {
      await raw.request(bytes);
      return get(raw, ['/'])(seconds);
    };
  }
  const samples = await interleave(options, runs, logProgress, WARM_SECONDS);
  for (const child of [product, raw, react]) await child.stop();
  await loader.stop();
  const figure = (
    name: string,
    ours: readonly LoadSample[] = [],
    limit: readonly LoadSample[] = [],
    atMost = 1,
  ): Figure => ({
    name,
    ours: formatSamples(ours),
    limit: formatSamples(limit),
    ratio: calculateRatio(ours, limit, getCpuMs),
    aim: { atMost },
  });
  return [
    ...Object.keys(PLATFORM_PAGES).map((name) =>
      figure(`${name}, cached ÷ raw node:http`, samples[name], samples[`${name}, raw`], 4.5),
    ),
    figure('works, not cached ÷ bare React of 20 posts', samples['works, not cached'], samples.react, 3),
  ];
}

export async function measurePublicPages(context: BenchContext): Promise<BenchResult> {
  const results = await measureInBrowser(context);
  const figures = await measureCosts(context);
  return {
    bench: 'public',
    reading:
      'Bytes transferred in Chromium ÷ their budget and Lighthouse scores with mobile settings (1 means 100) of every public page, and CPU per request: cached (kept) pages ÷ node:http sending the same bytes, uncached lists of works ÷ bare React renders. Budgets and CPU: less is better.',
    figures: [...results.flatMap((one) => one.figures), ...figures],
    notes: results.flatMap(({ notes }) => notes),
  };
}

/**
 * Measures every public page: bytes, script and Lighthouse scores in a browser, and the cost of serving it cached and
 * uncached.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium as playwright } from '@playwright/test';
import { CASE_PATHS } from '../contract/case-addresses.ts';
import { embedPath } from '../contract/embeds.ts';
import { POLICY_KEYS } from '../contract/policies.ts';
import { creatorsPath, PUBLIC_PATHS, policyPath, sharedThemePath, worksPath } from '../contract/public-addresses.ts';
import { PRESETS } from '../contract/theme-presets.ts';
import { codeOf } from '../contract/themes.ts';
import { listWorks } from '../contract/works.ts';
import { findChromium } from '../scripts/lib/system.mjs';
import { cursorOf } from '../server/kernel/offset.ts';
import { auditPage, FLAGS, type Told, weighVisitor } from './bytes.ts';
import { type Child, startChild, startLoader } from './harness/child.ts';
import { withDatabase } from './harness/database.ts';
import { measureHttp } from './harness/http.ts';
import type { Figure, Result } from './harness/report.ts';
import { cpuOf, interleave, ratioOf, type Sample, shown } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import { demoWorld, startWhole } from './harness/whole.ts';
import { BROWSER, bytesOf, WARM_SECONDS } from './pages.ts';
import { crowd } from './worlds/crowd.ts';

const CLIENTS = 4;

const HOUSE: Readonly<Record<string, string>> = {
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
  ...Object.fromEntries(PRESETS.slice(0, 1).map(({ theme }) => ['a theme', sharedThemePath(codeOf(theme))])),
  texts: PUBLIC_PATHS.policies,
  ...Object.fromEntries(POLICY_KEYS.map((key) => [key, policyPath(key)])),
  contact: CASE_PATHS.contactUs,
  complaints: CASE_PATHS.complaints,
};

async function ofPeople(url: string): Promise<Record<string, string>> {
  const answer: unknown = await (await fetch(`${url}/api${listWorks.path}?limit=50`)).json();
  const { data } = listWorks.response.parse(answer);
  const [open, locked] = [data.find(({ price }) => price === 0), data.find(({ price }) => price > 0)];
  if (!open?.postUri[0] || !locked?.postUri[0]) throw new Error('The demo world has no open or no locked post.');
  return {
    'a profile': `/profile/${open.author.username}`,
    'an open post': open.postUri[0],
    'a locked post': locked.postUri[0],
    'a framed post': embedPath('post', open.id),
    'a framed card': embedPath('profile', open.author.username),
    'a framed tip button': embedPath('tip', open.author.username),
  };
}

async function inBrowser(stage: Stage): Promise<Told[]> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium was not found; npm test installs it, or set CHROMIUM_PATH.');
  const product = await startWhole(await demoWorld(stage.folder, stage.tell), 'production');
  const browser = await playwright.launch({ executablePath, args: FLAGS });
  const told: Told[] = [];
  try {
    const paths = { ...HOUSE, ...(await ofPeople(product.url)) };
    for (const [name, path] of Object.entries(paths)) {
      stage.tell(`weighing ${name}`);
      const page = { name, url: product.url + path };
      told.push(await weighVisitor(browser, page));
      // Embeds are not meant to be found by search engines, so they are not audited.
      if (!name.startsWith('a framed')) told.push(await auditPage(stage, page, executablePath, true));
    }
  } finally {
    await browser.close();
    await product.stop();
  }
  return told;
}

async function costs(stage: Stage): Promise<Figure[]> {
  const { options, postgres, tell } = stage;
  const { url } = await crowd(stage, 'large');
  const dataDir = join(stage.folder, 'public');
  await mkdir(dataDir, { recursive: true });
  const loader = await startLoader();
  const product = await startChild('servers/product.ts', [url, dataDir, 'pages']);
  const raw = await startChild('servers/raw.ts');
  const react = await startChild('servers/react.ts');
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
  const lists = await withDatabase(url, async (db) => {
    const { rows } = await db.pool.query<{ id: string }>('select id from posts order by id desc limit 5000');
    return rows.map(({ id }) => worksPath({ offset: cursorOf(id) }));
  });
  const runs: Record<string, (seconds: number) => Promise<Sample>> = {
    'works, not kept': get(product, lists),
    react: get(react, ['/']),
  };
  for (const [name, path] of Object.entries(HOUSE)) {
    const bytes = await bytesOf(product, path);
    runs[name] = get(product, [path]);
    runs[`${name}, raw`] = async (seconds) => {
      await raw.ask(bytes);
      return get(raw, ['/'])(seconds);
    };
  }
  const samples = await interleave(options, runs, tell, WARM_SECONDS);
  for (const child of [product, raw, react]) await child.stop();
  await loader.stop();
  const figure = (name: string, ours: readonly Sample[] = [], limit: readonly Sample[] = [], atMost = 1): Figure => ({
    name,
    ours: shown(ours),
    limit: shown(limit),
    ratio: ratioOf(ours, limit, cpuOf),
    aim: { atMost },
  });
  return [
    ...Object.keys(HOUSE).map((name) =>
      figure(`${name}, kept ÷ raw node:http`, samples[name], samples[`${name}, raw`], 4.5),
    ),
    figure('works, not kept ÷ bare React of 20 posts', samples['works, not kept'], samples.react, 3),
  ];
}

export async function publicPages(stage: Stage): Promise<Result> {
  const told = await inBrowser(stage);
  const figures = await costs(stage);
  return {
    bench: 'public',
    reading:
      'Bytes over the wire in Chromium ÷ their budget and Lighthouse’s mobile setting (1 is 100) of every page of the house, and CPU a request: kept ones ÷ node:http sending the same bytes, works that are not kept ÷ bare React renders. Budgets and CPU: less is better.',
    figures: [...told.flatMap((one) => one.figures), ...figures],
    notes: told.flatMap(({ notes }) => notes),
  };
}

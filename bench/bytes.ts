/**
 * Measures in a real browser how many bytes a page loads, whether it can be read without script, and its Lighthouse
 * scores.
 */
import { type Browser, type BrowserContext, chromium as playwright } from '@playwright/test';
import { listCreatorPosts } from '../contract/content/posts.ts';
import { getProfile } from '../contract/content/profiles.ts';
import { getConversationList } from '../contract/messaging/chat.ts';
import { PATHS } from '../contract/shared/addresses.ts';
import { findChromium } from '../scripts/lib/system.mjs';
import type { BenchContext } from './harness/context.ts';
import { ensureDemoWorld, type FullServer, startFullServer } from './harness/full-server.ts';
import { LIGHTHOUSE_CATEGORIES, type LighthouseAudit, runAudit } from './harness/lighthouse.ts';
import type { BenchResult, Figure } from './harness/report.ts';
import { median, toRatio } from './harness/rounds.ts';
import { runFirstTap, type TapTimes } from './harness/slow-phone.ts';

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];
const KB = 1000;

/** Bytes as transferred, headers included, by type of content. */
type Weight = { html: number; css: number; fonts: number; script: number; pictures: number; other: number };
type File = { url: string; kind: keyof Weight; size: number; isScriptLoaded: boolean };
type PageWeight = Weight & { files: File[] };
const KIND_BY_TYPE: Record<string, keyof Weight> = {
  Document: 'html',
  Stylesheet: 'css',
  Font: 'fonts',
  Script: 'script',
  Image: 'pictures',
  Media: 'pictures',
};

const formatKb = (bytes: number) => `${(bytes / KB).toFixed(1)} kB`;
const formatMs = (value: number) => `${Math.round(value)} ms`;
const withoutPictures = ({ html, css, fonts, script, other }: Weight) => html + css + fonts + script + other;

async function measureWeight(context: BrowserContext, url: string): Promise<PageWeight> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const weight: Weight = { html: 0, css: 0, fonts: 0, script: 0, pictures: 0, other: 0 };
  const files: PageWeight['files'] = [];
  const requests = new Map<string, Omit<File, 'size'>>();
  const byScript = new Set<string>();
  // Scripts also load files by import() when the page is hydrated and idle.
  cdp.on('Network.requestWillBeSent', ({ requestId, initiator }) => {
    if (initiator.type === 'script') byScript.add(requestId);
  });
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    requests.set(requestId, {
      url: response.url,
      kind: KIND_BY_TYPE[type] ?? 'other',
      isScriptLoaded: byScript.has(requestId),
    });
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength: size }) => {
    const file = requests.get(requestId);
    weight[file?.kind ?? 'other'] += size;
    if (file) files.push({ ...file, size });
  });
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(url, { waitUntil: 'networkidle' });
  // Inline scripts count as script too. JSON data is not executed and does not count.
  weight.script += await page.evaluate<number>(
    `[...document.scripts].filter(({ src, type }) => src === '' && !type.includes('json')).reduce((sum, { text }) => sum + text.length, 0)`,
  );
  await page.close();
  return { ...weight, files: files.sort((a, b) => b.size - a.size) };
}

async function readText(browser: Browser, url: string, javaScriptEnabled: boolean): Promise<string> {
  const context = await browser.newContext({ ...PHONE, javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  const text = (await page.locator('main').allInnerTexts()).join('\n');
  await context.close();
  return text;
}

async function findPages(url: string): Promise<BenchPage[]> {
  const json = async (path: string): Promise<unknown> => (await fetch(`${url}/api${path}`)).json();
  const creator = getProfile.response.parse(await json('/public/profile/demo.creator'));
  const posts = listCreatorPosts.response.parse(await json(`/public/posts/${creator.id}?limit=50`));
  const free = posts.data.find(({ price }) => price === 0);
  if (!free) throw new Error('The demo data has no free post.');
  return [
    { name: 'home', url: `${url}/` },
    { name: 'profile', url: `${url}/profile/${creator.username}` },
    { name: 'post', url: `${url}${free.postUri[0]}` },
  ];
}

type HydratedPage = {
  readonly name: string;
  readonly weight: PageWeight;
  readonly script: number;
  readonly deferredScript: number;
};

async function signIn(context: BrowserContext, url: string): Promise<void> {
  const response = await context.request.post(`${url}/api/auth/login`, {
    data: { username: 'demo.fan', password: 'Stagedoor1!' },
  });
  if (!response.ok()) throw new Error(`demo.fan could not log in: ${response.status()}`);
}

async function measureSignedIn(browser: Browser, { url }: FullServer): Promise<HydratedPage[]> {
  const context = await browser.newContext(PHONE);
  await signIn(context, url);
  const list: unknown = await (await context.request.get(`${url}/api${getConversationList.path}`)).json();
  const conversation = getConversationList.response.parse(list).data[0];
  if (!conversation) throw new Error('demo.fan has no conversation.');
  const pages = { home: PATHS.home, feed: PATHS.fanDashboard, conversation: `${PATHS.fanChat}/${conversation.id}` };
  const measured: HydratedPage[] = [];
  for (const [name, path] of Object.entries(pages)) {
    const weight = await measureWeight(context, url + path);
    const deferredScript = weight.files
      .filter(({ kind, isScriptLoaded }) => kind === 'script' && isScriptLoaded)
      .reduce((sum, { size }) => sum + size, 0);
    measured.push({ name, weight, script: weight.script - deferredScript, deferredScript });
  }
  await context.close();
  return measured;
}

export type BenchPage = { name: string; url: string };
export type PageFigures = { figures: Figure[]; notes: string[] };

function compareToLimit(name: string, value: number, limit: number, format: (value: number) => string): Figure {
  return { name, ours: format(value), limit: format(limit), ratio: toRatio(value / limit), aim: { atMost: 1 } };
}

function formatComposition(name: string, weight: PageWeight): string {
  const kinds = (['html', 'css', 'fonts', 'script', 'pictures', 'other'] as const).map(
    (kind) => `${kind} ${formatKb(weight[kind])}`,
  );
  const largest = weight.files
    .filter(({ kind }) => kind !== 'pictures' && kind !== 'html')
    .slice(0, 8)
    .map(({ url, size }) => `${url.slice(url.lastIndexOf('/') + 1)} ${formatKb(size)}`);
  return `${name}: ${kinds.join(', ')}; the largest: ${largest.join(', ')}.`;
}

export async function measureVisitorPage(browser: Browser, { name, url }: BenchPage): Promise<PageFigures> {
  const context = await browser.newContext(PHONE);
  const weight = await measureWeight(context, url);
  const workers = context.serviceWorkers().length;
  await context.close();
  const plainText = await readText(browser, url, false);
  const scriptText = await readText(browser, url, true);
  return {
    figures: [
      compareToLimit(`${name}, visitor: without pictures`, withoutPictures(weight), 55 * KB, formatKb),
      compareToLimit(`${name}, visitor: script`, weight.script, 10 * KB, formatKb),
      {
        ...{ name: `${name}, visitor: service workers`, ours: `${workers}`, limit: '0' },
        ...{ ratio: toRatio(workers), aim: { atMost: 0 } },
      },
      {
        name: `${name}, visitor: text without script ÷ with`,
        ours: `${plainText.length} characters`,
        limit: `${scriptText.length} characters`,
        ratio: toRatio(plainText.length / scriptText.length),
        aim: { atLeast: 1 },
      },
    ],
    notes: [formatComposition(name, weight)],
  };
}

/**
 * Runs Lighthouse on a page and returns the median of several rounds. With many pages, one run is enough if all scores
 * are 100.
 */
export async function auditPage(
  { options, logProgress }: BenchContext,
  { name, url }: BenchPage,
  chromium: string,
  isOneOfMany = false,
): Promise<PageFigures> {
  const audits: LighthouseAudit[] = [];
  const isFull = ({ scores }: LighthouseAudit) => LIGHTHOUSE_CATEGORIES.every((category) => scores[category] === 100);
  for (let round = 0; round < options.rounds; round += 1) {
    logProgress(`Lighthouse: ${name}, round ${round + 1}/${options.rounds}`);
    const result = await runAudit(url, chromium);
    audits.push(result);
    if (isOneOfMany && round === 0 && isFull(result)) break;
  }
  const getMedian = (pick: (result: LighthouseAudit) => number) => median(audits.map(pick));
  const scores = LIGHTHOUSE_CATEGORIES.map((category): Figure => {
    const score = getMedian((result) => result.scores[category]);
    return {
      name: `${name}, Lighthouse: ${category}`,
      ours: `${score}`,
      limit: '100',
      ratio: toRatio(score / 100),
      aim: { atLeast: 1 },
    };
  });
  const cls = getMedian((result) => result.cls);
  const faults = [...new Set(audits.flatMap((result) => result.faults))];
  return {
    figures: [
      ...scores,
      compareToLimit(
        `${name}, Lighthouse: LCP`,
        getMedian(({ lcpMs }) => lcpMs),
        1_350,
        formatMs,
      ),
      compareToLimit(
        `${name}, Lighthouse: TBT`,
        getMedian(({ tbtMs }) => tbtMs),
        10,
        formatMs,
      ),
      { name: `${name}, Lighthouse: CLS`, ours: cls.toFixed(3), limit: '0', ratio: toRatio(cls), aim: { atMost: 0 } },
    ],
    notes: faults.length > 0 ? [`${name}: Lighthouse deducted points for ${faults.join('; ')}`] : [],
  };
}

async function measureFirstTap(
  { options, logProgress }: BenchContext,
  browser: Browser,
  { url }: FullServer,
): Promise<PageFigures> {
  const taps: TapTimes[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    logProgress(`first tap on a slow phone, round ${round + 1}/${options.rounds}`);
    taps.push(await runFirstTap(browser, (context) => signIn(context, url), url + PATHS.home, PATHS.fanWallet));
  }
  const getMedian = (pick: (tap: TapTimes) => number) => median(taps.map(pick));
  return {
    figures: [
      compareToLimit(
        'slow phone, first tap: until its tab is active',
        getMedian(({ activeMs }) => activeMs),
        100,
        formatMs,
      ),
      compareToLimit(
        'slow phone, first tap: until a skeleton stands',
        getMedian(({ skeletonMs }) => skeletonMs),
        300,
        formatMs,
      ),
    ],
    notes: [],
  };
}

export async function measureBytes(context: BenchContext): Promise<BenchResult> {
  const { folder, logProgress } = context;
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium was not found; npm test installs it, or set CHROMIUM_PATH.');
  const product = await startFullServer(await ensureDemoWorld(folder, logProgress), 'production');
  const browser = await playwright.launch({ executablePath, args: CHROMIUM_FLAGS });
  const results: PageFigures[] = [];
  try {
    const pages = await findPages(product.url);
    for (const page of pages) {
      logProgress(`weighing ${page.name}`);
      results.push(await measureVisitorPage(browser, page));
    }
    for (const { name, weight, script, deferredScript } of await measureSignedIn(browser, product))
      results.push({
        figures: [compareToLimit(`${name}, signed in: script until it is hydrated`, script, 125 * KB, formatKb)],
        notes: [
          formatComposition(`${name}, signed in`, weight),
          `${name}, signed in: ${formatKb(deferredScript)} more of script are loaded once the page is idle.`,
        ],
      });
    results.push(await measureFirstTap(context, browser, product));
    for (const page of pages) results.push(await auditPage(context, page, executablePath));
  } finally {
    await browser.close();
    await product.stop();
  }
  return {
    bench: 'bytes',
    reading:
      'Bytes transferred in Chromium (brotli, headers included, empty cache, 390 × 844 viewport) ÷ their budget, and Lighthouse scores with mobile settings. Budgets: less is better. Scores: 1 means 100.',
    figures: results.flatMap(({ figures }) => figures),
    notes: results.flatMap(({ notes }) => notes),
  };
}

/**
 * Measures in a real browser how many bytes a page loads, whether it can be read without script, and its Lighthouse
 * scores.
 */
import { type Browser, type BrowserContext, chromium as playwright } from '@playwright/test';
import { PATHS } from '../contract/addresses.ts';
import { conversationList } from '../contract/chat.ts';
import { listCreatorPosts } from '../contract/posts.ts';
import { getProfile } from '../contract/profiles.ts';
import { findChromium } from '../scripts/lib/system.mjs';
import { type Audit, audit, CATEGORIES } from './harness/lighthouse.ts';
import type { Figure, Result } from './harness/report.ts';
import { exactly, median } from './harness/rounds.ts';
import { firstTap, type Tap } from './harness/slow-phone.ts';
import type { Stage } from './harness/stage.ts';
import { demoWorld, startWhole, type Whole } from './harness/whole.ts';

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];
const KB = 1000;

/** Bytes as transferred, headers included, by type of content. */
type Weight = { html: number; css: number; fonts: number; script: number; pictures: number; other: number };
type File = { url: string; kind: keyof Weight; size: number; isAsked: boolean };
type Weighed = Weight & { files: File[] };
const KIND: Record<string, keyof Weight> = {
  Document: 'html',
  Stylesheet: 'css',
  Font: 'fonts',
  Script: 'script',
  Image: 'pictures',
  Media: 'pictures',
};

const kb = (bytes: number) => `${(bytes / KB).toFixed(1)} kB`;
const ms = (value: number) => `${Math.round(value)} ms`;
const withoutPictures = ({ html, css, fonts, script, other }: Weight) => html + css + fonts + script + other;

async function weigh(context: BrowserContext, url: string): Promise<Weighed> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const weight: Weight = { html: 0, css: 0, fonts: 0, script: 0, pictures: 0, other: 0 };
  const files: Weighed['files'] = [];
  const asked = new Map<string, Omit<File, 'size'>>();
  const byScript = new Set<string>();
  // Scripts also load files by import() when the page is hydrated and idle.
  cdp.on('Network.requestWillBeSent', ({ requestId, initiator }) => {
    if (initiator.type === 'script') byScript.add(requestId);
  });
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    asked.set(requestId, { url: response.url, kind: KIND[type] ?? 'other', isAsked: byScript.has(requestId) });
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength: size }) => {
    const file = asked.get(requestId);
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

async function textOf(browser: Browser, url: string, javaScriptEnabled: boolean): Promise<string> {
  const context = await browser.newContext({ ...PHONE, javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  const text = (await page.locator('main').allInnerTexts()).join('\n');
  await context.close();
  return text;
}

async function findPages(url: string): Promise<Page[]> {
  const json = async (path: string): Promise<unknown> => (await fetch(`${url}/api${path}`)).json();
  const creator = getProfile.response.parse(await json('/public/profile/demo.creator'));
  const posts = listCreatorPosts.response.parse(await json(`/public/posts/${creator.id}?limit=50`));
  const free = posts.data.find(({ price }) => price === 0);
  if (!free) throw new Error('The demo world has no free post.');
  return [
    { name: 'home', url: `${url}/` },
    { name: 'profile', url: `${url}/profile/${creator.username}` },
    { name: 'post', url: `${url}${free.postUri[0]}` },
  ];
}

type Alive = { readonly name: string; readonly weight: Weighed; readonly script: number; readonly later: number };

async function signIn(context: BrowserContext, url: string): Promise<void> {
  const answer = await context.request.post(`${url}/api/auth/login`, {
    data: { username: 'demo.fan', password: 'Stagedoor1!' },
  });
  if (!answer.ok()) throw new Error(`demo.fan could not log in: ${answer.status()}`);
}

async function weighSignedIn(browser: Browser, { url }: Whole): Promise<Alive[]> {
  const context = await browser.newContext(PHONE);
  await signIn(context, url);
  const listed: unknown = await (await context.request.get(`${url}/api${conversationList.path}`)).json();
  const conversation = conversationList.response.parse(listed).data[0];
  if (!conversation) throw new Error('demo.fan has no conversation.');
  const pages = { home: PATHS.home, feed: PATHS.fanDashboard, conversation: `${PATHS.fanChat}/${conversation.id}` };
  const weighed: Alive[] = [];
  for (const [name, path] of Object.entries(pages)) {
    const weight = await weigh(context, url + path);
    const later = weight.files
      .filter(({ kind, isAsked }) => kind === 'script' && isAsked)
      .reduce((sum, { size }) => sum + size, 0);
    weighed.push({ name, weight, script: weight.script - later, later });
  }
  await context.close();
  return weighed;
}

export type Page = { name: string; url: string };
export type Told = { figures: Figure[]; notes: string[] };

function against(name: string, value: number, limit: number, show: (value: number) => string): Figure {
  return { name, ours: show(value), limit: show(limit), ratio: exactly(value / limit), aim: { atMost: 1 } };
}

function composition(name: string, weight: Weighed): string {
  const kinds = (['html', 'css', 'fonts', 'script', 'pictures', 'other'] as const).map(
    (kind) => `${kind} ${kb(weight[kind])}`,
  );
  const largest = weight.files
    .filter(({ kind }) => kind !== 'pictures' && kind !== 'html')
    .slice(0, 8)
    .map(({ url, size }) => `${url.slice(url.lastIndexOf('/') + 1)} ${kb(size)}`);
  return `${name}: ${kinds.join(', ')}; the largest: ${largest.join(', ')}.`;
}

export async function weighVisitor(browser: Browser, { name, url }: Page): Promise<Told> {
  const context = await browser.newContext(PHONE);
  const weight = await weigh(context, url);
  const workers = context.serviceWorkers().length;
  await context.close();
  const bare = await textOf(browser, url, false);
  const scripted = await textOf(browser, url, true);
  return {
    figures: [
      against(`${name}, visitor: without pictures`, withoutPictures(weight), 55 * KB, kb),
      against(`${name}, visitor: script`, weight.script, 10 * KB, kb),
      {
        ...{ name: `${name}, visitor: service workers`, ours: `${workers}`, limit: '0' },
        ...{ ratio: exactly(workers), aim: { atMost: 0 } },
      },
      {
        name: `${name}, visitor: text without script ÷ with`,
        ours: `${bare.length} letters`,
        limit: `${scripted.length} letters`,
        ratio: exactly(bare.length / scripted.length),
        aim: { atLeast: 1 },
      },
    ],
    notes: [composition(name, weight)],
  };
}

/**
 * Runs Lighthouse on a page and returns the median of several rounds. With many pages, one run is enough if all scores
 * are 100.
 */
export async function auditPage(
  { options, tell }: Stage,
  { name, url }: Page,
  chromium: string,
  isOneOfMany = false,
): Promise<Told> {
  const audits: Audit[] = [];
  const isFull = ({ scores }: Audit) => CATEGORIES.every((category) => scores[category] === 100);
  for (let round = 0; round < options.rounds; round += 1) {
    tell(`Lighthouse: ${name}, round ${round + 1}/${options.rounds}`);
    const found = await audit(url, chromium);
    audits.push(found);
    if (isOneOfMany && round === 0 && isFull(found)) break;
  }
  const middle = (pick: (found: Audit) => number) => median(audits.map(pick));
  const scores = CATEGORIES.map((category): Figure => {
    const score = middle((found) => found.scores[category]);
    return {
      name: `${name}, Lighthouse: ${category}`,
      ours: `${score}`,
      limit: '100',
      ratio: exactly(score / 100),
      aim: { atLeast: 1 },
    };
  });
  const cls = middle((found) => found.cls);
  const faults = [...new Set(audits.flatMap((found) => found.faults))];
  return {
    figures: [
      ...scores,
      against(
        `${name}, Lighthouse: LCP`,
        middle(({ lcpMs }) => lcpMs),
        1_350,
        ms,
      ),
      against(
        `${name}, Lighthouse: TBT`,
        middle(({ tbtMs }) => tbtMs),
        10,
        ms,
      ),
      { name: `${name}, Lighthouse: CLS`, ours: cls.toFixed(3), limit: '0', ratio: exactly(cls), aim: { atMost: 0 } },
    ],
    notes: faults.length > 0 ? [`${name}: Lighthouse took points for ${faults.join('; ')}`] : [],
  };
}

async function tapFirst({ options, tell }: Stage, browser: Browser, { url }: Whole): Promise<Told> {
  const taps: Tap[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    tell(`first tap on a slow phone, round ${round + 1}/${options.rounds}`);
    taps.push(await firstTap(browser, (context) => signIn(context, url), url + PATHS.home, PATHS.fanWallet));
  }
  const middle = (pick: (tap: Tap) => number) => median(taps.map(pick));
  return {
    figures: [
      against(
        'slow phone, first tap: until its tab is active',
        middle(({ activeMs }) => activeMs),
        100,
        ms,
      ),
      against(
        'slow phone, first tap: until a skeleton stands',
        middle(({ skeletonMs }) => skeletonMs),
        300,
        ms,
      ),
    ],
    notes: [],
  };
}

export async function bytes(stage: Stage): Promise<Result> {
  const { folder, tell } = stage;
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium was not found; npm test installs it, or set CHROMIUM_PATH.');
  const product = await startWhole(await demoWorld(folder, tell), 'production');
  const browser = await playwright.launch({ executablePath, args: FLAGS });
  const told: Told[] = [];
  try {
    const pages = await findPages(product.url);
    for (const page of pages) {
      tell(`weighing ${page.name}`);
      told.push(await weighVisitor(browser, page));
    }
    for (const { name, weight, script, later } of await weighSignedIn(browser, product))
      told.push({
        figures: [against(`${name}, signed in: script until it is alive`, script, 125 * KB, kb)],
        notes: [
          composition(`${name}, signed in`, weight),
          `${name}, signed in: ${kb(later)} of script more follow once the page is idle.`,
        ],
      });
    told.push(await tapFirst(stage, browser, product));
    for (const page of pages) told.push(await auditPage(stage, page, executablePath));
  } finally {
    await browser.close();
    await product.stop();
  }
  return {
    bench: 'bytes',
    reading:
      'Bytes over the wire in Chromium (brotli, heads included, an empty cache, a phone of 390 × 844) ÷ their budget, and Lighthouse’s mobile setting. Budgets: less is better. Scores: 1 is 100.',
    figures: told.flatMap(({ figures }) => figures),
    notes: told.flatMap(({ notes }) => notes),
  };
}

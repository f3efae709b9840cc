/** What a page weighs in a real browser, whether it can be read without script, and what Lighthouse says of it. */
import { type Browser, type BrowserContext, chromium as playwright } from '@playwright/test';
import { listCreatorPosts } from '../contract/posts.ts';
import { getProfile } from '../contract/profiles.ts';
import { findChromium } from '../scripts/lib/system.mjs';
import { audit, CATEGORIES } from './harness/lighthouse.ts';
import type { Figure, Result } from './harness/report.ts';
import { exactly, median } from './harness/rounds.ts';
import type { Stage } from './harness/stage.ts';
import { demoWorld, startWhole, type Whole } from './harness/whole.ts';

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const KB = 1000;

/** Bytes as they came over the wire, heads and all, by what they were. */
type Weight = { html: number; css: number; fonts: number; script: number; pictures: number; other: number };
const KIND: Record<string, keyof Weight> = {
  Document: 'html',
  Stylesheet: 'css',
  Font: 'fonts',
  Script: 'script',
  Image: 'pictures',
  Media: 'pictures',
};

const kb = (bytes: number) => `${(bytes / KB).toFixed(1)} kB`;
const withoutPictures = ({ html, css, fonts, script, other }: Weight) => html + css + fonts + script + other;

/** Loads an address with an empty cache and weighs everything until the network is quiet. */
async function weigh(context: BrowserContext, url: string): Promise<Weight> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const weight: Weight = { html: 0, css: 0, fonts: 0, script: 0, pictures: 0, other: 0 };
  const kinds = new Map<string, keyof Weight>();
  cdp.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, KIND[type] ?? 'other'));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    weight[kinds.get(requestId) ?? 'other'] += encodedDataLength;
  });
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(url, { waitUntil: 'networkidle' });
  // Scripts written into the page count as script, too; data for machines does not run.
  weight.script += await page.evaluate<number>(
    `[...document.scripts].filter(({ src, type }) => src === '' && !type.includes('json')).reduce((sum, { text }) => sum + text.length, 0)`,
  );
  await page.close();
  return weight;
}

async function textOf(browser: Browser, url: string, javaScriptEnabled: boolean): Promise<string> {
  const context = await browser.newContext({ ...PHONE, javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  const text = (await page.locator('main').allInnerTexts()).join('\n');
  await context.close();
  return text;
}

/** Home, a creator's profile and one of their free posts. */
async function findPages(url: string): Promise<{ name: string; url: string }[]> {
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

async function weighSignedIn(browser: Browser, { url }: Whole): Promise<Weight> {
  const context = await browser.newContext(PHONE);
  const answer = await context.request.post(`${url}/api/auth/login`, {
    data: { username: 'demo.fan', password: 'Stagedoor1!' },
  });
  if (!answer.ok()) throw new Error(`demo.fan could not log in: ${answer.status()}`);
  const weight = await weigh(context, `${url}/`);
  await context.close();
  return weight;
}

export async function bytes({ options, folder, tell }: Stage): Promise<Result> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium was not found; npm test installs it, or set CHROMIUM_PATH.');
  const product = await startWhole(await demoWorld(folder, tell), 'production');
  const browser = await playwright.launch({ executablePath, args: FLAGS });
  const figures: Figure[] = [];
  const notes: string[] = [];
  const against = (name: string, value: number, limit: number, show: (value: number) => string) =>
    figures.push({ name, ours: show(value), limit: show(limit), ratio: exactly(value / limit), aim: { atMost: 1 } });
  try {
    const pages = await findPages(product.url);
    for (const page of pages) {
      tell(`weighing ${page.name}`);
      const context = await browser.newContext(PHONE);
      const weight = await weigh(context, page.url);
      await context.close();
      against(`${page.name}, visitor: without pictures`, withoutPictures(weight), 55 * KB, kb);
      against(`${page.name}, visitor: script`, weight.script, 10 * KB, kb);
      notes.push(
        `${page.name}: HTML ${kb(weight.html)}, CSS ${kb(weight.css)}, fonts ${kb(weight.fonts)}, script ${kb(weight.script)}, pictures ${kb(weight.pictures)}, other ${kb(weight.other)}`,
      );
      const [bare, scripted] = [await textOf(browser, page.url, false), await textOf(browser, page.url, true)];
      const share = bare.length / scripted.length;
      figures.push({
        name: `${page.name}, visitor: text without script ÷ with`,
        ours: `${bare.length} letters`,
        limit: `${scripted.length}`,
        ratio: exactly(share),
        aim: { atLeast: 1 },
      });
    }
    const signedIn = await weighSignedIn(browser, product);
    against('home, signed in: script', signedIn.script, 125 * KB, kb);
    notes.push(
      `home, signed in: HTML ${kb(signedIn.html)}, CSS ${kb(signedIn.css)}, fonts ${kb(signedIn.fonts)}, script ${kb(signedIn.script)}, other ${kb(signedIn.other)}`,
    );

    for (const page of pages) {
      const audits = [];
      for (let round = 0; round < options.rounds; round += 1) {
        tell(`Lighthouse: ${page.name}, round ${round + 1}/${options.rounds}`);
        audits.push(await audit(page.url, executablePath));
      }
      for (const category of CATEGORIES) {
        const score = median(audits.map(({ scores }) => scores[category]));
        figures.push({
          name: `${page.name}, Lighthouse: ${category}`,
          ours: `${score}`,
          limit: '100',
          ratio: exactly(score / 100),
          aim: { atLeast: 1 },
        });
      }
      against(
        `${page.name}, Lighthouse: LCP`,
        median(audits.map(({ lcpMs }) => lcpMs)),
        1_350,
        (ms) => `${Math.round(ms)} ms`,
      );
      against(
        `${page.name}, Lighthouse: TBT`,
        median(audits.map(({ tbtMs }) => tbtMs)),
        10,
        (ms) => `${Math.round(ms)} ms`,
      );
      const cls = median(audits.map((found) => found.cls));
      figures.push({
        name: `${page.name}, Lighthouse: CLS`,
        ours: cls.toFixed(3),
        limit: '0',
        ratio: exactly(cls),
        aim: { atMost: 0 },
      });
      const faults = [...new Set(audits.flatMap((found) => found.faults))];
      if (faults.length > 0) notes.push(`${page.name}: Lighthouse took points for ${faults.join(', ')}`);
    }
  } finally {
    await browser.close();
    await product.stop();
  }
  return {
    bench: 'bytes',
    reading:
      'Bytes over the wire in Chromium (brotli, heads included, an empty cache, a phone of 390 × 844) ÷ their budget, and Lighthouse’s mobile setting. Budgets: less is better. Scores: 1 is 100.',
    figures,
    notes,
  };
}

/** A first tap on a slow phone: a quarter of this processor, and a Fast 3G network. */
import { type Browser, type BrowserContext, devices, type Page } from '@playwright/test';

const CPU_SLOWDOWN = 4;
/** Fast 3G, as the browser's own tools have it. */
const NETWORK = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };

/** From the finger's touch until a frame shows it, in ms. */
export type Tap = { readonly activeMs: number; readonly skeletonMs: number };

/** Notes in the page when the tapped entry is the current one, and when a skeleton stands where its page will, each as a frame shows it. */
function watch(href: string): void {
  const seen: Record<string, number> = {};
  let touched = 0;
  addEventListener('pointerdown', (event) => (touched ||= event.timeStamp), { capture: true });
  const note = (what: string) => {
    if (touched === 0 || what in seen) return;
    seen[what] = 0;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        seen[what] = performance.now() - touched;
        document.documentElement.dataset.tap = JSON.stringify(seen);
      };
      channel.port2.postMessage(0);
    });
  };
  const look = () => {
    if (document.querySelector(`.tabbar a[href="${href}"][aria-current]`)) note('activeMs');
    if (document.querySelector('[data-coming]')) note('skeletonMs');
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}

async function tapOn(page: Page, href: string): Promise<Tap> {
  await page.evaluate(watch, href);
  await page.locator(`.tabbar a[href="${href}"]`).tap();
  const told = await page.waitForFunction(() => {
    const text = document.documentElement.dataset.tap ?? '{}';
    const seen: Record<string, number> = JSON.parse(text);
    return seen.activeMs && seen.skeletonMs ? { activeMs: seen.activeMs, skeletonMs: seen.skeletonMs } : undefined;
  });
  const tap = await told.jsonValue();
  if (!tap) throw new Error('The tap was answered by nothing.');
  return tap;
}

/** Opens `url` with an empty cache on a slow phone and taps a tab as soon as the page is alive. */
export async function firstTap(
  browser: Browser,
  signIn: (context: BrowserContext) => Promise<void>,
  url: string,
  href: string,
): Promise<Tap> {
  const context = await browser.newContext({ ...devices['iPhone 13'], defaultBrowserType: 'chromium' });
  try {
    await signIn(context);
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', NETWORK);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.goto(url, { timeout: 120_000 });
    await page.waitForFunction(() => Object.keys(document.body).some((key) => key.startsWith('__react')));
    return await tapOn(page, href);
  } finally {
    await context.close();
  }
}

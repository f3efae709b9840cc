/** Simulates the first tap on a slow phone: a quarter of this machine's CPU speed and a Fast 3G network. */
import type { Browser, BrowserContext, Page } from '@playwright/test';

/** The page's content security policy forbids evaluating text, and the injected observer is text. */
const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
  bypassCSP: true,
};
const CPU_SLOWDOWN = 4;
const NETWORK = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };

/** Milliseconds from the touch until a frame shows the result. */
export type Tap = { readonly activeMs: number; readonly skeletonMs: number };

/**
 * Runs in the page. Records the first frame in which the tapped link is the current one, and the first in which a
 * skeleton of its page is shown.
 */
const watching = (href: string) => `{
  const seen = {};
  let touched = 0;
  addEventListener('pointerdown', (event) => (touched ||= event.timeStamp), { capture: true });
  const note = (what) => {
    if (touched === 0 || what in seen) return;
    seen[what] = 0;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        seen[what] = performance.now() - touched;
        if (seen.activeMs && seen.skeletonMs) globalThis.tapSeen = seen;
      };
      port2.postMessage(0);
    });
  };
  const look = () => {
    if (document.querySelector('.tabbar a[href="${href}"][aria-current]')) note('activeMs');
    if (document.querySelector('[data-coming]')) note('skeletonMs');
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}`;

async function tapOn(page: Page, href: string): Promise<Tap> {
  await page.evaluate(watching(href));
  await page.locator(`.tabbar a[href="${href}"]`).tap();
  await page.waitForFunction('globalThis.tapSeen !== undefined');
  return page.evaluate<Tap>('globalThis.tapSeen');
}

export async function firstTap(
  browser: Browser,
  signIn: (context: BrowserContext) => Promise<void>,
  url: string,
  href: string,
): Promise<Tap> {
  const context = await browser.newContext(PHONE);
  try {
    await signIn(context);
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', NETWORK);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.goto(url, { timeout: 120_000 });
    await page.waitForFunction(`Object.keys(document.body).some((key) => key.startsWith('__react'))`);
    return await tapOn(page, href);
  } finally {
    await context.close();
  }
}

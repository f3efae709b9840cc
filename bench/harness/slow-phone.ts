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
export type TapTimes = { readonly activeMs: number; readonly skeletonMs: number };

/**
 * Runs in the page. Records the first frame in which the tapped link is the current one, and the first in which a
 * skeleton of its page is shown.
 */
const createTapObserver = (href: string) => `{
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

async function measureTap(page: Page, href: string): Promise<TapTimes> {
  await page.evaluate(createTapObserver(href));
  await page.locator(`.tabbar a[href="${href}"]`).tap();
  await page.waitForFunction('globalThis.tapSeen !== undefined');
  return page.evaluate<TapTimes>('globalThis.tapSeen');
}

export async function runFirstTap(
  browser: Browser,
  signIn: (context: BrowserContext) => Promise<void>,
  url: string,
  href: string,
): Promise<TapTimes> {
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
    return await measureTap(page, href);
  } finally {
    await context.close();
  }
}

import type { Page } from '@playwright/test';

/** Waits until the service worker is active, controls this page, and the page has its manifest link. */
export async function waitForServiceWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  await page.waitForSelector('link[rel=manifest]', { state: 'attached' });
}

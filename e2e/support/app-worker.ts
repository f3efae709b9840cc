/** The app's worker, on pages of which journeys ask something. */
import type { Page } from '@playwright/test';

/** The app's worker runs, this page is its own, and listens to both. */
export async function atWork(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  await page.waitForSelector('link[rel=manifest]', { state: 'attached' });
}

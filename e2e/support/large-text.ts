/** Text sizes that a reader sets in the browser or by a style sheet, and whether a page still fits. */
import type { CDPSession, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

export const NORMAL_PX = 16;
export const LARGE_PX = 24;
export const TWICE_PX = 32;

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Sets the browser's font size. It applies to the open page at once and to those that follow. */
export async function setFontSize(page: Page, px: number): Promise<void> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  await (await session).send('Page.setFontSizes', { fontSizes: { standard: px, fixed: px } });
}

/** A style sheet of the reader changes the font size without affecting media queries. */
export async function setFontSizeByStyle(page: Page, px: number): Promise<void> {
  await page.addStyleTag({ content: `:root { font-size: ${px}px !important }` });
  await expect(page.locator('body')).toHaveCSS('font-size', `${px}px`);
}

/** Expects that nothing makes the page wider than its window. The layout may still be adapting, so it is polled. */
export async function expectFits(page: Page, description: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), {
      message: `how much too wide ${description} is`,
      intervals: [20, 50, 100, 250],
    })
    .toBeLessThanOrEqual(0);
}

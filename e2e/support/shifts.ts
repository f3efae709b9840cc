import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

declare global {
  interface Window {
    /** The sum of all layout shifts, including those within 500 ms of an input, which the usual score leaves out. */
    shiftSum?: number;
  }
}

/** Call this before the page is opened. */
export async function observeShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shiftSum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ('value' in entry && typeof entry.value === 'number') window.shiftSum = (window.shiftSum ?? 0) + entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
      }),
  );
}

/**
 * Scrolls an element to the middle of the thread and waits until the thread accepts presses, which it ignores while
 * scrolling.
 */
export async function scrollToMiddle(page: Page, target: Locator): Promise<void> {
  await target.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await drawn(page);
  await expect(page.locator('.conv__scroll [style*="pointer-events: none"]')).toHaveCount(0);
}

async function shiftSum(page: Page): Promise<number> {
  await drawn(page);
  return page.evaluate(() => window.shiftSum ?? Number.NaN);
}

type Place = { id: string | undefined; index: number; top: number };

/** The positions of visible messages, identified by id, or by their index until they are sent. */
function placesOf(page: Page): Promise<Place[]> {
  return page.evaluate(() => {
    const frame = document.querySelector('.conv__scroll')?.getBoundingClientRect();
    if (!frame) throw new Error('no thread');
    const rows = [...document.querySelectorAll<HTMLElement>('.conv__scroll .msg')];
    return rows.flatMap((row, index) => {
      const { top, bottom } = row.querySelector('.bubble, .large')?.getBoundingClientRect() ?? new DOMRect();
      return bottom > frame.top && top < frame.bottom ? [{ id: row.dataset.message, index, top }] : [];
    });
  });
}

/** The largest distance in pixels that a message moved. NaN if one is no longer visible. */
function furthestMove(before: readonly Place[], after: readonly Place[]): number {
  const moves = before.map(({ id, index, top }) => {
    const now = after.find((place) => (id === undefined ? place.index === index : place.id === id));
    return now ? Math.abs(now.top - top) : Number.NaN;
  });
  return Math.max(...moves);
}

const LIMIT = 0.01;
/** Browsers round to fractions of a pixel. */
const TOLERANCE_PX = 1;

/**
 * Expects that nothing in the thread moves during `act`: layout shifts add up to at most 0.01, and each visible message
 * keeps its position. With `follows`, the thread may scroll as a whole, as it does at its end.
 */
export async function expectStill(page: Page, what: string, act: () => Promise<void>, follows = false): Promise<void> {
  const [sum, places] = [await shiftSum(page), await placesOf(page)];
  expect(places, `messages in sight: ${what}`).not.toEqual([]);
  await act();
  const shift = (await shiftSum(page)) - sum;
  const furthest = furthestMove(places, await placesOf(page));
  expect.soft(shift, `layout shift: ${what}`).toBeLessThanOrEqual(LIMIT);
  if (!follows) expect.soft(furthest, `pixels that a message moved: ${what}`).toBeLessThanOrEqual(TOLERANCE_PX);
}

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

async function waitForRepaint(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
      }),
  );
}

export async function scrollToMiddle(page: Page, target: Locator): Promise<void> {
  await target.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await waitForRepaint(page);
}

async function getShiftSum(page: Page): Promise<number> {
  await waitForRepaint(page);
  return page.evaluate(() => window.shiftSum ?? Number.NaN);
}

type MessagePosition = { id: string | undefined; index: number; top: number };

/** The positions of visible messages, identified by id, or by their index until they are sent. */
function listPositions(page: Page): Promise<MessagePosition[]> {
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
function getFurthestMove(before: readonly MessagePosition[], after: readonly MessagePosition[]): number {
  const moves = before.map(({ id, index, top }) => {
    const moved = after.find((position) => (id === undefined ? position.index === index : position.id === id));
    return moved ? Math.abs(moved.top - top) : Number.NaN;
  });
  return Math.max(...moves);
}

const LIMIT = 0.01;
/** Browsers round to fractions of a pixel. */
const TOLERANCE_PX = 1;

/**
 * Expects that nothing in the thread moves during `action`: layout shifts add up to at most 0.01, and each visible message
 * keeps its position. With `canScroll`, the thread may scroll as a whole, as it does at its end.
 */
export async function expectNoMovement(
  page: Page,
  label: string,
  action: () => Promise<void>,
  canScroll = false,
): Promise<void> {
  const [sum, positions] = [await getShiftSum(page), await listPositions(page)];
  expect(positions, `messages in sight: ${label}`).not.toEqual([]);
  await action();
  const shift = (await getShiftSum(page)) - sum;
  const furthest = getFurthestMove(positions, await listPositions(page));
  expect.soft(shift, `layout shift: ${label}`).toBeLessThanOrEqual(LIMIT);
  if (!canScroll) expect.soft(furthest, `pixels that a message moved: ${label}`).toBeLessThanOrEqual(TOLERANCE_PX);
}

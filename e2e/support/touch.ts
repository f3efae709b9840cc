import { expect, type Locator, type Page } from '@playwright/test';

/** 'it' if the middle of an element can be touched, else a description of what covers it. */
async function describeTouchTarget(target: Locator): Promise<string> {
  return await target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (hit && (element === hit || element.contains(hit) || hit.contains(element))) return 'it';
    return hit ? `<${hit.tagName.toLowerCase()} class="${hit.getAttribute('class') ?? ''}">` : 'nothing of the window';
  });
}

/** Expects that the element can be touched without scrolling. */
export async function expectTouchable(target: Locator): Promise<void> {
  await expect.poll(() => describeTouchTarget(target), { message: `under the finger is ${target}` }).toBe('it');
}

/** The tab bar returns some time after typing has ended, and then the elements above it move up. */
async function isStable(target: Locator): Promise<boolean> {
  return await target.evaluate((element) => {
    if (document.body.getAnimations().length > 0) return false;
    const readPosition = () => JSON.stringify(element.getBoundingClientRect());
    const before = readPosition();
    return new Promise<boolean>((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(readPosition() === before)));
    });
  });
}

/**
 * Taps the middle of an element once it is stable, and scrolls to it if needed. Fails where another element would be
 * tapped.
 */
export async function tap(page: Page, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  await expect.poll(() => isStable(target), { message: `${target} comes to rest` }).toBe(true);
  await expectTouchable(target);
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} has no box`);
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
}

/** A thumb on a phone: it scrolls to what it wants, and touches only what lies under it. */
import { expect, type Locator, type Page } from '@playwright/test';

/** What part of an element's middle could be touched: 'it', or what lies over it instead. */
async function underFinger(target: Locator): Promise<string> {
  return await target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (hit && (element === hit || element.contains(hit) || hit.contains(element))) return 'it';
    return hit ? `<${hit.tagName.toLowerCase()} class="${hit.getAttribute('class') ?? ''}">` : 'nothing of the window';
  });
}

/** Can be touched as the page stands now, without scrolling. */
export async function expectUnderFinger(target: Locator): Promise<void> {
  await expect.poll(() => underFinger(target), { message: `under the finger is ${target}` }).toBe('it');
}

/** Stands where it stood two frames ago: a sheet has come up, a list has been laid. */
async function isAtRest(target: Locator): Promise<boolean> {
  return await target.evaluate((element) => {
    const place = () => JSON.stringify(element.getBoundingClientRect());
    const before = place();
    return new Promise<boolean>((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(place() === before)));
    });
  });
}

/** Touches the middle of an element that has come to rest, scrolling to it if need be. Fails where something else would be touched. */
export async function tap(page: Page, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  await expect.poll(() => isAtRest(target), { message: `${target} comes to rest` }).toBe(true);
  await expectUnderFinger(target);
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} has no box`);
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
}

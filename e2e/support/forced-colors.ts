import { expect, type Page } from '@playwright/test';

/**
 * Takes the state from each kind of element and back, in the forced colors of high-contrast modes. Without a mark of its
 * own, an element looks the same without it.
 */
export async function expectStatesMarked(page: Page, selectors: readonly string[]): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: null });
  for (const selector of selectors) {
    await page
      .locator(selector)
      .filter({ visible: true })
      .first()
      .evaluate((node) => node.setAttribute('data-tested', ''));
    const element = page.locator('[data-tested]');
    await element.scrollIntoViewIfNeeded();
    const takePicture = () => element.screenshot({ animations: 'disabled', caret: 'hide' });
    const setState = (isSet: boolean) =>
      element.evaluate((node, isOn) => {
        const box = node instanceof HTMLInputElement ? node : node.querySelector('input');
        if (box) box.checked = isOn;
        for (const name of ['aria-current', 'aria-pressed', 'data-on']) {
          const before = node.getAttribute(`was-${name}`) ?? node.getAttribute(name);
          if (before === null) continue;
          node.setAttribute(`was-${name}`, before);
          const other = name !== 'data-on' ? 'false' : before === 'on' ? 'off' : 'on';
          node.setAttribute(name, isOn ? before : other);
        }
      }, isSet);
    const withState = await takePicture();
    await setState(false);
    const withoutState = await takePicture();
    await setState(true);
    await element.evaluate((node) => node.removeAttribute('data-tested'));
    expect(withState.equals(withoutState), `${selector} looks the same with and without its state`).toBe(false);
  }
  await page.emulateMedia({ forcedColors: null });
}

/** Firefox at the width of a phone, driven over WebDriver BiDi. */
import puppeteer, { type ElementHandle, type Page } from 'puppeteer-core';
import { findFirefox } from '../../scripts/lib/system.mjs';
import { type Driver, type DriverElement, PHONE } from './driver.ts';

type ElementInfo = { name: string; isShown: boolean };

function describeElement(element: Element): ElementInfo {
  const label = element.getAttribute('aria-label') ?? element.getAttribute('alt');
  const labels = 'labels' in element && element.labels instanceof NodeList ? [...element.labels] : [];
  return {
    name: label ?? (labels.map(({ textContent }) => textContent).join(' ') || element.textContent),
    isShown: element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0,
  };
}

function toDriverElement(element: ElementHandle): DriverElement {
  const isClickable = () =>
    element.evaluate((target) => {
      target.scrollIntoView({ block: 'nearest' });
      const { x, y, width, height } = target.getBoundingClientRect();
      const top = document.elementFromPoint(x + width / 2, y + height / 2);
      return top !== null && (target.contains(top) || top.contains(target));
    });
  return {
    click: async () => {
      if (!(await isClickable())) throw new Error('something else lies under the finger');
      await element.click();
    },
    type: (text) => element.type(text),
    property: async (name) => (await element.getProperty(name)).jsonValue(),
  };
}

async function find(
  page: Page,
  selector: string,
  isWanted: (name: string) => boolean,
): Promise<DriverElement | undefined> {
  for (const element of await page.$$(selector)) {
    const { name, isShown } = await element.evaluate(describeElement).catch(() => ({ name: '', isShown: false }));
    if (isShown && isWanted(name)) return toDriverElement(element);
  }
  return undefined;
}

export async function openFirefox(): Promise<Driver | undefined> {
  const executablePath = findFirefox();
  if (executablePath === undefined) return undefined;
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    defaultViewport: PHONE,
  });
  const page = await browser.newPage();
  return {
    goto: async (address) => void (await page.goto(address)),
    url: async () => page.url(),
    find: (selector, isWanted) => find(page, selector, isWanted),
    evaluate: (expression) => page.evaluate(expression),
    screenshot: async () => Buffer.from(await page.screenshot()),
    end: () => browser.close(),
  };
}

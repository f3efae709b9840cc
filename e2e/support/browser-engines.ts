/** A user in a browser engine other than Chromium at the width of a phone, independent of how the engine is driven. */
import { writeFile } from 'node:fs/promises';
import type { Driver, DriverElement } from './driver.ts';
import { openFirefox } from './firefox.ts';
import { test as base, expect, getBaseUrl } from './fixtures.ts';
import { openWebKit } from './webkit.ts';

type NamePattern = string | RegExp;

export class EngineUser {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  url(): Promise<string> {
    return this.#driver.url();
  }

  evaluate(expression: string): Promise<unknown> {
    return this.#driver.evaluate(expression);
  }

  /** Opens a page that may have no script. */
  async open(address: string): Promise<void> {
    await this.#driver.goto(new URL(address, getBaseUrl()).href);
  }

  async visit(address: string): Promise<void> {
    await this.open(address);
    const isHydrated = 'Object.keys(document.body ?? {}).some((key) => key.startsWith("__react"))';
    await expect.poll(() => this.evaluate(isHydrated)).toBe(true);
  }

  async find(selector: string, name: NamePattern): Promise<DriverElement> {
    const isWanted = (text: string) => (typeof name === 'string' ? text.includes(name) : name.test(text));
    let element: DriverElement | undefined;
    const tryFind = async () => {
      element = await this.#driver.find(selector, isWanted);
      return element !== undefined;
    };
    await expect.poll(tryFind, { message: `${selector} named ${String(name)}`, timeout: 15_000 }).toBe(true);
    if (!element) throw new Error('nothing found');
    return element;
  }

  async press(selector: string, name: NamePattern): Promise<void> {
    const element = await this.find(selector, name);
    await element.click();
  }

  async write(selector: string, name: NamePattern, text: string): Promise<void> {
    const element = await this.find(selector, name);
    await element.click();
    await element.type(text);
  }

  async expectText(text: NamePattern): Promise<void> {
    await expect.poll(() => this.evaluate('document.body?.innerText ?? ""'), { timeout: 15_000 }).toMatch(text);
  }

  async expectUrl(address: RegExp): Promise<void> {
    await expect.poll(() => this.url(), { timeout: 20_000 }).toMatch(address);
  }
}

/** Both return undefined when the browser is not installed. */
const ENGINES = { WebKit: openWebKit, Firefox: openFirefox } as const;

/** Opens engines for a test, skips it when one is not installed, and stores a screenshot of a failed test. */
export const test = base.extend<{ openEngine: (engine: keyof typeof ENGINES) => Promise<EngineUser> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern which other fixtures are needed: none.
  openEngine: async ({}, use, info) => {
    const drivers: Driver[] = [];
    try {
      await use(async (engine) => {
        const driver = await ENGINES[engine]();
        if (!driver) throw info.skip(true, `${engine} is not on this machine: its run is left out`);
        drivers.push(driver);
        return new EngineUser(driver);
      });
      if (info.status === info.expectedStatus) return;
      for (const driver of drivers) await writeFile(info.outputPath('engine.png'), await driver.screenshot());
    } finally {
      for (const driver of drivers) await driver.end();
    }
  },
});

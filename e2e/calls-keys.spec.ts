import type { Page } from '@playwright/test';
import { expectTalk, keepWays, SETTINGS, stage } from './support/calls.ts';
import { callApi, expect, hydrated, test } from './support/fixtures.ts';
import { addFunds } from './support/money.ts';

declare global {
  interface Window {
    told?: string[];
  }
}

/** Runs before the page's scripts and records changes in live regions. */
function keepTold(): void {
  const told: string[] = [];
  window.told = told;
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const element = target instanceof Element ? target : target.parentElement;
      const words = element?.closest('[role="status"], [role="alert"], [aria-live]')?.textContent?.trim();
      if (words && told.at(-1) !== words) told.push(words);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}
/** User names in sentences are wrapped in Unicode isolates, which are removed here. */
const toldOn = async (page: Page) =>
  (await page.evaluate(() => window.told ?? [])).map((words) => words.replace(/[\u2066-\u2069]/gu, '')).join(' | ');

async function tabTo(page: Page, name: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let n = 0; n < 60; n += 1) {
    const now = await page.evaluate(() => {
      const { activeElement: element } = document;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
    if (name.test(now)) return;
    seen.push(now.slice(0, 30));
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} is not reached: ${seen.join(', ')}`);
}
async function press(page: Page, name: RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

test('a call works by keyboard alone with announcements, and funds are added during it', async ({ person }) => {
  test.setTimeout(120_000);
  const [creator, fan] = [await person('creator'), await person('customer')];
  await callApi(creator.context, 'PUT', '/creator/call-settings', { ...SETTINGS, videoRate: 6 });
  for (const { context, page } of [creator, fan]) {
    await context.grantPermissions(['camera', 'microphone']);
    await page.addInitScript(keepWays);
    await page.addInitScript(keepTold);
  }
  await creator.page.goto('/creator/calls');
  await hydrated(creator.page);
  await tabTo(creator.page, /^Call history$/);
  await addFunds(fan.context, 10);
  const button = fan.page.getByRole('button', { name: 'Call $6.00/min' });
  await fan.page.goto(`/profile/${creator.username}`);
  await expect(button).toBeEnabled();
  await expect(fan.page.getByRole('link', { name: 'Low balance' })).toHaveCount(0);

  await press(fan.page, /^Call \$6\.00/);
  await expect(fan.page.getByText('You can talk about 1 min')).toBeVisible();
  await press(fan.page, /^Call .+\$6\.00/);
  const sheet = creator.page.getByRole('dialog', { name: 'Incoming video call' });
  await expect(sheet).toBeFocused();
  await press(creator.page, /^Accept/);
  await expectTalk({ creator, fan });
  await expect(stage(fan.page)).toContainText('2 minutes left');
  await press(fan.page, /^Mute microphone/, 'Space');
  await expect(fan.page.getByRole('button', { name: 'Unmute microphone' })).toBeFocused();

  await press(fan.page, /^Minimize/);
  await expect(fan.page.getByRole('button', { name: /^Back to the call/ })).toBeFocused();
  const low = fan.page.getByRole('link', { name: 'Low balance' });
  await expect(low).toBeVisible();
  await addFunds(fan.context, 30);
  await expect(low).toHaveCount(0);
  await press(fan.page, /^Back to the call/);
  await expect(stage(fan.page)).toBeFocused();
  await expect(stage(fan.page)).not.toContainText('2 minutes left');
  await expectTalk({ creator, fan });

  await press(fan.page, /^End/);
  for (const { page } of [fan, creator]) {
    await expect(page.getByRole('dialog', { name: 'Receipt' })).toBeFocused();
    await page.keyboard.press('Escape');
  }
  await expect(button).toBeFocused();
  await expect(creator.page.getByRole('link', { name: 'Call history' })).toBeFocused();
  expect(await toldOn(fan.page)).toMatch(/Ringing\..+ answered\..+Connected\..+Call ended\./);
  expect(await toldOn(fan.page)).toContain('2 minutes left');
  expect(await toldOn(creator.page)).toMatch(/Connected\..+Call ended\./);
});

import type { Page } from '@playwright/test';
import type { Wallet } from '@stagedoor/contract/finance/wallet.ts';
import { depositReturnPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { expectMedia, getCallDialog, recordConnections, TEST_CALL_SETTINGS } from './support/calls.ts';
import { type ApiClient, callApi, expect, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, openTip } from './support/money.ts';

declare global {
  interface Window {
    announcements?: string[];
  }
}

/** Runs before the page's scripts and records changes in live regions. */
function recordAnnouncements(): void {
  const announcements: string[] = [];
  window.announcements = announcements;
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const element = target instanceof Element ? target : target.parentElement;
      const text = element?.closest('[role="status"], [role="alert"], [aria-live]')?.textContent?.trim();
      if (text && announcements.at(-1) !== text) announcements.push(text);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}
/** User names in sentences are wrapped in Unicode isolates, which are removed here. */
const getAnnouncements = async (page: Page) =>
  (await page.evaluate(() => window.announcements ?? []))
    .map((text) => text.replace(/[\u2066-\u2069]/gu, ''))
    .join(' | ');

async function focusByTab(page: Page, name: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let n = 0; n < 60; n += 1) {
    const label = await page.evaluate(() => {
      const { activeElement: element } = document;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
    if (name.test(label)) return;
    seen.push(label.slice(0, 30));
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} is not reached: ${seen.join(', ')}`);
}
async function press(page: Page, name: RegExp, key = 'Enter'): Promise<void> {
  await focusByTab(page, name);
  await page.keyboard.press(key);
}

const fetchWallet = (context: ApiClient) => callApi<Wallet>(context, 'GET', '/customer/wallet');

test('a call works by keyboard alone with announcements, held money pays for tips, and funds are added during it', async ({
  createUser,
}) => {
  test.setTimeout(120_000);
  const [creator, fan] = [await createUser('creator'), await createUser('customer')];
  await callApi(creator.context, 'PUT', '/creator/call-settings', { ...TEST_CALL_SETTINGS, videoRate: 6 });
  for (const { context, page } of [creator, fan]) {
    await context.grantPermissions(['camera', 'microphone']);
    await page.addInitScript(recordConnections);
    await page.addInitScript(recordAnnouncements);
  }
  await creator.page.goto('/creator/calls');
  await waitForHydration(creator.page);
  await focusByTab(creator.page, /^Call history$/);
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
  await expectMedia({ creator, fan });
  await expect(getCallDialog(fan.page)).toContainText('2 minutes left');
  await press(fan.page, /^Mute microphone/, 'Space');
  await expect(fan.page.getByRole('button', { name: 'Unmute microphone' })).toBeFocused();

  // A browser with CloseWatcher handles Escape and the back button of a phone in the same way.
  await fan.page.keyboard.press('Escape');
  await expect(fan.page.getByRole('button', { name: /^Back to the call/ })).toBeFocused();
  // All the money is held for the call, which is no low balance, and a tip from the page behind it uses that.
  expect((await fetchWallet(fan.context)).available).toBe(0);
  const tip = await openTip(fan.page, creator.username);
  await expect(tip.getByText(/^Left in this call \$[1-9]\.\d\d$/)).toBeVisible();
  await tip.getByLabel('Custom amount').fill('2');
  await tip.getByRole('button', { name: 'Tip $2.00' }).click();
  await expect(tip).toBeHidden();
  expect(await fetchWallet(fan.context)).toMatchObject({ available: 0, held: 8 });
  await expect(fan.page.getByRole('link', { name: 'Low balance' })).toHaveCount(0);
  const depositId = await addFunds(fan.context, 30);
  const returned = await fan.context.newPage();
  await returned.goto(depositReturnPath(depositId));
  await expect(async () => {
    const { available, held } = await fetchWallet(fan.context);
    for (const text of [`Available ${formatUsd(available)}`, `Held ${formatUsd(held)}`, formatUsd(available + held)])
      await expect(returned.getByRole('main').getByText(text, { exact: true })).toBeVisible({ timeout: 1_000 });
    expect(held).toBeGreaterThan(0);
  }).toPass();
  await returned.close();
  await press(fan.page, /^Back to the call/);
  await expect(getCallDialog(fan.page)).toBeFocused();
  await expect(getCallDialog(fan.page)).not.toContainText('2 minutes left');
  await expectMedia({ creator, fan });

  await press(fan.page, /^End/);
  for (const { page } of [fan, creator]) {
    await expect(page.getByRole('dialog', { name: 'Receipt' })).toBeFocused();
    await page.keyboard.press('Escape');
  }
  await expect(button).toBeFocused();
  await expect(creator.page.getByRole('link', { name: 'Call history' })).toBeFocused();
  expect(await getAnnouncements(fan.page)).toMatch(/Ringing\..+ answered\..+Connected\..+Call ended\./);
  expect(await getAnnouncements(fan.page)).toContain('2 minutes left');
  expect(await getAnnouncements(creator.page)).toMatch(/Connected\..+Call ended\./);
});

import type { Page } from '@playwright/test';
import { type ApiClient, callApi, expect, logIn, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, fetchTransactions, fetchWalletBalance, openTip, publishPictures } from './support/money.ts';

async function publishPaidPost(creator: { username: string; context: ApiClient }): Promise<string> {
  return publishPictures(creator.context, { caption: `Paid ${creator.username}`, priceUsd: 10 });
}

test('a press while offline costs nothing, and a double click on Unlock and repeated presses on Tip each charge once', async ({
  createApiUser,
  createUser,
}) => {
  const [creator, fan] = [await createApiUser('creator'), await createUser('customer')];
  const id = await publishPaidPost(creator);
  await addFunds(fan.context, 100);
  const { page, context } = fan;
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto(`/post/${id}`);
  await waitForHydration(page);
  await context.setOffline(true);
  const unlock = page.getByRole('button', { name: 'Unlock $10.00' });
  await unlock.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Can’t connect.' })).toBeVisible();
  await page
    .getByRole('main')
    .getByRole('button', { name: `Tip ${creator.username}` })
    .click();
  await expect(unlock).toBeVisible();
  await context.setOffline(false);
  const dialog = page.getByRole('dialog', { name: `Tip ${creator.username}` });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('You’re offline.')).toBeHidden();
  expect(await fetchWalletBalance(context)).toBe(100);

  await unlock.dblclick();
  await expect(page.getByText(/^Unlocked · \$/)).toBeVisible();
  expect(await fetchWalletBalance(context)).toBe(90);

  await openTip(page, creator.username);
  const button = dialog.getByRole('button', { name: 'Tip $10.00' });
  await expect(button).toBeVisible();
  await button.evaluate((element: HTMLElement) => {
    const press = () => {
      if (!element.isConnected) return;
      element.click();
      setTimeout(press, 15);
    };
    press();
  });
  await expect(dialog).toBeHidden();
  await expect(page.getByText(`You tipped ${creator.username} $10.00.`)).toBeVisible();
  expect(await fetchWalletBalance(context)).toBe(80);
  expect((await fetchTransactions(context)).map(({ amount }) => amount)).toEqual([-10, -10, 100]);
});

async function blockUpdates(page: Page, postId: string): Promise<void> {
  await page.routeWebSocket(/socket\.io/, () => undefined);
  await page.route('**/socket.io/**', (route) => route.abort());
  const stale = await (await page.context().request.get(`/api/post/${postId}`)).text();
  await page.route(`**/api/post/${postId}`, (route) => route.fulfill({ contentType: 'application/json', body: stale }));
}

test('nothing is shown as paid before the server confirms it, a payment whose response was lost is charged once, and the text of a dialog remains when the session ends', async ({
  createApiUser,
  createUser,
}) => {
  const [creator, fan] = [await createApiUser('creator'), await createUser('customer')];
  const id = await publishPaidPost(creator);
  await addFunds(fan.context, 100);
  const { page } = fan;
  await blockUpdates(page, id);
  await page.goto(`/post/${id}`);
  await waitForHydration(page);
  let requestCount = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const failure = { code: 'UPSTREAM', message: 'Service temporarily unavailable. Try again.' };
  await page.route(/\/api\/(post\/unlock|tip)\//, async (route) => {
    requestCount += 1;
    await released;
    await route.fulfill({ status: 502, contentType: 'application/json', body: JSON.stringify(failure) });
  });
  const balances = page.getByText(/^(Available )?\$100\.00$/);
  const expectUnpaid = async () => {
    // An optimistic update would be drawn within two frames.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await expect(page.getByRole('link', { name: 'Available $100.00' })).toBeVisible();
    expect(await balances.count()).toBe(count);
    await expect(page.getByText(/^Unlocked · \$/)).toBeHidden();
    await expect(page.getByText(/^You tipped/)).toBeHidden();
  };
  await expect(balances.first()).toBeVisible();
  let count = await balances.count();
  const unlock = page.getByRole('button', { name: 'Unlock $10.00' });
  await unlock.click();
  await expect.poll(() => requestCount).toBe(1);
  await expectUnpaid();

  const dialog = await openTip(page, creator.username);
  await expect(dialog).toBeVisible();
  count = await balances.count();
  await dialog.getByRole('button', { name: 'Tip $10.00' }).click();
  await expect.poll(() => requestCount).toBe(2);
  await expect(dialog).toBeVisible();
  await expect(page.getByText('Available $100.00').first()).toBeVisible();
  expect(await balances.count()).toBe(count);

  release();
  await expect(dialog.getByRole('alert')).toContainText(failure.message);
  expect(await balances.count()).toBe(count);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  count = await balances.count();
  await expectUnpaid();
  expect(await fetchTransactions(fan.context)).toHaveLength(1);

  const loseFirstResponse = async (url: string) => {
    const keys: string[] = [];
    await page.route(url, async (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? 'none');
      if (keys.length > 1) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    return keys;
  };
  const expectOneKey = (keys: readonly string[]) => {
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(keys).not.toContain('none');
  };
  const unlocks = await loseFirstResponse('**/api/post/unlock/**');
  await unlock.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Can’t connect.' })).toBeVisible();
  expect(await fetchWalletBalance(fan.context)).toBe(90);
  await unlock.click();
  await expect(page.getByText(/^Unlocked · \$/)).toBeVisible();
  expectOneKey(unlocks);
  expect(await fetchWalletBalance(fan.context)).toBe(90);
  expect(await fetchTransactions(fan.context, 'post')).toHaveLength(1);

  const tips = await loseFirstResponse('**/api/tip/**');
  await openTip(page, creator.username);
  await dialog.getByRole('button', { name: '$20.00' }).click();
  await dialog.getByRole('button', { name: 'Tip $20.00' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'Can’t connect.' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Tip $20.00' }).click();
  await expect(dialog).toBeHidden();
  expectOneKey(tips);
  expect(await fetchWalletBalance(fan.context)).toBe(70);
  expect(await fetchTransactions(fan.context, 'tip')).toHaveLength(1);

  await openTip(page, creator.username);
  await dialog.getByLabel('Add a message').fill('For the encore');
  await page.reload();
  await waitForHydration(page);
  await openTip(page, creator.username);
  await expect(dialog.getByLabel('Add a message')).toHaveValue('For the encore');
  await dialog.getByLabel('Add a message').fill('For the encore!');
  await page.context().clearCookies();
  await dialog.getByRole('button', { name: 'Tip $20.00' }).click();
  await expect(page.getByText('Your session expired. Log in again in another tab', { exact: false })).toBeVisible();
  const login = dialog.getByRole('link', { name: 'Log in' });
  await expect(login).toHaveAttribute('target', '_blank');
  const opened = fan.context.waitForEvent('page');
  await page.locator('.toast').getByRole('button', { name: 'Log in' }).click();
  await (await opened).close();
  await expect(dialog.getByLabel('Add a message')).toHaveValue('For the encore!');
  await logIn(fan.context, fan.username);
  await dialog.getByRole('button', { name: 'Tip $20.00' }).click();
  await expect(dialog).toBeHidden();
  expect(await fetchTransactions(fan.context, 'tip')).toHaveLength(2);

  await callApi(fan.context, 'PUT', '/customer/spending-limits/day', { limit: 60 });
  await page.reload();
  await waitForHydration(page);
  await openTip(page, creator.username);
  await expect(dialog.getByLabel('Add a message')).toHaveValue('');
  await dialog.getByLabel('Custom amount').fill('100');
  await expect(dialog.getByRole('status')).toContainText('Your daily spending limit leaves $10.00.');
  await expect(dialog.getByRole('link', { name: 'Add funds to tip' })).toHaveCount(0);
  await expect(dialog.getByRole('link', { name: 'Spending limits' })).toHaveAttribute('href', '/fan/profile#limits');
});

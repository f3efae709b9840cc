import type { Page } from '@playwright/test';
import { type ApiClient, expect, hydrated, test } from './support/fixtures.ts';
import { addFunds, balanceOf, openTip, publish, transactionsOf } from './support/money.ts';

async function paidPost(maker: { username: string; context: ApiClient }): Promise<string> {
  return publish(maker.context, { caption: `Paid ${maker.username}`, priceUsd: 10 });
}

test('a press while offline costs nothing, and a double click on Unlock and repeated presses on Tip each charge once', async ({
  apiUser,
  person,
}) => {
  const [maker, fan] = [await apiUser('creator'), await person('customer')];
  const id = await paidPost(maker);
  await addFunds(fan.context, 100);
  const { page, context } = fan;
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto(`/post/${id}`);
  await hydrated(page);
  await context.setOffline(true);
  const unlock = page.getByRole('button', { name: 'Unlock $10.00' });
  await unlock.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Can’t connect.' })).toBeVisible();
  await page
    .getByRole('main')
    .getByRole('button', { name: `Tip ${maker.username}` })
    .click();
  await expect(unlock).toBeVisible();
  await context.setOffline(false);
  const dialog = page.getByRole('dialog', { name: `Tip ${maker.username}` });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('You’re offline.')).toBeHidden();
  expect(await balanceOf(context)).toBe(100);

  await unlock.dblclick();
  await expect(page.getByText(/^Unlocked · \$/)).toBeVisible();
  expect(await balanceOf(context)).toBe(90);

  await openTip(page, maker.username);
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
  await expect(page.getByText(`You tipped ${maker.username} $10.00.`)).toBeVisible();
  expect(await balanceOf(context)).toBe(80);
  expect((await transactionsOf(context)).map(({ amount }) => amount)).toEqual([-10, -10, 100]);
});

async function cutOffUpdates(page: Page, postId: string): Promise<void> {
  await page.routeWebSocket(/socket\.io/, () => undefined);
  await page.route('**/socket.io/**', (route) => route.abort());
  const stale = await (await page.context().request.get(`/api/post/${postId}`)).text();
  await page.route(`**/api/post/${postId}`, (route) => route.fulfill({ contentType: 'application/json', body: stale }));
}

test('nothing is shown as paid before the server confirms it, and a payment whose response was lost is charged once', async ({
  apiUser,
  person,
}) => {
  const [maker, fan] = [await apiUser('creator'), await person('customer')];
  const id = await paidPost(maker);
  await addFunds(fan.context, 100);
  const { page } = fan;
  await cutOffUpdates(page, id);
  await page.goto(`/post/${id}`);
  await hydrated(page);
  let asked = 0;
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const refusal = { code: 'UPSTREAM', message: 'Service temporarily unavailable. Try again.' };
  await page.route(/\/api\/(post\/unlock|tip)\//, async (route) => {
    asked += 1;
    await held;
    await route.fulfill({ status: 502, contentType: 'application/json', body: JSON.stringify(refusal) });
  });
  const balances = page.getByText(/^(Balance )?\$100\.00$/);
  const shown = async () => {
    // An optimistic update would be drawn within two frames.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await expect(page.getByRole('link', { name: 'Balance $100.00' })).toBeVisible();
    expect(await balances.count()).toBe(count);
    await expect(page.getByText(/^Unlocked · \$/)).toBeHidden();
    await expect(page.getByText(/^You tipped/)).toBeHidden();
  };
  await expect(balances.first()).toBeVisible();
  let count = await balances.count();
  const unlock = page.getByRole('button', { name: 'Unlock $10.00' });
  await unlock.click();
  await expect.poll(() => asked).toBe(1);
  await shown();

  const dialog = await openTip(page, maker.username);
  await expect(dialog).toBeVisible();
  count = await balances.count();
  await dialog.getByRole('button', { name: 'Tip $10.00' }).click();
  await expect.poll(() => asked).toBe(2);
  await expect(dialog).toBeVisible();
  await expect(page.getByText('Balance $100.00').first()).toBeVisible();
  expect(await balances.count()).toBe(count);

  answer();
  await expect(dialog.getByRole('alert')).toContainText(refusal.message);
  expect(await balances.count()).toBe(count);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  count = await balances.count();
  await shown();
  expect(await transactionsOf(fan.context)).toHaveLength(1);

  const loseFirstAnswer = async (url: string) => {
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
  const unlocks = await loseFirstAnswer('**/api/post/unlock/**');
  await unlock.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Can’t connect.' })).toBeVisible();
  expect(await balanceOf(fan.context)).toBe(90);
  await unlock.click();
  await expect(page.getByText(/^Unlocked · \$/)).toBeVisible();
  expectOneKey(unlocks);
  expect(await balanceOf(fan.context)).toBe(90);
  expect(await transactionsOf(fan.context, 'post')).toHaveLength(1);

  const tips = await loseFirstAnswer('**/api/tip/**');
  await openTip(page, maker.username);
  await dialog.getByRole('button', { name: '$20.00' }).click();
  await dialog.getByRole('button', { name: 'Tip $20.00' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'Can’t connect.' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Tip $20.00' }).click();
  await expect(dialog).toBeHidden();
  expectOneKey(tips);
  expect(await balanceOf(fan.context)).toBe(70);
  expect(await transactionsOf(fan.context, 'tip')).toHaveLength(1);
});

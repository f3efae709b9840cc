import type { Page } from '@playwright/test';
import type { Person } from './support/fixtures.ts';
import { expect, hydrated, test } from './support/fixtures.ts';
import { addFunds, balanceOf, CARDS, openTip, payByCard, publish, transactionsOf } from './support/money.ts';

async function paidPost(maker: Person, priceUsd = 10): Promise<string> {
  return publish(maker.context, { caption: `Paid ${maker.username}`, priceUsd });
}

test('a double click on Unlock and repeated presses on Tip each charge once', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
  const id = await paidPost(maker);
  await addFunds(fan.context, 100);
  const { page } = fan;
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto(`/post/${id}`);
  await hydrated(page);
  await page.getByRole('button', { name: 'Unlock $10.00' }).dblclick();
  await expect(page.getByText(/^Yours · \$/)).toBeVisible();
  expect(await balanceOf(fan.context)).toBe(90);

  const dialog = await openTip(page, maker.username);
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
  expect(await balanceOf(fan.context)).toBe(80);
  expect((await transactionsOf(fan.context)).map(({ amount }) => amount)).toEqual([-10, -10, 100]);
});

test('a press while offline costs nothing, and works once the connection is back', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
  const id = await paidPost(maker);
  await addFunds(fan.context, 100);
  const { page, context } = fan;
  await page.goto(`/post/${id}`);
  await hydrated(page);
  await context.setOffline(true);
  const unlock = page.getByRole('button', { name: 'Unlock $10.00' });
  await unlock.click();
  await expect(page.getByRole('alert').filter({ hasText: 'We could not reach Stagedoor.' })).toBeVisible();
  await page
    .getByRole('main')
    .getByRole('button', { name: `Tip ${maker.username}` })
    .click();
  await expect(unlock).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('dialog', { name: `Tip ${maker.username}` })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('You’re offline.')).toBeHidden();
  await unlock.click();
  await expect(page.getByText(/^Yours · \$/)).toBeVisible();
  expect(await balanceOf(fan.context)).toBe(90);

  await page.goto('/');
  await hydrated(page);
  await context.setOffline(true);
  const search = page.getByRole('main').getByRole('searchbox');
  await search.fill('kiln');
  await search.press('Enter');
  await expect(page.getByText('That page can be opened once you’re back')).toBeVisible();
  await expect(search).toHaveValue('kiln');
});

async function cutOffUpdates(page: Page, postId: string): Promise<void> {
  await page.routeWebSocket(/socket\.io/, () => undefined);
  await page.route('**/socket.io/**', (route) => route.abort());
  const stale = await (await page.context().request.get(`/api/post/${postId}`)).text();
  await page.route(`**/api/post/${postId}`, (route) => route.fulfill({ contentType: 'application/json', body: stale }));
}

test('an unlock and a tip whose response was lost are charged once, under the same key', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
  const id = await paidPost(maker);
  await addFunds(fan.context, 100);
  const { page } = fan;
  await cutOffUpdates(page, id);
  await page.goto(`/post/${id}`);
  await hydrated(page);
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
  const unlock = page.getByRole('button', { name: 'Unlock $10.00' });
  await unlock.click();
  await expect(page.getByRole('alert').filter({ hasText: 'We could not reach Stagedoor.' })).toBeVisible();
  expect(await balanceOf(fan.context)).toBe(90);
  await unlock.click();
  await expect(page.getByText(/^Yours · \$/)).toBeVisible();
  expectOneKey(unlocks);
  expect(await balanceOf(fan.context)).toBe(90);
  expect(await transactionsOf(fan.context, 'post')).toHaveLength(1);

  const tips = await loseFirstAnswer('**/api/tip/**');
  const dialog = await openTip(page, maker.username);
  await dialog.getByRole('button', { name: '$20.00' }).click();
  await dialog.getByRole('button', { name: 'Tip $20.00' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByRole('button', { name: 'Tip $20.00' }).click();
  await expect(dialog).toBeHidden();
  expectOneKey(tips);
  expect(await balanceOf(fan.context)).toBe(70);
  expect(await transactionsOf(fan.context, 'tip')).toHaveLength(1);
});

test('nothing is shown as paid before the server has responded or when it refuses', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
  const id = await paidPost(maker);
  await addFunds(fan.context, 100);
  const { page } = fan;
  await page.goto(`/post/${id}`);
  await hydrated(page);
  let asked = 0;
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const refusal = { code: 'UPSTREAM', message: 'A service we depend on did not answer. Please try again.' };
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
    await expect(page.getByText(/^Yours · \$/)).toBeHidden();
    await expect(page.getByText(/^You tipped/)).toBeHidden();
  };
  await expect(balances.first()).toBeVisible();
  let count = await balances.count();
  await page.getByRole('button', { name: 'Unlock $10.00' }).click();
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
});

test('an insufficient balance leads to the wallet and back to the post', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer', { width: 390 })];
  const id = await paidPost(maker, 45);
  const { page } = fan;
  await page.goto(`/post/${id}`);
  await hydrated(page);
  await expect(page.getByText('Costs $45.00')).toBeVisible();
  await page.getByRole('link', { name: 'Add funds to unlock' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add funds' });
  await expect(dialog.getByLabel('Amount of balance, in dollars')).toHaveValue('45');
  await dialog.getByLabel('Amount of balance, in dollars').fill('50');
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('dialog', { name: 'Payment information' }).getByRole('button', { name: 'Pay $51.00' }).click();
  await payByCard(page, CARDS.approved);
  await expect(page.getByRole('heading', { name: 'The money is in your wallet' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to the post' }).click();
  await page.getByRole('button', { name: 'Unlock $45.00' }).click();
  await expect(page.getByText(/^Yours · \$/)).toBeVisible();
  expect(await balanceOf(fan.context)).toBe(5);
});

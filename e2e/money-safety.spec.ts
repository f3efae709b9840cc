/** Money is safe from fast fingers, second tabs, lost connections and curious eyes. */
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Person } from './support/fixtures.ts';
import { expect, hydrated, test } from './support/fixtures.ts';
import { addFunds, balanceOf, CARDS, openTip, payByCard, publish, transactionsOf, tryMove } from './support/money.ts';

async function paidPost(maker: Person, priceUsd = 10): Promise<string> {
  return publish(maker.context, { caption: `Paid ${maker.username}`, priceUsd });
}

test('a double click on Unlock charges once, and so does one on Tip', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
  const id = await paidPost(maker);
  await addFunds(fan.context, 100);
  const { page } = fan;
  await page.goto(`/post/${id}`);
  await hydrated(page);
  await page.getByRole('button', { name: 'Unlock $10.00' }).dblclick();
  await expect(page.getByText(/^Yours · \$/)).toBeVisible();
  expect(await balanceOf(fan.context)).toBe(90);

  const dialog = await openTip(page, maker.username);
  await dialog.getByRole('button', { name: '$5.00' }).click();
  await dialog.getByRole('button', { name: 'Tip $5.00' }).dblclick();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(`You tipped ${maker.username} $5.00.`)).toBeVisible();
  expect(await balanceOf(fan.context)).toBe(85);
  expect((await transactionsOf(fan.context)).map(({ amount }) => amount)).toEqual([-5, -10, 100]);
});

test('without a connection the first press on a page breaks nothing and costs nothing; back, it all goes on', async ({
  person,
}) => {
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

test('two tabs that unlock at once pay once, and both are open', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
  const id = await paidPost(maker);
  await addFunds(fan.context, 100);
  const tabs = [fan.page, await fan.context.newPage()];
  for (const tab of tabs) {
    await tab.goto(`/post/${id}`);
    await hydrated(tab);
    await expect(tab.getByRole('button', { name: 'Unlock $10.00' })).toBeVisible();
  }
  // Pressed by hand the second would come late: the first tells the other tab, whose button goes.
  const buttons = await Promise.all(
    tabs.map((tab) => tab.getByRole('button', { name: 'Unlock $10.00' }).elementHandle()),
  );
  await Promise.all(buttons.map((button) => button?.evaluate((element) => Object(element).click())));
  for (const tab of tabs) await expect(tab.getByText(/^Yours · \$/)).toBeVisible();
  expect(await balanceOf(fan.context)).toBe(90);
  expect(await transactionsOf(fan.context, 'post')).toHaveLength(1);
});

/** Makes the page deaf: what the server tells of a purchase does not come, and the post is told as it is now. */
async function deafen(page: Page, postId: string): Promise<void> {
  await page.routeWebSocket(/socket\.io/, () => undefined);
  await page.route('**/socket.io/**', (route) => route.abort());
  const stale = await (await page.context().request.get(`/api/post/${postId}`)).text();
  await page.route(`**/api/post/${postId}`, (route) => route.fulfill({ contentType: 'application/json', body: stale }));
}

for (const lost of ['request', 'answer'] as const)
  test(`an unlock whose ${lost} is lost is the same operation when tried again`, async ({ person }) => {
    const [maker, fan] = [await person('creator'), await person('customer')];
    const id = await paidPost(maker);
    await addFunds(fan.context, 100);
    const { page } = fan;
    await deafen(page, id);
    await page.goto(`/post/${id}`);
    await hydrated(page);
    const keys: string[] = [];
    await page.route('**/api/post/unlock/**', async (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? 'none');
      if (keys.length > 1) return route.continue();
      // The server does it; the answer never arrives.
      if (lost === 'answer') await route.fetch();
      await route.abort('connectionreset');
    });
    const unlock = page.getByRole('button', { name: 'Unlock $10.00' });
    await unlock.click();
    await expect(page.getByRole('alert').filter({ hasText: 'We could not reach Stagedoor.' })).toBeVisible();
    expect(await balanceOf(fan.context)).toBe(lost === 'answer' ? 90 : 100);
    await unlock.click();
    await expect(page.getByText(/^Yours · \$/)).toBeVisible();
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(keys).not.toContain('none');
    expect(await balanceOf(fan.context)).toBe(90);
    expect(await transactionsOf(fan.context, 'post')).toHaveLength(1);
  });

test('nothing is shown as paid before the server has said so, and nothing when it refuses', async ({ person }) => {
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
    // What is drawn by a press is drawn within two frames.
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

test('a tip whose answer is lost is charged once, with the same key', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
  await addFunds(fan.context, 100);
  const { page } = fan;
  await page.goto(`/profile/${maker.username}`);
  await hydrated(page);
  const keys: string[] = [];
  await page.route('**/api/tip/**', async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? 'none');
    if (keys.length > 1) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  const dialog = await openTip(page, maker.username);
  await dialog.getByRole('button', { name: '$20.00' }).click();
  await dialog.getByRole('button', { name: 'Tip $20.00' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByRole('button', { name: 'Tip $20.00' }).click();
  await expect(dialog).toBeHidden();
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  expect(await balanceOf(fan.context)).toBe(80);
  expect(await transactionsOf(fan.context, 'tip')).toHaveLength(1);
});

test('the same key with another body is refused, and the same body answers the same', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
  const id = await paidPost(maker);
  await addFunds(fan.context, 100);
  const creatorId = (await (await maker.context.request.get('/api/auth/user')).json()) as { id: string };
  const key = randomUUID();
  const first = await tryMove(fan.context, `/tip/customer-send/${creatorId.id}`, { amount: 10, type: 'profile' }, key);
  const again = await tryMove(fan.context, `/tip/customer-send/${creatorId.id}`, { amount: 10, type: 'profile' }, key);
  const other = await tryMove(fan.context, `/tip/customer-send/${creatorId.id}`, { amount: 11, type: 'profile' }, key);
  expect(first.status).toBe(200);
  expect(again).toEqual(first);
  expect([other.status, other.body.code]).toEqual([409, 'CONFLICT']);
  const stale = await tryMove(fan.context, `/post/unlock/${id}`, { price: 9 });
  expect([stale.status, stale.body.code]).toEqual([409, 'CONFLICT']);
  for (const amount of [-1, 0, 0.99, 1.001, 200.01, 1e12, '10', null]) {
    const bad = await tryMove(fan.context, `/tip/customer-send/${creatorId.id}`, { amount, type: 'profile' });
    expect([bad.status, bad.body.code], String(amount)).toEqual([400, 'VALIDATION']);
  }
  expect(await balanceOf(fan.context)).toBe(90);
});

test('a balance too low leads to the funds and back to the post', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer', { width: 390 })];
  const id = await paidPost(maker, 45);
  const { page } = fan;
  const refused = await tryMove(fan.context, `/post/unlock/${id}`, {});
  expect([refused.status, refused.body.code]).toEqual([402, 'INSUFFICIENT_FUNDS']);
  await page.goto(`/post/${id}`);
  await hydrated(page);
  await expect(page.getByText('Costs $45.00')).toBeVisible();
  await page.getByRole('link', { name: 'Add funds to unlock' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add funds' });
  // What lacks is already filled in.
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

test('another fan’s receipts and deposits look like none', async ({ person }) => {
  const [maker, fan, stranger] = [await person('creator'), await person('customer'), await person('customer')];
  const id = await paidPost(maker);
  const depositId = await addFunds(fan.context, 50);
  const unlocked = await tryMove(fan.context, `/post/unlock/${id}`, {});
  const transactionId = unlocked.body.transactionId ?? '';
  for (const path of [`/transactions/${transactionId}`, `/customer/deposit/${depositId}`]) {
    expect((await fan.context.request.get(`/api${path}`)).status()).toBe(200);
    const answer = await stranger.context.request.get(`/api${path}`);
    const none = await stranger.context.request.get(`/api${path.replace(/[^/]+$/, randomUUID())}`);
    expect(answer.status()).toBe(404);
    expect(await answer.json()).toEqual(await none.json());
  }
  // The creator who was paid may see the sale; a stranger sees nothing, in calls as in pages.
  expect((await maker.context.request.get(`/api/transactions/${transactionId}`)).status()).toBe(200);
  const answer = await stranger.page.goto(`/fan/wallet/receipt/${transactionId}`);
  expect(answer?.status()).toBe(404);
  await expect(stranger.page.getByText('There is nothing here.')).toBeVisible();
  await stranger.page.goto(`/fan/wallet/return?orderId=${depositId}`);
  await expect(stranger.page.getByRole('heading', { name: 'We know no such payment' })).toBeVisible();
});

test('a slow double click on Tip, its second press after the answer, tips once', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
  await addFunds(fan.context, 100);
  const { page } = fan;
  // With motion, as most people have it, the dialog takes a moment to leave.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto(`/profile/${maker.username}`);
  await hydrated(page);
  await page
    .getByRole('main')
    .getByRole('button', { name: `Tip ${maker.username}` })
    .click();
  const button = page.getByRole('dialog').getByRole('button', { name: 'Tip $10.00' });
  await expect(button).toBeVisible();
  const answers: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/tip/')) answers.push(response.status());
  });
  await button.evaluate((element: HTMLElement) => {
    element.click();
    // Presses on at every step while the button is still there.
    const press = () => {
      if (!element.isConnected) return;
      element.click();
      setTimeout(press, 15);
    };
    setTimeout(press, 15);
  });
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(answers.length).toBeGreaterThan(0);
  expect(await balanceOf(fan.context)).toBe(90);
  expect(await transactionsOf(fan.context, 'tip')).toHaveLength(1);
});

import type { TierBody } from '@stagedoor/contract/content/subscription-tiers.ts';
import { type ApiClient, callApi, expect, expectAccessible, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, CARDS, fetchTransactions, fetchWalletBalance, payByCard, publishPictures } from './support/money.ts';
import { signUpAndLogIn } from './support/signup.ts';
import { createTier, fetchSubscriptions, getSubscribeSection, MONTHLY_TIER } from './support/subscriptions.ts';
import { expectTouchable, tap } from './support/touch.ts';

const STUDIO: TierBody = {
  ...MONTHLY_TIER,
  prices: { weekly: null, monthaly: 12, yearly: 115.2 },
  bundles: [{ months: 3, percentOff: 10 }],
};
const COLLECTOR: TierBody = {
  ...MONTHLY_TIER,
  name: 'Collector',
  benefits: ['First choice of every firing'],
  prices: { weekly: null, monthaly: 40, yearly: null },
  trialDays: 7,
  slots: 25,
};

async function createTiers(creator: ApiClient, ...tiers: TierBody[]): Promise<void> {
  for (const tier of tiers) await createTier(creator, tier);
}

test('a fan adds the missing funds, subscribes once, cancels, undoes and gets a refund on a phone', async ({
  createApiUser,
  createUser,
}) => {
  const creator = await createApiUser('creator');
  await createTiers(creator.context, STUDIO, { ...COLLECTOR, trialDays: null });
  const { page, context } = await createUser('customer', { isPhone: true, timeZone: 'Europe/Lisbon' });
  const dialog = page.getByRole('dialog', { name: 'Subscribe to Studio' });
  const main = page.getByRole('main');

  await test.step('the dialog names the missing funds and opens again after the deposit', async () => {
    await page.goto(`/profile/${creator.username}`);
    await waitForHydration(page);
    await expect(getSubscribeSection(page)).toContainText('Renews at $12.00 on ');
    await tap(page, getSubscribeSection(page).getByRole('link', { name: '3 months −10%' }));
    await tap(page, page.getByRole('button', { name: 'Subscribe to Studio $32.40 today' }));
    await expect(dialog.getByRole('radio', { name: /^3 months/ })).toBeChecked();
    await expect(dialog).toContainText('$32.40 missing');
    await expectAccessible(page);
    await tap(page, dialog.getByRole('link', { name: 'Add funds and subscribe' }));
    await expect(page.getByLabel('Amount in dollars')).toHaveValue('32.4');
    await page.getByLabel('Amount in dollars').fill('50');
    await tap(page, page.getByRole('button', { name: 'Continue to payment' }));
    await tap(page, page.getByRole('button', { name: /^Pay \$/ }));
    await payByCard(page, CARDS.approved);
    await tap(page, page.getByRole('link', { name: 'Continue' }));
    await expect(dialog.getByRole('radio', { name: /^3 months/ })).toBeChecked();
    await expect(page).not.toHaveURL(/subscribe=open/);
    await expect(dialog).toContainText('Balance $50.00');
  });

  await test.step('two quick presses send one request, and the profile shows the subscription', async () => {
    await tap(page, dialog.getByRole('radio', { name: /^Monthly/ }).locator('xpath=ancestor::label'));
    await expect(dialog).toContainText('$38.00 after');
    const requests: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && requests.push(new URL(request.url()).pathname));
    const button = dialog.getByRole('button', { name: 'Subscribe $12.00 today' });
    await expectTouchable(button);
    const box = await button.boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    await Promise.all([page.touchscreen.tap(x, y), page.touchscreen.tap(x, y)]);
    await expect(getSubscribeSection(page).getByRole('heading', { name: 'You’re subscribed to Studio' })).toBeVisible();
    expect(requests.filter((path) => path === '/api/customer/subscriptions')).toHaveLength(1);
    await expect(page.getByRole('button', { name: /^Subscribe/ })).toHaveCount(0);
    expect(await fetchWalletBalance(context)).toBe(38);
    expect(await fetchTransactions(context, 'subscription')).toMatchObject([{ amount: -12 }]);
    await expect(page.getByRole('banner')).toContainText('$38.00');
  });

  await test.step('a change of the tier shows what happens to the current one', async () => {
    await tap(page, getSubscribeSection(page).getByRole('button', { name: 'Change tier' }));
    await tap(page, page.getByRole('button', { name: /^Change to Collector/ }));
    const change = page.getByRole('dialog', { name: 'Change to Collector' });
    await expect(change).toContainText(
      'Your current tier ends today, and the rest of its period is refunded to your balance.',
    );
    await expect(change).not.toContainText('You can get a refund');
    await expect(change.getByRole('radio', { name: /^Card/ })).toBeDisabled();
    await expect(change).toContainText('A tier change can only be paid from your balance.');
    await page.keyboard.press('Escape');
    await expect(change).toBeHidden();
  });

  await test.step('the list has the next charge, and the same button cancels and undoes', async () => {
    await tap(page, getSubscribeSection(page).getByRole('link', { name: 'Manage subscription' }));
    await expect(main.getByRole('region', { name: 'Renewing' })).toContainText('Studio · Monthly');
    await expect(main.getByRole('region', { name: 'What you pay for subscriptions' })).toContainText('$144.00');
    await expectAccessible(page);
    await tap(page, main.getByRole('button', { name: `Cancel Studio of ${creator.username}` }));
    const undo = main.getByRole('button', { name: /^Undo the cancellation of Studio/ });
    await expect(undo).toBeFocused();
    await expect(main.getByText('1 canceled')).toBeVisible();
    expect(await fetchSubscriptions(context)).toMatchObject([{ isRenewing: false, nextCharge: null }]);
    await tap(page, undo);
    await expect(main.getByRole('button', { name: /^Cancel Studio/ })).toBeVisible();
    expect(await fetchSubscriptions(context)).toMatchObject([{ isRenewing: true, nextCharge: { amount: 12 } }]);
  });

  await test.step('a refund returns the whole price and ends access', async () => {
    await expect(main.getByText(/^Refundable until tomorrow, /)).toBeVisible();
    await tap(page, main.getByRole('button', { name: /^Refund the last charge/ }));
    await tap(page, page.getByRole('dialog').getByRole('button', { name: 'Refund and end access' }));
    await expect(page.getByText('Refunded. Your balance is $50.00.')).toBeVisible();
    await expect(main.getByText('You don’t subscribe to anyone yet.')).toBeVisible();
    await expect(main.getByRole('region', { name: 'Ended' })).toContainText('Studio · Refunded');
    expect(await fetchWalletBalance(context)).toBe(50);
  });
});

test('a full balance does not help against a spending limit, and a changed price is shown before it is charged', async ({
  createApiUser,
  createUser,
}) => {
  const creator = await createApiUser('creator');
  await createTiers(creator.context, STUDIO);
  const { page, context } = await createUser('customer', { isPhone: true });
  await addFunds(context, 100);
  await page.goto(`/profile/${creator.username}?subscribe=open`);
  const dialog = page.getByRole('dialog', { name: 'Subscribe to Studio' });
  await expect(dialog).toContainText('$88.00 after');
  const { tiers } = await callApi<{ tiers: { id: string }[] }>(creator.context, 'GET', '/creator/subscription-tiers');
  const raised = { ...STUDIO, prices: { ...STUDIO.prices, monthaly: 15 } };
  await page.route(
    '**/api/customer/subscriptions',
    async (route) => {
      await callApi(creator.context, 'PUT', `/creator/subscription-tiers/${tiers[0]?.id}`, raised);
      await route.continue();
    },
    { times: 1 },
  );
  await tap(page, dialog.getByRole('button', { name: 'Subscribe $12.00 today' }));
  await expect(dialog.getByRole('alert')).toContainText('You weren’t charged.');
  await expect(dialog.getByRole('button', { name: 'Subscribe $15.00 today' })).toBeVisible();
  expect(await fetchWalletBalance(context)).toBe(100);

  await callApi(context, 'PUT', '/customer/spending-limits/day', { limit: 10 });
  await page.reload();
  await tap(page, page.getByRole('button', { name: /^Subscribe to Studio/ }));
  await tap(page, dialog.getByRole('button', { name: 'Subscribe $15.00 today' }));
  await expect(dialog.getByRole('link', { name: 'Spending limits' })).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Add funds and subscribe' })).toHaveCount(0);
  expect(await fetchSubscriptions(context)).toEqual([]);
});

test('a visitor reads the tiers without script, and returns to the chosen one after signing up', async ({
  createApiUser,
  open,
}) => {
  const creator = await createApiUser('creator');
  await publishPictures(creator.context, { caption: 'Sold alone', priceUsd: 8 });
  await publishPictures(creator.context, { caption: 'Open to all' });
  await createTiers(creator.context, STUDIO, COLLECTOR);
  const { page: plain } = await open({ hasScript: false });
  await plain.goto(`/profile/${creator.username}`);
  await getSubscribeSection(plain).getByRole('link', { name: 'Collector' }).click();
  await expect(getSubscribeSection(plain).getByRole('link', { name: 'Collector' })).toHaveAttribute(
    'aria-current',
    'true',
  );
  await expect(getSubscribeSection(plain)).toContainText('Then $40.00/month from ');
  await expect(getSubscribeSection(plain)).toContainText('25 slots left');
  await getSubscribeSection(plain).getByRole('link', { name: 'Yearly' }).click();
  const yearly = getSubscribeSection(plain).getByRole('link', { name: 'Subscribe to Studio $115.20 today' });
  await expect(yearly).toBeVisible();
  await expect(getSubscribeSection(plain)).toContainText('$9.60/month, you save $28.80');
  // One free post, and one that is sold alone.
  const rows = plain.getByRole('table', { name: 'Posts and media files by tier' }).getByRole('row');
  await expect(rows).toHaveText(['TierPostsMediaNot included', 'Free111', 'Studio111', 'Collector111']);
  const login = getSubscribeSection(plain).getByRole('link', { name: 'Log in' });
  await expect(login).toHaveAttribute('href', /^\/login\?for=subscribe&next=/);

  const { page } = await open();
  await page.goto(`/profile/${creator.username}?${new URL(plain.url()).searchParams}`);
  await expectAccessible(page);
  await getSubscribeSection(page).getByRole('link', { name: 'Subscribe to Studio $115.20 today' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Subscribe to ${creator.username}`);
  await waitForHydration(page);
  await signUpAndLogIn(page, 'fan');
  const dialog = page.getByRole('dialog', { name: 'Subscribe to Studio' });
  await expect(dialog.getByRole('radio', { name: /^Yearly/ })).toBeChecked();
  await expectTouchable(dialog.getByRole('link', { name: 'Add funds and subscribe' }));
});

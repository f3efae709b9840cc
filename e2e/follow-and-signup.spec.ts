import {
  callApi,
  createConfirmedAccount,
  createUsername,
  expect,
  getBaseUrl,
  PASSWORD,
  test,
  waitForHydration,
} from './support/fixtures.ts';
import { openTip } from './support/money.ts';

test('Follow updates the count at once and reverts a refused one, and no button shows an invalid tip', async ({
  createUser,
}) => {
  const creator = await createConfirmedAccount('creator');
  const fan = await createUser('customer', { width: 390 });
  const { page } = fan;
  await page.goto(`/profile/${creator.username}`);
  await waitForHydration(page);
  const getCount = (text: string) => page.getByText(text, { exact: true });
  await expect(getCount('0 followers')).toBeVisible();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/customer/follow/**', async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole('button', { name: `Follow ${creator.username}` }).click();
  await expect(getCount('1 follower')).toBeVisible();
  release();
  await expect
    .poll(async () => {
      const path = `/public/profile-follow/${creator.username}`;
      return (await callApi<{ totalFollowersCount: number }>(fan.context, 'GET', path)).totalFollowersCount;
    })
    .toBe(1);
  // The button is disabled for a moment because a second tap within it belongs to the first.
  await page.getByRole('button', { name: `Following ${creator.username}` }).click();
  await expect(getCount('0 followers')).toBeVisible();
  await page.unroute('**/api/customer/follow/**');
  await page.route('**/api/customer/follow/**', (route) => route.fulfill({ status: 500, json: {} }));
  const refusal = page.waitForResponse((response) => response.status() === 500);
  await page.getByRole('button', { name: `Follow ${creator.username}` }).click();
  await refusal;
  await expect(getCount('0 followers')).toBeVisible();

  const dialog = await openTip(page, creator.username);
  await dialog.getByLabel('Custom amount').fill('abc');
  await expect(dialog.getByRole('button', { name: 'Tip', exact: true })).toBeDisabled();
});

test('a referral code is removed after the registration, without script', async ({ open }) => {
  const { page, context } = await open({ width: 390, hasScript: false });
  await page.goto('/r/friend-1');
  const code = async () => (await context.cookies()).find(({ name }) => name === 'referralCode')?.value;
  expect(await code()).toBe('friend-1');
  const username = createUsername('brought');
  await page.getByText('I’m a fan').click();
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByLabel('Email').fill(`${username}@example.org`);
  await page.getByRole('textbox', { name: /^Password/ }).fill(PASSWORD);
  await page.getByLabel('I’m 18 or older').check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expect.poll(code).toBeUndefined();
});

test('the confirmation page confirms nothing without a token', async () => {
  const response = await fetch(`${getBaseUrl()}/success-mail`);
  expect(response.status).toBe(200);
  const html = await response.text();
  expect(html).toContain('Nothing to confirm');
  expect(html).toContain('href="/login"');
  expect(html).not.toContain('is confirmed. Log in');
});

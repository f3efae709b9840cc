import { baseUrl, callApi, expect, freshName, hydrated, PASSWORD, signUp, test } from './support/fixtures.ts';
import { openTip } from './support/money.ts';

test('Follow updates the count at once and reverts a refused one, and no button shows an invalid tip', async ({
  person,
}) => {
  const maker = await signUp('creator');
  const fan = await person('customer', { width: 390 });
  const { page } = fan;
  await page.goto(`/profile/${maker.username}`);
  await hydrated(page);
  const count = (words: string) => page.getByText(words, { exact: true });
  await expect(count('0 followers')).toBeVisible();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/customer/follow/**', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: `Follow ${maker.username}` }).click();
  await expect(count('1 follower')).toBeVisible();
  answer();
  await expect
    .poll(async () => {
      const path = `/public/profile-follow/${maker.username}`;
      return (await callApi<{ totalFollowersCount: number }>(fan.context, 'GET', path)).totalFollowersCount;
    })
    .toBe(1);
  // The button is disabled for a moment because a second tap within it belongs to the first.
  await page.getByRole('button', { name: `Following ${maker.username}` }).click();
  await expect(count('0 followers')).toBeVisible();
  await page.unroute('**/api/customer/follow/**');
  await page.route('**/api/customer/follow/**', (route) => route.fulfill({ status: 500, json: {} }));
  const refused = page.waitForResponse((answer) => answer.status() === 500);
  await page.getByRole('button', { name: `Follow ${maker.username}` }).click();
  await refused;
  await expect(count('0 followers')).toBeVisible();

  const dialog = await openTip(page, maker.username);
  await dialog.getByLabel('Custom amount').fill('abc');
  await expect(dialog.getByRole('button', { name: 'Tip', exact: true })).toBeDisabled();
});

test('a referral code is removed after the registration, without script', async ({ open }) => {
  const { page, context } = await open({ width: 390, hasScript: false });
  await page.goto('/r/friend-1');
  const code = async () => (await context.cookies()).find(({ name }) => name === 'referralCode')?.value;
  expect(await code()).toBe('friend-1');
  const username = freshName('brought');
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
  const response = await fetch(`${baseUrl()}/success-mail`);
  expect(response.status).toBe(200);
  const html = await response.text();
  expect(html).toContain('Nothing to confirm');
  expect(html).toContain('href="/login"');
  expect(html).not.toContain('is confirmed. Log in');
});

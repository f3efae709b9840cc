import type { AffiliateTotals } from '@stagedoor/contract/finance/affiliates.ts';
import {
  callApi,
  createConfirmedAccount,
  createUsername,
  expect,
  expectAccessible,
  getBaseUrl,
  logIn,
  PASSWORD,
  test,
  waitForHydration,
  waitForMail,
} from './support/fixtures.ts';
import { addFunds } from './support/money.ts';

test('a fan shares a link, a sign-up by it earns commission, and the fan moves it into the balance', async ({
  open,
}) => {
  // An unknown code leads to the plain sign-up.
  expect((await fetch(`${getBaseUrl()}/r/ZZZZ9999`)).url).toBe(`${getBaseUrl()}/signup`);
  const affiliate = await open({ width: 390, colorScheme: 'dark' });
  await logIn(affiliate.context, 'noor.haddad');
  const { page } = affiliate;
  await page.goto('/fan/referral');
  await waitForHydration(page);
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  await expect(page.getByRole('img', { name: `QR code of your link, ${link}` })).toBeVisible();

  const friend = await open({ width: 390 });
  await friend.page.goto(link);
  await expect(friend.page.getByRole('heading', { name: 'Noor Haddad invites you' })).toBeVisible();
  await expectAccessible(friend.page);
  await friend.page.getByRole('link', { name: 'Sign up as a fan' }).click();
  await waitForHydration(friend.page);
  const code = friend.page.getByLabel('Referral code');
  await expect(friend.page.getByText('Invited by Noor Haddad')).toBeVisible();
  const referralCode = await code.inputValue();
  expect(link.endsWith(`/${referralCode}`)).toBe(true);
  await code.fill('ZZZZ9999');
  await expect(friend.page.getByText('We don’t recognize this code. You can still sign up.')).toBeVisible();
  await code.fill(referralCode.toLowerCase());
  const username = createUsername('friend');
  await friend.page.getByRole('textbox', { name: 'Username' }).fill(username);
  await friend.page.getByLabel('Email').fill(`${username}@example.org`);
  await friend.page.getByRole('textbox', { name: /^Password/ }).fill(PASSWORD);
  await friend.page.getByLabel('I’m 18 or older').check();
  await friend.page.getByRole('button', { name: 'Create account' }).click();
  await expect(friend.page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expect
    .poll(async () => [
      (await friend.context.cookies()).some(({ name }) => name === 'referralCode'),
      await friend.page.evaluate(() => localStorage.getItem('referralCode')),
    ])
    .toEqual([false, null]);
  const { links } = await waitForMail(`${username}@example.org`, /confirm|verify/i);
  const token = new URL(links[0] ?? '').searchParams.get('token');
  await callApi(friend.context, 'POST', '/auth/verify', { token });
  await logIn(friend.context, username);
  await addFunds(friend.context, 50);
  const { id } = await createConfirmedAccount('creator');
  await callApi(friend.context, 'POST', `/tip/customer-send/${id}`, { amount: 40, type: 'profile' });

  await page.goto('/fan/referral?status=approved&sortByKey=createdAt');
  const row = page.getByRole('list', { name: 'Referrals' }).getByRole('listitem').filter({ hasText: username });
  await expect(row).toContainText('+$2.00');
  await expect(row).toContainText('Approved');

  await waitForHydration(page);
  const before = await callApi<AffiliateTotals>(affiliate.context, 'GET', '/affiliate/total-earning');
  await page.getByRole('link', { name: 'Move to balance' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move to balance' });
  await dialog.getByLabel('Amount').fill('0.50');
  await expect(dialog.getByText('Minimum $1.00', { exact: true })).toBeVisible();
  await dialog.getByLabel('Amount').fill('1.25');
  await dialog.getByRole('button', { name: 'Move $1.25' }).click();
  await expect(page.getByText('$1.25 moved to your balance.')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  const after = await callApi<AffiliateTotals>(affiliate.context, 'GET', '/affiliate/total-earning');
  expect(after.eligibleBalance).toBeCloseTo(before.eligibleBalance - 1.25, 2);
  await page.getByRole('link', { name: 'Withdrawals' }).click();
  await page.getByRole('link', { name: 'Moved to balance' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Moved to balance' })).toContainText('$1.25');
});

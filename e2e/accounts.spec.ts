import type { Page } from '@playwright/test';
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { generateSync } from 'otplib';
import { blockAccount } from './support/database.ts';
import { baseUrl, expect, freshName, hydrated, logIn, mailTo, PASSWORD, signUp, test } from './support/fixtures.ts';
import { addFunds } from './support/money.ts';
import { addressesOf } from './support/pages.ts';

const NEXT_PASSWORD = 'Curtain2!';

async function logInByForm(page: Page, name: string, password = PASSWORD): Promise<void> {
  await hydrated(page);
  await page.getByLabel('Username or email').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('a wrong password, an unknown name and an unconfirmed address each show their message', async ({ open }) => {
  const known = await signUp('customer');
  const { page, context } = await open({ width: 390 });
  await page.goto('/login');
  await hydrated(page);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('Cannot be empty')).toBeVisible();
  await expect(page.getByText('Please enter password')).toBeVisible();

  await logInByForm(page, known.username, 'Wrong1234!');
  await expect(page.getByText('Wrong username or password.')).toBeVisible();
  await logInByForm(page, freshName('nobody'), 'Wrong1234!');
  await expect(page.getByText('Wrong username or password.')).toBeVisible();

  const username = freshName('waits');
  const email = `${username}@example.org`;
  await context.request.post('/api/customer/register', {
    data: { username, email, password: PASSWORD, accountType: 'customer', isGiveConsent: true },
  });
  await logInByForm(page, username);
  await expect(page.getByText('Please confirm your email address first')).toBeVisible();
  await page.getByRole('button', { name: 'Send the mail again' }).click();
  await expect(page.getByText('a mail is on its way').first()).toBeVisible();
  const { links } = await mailTo(email, /confirm/i);
  await page.goto(links[0] ?? '');
  await expect(page.getByRole('heading', { name: 'You’re in.' })).toBeVisible();
  await page.getByRole('link', { name: 'Log in' }).last().click();
  await logInByForm(page, email);
  await expect(page).toHaveURL(/\/fan\/feed$/);
});

test('the link of a reset mail sets a new password once and ends every session', async ({ person, open }) => {
  const fan = await person('customer');
  await fan.page.goto('/fan/feed');
  await fan.page.goto('about:blank');
  const { page } = await open();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgotten password?' }).click();
  await hydrated(page);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByText('Please enter email')).toBeVisible();
  await page.getByLabel('Email').fill('not an address');
  await expect(page.getByText('Invalid email')).toBeVisible();
  await page.getByLabel('Email').fill(fan.email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByText('If this address is registered, a mail with a link is on its way.')).toBeVisible();

  const { links } = await mailTo(fan.email, /new password/i);
  const link = links[0] ?? '';
  await page.goto(link);
  await hydrated(page);
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Set the new password' }).click();
  await expect(page.getByText('Password must be at least 8 characters long')).toBeVisible();
  await page.getByLabel('New password').fill(NEXT_PASSWORD);
  await page.getByRole('button', { name: 'Set the new password' }).click();
  await expect(page.getByText('Your new password is set. Please log in.')).toBeVisible();

  await fan.page.goto('/fan/wallet');
  await expect(fan.page).toHaveURL(/\/login\?next=/);
  await page.goto('/login');
  await logInByForm(page, fan.username);
  await expect(page.getByText('Wrong username or password.')).toBeVisible();
  await logInByForm(page, fan.username, NEXT_PASSWORD);
  await expect(page).toHaveURL(/\/fan\/feed$/);

  const other = await open();
  await other.page.goto(link);
  await hydrated(other.page);
  await other.page.getByLabel('New password').fill('Another3!');
  await other.page.getByRole('button', { name: 'Set the new password' }).click();
  await expect(other.page.getByRole('link', { name: 'Ask for a new link' })).toBeVisible();
});

test('changing the password ends all other sessions and keeps this one', async ({ person, open }) => {
  const fan = await person('customer');
  const elsewhere = await open();
  await logIn(elsewhere.context, fan.username);
  await elsewhere.page.goto('/fan/wallet');
  await expect(elsewhere.page.getByRole('heading', { name: 'Wallet' })).toBeVisible();

  await fan.page.goto('/fan/profile');
  await hydrated(fan.page);
  const section = fan.page.getByRole('region', { name: 'Password' });
  await section.getByLabel('Current password').fill('Wrong1234!');
  await section.getByLabel('New password').fill(NEXT_PASSWORD);
  await section.getByRole('button', { name: 'Change password' }).click();
  await expect(section.getByRole('alert')).toBeVisible();
  await section.getByLabel('Current password').fill(PASSWORD);
  await section.getByRole('button', { name: 'Change password' }).click();
  await expect(fan.page.getByText('Your password is changed. Other devices are logged out.')).toBeVisible();

  await expect(elsewhere.page).toHaveURL(`${baseUrl()}/`);
  await fan.page.reload();
  await expect(fan.page.getByRole('heading', { name: 'Your account' })).toBeVisible();
  await elsewhere.page.goto('/fan/wallet');
  await expect(elsewhere.page).toHaveURL(/\/login\?next=%2Ffan%2Fwallet$/);
});

test('sessions are listed, and revoking one ends it in the other browser', async ({ person, open }) => {
  const maker = await person('creator');
  const other = await open({ width: 390 });
  await logIn(other.context, maker.username);
  await other.page.goto('/creator');
  await expect(other.page.getByRole('heading', { level: 1 })).toContainText('Hello');

  await maker.page.goto('/creator/profile/settings');
  await hydrated(maker.page);
  const devices = maker.page.getByRole('list', { name: 'Devices' });
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await expect(devices.getByText('This device')).toHaveCount(1);
  await devices.getByRole('button', { name: /^Log out / }).click();
  await expect(maker.page.getByText('That device is logged out.')).toBeVisible();
  await expect(devices.getByRole('listitem')).toHaveCount(1);

  await expect(other.page).toHaveURL(`${baseUrl()}/`);
  await expect(other.page.getByText('Your session has ended.')).toBeVisible();
  await other.page.goto('/creator/feed');
  await expect(other.page).toHaveURL(/\/login\?next=%2Fcreator%2Ffeed$/);
  expect((await other.context.cookies()).map(({ name }) => name)).not.toContain('loggedIn');
});

test('an expired session is reported without losing input, and logging in leads back to the page', async ({
  person,
  open,
}) => {
  const { page, context, username } = await person('customer');
  // An open socket would close with the session and navigate before the button is pressed.
  await page.routeWebSocket(/socket\.io/, () => undefined);
  await page.route('**/socket.io/**', (route) => route.abort());
  await page.goto('/fan/wallet?add=credits');
  await hydrated(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  const other = await open();
  await logIn(other.context, username);
  expect((await other.context.request.post('/api/auth/sessions/revoke-others')).ok()).toBe(true);
  await page.getByRole('button', { name: 'Pay $306.00' }).click();
  await expect(page).toHaveURL(`${baseUrl()}/`);
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('loggedIn');
  await page.getByRole('link', { name: 'Log in' }).click();
  await logInByForm(page, username);
  await expect(page).toHaveURL(/\/fan\/wallet\?add=credits$/);
  // Without the plain cookie the browser counts as logged out, whatever the session cookie contains (row A5).
  await context.clearCookies({ name: 'loggedIn' });
  await page.goto('/fan/wallet');
  await expect(page).toHaveURL(/\/login/);
  await logInByForm(page, username);
  await expect(page).toHaveURL(/\/fan\/wallet$/);
  await page.goto('/');
  await expect(page.getByText('Your session has ended.')).toBeHidden();

  await page.goto('/fan/profile');
  await hydrated(page);
  await page.getByLabel('Name', { exact: true }).fill('Ada of the Kiln');
  await logIn(other.context, username);
  expect((await other.context.request.post('/api/auth/sessions/revoke-others')).ok()).toBe(true);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Your session has ended. Log in again in another tab', { exact: false })).toBeVisible();
  await logIn(context, username);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada of the Kiln');
});

test('a log-in as another user in another tab never saves unsaved input to that account', async ({ person }) => {
  const [fan, somebody] = [await person('customer'), await signUp('customer')];
  const { page, context } = fan;
  const field = (of: Page) => of.getByLabel('Name', { exact: true });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const idle = await context.newPage();
  await idle.goto('/fan/wallet');
  await hydrated(idle);
  await page.goto('/fan/profile');
  await hydrated(page);
  const before = await field(page).inputValue();
  await field(page).fill('Ada again');

  const tab = await context.newPage();
  const comesAs = async (who: string) => {
    await logIn(context, who);
    await tab.goto('/fan/profile');
    await expect.poll(() => tab.evaluate(() => localStorage.getItem('user') ?? '')).toContain(`"${who}"`);
  };
  await comesAs(somebody.username);
  const theirs = await field(tab).inputValue();
  for (let press = 0; press < 3; press += 1) {
    await save.click();
    await expect(page.getByText('Your session has ended. Log in again in another tab', { exact: false })).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'Please log in.' })).toBeVisible();
  }
  await expect(page.getByText(fan.username, { exact: true })).toBeVisible();
  await expect(idle).toHaveURL(`${baseUrl()}/`);
  await tab.reload();
  await expect(field(tab)).toHaveValue(theirs);

  await comesAs(fan.username);
  await expect(field(tab)).toHaveValue(before);
  await save.click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await tab.reload();
  await expect(field(tab)).toHaveValue('Ada again');
});

test('two-factor authentication is set up with an app, is then required, and each recovery code works once', async ({
  person,
  open,
}) => {
  const fan = await person('customer');
  const { page } = fan;
  await page.goto('/fan/profile');
  await hydrated(page);
  await page.getByRole('region', { name: 'Two-factor log-in' }).getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const address = await dialog.getByRole('link', { name: 'Open in the app' }).getAttribute('href');
  const secret = new URL(address ?? '').searchParams.get('secret') ?? '';
  const wrong = generateSync({ secret }) === '000000' ? '000001' : '000000';
  await dialog.getByLabel('Code').fill(wrong);
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByLabel('Code').fill(generateSync({ secret }));
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await expect(dialog.getByRole('heading', { name: 'Keep these codes' })).toBeVisible();
  const codes = await dialog.getByRole('listitem').allTextContents();
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.length).toBeGreaterThanOrEqual(8);
  // The codes are shown only once, so Escape must not close the dialog.
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('heading', { name: 'Keep these codes' })).toBeVisible();
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('On. Besides your password')).toBeVisible();

  const recovery = codes[0] ?? '';
  for (const [code, isIn] of [
    [recovery, true],
    [recovery, false],
  ] as const) {
    const next = await open();
    await next.page.goto('/login');
    await logInByForm(next.page, fan.username);
    await next.page.getByLabel('Code').fill(code);
    await next.page.getByRole('button', { name: 'Continue' }).click();
    if (isIn) await expect(next.page).toHaveURL(/\/fan\/feed$/);
    else {
      await expect(next.page.getByRole('alert')).toBeVisible();
      await expect(next.page).toHaveURL(/\/login/);
    }
  }
});

test('logging out leads to the front page and closes protected pages, and logging in leads back', async ({
  person,
}) => {
  const { page, username, context } = await person('customer');
  await page.goto('/fan/profile');
  await hydrated(page);
  // The error stays until it is read, and the log-out still leaves the page (row A6).
  const failure = { status: 500, json: { code: 'INTERNAL', message: 'The log-out failed.' } };
  await page.route('**/api/auth/logout', (route) => route.fulfill(failure), { times: 1 });
  const alerts: string[] = [];
  page.once('dialog', (dialog) => {
    alerts.push(dialog.message());
    void dialog.accept();
  });
  const logOut = page.getByRole('main').getByRole('button', { name: 'Log out', exact: true });
  await logOut.click();
  await expect(page).toHaveURL(`${baseUrl()}/`);
  expect(alerts).toEqual(['The log-out failed.']);
  await page.goto('/fan/profile');
  await hydrated(page);
  await logOut.click();
  await expect(page).toHaveURL(`${baseUrl()}/`);
  await expect(page.getByRole('link', { name: 'Log in' })).toBeVisible();
  const cookies = (await context.cookies()).map(({ name }) => name);
  expect(cookies).not.toContain('loggedIn');
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();

  await page.goto('/fan/wallet?tab=deposits');
  await expect(page).toHaveURL(/\/login\?next=%2Ffan%2Fwallet%3Ftab%3Ddeposits$/);
  await logInByForm(page, username);
  await expect(page).toHaveURL(/\/fan\/wallet\?tab=deposits$/);
  expect((await context.cookies()).find(({ name }) => name === 'loggedIn')?.value).toBe('true');
});

test('each role can only open its own pages and API routes', async ({ person }) => {
  const fan = await person('customer');
  const maker = await person('creator');
  const ids = { receipt: 'x', post: 'x', media: 'x' };
  for (const [{ page }, area, home] of [
    [fan, 'creator', PATHS.fanDashboard],
    [maker, 'customer', PATHS.creatorDashboard],
    [fan, 'operator', PATHS.fanDashboard],
    [maker, 'operator', PATHS.creatorDashboard],
  ] as const) {
    const [first = '', ...others] = addressesOf(area, ids);
    await page.goto(first);
    await expect(page).toHaveURL(`${baseUrl()}${home}`);
    for (const path of others) {
      const answer = await page.request.get(path, { maxRedirects: 0 });
      expect([answer.status(), answer.headers().location], path).toEqual([302, home]);
    }
  }
  expect((await fan.context.request.get('/api/creator/stats')).status()).toBe(403);
  expect((await maker.context.request.get('/api/customer/wallet')).status()).toBe(403);
  await fan.page.goto('/login?next=https%3A%2F%2Fevil.example%2F');
  await expect(fan.page).toHaveURL(/\/fan\/feed$/);
});

test('an account that is blocked during its session sees why and can contact support there', async ({ person }) => {
  const { page, context, username } = await person('customer');
  await addFunds(context, 20);
  await page.goto('/fan/wallet');
  await hydrated(page);
  await blockAccount(username);
  const dialog = page.getByRole('dialog', { name: 'Contact us' });
  // Session data is cached for five seconds, and each unused filter makes a new request.
  const kinds = ['Deposits', 'Tips', 'Posts', 'Refunds', 'Chargebacks'].values();
  await expect(async () => {
    await page
      .getByRole('group', { name: 'Kind' })
      .getByRole('link', { name: kinds.next().value ?? 'All' })
      .click();
    await expect(dialog).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(dialog).toContainText('This account is blocked.');
  await dialog.getByLabel('Details').fill('I do not know why. Please look at it again.');
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/SD-[0-9A-Z]{4}-[0-9A-Z]{4}/)).toBeVisible();
  // The contact dialog is not shown again after a message was sent, but each press still shows the error.
  await page.getByRole('group', { name: 'Kind' }).getByRole('link', { name: 'Chat Media' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'This account is blocked.' })).toBeVisible();
  await expect(dialog).toBeHidden();
  await page.goto('/fan/wallet');
  await expect(page.getByText('This account is blocked.', { exact: false })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Contact us' }).first()).toHaveAttribute('href', '/contact-us');
});

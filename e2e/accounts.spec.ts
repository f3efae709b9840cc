import type { Page } from '@playwright/test';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { generateSync } from 'otplib';
import {
  callApi,
  createConfirmedAccount,
  createUsername,
  expect,
  expectAccessible,
  forbidStorage,
  getBaseUrl,
  logIn,
  PASSWORD,
  test,
  waitForHydration,
  waitForMail,
} from './support/fixtures.ts';
import { listPageAddresses } from './support/pages.ts';

const NEXT_PASSWORD = 'Curtain2!';

async function logInByForm(page: Page, name: string, password = PASSWORD): Promise<void> {
  await waitForHydration(page);
  await page.getByLabel('Username or email').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('the log-in works without storage, and names what it needs while cookies are blocked', async ({ open }) => {
  const account = await createConfirmedAccount('customer');
  const { page } = await open({ width: 390 });
  await page.addInitScript(forbidStorage);
  await page.addInitScript(() => {
    if (location.search !== '?cookies=on')
      Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined });
  });
  await page.goto('/login');
  await logInByForm(page, account.username);
  await expect(page.getByRole('alert')).toContainText('Your browser blocks cookies for this site.');
  await expectAccessible(page);
  await page.goto('/login?cookies=on');
  await page.context().clearCookies();
  await page.goto('/login?cookies=on');
  await logInByForm(page, account.username);
  await expect(page).toHaveURL(`${getBaseUrl()}/fan/feed`);
});

test('the log-in explains a refusal and resends a confirmation, and a reset mail sets a new password', async ({
  open,
}) => {
  const account = await createConfirmedAccount('customer');
  const unconfirmed = createUsername('waits');
  const { page, context } = await open({ width: 390 });
  await context.request.post('/api/customer/register', {
    data: {
      ...{ username: unconfirmed, email: `${unconfirmed}@example.org`, password: PASSWORD },
      ...{ accountType: 'customer', isGiveConsent: true },
    },
  });
  await page.goto('/login');
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('Cannot be empty')).toBeVisible();
  await expect(page.getByText('Please enter password')).toBeVisible();
  await logInByForm(page, account.username, 'Wrong1234!');
  await expect(page.getByText('Incorrect username or password.')).toBeVisible();
  await logInByForm(page, unconfirmed);
  await expect(page.getByText('Confirm your email first')).toBeVisible();
  await page.getByRole('button', { name: 'Resend email' }).click();
  await expect(page.getByText('we’ve sent an email').first()).toBeVisible();

  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByText('Please enter email')).toBeVisible();
  await page.getByLabel('Email').fill('not an address');
  await expect(page.getByText('Invalid email')).toBeVisible();
  await page.getByLabel('Email').fill(account.email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByText('If there’s an account with this email, we’ve sent a reset link.')).toBeVisible();

  const { links } = await waitForMail(account.email, /reset your password/i);
  await page.goto(links[0] ?? '');
  await waitForHydration(page);
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(page.getByText('Password must be at least 8 characters long')).toBeVisible();
  await page.getByLabel('New password').fill(NEXT_PASSWORD);
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(page.getByText('Password reset. You can log in now.')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await logInByForm(page, account.email, NEXT_PASSWORD);
  await expect(page).toHaveURL(/\/fan\/feed$/);
});

test('a revoked session ends in the other browser, and changing the password ends all others but this one', async ({
  createUser,
  open,
}) => {
  const creator = await createUser('creator');
  const other = await open({ width: 390 });
  await logIn(other.context, creator.username);
  await other.page.goto('/creator');
  await expect(other.page.getByRole('heading', { level: 1 })).toContainText('Hi');

  await creator.page.goto('/creator/profile/settings');
  await waitForHydration(creator.page);
  const devices = creator.page.getByRole('list', { name: 'Devices' });
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await expect(devices.getByText('This device')).toHaveCount(1);
  await devices.getByRole('button', { name: /^Log out / }).click();
  await expect(creator.page.getByText('Device logged out.')).toBeVisible();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  await expect(other.page).toHaveURL(`${getBaseUrl()}/`);
  await expect(other.page.getByText('Your session has expired.')).toBeVisible();
  expect((await other.context.cookies()).map(({ name }) => name)).not.toContain('loggedIn');

  await logIn(other.context, creator.username);
  const section = creator.page.getByRole('region', { name: 'Password' });
  await section.getByLabel('Current password').fill('Wrong1234!');
  await section.getByLabel('New password').fill(NEXT_PASSWORD);
  await section.getByRole('button', { name: 'Change password' }).click();
  await expect(section.getByRole('alert')).toBeVisible();
  await section.getByLabel('Current password').fill(PASSWORD);
  await section.getByRole('button', { name: 'Change password' }).click();
  await expect(creator.page.getByText('Password changed. Your other devices were logged out.')).toBeVisible();
  await expect.poll(async () => (await other.context.request.get('/api/auth/user')).status()).toBe(401);
  expect((await creator.context.request.get('/api/auth/user')).status()).toBe(200);
});

test('an expired session is reported, and logging in leads back to the page', async ({ createUser, request }) => {
  const { page, context, username } = await createUser('customer');
  // An open socket would close with the session and navigate before the button is pressed.
  await page.routeWebSocket(/socket\.io/, () => undefined);
  await page.route('**/socket.io/**', (route) => route.abort());
  await page.goto('/fan/wallet?add=credits');
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await request.post(`${getBaseUrl()}/api/auth/login`, { data: { username, password: PASSWORD } });
  expect((await request.post(`${getBaseUrl()}/api/auth/sessions/revoke-others`)).ok()).toBe(true);
  await page.getByRole('button', { name: 'Pay $306.00' }).click();
  await expect(page).toHaveURL(`${getBaseUrl()}/`);
  await expect(page.getByText('Your session has expired.')).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('loggedIn');
  await page.getByRole('link', { name: 'Log in' }).click();
  await logInByForm(page, username);
  await expect(page).toHaveURL(/\/fan\/wallet\?add=credits$/);
  // Without the plain cookie the browser counts as logged out, whatever the session cookie contains (row A5).
  await context.clearCookies({ name: 'loggedIn' });
  const response = await context.request.get('/fan/wallet', { maxRedirects: 0 });
  expect(response.headers().location).toContain('/login?');
});

test('a log-in as another user in another tab never saves unsaved input to that account', async ({ createUser }) => {
  const [fan, stranger] = [await createUser('customer'), await createConfirmedAccount('customer')];
  const { page, context } = fan;
  const getAccountName = async () => (await callApi<{ name: string }>(context, 'GET', '/auth/user')).name;
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const idle = await context.newPage();
  await idle.goto('/fan/wallet');
  await waitForHydration(idle);
  await page.goto('/fan/profile');
  await waitForHydration(page);
  await page.getByLabel('Name', { exact: true }).fill('Ada again');

  const tab = await context.newPage();
  const logInAs = async (username: string) => {
    await logIn(context, username);
    await tab.goto('/fan/profile');
    await expect.poll(() => tab.evaluate(() => localStorage.getItem('user') ?? '')).toContain(`"${username}"`);
  };
  await logInAs(stranger.username);
  for (let press = 0; press < 2; press += 1) {
    await save.click();
    await expect(page.getByText('Your session expired. Log in again in another tab', { exact: false })).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'Log in to continue.' })).toBeVisible();
  }
  await expect(page.getByText(fan.username, { exact: true })).toBeVisible();
  await expect(idle).toHaveURL(`${getBaseUrl()}/`);
  expect(await getAccountName()).toBe(stranger.username);

  await logInAs(fan.username);
  expect(await getAccountName()).toBe(fan.username);
  await save.click();
  await expect(page.getByText('Saved.')).toBeVisible();
  expect(await getAccountName()).toBe('Ada again');
});

test('two-factor authentication is set up with an app, and the log-in after a log-out requires it and leads back', async ({
  createUser,
}) => {
  const { page, username, context } = await createUser('customer');
  await page.goto('/fan/profile');
  await waitForHydration(page);
  await page.getByRole('region', { name: 'Two-factor authentication' }).getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const address = await dialog.getByRole('link', { name: 'Open in authenticator app' }).getAttribute('href');
  const secret = new URL(address ?? '').searchParams.get('secret') ?? '';
  const wrongCode = generateSync({ secret }) === '000000' ? '000001' : '000000';
  await dialog.getByLabel('Code').fill(wrongCode);
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByLabel('Code').fill(generateSync({ secret }));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  const codes = await dialog.getByRole('listitem').allTextContents();
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.length).toBeGreaterThanOrEqual(8);
  // The codes are shown only once, so Escape must not close the dialog.
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  await dialog.getByRole('button', { name: 'I’ve saved my codes' }).click();
  await expect(page.getByText('On. You’ll need a code')).toBeVisible();

  // The error stays until it is read, and the log-out still leaves the page (row A6).
  const failure = { status: 500, json: { code: 'INTERNAL', message: 'The log-out failed.' } };
  await page.route('**/api/auth/logout', (route) => route.fulfill(failure), { times: 1 });
  const alerts: string[] = [];
  page.once('dialog', (alert) => {
    alerts.push(alert.message());
    void alert.accept();
  });
  const logOut = page.getByRole('main').getByRole('button', { name: 'Log out', exact: true });
  await logOut.click();
  await expect(page).toHaveURL(`${getBaseUrl()}/`);
  expect(alerts).toEqual(['The log-out failed.']);
  await page.goto('/fan/profile');
  await waitForHydration(page);
  await logOut.click();
  await expect(page).toHaveURL(`${getBaseUrl()}/`);
  await expect(page.getByRole('link', { name: 'Log in' })).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('loggedIn');
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();

  await page.goto('/fan/wallet?tab=deposits');
  await expect(page).toHaveURL(/\/login\?next=%2Ffan%2Fwallet%3Ftab%3Ddeposits$/);
  await logInByForm(page, username);
  await page.getByLabel('Code').fill(wrongCode);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByLabel('Code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/fan\/wallet\?tab=deposits$/);
  expect((await context.cookies()).find(({ name }) => name === 'loggedIn')?.value).toBe('true');
});

test('each role can only open its own pages and API routes', async ({ createApiUser }) => {
  const [fan, creator] = [
    (await createApiUser('customer')).context.request,
    (await createApiUser('creator')).context.request,
  ];
  const ids = { receipt: 'x', post: 'x', media: 'x' };
  for (const [request, area, home] of [
    [fan, 'creator', PATHS.fanDashboard],
    [creator, 'customer', PATHS.creatorDashboard],
    [fan, 'operator', PATHS.fanDashboard],
    [creator, 'operator', PATHS.creatorDashboard],
  ] as const)
    for (const path of listPageAddresses(area, ids)) {
      const response = await request.get(`${getBaseUrl()}${path}`, { maxRedirects: 0 });
      expect([response.status(), response.headers().location], path).toEqual([302, home]);
    }
  expect((await fan.get(`${getBaseUrl()}/api/creator/stats`)).status()).toBe(403);
  expect((await creator.get(`${getBaseUrl()}/api/customer/wallet`)).status()).toBe(403);
  const foreign = await fan.get(`${getBaseUrl()}/login?next=https%3A%2F%2Fevil.example%2F`, { maxRedirects: 0 });
  expect(foreign.headers().location).toBe(PATHS.fanDashboard);
});

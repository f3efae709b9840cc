/** Pressed or typed before a page's script is there: what only the app can do is done once, when it comes; the rest at once. */
import type { Page } from '@playwright/test';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import type { notificationPreferences } from '@stagedoor/contract/notification-preferences.ts';
import type { Draft } from '@stagedoor/contract/publishing.ts';
import { idOf } from './support/chat.ts';
import { callApi, expect, hydrated, signUp, test } from './support/fixtures.ts';
import { addFunds, publish } from './support/money.ts';
import { tap } from './support/touch.ts';

/** Opens a page whose script does not come before it is let. Answers what lets it. */
async function openStill(page: Page, address: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  await page.route('**/*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  return async () => {
    held.resolve();
    await hydrated(page);
  };
}

test('words are kept and a press is done once, as soon as the composer is alive', async ({ person }) => {
  const maker = await person('creator', { isPhone: true });
  const { page } = maker;
  const comeAlive = await openStill(page, '/creator/post/add');
  await page.getByLabel('Caption').fill('Written early');
  // The bar that gives way to a keyboard is back where a second press may be.
  await page.getByLabel('Caption').blur();
  await expect(page.locator('.tabbar')).toBeVisible();
  const publishing = page.getByRole('button', { name: 'Publish', exact: true });
  await tap(page, publishing);
  await tap(page, publishing);
  await expect(publishing).toHaveCSS('opacity', '0.6');
  expect(new URL(page.url()).search).toBe('');
  await comeAlive();
  // Nothing to show is in it yet: that is said, and the words are there, kept by themselves.
  await expect(page.getByText('Please add at least one file').first()).toBeVisible();
  await expect(publishing).toHaveCSS('opacity', '1');
  await expect(page.getByLabel('Caption')).toHaveValue('Written early');
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();
  const { data } = await callApi<{ data: Draft[] }>(maker.context, 'GET', '/creator/drafts?state=draft');
  expect(data.map(({ caption }) => caption)).toEqual(['Written early']);
});

test('a button and a box that were pressed early are pressed', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer', { isPhone: true })];
  await callApi(fan.context, 'POST', `/customer/follow/${await idOf(maker.context)}`, { isFollowed: true });
  await publish(maker.context, { caption: 'Told of' });
  const { page } = fan;
  const unread = async () => (await callApi<{ count: number }>(fan.context, 'GET', '/notifications/unread')).count;
  await expect.poll(unread).toBe(1);
  let comeAlive = await openStill(page, '/fan/notifications');
  await tap(page, page.getByRole('button', { name: 'Mark all read' }));
  await comeAlive();
  await expect(page.getByRole('button', { name: 'Mark all read' })).toHaveCount(0);
  await expect.poll(unread).toBe(0);

  comeAlive = await openStill(page, '/fan/notifications?tab=preferences');
  const box = page.getByRole('checkbox', { name: 'New work, In the app' });
  await box.click();
  await comeAlive();
  await expect(box).not.toBeChecked();
  type Preferences = ResponseOf<typeof notificationPreferences>;
  await expect
    .poll(async () => (await callApi<Preferences>(fan.context, 'GET', '/customer/notification-preferences')).data[0])
    .toMatchObject({ inApp: false });
});

test('a log-in that is typed and sent early is sent once, and not in the address', async ({ open }) => {
  const fan = await signUp('customer');
  const { page } = await open({ isPhone: true });
  const comeAlive = await openStill(page, '/login');
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('login')) sent += 1;
  });
  await page.getByLabel('Username or email').fill(fan.username);
  await page.getByLabel('Password', { exact: true }).fill('wrong password');
  await page.keyboard.press('Enter');
  expect(page.url()).not.toContain('?');
  await comeAlive();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('Username or email')).toHaveValue(fan.username);
  expect(sent).toBe(1);
});

test('a line of money that was opened early has its proof', async ({ person }) => {
  const [maker, fan] = [await person('creator', { isPhone: true }), await person('customer')];
  await addFunds(fan.context, 20);
  await callApi(fan.context, 'POST', `/tip/customer-send/${await idOf(maker.context)}`, { amount: 5, type: 'profile' });
  const { page } = maker;
  const comeAlive = await openStill(page, '/creator/earning');
  const line = page.getByRole('list', { name: 'Transactions' }).getByRole('listitem');
  await tap(page, line.locator('summary'));
  await expect(line.locator('details')).toHaveAttribute('open');
  await comeAlive();
  await expect(line.getByText(/the log yet|Verified against checkpoint/)).toBeVisible();
});

test('what works without script does so at once: a link, and a form that says where it goes', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer', { isPhone: true })];
  const { page } = fan;
  await openStill(page, `/profile/${maker.username}`);
  await tap(page, page.getByRole('button', { name: /^Follow/ }).first());
  await expect(page.getByRole('button', { name: /^Following/ }).first()).toBeVisible();
  await tap(page, page.getByRole('link', { name: 'Home' }).filter({ visible: true }).first());
  await expect(page).toHaveURL(/\/fan$/);
});

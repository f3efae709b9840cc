/**
 * Input before a page's script is loaded: actions that need the app run once after hydration, all others work
 * immediately.
 */
import type { Page } from '@playwright/test';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import type { notificationPreferences } from '@stagedoor/contract/notification-preferences.ts';
import type { Draft } from '@stagedoor/contract/publishing.ts';
import { idOf } from './support/chat.ts';
import { callApi, expect, hydrated, PASSWORD, signUp, test } from './support/fixtures.ts';
import { addFunds, makePicture, publish, upload } from './support/money.ts';
import { tap } from './support/touch.ts';

test.use({ isSavingData: false });

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

test('text typed before hydration is kept, and an early press runs once', async ({ person }) => {
  const maker = await person('creator', { isPhone: true });
  const { page } = maker;
  const comeAlive = await openStill(page, '/creator/post/add');
  await page.getByLabel('Caption').fill('Written early');
  await page.getByLabel('Caption').blur();
  await expect(page.locator('.tabbar')).toBeVisible();
  const publishing = page.getByRole('button', { name: 'Publish', exact: true });
  await tap(page, publishing);
  await tap(page, publishing);
  await expect(publishing).toHaveCSS('opacity', '0.6');
  expect(new URL(page.url()).search).toBe('');
  await comeAlive();
  await expect(page.getByText('Please add at least one file').first()).toBeVisible();
  await expect(publishing).toHaveCSS('opacity', '1');
  await expect(page.getByLabel('Caption')).toHaveValue('Written early');
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();
  const { data } = await callApi<{ data: Draft[] }>(maker.context, 'GET', '/creator/drafts?state=draft');
  expect(data.map(({ caption }) => caption)).toEqual(['Written early']);
});

test('a button and a checkbox that were pressed before hydration take effect', async ({ person }) => {
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

test('a log-in submitted before hydration is sent once and not in the address', async ({ open }) => {
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

/** Presses "Publish" when React has hydrated the page and before the app has handled any event. */
function pressAsItComesAlive(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const press = () =>
      [...document.querySelectorAll('button')]
        .find((each) => each.checkVisibility() && each.textContent.includes('Publish'))
        ?.click();
    addEventListener('stagedoor:alive', () => queueMicrotask(press), { once: true });
  });
}

const PRESSES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  early: (page) => tap(page, page.getByRole('button', { name: 'Publish', exact: true })),
  'as the page comes alive': () => Promise.resolve(),
};

for (const [when, press] of Object.entries(PRESSES))
  test(`a price chosen before hydration applies before a press on Publish ${when}, so a paid post is never published free`, async ({
    person,
  }) => {
    const maker = await person('creator', { isPhone: true });
    if (when !== 'early') await pressAsItComesAlive(maker.page);
    const id = await upload(maker.context, await makePicture());
    const stands = async () => (await callApi<{ status: string }>(maker.context, 'GET', `/creator/media/${id}`)).status;
    await expect.poll(stands).toBe('ready');
    const draft = { caption: 'Cups', price: 0, media: [{ id, alt: 'Cups' }], tags: [], people: [] };
    const kept = await callApi<Draft>(maker.context, 'POST', '/creator/drafts', draft);
    const { page } = maker;
    const comeAlive = await openStill(page, `/creator/post/add?draft=${kept.id}`);
    const paid = page.getByRole('radio', { name: 'Paid' });
    await tap(page, page.locator('label').filter({ hasText: /^Paid$/ }));
    await expect(paid).toBeChecked();
    await press(page);
    await comeAlive();
    await expect(paid).toBeChecked();
    await expect(page.getByText('Please enter amount').first()).toBeVisible();
    const { data } = await callApi<{ data: Draft[] }>(maker.context, 'GET', '/creator/drafts?state=draft');
    expect(data.map(({ id: each }) => each)).toEqual([kept.id]);
  });

test('a sign-up filled in before hydration keeps the chosen role and the state of its checkboxes', async ({ open }) => {
  const { page } = await open({ isPhone: true });
  const comeAlive = await openStill(page, '/signup');
  await tap(page, page.locator('label').filter({ hasText: 'I’m a fan' }));
  const consent = page.getByRole('checkbox').first();
  await consent.check();
  await comeAlive();
  await expect(page.getByRole('radio', { name: 'I’m a fan' })).toBeChecked();
  await expect(consent).toBeChecked();
  const again = await openStill(page, '/signup');
  await consent.check();
  await consent.uncheck();
  await again();
  await expect(consent).not.toBeChecked();
});

test('fields that were cleared or filled before hydration keep their input', async ({ person }) => {
  const maker = await person('creator', { isPhone: true });
  const about = { name: 'Ana', craft: 'Potter', city: 'Porto', category: null, bio: 'Moon jars', links: [] };
  await callApi(maker.context, 'PUT', '/creator/profile', { ...about, layout: 'hero', shape: 'box', format: 'row' });
  const { page } = maker;
  const comeAlive = await openStill(page, '/creator/profile');
  const [bio, city] = [page.getByLabel('About you'), page.getByLabel('City')];
  await bio.fill('');
  await city.fill('Lisboa');
  await comeAlive();
  await expect(city).toHaveValue('Lisboa');
  await page.getByRole('button', { name: 'Save' }).filter({ visible: true }).first().tap();
  const kept = () => callApi<{ bio: string; city: string }>(maker.context, 'GET', '/creator/profile');
  await expect.poll(kept).toMatchObject({ bio: '', city: 'Lisboa' });
});

test('a page whose script fails to load says so, and its forms work without it', async ({ open }) => {
  const fan = await signUp('customer');
  const { page } = await open({ isPhone: true });
  await page.route('**/*.js', (route) => route.abort());
  await page.goto('/login');
  await expect(page.getByRole('alert').filter({ hasText: 'Part of this page did not load.' })).toBeVisible();
  await page.getByLabel('Username or email').fill(fan.username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await tap(page, page.getByRole('button', { name: 'Log in' }));
  await expect(page).toHaveURL(/\/fan\//);
});

test('a statement line opened before hydration shows its proof', async ({ person }) => {
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

test('links and forms that work without script work immediately', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer', { isPhone: true })];
  const { page } = fan;
  await openStill(page, `/profile/${maker.username}`);
  await tap(page, page.getByRole('button', { name: /^Follow/ }).first());
  await expect(page.getByRole('button', { name: /^Following/ }).first()).toBeVisible();
  await tap(page, page.getByRole('link', { name: 'Home' }).filter({ visible: true }).first());
  await expect(page).toHaveURL(/\/fan$/);
});

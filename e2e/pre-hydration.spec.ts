/**
 * Input before a page's script is loaded: actions that need the app run once after hydration, all others work
 * immediately.
 */
import type { Page } from '@playwright/test';
import type { Draft } from '@stagedoor/contract/content/drafts.ts';
import type { getNotificationPreferences } from '@stagedoor/contract/notifications/notification-preferences.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { getDemoContent } from './support/demo-content.ts';
import { waitForProcessing } from './support/films.ts';
import {
  callApi,
  createConfirmedAccount,
  expect,
  logIn,
  PASSWORD,
  test,
  waitForHydration,
} from './support/fixtures.ts';
import { makePicture, uploadJpeg } from './support/money.ts';
import { tap } from './support/touch.ts';

test.use({ isSavingData: false });

async function openUnhydrated(page: Page, address: string): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  await page.route('**/*.js', async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  return async () => {
    released.resolve();
    await waitForHydration(page);
  };
}

/** Presses "Publish" when React has hydrated the page and before the app has handled any event. */
function pressOnHydration(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const press = () =>
      [...document.querySelectorAll('button')]
        .find((each) => each.checkVisibility() && each.textContent.includes('Publish'))
        ?.click();
    addEventListener('stagedoor:alive', () => queueMicrotask(press), { once: true });
  });
}

test('text and a price that were chosen before hydration apply before a press on Publish, so a paid post is never published free', async ({
  createUser,
}) => {
  const creator = await createUser('creator', { isPhone: true });
  const { page, context } = creator;
  const makeDraft = async () => {
    const id = await uploadJpeg(context, await makePicture());
    await waitForProcessing(context, id);
    const draft = { caption: 'Cups', price: 0, media: [{ id, alt: 'Cups' }], tags: [], people: [] };
    return (await callApi<Draft>(context, 'POST', '/creator/drafts', draft)).id;
  };
  const ids = [await makeDraft(), await makeDraft()] as const;
  const caption = page.getByLabel('Caption');
  const publishButton = page.getByRole('button', { name: 'Publish', exact: true });
  const paid = page.getByRole('radio', { name: 'Paid' });
  const choosePaid = async () => {
    await tap(page, page.locator('label').filter({ hasText: /^Paid$/ }));
    await expect(paid).toBeChecked();
  };
  const expectPrompt = async () => {
    await expect(page.getByText('Please enter amount').first()).toBeVisible();
    await expect(paid).toBeChecked();
    const { data } = await callApi<{ data: Draft[] }>(context, 'GET', '/creator/drafts?state=draft');
    expect(data.map(({ id }) => id).toSorted()).toEqual([...ids].toSorted());
  };
  const hydrate = await openUnhydrated(page, `/creator/post/add?draft=${ids[0]}`);
  await caption.fill('Written early');
  await caption.blur();
  await choosePaid();
  await tap(page, publishButton);
  await tap(page, publishButton);
  await expect(publishButton).toHaveCSS('opacity', '0.6');
  expect(new URL(page.url()).search).toBe(`?draft=${ids[0]}`);
  await hydrate();
  await expectPrompt();
  await expect(publishButton).toHaveCSS('opacity', '1');
  await expect(caption).toHaveValue('Written early');

  await pressOnHydration(page);
  const hydrateAndPress = await openUnhydrated(page, `/creator/post/add?draft=${ids[1]}`);
  await choosePaid();
  await hydrateAndPress();
  await expectPrompt();
});

test('before hydration links and forms work immediately and a checkbox takes effect, and a picture that failed to load shows its error', async ({
  createUser,
}) => {
  const creator = await createConfirmedAccount('creator');
  const { page, context } = await createUser('customer', { isPhone: true });
  await openUnhydrated(page, `/profile/${creator.username}`);
  await tap(page, page.getByRole('button', { name: /^Follow/ }).first());
  await expect(page.getByRole('button', { name: /^Following/ }).first()).toBeVisible();
  await tap(page, page.getByRole('link', { name: 'Home' }).filter({ visible: true }).first());
  await expect(page).toHaveURL(/\/fan$/);

  let hydrate = await openUnhydrated(page, '/fan/notifications?tab=preferences');
  const box = page.getByRole('checkbox', { name: 'New posts, In-app' });
  await box.click();
  await hydrate();
  await expect(box).not.toBeChecked();
  type Preferences = ResponseOf<typeof getNotificationPreferences>;
  await expect
    .poll(async () => (await callApi<Preferences>(context, 'GET', '/customer/notification-preferences')).data[0])
    .toMatchObject({ inApp: false });

  const { open } = await getDemoContent(context);
  await context.route('**/media/public/**', (route) => route.abort());
  hydrate = await openUnhydrated(page, `/post/${open}`);
  await hydrate();
  await expect(page.getByText('No image found').first()).toBeVisible();
  await expect(page.getByRole('main').locator('.avatar img')).toHaveCount(0);
  await expect(page.getByRole('main').locator('.avatar__initials').first()).toBeVisible();
});

test('a log-in before hydration is sent once and not in the address, and works without the script if that fails to load', async ({
  open,
}) => {
  const fan = await createConfirmedAccount('customer');
  const { page } = await open({ isPhone: true });
  const hydrate = await openUnhydrated(page, '/login');
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('login')) sent += 1;
  });
  const username = page.getByLabel('Username or email');
  const password = page.getByLabel('Password', { exact: true });
  await username.fill(fan.username);
  await password.fill('wrong password');
  await page.keyboard.press('Enter');
  expect(page.url()).not.toContain('?');
  await hydrate();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(username).toHaveValue(fan.username);
  expect(sent).toBe(1);

  await page.route('**/*.js', (route) => route.abort());
  await page.goto('/login');
  await expect(page.getByRole('alert').filter({ hasText: 'Part of this page didn’t load.' })).toBeVisible();
  await username.fill(fan.username);
  await password.fill(PASSWORD);
  await tap(page, page.getByRole('button', { name: 'Log in' }));
  await expect(page).toHaveURL(/\/fan\//);
});

test('a sign-up filled in before hydration keeps the chosen role and the state of its checkbox', async ({ open }) => {
  const { page } = await open({ isPhone: true });
  const hydrate = await openUnhydrated(page, '/signup');
  await tap(page, page.locator('label').filter({ hasText: 'I’m a fan' }));
  const consent = page.getByRole('checkbox').first();
  await consent.check();
  await consent.uncheck();
  await consent.check();
  await hydrate();
  await expect(page.getByRole('radio', { name: 'I’m a fan' })).toBeChecked();
  await expect(consent).toBeChecked();
  const hydrateAgain = await openUnhydrated(page, '/signup');
  await consent.check();
  await consent.uncheck();
  await hydrateAgain();
  await expect(consent).not.toBeChecked();
});

test('fields that were cleared or filled before hydration keep their input', async ({ createUser }) => {
  const creator = await createUser('creator', { isPhone: true });
  const about = { name: 'Ana', craft: 'Potter', city: 'Porto', category: null, bio: 'Moon jars', links: [] };
  await callApi(creator.context, 'PUT', '/creator/profile', { ...about, layout: 'hero', shape: 'box', format: 'row' });
  const { page } = creator;
  const hydrate = await openUnhydrated(page, '/creator/profile');
  const [bio, city] = [page.getByLabel('About you'), page.getByLabel('City')];
  await bio.fill('');
  await city.fill('Lisboa');
  await hydrate();
  await expect(city).toHaveValue('Lisboa');
  await page.getByRole('button', { name: 'Save' }).filter({ visible: true }).first().tap();
  const getSavedProfile = () => callApi<{ bio: string; city: string }>(creator.context, 'GET', '/creator/profile');
  await expect.poll(getSavedProfile).toMatchObject({ bio: '', city: 'Lisboa' });
});

test('a statement line opened before hydration shows its proof', async ({ open }) => {
  const { page, context } = await open({ isPhone: true });
  await logIn(context, 'demo.creator');
  const hydrate = await openUnhydrated(page, '/creator/earning');
  const lines = page.getByRole('list', { name: 'Transactions' }).getByRole('listitem');
  const line = lines.filter({ has: page.locator('summary') }).first();
  await tap(page, line.locator('summary'));
  await expect(line.locator('details')).toHaveAttribute('open');
  await hydrate();
  await expect(line.getByText(/Not recorded yet|Verified against checkpoint/)).toBeVisible();
});

test('a visitor’s page stays as it is while the code of its frame loads', async ({ open }) => {
  const { page } = await open({ isPhone: true });
  const released = Promise.withResolvers<void>();
  await page.route('**/visitor-frame-*.js', async (route) => {
    await released.promise;
    await route.continue();
  });
  const requested = page.waitForRequest('**/visitor-frame-*.js');
  await page.goto('/dev/mailbox', { waitUntil: 'commit' });
  const form = page.getByRole('main').locator('form').first();
  const element = await form.elementHandle();
  await requested;
  await page.getByRole('heading', { level: 1 }).tap();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(await element?.evaluate((each) => each.isConnected)).toBe(true);
  released.resolve();
  await waitForHydration(page);
  expect(await element?.evaluate((each) => each.isConnected)).toBe(true);
});

import { createECDH, randomBytes } from 'node:crypto';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import type { notificationPreferences } from '@stagedoor/contract/notification-preferences.ts';
import { badgeOf, type getPushSettings } from '@stagedoor/contract/push.ts';
import { unsubscribeHeaders } from '../server/features/notifications/unsubscribe.ts';
import { readConfig } from '../server/kernel/config.ts';
import { converse, write } from './support/chat.ts';
import { baseUrl, callApi, expect, expectAccessible, hydrated, logIn, PASSWORD, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function logInFrom(userAgent: string, username: string): Promise<void> {
  const answer = await fetch(`${baseUrl()}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  expect(answer.status).toBe(200);
}

type Preferences = ResponseOf<typeof notificationPreferences>;
type Settings = ResponseOf<typeof getPushSettings>;

test('notifications arrive in every tab and in the badge, are read everywhere, and are turned off by kind and creator', async ({
  person,
  apiUser,
}) => {
  const [maker, fan] = [await apiUser('creator'), await person('customer', { width: 390 })];
  const { page, context } = fan;
  await context.addInitScript(() => {
    const shown: number[] = [];
    Object.assign(window, { badges: shown });
    Object.assign(Navigator.prototype, {
      setAppBadge: async (count: number) => void shown.push(count),
      clearAppBadge: async () => void shown.push(0),
    });
  });
  const badge = () => page.evaluate(() => (Reflect.get(window, 'badges') as number[]).at(-1));
  await callApi(context, 'POST', `/customer/follow/${maker.id}`, { isFollowed: true });
  await page.goto('/fan/notifications');
  await hydrated(page);
  await expect(page.getByText('No notifications yet')).toBeVisible();
  const other = await context.newPage();
  await other.goto('/fan/wallet');
  await hydrated(other);

  const postId = await publish(maker.context, { caption: 'Portrait of a room' });
  const bell = other.getByRole('link', { name: 'Notifications 1 unread' }).filter({ visible: true });
  await expect(bell).toBeVisible();
  await expect(page.getByRole('link', { name: /published .*Portrait of a room/ })).toBeVisible();
  await expect.poll(badge).toBe(1);
  await bell.click();
  await expect(other.getByRole('heading', { name: 'Today' })).toBeVisible();
  await other.getByRole('link', { name: /published .*Portrait of a room/ }).click();
  await expect(other).toHaveURL(new RegExp(`/post/${postId}`));
  await expect(page.getByRole('link', { name: /Notifications .*unread/ }).filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Mark all as read' })).toHaveCount(0);
  await other.close();

  await logInFrom(FIREFOX, fan.username);
  await expect(page.getByRole('link', { name: 'Notifications 1 unread' }).filter({ visible: true })).toBeVisible();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByRole('link', { name: 'Unread', exact: true }).click();
  await expect(page.getByText('You’re all caught up.')).toBeVisible();
  await write(maker.context, await converse(fan, maker), 'The kiln is open');
  const unread = async () => {
    const alerts = await callApi<{ count: number }>(context, 'GET', '/notifications/unread');
    const messages = await callApi<{ unmutedCount: number }>(context, 'GET', '/message/un-read-count');
    return { alerts: alerts.count, messages: messages.unmutedCount };
  };
  await expect.poll(unread).toMatchObject({ messages: 1 });
  await expect.poll(async () => (await badge()) === badgeOf(await unread())).toBe(true);

  await page.getByRole('main').getByRole('link', { name: 'Notification settings' }).click();
  const newWork = page.getByRole('checkbox', { name: 'New posts, In-app' });
  const online = page.getByRole('checkbox', { name: 'Online now, Push' });
  const first = Promise.withResolvers<void>();
  await page.route('**/update-notification-preferences', async (route) => {
    await first.promise;
    await route.continue();
  });
  await newWork.click();
  await online.click();
  await expect(online).not.toBeChecked();
  first.resolve();
  const preferences = async () =>
    (await callApi<Preferences>(context, 'GET', '/customer/notification-preferences')).data;
  await expect.poll(async () => (await preferences())[0]).toMatchObject({ key: 'newPost', inApp: false });
  await expect.poll(async () => (await preferences())[2]).toMatchObject({ key: 'creatorOnline', push: false });
  await expect(newWork).not.toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Money, Email' })).toBeDisabled();

  const muted = async () =>
    (await callApi<{ creatorIds: string[] }>(context, 'GET', '/notifications/bells')).creatorIds;
  await page.goto('/fan/follow');
  await hydrated(page);
  await page.getByRole('button', { name: /^Turn off notifications from / }).click();
  await expect.poll(muted).toEqual([maker.id]);
  await page.getByRole('button', { name: /^Turn on notifications from / }).click();
  await expect.poll(muted).toEqual([]);
});

test('on a phone the notification settings open from the list and the account, and a creator changes those of pushes', async ({
  person,
}) => {
  const { page, context, username } = await person('creator', { isPhone: true });
  const settings = () => callApi<Settings>(context, 'GET', '/notifications/settings');
  const other = await context.browser()?.newContext({ baseURL: baseUrl(), userAgent: FIREFOX });
  if (!other) throw new Error('no other browser');
  await logIn(other, username);
  const ecdh = createECDH('prime256v1');
  const keys = { p256dh: ecdh.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
  const endpoint = `https://fcm.googleapis.com/fcm/send/${randomBytes(8).toString('hex')}`;
  await callApi(other, 'POST', '/web-notify/subscribe', { endpoint, keys });
  const abroad = { quietFrom: '22:00', quietUntil: '06:00', timeZone: 'Pacific/Auckland' };
  await callApi(context, 'PUT', '/notifications/settings', abroad);

  const part = page.getByRole('region', { name: 'Notification settings' });
  const login = page.getByRole('link', { name: /^New login from Firefox on Linux/ });
  await page.goto('/creator/notifications');
  await hydrated(page);
  const tabs = page.getByRole('navigation', { name: 'Notifications' });
  const current = tabs.locator('[aria-current="page"]');
  const way = page.getByRole('main').getByRole('link', { name: 'Notification settings' });
  await expect(current).toHaveText('All');
  await way.tap();
  await expect(page).toHaveURL(/\?tab=preferences$/);
  await expect(part).toBeFocused();
  await expect(part.getByRole('checkbox').first()).toBeInViewport();
  await expect(login).toBeHidden();
  await expect(way).toHaveAttribute('aria-current', 'page');
  await expect(current).toHaveCount(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(current).toHaveText('All');
  await expect(way).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goBack();
  await expect(login).toBeVisible();

  await login.tap();
  await expect(page).toHaveURL('/creator/profile/settings#password');
  const password = page.getByRole('region', { name: 'Password' });
  await expect(password).toBeFocused();
  await expect(password.getByRole('heading')).toBeInViewport({ ratio: 1 });
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole('main').getByRole('link', { name: 'Notifications' }).tap();
  await expect(part).toBeFocused();
  await expect(part.getByRole('checkbox').first()).toBeInViewport();

  await page.getByRole('button', { name: 'Remove Firefox on Linux' }).tap();
  await expect(page.getByText('No devices receive push notifications.')).toBeVisible();
  await other.close();
  await expect(page.getByText('Time zone: Auckland')).toBeVisible();
  const here = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  await page.getByRole('button', { name: /^Use / }).tap();
  await expect.poll(settings).toMatchObject({ timeZone: here, quietFrom: '22:00' });
  await expect(page.getByRole('button', { name: /^Use / })).toHaveCount(0);
  const quiet = page.getByRole('switch', { name: /Pause push notifications overnight/ });
  await quiet.click();
  await expect.poll(settings).toMatchObject({ quietFrom: null });
  await quiet.click();
  await expect.poll(settings).toMatchObject({ quietFrom: '22:30', quietUntil: '07:30' });
  await page.getByLabel('From').fill('21:15');
  await page.getByLabel('From').blur();
  await expect.poll(settings).toMatchObject({ quietFrom: '21:15', quietUntil: '07:30' });
  const until = page.getByLabel(/^Until( \*)?$/);
  for (const [typed, words] of [
    ['21:15', 'End time must differ from start time'],
    ['', 'Enter a time'],
  ] as const) {
    await until.fill(typed);
    await until.blur();
    await expect(page.getByText(words)).toBeVisible();
  }
  await until.fill('07:30');
  await until.blur();
  await expect(until).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Maximum per hour').selectOption('3');
  await expect.poll(settings).toMatchObject({ pushesPerHour: 3 });
  await expect(page.getByRole('img', { name: /Something new for you/ })).toBeVisible();
  await page.getByRole('switch', { name: /Hide content on lock screen/ }).click();
  await expect(page.getByRole('img', { name: 'Lock screen preview: A fan tipped you. $16.00 earned' })).toBeVisible();
  await expect.poll(settings).toMatchObject({ isDiscreet: false });
  await expectAccessible(page);
});

test('the unsubscribe link of a mail asks first and unsubscribes with a button, without script', async ({
  apiUser,
  open,
}) => {
  const fan = await apiUser('customer');
  await callApi(fan.context, 'PUT', '/customer/update-notification-preferences', { newPost: { email: true } });
  const isMailed = async () =>
    (await callApi<Preferences>(fan.context, 'GET', '/customer/notification-preferences')).data.some(
      ({ email }) => email,
    );
  const config = readConfig({ DATA_DIR: process.env.STAGEDOOR_DATA_DIR, PUBLIC_URL: baseUrl() });
  const head = unsubscribeHeaders({ config }, fan.id);
  const link = head['List-Unsubscribe']?.slice(1, -1) ?? '';
  const { page } = await open({ width: 390, hasScript: false });
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unsubscribe from emails?');
  expect(await isMailed()).toBe(true);
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(page.getByRole('status')).toContainText('You won’t get summary emails anymore.');
  expect(await isMailed()).toBe(false);
});

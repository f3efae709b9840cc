import { createECDH, randomBytes } from 'node:crypto';
import type { getNotificationPreferences } from '@stagedoor/contract/notifications/notification-preferences.ts';
import { type getPushSettings, toBadgeCount } from '@stagedoor/contract/notifications/push.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { createUnsubscribeHeaders } from '../server/modules/notifications/notifications/unsubscribe.ts';
import { readConfig } from '../server/platform/config.ts';
import { sendTextMessage, startConversation } from './support/chat.ts';
import {
  callApi,
  expect,
  expectAccessible,
  getBaseUrl,
  logIn,
  PASSWORD,
  test,
  waitForHydration,
} from './support/fixtures.ts';
import { publishPictures } from './support/money.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function logInFrom(userAgent: string, username: string): Promise<void> {
  const response = await fetch(`${getBaseUrl()}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  expect(response.status).toBe(200);
}

type Preferences = ResponseOf<typeof getNotificationPreferences>;
type PushSettings = ResponseOf<typeof getPushSettings>;

test('notifications arrive in every tab and in the badge, are read everywhere, and are turned off by kind and creator', async ({
  createUser,
  createApiUser,
}) => {
  const [creator, fan] = [await createApiUser('creator'), await createUser('customer', { width: 390 })];
  const { page, context } = fan;
  await context.addInitScript(() => {
    const badges: number[] = [];
    Object.assign(window, { badges });
    Object.assign(Navigator.prototype, {
      setAppBadge: async (count: number) => void badges.push(count),
      clearAppBadge: async () => void badges.push(0),
    });
  });
  const getBadge = () => page.evaluate(() => (Reflect.get(window, 'badges') as number[]).at(-1));
  await callApi(context, 'POST', `/customer/follow/${creator.id}`, { isFollowed: true });
  await page.goto('/fan/notifications');
  await waitForHydration(page);
  await expect(page.getByText('No notifications yet')).toBeVisible();
  const other = await context.newPage();
  await other.goto('/fan/wallet');
  await waitForHydration(other);

  const postId = await publishPictures(creator.context, { caption: 'Portrait of a room' });
  const alertsLink = other.getByRole('link', { name: 'Notifications 1 unread' }).filter({ visible: true });
  await expect(alertsLink).toBeVisible();
  await expect(page.getByRole('link', { name: /published .*Portrait of a room/ })).toBeVisible();
  await expect.poll(getBadge).toBe(1);
  await alertsLink.click();
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
  await sendTextMessage(creator.context, await startConversation(fan, creator), 'The kiln is open');
  const countUnread = async () => {
    const alerts = await callApi<{ count: number }>(context, 'GET', '/notifications/unread');
    const messages = await callApi<{ unmutedCount: number }>(context, 'GET', '/message/un-read-count');
    return { alerts: alerts.count, messages: messages.unmutedCount };
  };
  await expect.poll(countUnread).toMatchObject({ messages: 1 });
  await expect.poll(async () => (await getBadge()) === toBadgeCount(await countUnread())).toBe(true);

  await page.getByRole('main').getByRole('link', { name: 'Notification settings' }).click();
  const newWork = page.getByRole('checkbox', { name: 'New posts, In-app' });
  const online = page.getByRole('checkbox', { name: 'Online now, Push' });
  const firstUpdate = Promise.withResolvers<void>();
  await page.route('**/update-notification-preferences', async (route) => {
    await firstUpdate.promise;
    await route.continue();
  });
  await newWork.click();
  await online.click();
  await expect(online).not.toBeChecked();
  firstUpdate.resolve();
  const listPreferences = async () =>
    (await callApi<Preferences>(context, 'GET', '/customer/notification-preferences')).data;
  await expect.poll(async () => (await listPreferences())[0]).toMatchObject({ key: 'newPost', inApp: false });
  await expect.poll(async () => (await listPreferences())[2]).toMatchObject({ key: 'creatorOnline', push: false });
  await expect(newWork).not.toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Money, Email' })).toBeDisabled();

  const listMuted = async () =>
    (await callApi<{ creatorIds: string[] }>(context, 'GET', '/notifications/muted-creators')).creatorIds;
  await page.goto('/fan/follow');
  await waitForHydration(page);
  await page.getByRole('button', { name: /^Turn off notifications from / }).click();
  await expect.poll(listMuted).toEqual([creator.id]);
  await page.getByRole('button', { name: /^Turn on notifications from / }).click();
  await expect.poll(listMuted).toEqual([]);
});

test('on a phone the notification settings open from the list and the account, and a creator changes those of pushes', async ({
  createUser,
}) => {
  const { page, context, username } = await createUser('creator', { isPhone: true });
  const getSettings = () => callApi<PushSettings>(context, 'GET', '/notifications/settings');
  const other = await context.browser()?.newContext({ baseURL: getBaseUrl(), userAgent: FIREFOX });
  if (!other) throw new Error('no other browser');
  await logIn(other, username);
  const ecdh = createECDH('prime256v1');
  const keys = { p256dh: ecdh.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
  const endpoint = `https://fcm.googleapis.com/fcm/send/${randomBytes(8).toString('hex')}`;
  await callApi(other, 'POST', '/web-notify/subscribe', { endpoint, keys });
  const quietHours = { quietFrom: '22:00', quietUntil: '06:00', timeZone: 'Pacific/Auckland' };
  await callApi(context, 'PUT', '/notifications/settings', quietHours);

  const settingsRegion = page.getByRole('region', { name: 'Notification settings' });
  const login = page.getByRole('link', { name: /^New login from Firefox on Linux/ });
  await page.goto('/creator/notifications');
  await waitForHydration(page);
  const tabs = page.getByRole('navigation', { name: 'Notifications' });
  const current = tabs.locator('[aria-current="page"]');
  const settingsLink = page.getByRole('main').getByRole('link', { name: 'Notification settings' });
  await expect(current).toHaveText('All');
  await settingsLink.tap();
  await expect(page).toHaveURL(/\?tab=preferences$/);
  await expect(settingsRegion).toBeFocused();
  await expect(settingsRegion.getByRole('checkbox').first()).toBeInViewport();
  await expect(login).toBeHidden();
  await expect(settingsLink).toHaveAttribute('aria-current', 'page');
  await expect(current).toHaveCount(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(current).toHaveText('All');
  await expect(settingsLink).toBeHidden();
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
  await expect(settingsRegion).toBeFocused();
  await expect(settingsRegion.getByRole('checkbox').first()).toBeInViewport();

  await page.getByRole('button', { name: 'Remove Firefox on Linux' }).tap();
  await expect(page.getByText('No devices receive push notifications.')).toBeVisible();
  await other.close();
  await expect(page.getByText('Time zone: Auckland')).toBeVisible();
  const ownTimeZone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  await page.getByRole('button', { name: /^Use / }).tap();
  await expect.poll(getSettings).toMatchObject({ timeZone: ownTimeZone, quietFrom: '22:00' });
  await expect(page.getByRole('button', { name: /^Use / })).toHaveCount(0);
  const quietSwitch = page.getByRole('switch', { name: /Pause push notifications overnight/ });
  await quietSwitch.click();
  await expect.poll(getSettings).toMatchObject({ quietFrom: null });
  await quietSwitch.click();
  await expect.poll(getSettings).toMatchObject({ quietFrom: '22:30', quietUntil: '07:30' });
  await page.getByLabel('From').fill('21:15');
  await page.getByLabel('From').blur();
  await expect.poll(getSettings).toMatchObject({ quietFrom: '21:15', quietUntil: '07:30' });
  const untilField = page.getByLabel(/^Until( \*)?$/);
  for (const [typed, error] of [
    ['21:15', 'End time must differ from start time'],
    ['', 'Enter a time'],
  ] as const) {
    await untilField.fill(typed);
    await untilField.blur();
    await expect(page.getByText(error)).toBeVisible();
  }
  await untilField.fill('07:30');
  await untilField.blur();
  await expect(untilField).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Maximum per hour').selectOption('3');
  await expect.poll(getSettings).toMatchObject({ pushesPerHour: 3 });
  await expect(page.getByRole('img', { name: /Something new for you/ })).toBeVisible();
  await page.getByRole('switch', { name: /Hide content on lock screen/ }).click();
  await expect(page.getByRole('img', { name: 'Lock screen preview: A fan tipped you. $16.00 earned' })).toBeVisible();
  await expect.poll(getSettings).toMatchObject({ isDiscreet: false });
  await expectAccessible(page);
});

test('the unsubscribe link of a mail opens a page whose button unsubscribes, without script', async ({
  createApiUser,
  open,
}) => {
  const fan = await createApiUser('customer');
  await callApi(fan.context, 'PUT', '/customer/update-notification-preferences', { newPost: { email: true } });
  const isMailed = async () =>
    (await callApi<Preferences>(fan.context, 'GET', '/customer/notification-preferences')).data.some(
      ({ email }) => email,
    );
  const config = readConfig({ DATA_DIR: process.env.STAGEDOOR_DATA_DIR, PUBLIC_URL: getBaseUrl() });
  const headers = createUnsubscribeHeaders({ config }, fan.id);
  const link = headers['List-Unsubscribe']?.slice(1, -1) ?? '';
  const { page } = await open({ width: 390, hasScript: false });
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unsubscribe from summary emails?');
  expect(await isMailed()).toBe(true);
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(page.getByRole('status')).toContainText('You won’t get summary emails anymore.');
  expect(await isMailed()).toBe(false);
});

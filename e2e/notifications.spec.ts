/** Alerts: what happens to a fan stands on every page of theirs, leads to its place, and is read on all their devices at once. */
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import type { notificationPreferences } from '@stagedoor/contract/notification-preferences.ts';
import { idOf } from './support/chat.ts';
import { callApi, expect, expectAccessible, hydrated, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

type Preferences = ResponseOf<typeof notificationPreferences>;

test('what is published is told in every tab, leads there, and is read everywhere', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer', { width: 390 })];
  await callApi(fan.context, 'POST', `/customer/follow/${await idOf(maker.context)}`, { isFollowed: true });
  const { page } = fan;
  await page.goto('/fan/notifications');
  await hydrated(page);
  await expect(page.getByText('The room is quiet')).toBeVisible();
  const other = await fan.context.newPage();
  await other.goto('/fan/wallet');
  await hydrated(other);

  await publish(maker.context, { caption: 'Portrait of a room' });
  await publish(maker.context, { caption: 'And another' });
  const bell = other.getByRole('link', { name: 'Alerts 1 unread' }).filter({ visible: true });
  await expect(bell).toBeVisible();
  await expect(page.getByRole('link', { name: /published 2 posts/ })).toBeVisible();
  await expectAccessible(page);
  await bell.click();
  await expect(other.getByRole('heading', { name: 'Today' })).toBeVisible();
  await other.getByRole('link', { name: /published 2 posts/ }).click();
  await expect(other).toHaveURL(new RegExp(`/profile/${maker.username}$`));
  // Read here is read there.
  await expect(page.getByRole('link', { name: /Alerts .*unread/ }).filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Mark all read' })).toHaveCount(0);

  await publish(maker.context, { caption: 'A third' });
  await expect(page.getByRole('link', { name: 'Alerts 1 unread' }).filter({ visible: true })).toBeVisible();
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await page.getByRole('link', { name: 'Unread', exact: true }).click();
  await expect(page.getByText('You have seen everything.')).toBeVisible();

  const wish = page.getByRole('checkbox', { name: 'New work, In the app' });
  const second = page.getByRole('checkbox', { name: 'Online now, Push' });
  // Pressed while the first is on its way, the second is wished as well.
  const first = Promise.withResolvers<void>();
  await page.route('**/update-notification-preferences', async (route) => {
    await first.promise;
    await route.continue();
  });
  await wish.click();
  await second.click();
  await expect(second).not.toBeChecked();
  first.resolve();
  await expect
    .poll(async () => (await callApi<Preferences>(fan.context, 'GET', '/customer/notification-preferences')).data[0])
    .toMatchObject({ key: 'newPost', inApp: false });
  await expect
    .poll(async () => (await callApi<Preferences>(fan.context, 'GET', '/customer/notification-preferences')).data[2])
    .toMatchObject({ key: 'creatorOnline', push: false });
  await page.reload();
  await expect(wish).not.toBeChecked();
  await expect(second).not.toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Money, E-mail' })).toBeDisabled();
  await expectAccessible(page);
});

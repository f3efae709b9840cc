import { getMessageField } from './support/chat.ts';
import { callApi, expect, expectAccessible, test, waitForHydration } from './support/fixtures.ts';
import { createTier } from './support/subscriptions.ts';
import { expectTouchable, tap } from './support/touch.ts';

test('a creator messages new subscribers from the list of subscribers on a phone', async ({
  createApiUser,
  createUser,
}) => {
  const creator = await createUser('creator', { isPhone: true });
  const tier = await createTier(creator.context, {
    name: 'Sketchbook',
    prices: { weekly: null, monthaly: null, yearly: null },
  });
  const fan = await createUser('customer');
  const stranger = await createApiUser('customer');
  await callApi(fan.context, 'POST', '/customer/subscriptions', {
    ...{ tierId: tier.id, recurrence: 'monthaly', count: 1 },
    expected: { today: 0, renewal: 0 },
  });
  const { page } = creator;

  await test.step('the filter is chosen as the group, with its count', async () => {
    await page.goto('/creator/subscribers?filter=new');
    await waitForHydration(page);
    await tap(page, page.getByRole('link', { name: 'Message' }));
    await expect(page).toHaveURL(/\/creator\/chat\/broadcast\?audience=newSubscribers$/);
    const group = page.getByLabel('To', { exact: true });
    await expect(group).toHaveValue('newSubscribers');
    await expect(group.getByRole('option', { name: 'New subscribers, last 30 days (1)' })).toBeAttached();
    await expect(group.getByRole('option', { name: 'Canceled, access still open (0)' })).toBeAttached();
    await expectAccessible(page);
    await expectTouchable(group);
  });

  await test.step('a tier is chosen by its name, and each of its subscribers gets the message once', async () => {
    await page.getByLabel('To', { exact: true }).selectOption('tier');
    await page.getByRole('combobox', { name: 'Tier' }).selectOption('Sketchbook');
    await expect(
      page.getByLabel('To', { exact: true }).getByRole('option', { name: 'Subscribers of a tier (1)' }),
    ).toBeAttached();
    await getMessageField(page).fill('Thank you for subscribing.');
    await tap(page, page.getByRole('button', { name: 'Send', exact: true }));
    await expect(page.getByText(/^To 1 fan /)).toBeVisible({ timeout: 15_000 });
    await fan.page.goto('/fan/chat');
    await expect(fan.page.getByText('Thank you for subscribing.')).toHaveCount(1);
    const { data } = await callApi<{ data: unknown[] }>(stranger.context, 'GET', '/message/conversation-list');
    expect(data).toEqual([]);
  });
});

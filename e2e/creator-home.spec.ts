import { callApi, expect, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, publishPictures, tryPost } from './support/money.ts';

test('a new creator first sees how to start selling and their figures, and later what to do next', async ({
  createApiUser,
  createUser,
}) => {
  test.setTimeout(90_000);
  const [creator, fan] = [await createUser('creator', { width: 390 }), await createApiUser('customer')];
  const { page } = creator;
  await page.goto('/creator');
  await waitForHydration(page);
  await expect(page.getByRole('heading', { name: 'Finish setting up' })).toBeInViewport();
  const today = page.getByRole('region', { name: 'Today' });
  await expect(today).toContainText('Earned today$0.00$0.00 yesterday');
  await expect(page.getByRole('region', { name: 'Earnings', exact: true })).toContainText('This week$0.00');
  await expect(page.getByText('All time: $0.00 earned, 0 sales, 0 followers.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Total Earning' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Recent earnings' })).toContainText('No earnings yet.');

  const chat = page.getByRole('navigation', { name: 'Main' }).last().getByRole('link', { name: /^Chat/ });
  await expect(chat).toHaveAccessibleName('Chat');
  await callApi(fan.context, 'POST', '/message/text', { receiverId: creator.id, text: 'May I ask you something?' });
  await expect(chat).toHaveAccessibleName(/1 unread, 1 request among them/);
  await expect(page.getByRole('status').filter({ hasText: 'New message request.' })).toBeAttached();
  const next = page.getByRole('region', { name: 'Next steps' });
  await expect(next.getByRole('link', { name: '1 message request to answer' })).toHaveAttribute(
    'href',
    '/creator/chat?tab=requests',
  );

  await addFunds(fan.context, 20);
  const post = await publishPictures(creator.context, { caption: 'The first', priceUsd: 5 });
  expect((await tryPost(fan.context, `/post/unlock/${post}`, { price: 5 })).status).toBe(200);
  await page.goto('/creator');
  await expect(next.getByRole('link', { name: 'Latest post: The first' })).toHaveAttribute('href', `/post/${post}`);
  await expect(next.getByText('1 unlock · $4.50 earned · 0 likes')).toBeVisible();
  await expect(page.getByText('This week')).toBeVisible();
  await expect(today.getByText('$0.00 yesterday')).toBeVisible();
  await expect(page.getByText('All time: $4.50 earned, 1 sale, 0 followers.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Total Earning' })).toBeVisible();
  await next.getByRole('link', { name: '1 message request to answer' }).click();
  await expect(page).toHaveURL(/\/creator\/chat\?tab=requests$/);
});

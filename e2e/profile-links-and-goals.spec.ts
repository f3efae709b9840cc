import { callApi, expect, getBaseUrl, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, publishPictures } from './support/money.ts';

test('fans see the pinned post, links and goal of a creator, a tip updates the goal live, and a printed card shows only the QR code and the short address', async ({
  createUser,
}) => {
  const creator = await createUser('creator');
  const { page, username } = creator;
  const firstPostId = await publishPictures(creator.context, { caption: 'The first one' });
  await publishPictures(creator.context, { caption: 'The latest one' });
  await callApi(creator.context, 'PUT', `/post/${firstPostId}/pin`, { isPinned: true });

  await page.goto('/creator/profile');
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Add a link' }).click();
  // The first letter of the second word is Cyrillic.
  await page.getByLabel('Title of link 1').fill('Shop аpple.com');
  await page.getByLabel('URL of link 1').fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Enter a link such as https://example.com/page')).toBeVisible();
  await page.getByLabel('URL of link 1').fill('example.com/shop');
  await page.getByLabel('About you').fill('The menu: https://example.com/menu。よろしく');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.')).toBeVisible();

  await page.getByLabel('Goal title').fill('A new kiln');
  await page.getByLabel('Target amount').fill('5');
  await page.getByRole('button', { name: 'Start goal' }).click();
  await expect(page.getByText('Amount must be between $10.00 and $100,000.00')).toBeVisible();
  await page.getByLabel('Target amount').fill('15');
  await page.getByRole('button', { name: 'Start goal' }).click();
  await expect(page.getByText('Goal added to your profile.')).toBeVisible();

  await page.goto('/creator/profile/card');
  await waitForHydration(page);
  const card = page.getByRole('article', { name: 'Your card' });
  await expect(card).toContainText(`/@${username}`);
  await expect(card.getByRole('img', { name: `QR code of ${getBaseUrl()}/@${username}` })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { name: 'Printable QR card' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print card' })).toBeHidden();
  await expect(card).toBeVisible();
  await page.emulateMedia({ media: 'screen' });

  const fan = await createUser('customer');
  await addFunds(fan.context, 30);
  await fan.page.goto(`/@${username.toUpperCase()}`);
  await expect(fan.page).toHaveURL(`${getBaseUrl()}/profile/${username}`);
  await waitForHydration(fan.page);
  const posts = fan.page.locator('#posts').getByRole('listitem');
  await expect(posts.first()).toContainText('The first one');
  await expect(posts.first()).toContainText('Pinned');
  const link = fan.page.getByRole('link', { name: 'Shop xn--pple-43d.com' });
  await expect(link).toHaveAttribute('href', 'https://example.com/shop');
  await expect(link).toHaveAttribute('rel', 'nofollow noopener ugc');
  const bioLink = fan.page.getByRole('link', { name: 'https://example.com/menu', exact: true });
  await expect(bioLink).toHaveAttribute('href', 'https://example.com/menu');
  await expect(bioLink).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc');
  const goal = fan.page.getByRole('region', { name: 'A new kiln' });
  await expect(goal).toContainText('$0.00 of $15.00');

  await page.goto(`/profile/${username}`);
  await waitForHydration(page);
  await fan.page.getByRole('button', { name: 'Tip', exact: true }).click();
  const dialog = fan.page.getByRole('dialog');
  await expect(dialog).toContainText('Toward “A new kiln”');
  await dialog.getByRole('button', { name: '$20.00', exact: true }).click();
  await dialog.getByRole('button', { name: /^Tip/ }).click();
  for (const each of [goal, page.getByRole('region', { name: 'A new kiln' })]) {
    await expect(each).toContainText('$20.00 of $15.00');
    await expect(each).toContainText('Reached');
  }
  const { data } = await callApi<{ data: { detail: string }[] }>(fan.context, 'GET', '/customer/transaction-history');
  expect(data[0]?.detail).toBe('toward tip goal');
});

import { baseUrl, callApi, expect, hydrated, test } from './support/fixtures.ts';
import { addFunds, publish } from './support/money.ts';

test('visitors see the pinned post, links and goal of a creator, and a tip updates the goal live', async ({
  person,
  open,
}) => {
  const creator = await person('creator');
  await publish(creator.context, { caption: 'The first one' });
  await publish(creator.context, { caption: 'The latest one' });

  await creator.page.goto('/creator/feed');
  await hydrated(creator.page);
  await creator.page.getByRole('button', { name: 'What to do with The first one' }).click();
  await creator.page.getByRole('menuitem', { name: 'Pin to the top of your profile' }).click();
  await expect(creator.page.getByText('Pinned. It comes first on your profile.')).toBeVisible();

  await creator.page.goto('/creator/profile');
  await hydrated(creator.page);
  await creator.page.getByRole('button', { name: 'Add a link' }).click();
  await creator.page.getByLabel('Name of link 1').fill('Shop');
  await creator.page.getByLabel('Address of link 1').fill('javascript:alert(1)');
  await creator.page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(creator.page.getByText('Please enter the address of a page, as https://example.com/page')).toBeVisible();
  await creator.page.getByLabel('Address of link 1').fill('example.com/shop');
  await creator.page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(creator.page.getByText('Saved.')).toBeVisible();

  await creator.page.getByLabel('What it is for').fill('A new kiln');
  await creator.page.getByLabel('How much it takes').fill('5');
  await creator.page.getByRole('button', { name: 'Start the goal' }).click();
  await expect(creator.page.getByText('Amount must be between $10.00 and $100,000.00')).toBeVisible();
  await creator.page.getByLabel('How much it takes').fill('15');
  await creator.page.getByRole('button', { name: 'Start the goal' }).click();
  await expect(creator.page.getByText('It is on your profile.')).toBeVisible();

  const visitor = await open({ hasScript: false });
  await visitor.page.goto(`/@${creator.username.toUpperCase()}`);
  await expect(visitor.page).toHaveURL(`${baseUrl()}/profile/${creator.username}`);
  const posts = visitor.page.locator('#posts').getByRole('listitem');
  await expect(posts.first()).toContainText('The first one');
  await expect(posts.first()).toContainText('Pinned');
  const link = visitor.page.getByRole('link', { name: 'Shop' });
  await expect(link).toHaveAttribute('href', 'https://example.com/shop');
  await expect(link).toHaveAttribute('rel', 'nofollow noopener ugc');
  const window = visitor.page.getByRole('region', { name: 'A new kiln' });
  await expect(window).toContainText('$0.00 of $15.00');
  await expect(window.getByRole('link', { name: 'Tip toward it' })).toHaveAttribute('href', /^\/signup\?for=tip/);

  const fan = await person('customer');
  await addFunds(fan.context, 30);
  await fan.page.goto(`/profile/${creator.username}`);
  await hydrated(fan.page);
  await creator.page.goto(`/profile/${creator.username}`);
  await hydrated(creator.page);
  await fan.page.getByRole('button', { name: 'Tip toward it' }).click();
  const dialog = fan.page.getByRole('dialog');
  await expect(dialog).toContainText('Toward “A new kiln”');
  await dialog.getByRole('button', { name: '$20.00', exact: true }).click();
  await dialog.getByRole('button', { name: /^Tip/ }).click();
  for (const { page } of [fan, creator]) {
    const goal = page.getByRole('region', { name: 'A new kiln' });
    await expect(goal).toContainText('$20.00 of $15.00');
    await expect(goal).toContainText('Reached');
  }
  const { data } = await callApi<{ data: { detail: string }[] }>(fan.context, 'GET', '/customer/transaction-history');
  expect(data[0]?.detail).toBe('toward a goal');
});

test('a printed card shows only the QR code and the short address', async ({ person }) => {
  const { page, username } = await person('creator');
  await page.goto('/creator/profile/card');
  await hydrated(page);
  const card = page.getByRole('article', { name: 'Your card' });
  await expect(card).toContainText(`/@${username}`);
  await expect(card.getByRole('img', { name: `QR code of ${baseUrl()}/@${username}` })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { name: 'Card to print' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print the card' })).toBeHidden();
  await expect(card).toBeVisible();
});

import { callApi, expect, expectAccessible, getBaseUrl, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, publishPictures } from './support/money.ts';

const [GERMANY, AMERICA] = ['84.128.1.1', '17.0.0.1'];

test('a hidden creator is on no page requested from the hidden country, cached pages included', async ({
  createUser,
  request,
}) => {
  const creator = await createUser('creator');
  const profile = `/profile/${creator.username}`;
  const requestPage = async (path: string, ip: string) => {
    const response = await request.get(`${getBaseUrl()}${path}`, { headers: { 'x-forwarded-for': ip } });
    return [response.status(), path !== profile && (await response.text()).includes(profile)] as const;
  };
  const list = '/discovery?sort=new';
  for (const ip of [AMERICA, GERMANY]) expect((await requestPage(profile, ip))[0]).toBe(200);
  const isListed = (await requestPage(list, AMERICA))[1];

  await creator.page.goto('/creator/profile/settings#regions');
  await waitForHydration(creator.page);
  const section = creator.page.getByRole('region', { name: 'Hidden locations' });
  await section.getByLabel('Hide your profile by location').selectOption({ label: 'Germany' });
  await section.getByRole('button', { name: 'Hide' }).click();
  await expect(section.getByText('No visitors blocked yet')).toBeVisible();
  await section.getByRole('button', { name: 'Preview as a visitor from Germany' }).click();
  const dialog = creator.page.getByRole('dialog', { name: 'Preview from Germany' });
  await expect(dialog.getByText('Page not found')).toBeVisible();
  await expectAccessible(creator.page);
  await creator.page.keyboard.press('Escape');

  await expect.poll(async () => (await requestPage(profile, GERMANY))[0]).toBe(404);
  expect((await requestPage(list, GERMANY))[1]).toBe(false);
  expect((await requestPage(profile, AMERICA))[0]).toBe(200);
  expect((await requestPage(list, AMERICA))[1]).toBe(isListed);

  await section.getByRole('button', { name: 'Show me in Germany again' }).click();
  await expect(section.getByText(/blocked (?:yet|in the last)/)).toHaveCount(0);
  await expect.poll(async () => (await requestPage(profile, GERMANY))[0]).toBe(200);
});

test('a creator blocks a follower, who can still open a purchase, and a fan blocks a creator from their page', async ({
  createUser,
  createApiUser,
}) => {
  const creator = await createUser('creator');
  const [first, second] = [await createApiUser('customer'), await createUser('customer')];
  await callApi(first.context, 'POST', `/customer/follow/${creator.id}`, { isFollowed: true });
  const bought = await publishPictures(creator.context, { caption: 'Paid by the follower', priceUsd: 5 });
  await publishPictures(creator.context, { caption: 'Another work' });
  await addFunds(first.context, 20);
  await callApi(first.context, 'POST', `/post/unlock/${bought}`, { price: 5 });
  await creator.page.goto('/creator/followers');
  await waitForHydration(creator.page);
  await creator.page.getByRole('button', { name: `Block ${first.username}` }).click();
  await creator.page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click();
  await expect(creator.page.getByRole('main').getByText(first.username)).toHaveCount(0);
  const profile = `/profile/${creator.username}`;
  const readStatus = async () => (await first.context.request.get(`${getBaseUrl()}${profile}`)).status();
  await expect.poll(readStatus).toBe(404);
  // The page of a purchase also lists other posts of its creator, which the buyer can no longer see.
  const purchase = await first.context.request.get(`${getBaseUrl()}/post/${bought}`);
  expect(purchase.status()).toBe(200);
  const html = await purchase.text();
  expect(html).toContain('Paid by the follower');
  expect(html).not.toContain('Another work');

  await second.page.goto(profile);
  await waitForHydration(second.page);
  await second.page.locator('summary[aria-label="Share"]').click();
  await second.page.getByRole('button', { name: 'Block', exact: true }).click();
  const dialog = second.page.getByRole('dialog');
  await expect(dialog).toContainText('You keep what you’ve unlocked.');
  await dialog.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(second.page).toHaveURL(`${getBaseUrl()}/`);
  await second.page.goto('/fan/profile');
  await waitForHydration(second.page);
  await second.page.getByRole('button', { name: `Unblock ${creator.username}` }).click();
  await expect(second.page.getByText('You haven’t blocked anyone.')).toBeVisible();
});

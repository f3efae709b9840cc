/** Keeping away: a creator hides in a country and sees that it works, and either side blocks the other without a word between them. */
import { baseUrl, expect, expectAccessible, hydrated, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

/** An address in Germany, and one in the United States. */
const [GERMANY, AMERICA] = ['84.128.1.1', '17.0.0.1'];

test('who hides in a country is on no page that is asked for from there, kept pages among them', async ({
  person,
  open,
}) => {
  const creator = await person('creator');
  await publish(creator.context, { caption: 'Seen nearly everywhere' });
  const visitor = await open({ hasScript: false });
  const profile = `/profile/${creator.username}`;
  const ask = async (path: string, from: string) => {
    const answer = await visitor.context.request.get(`${baseUrl()}${path}`, { headers: { 'x-forwarded-for': from } });
    // The address itself stands on the page of a missing one, too.
    const words = path === profile ? 'Seen nearly everywhere' : `/profile/${creator.username}`;
    return [answer.status(), (await answer.text()).includes(words)] as const;
  };
  const list = '/discovery?sort=new';
  // Both are kept from here on.
  for (const from of [AMERICA, GERMANY]) expect(await ask(profile, from)).toEqual([200, true]);
  const isListed = (await ask(list, AMERICA))[1];

  await creator.page.goto('/creator/profile/settings#regions');
  await hydrated(creator.page);
  const section = creator.page.getByRole('region', { name: 'Where you are not seen' });
  await section.getByLabel('Where you do not want to be seen').selectOption({ label: 'Germany' });
  await section.getByRole('button', { name: 'Hide me there' }).click();
  await expect(section.getByText('Nobody turned away yet')).toBeVisible();
  await section.getByRole('button', { name: 'See it as from Germany' }).click();
  const dialog = creator.page.getByRole('dialog', { name: 'From Germany' });
  await expect(dialog.getByText('There is nothing here.')).toBeVisible();
  await expectAccessible(creator.page);
  await creator.page.keyboard.press('Escape');

  await expect.poll(() => ask(profile, GERMANY)).toEqual([404, false]);
  expect((await ask(list, GERMANY))[1]).toBe(false);
  expect(await ask(profile, AMERICA)).toEqual([200, true]);
  expect((await ask(list, AMERICA))[1]).toBe(isListed);

  await creator.page.reload();
  await hydrated(creator.page);
  await expect(section.getByText(/requests? turned away in 30 days/)).toBeVisible();
  await section.getByRole('button', { name: 'Be seen in Germany again' }).click();
  await expect(section.getByText('turned away')).toHaveCount(0);
  await expect.poll(() => ask(profile, GERMANY)).toEqual([200, true]);
});

test('a creator blocks a follower who never wrote, and a fan blocks a creator from their page', async ({ person }) => {
  const creator = await person('creator');
  const [first, second] = [await person('customer'), await person('customer')];
  for (const fan of [first, second]) {
    await fan.page.goto(`/profile/${creator.username}`);
    await hydrated(fan.page);
    await fan.page.getByRole('button', { name: /^Follow / }).click();
    await expect(fan.page.getByRole('button', { name: /^Following / })).toBeVisible();
  }

  await creator.page.goto('/creator/followers');
  await hydrated(creator.page);
  await creator.page.getByRole('button', { name: `Block ${first.username}` }).click();
  await creator.page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click();
  await expect(creator.page.getByRole('list', { name: 'Followers' })).not.toContainText(first.username);
  await first.page.reload();
  await expect(first.page.getByText('There is nothing here.')).toBeVisible();

  await second.page.locator('summary[aria-label="Share"]').click();
  await second.page.getByRole('button', { name: 'Block', exact: true }).click();
  const dialog = second.page.getByRole('dialog');
  await expect(dialog).toContainText('What you bought stays yours.');
  await dialog.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(second.page).toHaveURL(`${baseUrl()}/`);
  await second.page.goto('/fan/profile');
  await hydrated(second.page);
  await second.page.getByRole('button', { name: `Unblock ${creator.username}` }).click();
  await expect(second.page.getByText('Nobody. Whom you block')).toBeVisible();
});

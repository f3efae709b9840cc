import sharp from 'sharp';
import { blockAccount } from './support/database.ts';
import { sitDown } from './support/desk.ts';
import { baseUrl, callApi, expect, expectAccessible, mailTo, type Person, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

async function openCase(account: Person, of: string, title: RegExp) {
  const desk = await sitDown(account, 'moderator', `/admin/cases?q=${of}`);
  await desk.getByRole('link', { name: title }).first().click();
  return desk;
}

const square = (background: string) =>
  sharp({ create: { width: 400, height: 400, channels: 3, background } })
    .png()
    .toBuffer();

test('a case shows the reported profile as it was, and its picture is removed', async ({ person }) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
  const hang = async (colour: string) => {
    const file = { name: 'me.png', mimeType: 'image/png', buffer: await square(colour) };
    await maker.context.request.post(`${baseUrl()}/api/creator/profile/avatar`, { multipart: { file } });
  };
  await hang('#a33');
  const { id } = await callApi<{ id: string }>(maker.context, 'GET', '/auth/user');
  const body = { reportUserId: id, type: 'profile', typeId: id, message: 'That is my face.' };
  await callApi(fan.context, 'POST', '/report/submit-report', body);
  await hang('#3a3');
  const desk = await openCase(await person('customer'), maker.username, /Profile reported/);
  await expect(desk.getByText('That is my face.').first()).toBeVisible();
  await expect(desk.getByRole('img', { name: 'Picture', exact: true })).toHaveCount(0);
  await expectAccessible(desk);
  await desk.getByRole('heading', { level: 1 }).press('v');
  const pictures = desk.getByRole('img', { name: 'Picture', exact: true });
  await expect(pictures).toHaveCount(2);
  for (const picture of await pictures.all())
    await expect.poll(() => picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth)).toBe(384);
  await expect(desk.getByRole('heading', { name: 'As it is now' })).toBeVisible();
  await desk.getByRole('heading', { level: 1 }).press('r');
  await desk.getByRole('checkbox', { name: 'picture' }).check();
  await desk.getByLabel('Ground').fill('It is somebody else’s face.');
  await expect(desk.getByText('Removed from your profile: picture.')).toBeVisible();
  await expectAccessible(desk);
  await desk.getByRole('button', { name: 'Remove it', exact: true }).click();
  await expect(desk.getByText('This was decided.')).toBeVisible();
  const { avatarUrl } = await callApi<{ avatarUrl: string | null }>(maker.context, 'GET', '/auth/user');
  expect(avatarUrl).toBeNull();
});

test('the counter-notice link of a takedown mail is a form without script for a blocked user and else leads home', async ({
  open,
  person,
}) => {
  const [account, maker] = [await person('customer'), await person('creator', { isPhone: true })];
  const post = await publish(maker.context, { caption: 'The quay at night' });
  await callApi((await open()).context, 'POST', '/public/copyright-notices', {
    ...{ name: 'Bea', email: `claim-${maker.username}@example.com`, address: '1 Example Street' },
    ...{ telephone: '+1 555 0100', signature: 'Bea', work: 'My photograph.', places: `/post/${post}` },
    ...{ isGoodFaith: true, isAccurate: true },
  });
  await sitDown(account, 'moderator');
  const found = await callApi<{ data: { id: string }[] }>(account.context, 'GET', `/admin/cases?q=${maker.username}`);
  await callApi(account.context, 'POST', `/admin/cases/${found.data[0]?.id}/decision`, {
    act: 'remove',
    ground: 'The same photograph.',
  });
  const { links } = await mailTo(maker.email, /About your Stagedoor account/);
  const link = links.find((one) => one.includes('/dmca/counter')) ?? '';
  await maker.page.goto(link);
  await expect(maker.page).toHaveURL(/\/creator\/helpdesk#decisions$/);
  await expect(maker.page.getByRole('button', { name: 'Send a counter-notice' })).toBeVisible();

  await blockAccount(maker.username);
  const { page } = await open({ width: 390, hasScript: false });
  for (const none of ['/dmca/counter', '/dmca/counter?of=x']) {
    await page.goto(none);
    await expect(page.getByText('This link is not complete. Open it from the mail again.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send the counter-notice' })).toHaveCount(0);
  }
  await page.goto(link);
  await page.getByRole('button', { name: 'Send the counter-notice' }).click();
  await expect(page.getByText('Please confirm that it was a mistake')).toBeVisible();
  for (const label of ['Why it was a mistake', 'Your full name', 'Postal address', 'Signature'])
    await page.getByLabel(label).fill('Ana');
  await page.getByLabel('Telephone').fill('not one');
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Send the counter-notice' }).click();
  await expect(page.getByText('Please enter your telephone number')).toBeVisible();
  await expect(page.getByLabel('Your full name')).toHaveValue('Ana');
  await page.getByLabel('Telephone').fill('+1 555 0101');
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Send the counter-notice' }).click();
  await expect(page.getByRole('heading', { name: 'We passed it on.' })).toBeVisible();
});

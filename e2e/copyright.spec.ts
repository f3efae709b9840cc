import { sitDown } from './support/desk.ts';
import { expect, expectAccessible, hydrated, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

test('a copyright notice takes a post down, and its creator replies below the decision', async ({ open, person }) => {
  const [account, maker] = [await person('customer'), await person('creator', { isPhone: true })];
  const id = await publish(maker.context, { caption: 'The quay at night', priceUsd: 0, pictures: 1 });

  const { page } = await open({ width: 390 });
  await page.goto('/dmca');
  await page.getByRole('link', { name: '/dmca/notice' }).first().click();
  await page.getByLabel('The work that is yours').fill('My photograph of the quay.');
  await page.getByLabel('Where it is here').fill('https://elsewhere.example/post/1');
  await page.getByLabel('Your name').fill('Bea');
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(`claim-${maker.username}@example.com`);
  await page.getByLabel('Postal address').fill('1 Example Street');
  await page.getByLabel('Telephone').fill('+1 555 0100');
  await page.getByLabel('Signature').fill('Bea');
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Send the notice' }).click();
  await expect(page.getByText('is no address here.')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Where it is here').fill(`/post/${id}`);
  await page.getByRole('button', { name: 'Send the notice' }).click();
  await expect(page.getByRole('heading', { name: 'We have your notice.' })).toBeVisible();
  await expectAccessible(page);

  const desk = await sitDown(account, 'moderator');
  await desk.goto(`/admin/cases?q=${maker.username}`);
  await hydrated(desk);
  await desk
    .getByRole('link', { name: /Notice of copyright about a post/ })
    .first()
    .click();
  await expect(desk.getByText('0 notices upheld within 12 months.', { exact: false })).toBeVisible();
  await desk.getByRole('heading', { level: 1 }).press('r');
  await desk.getByLabel('Ground').fill('The same photograph.');
  await expectAccessible(desk);
  await desk.getByRole('button', { name: 'Remove it with all copies' }).click();
  await expect(desk.getByText('This was decided.')).toBeVisible();

  const own = maker.page;
  await own.goto('/creator/helpdesk');
  await hydrated(own);
  await own.getByRole('button', { name: 'Send a counter-notice' }).click();
  const form = own.getByRole('form', { name: 'Counter-notice' });
  await form.getByRole('button', { name: 'Send the counter-notice' }).click();
  await expect(form.getByText('Please confirm that it was a mistake')).toBeVisible();
  await expectAccessible(own);
  await form.getByLabel('Why it was a mistake').fill('I took it myself.');
  await form.getByLabel('Your full name').fill('Ana');
  await form.getByLabel('Postal address').fill('2 Example Street');
  await form.getByLabel('Telephone').fill('+1 555 0101');
  await form.getByLabel('Signature').fill('Ana');
  for (const box of await form.getByRole('checkbox').all()) await box.check();
  await form.getByRole('button', { name: 'Send the counter-notice' }).click();
  await expect(own.getByText(/is with them\. Unless they go to court, it comes back between/)).toBeVisible();
  await expect(form).toBeHidden();
});

import { blockAccount } from './support/database.ts';
import { sitDown } from './support/desk.ts';
import { baseUrl, callApi, expect, expectAccessibleIn, hydrated, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

type Received = { cases: { reference: string }[] };

/** The links to the counter-notice form in the mails to an address. */
async function counterLinks(email: string): Promise<string[]> {
  const response = await fetch(`${baseUrl()}/api/dev/mailbox?to=${encodeURIComponent(email)}`);
  const { data } = (await response.json()) as { data: { links: string[] }[] };
  return [...new Set(data.flatMap(({ links }) => links.filter((link) => link.includes('/dmca/counter'))))];
}

test('a copyright notice takes a post down, and its creator replies below the decision, or by the mailed link when blocked', async ({
  open,
  person,
}) => {
  const [account, maker] = [await person('customer'), await person('creator', { isPhone: true })];
  const id = await publish(maker.context, { caption: 'The quay at night' });
  const { page, context } = await open({ width: 390 });
  await page.goto('/dmca');
  await page.getByRole('link', { name: '/dmca/notice' }).first().click();
  await page.getByLabel('Your copyrighted work').fill('My photograph of the quay.');
  await page.getByLabel('Where it appears on Stagedoor').fill('https://elsewhere.example/post/1');
  await page.getByLabel('Your name').fill('Bea');
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(`claim-${maker.username}@example.com`);
  await page.getByLabel('Postal address').fill('1 Example Street');
  await page.getByLabel('Telephone').fill('+1 555 0100');
  await page.getByLabel('Signature').fill('Bea');
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Submit notice' }).click();
  await expect(page.getByText('isn’t a Stagedoor link.')).toBeVisible();
  await page.getByLabel('Where it appears on Stagedoor').fill(`/post/${id}`);
  await page.getByRole('button', { name: 'Submit notice' }).click();
  await expect(page.getByRole('heading', { name: 'Notice received' })).toBeVisible();

  const desk = await sitDown(account, 'moderator', `/admin/cases?q=${maker.username}`);
  await desk
    .getByRole('link', { name: /Copyright notice about a post/ })
    .first()
    .click();
  await expect(desk.getByText('0 notices upheld within 12 months.', { exact: false })).toBeVisible();
  await desk.getByRole('heading', { level: 1 }).press('r');
  await desk.getByLabel('Reason').fill('The same photograph.');
  await expectAccessibleIn(desk, 'light');
  await desk.getByRole('button', { name: 'Remove with all copies' }).click();
  await expect(desk.getByText('This was decided.')).toBeVisible();

  const own = maker.page;
  await expect.poll(() => counterLinks(maker.email)).toHaveLength(1);
  const [first = ''] = await counterLinks(maker.email);
  await own.goto(first);
  await expect(own).toHaveURL(/\/creator\/helpdesk#decisions$/);
  await hydrated(own);
  await own.getByRole('button', { name: 'Send a counter-notice' }).click();
  const form = own.getByRole('form', { name: 'Counter-notice' });
  await form.getByRole('button', { name: 'Submit counter-notice' }).click();
  await expect(form.getByText('Confirm that it was a mistake')).toBeVisible();
  await expectAccessibleIn(own, 'light');
  await form.getByLabel('Why was this a mistake?').fill('I took it myself.');
  await form.getByLabel('Your full name').fill('Ana');
  await form.getByLabel('Postal address').fill('2 Example Street');
  await form.getByLabel('Telephone').fill('+1 555 0101');
  await form.getByLabel('Signature').fill('Ana');
  for (const box of await form.getByRole('checkbox').all()) await box.check();
  await form.getByRole('button', { name: 'Submit counter-notice' }).click();
  await expect(
    own.getByText(/was forwarded\. Unless they file a court action, your content will be restored between/),
  ).toBeVisible();
  await expect(form).toBeHidden();

  const other = await publish(maker.context, { caption: 'The quay by day' });
  const { cases } = await callApi<Received>(context, 'POST', '/public/copyright-notices', {
    ...{ name: 'Bea', email: `claim-${maker.username}@example.com`, address: '1 Example Street' },
    ...{ telephone: '+1 555 0100', signature: 'Bea', work: 'My photograph.', places: `/post/${other}` },
    ...{ isGoodFaith: true, isAccurate: true },
  });
  const found = await callApi<{ data: { id: string }[] }>(
    account.context,
    'GET',
    `/admin/cases?q=${cases[0]?.reference}`,
  );
  await callApi(account.context, 'POST', `/admin/cases/${found.data[0]?.id}/decision`, {
    act: 'remove',
    ground: 'The same photograph.',
  });
  await expect.poll(() => counterLinks(maker.email)).toHaveLength(2);
  const link = (await counterLinks(maker.email)).find((one) => one !== first) ?? '';
  await blockAccount(maker.username);
  const blocked = (await open({ width: 390, hasScript: false })).page;
  expect(await (await blocked.request.get('/dmca/counter?of=x')).text()).toContain('This link is incomplete.');
  await blocked.goto(link);
  for (const label of ['Why was this a mistake?', 'Your full name', 'Postal address', 'Signature'])
    await blocked.getByLabel(label).fill('Ana');
  await blocked.getByLabel('Telephone').fill('not one');
  for (const box of await blocked.getByRole('checkbox').all()) await box.check();
  await blocked.getByRole('button', { name: 'Submit counter-notice' }).click();
  await expect(blocked.getByText('Enter your phone number with the country code')).toBeVisible();
  await expect(blocked.getByLabel('Your full name')).toHaveValue('Ana');
  await blocked.getByLabel('Telephone').fill('+1 555 0101');
  for (const box of await blocked.getByRole('checkbox').all()) await box.check();
  await blocked.getByRole('button', { name: 'Submit counter-notice' }).click();
  await expect(blocked.getByRole('heading', { name: 'Counter-notice sent' })).toBeVisible();
});

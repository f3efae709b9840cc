import { logInAsOperator } from './support/admin.ts';
import { blockAccount } from './support/database.ts';
import { callApi, expect, expectAccessibleIn, getBaseUrl, test, waitForHydration } from './support/fixtures.ts';
import { publishPictures } from './support/money.ts';

type NoticeReceipt = { cases: { reference: string }[] };

/** The links to the counter-notice form in the mails to an address. */
async function counterLinks(email: string): Promise<string[]> {
  const response = await fetch(`${getBaseUrl()}/api/dev/mailbox?to=${encodeURIComponent(email)}`);
  const { data } = (await response.json()) as { data: { links: string[] }[] };
  return [...new Set(data.flatMap(({ links }) => links.filter((link) => link.includes('/dmca/counter'))))];
}

test('a copyright notice takes a post down, and its creator replies below the decision, or by the mailed link when blocked', async ({
  open,
  createUser,
}) => {
  const [account, creator] = [await createUser('customer'), await createUser('creator', { isPhone: true })];
  const id = await publishPictures(creator.context, { caption: 'The quay at night' });
  const { page, context } = await open({ width: 390 });
  await page.goto('/dmca');
  await page.getByRole('link', { name: '/dmca/notice' }).first().click();
  await page.getByLabel('Your copyrighted work').fill('My photograph of the quay.');
  await page.getByLabel('Where it appears on Stagedoor').fill('https://elsewhere.example/post/1');
  await page.getByLabel('Your name').fill('Bea');
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(`claim-${creator.username}@example.com`);
  await page.getByLabel('Postal address').fill('1 Example Street');
  await page.getByLabel('Telephone').fill('+1 555 0100');
  await page.getByLabel('Signature').fill('Bea');
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Submit notice' }).click();
  await expect(page.getByText('isn’t a Stagedoor link.')).toBeVisible();
  await page.getByLabel('Where it appears on Stagedoor').fill(`/post/${id}`);
  await page.getByRole('button', { name: 'Submit notice' }).click();
  await expect(page.getByRole('heading', { name: 'Notice received' })).toBeVisible();

  const adminPage = await logInAsOperator(account, 'moderator', `/admin/cases?q=${creator.username}`);
  await adminPage
    .getByRole('link', { name: /Copyright notice about a post/ })
    .first()
    .click();
  await expect(adminPage.getByText('0 notices upheld within 12 months.', { exact: false })).toBeVisible();
  await adminPage.getByRole('heading', { level: 1 }).press('r');
  await adminPage.getByLabel('Reason').fill('The same photograph.');
  await expectAccessibleIn(adminPage, 'light');
  await adminPage.getByRole('button', { name: 'Remove with all copies' }).click();
  await expect(adminPage.getByText('This was decided.')).toBeVisible();

  const creatorPage = creator.page;
  await expect.poll(() => counterLinks(creator.email)).toHaveLength(1);
  const [first = ''] = await counterLinks(creator.email);
  await creatorPage.goto(first);
  await expect(creatorPage).toHaveURL(/\/creator\/helpdesk#decisions$/);
  await waitForHydration(creatorPage);
  await creatorPage.getByRole('button', { name: 'Send a counter-notice' }).click();
  const form = creatorPage.getByRole('form', { name: 'Counter-notice' });
  await form.getByRole('button', { name: 'Submit counter-notice' }).click();
  await expect(form.getByText('Confirm that it was a mistake')).toBeVisible();
  await expectAccessibleIn(creatorPage, 'light');
  await form.getByLabel('Why was this a mistake?').fill('I took it myself.');
  await form.getByLabel('Your full name').fill('Ana');
  await form.getByLabel('Postal address').fill('2 Example Street');
  await form.getByLabel('Telephone').fill('+1 555 0101');
  await form.getByLabel('Signature').fill('Ana');
  for (const box of await form.getByRole('checkbox').all()) await box.check();
  await form.getByRole('button', { name: 'Submit counter-notice' }).click();
  await expect(
    creatorPage.getByText(/was forwarded\. Unless they file a court action, your content will be restored between/),
  ).toBeVisible();
  await expect(form).toBeHidden();

  const otherPostId = await publishPictures(creator.context, { caption: 'The quay by day' });
  const { cases } = await callApi<NoticeReceipt>(context, 'POST', '/public/copyright-notices', {
    ...{ name: 'Bea', email: `claim-${creator.username}@example.com`, address: '1 Example Street' },
    ...{ telephone: '+1 555 0100', signature: 'Bea', work: 'My photograph.', urls: `/post/${otherPostId}` },
    ...{ isGoodFaith: true, isAccurate: true },
  });
  const listed = await callApi<{ data: { id: string }[] }>(
    account.context,
    'GET',
    `/admin/cases?q=${cases[0]?.reference}`,
  );
  await callApi(account.context, 'POST', `/admin/cases/${listed.data[0]?.id}/decision`, {
    action: 'remove',
    reason: 'The same photograph.',
  });
  await expect.poll(() => counterLinks(creator.email)).toHaveLength(2);
  const link = (await counterLinks(creator.email)).find((one) => one !== first) ?? '';
  await blockAccount(creator.username);
  const blockedPage = (await open({ width: 390, hasScript: false })).page;
  expect(await (await blockedPage.request.get('/dmca/counter?token=x')).text()).toContain('This link is incomplete.');
  await blockedPage.goto(link);
  for (const label of ['Why was this a mistake?', 'Your full name', 'Postal address', 'Signature'])
    await blockedPage.getByLabel(label).fill('Ana');
  await blockedPage.getByLabel('Telephone').fill('not one');
  for (const box of await blockedPage.getByRole('checkbox').all()) await box.check();
  await blockedPage.getByRole('button', { name: 'Submit counter-notice' }).click();
  await expect(blockedPage.getByText('Enter your phone number with the country code')).toBeVisible();
  await expect(blockedPage.getByLabel('Your full name')).toHaveValue('Ana');
  await blockedPage.getByLabel('Telephone').fill('+1 555 0101');
  for (const box of await blockedPage.getByRole('checkbox').all()) await box.check();
  await blockedPage.getByRole('button', { name: 'Submit counter-notice' }).click();
  await expect(blockedPage.getByRole('heading', { name: 'Counter-notice sent' })).toBeVisible();
});

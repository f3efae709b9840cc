import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { logInAsOperator, openCasePage } from './support/admin.ts';
import {
  callApi,
  expect,
  expectAccessible,
  expectAccessibleIn,
  getBaseUrl,
  test,
  waitForHydration,
} from './support/fixtures.ts';

function makePng(width: number, height: number, background: string): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

async function openReport(page: Page): Promise<void> {
  await page.locator('summary[aria-label="Share"]').click();
  await page.getByRole('button', { name: 'Report this profile' }).click();
}

test('a reported profile is shown as it was, its picture is removed, and another operator decides the appeal', async ({
  createUser,
}) => {
  const [fan, creator] = [await createUser('customer'), await createUser('creator')];
  const [adminPage, second] = [
    await logInAsOperator(await createUser('customer'), 'moderator'),
    await logInAsOperator(await createUser('customer'), 'moderator'),
  ];
  const changeAvatar = async (colour: string) => {
    const file = { name: 'me.png', mimeType: 'image/png', buffer: await makePng(400, 400, colour) };
    await creator.context.request.post(`${getBaseUrl()}/api/creator/profile/avatar`, { multipart: { file } });
  };
  await changeAvatar('#a33');
  const { page } = fan;
  await page.goto(`/profile/${creator.username}`);
  await waitForHydration(page);
  await openReport(page);
  const dialog = page.getByRole('dialog', { name: 'Submit report with details' });
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(dialog.getByText('Please enter message')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Message').fill('That is my face.');
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText(/we’ll review it\. Reference: SD-/)).toBeVisible();
  await expect(dialog).toBeHidden();
  await changeAvatar('#3a3');

  await openCasePage(adminPage, creator.username, `Profile reported: @${creator.username}`);
  await expect(adminPage.getByText('That is my face.').first()).toBeVisible();
  const heading = adminPage.getByRole('heading', { level: 1 });
  await heading.press('a');
  await expect(adminPage.getByRole('button', { name: 'Unassign' })).toBeVisible();
  const pictures = adminPage.getByRole('img', { name: 'Picture', exact: true });
  await expect(pictures).toHaveCount(0);
  await heading.press('v');
  await expect(pictures).toHaveCount(2);
  for (const picture of await pictures.all())
    await expect.poll(() => picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth)).toBe(384);
  await expect(adminPage.getByRole('heading', { name: 'As it is now' })).toBeVisible();
  await heading.press('r');
  await adminPage.getByRole('checkbox', { name: 'photo' }).check();
  await adminPage.getByLabel('Reason').fill('It is somebody else’s face.');
  await expect(adminPage.getByText('Removed from your profile: photo.')).toBeVisible();
  await expectAccessible(adminPage);
  await adminPage.getByRole('button', { name: 'Remove', exact: true }).dblclick();
  await expect(adminPage.getByText('This was decided.')).toBeVisible();
  const { avatarUrl } = await callApi<{ avatarUrl: string | null }>(creator.context, 'GET', '/auth/user');
  expect(avatarUrl).toBeNull();

  await creator.page.goto('/creator/helpdesk');
  await waitForHydration(creator.page);
  await expect(creator.page.getByText('It is somebody else’s face.')).toBeVisible();
  await creator.page.getByRole('button', { name: 'Appeal' }).click();
  await creator.page.getByLabel('Why should we review this?').fill('It is my own face.');
  await expectAccessibleIn(creator.page, 'light');
  await creator.page.getByRole('button', { name: 'Submit appeal' }).click();
  await expect(creator.page.getByText(/is being reviewed by a different person/)).toBeVisible();
  await openCasePage(second, creator.username, 'Appeal:');
  await second.getByRole('heading', { level: 1 }).press('o');
  await second.getByLabel('Reason').fill('They showed their passport.');
  await second.getByRole('button', { name: 'Reverse' }).click();
  await expect(second.getByText('This was decided.')).toBeVisible();
  await creator.page.reload();
  await expect(creator.page.getByText(/^Reversed on/)).toBeVisible();
});

test('a user searches the help, sends a question with a picture, and settles it after a reply from a template', async ({
  createUser,
}) => {
  const fan = await createUser('customer', { isPhone: true });
  const adminPage = await logInAsOperator(await createUser('customer', { isPhone: true }), 'support');
  const { page } = fan;
  await page.goto('/fan/helpdesk?q=calls%20charged');
  await waitForHydration(page);
  await page.getByText('How are calls charged?').click();
  await expect(page.getByText('By the second, while you’re both connected.')).toBeVisible();
  await page.getByRole('link', { name: 'Contact support' }).click();
  await page.getByLabel('Topic').fill('A receipt');
  await page.getByLabel('Your message').tap();
  await page.keyboard.type('Where is it?');
  const dialogShown = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const warning = await dialogShown;
  expect(warning.type()).toBe('beforeunload');
  await warning.dismiss();
  const buffer = await makePng(200, 120, '#87796a');
  await page.getByLabel('Add photo').setInputFiles({ name: 'receipt.png', mimeType: 'image/png', buffer });
  await expect(page.getByRole('list', { name: 'Photos' })).toContainText('receipt.png');
  await page.getByRole('button', { name: 'Contact support' }).click();
  await expect(page).toHaveURL(/ticket=/);
  await expect(page.getByRole('img', { name: 'Attachment 1' })).toBeVisible();

  await openCasePage(adminPage, fan.username, 'A receipt');
  const reply = adminPage.getByLabel('Message to user');
  const title = `Receipts ${fan.username}`;
  const findSavedReply = async () => {
    const { data } = await callApi<{ data: { title: string; text: string }[] }>(
      adminPage.context(),
      'GET',
      '/admin/canned-responses',
    );
    return data.find((item) => item.title === title)?.text;
  };
  await reply.fill('In your wallet.');
  await adminPage.getByText('Save as template').tap();
  await adminPage.getByLabel('Template name').fill(title);
  await adminPage.getByRole('button', { name: 'Save template' }).tap();
  await expect(adminPage.getByText(`Edit or delete “${title}”`)).toBeVisible();
  await reply.fill('In your wallet, under Transactions.');
  await expectAccessibleIn(adminPage, 'light');
  await adminPage.getByRole('button', { name: 'Update template' }).tap();
  await expect(adminPage.getByText('Template updated.')).toBeVisible();
  expect(await findSavedReply()).toBe('In your wallet, under Transactions.');
  await adminPage.getByRole('button', { name: 'Delete template' }).tap();
  await expect(adminPage.getByText('Save as template')).toBeVisible();
  expect(await findSavedReply()).toBeUndefined();
  await adminPage.getByRole('button', { name: 'Undo' }).tap();
  await expect(adminPage.getByText('Template restored.')).toBeVisible();
  expect(await findSavedReply()).toBe('In your wallet, under Transactions.');
  await adminPage.getByRole('button', { name: 'Reply', exact: true }).tap();
  await expect(adminPage.getByText('Waiting for user').first()).toBeVisible();

  await page.reload();
  await waitForHydration(page);
  await expect(page.getByText('In your wallet, under Transactions.')).toBeVisible();
  await page.getByRole('button', { name: 'Mark as resolved' }).click();
  await expect(page.getByText('Closed', { exact: true })).toBeVisible();
});

test('a complaint works without an account and is tracked by its number', async ({ open, createApiUser }) => {
  const { context: moderator } = await createApiUser('customer', { roles: ['moderator'] });
  const { page } = await open({ width: 390 });
  await page.goto('/profile/demo.creator');
  await page.locator('summary[aria-label="Share"]').click();
  await page.getByRole('link', { name: 'Report this profile' }).click();
  await expect(page.getByLabel('URL or location')).toHaveValue('/profile/demo.creator');
  await page.getByLabel('What’s wrong?').fill('It shows me.');
  await page.getByLabel('Your name').fill('Bea');
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('bea@example.com');
  await page.getByRole('button', { name: 'Submit complaint' }).click();
  await expect(page.getByText('Confirm that you’re submitting this in good faith')).toBeVisible();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Submit complaint' }).click();
  await expect(page.getByRole('heading', { name: 'Complaint received' })).toBeVisible();
  const reference = (await page.getByText(/^SD-\w{4}-\w{4}$/).textContent()) ?? '';

  const { data } = await callApi<{ data: { id: string }[] }>(moderator, 'GET', `/admin/cases?q=${reference}`);
  const reply = { text: 'It was taken down.', isClosing: true };
  await callApi(moderator, 'POST', `/admin/cases/${data[0]?.id}/replies`, reply);
  await page.goto('/complaints');
  await page.getByLabel('Reference number').fill(reference.toLowerCase());
  await page.getByLabel('Email you used').fill('bea@example.com');
  await page.getByRole('button', { name: 'Check status' }).click();
  await expect(page.getByText('It was taken down.')).toBeVisible();
});

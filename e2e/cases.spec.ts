import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { openCase, sitDown } from './support/desk.ts';
import { baseUrl, callApi, expect, expectAccessible, expectAccessibleIn, hydrated, test } from './support/fixtures.ts';

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
  person,
}) => {
  const [fan, maker] = [await person('customer'), await person('creator')];
  const [desk, second] = [
    await sitDown(await person('customer'), 'moderator'),
    await sitDown(await person('customer'), 'moderator'),
  ];
  const changeAvatar = async (colour: string) => {
    const file = { name: 'me.png', mimeType: 'image/png', buffer: await makePng(400, 400, colour) };
    await maker.context.request.post(`${baseUrl()}/api/creator/profile/avatar`, { multipart: { file } });
  };
  await changeAvatar('#a33');
  const { page } = fan;
  await page.goto(`/profile/${maker.username}`);
  await hydrated(page);
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

  await openCase(desk, maker.username, `Profile reported: @${maker.username}`);
  await expect(desk.getByText('That is my face.').first()).toBeVisible();
  const head = desk.getByRole('heading', { level: 1 });
  await head.press('a');
  await expect(desk.getByRole('button', { name: 'Unassign' })).toBeVisible();
  const pictures = desk.getByRole('img', { name: 'Picture', exact: true });
  await expect(pictures).toHaveCount(0);
  await head.press('v');
  await expect(pictures).toHaveCount(2);
  for (const picture of await pictures.all())
    await expect.poll(() => picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth)).toBe(384);
  await expect(desk.getByRole('heading', { name: 'As it is now' })).toBeVisible();
  await head.press('r');
  await desk.getByRole('checkbox', { name: 'photo' }).check();
  await desk.getByLabel('Reason').fill('It is somebody else’s face.');
  await expect(desk.getByText('Removed from your profile: photo.')).toBeVisible();
  await expectAccessible(desk);
  await desk.getByRole('button', { name: 'Remove', exact: true }).dblclick();
  await expect(desk.getByText('This was decided.')).toBeVisible();
  const { avatarUrl } = await callApi<{ avatarUrl: string | null }>(maker.context, 'GET', '/auth/user');
  expect(avatarUrl).toBeNull();

  await maker.page.goto('/creator/helpdesk');
  await hydrated(maker.page);
  await expect(maker.page.getByText('It is somebody else’s face.')).toBeVisible();
  await maker.page.getByRole('button', { name: 'Appeal' }).click();
  await maker.page.getByLabel('Why should we review this?').fill('It is my own face.');
  await expectAccessibleIn(maker.page, 'light');
  await maker.page.getByRole('button', { name: 'Submit appeal' }).click();
  await expect(maker.page.getByText(/is being reviewed by a different person/)).toBeVisible();
  await openCase(second, maker.username, 'Appeal:');
  await second.getByRole('heading', { level: 1 }).press('o');
  await second.getByLabel('Reason').fill('They showed their passport.');
  await second.getByRole('button', { name: 'Reverse' }).click();
  await expect(second.getByText('This was decided.')).toBeVisible();
  await maker.page.reload();
  await expect(maker.page.getByText(/^Reversed on/)).toBeVisible();
});

test('a user searches the help, asks with a picture, and settles the question that support answers from a saved reply', async ({
  person,
}) => {
  const fan = await person('customer', { isPhone: true });
  const desk = await sitDown(await person('customer', { isPhone: true }), 'support');
  const { page } = fan;
  await page.goto('/fan/helpdesk?q=calls%20charged');
  await hydrated(page);
  await page.getByText('How are calls charged?').click();
  await expect(page.getByText('By the second, while you’re both connected.')).toBeVisible();
  await page.getByRole('link', { name: 'Contact support' }).click();
  await page.getByLabel('Topic').fill('A receipt');
  await page.getByLabel('Your message').tap();
  await page.keyboard.type('Where is it?');
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const warning = await asked;
  expect(warning.type()).toBe('beforeunload');
  await warning.dismiss();
  const buffer = await makePng(200, 120, '#87796a');
  await page.getByLabel('Add photo').setInputFiles({ name: 'receipt.png', mimeType: 'image/png', buffer });
  await expect(page.getByRole('list', { name: 'Photos' })).toContainText('receipt.png');
  await page.getByRole('button', { name: 'Contact support' }).click();
  await expect(page).toHaveURL(/ticket=/);
  await expect(page.getByRole('img', { name: 'Attachment 1' })).toBeVisible();

  await openCase(desk, fan.username, 'A receipt');
  const reply = desk.getByLabel('Message to user');
  const title = `Receipts ${fan.username}`;
  const saved = async () => {
    const { data } = await callApi<{ data: { title: string; text: string }[] }>(
      desk.context(),
      'GET',
      '/admin/saved-answers',
    );
    return data.find((answer) => answer.title === title)?.text;
  };
  await reply.fill('In your wallet.');
  await desk.getByText('Save as template').tap();
  await desk.getByLabel('Template name').fill(title);
  await desk.getByRole('button', { name: 'Save template' }).tap();
  await expect(desk.getByText(`Edit or delete “${title}”`)).toBeVisible();
  await reply.fill('In your wallet, under Transactions.');
  await expectAccessibleIn(desk, 'light');
  await desk.getByRole('button', { name: 'Update template' }).tap();
  await expect(desk.getByText('Template updated.')).toBeVisible();
  expect(await saved()).toBe('In your wallet, under Transactions.');
  await desk.getByRole('button', { name: 'Delete template' }).tap();
  await expect(desk.getByText('Save as template')).toBeVisible();
  expect(await saved()).toBeUndefined();
  await desk.getByRole('button', { name: 'Undo' }).tap();
  await expect(desk.getByText('Template restored.')).toBeVisible();
  expect(await saved()).toBe('In your wallet, under Transactions.');
  await desk.getByRole('button', { name: 'Reply', exact: true }).tap();
  await expect(desk.getByText('Waiting for user').first()).toBeVisible();

  await page.reload();
  await hydrated(page);
  await expect(page.getByText('In your wallet, under Transactions.')).toBeVisible();
  await page.getByRole('button', { name: 'Mark as resolved' }).click();
  await expect(page.getByText('Closed', { exact: true })).toBeVisible();
});

test('a complaint works without an account and is tracked by its number', async ({ open, apiUser }) => {
  const { context: desk } = await apiUser('customer', { roles: ['moderator'] });
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

  const { data } = await callApi<{ data: { id: string }[] }>(desk, 'GET', `/admin/cases?q=${reference}`);
  const answer = { text: 'It was taken down.', isClosing: true };
  await callApi(desk, 'POST', `/admin/cases/${data[0]?.id}/replies`, answer);
  await page.goto('/complaints');
  await page.getByLabel('Reference number').fill(reference.toLowerCase());
  await page.getByLabel('Email you used').fill('bea@example.com');
  await page.getByRole('button', { name: 'Check status' }).click();
  await expect(page.getByText('It was taken down.')).toBeVisible();
});

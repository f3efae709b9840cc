import type { Locator, Page } from '@playwright/test';
import type { CaseSummary } from '@stagedoor/contract/admin/cases.ts';
import type { CaseAction } from '@stagedoor/contract/trust/case-kinds.ts';
import sharp from 'sharp';
import { getBubbles, openThread, startConversation } from './support/chat.ts';
import {
  type ApiClient,
  callApi,
  expect,
  expectAccessible,
  PASSWORD,
  test,
  waitForHydration,
  waitForMail,
} from './support/fixtures.ts';
import { publishPictures } from './support/money.ts';

test.use({ isSavingData: false });

async function submitDelayed(page: Page, dialog: Locator, path: string): Promise<void> {
  let [sent, release] = [0, () => {}];
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/api${path}`, async (route) => {
    sent += 1;
    await released;
    await route.continue();
  });
  const button = dialog.locator('button[type="submit"]');
  await button.tap();
  await expect(button).toHaveAccessibleName('Submitting...');
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await button.tap({ force: true });
  await button.press('Enter');
  release();
  await expect(dialog).toBeHidden();
  await page.unroute(`**/api${path}`);
  expect(sent).toBe(1);
}

/** The open cases of a user or an address. */
async function listCases(moderator: ApiClient, q: string): Promise<CaseSummary[]> {
  return (await callApi<{ data: CaseSummary[] }>(moderator, 'GET', `/admin/cases?q=${q}`)).data;
}

async function decide(
  moderator: ApiClient,
  target: CaseSummary | undefined,
  action: CaseAction,
  reason: string,
): Promise<void> {
  await callApi(moderator, 'POST', `/admin/cases/${target?.id}/decision`, { action, reason });
}

test('a message without an account is sent once, also after a reload, and its author replies by the link in the mail, without script', async ({
  open,
  createApiUser,
}) => {
  const moderator = await createApiUser('customer', { roles: ['moderator'] });
  const { page } = await open({ isPhone: true, hasScript: false });
  const email = `bea.${Date.now()}@example.com`;
  await page.goto('/contact-us');
  const form = page.getByRole('form', { name: 'Message' });
  await form.getByLabel('Name').fill('Bea');
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Details').fill('Which of my pictures is it?');
  await form.getByRole('button', { name: 'Submit' }).tap();
  const confirmation = page.getByText(/we’ve received your message\. Reference: SD-/);
  const text = (await confirmation.textContent()) ?? '';
  await page.reload();
  await expect(confirmation).toHaveText(text);
  await expect(page.locator('#status').getByLabel('Reference number')).toHaveValue(
    /SD-\w{4}-\w{4}/.exec(text)?.[0] ?? '',
  );
  const cases = await listCases(moderator.context, email);
  expect(cases.map(({ title }) => title)).toEqual(['Message from Bea']);

  const question = { text: 'Which address is it at?', isClosing: false };
  await callApi(moderator.context, 'POST', `/admin/cases/${cases[0]?.id}/replies`, question);
  const { links } = await waitForMail(email, /^About SD-/);
  await page.goto(links[0] ?? '');
  const status = page.getByRole('region', { name: 'Check request status' });
  await expect(status.getByLabel('Reference number')).toHaveValue(/^SD-/);
  await status.getByLabel('Email you used').fill('eve@example.com');
  await status.getByRole('button', { name: 'Check status' }).tap();
  await expect(status.getByText('No case found with this reference and email.')).toBeVisible();
  await status.getByLabel('Email you used').fill(email);
  await status.getByRole('button', { name: 'Check status' }).tap();
  await expect(status.getByText('Waiting for your reply')).toBeVisible();
  await expect(status.getByText('Which address is it at?')).toBeVisible();
  await status.getByRole('button', { name: 'Send' }).tap();
  await expect(status.getByText('Please enter message')).toBeVisible();
  await status.getByLabel('Your reply').fill('At the first one of the profile.');
  await status.getByRole('button', { name: 'Send' }).tap();
  await expect(status.getByText('Thanks, we’ll reply by email.')).toBeVisible();
  await expect(status.getByText('In review')).toBeVisible();
});

test('a blocked creator reads the reason at the log-in, whatever page they open, and appeals there with a picture', async ({
  createUser,
  createApiUser,
}) => {
  const creator = await createUser('creator', { isPhone: true });
  const [fan, moderator] = [await createApiUser('customer'), await createApiUser('customer', { roles: ['moderator'] })];
  const report = { reportUserId: creator.id, type: 'profile', typeId: creator.id, message: 'They sell what is mine.' };
  await callApi(fan.context, 'POST', '/report/submit-report', report);
  const [reported] = await listCases(moderator.context, creator.username);
  await decide(moderator.context, reported, 'block', 'Rule 4: someone else’s work.');

  const { page } = creator;
  await page.goto('/creator/earning');
  await expect(page).toHaveURL(/\/login\?/);
  await waitForHydration(page);
  await page.getByLabel('Username or email').fill(creator.username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Contact us' });
  await expect(dialog).toContainText('Please provide below details for further process your account');
  await expect(dialog).toContainText('Your account is permanently blocked.');
  await expect(dialog).toContainText('Rule 4: someone else’s work.');
  await expect(dialog).toContainText('If you think this is a mistake, contact us.');
  await dialog.getByRole('button', { name: 'Submit' }).tap();
  for (const text of ['Please enter name', 'Please enter email', 'Please enter details'])
    await expect(dialog.getByText(text)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Name').fill('Mirele');
  await dialog.getByLabel('Email').fill('another.address@example.org');
  await dialog.getByLabel('Details').fill('I have the negatives.');
  const png = await sharp({ create: { width: 200, height: 120, channels: 3, background: '#87796a' } })
    .png()
    .toBuffer();
  await dialog.getByLabel('Add photo').setInputFiles({ name: 'negative.png', mimeType: 'image/png', buffer: png });
  await expect(dialog.getByRole('list', { name: 'Photos' })).toContainText('negative.png');
  await dialog.getByRole('button', { name: 'Submit' }).tap();
  await expect(page.getByText(/we’ve received your message\. Reference: SD-/)).toBeVisible();
  const [appeal] = await listCases(moderator.context, creator.username);
  expect(appeal?.title).toBe('Appeal: Your account is permanently blocked.');
  expect(await callApi(moderator.context, 'GET', `/admin/cases/${appeal?.id}`)).toMatchObject({
    isUnverified: false,
    entries: [{ text: 'I have the negatives.', pictures: [{ width: 200, height: 120 }] }],
  });
});

test('a creator reports a message and a fan from the chat, and requests a second look at a dismissed report', async ({
  createUser,
  createApiUser,
}) => {
  const creator = await createUser('creator', { isPhone: true });
  const [fan, moderator] = [await createApiUser('customer'), await createApiUser('customer', { roles: ['moderator'] })];
  const conversationId = await startConversation(fan, creator, 'Where do you live?');
  const { page } = creator;
  const dialog = page.getByRole('dialog', { name: 'Submit report with details' });
  const submit = async (message: string) => {
    await dialog.getByLabel('Message').fill(message);
    await dialog.getByRole('button', { name: 'Submit' }).tap();
    await expect(dialog).toBeHidden();
  };
  await openThread(page, 'creator', conversationId);
  await waitForHydration(page);
  const message = getBubbles(page).filter({ hasText: 'Where do you live?' });
  await message.tap();
  await message.getByRole('button', { name: 'Message actions' }).tap();
  await page.getByRole('menuitem', { name: 'Report' }).tap();
  await submit('This is what they ask.');
  await expect(page.getByText(/we’ll review it\. Reference: SD-/)).toBeVisible();
  await page.getByRole('button', { name: 'Details' }).tap();
  await page.getByRole('button', { name: `Report ${fan.username}` }).tap();
  await submit('They ask where I live.');
  const cases = await listCases(moderator.context, fan.username);
  const profile = cases.find(({ title }) => title === `Profile reported: @${fan.username}`);
  expect(cases.some(({ title }) => title.startsWith('Message reported'))).toBe(true);
  await decide(moderator.context, profile, 'dismiss', 'A question, and no more.');

  await page.goto('/creator/helpdesk');
  await waitForHydration(page);
  const reports = page.getByRole('region', { name: 'Your reports' });
  await expect(reports).toContainText('We reviewed it and it doesn’t break our rules.');
  await reports.getByRole('button', { name: 'Request second review' }).tap();
  await reports.getByLabel('Why should we review this?').fill('They asked eleven times.');
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);
  await reports.getByRole('button', { name: 'Send' }).tap();
  await expect(reports).toContainText('Second review requested: SD-');
});

test('a post is reported once however often the button is pressed, and the contact form knows the address of a logged-in fan', async ({
  createUser,
  createApiUser,
}) => {
  const [creator, fan] = [await createApiUser('creator'), await createUser('customer', { isPhone: true })];
  const id = await publishPictures(creator.context, { caption: 'The pier', priceUsd: 0, pictures: 1 });
  const { page } = fan;
  const dialog = page.getByRole('dialog', { name: 'Submit report with details' });
  const openReport = async () => {
    await page.locator('main summary[aria-label="Share"]').first().tap();
    await page.getByRole('button', { name: 'Report this post' }).tap();
    await expect(dialog.getByLabel('Message')).toHaveValue('');
  };
  await page.goto(`/post/${id}`);
  await waitForHydration(page);
  await openReport();
  await dialog.getByRole('button', { name: 'Submit' }).tap();
  await expect(dialog.getByText('Please enter message')).toBeVisible();
  await dialog.getByLabel('Message').fill('This is my picture.');
  await submitDelayed(page, dialog, '/report/submit-report');
  await expect(page.getByText(/we’ll review it\. Reference: SD-/)).toBeVisible();
  await openReport();

  const contact = await (await fan.context.request.get('/contact-us')).text();
  expect(contact).toContain(`value="${fan.email}"`);

  // Without the log-in cookie the dialog closes and names the reason (row J2).
  await dialog.getByLabel('Message').fill('And this one.');
  await fan.context.clearCookies({ name: 'loggedIn' });
  await dialog.getByRole('button', { name: 'Submit' }).tap();
  await expect(page.getByText('Required data not found.')).toBeVisible();
  await expect(dialog).toBeHidden();
});

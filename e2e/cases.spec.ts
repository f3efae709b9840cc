import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { openCase, sitDown } from './support/desk.ts';
import { callApi, expect, expectAccessible, hydrated, logIn, test } from './support/fixtures.ts';

const CREATOR = 'demo.creator';

async function openReport(page: Page): Promise<void> {
  await page.locator('summary[aria-label="Share"]').click();
  await page.getByRole('button', { name: 'Report this profile' }).click();
}

test('a reported profile leads to a warning and notifications, and the appeal is assigned to another operator', async ({
  person,
}) => {
  const [fan, other] = [await person('customer'), await person('customer', { isPhone: true })];
  const [desk, second] = [
    await sitDown(await person('customer'), 'moderator'),
    await sitDown(await person('customer'), 'moderator'),
  ];
  const page = fan.page;
  await page.goto(`/profile/${CREATOR}`);
  await hydrated(page);
  await openReport(page);
  const dialog = page.getByRole('dialog', { name: 'Submit report with details' });
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(dialog.getByText('Please enter message')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Message').fill('This is not their own work.');
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText(/We look at it; its number is SD-/)).toBeVisible();
  await expect(dialog).toBeHidden();
  await other.page.goto(`/profile/${CREATOR}`);
  await hydrated(other.page);
  await openReport(other.page);
  const orphan = other.page.getByRole('dialog', { name: 'Submit report with details' });
  await orphan.getByLabel('Message').fill('Hello');
  await other.context.clearCookies({ name: 'loggedIn' });
  await orphan.getByRole('button', { name: 'Submit' }).click();
  await expect(other.page.getByText('Required data not found.')).toBeVisible();
  await expect(orphan).toBeHidden();

  // Other tests use the demo accounts, so this one creates its own.
  const maker = await person('creator');
  const { id } = maker;
  const body = { reportUserId: id, type: 'profile', typeId: id, message: 'They sell what is mine.' };
  await callApi(fan.context, 'POST', '/report/submit-report', body);
  await openCase(desk, maker.username, `Profile reported: @${maker.username}`);
  await expect(desk.getByText('They sell what is mine.').first()).toBeVisible();
  const head = desk.getByRole('heading', { level: 1 });
  await head.press('a');
  await expect(desk.getByRole('button', { name: 'Yours: lay it back' })).toBeVisible();
  await head.press('w');
  await desk.getByLabel('Ground').fill('Rule 4: someone else’s work.');
  await expect(desk.getByText('This is a warning about your account.')).toBeVisible();
  await expectAccessible(desk);
  await desk.getByRole('button', { name: 'Warn', exact: true }).dblclick();
  await expect(desk.getByText('This was decided.')).toBeVisible();

  await maker.page.goto('/creator/helpdesk');
  await hydrated(maker.page);
  await expect(maker.page.getByText('Rule 4: someone else’s work.')).toBeVisible();
  await maker.page.getByRole('button', { name: 'Appeal' }).click();
  await maker.page.getByLabel('Why it is wrong').fill('I made it myself.');
  await expectAccessible(maker.page);
  await maker.page.getByRole('button', { name: 'Send the appeal' }).click();
  await expect(maker.page.getByText(/is being looked at by somebody else/)).toBeVisible();

  await openCase(desk, maker.username, 'Appeal:');
  await expect(desk.getByText('You took the decision that this is against: somebody else decides.')).toBeVisible();
  await expect(desk.getByRole('radio')).toHaveCount(0);
  await openCase(second, maker.username, 'Appeal:');
  await second.getByRole('heading', { level: 1 }).press('o');
  await second.getByLabel('Ground').fill('They showed the negatives.');
  await second.getByRole('button', { name: 'Take it back' }).click();
  await expect(second.getByText('This was decided.')).toBeVisible();
  await maker.page.reload();
  await hydrated(maker.page);
  await expect(maker.page.getByText(/^Taken back on/)).toBeVisible();
  await maker.page.goto('/creator/notifications');
  await expect(maker.page.getByText('A decision about you was taken back').first()).toBeVisible();
});

test('a question survives the end of its session and is sent after a log-in in another tab', async ({
  person,
  open,
}) => {
  const { page, context, username } = await person('customer', { isPhone: true });
  await page.goto('/fan/helpdesk?tab=new');
  await hydrated(page);
  await page.getByLabel('What it is about').tap();
  await page.keyboard.type('A deposit');
  await page.getByLabel('Your question').tap();
  await page.keyboard.type('It was taken twice.');
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await page.getByRole('link', { name: 'Your tickets' }).tap();
  await page.getByRole('dialog', { name: 'Leave without sending?' }).getByRole('button', { name: 'Stay' }).tap();

  const other = await open();
  await logIn(other.context, username);
  expect((await other.context.request.post('/api/auth/sessions/revoke-others')).ok()).toBe(true);
  await expect(page.getByText('Your session has ended. Log in again in another tab', { exact: false })).toBeVisible();
  await logIn(context, username);
  await page.getByRole('button', { name: 'Ask us' }).tap();
  await expect(page).toHaveURL(/ticket=/);
  await expect(page.getByRole('list', { name: 'What was said' })).toContainText('It was taken twice.');
});

test('a user searches the help, asks with a picture, and gets a reply that settles the question', async ({
  person,
}) => {
  const fan = await person('customer', { isPhone: true });
  const desk = await sitDown(await person('customer'), 'support');
  const page = fan.page;
  await page.goto('/fan/helpdesk?q=call%20charged');
  await hydrated(page);
  await page.getByText('How is a call charged?').click();
  await expect(page.getByText('By the second, while both of you are connected.')).toBeVisible();
  await page.getByRole('link', { name: 'Ask us' }).click();
  await page.getByLabel('What it is about').fill('A receipt');
  await page.getByLabel('Your question').fill('Where is it?');
  const png = await sharp({ create: { width: 200, height: 120, channels: 3, background: '#87796a' } })
    .png()
    .toBuffer();
  await page.getByLabel('Add a picture').setInputFiles({ name: 'receipt.png', mimeType: 'image/png', buffer: png });
  await expect(page.getByRole('list', { name: 'Pictures' })).toContainText('receipt.png');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Ask us' }).click();
  await expect(page).toHaveURL(/ticket=/);
  await expect(page.getByRole('img', { name: 'Sent along, 1' })).toBeVisible();
  await openCase(desk, fan.username, 'A receipt');
  await desk.getByLabel('What they read').fill('In your wallet, under Transactions.');
  await desk.getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(desk.getByText('Waits for them').first()).toBeVisible();
  await page.reload();
  await hydrated(page);
  await expect(page.getByText('In your wallet, under Transactions.')).toBeVisible();
  await page.getByRole('button', { name: 'It is settled' }).click();
  await expect(page.getByText('Settled', { exact: true })).toBeVisible();
});

test('a complaint works without an account or script and is tracked by its number', async ({ open, person }) => {
  const desk = await sitDown(await person('customer'), 'moderator');
  const { page } = await open({ width: 390 });
  await page.goto(`/profile/${CREATOR}`);
  await page.locator('summary[aria-label="Share"]').click();
  await page.getByRole('link', { name: 'Report this profile' }).click();
  await expect(page.getByLabel('Where it is')).toHaveValue(`/profile/${CREATOR}`);
  await page.getByLabel('What is wrong').fill('It shows me.');
  await page.getByLabel('Your name').fill('Bea');
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('bea@example.com');
  await page.getByRole('button', { name: 'Send the complaint' }).click();
  await expect(page.getByText('Please confirm that you say this in good faith')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Send the complaint' }).click();
  await expect(page.getByRole('heading', { name: 'We have your complaint.' })).toBeVisible();
  const reference = (await page.getByText(/^SD-\w{4}-\w{4}$/).textContent()) ?? '';
  await openCase(desk, 'bea@example.com', 'Complaint about a profile');
  await desk.getByLabel('What they read').fill('It was taken down.');
  await desk.getByRole('button', { name: 'Answer and close' }).first().click();
  await expect(desk.getByText('This was decided.')).toBeVisible();
  await page.goto('/complaints');
  await page.getByLabel('Number').fill(reference.toLowerCase());
  await page.getByLabel('Email of the complaint').fill('bea@example.com');
  await page.getByRole('button', { name: 'See how it stands' }).click();
  await expect(page.getByText('It was taken down.')).toBeVisible();

  await page.goto('/contact-us');
  const pressed = await page.evaluate(() => {
    const button = document.querySelector<HTMLElement>('main [type=submit]');
    const sent: boolean[] = [];
    addEventListener('submit', (event) => sent.push(!event.defaultPrevented));
    button?.click();
    const says = button?.querySelector('[aria-hidden="false"]')?.textContent;
    button?.click();
    return { says, isBusy: button?.ariaBusy, sent };
  });
  expect(pressed).toEqual({ says: 'Submitting...', isBusy: 'true', sent: [true, false] });
  for (const words of ['Please enter name', 'Please enter email', 'Please enter details'])
    await expect(page.getByText(words)).toBeVisible();
});

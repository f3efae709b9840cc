import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { bubbles, converse, idOf, openThread } from './support/chat.ts';
import { openCase, sitDown } from './support/desk.ts';
import { callApi, expect, expectAccessible, hydrated, logIn, mailTo, PASSWORD, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

test.use({ isSavingData: false });

async function submitHeld(page: Page, dialog: Locator, path: string): Promise<void> {
  let [sent, release] = [0, () => {}];
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/api${path}`, async (route) => {
    sent += 1;
    await held;
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

const answerAt = async (desk: Page, text: string) => {
  await desk.getByLabel('What they read').fill(text);
  await desk.getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(desk.getByText('Waits for them').first()).toBeVisible();
};

test('a reader without an account replies to a question by the link in the mail, without script', async ({
  open,
  person,
}) => {
  const desk = await sitDown(await person('customer'), 'moderator');
  const { page } = await open({ isPhone: true, hasScript: false });
  const email = `bea.${Date.now()}@example.com`;
  await page.goto('/contact-us');
  const letter = page.getByRole('form', { name: 'Message' });
  await letter.getByLabel('Name').fill('Bea');
  await letter.getByLabel('Email').fill(email);
  await letter.getByLabel('Details').fill('Which of my pictures is it?');
  await letter.getByRole('button', { name: 'Submit' }).tap();
  await expect(page.getByText(/We have your message; its number is SD-/)).toBeVisible();

  await openCase(desk, email, 'Message from Bea');
  await answerAt(desk, 'Which address is it at?');
  const { links } = await mailTo(email, /^About SD-/);
  await page.goto(links[0] ?? '');
  const status = page.getByRole('region', { name: 'How your message stands' });
  await expect(status.getByLabel('Number')).toHaveValue(/^SD-/);
  await status.getByLabel('Email of the message').fill('eve@example.com');
  await status.getByRole('button', { name: 'See how it stands' }).tap();
  await expect(status.getByText('There is nothing with this number from this address.')).toBeVisible();
  await status.getByLabel('Email of the message').fill(email);
  await status.getByRole('button', { name: 'See how it stands' }).tap();
  await expect(status.getByText('Answered: it waits for you')).toBeVisible();
  await expect(status.getByText('Which address is it at?')).toBeVisible();
  await status.getByRole('button', { name: 'Send' }).tap();
  await expect(status.getByText('Please enter message')).toBeVisible();
  await status.getByLabel('Your answer').fill('At the first one of the profile.');
  await status.getByRole('button', { name: 'Send' }).tap();
  await expect(status.getByText('Thank you. We have it, and answer by mail.')).toBeVisible();
  await expect(status.getByText('We are looking at it')).toBeVisible();
});

test('reloading a sent form shows its number and sends nothing', async ({ open, person }) => {
  const id = await publish((await person('creator')).context, { caption: 'The pier', priceUsd: 0, pictures: 1 });
  const email = `ola.${Date.now()}@example.com`;
  const { page } = await open({ isPhone: true, hasScript: false });
  const write = async (path: string, fields: Record<string, string>, send: string) => {
    await page.goto(path);
    const form = page.getByRole('main').getByRole('form').first();
    for (const [label, words] of Object.entries(fields)) await form.getByLabel(label).fill(words);
    for (const box of await form.getByRole('checkbox').all()) await box.check();
    await form.getByRole('button', { name: send }).tap();
    const number = page.getByText(/^(Thank you\. .+ )?SD-\w{4}-\w{4}\.?$/);
    const said = await number.textContent();
    await page.reload();
    await expect(number).toHaveText(said ?? '');
    await expect(page.locator('#status').getByLabel('Number')).toHaveValue(
      /SD-\w{4}-\w{4}/.exec(said ?? '')?.[0] ?? '',
    );
  };
  const from = { Email: email };
  await write('/contact-us', { ...from, Name: 'Ola', Details: 'Hello' }, 'Submit');
  const place = { 'Where it is': 'Somewhere', 'What is wrong': 'It is me.' };
  await write('/complaints', { ...from, ...place, 'Your name': 'Ola' }, 'Send the complaint');
  const work = { 'The work that is yours': 'My photograph.', 'Where it is here': `/post/${id}` };
  const by = { 'Your name': 'Ola', 'Postal address': '1 Quay', Telephone: '+1 555 0100', Signature: 'Ola' };
  await write('/dmca/notice', { ...from, ...work, ...by }, 'Send the notice');

  const desk = await sitDown(await person('customer'), 'moderator');
  const { data } = await callApi<{ data: { title: string }[] }>(desk.context(), 'GET', `/admin/cases?q=${email}`);
  expect(data.map(({ title }) => title.split(':')[0]).sort()).toEqual([
    'Complaint',
    'Message from Ola',
    'Notice of copyright about a post',
  ]);
});

test('a blocked creator reads the reason at the log-in and appeals there, whatever page they open', async ({
  person,
}) => {
  const [maker, fan] = [await person('creator', { isPhone: true }), await person('customer')];
  const [desk, second] = [
    await sitDown(await person('customer'), 'moderator'),
    await sitDown(await person('customer'), 'moderator'),
  ];
  const makerId = await idOf(maker.context);
  const body = { reportUserId: makerId, type: 'profile', typeId: makerId, message: 'They sell what is mine.' };
  await callApi(fan.context, 'POST', '/report/submit-report', body);
  const { page } = maker;
  await page.goto('/creator/earning');
  await hydrated(page);

  await openCase(desk, maker.username, `Profile reported: @${maker.username}`);
  await desk.getByRole('heading', { level: 1 }).press('b');
  await desk.getByLabel('Ground').fill('Rule 4: someone else’s work.');
  await desk.getByRole('button', { name: 'Block for good' }).click();
  await expect(desk.getByText('This was decided.')).toBeVisible();

  await page.goto('/creator/earning');
  await expect(page).toHaveURL(/\/login\?/);
  await hydrated(page);
  await page.getByLabel('Username or email').fill(maker.username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Contact us' });
  await expect(dialog).toContainText('Please provide below details for further process your account');
  await expect(dialog).toContainText('Your account is blocked for good.');
  await expect(dialog).toContainText('Rule 4: someone else’s work.');
  await expect(dialog).toContainText('If you think that this is wrong, write to us.');
  await dialog.getByRole('button', { name: 'Submit' }).tap();
  for (const words of ['Please enter name', 'Please enter email', 'Please enter details'])
    await expect(dialog.getByText(words)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Name').fill('Mirele');
  await dialog.getByLabel('Email').fill('another.address@example.org');
  await dialog.getByLabel('Details').fill('I have the negatives.');
  const png = await sharp({ create: { width: 200, height: 120, channels: 3, background: '#87796a' } })
    .png()
    .toBuffer();
  await dialog.getByLabel('Add a picture').setInputFiles({ name: 'negative.png', mimeType: 'image/png', buffer: png });
  await expect(dialog.getByRole('list', { name: 'Pictures' })).toContainText('negative.png');
  await dialog.getByRole('button', { name: 'Submit' }).tap();
  await expect(page.getByText(/We have your message; its number is SD-/)).toBeVisible();
  await openCase(second, maker.username, 'Appeal: Your account is blocked for good.');
  await expect(second.getByText('I have the negatives.').first()).toBeVisible();
  await expect(second.getByText('address not proven')).toHaveCount(0);
  await expect(second.getByRole('link', { name: 'Picture 1, 200 × 120' })).toBeVisible();
  await second.getByRole('heading', { level: 1 }).press('o');
  await second.getByLabel('Ground').fill('They showed the negatives.');
  await second.getByRole('button', { name: 'Take it back' }).click();
  await expect(second.getByText('This was decided.')).toBeVisible();
  await logIn(maker.context, maker.username);
});

test('a team member and a creator report a fan, and a dismissed report is reviewed', async ({ person }) => {
  const [maker, helper, fan] = [
    await person('creator', { isPhone: true }),
    await person('customer', { isPhone: true }),
    await person('customer'),
  ];
  const [desk, second] = [
    await sitDown(await person('customer'), 'moderator'),
    await sitDown(await person('customer'), 'moderator'),
  ];
  const conversationId = await converse(fan, maker, 'Where do you live?');
  const makerId = await idOf(maker.context);
  await callApi(fan.context, 'POST', `/customer/follow/${makerId}`, { isFollowed: true });
  await callApi(maker.context, 'POST', '/creator/team/invitations', { to: helper.username, rights: ['chat'] });
  const { invitations } = await callApi<{ invitations: { id: string }[] }>(helper.context, 'GET', '/teams');
  await callApi(helper.context, 'POST', `/teams/invitations/${invitations[0]?.id}`, { isAccepted: true });
  await callApi(helper.context, 'POST', '/teams/act', { creatorId: makerId });

  const submit = async (page: Page, message: string) => {
    const dialog = page.getByRole('dialog', { name: 'Submit report with details' });
    await dialog.getByLabel('Message').fill(message);
    await dialog.getByRole('button', { name: 'Submit' }).tap();
    await expect(page.getByText(/We look at it; its number is SD-/)).toBeVisible();
  };
  await openThread(helper.page, 'creator', conversationId);
  await hydrated(helper.page);
  await helper.page.getByRole('button', { name: 'Details' }).tap();
  await helper.page.getByRole('button', { name: `Report ${fan.username}` }).tap();
  await submit(helper.page, 'They ask where she lives.');

  await openThread(helper.page, 'creator', conversationId);
  await hydrated(helper.page);
  const message = bubbles(helper.page).filter({ hasText: 'Where do you live?' });
  await message.tap();
  await message.getByRole('button', { name: 'Message actions' }).tap();
  await helper.page.getByRole('menuitem', { name: 'Report' }).tap();
  await submit(helper.page, 'This is what they ask.');
  await openCase(desk, fan.username, 'Message reported');
  await expect(desk.getByText('This is what they ask.').first()).toBeVisible();

  const { page } = maker;
  await page.goto('/creator/followers');
  await hydrated(page);
  await page.getByRole('button', { name: `Report ${fan.username}` }).tap();
  await submit(page, 'And again.');

  await openCase(desk, fan.username, `Profile reported: @${fan.username}`);
  await expect(desk.getByText(`, written by @${helper.username} of their team`)).toBeVisible();
  await desk.getByRole('heading', { level: 1 }).press('d');
  await desk.getByLabel('Ground').fill('A question, and no more.');
  await desk.getByRole('button', { name: 'Dismiss', exact: true }).click();
  await expect(desk.getByText('This was decided.')).toBeVisible();

  await page.goto('/creator/helpdesk');
  await hydrated(page);
  const reports = page.getByRole('region', { name: 'What you reported' });
  await expect(reports).toContainText('We looked at it: it is within our rules.');
  await reports.getByRole('button', { name: 'Ask for a second look' }).tap();
  await reports.getByLabel('Why it is wrong').fill('They asked eleven times.');
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);
  await reports.getByRole('button', { name: 'Send' }).tap();
  await expect(reports).toContainText('You asked for a second look: SD-');
  await openCase(second, fan.username, 'Appeal: nothing was done.');
  await second.getByRole('heading', { level: 1 }).press('o');
  await expect(second.getByText('What was dismissed is open again, with you: decide it then.')).toBeVisible();
  await second.getByLabel('Ground').fill('Eleven times is no question.');
  await second.getByRole('button', { name: 'Take it back' }).click();
  await expect(second.getByText('This was decided.')).toBeVisible();
  await page.reload();
  await expect(reports).toContainText('We are looking at it.');
});

test('a post is reported from the feed and from its page, once however often the button is pressed', async ({
  person,
}) => {
  const [maker, fan] = [await person('creator'), await person('customer', { isPhone: true })];
  await callApi(fan.context, 'POST', `/customer/follow/${await idOf(maker.context)}`, { isFollowed: true });
  const id = await publish(maker.context, { caption: 'The pier', priceUsd: 0, pictures: 1 });
  await expect.poll(async () => (await callApi<{ data: unknown[] }>(fan.context, 'GET', '/feed')).data.length).toBe(1);
  const { page } = fan;
  const dialog = page.getByRole('dialog', { name: 'Submit report with details' });
  const openReport = async () => {
    await page.locator('main summary[aria-label="Share"]').first().tap();
    await page.getByRole('button', { name: 'Report this post' }).tap();
    await expect(dialog.getByLabel('Message')).toHaveValue('');
  };
  await page.goto('/fan/feed');
  await hydrated(page);
  await openReport();
  await dialog.getByRole('button', { name: 'Submit' }).tap();
  await expect(dialog.getByText('Please enter message')).toBeVisible();

  await page.goto(`/post/${id}`);
  await hydrated(page);
  await openReport();
  await dialog.getByLabel('Message').fill('This is my picture.');
  await submitHeld(page, dialog, '/report/submit-report');
  await expect(page.getByText(/We look at it; its number is SD-/)).toBeVisible();
  await openReport();
});

test('a logged-in fan contacts support from their own address', async ({ person }) => {
  const { page, email } = await person('customer', { isPhone: true });
  await page.goto('/contact-us');
  await expect(page.getByRole('heading', { level: 1, name: 'Contact us' })).toBeVisible();
  await expect(page.getByText('Please provide below details for further process your account')).toBeVisible();
  const letter = page.getByRole('form', { name: 'Message' });
  await expect(letter.getByLabel('Email')).toHaveValue(email);
  await letter.getByLabel('Email').fill('x@');
  await letter.getByLabel('Details').fill('Hello');
  await letter.getByRole('button', { name: 'Submit' }).tap();
  await expect(letter.getByText('Invalid email')).toBeVisible();
});

import {
  getBubbles,
  getMessageField,
  openThread,
  sendTextMessage,
  startConversation,
  typeMessage,
} from './support/chat.ts';
import { callApi, expect, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, fetchWalletBalance, makePicture } from './support/money.ts';
import { expectTouchable } from './support/touch.ts';

test('a fan’s first message is a request, both write once it is accepted, and unread messages are counted on every page', async ({
  createUser,
}) => {
  const [fan, creator] = [await createUser('customer'), await createUser('creator')];
  await fan.page.goto(`/profile/${creator.username}`);
  await waitForHydration(fan.page);
  await fan.page.getByRole('link', { name: /^Message / }).click();
  // During hydration the text exists twice, once only for screen readers.
  await expect(fan.page.getByText('Your first message', { exact: false }).first()).toBeVisible();
  await fan.page.getByRole('textbox').fill('May I ask about the kiln?');
  const send = fan.page.getByRole('button', { name: 'Send' });
  for (const width of [768, 390]) {
    await fan.page.setViewportSize({ width, height: 844 });
    await expectTouchable(send);
  }
  await send.click();
  await expect(fan.page).toHaveURL(/\/fan\/chat\/[0-9a-f-]{36}$/);
  await fan.page.setViewportSize({ width: 1440, height: 900 });
  await expect(getBubbles(fan.page).getByText('May I ask about the kiln?')).toBeVisible();
  await expect(fan.page.getByText('Your request was sent to', { exact: false })).toBeVisible();
  await expect(getMessageField(fan.page)).toHaveCount(0);

  await creator.page.goto('/creator/chat');
  await creator.page.getByRole('link', { name: 'Requests' }).click();
  await creator.page.getByRole('link', { name: fan.username }).click();
  await expect(getBubbles(creator.page).getByText('May I ask about the kiln?')).toBeVisible();
  await creator.page.getByRole('button', { name: 'Accept' }).click();
  await expect(getMessageField(creator.page)).toBeVisible();

  await expect(getMessageField(fan.page)).toBeVisible();
  await expect(getBubbles(fan.page).first().getByRole('img', { name: 'Read' })).toBeVisible();

  await getMessageField(creator.page).pressSequentially('It is ');
  await expect(fan.page.getByRole('heading').getByText(creator.username)).toBeVisible();
  await expect(fan.page.getByText('typing…').first()).toBeVisible();
  await typeMessage(creator.page, 'It is wood-fired. See *https://example.org/kiln*。よろしく');
  const reply = getBubbles(fan.page).filter({ hasText: 'It is wood-fired' });
  await expect(reply).toBeVisible();
  await expect(reply.getByRole('link', { name: 'https://example.org/kiln', exact: true })).toHaveAttribute(
    'rel',
    /noopener/,
  );
  await expect(fan.page.getByText('typing…')).toHaveCount(0);
  await expect(getBubbles(creator.page).last().getByRole('img', { name: 'Read' })).toBeVisible();
  await typeMessage(fan.page, 'Thank you!');
  await expect(getBubbles(creator.page).filter({ hasText: 'Thank you!' })).toBeVisible();

  const nav = fan.page.getByRole('navigation', { name: 'Main' }).first();
  const chat = nav.getByRole('link', { name: /^Chat/ });
  await nav.getByRole('link', { name: /^Feed/ }).click();
  await expect(fan.page).toHaveURL(/\/fan\/feed$/);
  await typeMessage(creator.page, 'Are you there?');
  await expect(chat).toHaveAccessibleName(/\d+ unread/);
  await expect(fan.page).toHaveTitle(/^\(\d+\) /);
  await typeMessage(creator.page, 'And now?');
  await expect(getBubbles(creator.page).last().getByRole('img', { name: 'Delivered' })).toBeVisible();
  await chat.click();
  await fan.page.getByRole('link', { name: creator.username }).click();
  await expect(getBubbles(creator.page).last().getByRole('img', { name: 'Read' })).toBeVisible();
  await expect(chat).toHaveAccessibleName('Chat');
  await expect(fan.page).not.toHaveTitle(/^\(/);
});

test('a tip is a message, a paid photo is bought once and opens later from the media page, and a view-once photo opens once', async ({
  createUser,
}) => {
  const [fan, creator] = [await createUser('customer'), await createUser('creator')];
  const id = await startConversation(fan, creator);
  await addFunds(fan.context, 20);
  await openThread(creator.page, 'creator', id);
  await openThread(fan.page, 'fan', id);
  const { page } = fan;
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: /^Tip / }).click();
  await page.getByRole('button', { name: '$5.00', exact: true }).click();
  await page.getByLabel('Add a message').fill('For the glaze');
  await page.getByRole('button', { name: 'Tip $5.00' }).click();
  await expect(getBubbles(page).getByText('$5.00')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('.toast')).toHaveCount(0);
  await expect(getBubbles(creator.page).getByText('For the glaze')).toBeVisible();

  const picture = { name: 'encore.jpg', mimeType: 'image/jpeg', buffer: await makePicture() };
  await creator.page.getByLabel('Photos and videos').setInputFiles(picture);
  // A price is accepted with a comma too, or refused. Invalid input never makes it free.
  const price = creator.page.getByLabel('Price, $');
  await price.fill('abc');
  await expect(creator.page.getByText('Please enter valid amount')).toBeVisible();
  await expect(creator.page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await price.fill('8,00');
  await expect(creator.page.getByText('Fan pays $8.00, you earn', { exact: false })).toBeVisible();
  await typeMessage(creator.page, 'The encore.');
  const unlock = page.getByRole('button', { name: 'Unlock $8.00' });
  await expect(unlock).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('After: $7.00')).toBeVisible();
  await expect(getBubbles(creator.page).getByText('not unlocked yet', { exact: false })).toBeVisible();
  await unlock.dblclick();
  await expect(page.getByRole('button', { name: /^Open the photo/ })).toBeVisible({ timeout: 30_000 });
  await expect(getBubbles(creator.page).getByText('$8.00, unlocked')).toBeVisible();
  expect(await fetchWalletBalance(fan.context)).toBe(7);
  await page.getByRole('button', { name: /^Open the photo/ }).click();
  await expect(page).toHaveURL(/#see-/);
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/#see-/);

  await creator.page
    .getByLabel('Photos and videos')
    .setInputFiles({ name: 'once.jpg', mimeType: 'image/jpeg', buffer: await makePicture() });
  await creator.page.getByLabel('View once').check();
  await typeMessage(creator.page, 'Only once.');
  const open = page.getByRole('button', { name: 'Open', exact: true });
  await expect(open).toBeEnabled({ timeout: 30_000 });
  await open.click();
  await expect(dialog.getByRole('img', { name: /View-once photo/ })).toBeVisible();
  await expect(getBubbles(creator.page).last().getByText('Opened')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(getBubbles(page).getByText('Viewed once')).toBeVisible();
  await expect(getBubbles(creator.page).getByText('Viewed once')).toBeVisible();
  await expect(open).toHaveCount(0);

  await creator.page.getByLabel('Photos and videos').setInputFiles(picture);
  await creator.page.getByLabel('Price, $').fill('150');
  await typeMessage(creator.page, 'The whole evening.');
  const add = page.getByRole('link', { name: 'Add funds to unlock' });
  await expect(add).toBeVisible({ timeout: 30_000 });
  await expect(add).toHaveAttribute('href', new RegExp(encodeURIComponent(`/fan/chat/${id}`)));

  await page.goto('/fan/media?tab=chat');
  await waitForHydration(page);
  const bought = page.getByRole('main').locator('li').filter({ hasText: 'The encore.' });
  await page.getByRole('button', { name: /^Open 1 photo/ }).click();
  await expect(page).toHaveURL(/\/fan\/media\?tab=chat#see-/);
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/fan\/media\?tab=chat$/);
  await page.getByRole('button', { name: `Options for media from ${creator.username}` }).click();
  await page.getByRole('menuitem', { name: 'Hide' }).click();
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await expect(bought).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(bought).toBeVisible();
});

test('a message is unsent for both or deleted for oneself, notes and mute are saved, and a block stops both sides until it ends', async ({
  createUser,
}) => {
  const [fan, creator] = [await createUser('customer'), await createUser('creator')];
  const id = await startConversation(fan, creator);
  await sendTextMessage(creator.context, id, 'Oops, wrong fan');
  await openThread(creator.page, 'creator', id);
  const wrong = getBubbles(creator.page).filter({ hasText: 'Oops, wrong fan' });
  await wrong.hover();
  await wrong.getByRole('button', { name: 'Message actions' }).click();
  await creator.page.getByRole('menuitem', { name: 'Delete for everyone' }).click();
  await creator.page.getByRole('button', { name: 'Delete for everyone' }).click();
  await expect(wrong).toHaveCount(0);
  await openThread(fan.page, 'fan', id);
  await expect(getBubbles(fan.page)).toHaveCount(1);
  const own = getBubbles(fan.page).filter({ hasText: 'Good evening.' });
  await own.hover();
  await own.getByRole('button', { name: 'Message actions' }).click();
  await fan.page.getByRole('menuitem', { name: 'Delete for me' }).click();
  await fan.page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(getBubbles(fan.page)).toHaveCount(0);
  await expect(getBubbles(creator.page).filter({ hasText: 'Good evening.' })).toBeVisible();

  await creator.page.getByRole('button', { name: 'Chat details' }).click();
  await creator.page.getByLabel('Private note').fill('Asks about kilns');
  await creator.page.getByRole('button', { name: 'Save note' }).click();
  await expect(creator.page.getByRole('button', { name: 'Saved' })).toBeVisible();
  await creator.page.getByRole('switch', { name: /^Mute/ }).click();
  await expect(creator.page.getByRole('switch', { name: /^Mute/ })).toBeChecked();
  await creator.page.getByRole('button', { name: 'Block', exact: true }).click();
  await creator.page.getByRole('button', { name: 'Block', exact: true }).last().click();
  await expect(creator.page.getByRole('button', { name: /^Unblock/ }).first()).toBeVisible();
  await creator.page.keyboard.press('Escape');
  await expect(creator.page.getByText('You blocked', { exact: false })).toBeVisible();
  await expect(fan.page.getByText('You can no longer message', { exact: false })).toBeVisible();
  await expect(getMessageField(fan.page)).toHaveCount(0);
  await creator.page.getByRole('button', { name: 'Unblock' }).click();
  await expect(getMessageField(creator.page)).toBeVisible();
  await expect(getMessageField(fan.page)).toBeVisible();
});

test('a broadcast reaches chosen chats or a group as ordinary messages, is sold, scheduled and counted', async ({
  createUser,
  createApiUser,
}) => {
  const [fan, creator] = [await createUser('customer'), await createUser('creator')];
  const id = await startConversation(fan, creator);
  await startConversation(await createApiUser('customer'), creator);
  await callApi(fan.context, 'POST', `/customer/follow/${creator.id}`, { isFollowed: true });
  await addFunds(fan.context, 20);
  await openThread(fan.page, 'fan', id);
  const { page } = creator;
  await page.goto('/creator/chat?tab=unread');
  await waitForHydration(page);
  const toggle = page.getByRole('switch', { name: 'Broadcast' });
  const chosen = page.getByRole('checkbox', { name: fan.username });
  const audienceSelect = page.getByLabel('To', { exact: true });
  await toggle.click();
  await expect(page).toHaveURL(/\/creator\/chat\/broadcast$/);
  await chosen.check();
  await expect(audienceSelect).toHaveValue('chosen');
  await typeMessage(page, 'The kiln opens tonight.');
  await expect(getBubbles(fan.page).filter({ hasText: 'The kiln opens tonight.' })).toBeVisible();
  await expect(page.getByText(/To 1 fan · 1 delivered · 1 read/)).toBeVisible({ timeout: 15_000 });
  await toggle.click();
  await expect(page).toHaveURL(/\/creator\/chat$/);
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await toggle.click();
  await expect(chosen).not.toBeChecked();

  await expect(audienceSelect.getByRole('option', { name: 'All followers (1)' })).toBeAttached();
  await audienceSelect.selectOption('followers');
  const picture = { name: 'vase.jpg', mimeType: 'image/jpeg', buffer: await makePicture() };
  await page.getByLabel('Photos and videos').setInputFiles(picture);
  await page.getByLabel('Price, $').fill('5');
  await typeMessage(page, 'The vase.');
  await fan.page.getByRole('button', { name: 'Unlock $5.00' }).click();
  await expect(fan.page.getByRole('button', { name: /^Open the photo/ })).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByRole('menuitem', { name: 'Media library' }).click();
  await page.getByRole('checkbox', { name: 'vase.jpg' }).check();
  await page.getByRole('button', { name: 'Add 1 file' }).click();
  await expect(page.getByRole('list', { name: 'Files to send' }).getByRole('img', { name: 'vase.jpg' })).toBeVisible();
  await expect(audienceSelect.getByRole('option', { name: 'Followers who haven’t unlocked it (0)' })).toBeAttached();
  await audienceSelect.selectOption('notBought');
  await typeMessage(page, 'The vase again.');
  const repeated = getBubbles(page).filter({ hasText: 'The vase again.' });
  await expect(repeated.getByText(/^To 0 fans /)).toBeVisible();

  await audienceSelect.selectOption('followers');
  const devTools = await creator.context.newCDPSession(page);
  await devTools.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' });
  await page.getByRole('button', { name: 'Send later' }).click();
  const time = page.getByLabel('When');
  const scheduleButton = page.getByRole('button', { name: 'Schedule', exact: true });
  await getMessageField(page).fill('To wait for');
  await scheduleButton.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Choose a date and time' })).toBeVisible();
  await expect(time).toBeFocused();
  // The second Sunday of March, when clocks go forward.
  const year = new Date().getUTCFullYear() + 1;
  const sunday = 14 - new Date(Date.UTC(year, 2, 14)).getUTCDay();
  await time.fill(`${year}-03-${String(sunday).padStart(2, '0')}T02:30`);
  await expect(page.getByText(`Sunday ${sunday} March ${year}, 03:30 GMT-4 (America/New York)`)).toBeVisible();
  await expect(page.getByText('This time doesn’t exist')).toBeVisible();
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format();
  const tomorrow = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
  await time.fill(`${tomorrow}T13:00`);
  await scheduleButton.click();
  await expect(time).toHaveCount(0);
  const waiting = page.getByRole('region', { name: 'Scheduled' }).getByRole('listitem');
  await expect(waiting).toContainText('To wait for');
  await expect(waiting).toContainText(/Tomorrow, 13:00 GMT-[45] · All followers/);
  const scheduledBubble = getBubbles(fan.page).filter({ hasText: 'To wait for' });
  await expect(scheduledBubble).toHaveCount(0);
  await expect(getBubbles(page).filter({ hasText: 'To wait for' })).toHaveCount(0);

  const choose = async (action: string) => {
    await waiting.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await choose('Change time');
  await page.getByRole('dialog').getByLabel('When').fill(`${tomorrow}T14:30`);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(waiting).toContainText('Tomorrow, 14:30');
  await choose('Cancel broadcast');
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
  await expect(waiting).toHaveCount(1);
  // The parts above the input scroll on a small screen, also with large text.
  await page.setViewportSize({ width: 375, height: 553 });
  await page.getByRole('button', { name: 'Send later' }).click();
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  await expect(getMessageField(page)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Record a voice message' })).toBeInViewport({ ratio: 1 });
  for (const part of ['html', '.write__more'])
    expect(await page.locator(part).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  await choose('Send now');
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).dblclick();
  await expect(waiting).toHaveCount(0);
  await expect(scheduledBubble).toBeVisible();
  await expect(getBubbles(page).filter({ hasText: 'To wait for' })).toBeVisible();
});

import type { BrowserContext } from '@playwright/test';
import { bubbles, converse, field, idOf, openThread, say, settled, write } from './support/chat.ts';
import { callApi, expect, hydrated, test } from './support/fixtures.ts';
import { addFunds, balanceOf, makeJpeg, tryMove } from './support/money.ts';

test('a fan’s first message is a request, and once accepted both write with ticks and typing', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  await fan.page.goto(`/profile/${creator.username}`);
  await hydrated(fan.page);
  await fan.page.getByRole('link', { name: /^Message / }).click();
  // During hydration the text exists twice, once only for screen readers.
  await expect(fan.page.getByText('Your first message', { exact: false }).first()).toBeVisible();
  await fan.page.getByRole('textbox').fill('May I ask about the kiln?');
  await fan.page.getByRole('textbox').press('Enter');
  await expect(fan.page).toHaveURL(/\/fan\/chat\/[0-9a-f-]{36}$/);
  await expect(fan.page.getByText('has your message', { exact: false })).toBeVisible();
  await expect(field(fan.page)).toHaveCount(0);

  await creator.page.goto('/creator/chat');
  await creator.page.getByRole('link', { name: 'Requests' }).click();
  await creator.page.getByRole('link', { name: fan.username }).click();
  await expect(bubbles(creator.page).getByText('May I ask about the kiln?')).toBeVisible();
  await creator.page.getByRole('button', { name: 'Accept' }).click();
  await expect(field(creator.page)).toBeVisible();

  await expect(field(fan.page)).toBeVisible();
  await expect(bubbles(fan.page).first().getByRole('img', { name: 'Read' })).toBeVisible();

  await field(creator.page).pressSequentially('It is ');
  await expect(fan.page.getByRole('heading').getByText(creator.username)).toBeVisible();
  await expect(fan.page.getByText('typing…').first()).toBeVisible();
  await say(creator.page, 'It is wood-fired. See https://example.org/kiln.');
  const answer = bubbles(fan.page).filter({ hasText: 'It is wood-fired' });
  await expect(answer).toBeVisible();
  await expect(answer.getByRole('link', { name: 'https://example.org/kiln' })).toHaveAttribute('rel', /noopener/);
  await expect(fan.page.getByText('typing…')).toHaveCount(0);
  await expect(bubbles(creator.page).last().getByRole('img', { name: 'Read' })).toBeVisible();
  await say(fan.page, 'Thank you!');
  await expect(bubbles(creator.page).filter({ hasText: 'Thank you!' })).toBeVisible();
});

for (const width of [390, 768])
  test(`a fan writes and sends the first message to a creator by touch at ${width} px`, async ({ person }) => {
    const [fan, creator] = [await person('customer', { width }), await person('creator')];
    await fan.page.goto(`/profile/${creator.username}`);
    await hydrated(fan.page);
    await fan.page.getByRole('link', { name: /^Message / }).click();
    await fan.page.getByRole('textbox').click();
    await fan.page.keyboard.type('May I ask about the kiln?');
    await fan.page.getByRole('button', { name: 'Send' }).click();
    await expect(fan.page).toHaveURL(/\/fan\/chat\/[0-9a-f-]{36}$/);
    await expect(bubbles(fan.page).getByText('May I ask about the kiln?')).toBeVisible();
  });

test('a message is delivered on another page and read once it is seen, and the count updates everywhere', async ({
  person,
}) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  await fan.page.goto('/fan/feed');
  await hydrated(fan.page);
  await openThread(creator.page, 'creator', id);
  const rail = fan.page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: /^Chat/ });
  await say(creator.page, 'Are you there?');
  await expect(rail).toHaveAccessibleName(/\d+ unread/);
  await expect(fan.page).toHaveTitle(/^\(\d+\) /);
  await say(creator.page, 'And now?');
  await expect(bubbles(creator.page).last().getByRole('img', { name: 'Delivered' })).toBeVisible();
  await rail.click();
  await expect(fan.page.getByRole('link', { name: creator.username })).toBeVisible();
  await fan.page.getByRole('link', { name: creator.username }).click();
  await expect(bubbles(creator.page).last().getByRole('img', { name: 'Read' })).toBeVisible();
  await expect(rail).toHaveAccessibleName('Chat');
  await expect(fan.page).not.toHaveTitle(/^\(/);
});

test('paid media is locked, bought once, and open on both sides after a reload', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  await addFunds(fan.context, 20);
  await openThread(creator.page, 'creator', id);
  await openThread(fan.page, 'fan', id);
  const picture = { name: 'encore.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(900, 700) };
  await creator.page.getByLabel('Photos and videos').setInputFiles(picture);
  // A price is accepted with a comma too, or refused. Invalid input never makes it free.
  const price = creator.page.getByLabel('Price, $');
  for (const typed of ['abc', '-5', '1.234']) {
    await price.fill(typed);
    await expect(creator.page.getByText('Please enter valid amount')).toBeVisible();
    await expect(creator.page.getByRole('button', { name: 'Send' })).toBeDisabled();
  }
  await price.fill('8,00');
  await expect(creator.page.getByText('A fan pays $8.00, you get', { exact: false })).toBeVisible();
  await say(creator.page, 'The encore.');
  const unlock = fan.page.getByRole('button', { name: 'Unlock $8.00' });
  await expect(unlock).toBeVisible({ timeout: 30_000 });
  await expect(fan.page.getByText('$12.00 after')).toBeVisible();
  await expect(bubbles(creator.page).getByText('not bought yet', { exact: false })).toBeVisible();
  await unlock.dblclick();
  await expect(fan.page.getByRole('button', { name: /^Open the photo/ })).toBeVisible({ timeout: 30_000 });
  await expect(bubbles(creator.page).getByText('$8.00, sold')).toBeVisible();
  expect(await balanceOf(fan.context)).toBe(12);

  await fan.page.reload();
  await settled(fan.page);
  await fan.page.getByRole('button', { name: /^Open the photo/ }).click();
  await expect(fan.page).toHaveURL(/#see-/);
  await expect(fan.page.getByRole('dialog')).toBeVisible();
  await fan.page.keyboard.press('Escape');
  await expect(fan.page).not.toHaveURL(/#see-/);

  await creator.page.getByLabel('Photos and videos').setInputFiles(picture);
  await creator.page.getByLabel('Price, $').fill('150');
  await say(creator.page, 'The whole evening.');
  const add = fan.page.getByRole('link', { name: 'Add funds to unlock' });
  await expect(add).toBeVisible({ timeout: 30_000 });
  await expect(add).toHaveAttribute('href', new RegExp(encodeURIComponent(`/fan/chat/${id}`)));
});

test('a view-once photo opens once and is deleted on both sides', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  await openThread(creator.page, 'creator', id);
  await openThread(fan.page, 'fan', id);
  await creator.page
    .getByLabel('Photos and videos')
    .setInputFiles({ name: 'once.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(600, 600) });
  await creator.page.getByLabel('View once').check();
  await say(creator.page, 'Only once.');
  const open = fan.page.getByRole('button', { name: 'Open', exact: true });
  await expect(open).toBeEnabled({ timeout: 30_000 });
  await open.click();
  const dialog = fan.page.getByRole('dialog');
  await expect(dialog.getByRole('img', { name: /View-once photo/ })).toBeVisible();
  await expect(bubbles(creator.page).getByText('Opened')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(bubbles(fan.page).getByText('Viewed once')).toBeVisible();
  await expect(bubbles(creator.page).getByText('Viewed once')).toBeVisible();
  await fan.page.reload();
  await settled(fan.page);
  await expect(bubbles(fan.page).getByText('Viewed once')).toBeVisible();
  await expect(open).toHaveCount(0);
});

test('a tip in chat appears as a message', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  await addFunds(fan.context, 20);
  await openThread(creator.page, 'creator', id);
  await openThread(fan.page, 'fan', id);
  await fan.page.getByRole('button', { name: /^Tip / }).click();
  await fan.page.getByRole('button', { name: '$5.00', exact: true }).click();
  await fan.page.getByLabel('A word with it').fill('For the glaze');
  await fan.page.getByRole('button', { name: 'Tip $5.00' }).click();
  await expect(bubbles(fan.page).getByText('$5.00')).toBeVisible();
  await expect(bubbles(creator.page).getByText('For the glaze')).toBeVisible();
});

test('unsending an unread message removes it for both, and deleting it for oneself leaves it to the other', async ({
  person,
}) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  await write(creator.context, id, 'Oops, wrong fan');
  await openThread(creator.page, 'creator', id);
  const wrong = bubbles(creator.page).filter({ hasText: 'Oops, wrong fan' });
  await wrong.hover();
  await wrong.getByRole('button', { name: 'Message actions' }).click();
  await creator.page.getByRole('menuitem', { name: 'Unsend' }).click();
  await creator.page.getByRole('button', { name: 'Unsend' }).click();
  await expect(wrong).toHaveCount(0);
  await openThread(fan.page, 'fan', id);
  await expect(bubbles(fan.page)).toHaveCount(1);
  const own = bubbles(fan.page).filter({ hasText: 'Good evening.' });
  await own.hover();
  await own.getByRole('button', { name: 'Message actions' }).click();
  await fan.page.getByRole('menuitem', { name: 'Delete for me' }).click();
  await fan.page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(bubbles(fan.page)).toHaveCount(0);
  await expect(bubbles(creator.page).filter({ hasText: 'Good evening.' })).toBeVisible();
});

test('after a block neither side can write and both see why, and notes and mute are private', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  await openThread(creator.page, 'creator', id);
  await openThread(fan.page, 'fan', id);
  await creator.page.getByRole('button', { name: 'Conversation details' }).click();
  await creator.page.getByLabel('Your note').fill('Asks about kilns');
  await creator.page.getByRole('button', { name: 'Save note' }).click();
  await expect(creator.page.getByRole('button', { name: 'Saved' })).toBeVisible();
  await creator.page.getByRole('switch', { name: /^Mute/ }).click();
  await expect(creator.page.getByRole('switch', { name: /^Mute/ })).toBeChecked();
  await creator.page.getByRole('button', { name: 'Block', exact: true }).click();
  await creator.page.getByRole('button', { name: 'Block', exact: true }).last().click();
  await expect(creator.page.getByRole('button', { name: /^Unblock/ }).first()).toBeVisible();
  await creator.page.keyboard.press('Escape');
  await expect(creator.page.getByText('You blocked', { exact: false })).toBeVisible();
  await expect(fan.page.getByText('You can’t write to', { exact: false })).toBeVisible();
  await expect(field(fan.page)).toHaveCount(0);
  await creator.page.getByRole('button', { name: 'Unblock' }).click();
  await expect(field(creator.page)).toBeVisible();
  await expect(field(fan.page)).toBeVisible();
});

test('a broadcast reaches chosen chats as ordinary messages and shows its statistics', async ({ person }) => {
  const [fan, other, creator] = [await person('customer'), await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  await converse(other, creator);
  await openThread(fan.page, 'fan', id);
  await creator.page.goto('/creator/chat?tab=unread');
  await hydrated(creator.page);
  await creator.page.getByRole('switch', { name: 'Broadcast' }).click();
  await expect(creator.page).toHaveURL(/\/creator\/chat\/broadcast$/);
  await creator.page.getByRole('checkbox', { name: fan.username }).check();
  await expect(creator.page.getByLabel('To', { exact: true })).toHaveValue('chosen');
  await creator.page.getByRole('textbox', { name: 'Message', exact: true }).fill('The kiln opens tonight.');
  await creator.page.getByRole('textbox', { name: 'Message', exact: true }).press('Enter');
  await expect(bubbles(fan.page).filter({ hasText: 'The kiln opens tonight.' })).toBeVisible();
  await expect(creator.page.getByText(/To 1 fan · 1 delivered · 1 read/)).toBeVisible({ timeout: 15_000 });
  await creator.page.getByRole('switch', { name: 'Broadcast' }).click();
  await expect(creator.page).toHaveURL(/\/creator\/chat$/);
  await expect(creator.page.getByRole('checkbox')).toHaveCount(0);
  await creator.page.getByRole('switch', { name: 'Broadcast' }).click();
  await expect(creator.page.getByRole('checkbox', { name: fan.username })).not.toBeChecked();
});

test('a broadcast goes to each group that its creator selects, immediately or scheduled', async ({ person }) => {
  const [follower, buyer, talker, creator] = [
    await person('customer'),
    await person('customer'),
    await person('customer'),
    await person('creator'),
  ];
  const creatorId = await idOf(creator.context);
  await callApi(follower.context, 'POST', `/customer/follow/${creatorId}`, { isFollowed: true });
  await converse(talker, creator);
  await addFunds(buyer.context, 20);
  await tryMove(buyer.context, `/tip/customer-send/${creatorId}`, { amount: 5, type: 'profile' });
  const { page } = creator;
  await page.goto('/creator/chat/broadcast');
  const to = page.getByLabel('To', { exact: true });
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await expect(async () => {
    await page.reload();
    await expect(to.getByRole('option', { name: 'Active in 30 days (3)' })).toBeAttached({ timeout: 5_000 });
  }).toPass();
  const groups = [
    ['followers', 'All followers (1)', 'To the followers', /^To 1 fan /],
    ['buyers', 'Bought before (1)', 'To the buyers', /^To 1 fan /],
    ['active', 'Active in 30 days (3)', 'To the active', /^To 3 fans /],
    ['notBought', 'Followers who have not bought it (1)', 'To who has it not', /^To 1 fan /],
  ] as const;
  for (const [audience, label, text, numbers] of groups) {
    await expect(to.getByRole('option', { name: label })).toBeAttached();
    await to.selectOption(audience);
    await message.fill(text);
    await message.press('Enter');
    await expect(bubbles(page).filter({ hasText: text }).getByText(numbers)).toBeVisible();
  }
  const heard = async (context: BrowserContext) => {
    const { data } = await callApi<{ data: { id: string }[] }>(context, 'GET', '/message/conversation-list');
    const [conversation] = data;
    if (!conversation) return [];
    const thread = await callApi<{ data: { text: string }[] }>(context, 'GET', `/message/list/${conversation.id}`);
    return thread.data.map(({ text }) => text).filter((text) => text.startsWith('To '));
  };
  expect(await heard(follower.context)).toEqual(['To who has it not', 'To the active', 'To the followers']);
  expect((await heard(buyer.context)).toSorted()).toEqual(['To the active', 'To the buyers']);
  expect(await heard(talker.context)).toEqual(['To the active']);

  await addFunds(follower.context, 20);
  const picture = { name: 'vase.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(600, 400) };
  await to.selectOption('followers');
  await page.getByLabel('Photos and videos').setInputFiles(picture);
  await page.getByLabel('Price, $').fill('5');
  await say(page, 'The vase.');
  await follower.page.goto('/fan/chat');
  await hydrated(follower.page);
  await follower.page.getByRole('link', { name: creator.username }).click();
  await follower.page.getByRole('button', { name: 'Unlock $5.00' }).click();
  await expect(follower.page.getByRole('button', { name: /^Open the photo/ })).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByRole('menuitem', { name: 'From your library' }).click();
  await page.getByRole('checkbox', { name: 'vase.jpg' }).check();
  await page.getByRole('button', { name: 'Add 1 file' }).click();
  await expect(page.getByRole('list', { name: 'Files to send' }).getByRole('img', { name: 'vase.jpg' })).toBeVisible();
  await expect(to.getByRole('option', { name: 'Followers who have not bought it (0)' })).toBeAttached();
  await to.selectOption('notBought');
  await say(page, 'The vase again.');
  await expect(
    bubbles(page)
      .filter({ hasText: 'The vase again.' })
      .getByText(/^To 0 fans /),
  ).toBeVisible();

  await to.selectOption('followers');
  await page.getByRole('button', { name: 'Send later' }).click();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel('When').fill(tomorrow);
  await message.fill('To wait for');
  await message.press('Enter');
  const waiting = page.getByRole('region', { name: 'Scheduled' }).getByRole('listitem');
  await expect(waiting).toContainText('To wait for');
  expect(await heard(follower.context)).not.toContain('To wait for');
  await waiting.getByRole('button', { name: 'Send now' }).click();
  await expect(waiting).toHaveCount(0);
  await expect.poll(() => heard(follower.context)).toContain('To wait for');
});

test('a voice note is recorded, sent and played', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  await openThread(creator.page, 'creator', id);
  await openThread(fan.page, 'fan', id);
  await fan.page.getByRole('button', { name: 'Record a voice message' }).click();
  await expect(fan.page.getByRole('timer')).toHaveText('00:01');
  await fan.page.getByRole('button', { name: 'Send the voice message' }).click();
  await expect(creator.page.getByRole('button', { name: /^Play a voice message/ })).toBeVisible();
  expect(await idOf(fan.context)).toBeTruthy();
});

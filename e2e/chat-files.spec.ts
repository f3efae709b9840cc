import { readFile } from 'node:fs/promises';
import { getBubbles, openThread, sendTextMessage, startConversation, typeMessage } from './support/chat.ts';
import { getPlayerState, makeClip } from './support/films.ts';
import { expect, test } from './support/fixtures.ts';
import { addFunds, fetchWalletBalance } from './support/money.ts';

test.use({ isSavingData: false });

test('documents and a film are sold in chat and belong to their buyer, and a fan sends a document', async ({
  createUser,
}) => {
  const [fan, creator] = [await createUser('customer'), await createUser('creator')];
  const id = await startConversation(fan, creator);
  await addFunds(fan.context, 20);
  await openThread(creator.page, 'creator', id);
  await openThread(fan.page, 'fan', id);

  // The film is uploaded first, so that it is ready when the documents are checked.
  const clip = { name: 'wheel.mp4', mimeType: 'video/mp4', buffer: await makeClip() };
  await creator.page.getByLabel('Photos and videos').setInputFiles(clip);
  await creator.page.getByLabel('Price, $').fill('8');
  await typeMessage(creator.page, 'At the wheel.');
  // Files and their price stay in the conversation when it is left.
  await creator.page.getByLabel('Photos and videos').setInputFiles({ ...clip, name: 'kiln.mp4' });
  await creator.page.getByLabel('Price, $').fill('9');
  await creator.page.locator('a[href="/creator/chat"]').first().click();
  await expect(creator.page.locator('.talk-row')).toContainText('Draft: 1 file');
  await creator.page.locator('.talk-row').getByRole('link', { name: fan.username }).click();
  const chosenFiles = creator.page.getByRole('list', { name: 'Files to send' });
  await expect(chosenFiles.getByRole('listitem')).toHaveCount(1);
  await expect(creator.page.getByLabel('Price, $')).toHaveValue('9');
  await chosenFiles.getByRole('button', { name: 'Remove kiln.mp4' }).click();
  const recipe = Buffer.from('Ash 50, clay 30, silica 20.\n'.repeat(100));
  const document = { name: 'glaze recipe.txt', mimeType: 'text/plain', buffer: recipe };
  await creator.page.getByLabel('Documents').setInputFiles(document);
  await creator.page.getByLabel('Price, $').fill('5');
  await typeMessage(creator.page, 'My glaze.');

  const glaze = getBubbles(fan.page).filter({ hasText: 'My glaze.' });
  await expect(glaze.getByText('glaze recipe.txt')).toBeVisible();
  await expect(glaze.getByRole('link')).toHaveCount(0);
  await glaze.getByRole('button', { name: 'Unlock $5.00' }).click();
  const downloading = fan.page.waitForEvent('download');
  await glaze.getByRole('link', { name: 'Download glaze recipe.txt' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('glaze recipe.txt');
  expect(await readFile(await download.path())).toEqual(recipe);
  await expect(getBubbles(creator.page).getByText('$5.00, unlocked')).toBeVisible();

  const notes = { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') };
  await fan.page.getByLabel('Documents').setInputFiles(notes);
  await typeMessage(fan.page, 'What I tried.');
  await expect(creator.page.getByRole('link', { name: 'Download notes.pdf' })).toBeVisible();

  const film = getBubbles(fan.page).filter({ hasText: 'At the wheel.' });
  await film.getByRole('button', { name: 'Unlock $8.00' }).click();
  await film.getByRole('button', { name: /^Play / }).click({ timeout: 40_000 });
  await expect.poll(async () => (await getPlayerState(fan.page)).frames, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(await fetchWalletBalance(fan.context)).toBe(7);
  await expect(getBubbles(creator.page).getByText('$8.00, unlocked · Opened')).toBeVisible();

  // Rows far outside the window are unmounted, but a started player stays at its position.
  const last = getBubbles(fan.page).filter({ hasText: 'Line 30.' });
  for (let line = 1; line <= 30; line += 1) await sendTextMessage(creator.context, id, `Line ${line}.`);
  await expect(async () => {
    await fan.page.locator('.conv__scroll').evaluate((scroller) => scroller.scrollTo({ top: scroller.scrollHeight }));
    await expect(last).toBeInViewport({ timeout: 1_000 });
  }).toPass();
  await expect(getBubbles(fan.page).filter({ hasText: 'Good evening.' })).toHaveCount(0);
  await film.scrollIntoViewIfNeeded();
  await expect(film.getByRole('region', { name: /^Video: / })).toBeVisible();
  expect((await getPlayerState(fan.page)).time).toBeGreaterThan(0);
});

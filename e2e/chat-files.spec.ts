import { readFile } from 'node:fs/promises';
import { bubbles, converse, openThread, say } from './support/chat.ts';
import { makeClip, played } from './support/films.ts';
import { expect, test } from './support/fixtures.ts';
import { addFunds, balanceOf } from './support/money.ts';

test.use({ isSavingData: false });

test('documents and a film are sold in chat and belong to their buyer, and a fan sends a document', async ({
  person,
}) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  await addFunds(fan.context, 20);
  await openThread(creator.page, 'creator', id);
  await openThread(fan.page, 'fan', id);

  // The film is uploaded first, so that it is ready when the documents are checked.
  const clip = { name: 'wheel.mp4', mimeType: 'video/mp4', buffer: await makeClip() };
  await creator.page.getByLabel('Photos and videos').setInputFiles(clip);
  await creator.page.getByLabel('Price, $').fill('8');
  await say(creator.page, 'At the wheel.');
  const recipe = Buffer.from('Ash 50, clay 30, silica 20.\n'.repeat(100));
  const document = { name: 'glaze recipe.txt', mimeType: 'text/plain', buffer: recipe };
  await creator.page.getByLabel('Documents').setInputFiles(document);
  await creator.page.getByLabel('Price, $').fill('5');
  await say(creator.page, 'My glaze.');

  const glaze = bubbles(fan.page).filter({ hasText: 'My glaze.' });
  await expect(glaze.getByText('glaze recipe.txt')).toBeVisible();
  await expect(glaze.getByRole('link')).toHaveCount(0);
  await glaze.getByRole('button', { name: 'Unlock $5.00' }).click();
  const downloading = fan.page.waitForEvent('download');
  await glaze.getByRole('link', { name: 'Download glaze recipe.txt' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('glaze recipe.txt');
  expect(await readFile(await download.path())).toEqual(recipe);
  await expect(bubbles(creator.page).getByText('$5.00, unlocked')).toBeVisible();

  const notes = { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') };
  await fan.page.getByLabel('Documents').setInputFiles(notes);
  await say(fan.page, 'What I tried.');
  await expect(creator.page.getByRole('link', { name: 'Download notes.pdf' })).toBeVisible();

  const film = bubbles(fan.page).filter({ hasText: 'At the wheel.' });
  await film.getByRole('button', { name: 'Unlock $8.00' }).click();
  await film.getByRole('button', { name: /^Play / }).click({ timeout: 40_000 });
  await expect.poll(async () => (await played(fan.page)).frames, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(await balanceOf(fan.context)).toBe(7);

  await expect(bubbles(creator.page).getByText('$8.00, unlocked · Opened')).toBeVisible();
});

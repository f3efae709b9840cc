import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { bubbles, converse, fillThread, openThread, say, write } from './support/chat.ts';
import { makeClip, untilReady, uploadFile } from './support/films.ts';
import { type ApiClient, baseUrl, callApi, expect, test } from './support/fixtures.ts';
import { addFunds, makeJpeg } from './support/money.ts';
import { expectStill, observeShifts, scrollToMiddle } from './support/shifts.ts';

test.use({ isSavingData: false });

type Sale = { text?: string; price?: number; isViewOnce?: boolean };

function sendMedia(context: ApiClient, conversationId: string, mediaIds: string[], sale: Sale = {}): Promise<unknown> {
  return callApi(context, 'POST', '/message/media', {
    ...{ conversationId, clientId: randomUUID(), mediaIds, text: '', price: 0, isViewOnce: false },
    ...sale,
  });
}

async function sendRecipe(context: ApiClient, conversationId: string, price: number): Promise<void> {
  const file = { name: 'recipe.txt', mimeType: 'text/plain', buffer: Buffer.from('Ash 50, clay 30.') };
  const sent = await context.request.post(`${baseUrl()}/api/message/media-message`, {
    multipart: { conversationId, clientId: randomUUID(), text: 'My glaze.', price: String(price), file },
  });
  expect(sent.ok(), await sent.text()).toBe(true);
}

const preparing = (page: Page) => bubbles(page).getByText('Processing');

test('the thread does not move while pictures and films become ready, are unlocked, and load', async ({
  person,
  apiUser,
}) => {
  const [fan, creator] = [await person('customer', { width: 390 }), await apiUser('creator')];
  const id = await converse(fan, creator);
  await addFunds(fan.context, 50);
  const { page } = fan;
  await observeShifts(page);
  await openThread(page, 'fan', id);
  const upload = async (file: Promise<Buffer>, name: string, type: string) =>
    uploadFile(creator.context, await file, name, type);
  const ids = await Promise.all([
    upload(makeJpeg(600, 800), 'one.jpg', 'image/jpeg'),
    upload(makeJpeg(800, 350), 'two.jpg', 'image/jpeg'),
    upload(makeJpeg(450, 800), 'three.jpg', 'image/jpeg'),
    upload(makeClip(), 'four.mp4', 'video/mp4'),
    upload(makeJpeg(500, 500), 'five.jpg', 'image/jpeg'),
  ]);
  const [one = '', two = '', three = '', film = '', last = ''] = ids;
  await sendMedia(creator.context, id, [three]);
  await sendMedia(creator.context, id, [one, two], { price: 8 });
  await sendRecipe(creator.context, id, 4);
  await sendMedia(creator.context, id, [film], { text: 'At the wheel.', price: 6 });
  await write(creator.context, id, 'That is all.');
  await expect(bubbles(page).last()).toContainText('That is all.');
  await expectStill(page, 'media become ready', async () => {
    for (const each of ids) await untilReady(creator.context, each);
    await expect(preparing(page)).toHaveCount(0, { timeout: 60_000 });
  });

  await sendMedia(creator.context, id, [one], { price: 7, isViewOnce: true });
  await sendMedia(creator.context, id, [two], { text: 'Wide' });
  await sendMedia(creator.context, id, [two, last], { price: 9 });
  const locked = bubbles(page).last().getByRole('button', { name: 'Unlock $9.00' });
  await expect(locked).toBeVisible();
  for (const price of ['$7.00', '$6.00', '$4.00', '$8.00']) {
    const button = bubbles(page).getByRole('button', { name: `Unlock ${price}` });
    await scrollToMiddle(page, button);
    await expectStill(page, `${price} is unlocked`, async () => {
      await button.click();
      await expect(button).toHaveCount(0);
      await expect(bubbles(page).getByText(`Unlocked · ${price}`)).toBeVisible();
    });
  }

  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    (url) => /^\/(?:media|api\/.*asset|files)/.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() === 'image') await promise;
      await route.continue();
    },
  );
  await page.goto('/fan/follow');
  // The thread would open where the reader was when its page was left.
  await page.evaluate(() => sessionStorage.clear());
  await openThread(page, 'fan', id);
  await expect(locked).toBeVisible();
  await expectStill(page, 'pictures load', async () => {
    resolve();
    await expect
      .poll(() =>
        page
          .locator('.conv__scroll .msg img')
          .evaluateAll((all: HTMLImageElement[]) => all.filter((image) => !image.complete).length),
      )
      .toBe(0);
  });
});

test('the thread does not move while messages arrive', async ({ person, apiUser }) => {
  const [fan, creator] = [await person('customer'), await apiUser('creator')];
  const id = await converse(fan, creator);
  const { page } = fan;
  await observeShifts(page);
  await openThread(page, 'fan', id);
  const arrives = async (text: string) => {
    await write(creator.context, id, text);
    await expect(bubbles(page).last()).toContainText(text);
  };
  await expectStill(page, 'a message arrives in a short thread', () => arrives('First'));

  await fillThread(id, 80);
  await openThread(page, 'fan', id);
  await expect(bubbles(page).last()).toContainText('Message 80');
  await expectStill(page, 'a message arrives at the end', () => arrives('Second'), true);
  await expect(bubbles(page).last()).toBeInViewport();

  // Touching the thread holds its position. It scrolls to the end when the finger is lifted.
  const box = await bubbles(page).last().boundingBox();
  await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 12);
  await page.mouse.down();
  await expectStill(page, 'a message arrives under a finger', async () => {
    await write(creator.context, id, 'Third');
    await expect(bubbles(page).filter({ hasText: 'Third' })).toBeAttached();
  });
  await page.mouse.up();
  await expect(bubbles(page).filter({ hasText: 'Third' })).toBeInViewport({ ratio: 1 });

  await page.locator('.conv__scroll').hover();
  await page.mouse.wheel(0, -2_000);
  const pill = page.locator('.conv__pill');
  await expect(pill).toHaveText('Latest');
  await expectStill(page, 'messages arrive further down', async () => {
    await write(creator.context, id, 'Fourth');
    await expect(pill).toHaveText('1 new');
    const mediaId = await uploadFile(creator.context, await makeJpeg(300, 400), 'fifth.jpg', 'image/jpeg');
    await sendMedia(creator.context, id, [mediaId]);
    await expect(pill).toHaveText('2 new');
  });
});

test('the thread does not move while a message is being sent', async ({ person, apiUser }) => {
  const [fan, creator] = [await apiUser('customer'), await person('creator', { width: 390 })];
  const id = await converse(fan, creator);
  const { page } = creator;
  await observeShifts(page);
  await openThread(page, 'creator', id);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/message/**', async (route) => {
    if (route.request().method() === 'POST' && !route.request().url().endsWith('/status')) await promise;
    await route.continue();
  });
  const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') };
  const picture = { name: 'kiln.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(800, 600) };
  await page.getByLabel('Documents').setInputFiles(notes);
  await say(page, 'My notes.');
  await page.getByLabel('Documents').setInputFiles(notes);
  await say(page, '');
  await page.getByLabel('Photos and videos').setInputFiles(picture);
  await page.getByLabel('Price, $').fill('5');
  await say(page, 'The kiln.');
  await page.getByLabel('Photos and videos').setInputFiles(picture);
  await say(page, '');
  await say(page, '🔥');
  const sending = bubbles(page).getByRole('img', { name: 'Sending' });
  await expect(sending).toHaveCount(5);
  await expectStill(page, 'what is sent arrives', async () => {
    resolve();
    await expect(sending).toHaveCount(0, { timeout: 60_000 });
  });
});

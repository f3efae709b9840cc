import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { fillThread, getBubbles, openThread, sendTextMessage, startConversation, typeMessage } from './support/chat.ts';
import { makeClip, uploadTestFile, waitForProcessing } from './support/films.ts';
import { type ApiClient, callApi, expect, getBaseUrl, test } from './support/fixtures.ts';
import { expectNoMovement, observeShifts, scrollToMiddle } from './support/layout-shifts.ts';
import { addFunds, makeJpeg } from './support/money.ts';

test.use({ isSavingData: false });

type MediaMessageInput = { text?: string; price?: number; isViewOnce?: boolean };

function sendMedia(
  context: ApiClient,
  conversationId: string,
  mediaIds: string[],
  options: MediaMessageInput = {},
): Promise<unknown> {
  return callApi(context, 'POST', '/message/media', {
    ...{ conversationId, clientId: randomUUID(), mediaIds, text: '', price: 0, isViewOnce: false },
    ...options,
  });
}

async function sendRecipe(context: ApiClient, conversationId: string, price: number): Promise<void> {
  const file = { name: 'recipe.txt', mimeType: 'text/plain', buffer: Buffer.from('Ash 50, clay 30.') };
  const response = await context.request.post(`${getBaseUrl()}/api/message/media-message`, {
    multipart: { conversationId, clientId: randomUUID(), text: 'My glaze.', price: String(price), file },
  });
  expect(response.ok(), await response.text()).toBe(true);
}

const getPreparing = (page: Page) => getBubbles(page).getByText('Processing');

test('the thread does not move while pictures and films become ready, are unlocked, and load', async ({
  createUser,
  createApiUser,
}) => {
  const [fan, creator] = [await createUser('customer', { width: 390 }), await createApiUser('creator')];
  const id = await startConversation(fan, creator);
  await addFunds(fan.context, 50);
  const { page } = fan;
  await observeShifts(page);
  await openThread(page, 'fan', id);
  const upload = async (file: Promise<Buffer>, name: string, type: string) =>
    uploadTestFile(creator.context, await file, name, type);
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
  await sendTextMessage(creator.context, id, 'That is all.');
  await expect(getBubbles(page).last()).toContainText('That is all.');
  await expectNoMovement(page, 'media become ready', async () => {
    for (const each of ids) await waitForProcessing(creator.context, each);
    await expect(getPreparing(page)).toHaveCount(0, { timeout: 60_000 });
  });

  await sendMedia(creator.context, id, [one], { price: 7, isViewOnce: true });
  await sendMedia(creator.context, id, [two], { text: 'Wide' });
  await sendMedia(creator.context, id, [two, last], { price: 9 });
  const locked = getBubbles(page).last().getByRole('button', { name: 'Unlock $9.00' });
  await expect(locked).toBeVisible();
  for (const price of ['$7.00', '$6.00', '$4.00', '$8.00']) {
    const button = getBubbles(page).getByRole('button', { name: `Unlock ${price}` });
    await scrollToMiddle(page, button);
    await expectNoMovement(page, `${price} is unlocked`, async () => {
      await button.click();
      await expect(button).toHaveCount(0);
      await expect(getBubbles(page).getByText(`Unlocked · ${price}`)).toBeVisible();
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
  await expectNoMovement(page, 'pictures load', async () => {
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

test('the thread does not move while messages arrive, or a bar appears above it', async ({
  createUser,
  createApiUser,
}) => {
  const [fan, creator] = [await createUser('customer'), await createApiUser('creator')];
  const id = await startConversation(fan, creator);
  const { page } = fan;
  await observeShifts(page);
  await openThread(page, 'fan', id);
  const sendAndWait = async (text: string) => {
    await sendTextMessage(creator.context, id, text);
    await expect(getBubbles(page).last()).toContainText(text);
  };
  await expectNoMovement(page, 'a message arrives in a short thread', () => sendAndWait('First'));

  await fillThread(id, 80);
  await openThread(page, 'fan', id);
  await expect(getBubbles(page).last()).toContainText('Message 80');
  await expectNoMovement(page, 'a message arrives at the end', () => sendAndWait('Second'), true);
  await expect(getBubbles(page).last()).toBeInViewport();

  // Touching the thread holds its position. It scrolls to the end when the finger is lifted.
  const box = await getBubbles(page).last().boundingBox();
  await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 12);
  await page.mouse.down();
  await expectNoMovement(page, 'a message arrives under a finger', async () => {
    await sendTextMessage(creator.context, id, 'Third');
    await expect(getBubbles(page).filter({ hasText: 'Third' })).toBeAttached();
  });
  await page.mouse.up();
  await expect(getBubbles(page).filter({ hasText: 'Third' })).toBeInViewport({ ratio: 1 });

  // A reader who scrolled up a little is not moved to the end by a press, and a press also works while the thread scrolls.
  const scroller = page.locator('.conv__scroll');
  const isPressable = await scroller.evaluate(async (element) => {
    element.scrollBy({ top: -40 });
    await new Promise((resolve) => element.addEventListener('scroll', () => requestAnimationFrame(resolve)));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const { left, width, bottom } = element.getBoundingClientRect();
    return document.elementsFromPoint(left + width / 2, bottom - 80).some((under) => under.matches('.msg'));
  });
  expect(isPressable).toBe(true);
  await expectNoMovement(page, 'the thread is pressed', async () => {
    await scroller.click({ position: { x: 4, y: 100 } });
    const pressedAt = await page.evaluate(() => performance.now());
    await page.waitForFunction((at) => performance.now() > at + 500, pressedAt);
  });

  await scroller.hover();
  await page.mouse.wheel(0, -2_000);
  const pill = page.locator('.conv__pill');
  await expect(pill).toHaveText('Latest');
  await expectNoMovement(page, 'messages arrive further down', async () => {
    await sendTextMessage(creator.context, id, 'Fourth');
    await expect(pill).toHaveText('1 new');
    const mediaId = await uploadTestFile(creator.context, await makeJpeg(300, 400), 'fifth.jpg', 'image/jpeg');
    await sendMedia(creator.context, id, [mediaId]);
    await expect(pill).toHaveText('2 new');
  });

  // A bar above the page makes the thread lower. What is read stays in place.
  const readId = await page.locator('.conv__scroll').evaluate((scroller) => {
    const { left, top, width, height } = scroller.getBoundingClientRect();
    const rows = document.elementsFromPoint(left + width / 2, top + height / 2);
    return rows.find((row) => row.matches('.msg'))?.getAttribute('data-message');
  });
  const getReadTop = async () => Math.round((await page.locator(`[data-message="${readId}"]`).boundingBox())?.y ?? 0);
  const readTop = await getReadTop();
  await fan.context.setOffline(true);
  await expect(page.getByText('You’re offline.')).toBeVisible();
  await expect.poll(getReadTop).toBe(readTop);
  await fan.context.setOffline(false);
  await expect(page.getByText('You’re offline.')).toHaveCount(0);
  await expect.poll(getReadTop).toBe(readTop);
});

test('the thread does not move while a message is being sent', async ({ createUser, createApiUser }) => {
  const [fan, creator] = [await createApiUser('customer'), await createUser('creator', { width: 390 })];
  const id = await startConversation(fan, creator);
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
  await typeMessage(page, 'My notes.');
  await page.getByLabel('Documents').setInputFiles(notes);
  await typeMessage(page, '');
  await page.getByLabel('Photos and videos').setInputFiles(picture);
  await page.getByLabel('Price, $').fill('5');
  await typeMessage(page, 'The kiln.');
  await page.getByLabel('Photos and videos').setInputFiles(picture);
  await typeMessage(page, '');
  await typeMessage(page, '🔥');
  const sending = getBubbles(page).getByRole('img', { name: 'Sending' });
  await expect(sending).toHaveCount(5);
  await expectNoMovement(page, 'what is sent arrives', async () => {
    resolve();
    await expect(sending).toHaveCount(0, { timeout: 60_000 });
  });
});

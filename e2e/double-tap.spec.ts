import type { Locator, Page } from '@playwright/test';
import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import { getBubbles, getMessageField, openThread, startConversation } from './support/chat.ts';
import { callApi, expect, test, waitForHydration } from './support/fixtures.ts';
import { makePicture } from './support/money.ts';
import { expectTouchable, tap } from './support/touch.ts';

const BETWEEN_TAPS_S = 0.12;
const DOUBLE_TAP_S = 0.5;

/** Taps twice at the same position, as quickly as a thumb does. `position`: 0 for the left edge, 1 for the right. */
async function doubleTap(page: Page, target: Locator, position = 0.5): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} has no box`);
  const touchPoints = [{ x: box.x + box.width * position, y: box.y + box.height / 2 }];
  const browser = await page.context().newCDPSession(page);
  const first = Date.now() / 1_000;
  const tapAt = async (timestamp: number) => {
    await browser.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints, timestamp });
    await browser.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp: timestamp + 0.02 });
  };
  // Between two taps of a thumb, the click of the first one is always handled. A busy browser may deliver it later than that.
  const clicked = await page.evaluateHandle(() => {
    const click = new Promise((resolve) => {
      addEventListener('click', resolve, { capture: true, once: true });
      // A browser that is too busy may take the first touch for a long press, which has no click.
      setTimeout(resolve, 2_000);
    });
    return { click };
  });
  await tapAt(first);
  await clicked.evaluate(({ click }) => click.then(() => undefined));
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  // The event time is that of a quick second tap, even if a busy machine was slower.
  const second = first + BETWEEN_TAPS_S;
  await tapAt(second);
  await browser.detach();
  await page.waitForFunction((end) => Date.now() > end, (second + DOUBLE_TAP_S) * 1_000);
}

test('the second tap of a double tap does not press what moved under the thumb, and a long voice message fits a narrow phone', async ({
  createUser,
  createApiUser,
}) => {
  const width = 360;
  const [fan, creator] = [await createUser('customer', { isPhone: true, width }), await createApiUser('creator')];
  const id = await startConversation(fan, creator);
  const { page } = fan;
  await page.goto(`/profile/${creator.username}`);
  await waitForHydration(page);
  await doubleTap(page, page.getByRole('button', { name: `Follow ${creator.username}` }).first());
  await expect(page.getByRole('button', { name: `Following ${creator.username}` }).first()).toBeVisible();
  await expect
    .poll(
      async () => (await callApi<{ following: number }>(fan.context, 'GET', '/customer/following-counts')).following,
    )
    .toBe(1);

  await openThread(page, 'fan', id);
  await getMessageField(page).fill('Twice tapped.');
  await doubleTap(page, page.getByRole('button', { name: 'Send', exact: true }));
  await expect(getBubbles(page).filter({ hasText: 'Twice tapped.' })).toHaveCount(1);
  await expect(page.getByRole('timer')).toHaveCount(0);
  await tap(page, page.getByRole('button', { name: 'Record a voice message' }));
  await expect(page.getByRole('timer')).toHaveText('00:01');
  const discard = page.getByRole('button', { name: 'Discard recording' });
  const mic = page.getByRole('button', { name: 'Record a voice message' });
  await doubleTap(page, discard);
  await expect(mic).toBeFocused();
  await expect(page.getByRole('menu')).toHaveCount(0);
  await tap(page, mic);
  // After six seconds the waveform has more bars than fit.
  await expect(page.getByRole('timer')).toHaveText('00:06');
  const sendVoice = page.getByRole('button', { name: 'Send voice message' });
  const box = await sendVoice.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
  await doubleTap(page, sendVoice);
  await expect(getBubbles(page).getByRole('button', { name: /^Play / })).toHaveCount(1);
  const findNewest = async () =>
    (await callApi<{ data: Message[] }>(creator.context, 'GET', `/message/list/${id}?limit=1`)).data[0];
  await expect.poll(async () => (await findNewest())?.voice?.durationSeconds ?? 0).toBeGreaterThan(5);
  await expect(page.getByRole('timer')).toHaveCount(0);
  await expect(mic).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(discard).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(mic).toBeFocused();

  await tap(page, page.getByRole('button', { name: 'Chat details' }));
  await tap(page, page.getByRole('button', { name: 'Block', exact: true }));
  const blockDialog = page.getByRole('dialog', { name: `Block ${creator.username}?` });
  await expect(blockDialog).toContainText('you’ll unfollow them');
  await expect(blockDialog).toContainText('You keep what you’ve unlocked.');
  const confirm = blockDialog.getByRole('button', { name: 'Block', exact: true });
  await page.evaluate(() => {
    document.addEventListener('click', (event) => {
      if (event.target instanceof HTMLElement)
        document.body.dataset.pressed = `${document.body.dataset.pressed ?? ''}|${event.target.textContent}`;
    });
  });
  await expect(async () => {
    const before = await confirm.boundingBox();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await confirm.boundingBox()).toEqual(before);
  }).toPass();
  await doubleTap(page, confirm);
  await expect(page.getByText(new RegExp(`^Blocked ${creator.username}\\.`))).toBeVisible();
  await expect(page.getByRole('button', { name: /^Unblock/ }).first()).toBeVisible();
  expect(await page.evaluate(() => document.body.dataset.pressed)).toBe('|Block');
});

async function isWithin(page: Page, target: Locator): Promise<boolean> {
  const box = await target.boundingBox();
  return box !== null && box.x >= 0 && box.x + box.width <= (page.viewportSize()?.width ?? 0);
}

test('the section “More” of a new post opens above the bar, and what is typed and chosen there is not lost', async ({
  createUser,
}) => {
  test.setTimeout(90_000);
  const { page, context } = await createUser('creator', { isPhone: true });
  await page.goto('/creator/post/add');
  await waitForHydration(page);
  const picture = { name: 'one.jpg', mimeType: 'image/jpeg', buffer: await makePicture() };
  await page.getByLabel('Choose files').setInputFiles(picture);
  await expect(page.getByText(/, ready$/)).toHaveCount(1, { timeout: 30_000 });
  await tap(page, page.getByText('Paid', { exact: true }));
  await tap(page, page.getByLabel('Caption'));
  await page.getByLabel('Price').fill('5');
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.evaluate(() => scrollTo(0, 0));
  const bar = page.locator('.action-bar');
  const isAboveBar = async (target: Locator) => {
    const [box, edge] = [await target.boundingBox(), await bar.boundingBox()];
    return (box?.y ?? 0) + (box?.height ?? 0) <= (edge?.y ?? 0);
  };
  const more = page.getByRole('button', { name: /^More/ });
  // A raw tap, because Playwright's own would scroll first.
  const box = await more.boundingBox();
  await page.touchscreen.tap((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
  const later = page.getByText('Schedule', { exact: true });
  await expect.poll(() => isAboveBar(later)).toBe(true);
  await tap(page, later);
  await expect(page.getByRole('button', { name: /^Schedule/ })).toBeVisible();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect.poll(() => isAboveBar(page.getByLabel('Tag people').first())).toBe(true);

  // Files that cannot be in one post are reported before they are uploaded.
  const canUpload = Promise.withResolvers<void>();
  await page.route('**/files**', async (route) => {
    await canUpload.promise;
    await route.continue();
  });
  const files = page.getByRole('region', { name: 'Files' });
  await page.getByLabel('Choose files').setInputFiles({ ...picture, name: 'film.mp4', mimeType: 'video/mp4' });
  await expect(files.getByRole('alert')).toContainText('one video');
  await tap(page, page.getByRole('button', { name: 'Remove video 2' }));
  await expect(files.getByRole('alert')).toHaveCount(0);
  await page.getByLabel('Choose files').setInputFiles({ ...picture, name: 'two.jpg' });
  const progress = page.getByRole('progressbar', { name: 'Uploading two.jpg' });
  const [barBox, tileBox] = [
    await progress.boundingBox(),
    await page.getByRole('button', { name: /^Photo 2,/ }).boundingBox(),
  ];
  expect((barBox?.x ?? 0) - (tileBox?.x ?? 0)).toBe(4);
  expect(barBox?.width).toBe((tileBox?.width ?? 0) - 8);

  // All pictures of the library, and not one of its first rows, would cover the button.
  await page.route('**/api/creator/media?**', async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: { media: { id: string } }[] };
    const many = Array.from({ length: 30 }, (_, index) => ({
      ...data[0],
      media: { ...data[0]?.media, id: `${data[0]?.media.id.slice(0, -2)}${index + 10}` },
    }));
    await route.fulfill({ json: { data: many, limit: 30, totalCount: 30 } });
  });
  await page.getByRole('button', { name: 'From your library' }).click();
  const library = page.getByRole('dialog', { name: 'Media library' });
  await tap(page, library.getByRole('checkbox').first());
  await expectTouchable(library.getByRole('button', { name: 'Add 1 file' }));
  await expect(library.getByRole('checkbox').last()).not.toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(library).toBeHidden();

  const tags = page.getByLabel('Tags', { exact: true });
  await tap(page, tags);
  await page.keyboard.type('porcelain');
  const waiting = page.getByRole('button', { name: 'Scheduling when uploaded…' });
  const cancel = page.getByRole('button', { name: 'Cancel' });
  await doubleTap(page, page.getByRole('button', { name: /^Schedule/ }), 0.95);
  await expect(cancel).toBeVisible();
  await doubleTap(page, cancel);
  await expect(waiting).toHaveCount(0);
  await tap(page, page.getByRole('button', { name: /^Schedule/ }));
  await expect(waiting).toBeVisible();
  await expect(tags).toBeFocused();

  for (const percent of [150, 200]) {
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', `${size}%`), percent);
    await expect.poll(async () => isWithin(page, cancel), `Cancel at ${percent} %`).toBe(true);
    const status = page.getByRole('main').getByText(/^(Saved|Edited|Not saved)/);
    expect(await status.evaluate((element) => element.scrollWidth <= element.clientWidth), `${percent} %`).toBe(true);
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  canUpload.resolve();
  await expect(page).toHaveURL(/status=scheduled/, { timeout: 30_000 });
  const { data } = await callApi<{ data: { tags: string[] }[] }>(context, 'GET', '/creator/drafts?state=scheduled');
  expect(data.map((draft) => draft.tags)).toEqual([['porcelain']]);
});

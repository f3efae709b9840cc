import type { Locator, Page } from '@playwright/test';
import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import { getBubbles, getMessageField, openThread, startConversation } from './support/chat.ts';
import { callApi, expect, test, waitForHydration } from './support/fixtures.ts';
import { makePicture } from './support/money.ts';
import { tap } from './support/touch.ts';

const BETWEEN_TAPS_S = 0.12;
const DOUBLE_TAP_S = 0.5;

/** Taps twice at the same position, as quickly as a thumb does. */
async function doubleTap(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} has no box`);
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
  const browser = await page.context().newCDPSession(page);
  const first = Date.now() / 1_000;
  const tapAt = async (timestamp: number) => {
    await browser.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints, timestamp });
    await browser.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp: timestamp + 0.02 });
  };
  await tapAt(first);
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

test('the section “More” of a new post opens above the bar', async ({ createUser }) => {
  const { page } = await createUser('creator', { isPhone: true });
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
});

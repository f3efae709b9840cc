/** What a thumb does on a phone: it taps twice, speaks for long, and presses what lies where it is. */
import type { Locator, Page } from '@playwright/test';
import { bubbles, converse, field, idOf, openThread, say } from './support/chat.ts';
import { callApi, expect, hydrated, logIn, test } from './support/fixtures.ts';
import { addFunds, makeJpeg, publish } from './support/money.ts';
import { tap } from './support/touch.ts';

const BETWEEN_TAPS_S = 0.12;

/** Two taps at the same place, as close to each other as a thumb makes them. */
async function doubleTap(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} has no box`);
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
  const browser = await page.context().newCDPSession(page);
  // Both are a moment ago by the browser's clock, however busy the machine is: what is pressed next is a press of its own.
  const first = Date.now() / 1_000 - 1;
  const tapAt = async (timestamp: number) => {
    await browser.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints, timestamp });
    await browser.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp: timestamp + 0.02 });
  };
  await tapAt(first);
  // What the first tap changes is drawn before a thumb is back.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await tapAt(first + BETWEEN_TAPS_S);
  await browser.detach();
}

for (const width of [390, 360])
  test(`a voice message is sent however long it is, on ${width} px`, async ({ person }) => {
    const [fan, creator] = [await person('customer', { isPhone: true, width }), await person('creator')];
    const id = await converse(fan, creator);
    const { page } = fan;
    await openThread(page, 'fan', id);
    await tap(page, page.getByRole('button', { name: 'Record a voice message' }));
    // As many bars as the row has room for, and more.
    await expect(page.getByRole('timer')).toHaveText('00:06');
    const send = page.getByRole('button', { name: 'Send the voice message' });
    const box = await send.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
    await tap(page, send);
    await expect(bubbles(page).getByRole('button', { name: /^Play / })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Record a voice message' })).toBeVisible();
  });

test('a photo bought in chat opens from one’s media, and closes to it', async ({ person }) => {
  const [fan, creator] = [await person('customer', { isPhone: true }), await person('creator')];
  const id = await converse(fan, creator);
  await addFunds(fan.context, 20);
  await openThread(creator.page, 'creator', id);
  const picture = { name: 'encore.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(900, 700) };
  await creator.page.getByLabel('Photos and videos').setInputFiles(picture);
  await creator.page.getByLabel('Price, $').fill('8');
  await say(creator.page, 'The encore.');
  const { page } = fan;
  await openThread(page, 'fan', id);
  await tap(page, page.getByRole('button', { name: 'Unlock $8.00' }));
  await expect(page.getByRole('button', { name: /^Open the photo/ })).toBeVisible({ timeout: 30_000 });
  await page.goto('/fan/media?tab=chat');
  await hydrated(page);
  const main = page.getByRole('main');
  await tap(page, main.locator('li').filter({ hasText: 'The encore.' }).getByRole('button').first());
  await expect(page).toHaveURL(/\/fan\/media\?tab=chat#see-/);
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/\/fan\/media\?tab=chat$/);
  await expect(main).toContainText('The encore.');
});

test('what was paid for stays open after a block, without what the author shows beside it', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  await addFunds(fan.context, 20);
  const postId = await publish(creator.context, { caption: 'Paid for', priceUsd: 5 });
  await publish(creator.context, { caption: 'Another' });
  const { page } = fan;
  await page.goto(`/post/${postId}`);
  await hydrated(page);
  await expect(page.getByRole('heading', { name: /^More from/ })).toBeVisible();
  await page.getByRole('button', { name: 'Unlock $5.00' }).click();
  await expect(page.getByRole('button', { name: /^Enlarge/ })).toBeVisible();
  const customerId = await idOf(fan.context);
  await callApi(creator.context, 'POST', `/message/block-unblock-customer/${customerId}`, { isBlocked: true });
  await page.reload();
  await expect(page.getByRole('button', { name: /^Enlarge/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: /^More from/ })).toHaveCount(0);
});

test('the second tap of a double tap presses nothing that came under the thumb', async ({ person }) => {
  const [fan, creator] = [await person('customer', { isPhone: true }), await person('creator')];
  const id = await converse(fan, creator);
  const { page } = fan;
  await page.goto(`/profile/${creator.username}`);
  await hydrated(page);
  await doubleTap(page, page.getByRole('button', { name: `Follow ${creator.username}` }).first());
  await expect(page.getByRole('button', { name: `Following ${creator.username}` }).first()).toBeVisible();
  await expect
    .poll(
      async () => (await callApi<{ following: number }>(fan.context, 'GET', '/customer/following-counts')).following,
    )
    .toBe(1);

  await openThread(page, 'fan', id);
  await field(page).fill('Twice tapped.');
  await doubleTap(page, page.getByRole('button', { name: 'Send', exact: true }));
  await expect(bubbles(page).filter({ hasText: 'Twice tapped.' })).toHaveCount(1);
  // The microphone is there, and was not pressed.
  await expect(page.getByRole('timer')).toHaveCount(0);
  await tap(page, page.getByRole('button', { name: 'Record a voice message' }));
  await expect(page.getByRole('timer')).toHaveText('00:01');
  // Nor is what comes up where either way out of a recording was.
  const discard = page.getByRole('button', { name: 'Discard the recording' });
  const mic = page.getByRole('button', { name: 'Record a voice message' });
  await doubleTap(page, discard);
  await expect(mic).toBeFocused();
  await expect(page.getByRole('menu')).toHaveCount(0);
  await tap(page, mic);
  await expect(page.getByRole('timer')).toHaveText('00:01');
  await doubleTap(page, page.getByRole('button', { name: 'Send the voice message' }));
  await expect(bubbles(page).getByRole('button', { name: /^Play / })).toHaveCount(1);
  await expect(page.getByRole('timer')).toHaveCount(0);
  await expect(mic).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(discard).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(mic).toBeFocused();

  await tap(page, page.getByRole('button', { name: 'Conversation details' }));
  await tap(page, page.getByRole('button', { name: 'Block', exact: true }));
  const ask = page.getByRole('dialog', { name: `Block ${creator.username}?` });
  await expect(ask).toContainText('your follow ends');
  await expect(ask).toContainText('What you bought stays yours.');
  const confirm = ask.getByRole('button', { name: 'Block', exact: true });
  // Whatever lies behind it is under the same thumb.
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
  await expect(page.getByText(`You have blocked ${creator.username}:`, { exact: false })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Unblock/ }).first()).toBeVisible();
  expect(await page.evaluate(() => document.body.dataset.pressed)).toBe('|Block');
});

test('a session that ends in mid-talk leaves the words where they are, and says what becomes of them', async ({
  person,
  open,
}) => {
  const [fan, creator] = [await person('customer', { isPhone: true }), await person('creator')];
  const id = await converse(fan, creator);
  const { page } = fan;
  await openThread(page, 'fan', id);
  await field(page).fill('Are you there?');
  const elsewhere = await open();
  await logIn(elsewhere.context, fan.username);
  await callApi(elsewhere.context, 'POST', '/auth/sessions/revoke-others');
  await expect(page.getByText('Your session has ended. Log in again in another tab', { exact: false })).toBeVisible();
  await tap(page, page.getByRole('button', { name: 'Send', exact: true }));
  await expect(
    page.getByText('Not sent: your session has ended. It is sent once you are logged in again.'),
  ).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/fan/chat/${id}$`));
  await openThread(creator.page, 'creator', id);
  await expect(bubbles(creator.page).filter({ hasText: 'Are you there?' })).toHaveCount(0);
  // Logged in again in another tab, it goes out.
  await logIn(fan.context, fan.username);
  await expect(bubbles(creator.page).filter({ hasText: 'Are you there?' })).toHaveCount(1, { timeout: 40_000 });
  await expect(page.getByText('Not sent:', { exact: false })).toHaveCount(0);
});

test('what opens under “More” of a new post comes out from under the bar', async ({ person }) => {
  const { page } = await person('creator', { isPhone: true });
  await page.goto('/creator/post/add');
  await hydrated(page);
  const jpeg = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await makeJpeg(600, 800) });
  await page.getByLabel('Choose files').setInputFiles([await jpeg('one.jpg'), await jpeg('two.jpg')]);
  await expect(page.getByText(/, ready$/)).toHaveCount(2, { timeout: 30_000 });
  await tap(page, page.getByText('Paid', { exact: true }));
  await tap(page, page.getByLabel('Caption'));
  await page.getByLabel('Price').fill('5');
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.evaluate(() => scrollTo(0, 0));
  const bar = page.locator('.action-bar');
  const isClear = async (target: Locator) => {
    const [box, edge] = [await target.boundingBox(), await bar.boundingBox()];
    return (box?.y ?? 0) + (box?.height ?? 0) <= (edge?.y ?? 0);
  };
  const more = page.getByRole('button', { name: /^More/ });
  // As the page stands, without being scrolled by whoever looks.
  const box = await more.boundingBox();
  await page.touchscreen.tap((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
  const later = page.getByText('At a time', { exact: true });
  await expect.poll(() => isClear(later)).toBe(true);
  await tap(page, later);
  await expect(page.getByRole('button', { name: /^Schedule/ })).toBeVisible();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect.poll(() => isClear(page.getByLabel('People in it').first())).toBe(true);
});

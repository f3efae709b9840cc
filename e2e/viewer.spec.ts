import type { Page } from '@playwright/test';
import { getBubbles, getMessageField, openThread, startConversation } from './support/chat.ts';
import { callApi, expect, expectAccessible, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, publishPictures } from './support/money.ts';

test.use({ isSavingData: false });

const current = '.yarl__slide_current';

/** The position of the picture. While a larger version loads there are two, and the visible one is last. */
async function getBox(page: Page): Promise<{ x: number; width: number }> {
  return (await page.locator(`${current} img`).last().boundingBox()) ?? { x: 0, width: 0 };
}

async function getWidth(page: Page): Promise<number> {
  return (await getBox(page)).width;
}

test('a set is browsed, zoomed and panned by mouse, keys and fingers, and Back and Escape close it', async ({
  createUser,
  open,
  createApiUser,
}) => {
  const [creator, fan] = [await createApiUser('creator'), await createUser('customer')];
  const postId = await publishPictures(creator.context, { caption: 'Two', pictures: 2, isLarge: true });
  const { page } = fan;
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await page.goto(`/post/${postId}`);
  await waitForHydration(page);
  await page.waitForLoadState('networkidle');
  expect(requestedPaths.filter((path) => /viewer-lightbox/.test(path))).toEqual([]);

  const opener = page.getByRole('button', { name: 'View Evening light full screen' }).first();
  await opener.click();
  const count = page.locator('.viewer__count');
  await expect(count).toHaveText('1 of 2');
  await expectAccessible(page);
  await expect(page.getByText('Evening light')).toBeVisible();
  await expect.poll(() => getWidth(page)).toBeGreaterThan(300);
  const initialWidth = await getWidth(page);
  await page.mouse.move(720, 450);
  await page.mouse.wheel(0, -400);
  await expect.poll(() => getWidth(page)).toBeGreaterThan(initialWidth * 1.3);
  await page.mouse.wheel(0, -1_200);
  await expect.poll(() => getWidth(page)).toBeGreaterThan(1_440);
  const before = await getBox(page);
  await page.mouse.down();
  await page.mouse.move(640, 450, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await getBox(page)).x).toBeLessThan(before.x);
  await page.mouse.down();
  await page.mouse.move(-4_000, 450, { steps: 4 });
  await page.mouse.up();
  const box = await getBox(page);
  expect(box.x + box.width).toBeGreaterThanOrEqual(700);
  await page.mouse.move(720, 450);
  await expect(async () => {
    await page.mouse.wheel(0, 600);
    expect(await getWidth(page)).toBeCloseTo(initialWidth, 0);
  }).toPass();
  await page.mouse.dblclick(720, 450);
  await expect.poll(() => getWidth(page)).toBeGreaterThan(initialWidth * 1.3);
  await page.mouse.dblclick(720, 450);
  await expect.poll(() => getWidth(page)).toBeCloseTo(initialWidth, 0);

  await page.keyboard.press('ArrowRight');
  await expect(count).toHaveText('2 of 2');
  await page.mouse.move(400, 450);
  await page.mouse.down();
  await page.mouse.move(1_000, 450, { steps: 6 });
  await page.mouse.up();
  await expect(count).toHaveText('1 of 2');
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.viewer, body')?.tagName)).not.toBe('MAIN');
    expect(await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))).toBe(false);
  }
  await page.goBack();
  await expect(page.locator('.viewer')).toHaveCount(0);
  expect(page.url()).not.toContain('#');
  await expect(opener).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(count).toHaveText('1 of 2');
  await page.reload();
  await expect(count).toHaveText('1 of 2');
  await page.keyboard.press('Escape');
  await expect(page.locator('.viewer')).toHaveCount(0);

  const phone = await open({ isPhone: true });
  await phone.context.addCookies(await fan.context.cookies());
  await phone.page.goto(`/post/${postId}`);
  await waitForHydration(phone.page);
  await phone.page
    .getByRole('button', { name: /^View .* full screen$/ })
    .first()
    .click();
  const counter = phone.page.locator('.viewer__count');
  await expect(counter).toHaveText('1 of 2');
  await expect.poll(() => getWidth(phone.page)).toBeGreaterThan(300);
  const session = await phone.context.newCDPSession(phone.page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x, id) => ({ x, y: 420, id })) });
  await touch('touchStart', 330);
  for (const x of [280, 200, 120, 60]) await touch('touchMove', x);
  await touch('touchEnd');
  await expect(counter).toHaveText('2 of 2');
  await expect.poll(() => getWidth(phone.page)).toBeGreaterThan(300);
  const narrow = await getWidth(phone.page);
  await touch('touchStart', 170, 220);
  for (const spread of [20, 50, 80, 110]) await touch('touchMove', 170 - spread, 220 + spread);
  await touch('touchEnd');
  await expect.poll(() => getWidth(phone.page)).toBeGreaterThan(narrow * 1.5);
  const zoomOut = phone.page.getByRole('button', { name: 'Zoom out' });
  while (await zoomOut.isEnabled()) await zoomOut.click();
  await expect.poll(() => getWidth(phone.page)).toBeCloseTo(narrow, 0);
});

/**
 * Whether the page prevents the default of an event that `action` causes. Repeats `action` if the page did not receive the
 * event.
 */
async function isPrevented(page: Page, type: string, action: () => Promise<void>): Promise<boolean> {
  let prevented: string | undefined;
  await expect(async () => {
    await page.evaluate((name) => {
      delete document.body.dataset.heldBack;
      const listener = (event: Event) => {
        document.body.dataset.heldBack = String(event.defaultPrevented);
        event.preventDefault();
      };
      addEventListener(name, listener, { once: true });
    }, type);
    await action();
    prevented = await page.evaluate(() => document.body.dataset.heldBack);
    expect(prevented).toBeDefined();
  }).toPass();
  return prevented === 'true';
}

const createDrag = (page: Page, name: string) => async () => {
  const box = await page.getByRole('img', { name }).first().boundingBox();
  if (!box) throw new Error('no picture');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y + 40, { steps: 4 });
  // Released outside of the picture, because a click on it opens the viewer.
  await page.mouse.move(1, 1);
  await page.mouse.up();
};
const listStyleSheets = (page: Page) =>
  page.evaluate(() => document.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules].map((rule) => rule.cssText)));

test('with protection on, paid pictures cannot be dragged or saved by mouse, and fields, keys and free posts work', async ({
  createUser,
  createApiUser,
}) => {
  const [creator, other, fan] = [
    await createApiUser('creator'),
    await createApiUser('creator'),
    await createUser('customer'),
  ];
  await callApi(fan.context, 'POST', `/customer/follow/${creator.id}`, { isFollowed: true });
  const [free, paid] = [
    await publishPictures(other.context, { caption: 'Free' }),
    await publishPictures(creator.context, { caption: 'Paid', priceUsd: 5 }),
  ];
  const { page } = fan;
  await addFunds(fan.context, 20);
  await callApi(fan.context, 'POST', `/post/unlock/${paid}`, { price: 5 });
  const createRightClick = (name: string) => () => page.getByRole('img', { name }).first().click({ button: 'right' });
  const picture = 'Evening light';

  await page.goto(`/post/${paid}`);
  await waitForHydration(page);
  await expect.poll(() => isPrevented(page, 'contextmenu', createRightClick(picture))).toBe(true);
  expect(await isPrevented(page, 'keydown', () => page.keyboard.press('F12'))).toBe(true);
  expect(await isPrevented(page, 'keydown', () => page.keyboard.press('Tab'))).toBe(false);
  const rightClickHeading = () => page.getByRole('heading', { level: 1 }).click({ button: 'right' });
  expect(await isPrevented(page, 'contextmenu', rightClickHeading)).toBe(false);
  expect(await isPrevented(page, 'dragstart', createDrag(page, picture))).toBe(true);
  expect(await listStyleSheets(page)).toEqual([expect.stringMatching(/^:is\(img, .*\.pic/)]);
  const opener = page.getByRole('button', { name: 'View Evening light full screen' });
  expect(await isPrevented(page, 'contextmenu', () => opener.first().press('ContextMenu'))).toBe(false);

  const pressF12 = () => page.keyboard.press('F12');
  const nav = page.getByRole('navigation', { name: 'Main' }).first();
  const main = page.getByRole('main');
  for (const [name, post] of [
    [/^Media/, main.getByRole('link', { name: /Paid/ })],
    [/^Feed/, main.getByRole('article')],
  ] as const) {
    await nav.getByRole('link', { name }).click();
    await expect(post).toBeVisible();
    await expect.poll(() => isPrevented(page, 'keydown', pressF12), String(name)).toBe(true);
  }

  await openThread(page, 'fan', await startConversation(fan, creator));
  await waitForHydration(page);
  await getBubbles(page).first().click();
  await expect.poll(() => isPrevented(page, 'keydown', pressF12)).toBe(true);
  expect(await isPrevented(page, 'keydown', () => getMessageField(page).press('F12'))).toBe(false);
  expect(await isPrevented(page, 'contextmenu', () => getMessageField(page).click({ button: 'right' }))).toBe(false);

  await page.goto(`/post/${free}`);
  await waitForHydration(page);
  await page.waitForLoadState('networkidle');
  expect(await isPrevented(page, 'contextmenu', createRightClick(picture))).toBe(false);
  expect(await isPrevented(page, 'keydown', () => page.keyboard.press('F12'))).toBe(false);
  expect(await isPrevented(page, 'dragstart', createDrag(page, picture))).toBe(false);
  expect(await listStyleSheets(page)).toEqual([]);
});

import type { BrowserContext, Page } from '@playwright/test';
import {
  fillInbox,
  fillThread,
  getBubbles,
  getMessageField,
  openThread,
  sendTextMessage,
  startConversation,
  typeMessage,
  waitForThread,
} from './support/chat.ts';
import {
  type ApiClient,
  addSession,
  callApi,
  expect,
  expectAccessible,
  expectAccessibleIn,
  test,
  waitForHydration,
} from './support/fixtures.ts';

const SEND_ROUTE = '**/api/message/text';

async function blockSending(context: BrowserContext): Promise<() => Promise<void>> {
  await context.route(SEND_ROUTE, (route) => route.abort('internetdisconnected'));
  return () => context.unroute(SEND_ROUTE);
}

async function listTexts(context: ApiClient, id: string): Promise<string[]> {
  const { data } = await callApi<{ data: { text: string }[] }>(context, 'GET', `/message/list/${id}?limit=50`);
  return data.map(({ text }) => text).toReversed();
}

const getSendingIcons = (page: Page) => getBubbles(page).getByRole('img', { name: 'Sending' });

test('messages written offline in two tabs survive a reload and arrive once, in order, and a refused one is retried or deleted', async ({
  createUser,
  createApiUser,
}) => {
  const [fan, creator] = [await createUser('customer'), await createApiUser('creator')];
  const id = await startConversation(fan, creator);
  const { page } = fan;
  const second = await fan.context.newPage();
  await openThread(page, 'fan', id);
  await openThread(second, 'fan', id);
  const restoreSending = await blockSending(fan.context);
  for (const text of ['one', 'two']) await typeMessage(page, text);
  await expect(getSendingIcons(second)).toHaveCount(2);
  await typeMessage(second, 'three');
  await expect(getSendingIcons(page)).toHaveCount(3);
  const row = page.locator('.talk-row');
  await getMessageField(page).fill('Half a thought');
  await expect(row).toContainText('Draft: Half a thought');
  await page.reload();
  await waitForThread(page);
  await expect(getSendingIcons(page)).toHaveCount(3);
  await expect(getMessageField(page)).toHaveValue('Half a thought');
  await restoreSending();
  for (const tab of [page, second]) {
    await expect(getSendingIcons(tab)).toHaveCount(0, { timeout: 20_000 });
    await expect(getBubbles(tab)).toHaveCount(4);
  }
  expect(await listTexts(creator.context, id)).toEqual(['Good evening.', 'one', 'two', 'three']);
  await second.close();

  await fan.context.route(SEND_ROUTE, (route) =>
    route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'You can’t write here now.' } }),
  );
  await typeMessage(page, 'Hello?');
  await expect(page.getByRole('alert').filter({ hasText: 'You can’t write here now.' })).toBeVisible();
  await expect(getBubbles(page).getByRole('img', { name: 'Not sent' })).toBeVisible();
  await fan.context.unroute(SEND_ROUTE);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(getBubbles(page).last().getByRole('img', { name: 'Sent' })).toBeVisible();
  await expect(row).toContainText('You: Hello?');
  await fan.context.route(SEND_ROUTE, (route) =>
    route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'No.' } }),
  );
  await typeMessage(page, 'Again?');
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(getBubbles(page).filter({ hasText: 'Again?' })).toHaveCount(0);
});

test('a second device shows the same messages and what was read elsewhere, and messages missed by a lost connection are loaded', async ({
  createUser,
  createApiUser,
  open,
}) => {
  const [fan, creator] = [await createUser('customer'), await createApiUser('creator')];
  const id = await startConversation(fan, creator);
  let isDown = false;
  const sockets = new Set<() => void>();
  await fan.page.routeWebSocket(/socket\.io/, (socket) => {
    if (isDown) return void socket.close();
    socket.connectToServer();
    sockets.add(() => void socket.close());
  });
  await fan.context.route('**/socket.io/**', (route) => (isDown ? route.abort() : route.fallback()));
  const phone = await open({ width: 390 });
  await addSession(phone.context, fan.id);
  await openThread(fan.page, 'fan', id);
  await openThread(phone.page, 'fan', id);
  await typeMessage(phone.page, 'from my phone');
  await expect(getBubbles(fan.page).last()).toContainText('from my phone');
  isDown = true;
  for (const close of sockets) close();
  await sendTextMessage(creator.context, id, 'missed one');
  await sendTextMessage(creator.context, id, 'missed two');
  isDown = false;
  await expect(getBubbles(fan.page).last()).toContainText('missed two', { timeout: 20_000 });
  await expect(getBubbles(fan.page)).toHaveCount(4);

  await phone.page.getByRole('link', { name: 'Back to chats' }).click();
  await fan.page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: /^Feed/ }).click();
  await expect(fan.page).toHaveURL(/\/fan\/feed$/);
  const row = phone.page.locator('.talk-row').first();
  await expect(row).toBeVisible();
  await sendTextMessage(creator.context, id, 'to both');
  await expect(row).toContainText('to both');
  await expect(row.locator('.count')).toHaveText(/^1/);
  await fan.page.goBack();
  await waitForThread(fan.page);
  await expect(row.locator('.count')).toHaveCount(0);
});

function getMiddleMessage(page: Page): Promise<{ id: string; top: number }> {
  return page.evaluate(() => {
    const box = document.querySelector('.conv__scroll')?.getBoundingClientRect();
    if (!box) throw new Error('no thread');
    const rows = [...document.querySelectorAll<HTMLElement>('.conv__scroll .msg')];
    // Right after a jump the rendered rows are still those of the old position.
    const row = rows.find((each) => {
      const { top, bottom } = each.getBoundingClientRect();
      return top < box.bottom && bottom > box.top + box.height / 2;
    });
    return { id: row?.dataset.message ?? '', top: row?.getBoundingClientRect().top ?? 0 };
  });
}

function getTop(page: Page, id: string): Promise<number | undefined> {
  return page.evaluate(
    (message) => document.querySelector(`.conv__scroll [data-message="${message}"]`)?.getBoundingClientRect().top,
    id,
  );
}

test('a thread of 20,000 messages scrolls without drift, jumps to search results and returns', async ({
  createUser,
  createApiUser,
}) => {
  test.setTimeout(120_000);
  const [fan, creator] = [await createUser('customer'), await createApiUser('creator')];
  const id = await startConversation(fan, creator);
  await fillThread(id, 20_000);
  await openThread(fan.page, 'fan', id);
  await expect(getBubbles(fan.page).last()).toContainText('Message 20000');
  await expect(getBubbles(fan.page).last()).toBeVisible();
  for (let page = 0; page < 3; page += 1) {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await fan.page.route(/\/message\/list\/.*before=/, async (route) => {
      await released;
      await route.continue();
    });
    const requestSent = fan.page.waitForRequest(/\/message\/list\/.*before=/);
    const olderResponse = fan.page.waitForResponse((response) => /\/message\/list\/.*before=/.test(response.url()));
    await fan.page.evaluate(() => document.querySelector('.conv__scroll')?.scrollTo({ top: 700 }));
    await requestSent;
    let before = await getMiddleMessage(fan.page);
    // Rows get their final height when they are rendered, so the position is read once it is stable.
    await expect(async () => {
      const earlier = before;
      await fan.page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      before = await getMiddleMessage(fan.page);
      expect(before).toEqual(earlier);
      expect(before.id).not.toBe('');
    }).toPass();
    release();
    await olderResponse;
    await fan.page.unroute(/\/message\/list\/.*before=/);
    await expect
      .poll(() => fan.page.evaluate(() => document.querySelector('.conv__scroll')?.scrollTop ?? 0))
      .toBeGreaterThan(1_500);
    await expect
      .poll(
        async () => Math.abs(((await getTop(fan.page, before.id)) ?? Number.NaN) - before.top),
        `drift of page ${page}`,
      )
      .toBeLessThanOrEqual(2);
  }
  expect(await getBubbles(fan.page).count(), 'rows in the page').toBeLessThan(80);

  await fan.page.getByRole('button', { name: 'Search this chat' }).click();
  await fan.page.getByRole('searchbox', { name: 'Search this chat' }).fill('Message 17777');
  const hit = getBubbles(fan.page).filter({ hasText: 'Message 17777' });
  await expect(fan.page.getByText('1 of 1')).toBeVisible();
  await expect(hit).toBeInViewport();
  await fan.page.getByRole('button', { name: 'Close search' }).click();
  await sendTextMessage(creator.context, id, 'And now?');
  await fan.page.getByRole('button', { name: /Latest|new$/ }).click();
  await expect(getBubbles(fan.page).last()).toContainText('And now?');
  await expect(getBubbles(fan.page).last()).toBeInViewport();
});

test('an inbox of 2,000 conversations is scrolled, searched and reordered live, and works by keyboard alone', async ({
  createUser,
  createApiUser,
}) => {
  test.setTimeout(120_000);
  const [fan, creator] = [await createApiUser('customer'), await createUser('creator')];
  await fillInbox(creator.id, 2_000);
  const { page } = creator;
  await page.goto('/creator/chat');
  await waitForHydration(page);
  const list = page.locator('[data-list="conversations"]');
  await expect(list.locator('.talk-row').first()).toBeVisible();
  await expect
    .poll(
      () =>
        list.evaluate((element) => {
          element.scrollTo({ top: element.scrollHeight });
          return element.scrollHeight;
        }),
      { timeout: 30_000 },
    )
    .toBeGreaterThan(25_000);
  expect(await list.locator('.talk-row').count(), 'rows in the page').toBeLessThan(60);
  await startConversation(fan, creator, 'New here');
  await list.evaluate((element) => element.scrollTo({ top: 0 }));
  await expect(list.locator('.talk-row').first()).toContainText('New here');

  // As in browsers whose CSS cannot grow a field with its text.
  await page.addStyleTag({ content: 'textarea { field-sizing: fixed !important }' });
  const second = list.getByRole('link', { name: 'Fan 2000' });
  await page.locator('[data-talk]').first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(second).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(getMessageField(page)).toBeFocused();
  const getFieldHeight = async () => (await getMessageField(page).boundingBox())?.height ?? 0;
  const oneLineHeight = await getFieldHeight();
  await page.keyboard.type('line one');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('line two');
  await expect.poll(getFieldHeight).toBeGreaterThan(oneLineHeight + 10);
  await page.keyboard.press('Enter');
  await expect(getBubbles(page).last()).toContainText('line two');
  await expect(getMessageField(page)).toHaveValue('');
  await expect.poll(getFieldHeight).toBe(oneLineHeight);
  await page.keyboard.press('Escape');
  await expect(second).toBeFocused();

  await page.getByRole('button', { name: 'Search chats' }).click();
  await page.getByRole('searchbox', { name: 'Search chats by name' }).fill('Fan 1876');
  await expect(list.getByRole('link', { name: 'Fan 1876' })).toBeVisible();
});

test('markup, zalgo and right-to-left texts are shown as text, and one that is too long is not sent', async ({
  createUser,
  createApiUser,
}) => {
  const [fan, creator] = [await createApiUser('customer'), await createUser('creator')];
  const id = await startConversation(fan, creator);
  const texts = [
    '<img src=x onerror="document.title=1"><script>alert(1)</script>',
    'javascript:alert(1) https://evil.example/"onmouseover="alert(1)',
    `Z${'\u0300\u0301\u0302\u0303\u0304'.repeat(40)}algo`,
    'مرحبا بالعالم',
    'w'.repeat(300),
    '🎻',
  ];
  for (const text of texts) await sendTextMessage(fan.context, id, text);
  const { page } = creator;
  await openThread(page, 'creator', id);
  await expect(getBubbles(page)).toHaveCount(texts.length + 1);
  await expect(getBubbles(page).locator('img[src="x"], script')).toHaveCount(0);
  const links = await getBubbles(page)
    .locator('a')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''));
  expect(links.every((href) => /^https?:\/\//.test(href) && !/["<>]/.test(href))).toBe(true);
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
      .toBeLessThanOrEqual(0);
  }
  await getMessageField(page).fill('x'.repeat(20_000));
  await expect(page.getByRole('alert').filter({ hasText: 'up to 5,000 characters' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
});

test('chat is accessible at narrow and wide widths in light and dark', async ({ createUser }) => {
  test.setTimeout(120_000);
  const [fan, creator] = [await createUser('customer', { width: 390 }), await createUser('creator')];
  await fan.page.goto('/fan/chat');
  await waitForHydration(fan.page);
  await expectAccessible(fan.page);
  const id = await startConversation(fan, creator);
  await sendTextMessage(creator.context, id, 'A word and https://example.org');
  await sendTextMessage(fan.context, id, 'Another');
  await expect(fan.page.locator('.talk-row').first()).toBeVisible();
  await expectAccessible(fan.page);
  await fan.page.getByRole('link', { name: creator.username }).click();
  await waitForThread(fan.page);
  await expect(fan.page.locator('h1')).toHaveCount(1);
  await expectAccessible(fan.page);

  const { page } = creator;
  await page.goto('/creator/chat');
  await waitForHydration(page);
  await expect(page.locator('.talk-row').first()).toBeVisible();
  await expectAccessibleIn(page, 'light');
  await page.getByRole('link', { name: fan.username }).click();
  await waitForThread(page);
  await expect(page.locator('h1')).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Search this chat' }).click();
  await page.getByRole('searchbox', { name: 'Search this chat' }).fill('Another');
  await expect(page.locator('mark')).toHaveText('Another');
  await expectAccessibleIn(page, 'light');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessibleIn(page, 'light', 'layout');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Chat details' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('switch', { name: 'Broadcast' }).click();
  await expect(page).toHaveURL(/\/creator\/chat\/broadcast$/);
  await waitForThread(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessibleIn(page, 'light', 'layout');
});

import type { BrowserContext, Page } from '@playwright/test';
import {
  bubbles,
  converse,
  field,
  fillInbox,
  fillThread,
  idOf,
  openThread,
  say,
  settled,
  write,
} from './support/chat.ts';
import { callApi, expect, expectAccessible, hydrated, logIn, test } from './support/fixtures.ts';

const SENDING = '**/api/message/text';

async function cutSending(context: BrowserContext): Promise<() => Promise<void>> {
  await context.route(SENDING, (route) => route.abort('internetdisconnected'));
  return () => context.unroute(SENDING);
}

async function textsOf(context: BrowserContext, id: string): Promise<string[]> {
  const { data } = await callApi<{ data: { text: string }[] }>(context, 'GET', `/message/list/${id}?limit=50`);
  return data.map(({ text }) => text).toReversed();
}

test('messages written offline survive a reload and arrive once, in order', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  await openThread(creator.page, 'creator', id);
  await openThread(fan.page, 'fan', id);
  const mend = await cutSending(fan.context);
  for (const text of ['one', 'two', 'three']) await say(fan.page, text);
  await expect(bubbles(fan.page).getByRole('img', { name: 'Sending' })).toHaveCount(3);
  await fan.page.reload();
  await settled(fan.page);
  await expect(bubbles(fan.page).getByRole('img', { name: 'Sending' })).toHaveCount(3);
  await mend();
  await expect(bubbles(fan.page).getByRole('img', { name: 'Sending' })).toHaveCount(0, { timeout: 20_000 });
  await expect(bubbles(creator.page).last()).toContainText('three');
  expect(await textsOf(creator.context, id)).toEqual(['Good evening.', 'one', 'two', 'three']);
});

test('two tabs with the same unsent messages send each once', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  const second = await fan.context.newPage();
  await openThread(fan.page, 'fan', id);
  await openThread(second, 'fan', id);
  const mend = await cutSending(fan.context);
  await say(fan.page, 'from the first tab');
  await expect(bubbles(second).getByRole('img', { name: 'Sending' })).toHaveCount(1);
  await say(second, 'from the second tab');
  await expect(bubbles(fan.page).getByRole('img', { name: 'Sending' })).toHaveCount(2);
  await mend();
  for (const page of [fan.page, second]) {
    await expect(bubbles(page).getByRole('img', { name: 'Sending' })).toHaveCount(0, { timeout: 20_000 });
    await expect(bubbles(page)).toHaveCount(3);
  }
  expect(await textsOf(creator.context, id)).toEqual(['Good evening.', 'from the first tab', 'from the second tab']);
});

test('a refused message shows the reason, and can be retried or deleted', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  await openThread(fan.page, 'fan', id);
  await fan.context.route(SENDING, (route) =>
    route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'You can’t write here now.' } }),
  );
  await say(fan.page, 'Hello?');
  await expect(fan.page.getByRole('alert').filter({ hasText: 'You can’t write here now.' })).toBeVisible();
  await expect(bubbles(fan.page).getByRole('img', { name: 'Not sent' })).toBeVisible();
  await fan.context.unroute(SENDING);
  await fan.page.getByRole('button', { name: 'Retry' }).click();
  await expect(bubbles(fan.page).last().getByRole('img', { name: 'Sent' })).toBeVisible();
  await fan.context.route(SENDING, (route) =>
    route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'No.' } }),
  );
  await say(fan.page, 'Again?');
  await fan.page.getByRole('button', { name: 'Delete' }).click();
  await expect(bubbles(fan.page).filter({ hasText: 'Again?' })).toHaveCount(0);
});

test('the thread and the list load missed messages after a lost connection', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  let isDown = false;
  const open = new Set<() => void>();
  await fan.page.routeWebSocket(/socket\.io/, (socket) => {
    if (isDown) return void socket.close();
    socket.connectToServer();
    open.add(() => void socket.close());
  });
  await fan.context.route('**/socket.io/**', (route) => (isDown ? route.abort() : route.fallback()));
  await openThread(fan.page, 'fan', id);
  await write(creator.context, id, 'before');
  await expect(bubbles(fan.page).last()).toContainText('before');
  isDown = true;
  for (const close of open) close();
  await write(creator.context, id, 'missed one');
  await write(creator.context, id, 'missed two');
  isDown = false;
  await expect(bubbles(fan.page).last()).toContainText('missed two', { timeout: 20_000 });
  await expect(bubbles(fan.page)).toHaveCount(4);
});

test('a second device shows the same messages, and reading on one marks them as read on the other', async ({
  person,
  open,
}) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  const phone = await open({ width: 390 });
  await logIn(phone.context, fan.username);
  await openThread(fan.page, 'fan', id);
  await openThread(phone.page, 'fan', id);
  await say(phone.page, 'from my phone');
  await expect(bubbles(fan.page).last()).toContainText('from my phone');
  await phone.page.goto('/fan/chat');
  await hydrated(phone.page);
  await fan.page.goto('/fan/feed');
  await hydrated(fan.page);
  await write(creator.context, id, 'to both');
  const row = phone.page.locator('.talk-row').first();
  await expect(row).toContainText('to both');
  await expect(row.locator('.count')).toHaveText(/^1/);
  await openThread(fan.page, 'fan', id);
  await expect(row.locator('.count')).toHaveCount(0);
});

test('a draft stays with its conversation', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  await openThread(fan.page, 'fan', id);
  await field(fan.page).fill('Half a thought');
  await expect(fan.page.locator('.talk-row')).toContainText('Draft: Half a thought');
  await fan.page.reload();
  await expect(field(fan.page)).toHaveValue('Half a thought');
  await say(fan.page, 'Whole');
  await expect(fan.page.locator('.talk-row')).toContainText('You: Whole');
});

function middle(page: Page): Promise<{ id: string; top: number }> {
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

function topOf(page: Page, id: string): Promise<number | undefined> {
  return page.evaluate(
    (message) => document.querySelector(`.conv__scroll [data-message="${message}"]`)?.getBoundingClientRect().top,
    id,
  );
}

test('a thread of 100,000 messages scrolls without drift, jumps to search results and returns', async ({ person }) => {
  test.setTimeout(120_000);
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  await fillThread(id, 100_000);
  await openThread(fan.page, 'fan', id);
  await expect(bubbles(fan.page).last()).toContainText('Message 100000');
  await expect(bubbles(fan.page).last()).toBeVisible();
  for (let page = 0; page < 8; page += 1) {
    let release = (): void => undefined;
    const measured = new Promise<void>((resolve) => {
      release = resolve;
    });
    await fan.page.route(/\/message\/list\/.*before=/, async (route) => {
      await measured;
      await route.continue();
    });
    const asked = fan.page.waitForRequest(/\/message\/list\/.*before=/);
    const older = fan.page.waitForResponse((response) => /\/message\/list\/.*before=/.test(response.url()));
    await fan.page.evaluate(() => document.querySelector('.conv__scroll')?.scrollTo({ top: 700 }));
    await asked;
    let before = await middle(fan.page);
    // Rows get their final height when they are rendered, so the position is read once it is stable.
    await expect(async () => {
      const earlier = before;
      await fan.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      before = await middle(fan.page);
      expect(before).toEqual(earlier);
      expect(before.id).not.toBe('');
    }).toPass();
    release();
    await older;
    await fan.page.unroute(/\/message\/list\/.*before=/);
    await expect
      .poll(() => fan.page.evaluate(() => document.querySelector('.conv__scroll')?.scrollTop ?? 0))
      .toBeGreaterThan(1_500);
    await expect
      .poll(
        async () => Math.abs(((await topOf(fan.page, before.id)) ?? Number.NaN) - before.top),
        `drift of page ${page}`,
      )
      .toBeLessThanOrEqual(2);
  }
  expect(await bubbles(fan.page).count(), 'rows in the page').toBeLessThan(80);

  await fan.page.getByRole('button', { name: 'Search in this conversation' }).click();
  await fan.page.getByRole('searchbox', { name: 'Search in this conversation' }).fill('Message 77777');
  const hit = bubbles(fan.page).filter({ hasText: 'Message 77777' });
  await expect(fan.page.getByText('1 of 1')).toBeVisible();
  await expect(hit).toBeInViewport();
  await fan.page.getByRole('button', { name: 'Close the search' }).click();
  await write(creator.context, id, 'And now?');
  await fan.page.getByRole('button', { name: /Latest|new$/ }).click();
  await expect(bubbles(fan.page).last()).toContainText('And now?');
  await expect(bubbles(fan.page).last()).toBeInViewport();
});

test('a new message shows a pill when scrolled up, and appears directly at the end', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  await fillThread(id, 200);
  await openThread(fan.page, 'fan', id);
  await write(creator.context, id, 'seen at once');
  await expect(bubbles(fan.page).last()).toContainText('seen at once');
  await expect(bubbles(fan.page).last()).toBeInViewport();
  await fan.page.locator('.conv__scroll').hover();
  await fan.page.mouse.wheel(0, -3_000);
  await expect(fan.page.getByRole('button', { name: 'Latest' })).toBeVisible();
  for (const text of ['a', 'b', 'c']) await write(creator.context, id, text);
  await fan.page.getByRole('button', { name: '3 new' }).click();
  await expect(bubbles(fan.page).last()).toBeInViewport();
});

test('an inbox of 10,000 conversations can be scrolled and searched, and is reordered live', async ({ person }) => {
  test.setTimeout(120_000);
  const [fan, creator] = [await person('customer'), await person('creator')];
  await fillInbox(await idOf(creator.context), 10_000);
  await creator.page.goto('/creator/chat');
  await hydrated(creator.page);
  const list = creator.page.locator('[data-list="conversations"]');
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
  const id = await converse(fan, creator, 'New here');
  await list.evaluate((element) => element.scrollTo({ top: 0 }));
  await expect(list.locator('.talk-row').first()).toContainText('New here');
  await creator.page.getByRole('button', { name: 'Search chats' }).click();
  await creator.page.getByRole('searchbox', { name: 'Search chats by name' }).fill('Fan 9876');
  await expect(list.getByRole('link', { name: 'Fan 9876' })).toBeVisible();
  expect(id).toBeTruthy();
});

test('chat is searched, opened, written in and left by keyboard alone', async ({ person }) => {
  const [fan, other, creator] = [await person('customer'), await person('customer'), await person('creator')];
  await converse(fan, creator, 'first');
  await converse(other, creator, 'second');
  const { page } = creator;
  await page.goto('/creator/chat');
  await hydrated(page);
  await page.locator('[data-talk]').first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('link', { name: fan.username })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('line one');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('line two');
  await page.keyboard.press('Enter');
  await expect(bubbles(page).last()).toContainText('line two');
  await expect(field(page)).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: fan.username })).toBeFocused();
});

test('markup, zalgo, right-to-left and one-megabyte texts are shown as text', async ({ person }) => {
  const [fan, creator] = [await person('customer'), await person('creator')];
  const id = await converse(fan, creator);
  const texts = [
    '<img src=x onerror="document.title=1"><script>alert(1)</script>',
    'javascript:alert(1) https://evil.example/"onmouseover="alert(1)',
    `Z${'\u0300\u0301\u0302\u0303\u0304'.repeat(40)}algo`,
    'مرحبا بالعالم',
    'w'.repeat(300),
    '🎻',
  ];
  for (const text of texts) await write(fan.context, id, text);
  await openThread(creator.page, 'creator', id);
  await expect(bubbles(creator.page)).toHaveCount(texts.length + 1);
  await expect(bubbles(creator.page).locator('img[src="x"], script')).toHaveCount(0);
  const links = await bubbles(creator.page)
    .locator('a')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''));
  expect(links.every((href) => /^https?:\/\//.test(href) && !/["<>]/.test(href))).toBe(true);
  for (const width of [320, 390, 1440]) {
    await creator.page.setViewportSize({ width, height: 844 });
    await expect
      .poll(() =>
        creator.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      )
      .toBeLessThanOrEqual(0);
  }
  await openThread(fan.page, 'fan', id);
  await field(fan.page).fill('x'.repeat(1_048_576));
  await expect(fan.page.getByRole('alert').filter({ hasText: 'at most 5,000 characters' })).toBeVisible();
  await expect(fan.page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
});

for (const width of [390, 1440] as const) {
  test(`chat is accessible at ${width} px in light and dark`, async ({ person }) => {
    test.setTimeout(120_000);
    const [fan, creator] = [await person('customer', { width }), await person('creator', { width })];
    await fan.page.goto('/fan/chat');
    await hydrated(fan.page);
    await expectAccessible(fan.page);
    const id = await converse(fan, creator);
    await write(creator.context, id, 'A word and https://example.org');
    await write(fan.context, id, 'Another');
    for (const [page, role] of [
      [fan.page, 'fan'],
      [creator.page, 'creator'],
    ] as const) {
      await page.goto(`/${role}/chat`);
      await hydrated(page);
      await expect(page.locator('.talk-row').first()).toBeVisible();
      await expectAccessible(page);
      await openThread(page, role, id);
      await expect(page.locator('h1')).toHaveCount(1);
      await expectAccessible(page);
    }
    await creator.page.getByRole('button', { name: 'Conversation details' }).click();
    await expect(creator.page.getByRole('dialog')).toBeVisible();
    await expectAccessible(creator.page);
    await creator.page.goto('/creator/chat/broadcast');
    await settled(creator.page);
    await expectAccessible(creator.page);
  });
}

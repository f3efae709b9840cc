import type { BrowserContext, Page } from '@playwright/test';
import { converse, idOf, write } from './support/chat.ts';
import { callApi, expect, logIn, test } from './support/fixtures.ts';
import { addFunds, publish, transactionsOf } from './support/money.ts';
import { addressesOf } from './support/pages.ts';
import { demoPlaces, demoReceipt, firstId } from './support/places.ts';

const LARGE_PX = 24;
const TWICE_PX = 32;

function mixedRuns(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = (node.textContent ?? '').replace(/\u2068[^\u2069]*\u2069/gu, '');
      const parent = node.parentElement;
      if (
        !/\p{Script=Hebrew}/u.test(text) ||
        !parent ||
        parent.closest('.sr-only, script, style, textarea, [inert], [aria-hidden="true"]')
      )
        continue;
      let run: Element | null = parent;
      while (run && run.tagName !== 'BDI' && run.getAttribute('dir') !== 'auto') {
        if (getComputedStyle(run).unicodeBidi === 'plaintext') break;
        run = run.parentElement;
      }
      const whole = run?.cloneNode(true);
      if (whole instanceof Element) for (const spoken of whole.querySelectorAll('.sr-only')) spoken.remove();
      if (!whole || /[a-z]/i.test(whole.textContent ?? ''))
        found.add(
          `${parent.tagName.toLowerCase()}.${parent.className}: ${(whole ?? parent).textContent?.slice(0, 80)}`,
        );
    }
    return [...found];
  });
}

async function expectRunsApart(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page.locator('body')).toContainText(/\p{Script=Hebrew}/u);
    expect.soft(await mixedRuns(page), path).toEqual([]);
  }
}

test('right-to-left names, captions and messages are isolated from the surrounding text on every page', async ({
  person,
  open,
}) => {
  test.setTimeout(180_000);
  const [maker, fan, guest] = [await person('creator'), await person('customer'), await person('creator')];
  const told = { category: null, craft: 'קדרית', city: 'חיפה', bio: 'כלים (ביד), מאז 1998.' };
  await callApi(maker.context, 'PUT', '/creator/profile', { name: 'נועה בן־דוד 7', ...told });
  await callApi(guest.context, 'PUT', '/creator/profile', { name: 'אורי כהן', ...told });
  await fan.context.request.post('/api/customer/profile-update', { multipart: { name: 'יואב לוי 3' } });
  const free = await publish(maker.context, { caption: 'שלום, עולם (1)\nעוד שורה אחת.' });
  const paid = await publish(maker.context, { caption: 'בלילה, 2 חדרים', priceUsd: 8 });
  const { media } = await callApi<{ media: { id: string }[] }>(maker.context, 'GET', `/post/${free}`);
  const people = [await idOf(guest.context)];
  const body = { caption: 'שלום, עולם (1)\nעוד שורה אחת.', price: 0, media, people, tags: ['חרס'] };
  await callApi(maker.context, 'PATCH', `/post/${free}`, body);
  const makerId = await idOf(maker.context);
  await callApi(fan.context, 'POST', `/customer/follow/${makerId}`, { isFollowed: true });
  await addFunds(fan.context, 50);
  const conversation = await converse(fan, maker, 'שלום! (1)');
  await callApi(fan.context, 'POST', `/tip/customer-send/${makerId}`, { amount: 5, type: 'chat', note: 'תודה (1)' });
  await callApi(fan.context, 'POST', `/post/unlock/${paid}`, { price: 8 });
  await write(maker.context, conversation, 'תודה, נתראה ב־7.');
  const [bought] = await transactionsOf(fan.context);

  const { page } = await open({ width: 390 });
  const profile = `/profile/${maker.username}`;
  await expectRunsApart(page, [
    '/?search=נועה',
    profile,
    `${profile}?tab=about`,
    `/post/${free}`,
    `/post/${paid}`,
    `/signup?for=unlock&next=%2Fpost%2F${paid}`,
    `/login?for=follow&next=${encodeURIComponent(profile)}`,
    `/embed/post/${free}`,
    `/embed/profile/${maker.username}`,
  ]);
  await expectRunsApart(fan.page, [
    '/fan',
    '/fan/feed',
    '/fan/follow',
    '/fan/media',
    '/fan/wallet',
    `/fan/wallet/receipt/${bought?.id}`,
    '/fan/chat',
    `/fan/chat/${conversation}`,
    profile,
    `/post/${free}`,
  ]);
  await fan.page.getByRole('main').getByRole('button', { name: /^Tip / }).first().click();
  await expect(fan.page.getByRole('dialog')).toBeVisible();
  expect.soft(await mixedRuns(fan.page), 'the tip dialog').toEqual([]);
  await expectRunsApart(maker.page, [
    '/creator',
    '/creator/followers',
    '/creator/feed',
    '/creator/profile',
    '/creator/chat',
    `/creator/chat/${conversation}`,
  ]);
  await expectRunsApart(guest.page, [`/post/${free}`]);
});

async function enlarge(page: Page, context: BrowserContext, px = LARGE_PX): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: px, fixed: px } });
}

async function expectFits(page: Page, path: string): Promise<void> {
  await expect
    .poll(
      () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      `how much too wide ${path} is`,
    )
    .toBeLessThanOrEqual(0);
}

async function expectLarge(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page.locator('body')).toHaveCSS('font-size', `${LARGE_PX}px`);
    await expectFits(page, path);
  }
}

test('text grows with the browser’s font size, and no page becomes wider than a phone', async ({ open }) => {
  test.setTimeout(300_000);
  for (const [username, areas] of [
    [undefined, async (context: BrowserContext) => addressesOf('visitor', await demoPlaces(context))],
    [
      'demo.fan',
      async (context: BrowserContext) => [
        ...addressesOf('customer', { receipt: await demoReceipt(context) }),
        '/fan/chat',
        '/fan/wallet?add=1',
      ],
    ],
    [
      'demo.creator',
      async (context: BrowserContext) => {
        const post = await firstId(context, '/creator/posts', 'post');
        const media = await firstId(context, '/creator/media', 'media');
        return [...addressesOf('creator', { post, media }), '/creator/chat'];
      },
    ],
  ] as const) {
    const { page, context } = await open({ width: 390 });
    if (username) await logIn(context, username);
    await enlarge(page, context);
    await expectLarge(page, await areas(context));
  }
  const { page, context } = await open({ width: 1_200 });
  await logIn(context, 'demo.fan');
  const tabs = page.getByRole('navigation', { name: 'Main' });
  await page.goto('/fan/feed');
  await expect(tabs.first()).toHaveClass('rail');
  await expect(page.locator('.tabbar')).toBeHidden();
  await enlarge(page, context);
  await page.reload();
  await expect(page.locator('.tabbar')).toBeVisible();
});

test('text of twice the size fits a phone, also with a style sheet of the reader', async ({ open }) => {
  test.setTimeout(120_000);
  for (const [username, paths] of [
    [undefined, ['/pricing', '/plans', '/login', '/complaints']],
    ['demo.fan', ['/fan/feed', '/fan/notifications', '/fan/wallet', '/fan/follow']],
  ] as const) {
    const { page, context } = await open({ width: 390 });
    if (username) await logIn(context, username);
    for (const path of paths) {
      await page.goto(path);
      await page.addStyleTag({ content: `:root { font-size: ${TWICE_PX}px !important }` });
      await expect(page.locator('body')).toHaveCSS('font-size', `${TWICE_PX}px`);
      await expectFits(page, path);
      if (!path.endsWith('/notifications')) continue;
      const unread = page.getByRole('navigation', { name: 'Alerts' }).getByRole('link', { name: /^Unread/ });
      await expect(unread).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('main').getByRole('link', { name: 'What reaches you' })).toBeInViewport({ ratio: 1 });
    }
  }
  const { page, context } = await open({ width: 390 });
  await logIn(context, 'demo.creator');
  await enlarge(page, context, TWICE_PX);
  for (const path of ['/creator', '/creator/profile', '/creator/notifications', '/profile/demo.creator']) {
    await page.goto(path);
    await expectFits(page, path);
  }
});

test('the fields of the earnings calculator stay side by side on a phone, whatever the height of their labels', async ({
  open,
}) => {
  const { page } = await open({ width: 390 });
  await page.goto('/become-creator');
  const topOf = async (label: string) => (await page.getByLabel(label).boundingBox())?.y;
  expect(await topOf('How many of them pay, in %')).toBe(await topOf('Each pays'));
  await page.getByLabel('Each pays').fill('0');
  await page.getByRole('button', { name: 'Reckon' }).click();
  await expect(page.getByText('Between $1.00 and $1,000.00')).toBeVisible();
  expect(await topOf('How many of them pay, in %')).toBe(await topOf('Each pays'));
});

test('a large balance fits the top bar, and the site name gives way to it', async ({ person }) => {
  const { page, context } = await person('customer', { width: 390 });
  for (const amount of [900, 121]) await addFunds(context, amount);
  const balance = page.locator('.topbar').getByText('$1,021.00');
  const name = page.locator('.topbar').getByText('Stagedoor');
  await page.goto('/fan/wallet');
  await expect(balance).toBeInViewport({ ratio: 1 });
  await expect(name).toBeInViewport({ ratio: 1 });
  // A user style sheet changes the font size without affecting media queries.
  await page.addStyleTag({ content: `:root { font-size: ${LARGE_PX}px !important }` });
  await expectFits(page, '/fan/wallet');
  await expect(balance).toBeInViewport({ ratio: 1 });
  await expect(name).not.toBeInViewport();
  await enlarge(page, context);
  await expectLarge(page, ['/fan/wallet']);
  await expect(balance).toBeInViewport({ ratio: 1 });
});

import type { Page } from '@playwright/test';
import { sendTextMessage, startConversation } from './support/chat.ts';
import { callApi, expect, logIn, test } from './support/fixtures.ts';
import { expectFits, LARGE_PX, setFontSize, setFontSizeByStyle, TWICE_PX } from './support/large-text.ts';
import { addFunds, fetchTransactions, publishPictures } from './support/money.ts';

function listMixedRuns(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = new Set<string>();
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
      const clone = run?.cloneNode(true);
      if (clone instanceof Element) for (const element of clone.querySelectorAll('.sr-only')) element.remove();
      if (!clone || /[a-z]/i.test(clone.textContent ?? ''))
        texts.add(
          `${parent.tagName.toLowerCase()}.${parent.className}: ${(clone ?? parent).textContent?.slice(0, 80)}`,
        );
    }
    return [...texts];
  });
}

async function expectRunsIsolated(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page.locator('body')).toContainText(/\p{Script=Hebrew}/u);
    expect.soft(await listMixedRuns(page), path).toEqual([]);
  }
}

test('right-to-left names, captions and messages are isolated from the surrounding text on every page', async ({
  createUser,
  createApiUser,
  open,
}) => {
  test.setTimeout(180_000);
  const [creator, fan, guest] = [
    await createUser('creator'),
    await createUser('customer'),
    await createApiUser('creator'),
  ];
  const profileFields = { category: null, craft: 'קדרית', city: 'חיפה', bio: 'כלים (ביד), מאז 1998.' };
  await callApi(creator.context, 'PUT', '/creator/profile', { name: 'נועה בן־דוד 7', ...profileFields });
  await callApi(guest.context, 'PUT', '/creator/profile', { name: 'אורי כהן', ...profileFields });
  await fan.context.request.post('/api/customer/profile-update', { multipart: { name: 'יואב לוי 3' } });
  const free = await publishPictures(creator.context, { caption: 'שלום, עולם (1)\nעוד שורה אחת.' });
  const paid = await publishPictures(creator.context, { caption: 'בלילה, 2 חדרים', priceUsd: 8 });
  const { media } = await callApi<{ media: { id: string }[] }>(creator.context, 'GET', `/post/${free}`);
  const body = { caption: 'שלום, עולם (1)\nעוד שורה אחת.', price: 0, media, people: [guest.id], tags: ['חרס'] };
  await callApi(creator.context, 'PATCH', `/post/${free}`, body);
  await callApi(fan.context, 'POST', `/customer/follow/${creator.id}`, { isFollowed: true });
  await addFunds(fan.context, 50);
  const conversation = await startConversation(fan, creator, 'שלום! (1)');
  await callApi(fan.context, 'POST', `/tip/customer-send/${creator.id}`, { amount: 5, type: 'chat', note: 'תודה (1)' });
  await callApi(fan.context, 'POST', `/post/unlock/${paid}`, { price: 8 });
  await sendTextMessage(creator.context, conversation, 'תודה, נתראה ב־7.');
  const [bought] = await fetchTransactions(fan.context);

  const { page } = await open({ width: 390 });
  const profile = `/profile/${creator.username}`;
  await expectRunsIsolated(page, [
    '/?search=נועה',
    profile,
    `${profile}?tab=about`,
    `/post/${free}`,
    `/signup?for=unlock&next=%2Fpost%2F${paid}`,
    `/embed/post/${free}`,
    `/embed/profile/${creator.username}`,
  ]);
  await expectRunsIsolated(fan.page, [
    '/fan',
    '/fan/feed',
    '/fan/follow',
    '/fan/media',
    '/fan/wallet',
    `/fan/wallet/receipt/${bought?.id}`,
    `/fan/chat/${conversation}`,
    `/post/${free}`,
  ]);
  await fan.page.getByRole('main').getByRole('button', { name: /^Tip / }).first().click();
  await expect(fan.page.getByRole('dialog')).toBeVisible();
  expect.soft(await listMixedRuns(fan.page), 'the tip dialog').toEqual([]);
  await expectRunsIsolated(creator.page, [
    '/creator',
    '/creator/followers',
    '/creator/feed',
    '/creator/profile',
    `/creator/chat/${conversation}`,
  ]);
});

async function expectLarge(page: Page, paths: readonly string[], px = LARGE_PX): Promise<void> {
  await setFontSize(page, px);
  for (const path of paths) {
    await page.goto(path);
    await expect(page.locator('body')).toHaveCSS('font-size', `${px}px`);
    await expectFits(page, path);
  }
}

/** A count may cover a corner of its icon, and no more than a quarter. */
async function expectIconsUncovered(page: Page): Promise<void> {
  const covered = await page.evaluate(() =>
    [...document.querySelectorAll('.nav-item:has(> .count)')].flatMap((item) => {
      const [icon, count] = ['.icon', '.count'].map((name) => item.querySelector(name)?.getBoundingClientRect());
      if (!icon || !count || icon.width === 0) return [];
      const width = Math.min(icon.right, count.right) - Math.max(icon.left, count.left);
      const height = Math.min(icon.bottom, count.bottom) - Math.max(icon.top, count.top);
      return [(Math.max(0, width) * Math.max(0, height)) / (icon.width * icon.height)];
    }),
  );
  expect(covered.length).toBeGreaterThan(0);
  expect(Math.max(...covered)).toBeLessThanOrEqual(0.25);
}

test('text twice as large does not make a visitor’s page wider than a phone, and the fields of the calculator stay side by side', async ({
  open,
}) => {
  test.setTimeout(180_000);
  const { page } = await open({ width: 390 });
  await page.goto('/become-creator');
  const getTop = async (label: string) => (await page.getByLabel(label).boundingBox())?.y;
  expect(await getTop('% who pay')).toBe(await getTop('Average spend per fan'));
  await page.getByLabel('Average spend per fan').fill('0');
  await page.getByRole('button', { name: 'Calculate' }).click();
  await expect(page.getByText('Between $1.00 and $1,000.00')).toBeVisible();
  expect(await getTop('% who pay')).toBe(await getTop('Average spend per fan'));
  for (const path of ['/pricing', '/plans', '/login', '/complaints']) {
    await page.goto(path);
    await setFontSizeByStyle(page, TWICE_PX);
    await expectFits(page, path);
  }
});

test('large text does not make the pages of fans and creators wider than a phone, and moves the tabs to the bottom', async ({
  open,
}) => {
  test.setTimeout(180_000);
  const fan = await open({ width: 1_200 });
  await logIn(fan.context, 'demo.fan');
  const { page } = fan;
  await page.goto('/fan/feed');
  await expect(page.getByRole('navigation', { name: 'Main' }).first()).toHaveClass('rail');
  await expect(page.locator('.tabbar')).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/fan/wallet', '/fan/notifications']) {
    await page.goto(path);
    await setFontSizeByStyle(page, TWICE_PX);
    await expectFits(page, path);
  }
  await expectIconsUncovered(page);
  const unread = page.getByRole('navigation', { name: 'Notifications' }).getByRole('link', { name: /^Unread/ });
  await expect(unread).toBeInViewport({ ratio: 1 });
  const settings = page.getByRole('main').getByRole('link', { name: 'Notification settings' });
  await expect(settings).toBeInViewport({ ratio: 1 });
  await expectLarge(page, ['/fan/chat', '/fan/feed']);
  await page.setViewportSize({ width: 1_200, height: 900 });
  await expect(page.locator('.tabbar')).toBeVisible();

  const creator = await open({ width: 390 });
  await logIn(creator.context, 'demo.creator');
  await expectLarge(creator.page, ['/creator', '/creator/profile', '/profile/demo.creator'], TWICE_PX);
  await expectLarge(creator.page, ['/creator/chat']);
});

test('a large balance fits the top bar, and the site name gives way to it', async ({ createUser }) => {
  const { page, context } = await createUser('customer', { width: 390 });
  for (const amount of [900, 121]) await addFunds(context, amount);
  const balance = page.locator('.topbar').getByText('$1,021.00');
  const name = page.locator('.topbar').getByText('Stagedoor');
  await page.goto('/fan/wallet');
  await expect(balance).toBeInViewport({ ratio: 1 });
  await expect(name).toBeInViewport({ ratio: 1 });
  await setFontSizeByStyle(page, LARGE_PX);
  await expectFits(page, '/fan/wallet');
  await expect(balance).toBeInViewport({ ratio: 1 });
  await expect(name).not.toBeInViewport();
});

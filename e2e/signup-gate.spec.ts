import type { Page } from '@playwright/test';
import {
  callApi,
  createUsername,
  expect,
  expectAccessible,
  getBaseUrl,
  PASSWORD,
  test,
  waitForHydration,
  waitForMail,
} from './support/fixtures.ts';
import { addFunds, publishPictures } from './support/money.ts';
import { expectTouchable, tap } from './support/touch.ts';

const PHONE = { isPhone: true } as const;
const getHeading = (page: Page) => page.getByRole('heading', { level: 1 });

/** The text of a page's heading. */
async function fetchHeading(path: string): Promise<string | undefined> {
  const html = await (await fetch(`${getBaseUrl()}${path}`)).text();
  return /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1]?.replaceAll(/<[^>]+>/g, '');
}

test('a visitor’s Unlock bar leads to a sign-up with content and price, and the new fan returns to the post and pays', async ({
  createApiUser,
  open,
}) => {
  const creator = await createApiUser('creator');
  const caption = `Two rooms at night\n${'A long line. '.repeat(80)}`;
  const id = await publishPictures(creator.context, { caption, priceUsd: 8, pictures: 2 });
  const { page, context } = await open(PHONE);
  await page.goto(`/profile/${creator.username}?tab=about`);
  await page.evaluate(() => document.body.style.setProperty('min-height', '3000px'));
  await page.evaluate(() => window.scrollTo(0, 1_500));
  expect((await page.locator('.sticky-bar').boundingBox())?.y).toBeLessThanOrEqual(0);

  const safeAreaBottom = 34;
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setSafeAreaInsetsOverride', {
    insets: { bottom: safeAreaBottom, bottomMax: safeAreaBottom },
  });
  await page.goto(`/post/${id}`);
  const box = await page.locator('.action-bar').boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844);
  const unlock = page.getByRole('link', { name: 'Unlock $8.00' });
  const button = await unlock.boundingBox();
  expect(844 - ((button?.y ?? 0) + (button?.height ?? 0))).toBe(12 + safeAreaBottom);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expectTouchable(page.getByRole('contentinfo').getByRole('link').last());
  await cdp.detach();

  await tap(page, unlock);
  await expect(getHeading(page)).toHaveText('Unlock for $8.00');
  await expect(page.getByRole('img', { name: 'Blurred preview of 2 photos' })).toBeVisible();
  const gate = page.getByRole('main');
  await expect(gate.getByText('Two rooms at night')).toBeVisible();
  await expect(gate.getByText(creator.username)).toBeVisible();
  await expect(page.getByRole('radio', { name: 'I’m a fan' })).toBeChecked();
  const loginPath = await page.getByRole('link', { name: 'Log in' }).getAttribute('href');
  expect(await fetchHeading(loginPath ?? '')).toBe('Unlock for $8.00');
  // A price in the address is ignored.
  expect(await fetchHeading(`/login?for=unlock&next=%2Fpost%2F${id}&price=1`)).toContain('$8.00');
  await waitForHydration(page);
  await expectAccessible(page);

  const username = createUsername('door');
  const email = `${username}@example.org`;
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').first().fill(PASSWORD);
  await tap(page, page.getByRole('checkbox', { name: /18 or older/ }));
  await tap(page, page.getByRole('button', { name: 'Create account' }));
  await expect(getHeading(page)).toHaveText('Check your email');
  // A phone may reload the page after its user has switched to the mail app.
  await page.reload();
  await expect(getHeading(page)).toHaveText('Check your email');
  await expect(page.getByText(email)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Resend in / })).toBeVisible();
  await tap(page, page.getByRole('link', { name: 'Use a different email' }));
  await expect(getHeading(page)).toHaveText('Unlock for $8.00');
  const { links } = await waitForMail(email, /confirm|verify/i);
  // The link alone leads back, because another device may open it.
  await context.clearCookies({ name: 'referralUrl' });
  await page.goto(links[0] ?? '');
  await expect(getHeading(page)).toHaveText('You’re in');
  await tap(page, page.getByRole('main').getByRole('link', { name: 'Log in' }));
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await tap(page, page.getByRole('button', { name: 'Log in' }));
  await expect(page).toHaveURL(new RegExp(`/post/${id}$`));
  await expectTouchable(page.getByRole('link', { name: 'Add funds to unlock' }));

  await addFunds(context, 20);
  await page.reload();
  await tap(page, page.getByRole('button', { name: 'Unlock $8.00' }));
  await expect(page.getByText('Unlocked · $8.00')).toBeVisible();
  // The paid price is shown even if the price changes later.
  const { media } = await callApi<{ media: { id: string }[] }>(creator.context, 'GET', `/post/${id}`);
  await callApi(creator.context, 'PATCH', `/post/${id}`, { caption, price: 15, media });
  await page.reload();
  await expect(page.getByText('Unlocked · $8.00')).toBeVisible();
});

test('the sign-up names the action of Follow, Message, Tip and Like, and no action for an unknown address', async ({
  createApiUser,
  open,
}) => {
  const creator = await createApiUser('creator');
  const id = await publishPictures(creator.context, { caption: 'Open to all' });
  await callApi(creator.context, 'PUT', '/creator/profile', { name: 'Ada Vreeland', category: null });
  const { page } = await open(PHONE);
  for (const [path, links] of [
    [
      `/profile/${creator.username}`,
      [
        ['Follow Ada Vreeland', 'Follow Ada Vreeland'],
        ['Message Ada Vreeland', 'Message Ada Vreeland'],
        ['Tip Ada Vreeland', 'Tip Ada Vreeland'],
      ],
    ],
    [
      `/post/${id}`,
      [
        ['Tip Ada Vreeland', 'Tip Ada Vreeland'],
        ['Like, 0 likes', 'Like this post'],
      ],
    ],
  ] as const) {
    await page.goto(path);
    for (const [link, expectedHeading] of links) {
      const href = await page.getByRole('link', { name: link, exact: true }).first().getAttribute('href');
      expect(href).toMatch(/^\/signup\?for=/);
      expect(await fetchHeading(href ?? '')).toBe(expectedHeading);
    }
  }
  for (const next of ['https://evil.example/post/x', '/post/x', '/fan/wallet', `//evil.example/post/${id}`])
    expect(await fetchHeading(`/signup?for=unlock&next=${encodeURIComponent(next)}`)).toBe('Create your account');
});

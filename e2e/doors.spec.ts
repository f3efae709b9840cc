import type { Page } from '@playwright/test';
import {
  callApi,
  expect,
  expectAccessible,
  freshName,
  hydrated,
  mailTo,
  PASSWORD,
  signUp,
  test,
} from './support/fixtures.ts';
import { addFunds, publish } from './support/money.ts';
import { expectUnderFinger, tap } from './support/touch.ts';

const PHONE = { isPhone: true } as const;
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function logInHere(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await tap(page, page.getByRole('button', { name: 'Log in' }));
}

test('a visitor’s Unlock bar is at the bottom edge and covers nothing at the end of the page', async ({
  person,
  open,
}) => {
  const maker = await person('creator');
  const id = await publish(maker.context, { caption: `Two rooms\n${'A long line. '.repeat(80)}`, priceUsd: 8 });
  const { page, context } = await open(PHONE);
  const cdp = await context.newCDPSession(page);
  const bar = page.locator('.action-bar');
  for (const sill of [0, 34]) {
    await cdp.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: sill, bottomMax: sill } });
    await page.goto(`/post/${id}`);
    const box = await bar.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844);
    const button = await page.getByRole('link', { name: 'Unlock $8.00' }).boundingBox();
    expect(844 - ((button?.y ?? 0) + (button?.height ?? 0))).toBe(12 + sill);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expectUnderFinger(page.getByRole('contentinfo').getByRole('link').last());
  }
  await page.goto(`/profile/${maker.username}?tab=about`);
  await page.evaluate(() => document.body.style.setProperty('min-height', '3000px'));
  await page.evaluate(() => window.scrollTo(0, 1_500));
  expect((await page.locator('.sticky-bar').boundingBox())?.y).toBeLessThanOrEqual(0);
});

test('Unlock leads to a sign-up that shows content and price, and a new fan returns to the post', async ({
  person,
  open,
}) => {
  test.setTimeout(120_000);
  const maker = await person('creator');
  const id = await publish(maker.context, { caption: 'Two rooms at night', priceUsd: 8, pictures: 2 });
  const { page } = await open(PHONE);
  await page.goto(`/post/${id}`);
  await tap(page, page.getByRole('link', { name: 'Unlock $8.00' }));
  await expect(heading(page)).toHaveText('Unlock for $8.00');
  await expect(page.getByRole('img', { name: 'Blurred preview of 2 photos' })).toBeVisible();
  const door = page.getByRole('main');
  await expect(door.getByText('Two rooms at night')).toBeVisible();
  await expect(door.getByText(maker.username)).toBeVisible();
  await expect(page.getByRole('radio', { name: 'I’m a fan' })).toBeChecked();
  await expectAccessible(page);

  await tap(page, page.getByRole('link', { name: 'Log in' }));
  await expect(heading(page)).toHaveText('Unlock for $8.00');
  await tap(page, page.getByRole('link', { name: 'Create account' }));

  await hydrated(page);
  const username = freshName('door');
  const email = `${username}@example.org`;
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').first().fill(PASSWORD);
  await tap(page, page.getByRole('checkbox', { name: /I am 18/ }));
  await tap(page, page.getByRole('button', { name: 'Create account' }));
  await expect(heading(page)).toHaveText('Check your mail.');
  // A phone may reload the page after its user has switched to the mail app.
  await page.reload();
  await expect(heading(page)).toHaveText('Check your mail.');
  await expect(page.getByText(email)).toBeVisible();
  await expect(page.getByRole('button', { name: /^You can ask again in / })).toBeVisible();
  await tap(page, page.getByRole('link', { name: 'Use another address' }));
  await expect(heading(page)).toHaveText('Unlock for $8.00');
  await page.reload();
  await expect(heading(page)).toHaveText('Unlock for $8.00');
  const { links } = await mailTo(email, /confirm|verify/i);
  await page.goto(links[0] ?? '');
  await expect(heading(page)).toHaveText('You’re in.');
  await tap(page, page.getByRole('link', { name: 'Log in' }).last());
  await logInHere(page, username);
  await expect(page).toHaveURL(new RegExp(`/post/${id}$`));
  await expectUnderFinger(page.getByRole('link', { name: 'Add funds to unlock' }));
});

test('a logged-out fan returns to the price, pays it, and sees the paid price from then on', async ({
  person,
  open,
}) => {
  const [maker, account] = [await person('creator'), await signUp('customer')];
  const id = await publish(maker.context, { caption: 'Afterwards', priceUsd: 8 });
  const { page, context } = await open(PHONE);
  await page.goto(`/login?for=unlock&next=%2Fpost%2F${id}&price=1`);
  await expect(heading(page)).toHaveText('Unlock for $8.00');
  await logInHere(page, account.username);
  await expect(page).toHaveURL(new RegExp(`/post/${id}$`));
  await addFunds(context, 20);
  await page.reload();
  await tap(page, page.getByRole('button', { name: 'Unlock $8.00' }));
  await expect(page.getByText('Yours · $8.00')).toBeVisible();
  // The paid price is shown even if the price changes later.
  const { media } = await callApi<{ media: { id: string }[] }>(maker.context, 'GET', `/post/${id}`);
  await callApi(maker.context, 'PATCH', `/post/${id}`, { caption: 'Afterwards', price: 15, media });
  await page.reload();
  await expect(page.getByText('Yours · $8.00')).toBeVisible();
  await page.goto(`/profile/${maker.username}`);
  await expect(page.getByText('Yours · $8.00')).toBeVisible();
});

test('the sign-up names the action of Follow, Message, Tip and Like, and no action for an unknown address', async ({
  person,
  open,
}) => {
  const maker = await person('creator');
  const id = await publish(maker.context, { caption: 'Open to all' });
  await callApi(maker.context, 'PUT', '/creator/profile', { name: 'Ada Vreeland', category: null });
  const { page } = await open(PHONE);
  const acts = [
    [`/profile/${maker.username}`, 'Follow Ada Vreeland', 'Follow Ada Vreeland'],
    [`/profile/${maker.username}`, 'Message Ada Vreeland', 'Write to Ada Vreeland'],
    [`/profile/${maker.username}`, 'Tip Ada Vreeland', 'Tip Ada Vreeland'],
    [`/post/${id}`, 'Tip Ada Vreeland', 'Tip Ada Vreeland'],
    [`/post/${id}`, 'Like, 0 likes', 'Like this post'],
  ] as const;
  for (const [from, link, words] of acts) {
    await page.goto(from);
    await tap(page, page.getByRole('link', { name: link, exact: true }).first());
    await expect(page).toHaveURL(/\/signup\?for=/);
    await expect(heading(page)).toHaveText(words);
    await expect(page.getByRole('main').getByText('Ada Vreeland').first()).toBeVisible();
  }
  for (const next of ['https://evil.example/post/x', '/post/x', '/fan/wallet', `//evil.example/post/${id}`]) {
    await page.goto(`/signup?for=unlock&next=${encodeURIComponent(next)}`);
    await expect(heading(page)).toHaveText('Come in.');
  }
});

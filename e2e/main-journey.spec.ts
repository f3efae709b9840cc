import type { Page } from '@playwright/test';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { enableSelling } from './support/database.ts';
import {
  callApi,
  createConfirmedAccount,
  createUsername,
  describePicture,
  expect,
  PASSWORD,
  test,
  waitForHydration,
} from './support/fixtures.ts';
import { CARDS, fetchWalletBalance, makeJpeg, openTip, payByCard } from './support/money.ts';

type NewAccount = { username: string; email: string };

async function openSignUp(page: Page): Promise<void> {
  await page.goto('/signup');
  await waitForHydration(page);
}

async function signUpByForm(page: Page, role: 'I’m a fan' | 'I’m a creator', prefix: string): Promise<NewAccount> {
  const username = createUsername(prefix);
  const email = `${username}@example.org`;
  await page.getByRole('radiogroup', { name: 'Account type' }).getByText(role).click();
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await expect(page.getByText('Username available')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: false }).first().fill(PASSWORD);
  await page.getByLabel('I’m 18 or older').check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  return { username, email };
}

async function expectSignUpErrors(page: Page): Promise<void> {
  const existing = await createConfirmedAccount('customer');
  await expect(page.getByRole('radio', { name: 'I’m a creator' })).toBeChecked();
  const username = page.getByRole('textbox', { name: 'Username' });
  const email = page.getByLabel('Email');
  const password = page.getByRole('textbox', { name: 'Password' });

  await page.getByRole('button', { name: 'Username rules' }).click();
  const rules = page.getByRole('dialog', { name: 'Username rules' });
  await expect(rules.getByRole('listitem')).toHaveText([
    '6–20 characters',
    'Letters, numbers, periods and underscores only',
    'Can’t start or end with a period or underscore',
    'No consecutive periods or underscores',
  ]);
  await page.keyboard.press('Escape');
  await expect(rules).toBeHidden();

  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Cannot be empty')).toBeVisible();
  await expect(page.getByText('Please enter email')).toBeVisible();
  await expect(page.getByText('Password must be at least 8 characters long')).toBeVisible();
  await expect(page.getByText('Confirm that you’re 18 or older and accept the terms.')).toBeVisible();

  for (const wrong of ['short', 'two..dots']) {
    await username.fill(wrong);
    await username.blur();
    await expect(page.getByText('Please provide a valid username.')).toBeVisible();
  }
  // The field accepts at most 20 characters, as its description states.
  await username.fill('');
  await expect(username).toHaveAccessibleDescription(/6–20 characters/);
  await username.pressSequentially('x'.repeat(21));
  await expect(username).toHaveValue('x'.repeat(20));
  await username.fill(existing.username.toUpperCase());
  await expect(page.getByText('This username is taken.')).toBeVisible();
  await email.fill('somebody@nowhere');
  await email.blur();
  await expect(page.getByText('Invalid email')).toBeVisible();
  await email.fill(existing.email);
  await expect(page.getByText('An account with this email already exists.')).toBeVisible();
  await password.fill('alllowercase1');
  await expect(
    page.getByText(
      'Password must contain at least one lowercase letter, one uppercase letter, one number, one special character one of these !@#$%^&*, and be at least 8 characters long',
    ),
  ).toBeVisible();
}

async function confirmAndLogIn(page: Page, { username, email }: NewAccount, home: RegExp): Promise<void> {
  await page.getByRole('link', { name: 'Open the test mailbox' }).click();
  const mail = page.getByRole('article', { name: /confirm/i });
  await expect(mail).toContainText(email);
  await mail.getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'You’re in' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await waitForHydration(page);
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(home);
  await waitForHydration(page);
}

function recordResponses(page: Page): { texts: () => Promise<string[]> } {
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? '';
    if (/html|json|text\/x-script|turbo/.test(type)) bodies.push(response.text().catch(() => ''));
  });
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => void bodies.push(Promise.resolve(String(payload)))),
  );
  return { texts: () => Promise.all(bodies) };
}

async function publishPaid(page: Page, username: string): Promise<void> {
  const caption = `Evening ${username}`;
  await page.getByRole('link', { name: 'New', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'New post' })).toBeVisible();
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Add at least one file')).toBeVisible();
  await page.route('**/files/**', async (route) => {
    await expect(page.getByRole('progressbar', { name: 'Uploading evening.jpg' })).toBeVisible();
    await route.continue();
  });
  await page.getByLabel('Choose files').setInputFiles({
    name: 'evening.jpg',
    mimeType: 'image/jpeg',
    buffer: await makeJpeg(640, 480),
  });
  await expect(page.getByText(/, ready$/)).toBeVisible({ timeout: 30_000 });
  await page.getByLabel('Caption').fill(caption);
  await describePicture(page, 1, 'The evening light on the wall');
  await page.getByRole('radiogroup', { name: 'Who can see this?' }).getByText('Paid').click();
  const verificationNotice = page.getByText(
    /^Paid posts are available once you’re verified\. Submit your documents first\./,
  );
  await expect(verificationNotice.getByRole('link')).toHaveAttribute('href', '/creator/profile/verification');
  await page.getByLabel('Price').fill('2.99');
  await expect(page.getByText('A paid post costs between $3.00 and $50.00').first()).toBeVisible();
  await page.getByLabel('Price').fill('12.35');
  // A new creator's promotional fee is 10 %, rounded half up to cents: 1.24 of 12.35.
  await expect(page.getByText('Fan pays $12.35, you earn $11.11.')).toBeVisible();
  const publishButton = page.getByRole('button', { name: 'Publish · $12.35' });
  await publishButton.click();
  await expect(page.getByLabel('Price')).toBeFocused();
  const { id } = await callApi<{ id: string }>(page.context(), 'GET', '/auth/user');
  await enableSelling(id);
  await publishButton.click();
  await expect(page.getByText('Published.').first()).toBeVisible();
  await expect(page).toHaveURL(/\/creator\/feed$/);
  await expect(page.getByText('$12.35 · 0 unlocks · $0.00 earned')).toBeVisible();
}

async function sendTip(page: Page, name: string, amount: string, note: string): Promise<void> {
  const dialog = await openTip(page, name);
  await dialog.getByLabel('Custom amount').fill(amount);
  await dialog.getByLabel('Add a message').fill(note);
  await dialog.getByRole('button', { name: new RegExp(`^Tip \\$${amount}`) }).click();
  await expect(page.getByText(`You tipped ${name} $${amount}.`)).toBeVisible();
  await expect(dialog).toBeHidden();
}

async function expectEarnings(creator: Page): Promise<void> {
  const rows = creator.getByRole('list', { name: 'Recent earnings' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  // 12.35 − 1.24, 20.00 − 2.00, 7.77 − 0.78
  await expect(rows.filter({ hasText: 'Post from' })).toContainText('+$11.11');
  await expect(rows.filter({ hasText: 'for the chairs' })).toContainText('+$18.00');
  await expect(rows.filter({ hasText: 'for the light' })).toContainText('+$6.99');
  await expect(creator.getByRole('region', { name: 'Today' })).toContainText('Earned today$36.10');
  await expect(creator.getByText('All time: $36.10 earned, 3 sales, 1 follower.')).toBeVisible();
  const { earnings, transactions, followers } = await callApi<
    Record<'earnings' | 'transactions' | 'followers', { total: number; today: number }>
  >(creator.context(), 'GET', '/creator/stats');
  expect(earnings.total).toBe(36.1);
  expect(transactions.total).toBe(3);
  expect(followers.total).toBe(1);
}

test('the main journey from sign-up, which explains each invalid field, to unlock, in two browsers at once', async ({
  open,
}) => {
  test.setTimeout(150_000);
  const creator = await open();
  const creatorAccount = await test.step('the creator signs up, confirms the address and logs in', async () => {
    await openSignUp(creator.page);
    const account = await signUpByForm(creator.page, 'I’m a creator', 'maker');
    await confirmAndLogIn(creator.page, account, /\/creator$/);
    return account;
  });
  const caption = `Evening ${creatorAccount.username}`;
  await test.step('the creator publishes a paid picture', () => publishPaid(creator.page, creatorAccount.username));
  await creator.page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Home', exact: true })
    .first()
    .click();
  await expect(creator.page.getByText('No earnings yet.')).toBeVisible();

  const fan = await open({ width: 390 });
  const { page } = fan;
  const responses = recordResponses(page);
  await test.step('the sign-up form explains each invalid field', async () => {
    await openSignUp(page);
    await expectSignUpErrors(page);
  });
  await test.step('the fan signs up, confirms the address and logs in', async () => {
    const account = await signUpByForm(page, 'I’m a fan', 'guest');
    await confirmAndLogIn(page, account, /\/fan\/feed$/);
  });

  const original = await test.step('the fan finds and follows the creator, and sees a locked post', async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Search' }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill(creatorAccount.username);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: `“${creatorAccount.username}”` })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: creatorAccount.username }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(creatorAccount.username);
    await page.getByRole('button', { name: `Follow ${creatorAccount.username}` }).click();
    await expect(page.getByRole('button', { name: `Following ${creatorAccount.username}` })).toBeVisible();
    await page.getByRole('link', { name: caption }).click();
    await expect(page.getByRole('heading', { level: 1, name: caption })).toBeVisible();
    await page.reload();
    await waitForHydration(page);
    await expect(page.getByRole('img', { name: 'Blurred preview of 1 photo' })).toBeVisible();
    const id = page.url().split('/').at(-1) ?? '';
    const own = await callApi<Post>(creator.context, 'GET', `/post/${id}`);
    const [media] = own.media;
    if (!media || media.isLocked) throw new Error('the creator does not see the own post');
    expect((await fan.context.request.get(media.picture.url)).status()).toBe(404);
    return media.picture;
  });

  await test.step('no response contains the address of the original', async () => {
    const hidden = [original.url, ...original.sources.flatMap(({ srcset }) => srcset.split(/[\s,]+/))]
      .filter((part) => part.includes('/'))
      .map((address) => address.replace(/^https?:\/\/[^/]+/, ''));
    expect(hidden.length).toBeGreaterThan(2);
    const texts = await responses.texts();
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) for (const address of hidden) expect(text.includes(address), address).toBe(false);
  });

  const second = await fan.context.newPage();
  await test.step('the fan adds funds, and another tab shows them without a reload', async () => {
    await second.goto('/fan/feed');
    await waitForHydration(second);
    await expect(second.getByRole('banner').getByRole('link', { name: 'Available $0.00' })).toBeVisible();
    await expect(page.getByText('Price $12.35')).toBeVisible();
    await page.getByRole('link', { name: 'Add funds to unlock' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add funds' });
    await expect(dialog).toContainText('Test mode');
    const amount = dialog.getByLabel('Amount in dollars');
    await expect(amount).toHaveValue('12.35');
    await amount.fill('5');
    await dialog.getByRole('button', { name: 'Continue to payment' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Amount must be minimum 10 and maximum 900.');
    await amount.fill('300');
    await dialog.getByRole('button', { name: 'Continue to payment' }).click();
    await page
      .getByRole('dialog', { name: 'Payment information' })
      .getByRole('button', { name: 'Pay $306.00' })
      .click();
    await expect(page.getByRole('heading', { name: 'Pay by card' })).toBeVisible();
    await expect(page.getByRole('note')).toHaveText('TEST MODE: no card is charged and no real money moves');
    expect(await fetchWalletBalance(fan.context)).toBe(0);
    await payByCard(page, CARDS.approved);
    await expect(page).toHaveURL(/\/fan\/wallet\/return\?orderId=/);
    await expect(page.getByRole('heading', { name: 'Funds added' })).toBeVisible();
    await expect(page.getByRole('main').getByText('$300.00', { exact: true }).first()).toBeVisible();
    await expect(second.getByRole('banner').getByRole('link', { name: 'Available $300.00' })).toBeVisible();
    expect(await second.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1);
  });

  await test.step('the fan unlocks the post', async () => {
    await page.getByRole('link', { name: 'Back to post' }).click();
    await expect(page).toHaveURL(/\/post\//);
    await waitForHydration(page);
    await page.route('**/api/post/unlock/**', async (route) => {
      await expect(page.getByRole('button', { name: 'Paying…' })).toBeVisible();
      await expect(page.getByRole('img', { name: /^Blurred preview/ })).toBeVisible();
      await route.continue();
    });
    await page.getByRole('button', { name: 'Unlock $12.35' }).click();
    const open = page.getByRole('img', { name: 'The evening light on the wall' });
    await expect(open).toBeVisible();
    await expect.poll(() => open.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
    await expect(page.getByText(/^Unlocked · \$/)).toBeVisible();
    await expect(second.getByRole('banner').getByRole('link', { name: 'Available $287.65' })).toBeVisible();
    await expect(
      second.getByRole('article', { name: caption }).getByRole('img', { name: /^The evening/ }),
    ).toBeVisible();
  });

  await test.step('the fan tips on the post and on the profile', async () => {
    await sendTip(page, creatorAccount.username, '7.77', 'for the light');
    await page.getByRole('main').getByRole('link', { name: creatorAccount.username }).first().click();
    await expect(page).toHaveURL(new RegExp(`/profile/${creatorAccount.username}$`));
    await expect(page.getByRole('heading', { level: 1, name: creatorAccount.username, exact: true })).toBeVisible();
    await sendTip(page, creatorAccount.username, '20.00', 'for the chairs');
    await expect(second.getByRole('banner').getByRole('link', { name: 'Available $259.88' })).toBeVisible();
    expect(await fetchWalletBalance(fan.context)).toBe(259.88);
  });

  await test.step('the creator sees all payments to the cent without a reload', () => expectEarnings(creator.page));

  await test.step('history and receipt agree', async () => {
    await page.goto('/fan/wallet');
    const rows = page.getByRole('list', { name: 'Transactions' }).getByRole('listitem');
    await expect(rows).toHaveCount(4);
    for (const [index, amount] of ['−$20.00', '−$7.77', '−$12.35', '+$300.00'].entries())
      await expect(rows.nth(index)).toContainText(amount);
    await rows.nth(2).getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(caption);
    await expect(page.getByRole('article')).toContainText('−$12.35');
    await expect(page.getByRole('article')).toContainText('$287.65');
  });
});

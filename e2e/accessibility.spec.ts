import type { Page } from '@playwright/test';
import { PATHS, postPath, profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { getDemoContent, getDemoReceiptId, getFirstId } from './support/demo-content.ts';
import {
  callApi,
  createConfirmedAccount,
  expect,
  expectAccessible,
  expectAccessibleIn,
  forbidStorage,
  getBaseUrl,
  logIn,
  PASSWORD,
  test,
  waitForHydration,
} from './support/fixtures.ts';
import { expectStatesMarked } from './support/forced-colors.ts';
import { expectFits, LARGE_PX, NORMAL_PX, setFontSize } from './support/large-text.ts';
import { listPageAddresses } from './support/pages.ts';

type ViewMode = { width: number; colorScheme: 'light' | 'dark' };
const NARROW_LIGHT: ViewMode = { width: 390, colorScheme: 'light' };
const WIDE_DARK: ViewMode = { width: 1440, colorScheme: 'dark' };

const setWidth = (page: Page, width: number) => page.setViewportSize({ width, height: width < 700 ? 844 : 900 });

async function expectAccessibleAs(page: Page, { width, colorScheme }: ViewMode): Promise<void> {
  await setWidth(page, width);
  await expectAccessibleIn(page, colorScheme);
}

async function expectNoOverflow(page: Page, path: string): Promise<void> {
  for (const width of [320, 1440]) {
    await setWidth(page, width);
    await expectFits(page, `${path} at ${width}`);
  }
}

/** Expects that a phone fits the page when its reader has set the browser's text to one and a half times its size. */
async function expectFitsWithLargeText(page: Page, path: string): Promise<void> {
  await setWidth(page, NARROW_LIGHT.width);
  await setFontSize(page, LARGE_PX);
  await expect(page.locator('body')).toHaveCSS('font-size', `${LARGE_PX}px`);
  await expectFits(page, `${path} with large text`);
  await setFontSize(page, NORMAL_PX);
}

/** Analyses a page narrow in light by all rules, and wide in dark by those that depend on colours. */
async function expectAccessiblePage(page: Page, path: string): Promise<void> {
  // Inert content, such as the preview next to the profile editor, is not available to readers.
  await expect(page.locator('h1:not([inert] h1)'), `one h1 on ${path}`).toHaveCount(1);
  await expectAccessibleAs(page, NARROW_LIGHT);
  await expectNoOverflow(page, path);
  await expectAccessibleIn(page, 'dark', 'colours');
}

const MISSING = '/no/such/page';
const { communityRules, creatorAgreement, records, dmca } = PUBLIC_PATHS;
/** Texts with the same elements as the terms and the privacy policy. */
const MORE_TEXTS: readonly string[] = [communityRules, creatorAgreement, records, dmca];

async function expectAccessiblePages(page: Page, addresses: readonly string[]): Promise<void> {
  // Every page must work without storage. The fixture of the page reports the errors that our code did not catch.
  await page.addInitScript(forbidStorage);
  for (const path of addresses) {
    await setWidth(page, NARROW_LIGHT.width);
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(path === MISSING ? 404 : 200);
    if (MORE_TEXTS.includes(path)) {
      await expectNoOverflow(page, path);
    } else {
      await expectAccessiblePage(page, path);
      await expectFitsWithLargeText(page, path);
    }
  }
}

test('reports a page without a sample address and the line to add', () => {
  const added = [{ pattern: 'fan/albums/:id', area: 'customer' as const }];
  expect(() => listPageAddresses('customer', {}, added)).toThrow(
    "The page fan/albums/:id of web/app/routes.ts has no address that journeys could go to; add to SAMPLES in e2e/support/pages.ts: 'fan/albums/:id': ['/fan/albums/{id}'],",
  );
  expect(listPageAddresses('customer', {}, [{ pattern: 'fan/albums', area: 'customer' }])).toEqual(['/fan/albums']);
});

/** Analyses the wide navigation by all rules, and the narrow one in dark. */
async function expectAccessibleNavigation(page: Page, path: string): Promise<void> {
  await setWidth(page, NARROW_LIGHT.width);
  await page.goto(path);
  await expectAccessibleIn(page, 'dark', 'colours');
  await expectAccessibleAs(page, { width: WIDE_DARK.width, colorScheme: 'light' });
}

test('visitors’ pages are accessible and fit narrow and wide screens', async ({ open }) => {
  test.setTimeout(480_000);
  const { page, context } = await open({ width: NARROW_LIGHT.width });
  await expectAccessiblePages(page, listPageAddresses('visitor', await getDemoContent(context)));
  await expectAccessibleNavigation(page, '/');
  await page.goto('/signup');
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Cannot be empty')).toBeVisible();
  await page.getByRole('button', { name: 'Username rules' }).click();
  await expect(page.getByRole('dialog', { name: 'Username rules' })).toBeVisible();
  await expectAccessibleAs(page, WIDE_DARK);
});

test('a fan’s pages and dialogs are accessible and fit narrow and wide screens', async ({ open }) => {
  test.setTimeout(480_000);
  const { page, context } = await open({ width: NARROW_LIGHT.width });
  await logIn(context, 'demo.fan');
  const { username, locked } = await getDemoContent(context);
  const profile = profilePath(username);
  await expectAccessiblePages(page, [
    ...listPageAddresses('customer', { receipt: await getDemoReceiptId(context) }),
    PATHS.home,
    profile,
    postPath(locked),
  ]);
  await expectAccessibleNavigation(page, '/fan/feed');
  await page.goto('/fan/wallet?add=credits');
  const credits = page.getByRole('dialog', { name: 'How many credits?' });
  await expect(credits).toBeVisible();
  await expectAccessibleAs(page, NARROW_LIGHT);
  await waitForHydration(page);
  await credits.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByRole('dialog', { name: 'Payment information' })).toBeVisible();
  await expectAccessibleAs(page, WIDE_DARK);
  await page.goto('/fan/wallet?add=1');
  await expect(page.getByRole('dialog', { name: 'Add funds' })).toBeVisible();
  await expectAccessibleAs(page, NARROW_LIGHT);
  await expectFitsWithLargeText(page, 'the dialog for adding funds');
  await page.goto(profile);
  await waitForHydration(page);
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Tip (?!toward)/ })
    .click();
  await expect(page.getByRole('dialog', { name: /^Tip / })).toBeVisible();
  await expectAccessibleAs(page, WIDE_DARK);
});

test('a creator’s pages are accessible and fit narrow and wide screens', async ({ open }) => {
  test.setTimeout(480_000);
  const { page, context } = await open({ width: NARROW_LIGHT.width });
  await logIn(context, 'demo.creator');
  const post = await getFirstId(context, '/creator/posts', 'post');
  const media = await getFirstId(context, '/creator/media', 'media');
  await expectAccessiblePages(page, [
    ...listPageAddresses('creator', { post, media }),
    PUBLIC_PATHS.themeEdit,
    postPath(post),
  ]);
  await page.goto('/creator/post/add');
  await waitForHydration(page);
  await page.getByRole('radiogroup', { name: 'Who can see this?' }).getByText('Paid').click();
  await expect(page.getByLabel('Price')).toBeVisible();
  await expectAccessibleAs(page, NARROW_LIGHT);
});

test('an operator’s pages are accessible and fit narrow and wide screens', async ({ open }) => {
  test.setTimeout(480_000);
  const { page, context } = await open({ width: NARROW_LIGHT.width });
  await logIn(context, 'demo.admin');
  await expectAccessiblePages(page, listPageAddresses('operator', {}));
  await expectAccessibleNavigation(page, '/admin');
});

test('the payment page, the gallery and the mailbox are accessible and fit narrow and wide screens', async ({
  createUser,
}) => {
  const { page, context } = await createUser('customer', { width: NARROW_LIGHT.width });
  const order = await callApi<{ paymentUrl: string }>(context, 'POST', '/customer/deposite-fund', {
    paymentProvider: 'ccbill',
    amount: 20,
  });
  await page.goto(order.paymentUrl);
  await expectAccessiblePage(page, 'the payment page');
  await page.goto('/dev/mailbox');
  await expectAccessiblePage(page, '/dev/mailbox');
  await setWidth(page, NARROW_LIGHT.width);
  await page.goto('/dev/gallery');
  await expectAccessible(page);
  await expectStatesMarked(page, [
    ...['.tab[aria-current]', 'a.chip[aria-current]', 'button.chip[aria-pressed="true"]', '.chip:has(:checked)'],
    ...['.segmented > label:has(:checked)', '.switch:checked', '.btn[aria-pressed="true"]', '.pack:has(:checked)'],
    ...[
      '.icon-btn[aria-pressed="true"]',
      '.avatar[data-on="on"]',
      '.avatar[data-on="busy"]',
      '.avatar[data-on="away"]',
    ],
  ]);
  await page.goto('/fan/wallet');
  await expectStatesMarked(page, ['.tabbar .nav-item[aria-current]', '.tab[aria-current]']);
  await setWidth(page, WIDE_DARK.width);
  await expectStatesMarked(page, ['.rail .nav-item[aria-current]']);
});

test('skip link, log-in and deposit dialog work by keyboard alone, and Escape restores the focus', async ({ open }) => {
  const account = await createConfirmedAccount('customer');
  const { page } = await open();
  await page.goto('/works');
  await expectStatesMarked(page, ['.vtop__nav a[aria-current]']);
  await page.goto('/');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();

  await page.goto('/login');
  await waitForHydration(page);
  await page.getByLabel('Username or email').focus();
  await page.keyboard.type(account.username);
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${getBaseUrl()}/fan/feed`);

  await page.goto('/fan/wallet');
  await waitForHydration(page);
  const opener = page.getByRole('main').getByRole('link', { name: 'Add funds' }).first();
  for (let presses = 0; presses < 30; presses += 1) {
    if (await opener.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(opener).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'How many credits?' });
  await expect(dialog).toBeVisible();
  const radio = (name: RegExp) => dialog.getByRole('radio', { name });
  for (let presses = 0; presses < 6; presses += 1) {
    if (await radio(/^30/).evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('ArrowDown');
  await expect(radio(/^60/)).toBeChecked();
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press('Tab');
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

import type { Locator, Page } from '@playwright/test';
import { THEME_PRESETS } from '@stagedoor/contract/content/theme-presets.ts';
import { findThemeContrastProblems, type ThemeState } from '@stagedoor/contract/content/themes.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { TEST_CALL_SETTINGS } from './support/calls.ts';
import {
  callApi,
  createUsername,
  expect,
  expectAccessible,
  getBaseUrl,
  logIn,
  PASSWORD,
  test,
  waitForHydration,
  waitForMail,
} from './support/fixtures.ts';
import { openTip, publishPictures } from './support/money.ts';
import { tap } from './support/touch.ts';

async function expectNoOverflow(page: Page, what: string): Promise<void> {
  const getOverflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(getOverflow, what).toBeLessThanOrEqual(0);
}

const SHARED_THEME_PATH = `${PUBLIC_PATHS.themes}/f4f3f0-2f5d50-derived-signage-0-hero-box-row-picture`;

const BACKGROUNDS = { Bone: '#f4f1ea', Mist: '#e6edf2', Sage: '#e9efe2' } as const;
const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;
const getStyle = (page: Page, selector: string, name: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

function recordFonts(page: Page): { origins: () => string[] } {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') urls.push(request.url());
  });
  return { origins: () => [...new Set(urls.map((url) => new URL(url).origin))] };
}

const THEMED = /class="[^"]*\bthemed\b/;
const fetchText = async (path: string) => (await fetch(`${getBaseUrl()}${path}`)).text();

test('a creator applies and undoes a theme, applies one without script, and visitors see it', async ({
  createUser,
  open,
}) => {
  const creator = await createUser('creator', { width: 390 });
  const { page, context } = creator;
  await page.goto(PUBLIC_PATHS.themes);
  await waitForHydration(page);
  await expect(page.getByRole('listitem').filter({ hasText: 'Varnish' })).toContainText('AAA');
  await page.getByRole('button', { name: 'Apply Varnish' }).click();
  await expect(page.getByText('Varnish applied.')).toBeVisible();
  const getThemeState = () => callApi<ThemeState>(context, 'GET', '/creator/theme');
  expect((await getThemeState()).published?.background).toBe('#1a0f0a');

  const profile = `/profile/${creator.username}`;
  await expect.poll(() => fetchText(profile)).toMatch(THEMED);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await getThemeState()).published).toBeNull();
  await expect.poll(() => fetchText(profile)).not.toMatch(THEMED);

  for (const path of [PUBLIC_PATHS.themes, SHARED_THEME_PATH]) {
    const html = await fetchText(path);
    expect(html).toContain('<h1');
    expect(html).not.toContain('aria-label="Apply ');
  }
  const getStatus = async (address: string) => (await context.request.get(address)).status();
  expect(await getStatus(`${PUBLIC_PATHS.themes}/red-on-red`)).toBe(404);
  expect(await getStatus(`${PUBLIC_PATHS.themeEdit}?from=red-on-red`)).toBe(404);

  const { page: plainPage, context: scriptless } = await open({ hasScript: false });
  await logIn(scriptless, creator.username);
  await plainPage.goto(PUBLIC_PATHS.themes);
  await plainPage.getByRole('button', { name: 'Apply Varnish' }).click();
  await expect(plainPage).toHaveURL(profile);
  expect((await getThemeState()).published?.background).toBe('#1a0f0a');
});

test('a creator previews, shares, edits, publishes and removes a theme, and visitors see it in light and dark', async ({
  createUser,
  open,
}) => {
  const creator = await createUser('creator');
  await publishPictures(creator.context, { caption: 'Five cups', priceUsd: 9 });
  const { page, context } = creator;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const getThemeState = () => callApi<ThemeState>(context, 'GET', '/creator/theme');
  const accent = page.getByLabel('Accent hex code');
  const choose = (name: string | RegExp) => page.getByRole('radio', { name }).check({ force: true });
  await page.goto(`${PUBLIC_PATHS.themeEdit}?from=${SHARED_THEME_PATH.split('/').at(-1)}`);
  await waitForHydration(page);
  await expect(accent).toHaveValue('#2f5d50');
  const preview = page.getByRole('region', { name: 'Preview' });
  const frame = preview.frameLocator('iframe');
  const getInnerWidth = () =>
    preview.locator('iframe').evaluate((frame: HTMLIFrameElement) => frame.contentWindow?.innerWidth);
  await expect.poll(getInnerWidth).toBe(390);
  await preview.getByText('Desktop', { exact: true }).click();
  await expect.poll(getInnerWidth).toBe(1352);
  const getInnerBackground = () =>
    frame.locator('.themed').evaluate((element) => getComputedStyle(element).backgroundColor);
  await expect.poll(getInnerBackground).toBe(rgb('#f4f3f0'));
  await preview.getByText('Dark', { exact: true }).click();
  await expect.poll(getInnerBackground).not.toBe(rgb('#f4f3f0'));
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByText('Theme link copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${getBaseUrl()}${SHARED_THEME_PATH}`);
  await choose('Poster');
  await expect(page.getByText('Draft saved')).toBeVisible();
  expect((await getThemeState()).draft).toMatchObject({ type: 'poster', accent: '#2f5d50' });
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect.poll(async () => (await getThemeState()).draft).toBeNull();
  await expect(page.getByRole('radio', { name: 'Poster' })).not.toBeChecked();
  await expect(page.getByRole('button', { name: 'Reset' })).toHaveCount(0);

  await choose('Bone');
  await accent.fill('#f2b705');
  const errorGroup = page.getByRole('group', { name: 'Contrast too low' });
  await expect(errorGroup).toContainText('#f2b705 on #f4f1ea is 1.6:1. Minimum is 4.5:1');
  await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled();
  await expectAccessible(page);
  const [refusal] = findThemeContrastProblems({ background: '#f4f1ea', accent: '#f2b705', otherMode: 'derived' });
  const suggestion = refusal?.nearest ?? '';
  await page.getByRole('button', { name: `Use ${suggestion}` }).click();
  await expect(errorGroup).toHaveCount(0);
  await expect(accent).toHaveValue(suggestion);
  await choose('Poster');
  await choose(/^24$/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('radio', { name: '0', exact: true })).toBeChecked();
  await page.getByRole('button', { name: 'Redo' }).click();
  await choose('Hero');
  await expect(page.getByText('Draft saved')).toBeVisible();
  const expectedDraft = { accent: suggestion, type: 'poster', radius: 24, layout: 'hero' };
  await expect.poll(getThemeState).toMatchObject({ published: null, draft: expectedDraft });
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Theme published.')).toBeVisible();

  const { page: visitorPage } = await open({ width: 390 });
  const fonts = recordFonts(visitorPage);
  await visitorPage.goto(`/profile/${creator.username}`);
  expect(await getStyle(visitorPage, '.follow', 'border-top-left-radius')).toBe('24px');
  expect(await getStyle(visitorPage, 'h1', 'font-family')).toContain('Poster');
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitorPage.emulateMedia({ colorScheme });
    const background = await getStyle(visitorPage, '.themed', 'background-color');
    if (colorScheme === 'light') expect(background).toBe(rgb('#f4f1ea'));
    else expect(background).not.toBe(rgb('#f4f1ea'));
    expect(await getStyle(visitorPage, '.seal', 'background-color')).toBe(
      await getStyle(visitorPage, 'html', 'background-color'),
    );
  }
  for (const width of [1440, 390]) {
    await visitorPage.setViewportSize({ width, height: 844 });
    await expectNoOverflow(visitorPage, `the profile at ${width}`);
  }
  expect(fonts.origins()).toEqual([getBaseUrl()]);
  await expectAccessible(visitorPage);

  await page.getByRole('button', { name: 'Use default theme' }).click();
  await expect(page.getByText('Default theme restored.')).toBeVisible();
  expect((await getThemeState()).published).toBeNull();
  await expect.poll(() => fetchText(`/profile/${creator.username}`)).not.toMatch(THEMED);
});

test('a visitor tries a theme on a sample page, signs up as a creator and has it on their profile', async ({
  open,
}) => {
  const { page } = await open({ isPhone: true });
  await page.goto(PUBLIC_PATHS.themes);
  await tap(page, page.getByRole('link', { name: 'Try Varnish' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Try a theme');
  await waitForHydration(page);
  const sample = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe').locator('.themed');
  await expect(sample).toHaveCSS('background-color', rgb('#1a0f0a'));
  await tap(page, page.getByRole('link', { name: 'Fog', exact: true }));
  await expect(sample).not.toHaveCSS('background-color', rgb('#1a0f0a'));
  await tap(page, page.locator('label.swatch').filter({ hasText: 'Bone' }));
  await expect(sample).toHaveCSS('background-color', rgb(BACKGROUNDS.Bone));
  await expect(page).toHaveURL(/from=f4f1ea-/);
  await page.reload();
  await waitForHydration(page);
  await expect(sample).toHaveCSS('background-color', rgb(BACKGROUNDS.Bone));
  const accent = page.getByLabel('Accent hex code');
  await accent.fill('#f2b705');
  await expect(page.getByText('A color doesn’t have enough contrast')).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await accent.fill('#8c1f1a');
  await expectNoOverflow(page, 'the editor of visitors');

  await tap(page, page.getByRole('link', { name: 'Save' }));
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Keep your theme');
  await expect(page.getByRole('radio', { name: 'I’m a creator' })).toBeChecked();
  await waitForHydration(page);
  await tap(page, page.getByText('I’m a fan'));
  await expect(heading).toHaveText('Create your account');
  await expect(page.getByText('Themes are for creators.')).toBeVisible();
  await tap(page, page.getByText('I’m a creator', { exact: true }));
  await expect(heading).toHaveText('Keep your theme');
  const username = createUsername('theme');
  const email = `${username}@example.org`;
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').first().fill(PASSWORD);
  await tap(page, page.getByRole('checkbox', { name: /18 or older/ }));
  await tap(page, page.getByRole('button', { name: 'Create account' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email');
  const { links } = await waitForMail(email, /confirm|verify/i);

  const { page: otherDevice } = await open({ isPhone: true });
  await otherDevice.goto(links[0] ?? '');
  await expect(otherDevice.getByRole('heading', { level: 1 })).toHaveText('You’re in');
  await otherDevice.goto(`/profile/${username}`);
  const profile = otherDevice.locator('.themed');
  await expect(profile).toHaveCSS('background-color', rgb(BACKGROUNDS.Bone));

  await page.goto(PATHS.login);
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await tap(page, page.getByRole('button', { name: 'Log in' }));
  await expect(page).toHaveURL(/\/theme-edit\?from=f4f1ea-8c1f1a-/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your theme');
  await expect(page.getByRole('link', { name: 'See your page' })).toBeVisible();
});

const STYLE_NAMES = ['background-color', 'color', 'border-top-color', 'border-top-left-radius', 'font-family'];
async function getMoneyStyles(page: Page, username: string): Promise<Record<string, Record<string, string>>> {
  const main = page.getByRole('main');
  const parts = {
    seal: main.locator('.seal').first(),
    call: main.getByRole('button', { name: 'Offline' }),
    tip: main.getByRole('button', { name: `Tip ${username}` }).first(),
    goal: main.getByRole('button', { name: 'Tip', exact: true }),
  };
  const getStyles = (part: Locator) =>
    part.evaluate(
      (element, names) =>
        Object.fromEntries(names.map((name) => [name, getComputedStyle(element).getPropertyValue(name)])),
      STYLE_NAMES,
    );
  const styles: Record<string, Record<string, string>> = {};
  for (const [name, part] of Object.entries(parts)) {
    await expect(part, name).toBeVisible();
    styles[name] = await getStyles(part);
  }
  const sheet = await openTip(page, username);
  styles.sheet = await getStyles(sheet);
  styles.send = await getStyles(sheet.locator('.btn--primary').first());
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  return styles;
}

test('elements that ask for money look the same on themed and plain pages, in light and dark', async ({
  createUser,
  createApiUser,
}) => {
  const creator = await createApiUser('creator');
  await publishPictures(creator.context, { caption: 'Five cups', priceUsd: 9 });
  await callApi(creator.context, 'PUT', '/creator/call-settings', TEST_CALL_SETTINGS);
  await callApi(creator.context, 'POST', '/creator/tip-goal', { title: 'A new kiln', target: 500, endsAt: null });
  const themes = THEME_PRESETS.filter(({ key }) => ['ultraviolet', 'fog'].includes(key));
  expect(themes.map(({ theme }) => theme.otherMode)).toEqual(['same', 'derived']);
  const { page } = await createUser('customer');
  const applyAndMeasure = async (theme: (typeof THEME_PRESETS)[number]['theme'] | null) => {
    const { revision } = await callApi<ThemeState>(creator.context, 'GET', '/creator/theme');
    await callApi(creator.context, 'POST', '/creator/theme/publish', { revision, theme });
    await page.goto(`/profile/${creator.username}`);
    await waitForHydration(page);
    const results: { styles: Awaited<ReturnType<typeof getMoneyStyles>>; background: string }[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const styles = await getMoneyStyles(page, creator.username);
      results.push({ styles, background: await getStyle(page, 'html', 'background-color') });
    }
    if (theme) expect(await getStyle(page, '.icon-btn.asks', 'box-shadow')).not.toBe('none');
    return results;
  };
  const plainStyles = await applyAndMeasure(null);
  for (const { key, theme } of themes)
    for (const [index, themed] of (await applyAndMeasure(theme)).entries())
      for (const [name, style] of Object.entries(plainStyles[index]?.styles ?? {})) {
        const isClear = style['background-color'] === 'rgba(0, 0, 0, 0)';
        const expected = isClear ? { ...style, 'background-color': themed.background } : style;
        expect(themed.styles[name], `${name}, ${key}, ${index === 0 ? 'light' : 'dark'}`).toEqual(expected);
      }
});

const tapColour = (page: Page, name: string) => page.locator('label.swatch').filter({ hasText: name }).tap();

test('on a phone the editor shows errors where they are seen and keeps a draft through a lost connection and a reload', async ({
  createUser,
}) => {
  const { page, context } = await createUser('creator', { isPhone: true });
  const getThemeState = () => callApi<ThemeState>(context, 'GET', '/creator/theme');
  const getBackground = async () => (await getThemeState()).draft?.background;
  const [preset] = THEME_PRESETS;
  await callApi(context, 'POST', '/creator/theme/publish', { revision: 0, theme: preset?.theme });
  await page.goto(PUBLIC_PATHS.themeEdit);
  await waitForHydration(page);
  const accent = page.getByLabel('Accent hex code');
  const typeAccent = async (text: string) => {
    await accent.tap();
    await accent.fill('');
    await accent.pressSequentially(text);
    await accent.blur();
  };
  const hexHint = page.getByText('Enter a hex color like #2f5d50.');
  for (const text of ['zzz', '']) {
    await typeAccent(text);
    await expect(hexHint, text).toBeVisible();
    await expect(accent).toHaveAttribute('aria-invalid', 'true');
  }
  await typeAccent('  #123456 ');
  await expect(hexHint).toHaveCount(0);
  await expect(accent).toHaveValue('#123456');
  await page.getByText('Posts', { exact: true }).last().scrollIntoViewIfNeeded();
  await expect(page.getByRole('region', { name: 'Preview' }).locator('iframe')).toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(600);
  await expectNoOverflow(page, 'the editor');

  await tapColour(page, 'Bone');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).tap();
  for (const name of ['Reset', 'Use default theme', 'Publish']) {
    await expect(page.getByRole('button', { name: 'Reset' })).toBeEnabled();
    const { revision, draft } = await getThemeState();
    await callApi(context, 'PUT', '/creator/theme/draft', { revision, theme: draft });
    await press(name);
    await expect(page.getByRole('button', { name: 'Reload' }), name).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('This has already changed. Reload and try again.')).toHaveCount(0);
    await press('Reload');
    await expect(page.getByRole('button', { name: 'Reload' })).toHaveCount(0);
  }

  await context.setOffline(true);
  await tapColour(page, 'Mist');
  const saveError = page.getByText('Couldn’t save your draft.');
  await expect(saveError).toBeInViewport();
  expect((await saveError.boundingBox())?.height).toBeGreaterThan(12);
  await context.setOffline(false);
  await expect.poll(getBackground).toBe(BACKGROUNDS.Mist);
  await expect(saveError).toHaveCount(0);
  await tapColour(page, 'Sage');
  await page.getByRole('link', { name: 'Gallery' }).tap();
  await expect(page).toHaveURL(PUBLIC_PATHS.themes);
  await expect.poll(getBackground).toBe(BACKGROUNDS.Sage);
  await page.goto(PUBLIC_PATHS.themeEdit);
  await waitForHydration(page);
  await tapColour(page, 'Bone');
  const session = await context.newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 32 } });
  await page.reload();
  await expect.poll(getBackground).toBe(BACKGROUNDS.Bone);
  await expect(page.getByRole('radio', { name: 'Bone' })).toBeChecked();
  await expect(page.locator('body')).toHaveCSS('font-size', '32px');
  await expectNoOverflow(page, 'the editor in letters of twice the size');
});

test('on a phone the menu of a hero profile is between the top and bottom bars', async ({
  createUser,
  createApiUser,
}) => {
  const creator = await createApiUser('creator');
  const [preset] = THEME_PRESETS;
  await callApi(creator.context, 'POST', '/creator/theme/publish', {
    revision: 0,
    theme: preset && { ...preset.theme, layout: 'hero' },
  });
  const { page } = await createUser('customer', { isPhone: true });
  await page.goto(`/profile/${creator.username}`);
  await waitForHydration(page);
  await page.locator('summary[aria-label="Share"]').tap();
  const menu = page.getByRole('list', { name: 'Share' });
  await expect(menu.getByText('Block', { exact: false })).toBeVisible();
  const getBarBox = async (bar: string) => page.locator(bar).boundingBox();
  await expect
    .poll(async () => {
      const [box, above, below] = [await menu.boundingBox(), await getBarBox('.topbar'), await getBarBox('.tabbar')];
      return box && above && below && box.y >= above.y + above.height && box.y + box.height <= below.y;
    })
    .toBe(true);
});

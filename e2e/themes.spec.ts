import type { Locator, Page } from '@playwright/test';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { PRESETS } from '@stagedoor/contract/theme-presets.ts';
import { refusals, type ThemeState } from '@stagedoor/contract/themes.ts';
import { SETTINGS } from './support/calls.ts';
import { baseUrl, callApi, expect, expectAccessible, hydrated, logIn, test } from './support/fixtures.ts';
import { openTip, publish } from './support/money.ts';

async function expectNoOverflow(page: Page, what: string): Promise<void> {
  const over = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(over, what).toBeLessThanOrEqual(0);
}

const SHARED = `${PUBLIC_PATHS.themes}/f4f3f0-2f5d50-made-signage-0-hero-box-row-picture`;

const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;
const styleOf = (page: Page, selector: string, name: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

function fontsOf(page: Page): { origins: () => string[] } {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') urls.push(request.url());
  });
  return { origins: () => [...new Set(urls.map((url) => new URL(url).origin))] };
}

const THEMED = /class="[^"]*\bthemed\b/;
const textOf = async (path: string) => (await fetch(`${baseUrl()}${path}`)).text();

test('a creator applies and undoes a theme, applies one without script, and visitors see it', async ({
  person,
  open,
}) => {
  const maker = await person('creator', { width: 390 });
  const { page, context } = maker;
  await page.goto(PUBLIC_PATHS.themes);
  await hydrated(page);
  await expect(page.getByRole('listitem').filter({ hasText: 'Varnish' })).toContainText('AAA');
  await page.getByRole('button', { name: 'Apply Varnish' }).click();
  await expect(page.getByText('Varnish applied.')).toBeVisible();
  const state = () => callApi<ThemeState>(context, 'GET', '/creator/theme');
  expect((await state()).published?.background).toBe('#1a0f0a');

  const profile = `/profile/${maker.username}`;
  await expect.poll(() => textOf(profile)).toMatch(THEMED);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await state()).published).toBeNull();
  await expect.poll(() => textOf(profile)).not.toMatch(THEMED);

  for (const path of [PUBLIC_PATHS.themes, SHARED]) {
    const html = await textOf(path);
    expect(html).toContain('<h1');
    expect(html).not.toContain('aria-label="Apply ');
  }
  const statusOf = async (address: string) => (await context.request.get(address)).status();
  expect(await statusOf(`${PUBLIC_PATHS.themes}/red-on-red`)).toBe(404);
  expect(await statusOf(`${PUBLIC_PATHS.themeEdit}?from=red-on-red`)).toBe(404);

  const { page: plain, context: scriptless } = await open({ hasScript: false });
  await logIn(scriptless, maker.username);
  await plain.goto(PUBLIC_PATHS.themes);
  await plain.getByRole('button', { name: 'Apply Varnish' }).click();
  await expect(plain).toHaveURL(profile);
  expect((await state()).published?.background).toBe('#1a0f0a');
});

test('a creator previews, shares, edits, publishes and removes a theme, and visitors see it in light and dark', async ({
  person,
  open,
}) => {
  const maker = await person('creator');
  await publish(maker.context, { caption: 'Five cups', priceUsd: 9 });
  const { page, context } = maker;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const state = () => callApi<ThemeState>(context, 'GET', '/creator/theme');
  const accent = page.getByLabel('Accent hex code');
  const choose = (name: string | RegExp) => page.getByRole('radio', { name }).check({ force: true });
  await page.goto(`${PUBLIC_PATHS.themeEdit}?from=${SHARED.split('/').at(-1)}`);
  await hydrated(page);
  await expect(accent).toHaveValue('#2f5d50');
  const preview = page.getByRole('region', { name: 'Preview' });
  const inside = preview.frameLocator('iframe');
  const widthInside = () =>
    preview.locator('iframe').evaluate((frame: HTMLIFrameElement) => frame.contentWindow?.innerWidth);
  await expect.poll(widthInside).toBe(390);
  await preview.getByText('Desktop', { exact: true }).click();
  await expect.poll(widthInside).toBe(1352);
  const groundInside = () => inside.locator('.themed').evaluate((element) => getComputedStyle(element).backgroundColor);
  await expect.poll(groundInside).toBe(rgb('#f4f3f0'));
  await preview.getByText('Dark', { exact: true }).click();
  await expect.poll(groundInside).not.toBe(rgb('#f4f3f0'));
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByText('Theme link copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseUrl()}${SHARED}`);
  await choose('Poster');
  await expect(page.getByText('Draft saved')).toBeVisible();
  expect((await state()).draft).toMatchObject({ type: 'poster', accent: '#2f5d50' });
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect.poll(async () => (await state()).draft).toBeNull();
  await expect(page.getByRole('radio', { name: 'Poster' })).not.toBeChecked();
  await expect(page.getByRole('button', { name: 'Reset' })).toHaveCount(0);

  await choose('Bone');
  await accent.fill('#f2b705');
  const refused = page.getByRole('group', { name: 'Contrast too low' });
  await expect(refused).toContainText('#f2b705 on #f4f1ea is 1.6:1. Minimum is 4.5:1');
  await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled();
  await expectAccessible(page);
  const [refusal] = refusals({ background: '#f4f1ea', accent: '#f2b705', twin: 'made' });
  const offered = refusal?.nearest ?? '';
  await page.getByRole('button', { name: `Use ${offered}` }).click();
  await expect(refused).toHaveCount(0);
  await expect(accent).toHaveValue(offered);
  await choose('Poster');
  await choose(/^24$/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('radio', { name: '0', exact: true })).toBeChecked();
  await page.getByRole('button', { name: 'Redo' }).click();
  await choose('Hero');
  await expect(page.getByText('Draft saved')).toBeVisible();
  const look = { accent: offered, type: 'poster', radius: 24, layout: 'hero' };
  await expect.poll(state).toMatchObject({ published: null, draft: look });
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Theme published.')).toBeVisible();

  const { page: seen } = await open({ width: 390 });
  const fonts = fontsOf(seen);
  await seen.goto(`/profile/${maker.username}`);
  expect(await styleOf(seen, '.follow', 'border-top-left-radius')).toBe('24px');
  expect(await styleOf(seen, 'h1', 'font-family')).toContain('Poster');
  for (const colorScheme of ['light', 'dark'] as const) {
    await seen.emulateMedia({ colorScheme });
    const ground = await styleOf(seen, '.themed', 'background-color');
    if (colorScheme === 'light') expect(ground).toBe(rgb('#f4f1ea'));
    else expect(ground).not.toBe(rgb('#f4f1ea'));
    expect(await styleOf(seen, '.seal', 'background-color')).toBe(await styleOf(seen, 'html', 'background-color'));
  }
  for (const width of [1440, 390]) {
    await seen.setViewportSize({ width, height: 844 });
    await expectNoOverflow(seen, `the profile at ${width}`);
  }
  expect(fonts.origins()).toEqual([baseUrl()]);
  await expectAccessible(seen);

  await page.getByRole('button', { name: 'Use default theme' }).click();
  await expect(page.getByText('Default theme restored.')).toBeVisible();
  expect((await state()).published).toBeNull();
  await expect.poll(() => textOf(`/profile/${maker.username}`)).not.toMatch(THEMED);
});

const LOOKS = ['background-color', 'color', 'border-top-color', 'border-top-left-radius', 'font-family'];
async function moneyOn(page: Page, username: string): Promise<Record<string, Record<string, string>>> {
  const main = page.getByRole('main');
  const parts = {
    seal: main.locator('.seal').first(),
    call: main.getByRole('button', { name: 'Offline' }),
    tip: main.getByRole('button', { name: `Tip ${username}` }).first(),
    goal: main.getByRole('button', { name: 'Tip', exact: true }),
  };
  const lookOfPart = (part: Locator) =>
    part.evaluate(
      (element, names) =>
        Object.fromEntries(names.map((name) => [name, getComputedStyle(element).getPropertyValue(name)])),
      LOOKS,
    );
  const looks: Record<string, Record<string, string>> = {};
  for (const [name, part] of Object.entries(parts)) {
    await expect(part, name).toBeVisible();
    looks[name] = await lookOfPart(part);
  }
  const sheet = await openTip(page, username);
  looks.sheet = await lookOfPart(sheet);
  looks.send = await lookOfPart(sheet.locator('.btn--primary').first());
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  return looks;
}

test('elements that ask for money look the same on themed and plain pages, in light and dark', async ({
  person,
  apiUser,
}) => {
  const maker = await apiUser('creator');
  await publish(maker.context, { caption: 'Five cups', priceUsd: 9 });
  await callApi(maker.context, 'PUT', '/creator/call-settings', SETTINGS);
  await callApi(maker.context, 'POST', '/creator/goal', { title: 'A new kiln', target: 500, endsAt: null });
  const themes = PRESETS.filter(({ key }) => ['ultraviolet', 'fog'].includes(key));
  expect(themes.map(({ theme }) => theme.twin)).toEqual(['same', 'made']);
  const { page } = await person('customer');
  const see = async (theme: (typeof PRESETS)[number]['theme'] | null) => {
    const { revision } = await callApi<ThemeState>(maker.context, 'GET', '/creator/theme');
    await callApi(maker.context, 'POST', '/creator/theme/publish', { revision, theme });
    await page.goto(`/profile/${maker.username}`);
    await hydrated(page);
    const seen: { looks: Awaited<ReturnType<typeof moneyOn>>; ground: string }[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const looks = await moneyOn(page, maker.username);
      seen.push({ looks, ground: await styleOf(page, 'html', 'background-color') });
    }
    if (theme) expect(await styleOf(page, '.icon-btn.asks', 'box-shadow')).not.toBe('none');
    return seen;
  };
  const plain = await see(null);
  for (const { key, theme } of themes)
    for (const [index, themed] of (await see(theme)).entries())
      for (const [name, look] of Object.entries(plain[index]?.looks ?? {})) {
        const isClear = look['background-color'] === 'rgba(0, 0, 0, 0)';
        const expected = isClear ? { ...look, 'background-color': themed.ground } : look;
        expect(themed.looks[name], `${name}, ${key}, ${index === 0 ? 'light' : 'dark'}`).toEqual(expected);
      }
});

const tapColour = (page: Page, name: string) => page.locator('label.swatch').filter({ hasText: name }).tap();
const OF = { Bone: '#f4f1ea', Mist: '#e6edf2', Sage: '#e9efe2' } as const;

test('on a phone the editor shows errors where they are seen and keeps a draft through a lost connection and a reload', async ({
  person,
}) => {
  const { page, context } = await person('creator', { isPhone: true });
  const state = () => callApi<ThemeState>(context, 'GET', '/creator/theme');
  const ground = async () => (await state()).draft?.background;
  const [paper] = PRESETS;
  await callApi(context, 'POST', '/creator/theme/publish', { revision: 0, theme: paper?.theme });
  await page.goto(PUBLIC_PATHS.themeEdit);
  await hydrated(page);
  const accent = page.getByLabel('Accent hex code');
  const type = async (text: string) => {
    await accent.tap();
    await accent.fill('');
    await accent.pressSequentially(text);
    await accent.blur();
  };
  const wanted = page.getByText('Enter a hex color like #2f5d50.');
  for (const text of ['zzz', '']) {
    await type(text);
    await expect(wanted, text).toBeVisible();
    await expect(accent).toHaveAttribute('aria-invalid', 'true');
  }
  await type('  #123456 ');
  await expect(wanted).toHaveCount(0);
  await expect(accent).toHaveValue('#123456');
  await page.getByText('Posts', { exact: true }).last().scrollIntoViewIfNeeded();
  await expect(page.getByRole('region', { name: 'Preview' }).locator('iframe')).toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(600);
  await expectNoOverflow(page, 'the editor');

  await tapColour(page, 'Bone');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).tap();
  for (const name of ['Reset', 'Use default theme', 'Publish']) {
    await expect(page.getByRole('button', { name: 'Reset' })).toBeEnabled();
    const { revision, draft } = await state();
    await callApi(context, 'PUT', '/creator/theme/draft', { revision, theme: draft });
    await press(name);
    await expect(page.getByRole('button', { name: 'Reload' }), name).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('This has already changed. Reload and try again.')).toHaveCount(0);
    await press('Reload');
    await expect(page.getByRole('button', { name: 'Reload' })).toHaveCount(0);
  }

  await context.setOffline(true);
  await tapColour(page, 'Mist');
  const why = page.getByText('Couldn’t save your draft.');
  await expect(why).toBeInViewport();
  expect((await why.boundingBox())?.height).toBeGreaterThan(12);
  await context.setOffline(false);
  await expect.poll(ground).toBe(OF.Mist);
  await expect(why).toHaveCount(0);
  await tapColour(page, 'Sage');
  await page.getByRole('link', { name: 'Gallery' }).tap();
  await expect(page).toHaveURL(PUBLIC_PATHS.themes);
  await expect.poll(ground).toBe(OF.Sage);
  await page.goto(PUBLIC_PATHS.themeEdit);
  await hydrated(page);
  await tapColour(page, 'Bone');
  const session = await context.newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 32 } });
  await page.reload();
  await expect.poll(ground).toBe(OF.Bone);
  await expect(page.getByRole('radio', { name: 'Bone' })).toBeChecked();
  await expect(page.locator('body')).toHaveCSS('font-size', '32px');
  await expectNoOverflow(page, 'the editor in letters of twice the size');
});

test('on a phone the menu of a hero profile is between the top and bottom bars', async ({ person, apiUser }) => {
  const maker = await apiUser('creator');
  const [paper] = PRESETS;
  await callApi(maker.context, 'POST', '/creator/theme/publish', {
    revision: 0,
    theme: paper && { ...paper.theme, layout: 'hero' },
  });
  const { page } = await person('customer', { isPhone: true });
  await page.goto(`/profile/${maker.username}`);
  await hydrated(page);
  await page.locator('summary[aria-label="Share"]').tap();
  const menu = page.getByRole('list', { name: 'Share' });
  await expect(menu.getByText('Block', { exact: false })).toBeVisible();
  const edgeOf = async (bar: string) => page.locator(bar).boundingBox();
  await expect
    .poll(async () => {
      const [box, above, below] = [await menu.boundingBox(), await edgeOf('.topbar'), await edgeOf('.tabbar')];
      return box && above && below && box.y >= above.y + above.height && box.y + box.height <= below.y;
    })
    .toBe(true);
});

import type { Locator, Page } from '@playwright/test';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import type { Profile } from '@stagedoor/contract/content/profiles.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { TEST_CALL_SETTINGS } from './support/calls.ts';
import { callApi, expect, getBaseUrl, test } from './support/fixtures.ts';
import { makeJpeg, publishPictures } from './support/money.ts';

function recordScripts(page: Page): { scripts: string[] } {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script' || /\.m?js($|\?)/.test(request.url())) scripts.push(request.url());
  });
  return { scripts };
}

async function getMeta(page: Page, name: string): Promise<string | null> {
  return page.locator(`meta[property="${name}"], meta[name="${name}"]`).getAttribute('content');
}

/** The fonts that a page requested before its first paint, the characters of each file, and the characters of our texts and of all texts. */
function readFonts(page: Page) {
  return page.evaluate(() => {
    const paintedAt = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    const toPath = (url: string) => new URL(url, location.href).pathname;
    const files = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.woff2'));
    const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
    const faces = rules.flatMap((rule) => (rule instanceof CSSFontFaceRule ? [rule.style] : []));
    const ownBody = new DOMParser().parseFromString(document.body.outerHTML, 'text/html').body;
    for (const element of ownBody.querySelectorAll('bdi, [dir="auto"], script, style, template')) element.remove();
    return {
      preloaded: [...document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="font"]')].map(({ href }) =>
        toPath(href),
      ),
      paintedAt,
      requested: files.filter(({ startTime }) => startTime < (paintedAt ?? 0)).map(({ name }) => toPath(name)),
      letterRanges: faces.map(
        (face) => [face.getPropertyValue('src'), face.getPropertyValue('unicode-range')] as const,
      ),
      ownText: (ownBody.textContent ?? '').replace(/\u2068.*?\u2069/gs, ''),
      all: document.body.textContent ?? '',
    };
  });
}

function listCovered(range: string, text: string): string[] {
  const spans = range.split(',').map((span) =>
    span
      .trim()
      .slice(2)
      .split('-')
      .map((end) => Number.parseInt(end, 16)),
  );
  return [...new Set(text)].filter((character) => {
    const code = character.codePointAt(0) ?? 0;
    return spans.some(([from = 0, to = from]) => from <= code && code <= to);
  });
}

async function expectFontsOfOwnTexts(page: Page): Promise<void> {
  await expect.poll(async () => (await readFonts(page)).paintedAt).toBeGreaterThan(0);
  const { preloaded, requested, letterRanges, ownText, all } = await readFonts(page);
  expect(preloaded).toHaveLength(2);
  expect(requested).toEqual(expect.arrayContaining(preloaded));
  for (const file of requested.filter((one) => !preloaded.includes(one))) {
    const [, range = ''] = letterRanges.find(([source]) => source.includes(file)) ?? [];
    expect(listCovered(range, ownText), `our texts that load ${file}`).toEqual([]);
    expect(listCovered(range, all), `words that ask for ${file}`).not.toEqual([]);
  }
}

test('public pages can be read without any script, need two font files at first, and ask for the age once', async ({
  open,
}) => {
  const { page } = await open({ width: 390 });
  const { scripts } = recordScripts(page);
  await page.goto('/');
  await expectFontsOfOwnTexts(page);
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Meet them after the show.');
  await expect(page).toHaveTitle('Stagedoor');
  const join = page.getByRole('banner').getByRole('link', { name: 'Sign up' });
  await expect(join).toHaveAttribute('href', PATHS.signupAsFan);
  const list = page.getByRole('region', { name: 'Discover creators' });
  expect(await list.getByRole('listitem').count()).toBe(6);
  const categories = page.getByRole('region', { name: 'Browse by category' });
  await expect(categories.getByRole('link', { name: /^Ceramics/ })).toHaveAttribute('href', /category=Ceramics/);
  const orders = page.getByRole('navigation', { name: 'Sort by' });
  await expect(orders.getByRole('link', { name: 'For you' })).toHaveAttribute('aria-current', 'page');
  await orders.getByRole('link', { name: 'New' }).click();
  await expect(page).toHaveURL(/\?sort=new$/);
  expect(await list.getByRole('listitem').count()).toBeGreaterThanOrEqual(8);
  await orders.getByRole('link', { name: 'For you' }).click();
  await expect(title).toHaveText('Meet them after the show.');

  await page.getByRole('region', { name: 'Latest posts' }).getByRole('link', { name: 'All posts' }).click();
  await expect(page).toHaveURL(/\/works$/);
  await expect(title).toHaveText('All posts');
  const listShownHrefs = async () => {
    const links = page.getByRole('main').getByRole('listitem').getByRole('link');
    return (await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))).map((href) => {
      expect(href).toMatch(/^\/post\/[\w-]{36}$/);
      return href;
    });
  };
  const first = await listShownHrefs();
  expect(first).toHaveLength(24);
  await page.getByRole('link', { name: 'Load more' }).click();
  await expect(page).toHaveURL(/\/works\?offset=c/);
  const second = await listShownHrefs();
  expect(second.length).toBeGreaterThan(0);
  // Ids begin with their time.
  expect([...first, ...second]).toEqual([...first, ...second].toSorted().toReversed());
  await page.getByRole('link', { name: 'Back to newest' }).click();
  const ceramics = page.getByRole('group', { name: 'Categories' }).getByRole('link', { name: 'Ceramics' });
  await ceramics.click();
  await expect(page).toHaveURL(/\/works\?category=Ceramics$/);
  await expect(title).toHaveText('Ceramics');
  await expect(ceramics).toHaveAttribute('aria-current', 'true');
  expect((await listShownHrefs()).length).toBeGreaterThan(0);
  const notice = page.getByRole('complementary', { name: 'Age notice' });
  await notice.getByRole('button', { name: 'I’m 18 or older' }).click();
  await expect(page).toHaveURL(/\/works\?category=Ceramics$/);
  await expect(notice).toHaveCount(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  const nav = page.getByRole('banner').getByRole('navigation', { name: 'Main' });
  await expect(nav.getByRole('link')).toHaveText(['Discover', 'Posts', 'Pricing', 'For creators', 'Themes']);
  await expect(nav.locator('[aria-current="page"]')).toHaveText('Posts');
  await page.setViewportSize({ width: 390, height: 844 });

  await page.getByRole('banner').getByRole('link', { name: 'Search' }).click();
  await expect(notice).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search' }).fill('ceramic');
  await page.keyboard.press('Enter');
  await expect(title).toHaveText('“ceramic”');
  const results = page.getByRole('main').getByRole('listitem');
  expect(await results.count()).toBeGreaterThanOrEqual(1);
  await results
    .first()
    .getByRole('link', { name: /^(?!Follow)/ })
    .click();

  await expect(page).toHaveURL(/\/profile\//);
  const creatorName = ((await title.textContent()) ?? '').trim();
  await expect(page).toHaveTitle(`${creatorName} · Stagedoor`);
  expect(await getMeta(page, 'og:title')).toBe(creatorName);
  expect(await getMeta(page, 'og:type')).toBe('profile');
  expect((await getMeta(page, 'description'))?.length).toBeGreaterThan(20);
  expect(await getMeta(page, 'og:description')).toBe(await getMeta(page, 'description'));
  const image = (await getMeta(page, 'og:image')) ?? '';
  expect((await page.request.get(image)).headers()['content-type']).toMatch(/^image\//);
  await page.getByRole('link', { name: 'About' }).click();
  await expect(page).toHaveURL(/tab=about/);
  await page.goBack();

  await page.locator('#posts').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/post\//);
  await expect(title).not.toBeEmpty();
  expect(await getMeta(page, 'og:type')).toBe('article');
  expect(await getMeta(page, 'og:url')).toBe(page.url());
  await expect(page.getByRole('article').getByRole('img').first()).toBeVisible();
  expect(scripts).toEqual([]);
});

async function isInView(page: Page, targets: Locator): Promise<boolean> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  for (const one of await targets.all()) {
    const box = await one.boundingBox();
    if (box && box.x >= 0 && box.y >= 0 && box.y + box.height <= height && box.x + box.width <= width) return true;
  }
  return false;
}

test('the first screen shows an online creator, a call rate and a priced post, and the profile who can be called now', async ({
  createUser,
  createApiUser,
  open,
}) => {
  const creator = await createUser('creator');
  const file = { name: 'cover.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(800, 600) };
  for (const which of ['avatar', 'cover'])
    expect(
      (await creator.context.request.post(`/api/creator/profile/${which}`, { multipart: { file } })).status(),
    ).toBe(200);
  await callApi(creator.context, 'PUT', '/creator/call-settings', { ...TEST_CALL_SETTINGS, videoRate: 4 });
  await publishPictures(creator.context, { caption: 'For later', priceUsd: 9 });
  await creator.page.goto(PATHS.creatorDashboard);
  await expect
    .poll(async () => JSON.stringify(await callApi(creator.context, 'GET', '/public/creators?sort=online&limit=50')))
    .toContain(creator.id);
  // A new post renders the cached page again, with the online status.
  const other = await createApiUser('creator');
  await publishPictures(other.context, { caption: 'There to be seen', priceUsd: 9 });

  const { page } = await open({ width: 390, colorScheme: 'dark' });
  const { scripts } = recordScripts(page);
  const onlineRegion = page.getByRole('region', { name: 'Online now' });
  const online = onlineRegion.getByRole('link', { name: /, (Online now|In a call|Away)/ });
  await expect(async () => {
    await page.goto('/');
    await expect(online.first()).toBeVisible({ timeout: 500 });
  }).toPass();
  const rate = onlineRegion.getByText(/^\$\d+\.\d\d\/min$/);
  const mainPicture = page.locator('main img[fetchpriority="high"]');
  await expect(mainPicture).toHaveCount(1);
  await expect(mainPicture).toHaveAttribute('loading', 'eager');
  const price = page.locator('main .seal');
  await expect(price.first()).toHaveText(/^\$\d+\.\d\d$/);
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const [name, one] of Object.entries({ online, rate, price }))
      await expect.poll(() => isInView(page, one), `${name} at ${width}`).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }
  const list = page.getByRole('region', { name: 'Latest posts' });
  expect(await list.getByRole('listitem').count()).toBeGreaterThanOrEqual(4);
  const creatorNames = await page.locator('a[href^="/post/"] .label__who').allTextContents();
  expect(new Set(creatorNames).size).toBe(creatorNames.length);
  await expect(page.getByText(/Calls under 20 seconds are free\./)).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'How calls are billed' }).getByText('You pay')).toBeVisible();
  await expect(page.getByRole('heading', { name: /Keep \$\d+\.\d\d of every \$10\.00\./ })).toBeVisible();

  const calls = page.getByRole('region', { name: 'Calls' }).first();
  await expect(async () => {
    await page.goto(`/profile/${creator.username}?tab=about`);
    await expect(calls).toContainText('Available for calls now', { timeout: 500 });
  }).toPass();
  await expect(calls).toContainText(/Video, per minute\s*\$4\.00\s*Voice, per minute\s*\$2\.00/);
  expect(scripts).toEqual([]);
});

const fetchText = async (path: string) => (await fetch(`${getBaseUrl()}${path}`)).text();

test('a locked post shows a blurred preview and a link to unlock it, and no address of the original', async ({
  createApiUser,
}) => {
  const creator = await createApiUser('creator');
  const id = await publishPictures(creator.context, { caption: 'Two rooms', priceUsd: 7.5, pictures: 2 });
  const own = await callApi<Post>(creator.context, 'GET', `/post/${id}`);
  const originals = own.media.flatMap((item) =>
    item.isLocked ? [] : [item.picture.url, ...item.picture.sources.flatMap(({ srcset }) => srcset.split(/[\s,]+/))],
  );
  const hidden = originals
    .filter((part) => part.includes('/'))
    .map((address) => new URL(address, getBaseUrl()).pathname + new URL(address, getBaseUrl()).search);
  expect(hidden.length).toBeGreaterThan(4);

  const page = await fetchText(`/post/${id}`);
  for (const part of ['Blurred preview of 2 photos', 'Photos', '$7.50']) expect(page).toContain(part);
  expect(page).toContain(`href="/signup?for=unlock&amp;next=%2Fpost%2F${id}"`);
  const bodies = [
    page,
    await fetchText(`/api/post/${id}`),
    await fetchText(`/api/public/posts/${own.author.id}`),
    await fetchText(`/profile/${creator.username}`),
  ];
  for (const response of bodies)
    for (const address of hidden)
      expect(response.includes(address.replaceAll('&', '&amp;')) || response.includes(address), address).toBe(false);
  expect((await fetch(`${getBaseUrl()}/post/${id}.jpg`)).headers.get('content-type')).toBe('image/jpeg');
});

test('a profile counts each visitor once, without its owner and embeds, and is answered with 304 until it changes', async ({
  createApiUser,
}) => {
  const { username, context } = await createApiUser('creator');
  const path = `/profile/${username}`;
  const visit = async (userAgent: string, address = path) => {
    const response = await fetch(`${getBaseUrl()}${address}`, { headers: { 'user-agent': userAgent } });
    expect(response.status).toBe(200);
    return response.headers.get('etag') ?? '';
  };
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const views = async () => (await callApi<Profile>(context, 'GET', '/creator/profile')).profileViewCount;
  await context.request.get(`${getBaseUrl()}${path}`, { headers: { 'user-agent': FIREFOX } });
  await visit(FIREFOX, `/embed${path}`);
  await visit(FIREFOX);
  await visit(FIREFOX);
  const etag = await visit(`${FIREFOX} another`);
  await expect.poll(views, { timeout: 15_000 }).toBe(2);

  expect(etag).not.toBe('');
  const refetch = () => fetch(`${getBaseUrl()}${path}`, { headers: { 'user-agent': FIREFOX, 'if-none-match': etag } });
  expect((await refetch()).status).toBe(304);
  await callApi(context, 'PUT', '/creator/profile', { name: username, bio: 'A new line.', category: null });
  await expect.poll(async () => (await refetch()).status).toBe(200);
  expect(await (await refetch()).text()).toContain('A new line.');
});

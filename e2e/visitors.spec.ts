import type { Locator, Page } from '@playwright/test';
import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import type { Profile } from '@stagedoor/contract/profiles.ts';
import { SETTINGS } from './support/calls.ts';
import { baseUrl, callApi, expect, test } from './support/fixtures.ts';
import { makeJpeg, publish } from './support/money.ts';

function watch(page: Page): { scripts: string[] } {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script' || /\.m?js($|\?)/.test(request.url())) scripts.push(request.url());
  });
  return { scripts };
}

async function metaOf(page: Page, name: string): Promise<string | null> {
  return page.locator(`meta[property="${name}"], meta[name="${name}"]`).getAttribute('content');
}

/** The fonts that a page requested before its first paint, the characters of each file, and the characters of our texts and of all texts. */
function fontsOf(page: Page) {
  return page.evaluate(() => {
    const paintedAt = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    const pathOf = (url: string) => new URL(url, location.href).pathname;
    const files = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.woff2'));
    const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
    const faces = rules.flatMap((rule) => (rule instanceof CSSFontFaceRule ? [rule.style] : []));
    const ours = new DOMParser().parseFromString(document.body.outerHTML, 'text/html').body;
    for (const words of ours.querySelectorAll('bdi, [dir="auto"], script, style, template')) words.remove();
    return {
      preloaded: [...document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="font"]')].map(({ href }) =>
        pathOf(href),
      ),
      paintedAt,
      asked: files.filter(({ startTime }) => startTime < (paintedAt ?? 0)).map(({ name }) => pathOf(name)),
      lettersOf: faces.map((face) => [face.getPropertyValue('src'), face.getPropertyValue('unicode-range')] as const),
      ours: (ours.textContent ?? '').replace(/\u2068.*?\u2069/gs, ''),
      all: document.body.textContent ?? '',
    };
  });
}

function within(range: string, text: string): string[] {
  const spans = range.split(',').map((span) =>
    span
      .trim()
      .slice(2)
      .split('-')
      .map((end) => Number.parseInt(end, 16)),
  );
  return [...new Set(text)].filter((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return spans.some(([from = 0, to = from]) => from <= code && code <= to);
  });
}

async function expectFontsOfOurTexts(page: Page): Promise<void> {
  await expect.poll(async () => (await fontsOf(page)).paintedAt).toBeGreaterThan(0);
  const { preloaded, asked, lettersOf, ours, all } = await fontsOf(page);
  expect(preloaded).toHaveLength(2);
  expect(asked).toEqual(expect.arrayContaining(preloaded));
  for (const file of asked.filter((one) => !preloaded.includes(one))) {
    const [, letters = ''] = lettersOf.find(([source]) => source.includes(file)) ?? [];
    expect(within(letters, ours), `our words that ask for ${file}`).toEqual([]);
    expect(within(letters, all), `words that ask for ${file}`).not.toEqual([]);
  }
}

test('public pages can be read without any script, need two font files at first, and ask for the age once', async ({
  open,
}) => {
  const { page } = await open({ width: 390 });
  const { scripts } = watch(page);
  await page.goto('/');
  await expectFontsOfOurTexts(page);
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Meet them after the show.');
  await expect(page).toHaveTitle('Stagedoor');
  const join = page.getByRole('banner').getByRole('link', { name: 'Sign up' });
  await expect(join).toHaveAttribute('href', PATHS.signupAsFan);
  const wall = page.getByRole('region', { name: 'Discover creators' });
  expect(await wall.getByRole('listitem').count()).toBe(6);
  const crafts = page.getByRole('region', { name: 'Browse by category' });
  await expect(crafts.getByRole('link', { name: /^Ceramics/ })).toHaveAttribute('href', /category=Ceramics/);
  const orders = page.getByRole('navigation', { name: 'Sort by' });
  await expect(orders.getByRole('link', { name: 'For you' })).toHaveAttribute('aria-current', 'page');
  await orders.getByRole('link', { name: 'New' }).click();
  await expect(page).toHaveURL(/\?sort=new$/);
  expect(await wall.getByRole('listitem').count()).toBeGreaterThanOrEqual(8);
  await orders.getByRole('link', { name: 'For you' }).click();
  await expect(title).toHaveText('Meet them after the show.');

  await page.getByRole('region', { name: 'Latest posts' }).getByRole('link', { name: 'All posts' }).click();
  await expect(page).toHaveURL(/\/works$/);
  await expect(title).toHaveText('All posts');
  const shown = async () => {
    const links = page.getByRole('main').getByRole('listitem').getByRole('link');
    return (await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))).map((href) => {
      expect(href).toMatch(/^\/post\/[\w-]{36}$/);
      return href;
    });
  };
  const first = await shown();
  expect(first).toHaveLength(24);
  await page.getByRole('link', { name: 'Load more' }).click();
  await expect(page).toHaveURL(/\/works\?offset=c/);
  const second = await shown();
  expect(second.length).toBeGreaterThan(0);
  // Ids begin with their time.
  expect([...first, ...second]).toEqual([...first, ...second].toSorted().toReversed());
  await page.getByRole('link', { name: 'Back to newest' }).click();
  const ceramics = page.getByRole('group', { name: 'Categories' }).getByRole('link', { name: 'Ceramics' });
  await ceramics.click();
  await expect(page).toHaveURL(/\/works\?category=Ceramics$/);
  await expect(title).toHaveText('Ceramics');
  await expect(ceramics).toHaveAttribute('aria-current', 'true');
  expect((await shown()).length).toBeGreaterThan(0);
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
  const found = page.getByRole('main').getByRole('listitem');
  expect(await found.count()).toBeGreaterThanOrEqual(1);
  await found
    .first()
    .getByRole('link', { name: /^(?!Follow)/ })
    .click();

  await expect(page).toHaveURL(/\/profile\//);
  const who = ((await title.textContent()) ?? '').trim();
  await expect(page).toHaveTitle(`${who} · Stagedoor`);
  expect(await metaOf(page, 'og:title')).toBe(who);
  expect(await metaOf(page, 'og:type')).toBe('profile');
  expect((await metaOf(page, 'description'))?.length).toBeGreaterThan(20);
  expect(await metaOf(page, 'og:description')).toBe(await metaOf(page, 'description'));
  const image = (await metaOf(page, 'og:image')) ?? '';
  expect((await page.request.get(image)).headers()['content-type']).toMatch(/^image\//);
  await page.getByRole('link', { name: 'About' }).click();
  await expect(page).toHaveURL(/tab=about/);
  await page.goBack();

  await page.locator('#posts').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/post\//);
  await expect(title).not.toBeEmpty();
  expect(await metaOf(page, 'og:type')).toBe('article');
  expect(await metaOf(page, 'og:url')).toBe(page.url());
  await expect(page.getByRole('article').getByRole('img').first()).toBeVisible();
  expect(scripts).toEqual([]);
});

async function isInView(page: Page, found: Locator): Promise<boolean> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  for (const one of await found.all()) {
    const box = await one.boundingBox();
    if (box && box.x >= 0 && box.y >= 0 && box.y + box.height <= height && box.x + box.width <= width) return true;
  }
  return false;
}

test('the first screen shows an online creator, a call rate and a priced post, and the profile who can be called now', async ({
  person,
  apiUser,
  open,
}) => {
  const maker = await person('creator');
  const file = { name: 'cover.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(800, 600) };
  for (const which of ['avatar', 'cover'])
    expect((await maker.context.request.post(`/api/creator/profile/${which}`, { multipart: { file } })).status()).toBe(
      200,
    );
  await callApi(maker.context, 'PUT', '/creator/call-settings', { ...SETTINGS, videoRate: 4 });
  await publish(maker.context, { caption: 'For later', priceUsd: 9 });
  await maker.page.goto(PATHS.creatorDashboard);
  await expect
    .poll(async () => JSON.stringify(await callApi(maker.context, 'GET', '/public/creators?sort=online&limit=50')))
    .toContain(maker.id);
  // A new post renders the cached page again, with the online status.
  const other = await apiUser('creator');
  await publish(other.context, { caption: 'There to be seen', priceUsd: 9 });

  const { page } = await open({ width: 390, colorScheme: 'dark' });
  const { scripts } = watch(page);
  const door = page.getByRole('region', { name: 'Online now' });
  const online = door.getByRole('link', { name: /, (Online now|In a call|Away)/ });
  await expect(async () => {
    await page.goto('/');
    await expect(online.first()).toBeVisible({ timeout: 500 });
  }).toPass();
  const rate = door.getByText(/^\$\d+\.\d\d\/min$/);
  const hung = page.locator('main img[fetchpriority="high"]');
  await expect(hung).toHaveCount(1);
  await expect(hung).toHaveAttribute('loading', 'eager');
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
  const wall = page.getByRole('region', { name: 'Latest posts' });
  expect(await wall.getByRole('listitem').count()).toBeGreaterThanOrEqual(4);
  const makers = await page.locator('a[href^="/post/"] .label__who').allTextContents();
  expect(new Set(makers).size).toBe(makers.length);
  await expect(page.getByText(/Calls under 20 seconds are free\./)).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'How calls are billed' }).getByText('You pay')).toBeVisible();
  await expect(page.getByRole('heading', { name: /Keep \$\d+\.\d\d of every \$10\.00\./ })).toBeVisible();

  const calls = page.getByRole('region', { name: 'Calls' }).first();
  await expect(async () => {
    await page.goto(`/profile/${maker.username}?tab=about`);
    await expect(calls).toContainText('Available for calls now', { timeout: 500 });
  }).toPass();
  await expect(calls).toContainText(/Video, per minute\s*\$4\.00\s*Voice, per minute\s*\$2\.00/);
  expect(scripts).toEqual([]);
});

const textOf = async (path: string) => (await fetch(`${baseUrl()}${path}`)).text();

test('a locked post shows a blurred preview and a link to unlock it, and no address of the original', async ({
  apiUser,
}) => {
  const maker = await apiUser('creator');
  const id = await publish(maker.context, { caption: 'Two rooms', priceUsd: 7.5, pictures: 2 });
  const own = await callApi<Post>(maker.context, 'GET', `/post/${id}`);
  const originals = own.media.flatMap((item) =>
    item.isLocked ? [] : [item.picture.url, ...item.picture.sources.flatMap(({ srcset }) => srcset.split(/[\s,]+/))],
  );
  const hidden = originals
    .filter((part) => part.includes('/'))
    .map((address) => new URL(address, baseUrl()).pathname + new URL(address, baseUrl()).search);
  expect(hidden.length).toBeGreaterThan(4);

  const page = await textOf(`/post/${id}`);
  for (const part of ['Blurred preview of 2 photos', 'Photos', '$7.50']) expect(page).toContain(part);
  expect(page).toContain(`href="/signup?for=unlock&amp;next=%2Fpost%2F${id}"`);
  const answers = [
    page,
    await textOf(`/api/post/${id}`),
    await textOf(`/api/public/posts/${own.author.id}`),
    await textOf(`/profile/${maker.username}`),
  ];
  for (const answer of answers)
    for (const address of hidden)
      expect(answer.includes(address.replaceAll('&', '&amp;')) || answer.includes(address), address).toBe(false);
  expect((await fetch(`${baseUrl()}/post/${id}.jpg`)).headers.get('content-type')).toBe('image/jpeg');
});

test('a profile counts each visitor once, without its owner and embeds, and is answered with 304 until it changes', async ({
  apiUser,
}) => {
  const { username, context } = await apiUser('creator');
  const path = `/profile/${username}`;
  const look = async (agent: string, address = path) => {
    const answer = await fetch(`${baseUrl()}${address}`, { headers: { 'user-agent': agent } });
    expect(answer.status).toBe(200);
    return answer.headers.get('etag') ?? '';
  };
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const views = async () => (await callApi<Profile>(context, 'GET', '/creator/profile')).profileViewCount;
  await context.request.get(`${baseUrl()}${path}`, { headers: { 'user-agent': FIREFOX } });
  await look(FIREFOX, `/embed${path}`);
  await look(FIREFOX);
  await look(FIREFOX);
  const etag = await look(`${FIREFOX} another`);
  await expect.poll(views, { timeout: 15_000 }).toBe(2);

  expect(etag).not.toBe('');
  const again = () => fetch(`${baseUrl()}${path}`, { headers: { 'user-agent': FIREFOX, 'if-none-match': etag } });
  expect((await again()).status).toBe(304);
  await callApi(context, 'PUT', '/creator/profile', { name: username, bio: 'A new line.', category: null });
  await expect.poll(async () => (await again()).status).toBe(200);
  expect(await (await again()).text()).toContain('A new line.');
});

import type { Locator, Page } from '@playwright/test';
import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { CallSettings, CallTerms } from '@stagedoor/contract/calls.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
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

test('home, search, a category, a profile and a post can be read without any script', async ({ open }) => {
  const { page } = await open({ width: 390 });
  const { scripts } = watch(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Meet them after the show.');
  await expect(page).toHaveTitle('Stagedoor');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Join' })).toHaveAttribute('href', PATHS.signupAsFan);
  const wall = page.getByRole('region', { name: 'On show tonight' });
  expect(await wall.getByRole('listitem').count()).toBe(6);
  const orders = page.getByRole('navigation', { name: 'Order' });
  await expect(orders.getByRole('link', { name: 'For you' })).toHaveAttribute('aria-current', 'page');
  await orders.getByRole('link', { name: 'New' }).click();
  await expect(page).toHaveURL(/\?sort=new$/);
  expect(await wall.getByRole('listitem').count()).toBeGreaterThanOrEqual(8);
  await orders.getByRole('link', { name: 'For you' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Meet them after the show.');

  await page
    .getByRole('region', { name: 'What are you after?' })
    .getByRole('link', { name: /^Ceramics/ })
    .click();
  await expect(page).toHaveURL(/category=Ceramics/);
  const crafts = page.getByRole('group', { name: 'Crafts' });
  await expect(crafts.getByRole('link', { name: 'Ceramics' })).toHaveAttribute('aria-current', /true|page/);
  const name = (await page.getByRole('main').getByRole('heading', { level: 1 }).textContent()) ?? '';
  expect(name).not.toBe('');

  await page.getByRole('banner').getByRole('link', { name: 'Search' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('ceramic');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('“ceramic”');
  const found = page.getByRole('main').getByRole('listitem');
  expect(await found.count()).toBeGreaterThanOrEqual(1);
  await found
    .first()
    .getByRole('link', { name: /^(?!Follow)/ })
    .click();

  await expect(page).toHaveURL(/\/profile\//);
  const who = ((await page.getByRole('heading', { level: 1 }).textContent()) ?? '').trim();
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
  await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty();
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

test('the first screen shows an online creator with the call rate, a post and a price', async ({ person, open }) => {
  const maker = await person('creator');
  const cover = { name: 'cover.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(800, 600) };
  for (const which of ['avatar', 'cover'])
    expect(
      (await maker.context.request.post(`/api/creator/profile/${which}`, { multipart: { file: cover } })).status(),
    ).toBe(200);
  const settings = await callApi<CallSettings>(maker.context, 'GET', '/creator/call-settings');
  await callApi(maker.context, 'PUT', '/creator/call-settings', {
    ...settings,
    isAvailable: true,
    videoRate: 4,
    audioRate: 4,
  });
  await publish(maker.context, { caption: 'Kept for later', priceUsd: 9 });
  await maker.page.goto(PATHS.creatorDashboard);
  const own = await callApi<{ id: string }>(maker.context, 'GET', '/auth/user');
  await expect
    .poll(async () => JSON.stringify(await callApi(maker.context, 'GET', '/public/creators?sort=online&limit=50')))
    .toContain(own.id);
  // A new post renders the cached page again, with the online status.
  const other = await person('creator');
  await publish(other.context, { caption: 'There to be seen' });

  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const) {
    const { page } = await open({ width, colorScheme });
    const { scripts } = watch(page);
    const door = page.getByRole('region', { name: 'At the door now' });
    const online = door.getByRole('link', { name: /, (Online now|In a call|Away)/ });
    await expect(async () => {
      await page.goto('/');
      await expect(online.first()).toBeVisible({ timeout: 500 });
    }).toPass();
    const rate = door.getByText(/^\$\d+\.\d\d\/min$/);
    const hung = page.locator('main img[fetchpriority="high"]');
    await expect(hung).toHaveCount(1);
    const price = page.locator('main .seal');
    await expect(price.first()).toHaveText(/^\$\d+\.\d\d$/);
    for (const [name, one] of Object.entries({ online, rate, price }))
      expect(await isInView(page, one), `${name} at ${width}`).toBe(true);
    await expect(hung).toHaveAttribute('loading', 'eager');

    const wall = page.getByRole('region', { name: 'Hanging tonight' });
    expect(await wall.getByRole('listitem').count()).toBeGreaterThanOrEqual(4);
    const makers = await page.locator('a[href^="/post/"] .label__who').allTextContents();
    expect(new Set(makers).size).toBe(makers.length);
    await expect(page.getByText(/Under 20 seconds costs nothing\./)).toHaveCount(1);
    await expect(page.getByRole('region', { name: 'A call, to the second.' }).getByText('You pay')).toBeVisible();
    await expect(page.getByRole('heading', { name: /Keep \$\d+\.\d\d of every \$10\.00\./ })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    expect(scripts).toEqual([]);
  }
});

test('call rates and whether the creator takes calls now can be read without script', async ({ person, open }) => {
  const maker = await person('creator');
  await callApi(maker.context, 'PUT', '/creator/call-settings', SETTINGS);
  const { page } = await open({ hasScript: false, width: 390 });
  const calls = page.getByRole('region', { name: 'Calls' }).first();
  const says = async (words: string) =>
    expect(async () => {
      await page.goto(`/profile/${maker.username}?tab=about`);
      await expect(calls).toContainText(words, { timeout: 500 });
    }).toPass();
  await says('Not here just now');
  await expect(calls).toContainText(/Video, a minute\s*\$3\.00\s*Voice, a minute\s*\$2\.00/);
  const { id } = await callApi<{ id: string }>(maker.context, 'GET', '/auth/user');
  await maker.page.goto(PATHS.creatorDashboard);
  const { context } = await open();
  await expect
    .poll(async () => (await callApi<CallTerms>(context, 'GET', `/public/call-terms/${id}`)).absence)
    .toBeNull();
  // Each change of the settings renders the cached page again.
  await callApi(maker.context, 'PUT', '/creator/call-settings', { ...SETTINGS, videoRate: 4 });
  await says('Can be called now');
  await expect(calls).toContainText('$4.00');
  await callApi(maker.context, 'PUT', '/creator/call-settings', { ...SETTINGS, isAvailable: false });
  await says('Takes no calls just now');
});

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

test('the first screen is painted with two font files, and others are requested only for user names', async ({
  open,
}) => {
  for (const width of [390, 1440]) {
    const { page } = await open({ width });
    await page.goto('/');
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
});

test('the front page leads to all posts, newest first, page by page and by category, without script', async ({
  open,
}) => {
  const { page } = await open({ hasScript: false, width: 390 });
  const { scripts } = watch(page);
  await page.goto('/');
  await page.getByRole('region', { name: 'Hanging tonight' }).getByRole('link', { name: 'All works' }).click();
  await expect(page).toHaveURL(/\/works$/);
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('All works');
  const shown = async () => {
    const links = page.getByRole('main').getByRole('listitem').getByRole('link');
    return (await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))).map((href) => {
      expect(href).toMatch(/^\/post\/[\w-]{36}$/);
      return href;
    });
  };
  const first = await shown();
  expect(first).toHaveLength(24);
  // Ids begin with their time.
  expect(first).toEqual(first.toSorted().toReversed());
  await page.getByRole('link', { name: 'Load more' }).click();
  await expect(page).toHaveURL(/\/works\?offset=c/);
  const second = await shown();
  expect(second.length).toBeGreaterThan(0);
  expect([...first, ...second]).toEqual([...first, ...second].toSorted().toReversed());
  await page.getByRole('link', { name: 'Back to the newest' }).click();
  await page.getByRole('group', { name: 'Crafts' }).getByRole('link', { name: 'Ceramics' }).click();
  await expect(page).toHaveURL(/\/works\?category=Ceramics$/);
  await expect(title).toHaveText('Ceramics');
  expect((await shown()).length).toBeGreaterThan(0);
  expect(scripts).toEqual([]);

  const wide = (await open({ hasScript: false })).page;
  await wide.goto('/');
  const nav = wide.getByRole('banner').getByRole('navigation', { name: 'Main' });
  await expect(nav.getByRole('link')).toHaveText(['Discover', 'Works', 'Prices', 'For creators', 'Themes']);
  for (const name of ['Works', 'Prices', 'For creators', 'Themes', 'Discover']) {
    await nav.getByRole('link', { name, exact: true }).click();
    await expect(nav.locator('[aria-current="page"]')).toHaveText(name);
  }
});

test('a search without results and a missing page say so', async ({ open }) => {
  const { page } = await open({ hasScript: false });
  await page.goto('/?search=zzzzzzzz');
  await expect(page.getByText('Nobody here matches “zzzzzzzz”.')).toBeVisible();
  for (const hostile of ['%', '<script>alert(1)</script>', '\\']) {
    const answer = await page.goto(`/?search=${encodeURIComponent(hostile)}`);
    expect(answer?.status(), hostile).toBe(200);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`“${hostile}”`);
  }
  for (const path of [
    '/profile/nobody.here',
    '/post/0199c0de-0000-7000-8000-000000000000',
    '/post/x',
    '/no/such',
    '/profile/%00',
  ]) {
    const answer = await page.request.get(path);
    expect(answer.status(), path).toBe(404);
    expect(await answer.text(), path).toContain('There is nothing here.');
  }
});

test('the age notice is accepted with a form and stays accepted, and the theme follows its cookie', async ({
  open,
}) => {
  const { page, context } = await open({ colorScheme: 'light' });
  await page.goto('/?category=Music');
  const notice = page.getByRole('complementary', { name: 'Age notice' });
  await notice.getByRole('button', { name: 'I’m 18 or over' }).click();
  await expect(page).toHaveURL(/\/\?category=Music$/);
  await expect(notice).toHaveCount(0);
  await page.goto('/');
  await expect(notice).toHaveCount(0);

  for (const theme of ['dark', 'light'] as const) {
    await context.addCookies([{ name: 'theme', value: theme, url: baseUrl() }]);
    await page.goto('/');
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  }
});

test('the theme chosen in the settings is in the HTML of the server', async ({ person }) => {
  const { page, context } = await person('customer');
  await page.goto('/fan/profile');
  await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const html = await (await context.request.get('/fan/profile')).text();
  expect(html).toMatch(/<html[^>]+data-theme="dark"/);
});

test('a locked post shows a blurred preview and its price, and no address of the original', async ({
  person,
  open,
}) => {
  const maker = await person('creator');
  const id = await publish(maker.context, { caption: 'Two rooms', priceUsd: 7.5, pictures: 2 });
  const own = await callApi<Post>(maker.context, 'GET', `/post/${id}`);
  const originals = own.media.flatMap((item) =>
    item.isLocked ? [] : [item.picture.url, ...item.picture.sources.flatMap(({ srcset }) => srcset.split(/[\s,]+/))],
  );
  const hidden = originals
    .filter((part) => part.includes('/'))
    .map((address) => new URL(address, baseUrl()).pathname + new URL(address, baseUrl()).search);
  expect(hidden.length).toBeGreaterThan(4);

  const { page, context } = await open({ hasScript: false, width: 390 });
  await page.goto(`/post/${id}`);
  await expect(page.getByRole('img', { name: 'Blurred preview of 2 photos' })).toBeVisible();
  await expect(page.getByText('Photographs')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Unlock $7.50' })).toHaveAttribute(
    'href',
    `/signup?for=unlock&next=%2Fpost%2F${id}`,
  );
  const answers = [
    await page.content(),
    await (await context.request.get(`/api/post/${id}`)).text(),
    await (await context.request.get(`/api/public/posts/${own.author.id}`)).text(),
    await (await context.request.get(`/profile/${maker.username}`)).text(),
  ];
  for (const answer of answers)
    for (const address of hidden)
      expect(answer.includes(address.replaceAll('&', '&amp;')) || answer.includes(address), address).toBe(false);
  const preview = await context.request.get(`/post/${id}.jpg`);
  expect(preview.headers()['content-type']).toBe('image/jpeg');
});

test('a cached page is answered with 304 until something on it changes', async ({ person, open }) => {
  const maker = await person('creator');
  const { request } = (await open({ hasScript: false })).context;
  const path = `/profile/${maker.username}`;
  const etag = (await request.get(path)).headers().etag ?? '';
  expect(etag).not.toBe('');
  const again = () => request.get(path, { headers: { 'if-none-match': etag } });
  expect((await again()).status()).toBe(304);
  await callApi(maker.context, 'PUT', '/creator/profile', { name: maker.username, bio: 'A new line.', category: null });
  await expect.poll(async () => (await again()).status()).toBe(200);
  expect(await (await again()).text()).toContain('A new line.');
});

test('markup in texts of users is shown as text', async ({ person, open }) => {
  const maker = await person('creator');
  const hostile = '<img src=x onerror=alert(1)>"\'</script><script>alert(2)</script>';
  const id = await publish(maker.context, { caption: hostile });
  const { page } = await open();
  let hasAlerted = false;
  page.on('dialog', () => {
    hasAlerted = true;
  });
  await page.goto(`/post/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(hostile);
  expect(await metaOf(page, 'og:title')).toContain('<img src=x');
  await maker.page.goto(`/post/${id}`);
  await expect(maker.page.getByRole('heading', { level: 1 })).toHaveText(hostile);
  expect(hasAlerted).toBe(false);
});

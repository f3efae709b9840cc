/** Visitors get whole pages: readable without script, telling search engines and previews what they are, and never what is sold. */
import type { Page } from '@playwright/test';
import type { Post } from '@stagedoor/contract/posts.ts';
import { baseUrl, callApi, expect, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

/** Scripts asked for by a page, and errors of its security policy. */
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

for (const hasScript of [true, false]) {
  test.describe(hasScript ? 'with script allowed' : 'without script', () => {
    test('home, search, a craft, a profile and a post are read without one script', async ({ open }) => {
      const { page } = await open({ hasScript, width: hasScript ? 1440 : 390 });
      const { scripts } = watch(page);
      await page.goto('/');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('The show ends. The door opens.');
      await expect(page).toHaveTitle('Stagedoor');
      const wall = page.getByRole('region', { name: 'On show tonight' });
      expect(await wall.getByRole('listitem').count()).toBeGreaterThanOrEqual(8);

      const crafts = page.getByRole('group', { name: 'Crafts' });
      await crafts.getByRole('link', { name: 'Ceramics' }).click();
      await expect(page).toHaveURL(/category=Ceramics/);
      await expect(crafts.getByRole('link', { name: 'Ceramics' })).toHaveAttribute('aria-current', /true|page/);
      const name = (await page.getByRole('main').getByRole('heading', { level: 1 }).textContent()) ?? '';
      expect(name).not.toBe('');

      if (!hasScript) await page.getByRole('banner').getByRole('link', { name: 'Search' }).click();
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
  });
}

test('nobody finds a person who is not there, and is told so', async ({ open }) => {
  const { page } = await open({ hasScript: false });
  await page.goto('/?search=zzzzzzzz');
  await expect(page.getByText('Nobody here matches “zzzzzzzz”.')).toBeVisible();
  for (const hostile of ['%', '_', "' or 1=1 --", '<script>alert(1)</script>', '\\', 'ä'.repeat(100)]) {
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
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByText('There is nothing here.')).toBeVisible();
  }
});

test('the age notice is answered by a form and stays answered; the theme follows its cookie', async ({ open }) => {
  for (const hasScript of [true, false]) {
    const { page, context } = await open({ hasScript, colorScheme: 'light' });
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
  }
});

test('the theme is chosen in the settings and is there from the first byte', async ({ person }) => {
  const { page, context } = await person('customer');
  await page.goto('/fan/profile');
  await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const html = await (await context.request.get('/fan/profile')).text();
  expect(html).toMatch(/<html[^>]+data-theme="dark"/);
});

test('a locked post shows a blurred preview, its price, and no way to the original', async ({ person, open }) => {
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
  for (const address of hidden) expect((await context.request.get(address)).status(), address).toBe(404);
  const preview = await context.request.get(`/post/${id}.jpg`);
  expect(preview.headers()['content-type']).toBe('image/jpeg');
});

test('a kept page is answered 304 until something on it changes, and then at once anew', async ({ person, open }) => {
  const maker = await person('creator');
  const { context, page } = await open({ hasScript: false });
  const path = `/profile/${maker.username}`;
  const first = await context.request.get(path);
  const etag = first.headers().etag ?? '';
  expect(etag).not.toBe('');
  const again = await context.request.get(path, { headers: { 'if-none-match': etag } });
  expect(again.status()).toBe(304);

  const id = await publish(maker.context, { caption: 'Hung a moment ago' });
  await expect
    .poll(async () => (await context.request.get(path, { headers: { 'if-none-match': etag } })).status(), {
      timeout: 3_000,
    })
    .toBe(200);
  await page.goto(path);
  await page.getByRole('link', { name: /Hung a moment ago/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hung a moment ago' })).toBeVisible();
  await callApi(maker.context, 'DELETE', `/post/${id}`);
  await expect.poll(async () => (await context.request.get(`/post/${id}`)).status(), { timeout: 3_000 }).toBe(404);
});

test('text from people is text, in every page and preview', async ({ person, open }) => {
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

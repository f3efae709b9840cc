/** What the house says of itself, and how others find what is public: agreed to anew after a log-in, listed, fed, told to machines. */
import { createServer } from 'node:http';
import type { BrowserContext } from '@playwright/test';
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { ageAgreement } from './support/database.ts';
import { publishFilm } from './support/films.ts';
import { baseUrl, callApi, expect, expectAccessible, hydrated, PASSWORD, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';
import { faultsOf, toldToMachines } from './support/structured.ts';

const textOf = async (context: BrowserContext, path: string) =>
  (await context.request.get(`${baseUrl()}${path}`)).text();

for (const hasScript of [true, false]) {
  test(`a newer version of the terms is agreed to after the log-in, ${hasScript ? 'with' : 'without'} script`, async ({
    person,
    open,
  }) => {
    const { username } = await person('customer');
    // What they agreed to is kept with the sign-up.
    expect(await ageAgreement(username)).toBe(true);
    const { page } = await open({ hasScript, width: 390 });
    const logIn = async () => {
      await page.goto('/login');
      await page.getByLabel('Username or email').fill(username);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Log in' }).click();
    };
    await logIn();
    await expect(page).toHaveURL(new RegExp(PUBLIC_PATHS.agree));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something is new.');
    if (hasScript) await expectAccessible(page);
    await page.getByRole('button', { name: 'I agree' }).click();
    await expect(page).not.toHaveURL(new RegExp(PUBLIC_PATHS.agree));
    await page.context().clearCookies();
    await logIn();
    await expect(page).not.toHaveURL(/\/login|\/agree/);
  });
}

test('the calculator reckons by a form without script, and at once with one', async ({ open, person }) => {
  const { page } = await open({ hasScript: false });
  await page.goto(PUBLIC_PATHS.becomeCreator);
  await expect(page.getByRole('definition').last()).toHaveText('$450.00');
  await page.getByLabel('Your followers').fill('20,000');
  await page.getByRole('button', { name: 'Reckon' }).click();
  await expect(page.getByRole('definition').last()).toHaveText('$9,000.00');
  await page.goto(`${PUBLIC_PATHS.becomeCreator}?followers=many`);
  await expect(page.getByText('Between 1 and 10,000,000')).toBeVisible();
  await expect(page.getByLabel('Your followers')).toHaveValue('many');

  const alive = (await person('creator')).page;
  await alive.goto(PUBLIC_PATHS.becomeCreator);
  await hydrated(alive);
  await alive.getByLabel('Each pays').fill('20');
  await expect(alive.getByRole('definition').last()).toHaveText('$900.00');
});

test('each link of the sign-up leads to a page that is there, and to a place that it has', async ({ open }) => {
  const { page, context } = await open({ hasScript: false });
  await page.goto(PATHS.signup);
  const links = page.locator('a[href^="/"]');
  const hrefs = new Set(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? '')));
  const { termsOfService } = PUBLIC_PATHS;
  expect([...hrefs]).toEqual(expect.arrayContaining([termsOfService, `${termsOfService}#refunds`]));
  for (const href of hrefs) {
    const answer = await context.request.get(`${baseUrl()}${href}`);
    expect(answer.status(), href).toBe(200);
    const [, place] = href.split('#');
    if (place) expect(await answer.text(), href).toContain(` id="${place}"`);
  }
});

test('feeds, sitemap and structured data say what is public, and never what is locked', async ({ person, open }) => {
  const maker = await person('creator');
  const id = await publish(maker.context, { caption: 'Behind <the> price & more', priceUsd: 9 });
  const { page, context } = await open({ hasScript: false });
  await page.goto(`/profile/${maker.username}`);
  const feeds = page.locator('link[rel="alternate"][title^="Posts of"]');
  await expect(feeds).toHaveCount(3);
  for (const href of await feeds.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))) {
    const answer = await context.request.get(href);
    expect(answer.status(), href).toBe(200);
    expect(await answer.text()).toContain(id);
  }
  const rss = await textOf(context, `/profile/${maker.username}/rss.xml`);
  const title = await page.evaluate(
    (text) => new DOMParser().parseFromString(text, 'application/xml').querySelector('item > title')?.textContent,
    rss,
  );
  expect(title).toBe('Behind <the> price & more');

  const machines = async () =>
    JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '{}');
  expect(await machines()).toMatchObject({
    '@type': 'ProfilePage',
    mainEntity: { '@type': 'Person', alternateName: maker.username },
  });
  await page.goto(`/post/${id}`);
  const told = await machines();
  expect(told).toMatchObject({ '@type': 'SocialMediaPosting', isAccessibleForFree: false, offers: { price: '9.00' } });
  expect(told.image.contentUrl).toBe(`${baseUrl()}/post/${id}.jpg`);

  const canonical = page.locator('link[rel="canonical"]');
  const listed = page.locator('meta[name="robots"]');
  for (const [asked, path, isListed] of [
    ['/?category=Paper+%26+print', '/?category=Paper+%26+print', true],
    ['/?sort=new&category=Music', '/?category=Music&sort=new', true],
    ['/?category=nonsense&sort=recommended', '/', true],
    ['/?search=%20VIOLIN%20%20maker&category=Music', '/?category=Music&search=violin+maker', false],
    ['/?offset=12&category=Music', '/?category=Music&offset=12', false],
    ['/works', '/works', true],
    ['/works?offset=0&category=Paper+%26+print', '/works?category=Paper+%26+print', true],
    ['/works?category=nonsense&offset=1', '/works?offset=1', false],
    [`/profile/${maker.username}?tab=about`, `/profile/${maker.username}`, true],
    [`/profile/${maker.username}?offset=12&tab=posts`, `/profile/${maker.username}?tab=posts&offset=12`, false],
  ] as const) {
    await page.goto(asked);
    await expect(canonical, asked).toHaveAttribute('href', `${baseUrl()}${path}`);
    await expect(listed, asked).toHaveCount(isListed ? 0 : 1);
  }

  const robots = await textOf(context, '/robots.txt');
  const index = await textOf(context, new URL(/Sitemap: (.+)/.exec(robots)?.[1] ?? '').pathname);
  const files = [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address ?? '').pathname);
  expect(files.length).toBeGreaterThanOrEqual(3);
  const all = (await Promise.all(files.map((path) => textOf(context, path)))).join('');
  for (const path of [
    `/profile/${maker.username}`,
    `/post/${id}`,
    '/pricing',
    '/2257',
    '/?category=Paper+%26+print',
    '/works',
  ])
    expect(all).toContain(`<loc>${baseUrl()}${path}</loc>`);
});

test('structured data of every public page has what search engines require, and marks what is paid for', async ({
  person,
  open,
}) => {
  const maker = await person('creator');
  const { context } = maker;
  const picture = await publish(context, { caption: 'Evening & “light” <b>' });
  const locked = await publish(context, { caption: 'Behind the price', priceUsd: 9 });
  const { postId: film } = await publishFilm(context, { caption: 'A whole evening' });
  const { postId: lockedFilm } = await publishFilm(context, { caption: 'Another evening', priceUsd: 9 });
  const { page } = await open({ hasScript: false });
  const told = async (path: string) => {
    await page.goto(path);
    const things = await toldToMachines(page);
    expect(things, path).toHaveLength(1);
    expect(faultsOf(things[0] ?? {}), path).toEqual([]);
    return things[0];
  };
  expect(await told('/')).toMatchObject({ '@type': 'WebSite' });
  const works = await told('/works');
  expect(works).toMatchObject({ '@type': 'CollectionPage', url: `${baseUrl()}/works` });
  expect(JSON.stringify(works)).toContain(`${baseUrl()}/post/${lockedFilm}`);
  expect(await told(`/profile/${maker.username}`)).toMatchObject({ '@type': 'ProfilePage' });
  const free = await told(`/post/${picture}`);
  expect(free).toMatchObject({ '@type': 'SocialMediaPosting', isAccessibleForFree: true });
  expect(free).not.toHaveProperty('hasPart');
  expect(free).not.toHaveProperty('video');

  const shown = await told(`/post/${film}`);
  expect(shown).toMatchObject({
    isAccessibleForFree: true,
    video: {
      '@type': 'VideoObject',
      description: 'A whole evening',
      duration: 'PT66S',
      thumbnailUrl: `${baseUrl()}/post/${film}.jpg`,
      embedUrl: `${baseUrl()}/embed/post/${film}`,
    },
  });
  // What it names is there for everybody.
  for (const key of ['thumbnailUrl', 'embedUrl', 'contentUrl']) {
    const address = Object.entries(shown?.video ?? {}).find(([name]) => name === key)?.[1];
    expect((await page.request.get(String(address))).status(), key).toBe(200);
  }
  for (const id of [locked, lockedFilm]) {
    expect(await told(`/post/${id}`)).toMatchObject({
      isAccessibleForFree: false,
      hasPart: { isAccessibleForFree: false, cssSelector: '.paywalled' },
      offers: { price: '9.00', priceCurrency: 'USD' },
    });
    expect(JSON.stringify(await toldToMachines(page))).not.toContain('VideoObject');
    await expect(page.locator('.paywalled')).toHaveCount(1);
    await expect(page.locator('.paywalled').getByText('$9.00')).toBeVisible();
  }
});

test('a frame hangs on the sites that its creator names, and on no other; the tip button leads to the page', async ({
  person,
  open,
}) => {
  const maker = await person('creator');
  const id = await publish(maker.context, { caption: 'Hung elsewhere' });
  const frames = [`/embed/post/${id}`, `/embed/tip/${maker.username}`];
  const site = createServer((_request, answer) => {
    answer.setHeader('content-type', 'text/html');
    answer.end(
      `<!doctype html><title>A blog</title>${frames.map((path, index) => `<iframe name="f${index}" src="${baseUrl()}${path}"></iframe>`).join('')}`,
    );
  });
  await new Promise<void>((resolve) => site.listen(0, 'localhost', resolve));
  const address = site.address();
  if (typeof address !== 'object' || !address) throw new Error('no address');
  const blog = `http://localhost:${address.port}`;
  const { page, context } = await open();
  const isShown = async () => {
    await page.goto(blog);
    return page.frameLocator('iframe[name="f0"]').getByText(maker.username).isVisible();
  };
  await expect.poll(isShown).toBe(true);
  const tip = page.frameLocator('iframe[name="f1"]').getByRole('link', { name: 'Tip', exact: true });
  await expect(tip).toHaveAttribute('href', `${baseUrl()}/profile/${maker.username}`);
  expect(await context.cookies(baseUrl())).toEqual([]);

  // What is rendered now, what is kept of it, and what is never kept.
  const policies = () =>
    Promise.all(
      [...frames, ...frames, ...frames.map((path) => `${path}?seen=${Date.now()}`)].map(async (path) => {
        const policy = (await context.request.get(path)).headers()['content-security-policy'] ?? '';
        return /frame-ancestors ([^;]+)/.exec(policy)?.[1];
      }),
    );
  expect(new Set(await policies())).toEqual(new Set(['*']));

  await maker.page.goto('/creator/profile/settings');
  await hydrated(maker.page);
  await maker.page.getByText('Only sites that I name').click();
  const sites = maker.page.getByLabel('Sites, one a line');
  await sites.fill('https://elsewhere.example');
  await maker.page.locator('#embeds').getByRole('button', { name: 'Save' }).click();
  await expect(maker.page.getByText('Saved. Frames follow from now on.')).toBeVisible();
  await expect.poll(isShown).toBe(false);
  expect(new Set(await policies())).toEqual(new Set(['https://elsewhere.example']));
  await sites.fill(`https://elsewhere.example\n${blog}`);
  await maker.page.locator('#embeds').getByRole('button', { name: 'Save' }).click();
  await expect.poll(isShown).toBe(true);
  await maker.page.getByText('No site', { exact: true }).click();
  await maker.page.locator('#embeds').getByRole('button', { name: 'Save' }).click();
  await expect.poll(isShown).toBe(false);
  expect(new Set(await policies())).toEqual(new Set(["'none'"]));
  site.close();
});

test('the codes copied here hang a film, a card and a tip button on another site: nothing jumps, no cookie goes along', async ({
  person,
}) => {
  const maker = await person('creator');
  const { postId } = await publishFilm(maker.context, { caption: 'Hung elsewhere', isDone: true });
  await maker.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copy = async (path: string, field: string) => {
    await maker.page.goto(path);
    await hydrated(maker.page);
    await maker.page.getByRole('main').getByLabel('Share').first().click();
    await maker.page.getByRole('button', { name: 'Embed' }).click();
    const sheet = maker.page.getByRole('dialog', { name: 'Link and embed' });
    await sheet.getByLabel(field).locator('xpath=..').getByRole('button', { name: 'Copy' }).click();
    await expect(maker.page.getByText('Code copied.')).toBeVisible();
    return maker.page.evaluate(() => navigator.clipboard.readText());
  };
  const codes = [
    await copy(`/post/${postId}`, 'Code to embed it'),
    await copy(`/profile/${maker.username}`, 'Code to embed it'),
    await copy(`/profile/${maker.username}`, 'Code of a tip button'),
  ];
  const site = createServer((_request, answer) => {
    answer.setHeader('content-type', 'text/html');
    const texts = codes.map((code) => `<p>Before it.</p>${code}<p>After it.</p>`).join('');
    answer.end(`<!doctype html><html lang="en"><title>A blog</title><body>${texts}</body></html>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  if (typeof address !== 'object' || !address) throw new Error('no address');
  // Another site, not only another origin.
  const blog = `http://127.0.0.1:${address.port}`;

  // Somebody who is logged in here reads the blog.
  const { page, context } = await person('customer');
  const before = await context.cookies();
  const cookies: string[] = [];
  const seen: string[] = [];
  page.on('response', async (response) => {
    if (!response.url().startsWith(baseUrl())) return;
    seen.push(response.url());
    const [asked, answered] = await Promise.all([response.request().allHeaders(), response.allHeaders()]);
    if (asked.cookie || answered['set-cookie']) cookies.push(response.url());
  });
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        document.documentElement.dataset.shifted = String(
          Number(document.documentElement.dataset.shifted ?? 0) + ('value' in entry ? Number(entry.value) : 0),
        );
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const frames = () => page.locator('iframe');
  const inFrame = (nth: number) => frames().nth(nth).contentFrame();
  await page.goto(blog);
  await expect(inFrame(1).getByText(maker.username).first()).toBeVisible();
  await expect(inFrame(2).getByRole('link', { name: 'Tip', exact: true })).toBeVisible();
  const film = inFrame(0).locator('video');
  await film.evaluate(async (video: HTMLVideoElement) => {
    video.muted = true;
    await video.play();
  });
  await expect
    .poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime), { timeout: 20_000 })
    .toBeGreaterThan(0.5);
  expect(await page.evaluate(() => Number(document.documentElement.dataset.shifted ?? 0))).toBe(0);
  expect(seen.length).toBeGreaterThan(3);
  expect(cookies).toEqual([]);
  expect(await context.cookies()).toEqual(before);

  const allow = (allowed: string, origins: string[]) =>
    callApi(maker.context, 'PUT', '/creator/embeds', { allowed, origins });
  const shown = async () => {
    await page.goto(blog);
    const whole = [
      inFrame(0).locator('video'),
      inFrame(1).getByText(maker.username).first(),
      inFrame(2).getByRole('link'),
    ];
    return (await Promise.all(whole.map((part) => part.first().isVisible()))).filter(Boolean).length;
  };
  for (const [allowed, origins, count] of [
    ['named', ['https://elsewhere.example'], 0],
    ['named', [blog], 3],
    ['none', [], 0],
    ['any', [], 3],
  ] as const) {
    await allow(allowed, [...origins]);
    await expect.poll(shown, { message: `${allowed} ${origins.join()}` }).toBe(count);
  }
  site.close();
});

test('a search of 10,000 letters and a name of pictures are pages, cards, frames and feeds like others', async ({
  person,
  open,
}) => {
  const maker = await person('creator');
  const body = { craft: '🎭'.repeat(30), city: '', bio: '🎻'.repeat(60), category: null };
  const family = '👩‍👩‍👧‍👦';
  const name = `Ω${family.repeat(5)}`;
  const put = (named: string) =>
    maker.context.request.put(`${baseUrl()}/api/creator/profile`, { data: { ...body, name: named } });
  expect((await put('🎭'.repeat(60))).status()).toBe(400);
  expect((await put(name)).status()).toBe(200);
  const id = await publish(maker.context, { caption: '🎭'.repeat(60) });

  const { page, context } = await open({ hasScript: false, width: 390 });
  for (const path of [`/?search=${'a'.repeat(10_000)}`, `/?search=${encodeURIComponent('🎭'.repeat(1_000))}`]) {
    expect((await page.goto(path))?.status()).toBe(200);
    await expect(page.getByText('Nobody here matches')).toBeVisible();
  }
  for (const path of [
    `/profile/${maker.username}`,
    `/post/${id}`,
    `/?search=${encodeURIComponent(maker.username)}`,
    `/embed/profile/${maker.username}`,
    `/embed/post/${id}`,
    `/embed/tip/${maker.username}`,
  ]) {
    expect((await page.goto(path))?.status(), path).toBe(200);
    await expect(page.getByText(family.repeat(5)).first(), path).toBeAttached();
    const over = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(await over(), path).toBeLessThanOrEqual(0);
  }
  await page.goto('/');
  for (const [file, titleOf] of [
    ['rss.xml', 'channel > title'],
    ['atom.xml', 'feed > title'],
  ] as const) {
    const text = await textOf(context, `/profile/${maker.username}/${file}`);
    const told = await page.evaluate(
      ([xml, selector]) => {
        const parsed = new DOMParser().parseFromString(xml, 'application/xml');
        return {
          faults: parsed.querySelectorAll('parsererror').length,
          title: parsed.querySelector(selector)?.textContent,
          entries: [...parsed.querySelectorAll('item > title, entry > title')].map((entry) => entry.textContent),
        };
      },
      [text, titleOf] as const,
    );
    expect(told.faults, file).toBe(0);
    expect(told.title, file).toContain(name);
    expect(told.entries.join(), file).toMatch(/^🎭+/u);
    expect(told.entries.join(), file).not.toContain('\ufffd');
  }
  const feed = JSON.parse(await textOf(context, `/profile/${maker.username}/feed.json`));
  expect(feed.title).toContain(name);
  expect(feed.items[0].content_text).toContain('🎭'.repeat(60));
});

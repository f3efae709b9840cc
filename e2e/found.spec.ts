import { createServer } from 'node:http';
import type { BrowserContext } from '@playwright/test';
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { ageAgreement } from './support/database.ts';
import { makeClip, untilReady, uploadFile } from './support/films.ts';
import { baseUrl, callApi, expect, expectAccessible, hydrated, PASSWORD, signUp, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';
import { publishSmallFilm, sharedFilm } from './support/small-films.ts';
import { faultsOf, toldToMachines } from './support/structured.ts';

const textOf = async (context: BrowserContext, path: string) =>
  (await context.request.get(`${baseUrl()}${path}`)).text();

for (const hasScript of [true, false]) {
  test(`login asks for consent to new terms ${hasScript ? 'with' : 'without'} JavaScript`, async ({ open }) => {
    const { username } = await signUp('customer');
    expect(await ageAgreement(username)).toBe(true);
    const { page } = await open({ hasScript, width: 390 });
    await page.goto('/login');
    await page.getByLabel('Username or email').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(/\/agree/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something is new.');
    if (hasScript) await expectAccessible(page);
    await page.getByRole('button', { name: 'I agree' }).click();
    await expect(page).not.toHaveURL(/\/agree/);
  });
}

test('the calculator works as a form without script, and immediately with script', async ({ open, person }) => {
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

test('every link of the sign-up page leads to an existing page and section', async ({ open }) => {
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

test('pages name their feeds and their canonical address, and robots.txt leads to the sitemap', async ({ open }) => {
  const { context } = await open({ hasScript: false });
  const profile = '/profile/demo.creator';
  const hrefsOf = (html: string, link: RegExp) =>
    [...html.matchAll(/<link [^>]+>/g)]
      .map(([tag]) => tag)
      .filter((tag) => link.test(tag))
      .map((tag) => (/ href="([^"]+)"/.exec(tag)?.[1] ?? '').replaceAll('&amp;', '&'));
  const feeds = hrefsOf(
    await textOf(context, profile),
    /rel="alternate".*title="Posts of|title="Posts of.*rel="alternate"/,
  );
  expect(feeds).toHaveLength(3);
  for (const href of feeds) {
    const answer = await context.request.get(new URL(href, baseUrl()).href);
    expect(answer.status(), href).toBe(200);
  }
  for (const [asked, path, isListed] of [
    ['/?category=Paper+%26+print', '/?category=Paper+%26+print', true],
    ['/?sort=new&category=Music', '/?category=Music&sort=new', true],
    ['/?category=nonsense&sort=recommended', '/', true],
    ['/?search=%20VIOLIN%20%20maker&category=Music', '/?category=Music&search=violin+maker', false],
    ['/?offset=12&category=Music', '/?category=Music&offset=12', false],
    ['/works', '/works', true],
    ['/works?offset=0&category=Paper+%26+print', '/works?category=Paper+%26+print', true],
    ['/works?category=nonsense&offset=1', '/works?offset=1', false],
    [`${profile}?tab=about`, profile, true],
    [`${profile}?offset=12&tab=posts`, `${profile}?tab=posts&offset=12`, false],
  ] as const) {
    const html = await textOf(context, asked);
    expect(hrefsOf(html, /rel="canonical"/), asked).toEqual([`${baseUrl()}${path}`]);
    expect(/<meta [^>]*name="robots"/.test(html), asked).toBe(!isListed);
  }
  const robots = await textOf(context, '/robots.txt');
  expect(await textOf(context, new URL(/Sitemap: (.+)/.exec(robots)?.[1] ?? '').pathname)).toContain('<loc>');
});

test('structured data of every public page has what search engines require, and marks paid content', async ({
  browser,
  person,
  open,
}) => {
  const maker = await person('creator');
  const { context } = maker;
  const picture = await publish(context, { caption: 'Evening & “light” <b>' });
  const locked = await publish(context, { caption: 'Behind the price', priceUsd: 9 });
  const clip = await uploadFile(context, await makeClip(), 'clip.mp4', 'video/mp4');
  await untilReady(context, clip);
  const body = { caption: 'Another evening', price: 9, media: [{ id: clip, alt: '' }] };
  const { id: lockedFilm } = await callApi<{ id: string }>(context, 'POST', '/post', body);
  const { postId: film, caption } = await sharedFilm(browser);
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
      description: caption,
      duration: 'PT66S',
      thumbnailUrl: `${baseUrl()}/post/${film}.jpg`,
      embedUrl: `${baseUrl()}/embed/post/${film}`,
    },
  });
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

test('copied codes embed a film, a card and a tip button on allowed sites, without layout shift and without cookies', async ({
  person,
}) => {
  const maker = await person('creator');
  const { postId } = await publishSmallFilm(maker.context, { caption: 'Embedded elsewhere' });
  await maker.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copy = async (path: string, field: string) => {
    await maker.page.goto(path);
    await hydrated(maker.page);
    await maker.page.getByRole('main').getByLabel('Share').first().click();
    await maker.page.getByRole('button', { name: 'Embed', exact: true }).click();
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
  // A different site, not only a different origin.
  const blog = `http://127.0.0.1:${address.port}`;

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
  const tip = inFrame(2).getByRole('link', { name: 'Tip', exact: true });
  await expect(tip).toHaveAttribute('href', `${baseUrl()}/profile/${maker.username}`);
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

  await maker.page.goto('/creator/profile/settings');
  await hydrated(maker.page);
  const form = maker.page.locator('#embeds');
  const sites = maker.page.getByLabel('Sites, one a line');
  const shown = async () => {
    await page.goto(blog);
    const whole = [
      inFrame(0).locator('video'),
      inFrame(1).getByText(maker.username).first(),
      inFrame(2).getByRole('link'),
    ];
    return (await Promise.all(whole.map((part) => part.first().isVisible()))).filter(Boolean).length;
  };
  const save = async (count: number, message: string) => {
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.poll(shown, { message }).toBe(count);
  };
  await maker.page.getByText('Only sites that I name').click();
  await sites.fill('https://elsewhere.example');
  await save(0, 'another site is named');
  await sites.fill(`https://elsewhere.example\n${blog}`);
  await save(3, 'this site is named');
  await maker.page.getByText('No site', { exact: true }).click();
  await save(0, 'no site');
  site.close();
});

test('long searches and names made of emoji fit pages, embeds and feeds', async ({ person, open }) => {
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
  for (const file of ['rss.xml', 'atom.xml']) {
    const text = await textOf(context, `/profile/${maker.username}/${file}`);
    expect(text, file).toContain(name);
    expect(text, file).not.toContain('\ufffd');
  }
  const feed = JSON.parse(await textOf(context, `/profile/${maker.username}/feed.json`));
  expect(feed.title).toContain(name);
  expect(feed.items[0].content_text).toContain('🎭'.repeat(60));
});

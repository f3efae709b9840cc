import { createServer } from 'node:http';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { outdateAgreement } from './support/database.ts';
import { makeClip, uploadTestFile, waitForProcessing } from './support/films.ts';
import {
  type ApiClient,
  callApi,
  createConfirmedAccount,
  expect,
  expectAccessible,
  getBaseUrl,
  PASSWORD,
  test,
  waitForHydration,
} from './support/fixtures.ts';
import { publishPictures } from './support/money.ts';
import { listSchemaFaults, parseStructuredData } from './support/structured-data.ts';

const fetchText = async (path: string) => (await fetch(`${getBaseUrl()}${path}`)).text();

async function publishClip(context: ApiClient, caption: string, priceUsd = 0): Promise<string> {
  const mediaId = await uploadTestFile(context, await makeClip(), 'clip.mp4', 'video/mp4');
  await waitForProcessing(context, mediaId, true);
  const body = { caption, price: priceUsd, media: [{ id: mediaId, alt: '' }] };
  return (await callApi<{ id: string }>(context, 'POST', '/post', body)).id;
}

for (const hasScript of [true, false]) {
  test(`login requires consent to new terms ${hasScript ? 'with' : 'without'} JavaScript`, async ({ open }) => {
    const { username } = await createConfirmedAccount('customer');
    expect(await outdateAgreement(username)).toBe(true);
    const { page } = await open({ hasScript, width: 390 });
    await page.goto('/login');
    await page.getByLabel('Username or email').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(/\/consent/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('We’ve updated our terms');
    if (hasScript) await expectAccessible(page);
    await page.getByRole('button', { name: 'I agree' }).click();
    await expect(page).not.toHaveURL(/\/consent/);
  });
}

test('the calculator reads its values from the address, as its form sends them, and recalculates immediately with script', async ({
  createUser,
}) => {
  expect(await fetchText(`${PUBLIC_PATHS.becomeCreator}?followers=many`)).toContain('Between 1 and 10,000,000');
  const { page } = await createUser('creator');
  await page.goto(`${PUBLIC_PATHS.becomeCreator}?followers=20,000`);
  await expect(page.getByRole('definition').last()).toHaveText('$9,000.00');
  await waitForHydration(page);
  await page.getByLabel('Average spend per fan').fill('20');
  await expect(page.getByRole('definition').last()).toHaveText('$18,000.00');
});

test('every link of the sign-up page leads to an existing page and section', async () => {
  const signup = await fetchText(PATHS.signup);
  const hrefs = new Set(
    [...signup.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&')),
  );
  const { termsOfService } = PUBLIC_PATHS;
  expect([...hrefs]).toEqual(expect.arrayContaining([termsOfService, `${termsOfService}#refunds`]));
  for (const href of hrefs) {
    const response = await fetch(`${getBaseUrl()}${href}`);
    expect(response.status, href).toBe(200);
    const [, anchor] = href.split('#');
    if (anchor) expect(await response.text(), href).toContain(` id="${anchor}"`);
  }
});

test('pages name their feeds and their canonical address, and robots.txt leads to the sitemap', async () => {
  const profile = '/profile/demo.creator';
  const listHrefs = (html: string, link: RegExp) =>
    [...html.matchAll(/<link [^>]+>/g)]
      .map(([tag]) => tag)
      .filter((tag) => link.test(tag))
      .map((tag) => (/ href="([^"]+)"/.exec(tag)?.[1] ?? '').replaceAll('&amp;', '&'));
  const feeds = listHrefs(
    await fetchText(profile),
    /rel="alternate".*title="Posts of|title="Posts of.*rel="alternate"/,
  );
  expect(feeds).toHaveLength(3);
  for (const href of feeds) expect((await fetch(new URL(href, getBaseUrl()))).status, href).toBe(200);
  for (const [requestedPath, path, isListed] of [
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
    const html = await fetchText(requestedPath);
    expect(listHrefs(html, /rel="canonical"/), requestedPath).toEqual([`${getBaseUrl()}${path}`]);
    expect(/<meta [^>]*name="robots"/.test(html), requestedPath).toBe(!isListed);
  }
  const robots = await fetchText('/robots.txt');
  expect(await fetchText(new URL(/Sitemap: (.+)/.exec(robots)?.[1] ?? '').pathname)).toContain('<loc>');
});

test('structured data of every public page has what search engines require, marks paid content, and cannot be broken by a caption', async ({
  createApiUser,
}) => {
  const { context, username } = await createApiUser('creator');
  const hostile = 'Evening & “light” </script><script>alert(1)</script>';
  const picture = await publishPictures(context, { caption: hostile });
  const film = await publishClip(context, 'An evening');
  const locked = await publishClip(context, 'Another evening', 9);
  const fetchStructuredData = async (path: string) => {
    const html = await fetchText(path);
    const items = parseStructuredData(html);
    expect(items, path).toHaveLength(1);
    expect(listSchemaFaults(items[0] ?? {}), path).toEqual([]);
    expect(html, path).not.toContain('<script>alert(1)');
    return { item: items[0], html };
  };
  expect((await fetchStructuredData('/')).item).toMatchObject({ '@type': 'WebSite' });
  const works = (await fetchStructuredData('/works')).item;
  expect(works).toMatchObject({ '@type': 'CollectionPage', url: `${getBaseUrl()}/works` });
  expect(JSON.stringify(works)).toContain(`${getBaseUrl()}/post/${locked}`);
  expect((await fetchStructuredData(`/profile/${username}`)).item).toMatchObject({ '@type': 'ProfilePage' });
  const free = (await fetchStructuredData(`/post/${picture}`)).item;
  expect(free).toMatchObject({ '@type': 'SocialMediaPosting', headline: hostile, isAccessibleForFree: true });
  expect(free).not.toHaveProperty('hasPart');
  expect(free).not.toHaveProperty('video');

  const filmData = (await fetchStructuredData(`/post/${film}`)).item;
  expect(filmData).toMatchObject({
    isAccessibleForFree: true,
    video: {
      '@type': 'VideoObject',
      description: 'An evening',
      duration: 'PT3S',
      thumbnailUrl: `${getBaseUrl()}/post/${film}.jpg`,
      embedUrl: `${getBaseUrl()}/embed/post/${film}`,
    },
  });
  for (const key of ['thumbnailUrl', 'embedUrl', 'contentUrl']) {
    const address = Object.entries(filmData?.video ?? {}).find(([name]) => name === key)?.[1];
    expect((await fetch(String(address))).status, key).toBe(200);
  }
  const { item, html } = await fetchStructuredData(`/post/${locked}`);
  expect(item).toMatchObject({
    isAccessibleForFree: false,
    hasPart: { isAccessibleForFree: false, cssSelector: '.paywalled' },
    offers: { price: '9.00', priceCurrency: 'USD' },
  });
  expect(JSON.stringify(item)).not.toContain('VideoObject');
  expect(html.match(/class="(?:[^"]* )?paywalled[ "]/g)).toHaveLength(1);
});

test('copied codes embed films, cards and tip buttons on allowed sites, without layout shift and without cookies', async ({
  createUser,
}) => {
  const creator = await createUser('creator');
  const hostile = '<img src=x onerror=alert(1)>"\'</script><script>alert(2)</script>';
  const free = await publishClip(creator.context, hostile);
  const paid = await publishPictures(creator.context, { caption: 'Behind the price', priceUsd: 9 });
  let hasAlerted = false;
  creator.page.on('dialog', (dialog) => {
    hasAlerted = true;
    void dialog.dismiss();
  });
  await creator.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const readClipboard = () => creator.page.evaluate(() => navigator.clipboard.readText());
  const share = creator.page.locator('summary[aria-label="Share"]').first();
  const sheet = creator.page.getByRole('dialog', { name: 'Share options' });
  const open = async (path: string) => {
    await creator.page.goto(path);
    await waitForHydration(creator.page);
  };
  const copyCode = async (field: string, frame: string) => {
    await sheet.getByLabel(field).locator('xpath=..').getByRole('button', { name: 'Copy' }).click();
    await expect.poll(readClipboard).toContain(frame);
    return readClipboard();
  };
  const post = `/post/${free}`;
  const profile = `/profile/${creator.username}`;
  await open(post);
  await expect(creator.page.getByRole('heading', { level: 1 })).toHaveText(hostile);
  expect(hasAlerted).toBe(false);
  await share.click();
  await creator.page.getByRole('button', { name: 'Copy link' }).click();
  await expect(creator.page.getByText('Link copied.')).toBeVisible();
  expect(await readClipboard()).toBe(`${getBaseUrl()}${post}`);
  await share.click();
  await creator.page.keyboard.press('Escape');
  await expect(creator.page.getByRole('link', { name: 'Telegram' })).toBeHidden();
  await expect(share).toBeFocused();
  await share.click();
  await expectAccessible(creator.page);
  await creator.page.getByRole('button', { name: 'Embed', exact: true }).click();
  const codes = [await copyCode('Embed code', `/embed${post}`)];
  await expect(creator.page.getByText('Code copied.')).toBeVisible();
  await open(profile);
  await share.click();
  await creator.page.getByRole('button', { name: 'Embed', exact: true }).click();
  codes.push(
    await copyCode('Embed code', `/embed${profile}`),
    await copyCode('Tip button code', `/embed/tip/${creator.username}`),
  );
  const themedPaths = [`/embed/post/${paid}?theme=light`, `/embed${profile}?theme=dark`];
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    const frames = themedPaths.map((path) => `<iframe src="${getBaseUrl()}${path}" width="400" height="420"></iframe>`);
    const texts = [...codes, ...frames].map((code) => `<p>Before it.</p>${code}<p>After it.</p>`).join('');
    response.end(`<!doctype html><html lang="en"><title>A blog</title><body>${texts}</body></html>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  if (typeof address !== 'object' || !address) throw new Error('no address');
  // A different site, not only a different origin.
  const blog = `http://127.0.0.1:${address.port}`;

  const { page, context } = await createUser('customer');
  const before = await context.cookies();
  const cookies: string[] = [];
  const requestedUrls: string[] = [];
  page.on('response', async (response) => {
    if (!response.url().startsWith(getBaseUrl())) return;
    requestedUrls.push(response.url());
    const [requestHeaders, responseHeaders] = await Promise.all([
      response.request().allHeaders(),
      response.allHeaders(),
    ]);
    if (requestHeaders.cookie || responseHeaders['set-cookie']) cookies.push(response.url());
  });
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        document.documentElement.dataset.shifted = String(
          Number(document.documentElement.dataset.shifted ?? 0) + ('value' in entry ? Number(entry.value) : 0),
        );
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const getFrame = (nth: number) => page.locator('iframe').nth(nth).contentFrame();
  await page.goto(blog);
  await expect(getFrame(0).locator('.who')).toBeInViewport({ ratio: 1 });
  await expect(getFrame(0).getByRole('link', { name: 'View on Stagedoor' })).toHaveAttribute(
    'href',
    `${getBaseUrl()}${post}`,
  );
  await expect(getFrame(1).getByRole('heading', { name: creator.username })).toBeVisible();
  const tip = getFrame(2).getByRole('link', { name: 'Tip', exact: true });
  await expect(tip).toHaveAttribute('href', `${getBaseUrl()}${profile}`);
  const unlock = getFrame(3).getByRole('link', { name: 'Unlock · $9.00' });
  await expect(unlock).toHaveAttribute('href', `${getBaseUrl()}/post/${paid}`);
  await expect(unlock).toHaveAttribute('target', '_blank');
  await expect(getFrame(3).getByRole('img', { name: 'Evening light' })).toHaveCount(0);
  const getBackground = (nth: number) =>
    getFrame(nth)
      .locator('body')
      .evaluate((body) => getComputedStyle(body).backgroundColor);
  expect(await getBackground(3)).not.toBe(await getBackground(4));
  const film = getFrame(0).locator('video');
  await film.evaluate(async (video: HTMLVideoElement) => {
    video.muted = true;
    await video.play();
  });
  await expect
    .poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime), { timeout: 20_000 })
    .toBeGreaterThan(0.5);
  expect(await page.evaluate(() => Number(document.documentElement.dataset.shifted ?? 0))).toBe(0);
  expect(requestedUrls.length).toBeGreaterThan(3);
  expect(cookies).toEqual([]);
  expect(await context.cookies()).toEqual(before);

  await open('/creator/profile/settings');
  await creator.page.getByText('Only sites I choose').click();
  await creator.page.getByLabel('Sites, one per line').fill('https://elsewhere.example');
  await creator.page.locator('#embeds').getByRole('button', { name: 'Save' }).click();
  const countVisible = async () => {
    await page.goto(blog);
    const parts = [film, getFrame(1).getByText(creator.username).first(), getFrame(2).getByRole('link')];
    return (await Promise.all(parts.map((part) => part.first().isVisible()))).filter(Boolean).length;
  };
  await expect.poll(countVisible).toBe(0);
  site.close();

  for (const path of [`/embed${post}`, ...themedPaths]) {
    const response = await fetch(`${getBaseUrl()}${path}`);
    const html = await response.text();
    expect(html).not.toContain('<script');
    expect(html).toContain('<meta name="robots" content="noindex"');
    expect(html.length).toBeLessThan(20_000);
    expect(response.headers.has('set-cookie')).toBe(false);
    expect(response.headers.get('content-security-policy')).toContain('frame-ancestors https://elsewhere.example');
  }
  expect(await fetchText('/embed/post/nothing')).toContain('This content is no longer available.');
  for (const path of themedPaths) {
    await page.goto(path);
    await expectAccessible(page);
  }
  const other = await fetch(`${getBaseUrl()}${post}`);
  expect(other.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(await other.text()).toContain(`rel="alternate" type="application/json+oembed"`);
});

test('hostile searches, names made of emoji and missing pages are answered with readable pages and feeds', async ({
  createApiUser,
}) => {
  const creator = await createApiUser('creator');
  const body = { craft: '🎭'.repeat(30), city: '', bio: '🎻'.repeat(60), category: null };
  const family = '👩‍👩‍👧‍👦';
  const name = `Ω${family.repeat(5)}`;
  const putProfile = (newName: string) =>
    creator.context.request.put(`${getBaseUrl()}/api/creator/profile`, { data: { ...body, name: newName } });
  expect((await putProfile('🎭'.repeat(60))).status()).toBe(400);
  expect((await putProfile(name)).status()).toBe(200);
  const id = await publishPictures(creator.context, { caption: '🎭'.repeat(60) });

  for (const search of ['zzzzzzzz', 'a'.repeat(10_000), '🎭'.repeat(1_000)]) {
    const response = await fetch(`${getBaseUrl()}/?search=${encodeURIComponent(search)}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('No creators match');
  }
  for (const hostile of ['%', '<script>alert(1)</script>', '\\']) {
    const response = await fetch(`${getBaseUrl()}/?search=${encodeURIComponent(hostile)}`);
    expect(response.status, hostile).toBe(200);
    expect(await response.text(), hostile).not.toContain('<script>alert(1)');
  }
  for (const path of [
    '/profile/nobody.here',
    '/post/0199c0de-0000-7000-8000-000000000000',
    '/post/x',
    '/no/such',
    '/profile/%00',
  ]) {
    const response = await fetch(`${getBaseUrl()}${path}`);
    expect(response.status, path).toBe(404);
    expect(await response.text(), path).toContain('Page not found');
  }
  for (const path of [
    `/profile/${creator.username}`,
    `/post/${id}`,
    `/?search=${encodeURIComponent(creator.username)}`,
    `/embed/profile/${creator.username}`,
    `/embed/post/${id}`,
    `/embed/tip/${creator.username}`,
  ]) {
    const response = await fetch(`${getBaseUrl()}${path}`);
    expect(response.status, path).toBe(200);
    expect(await response.text(), path).toContain(family.repeat(5));
  }
  for (const file of ['rss.xml', 'atom.xml']) {
    const text = await fetchText(`/profile/${creator.username}/${file}`);
    expect(text, file).toContain(name);
    expect(text, file).not.toContain('\ufffd');
  }
  const feed = JSON.parse(await fetchText(`/profile/${creator.username}/feed.json`));
  expect(feed.title).toContain(name);
  expect(feed.items[0].content_text).toContain('🎭'.repeat(60));
});

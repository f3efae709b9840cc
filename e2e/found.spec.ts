import { createServer } from 'node:http';
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { ageAgreement } from './support/database.ts';
import { makeClip, untilReady, uploadFile } from './support/films.ts';
import {
  type ApiClient,
  baseUrl,
  callApi,
  expect,
  expectAccessible,
  hydrated,
  PASSWORD,
  signUp,
  test,
} from './support/fixtures.ts';
import { publish } from './support/money.ts';
import { faultsOf, toldToMachines } from './support/structured.ts';

const textOf = async (path: string) => (await fetch(`${baseUrl()}${path}`)).text();

async function publishClip(context: ApiClient, caption: string, priceUsd = 0): Promise<string> {
  const mediaId = await uploadFile(context, await makeClip(), 'clip.mp4', 'video/mp4');
  await untilReady(context, mediaId, true);
  const body = { caption, price: priceUsd, media: [{ id: mediaId, alt: '' }] };
  return (await callApi<{ id: string }>(context, 'POST', '/post', body)).id;
}

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
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('We’ve updated our terms');
    if (hasScript) await expectAccessible(page);
    await page.getByRole('button', { name: 'I agree' }).click();
    await expect(page).not.toHaveURL(/\/agree/);
  });
}

test('the calculator reads its values from the address, as its form sends them, and recalculates immediately with script', async ({
  person,
}) => {
  expect(await textOf(`${PUBLIC_PATHS.becomeCreator}?followers=many`)).toContain('Between 1 and 10,000,000');
  const { page } = await person('creator');
  await page.goto(`${PUBLIC_PATHS.becomeCreator}?followers=20,000`);
  await expect(page.getByRole('definition').last()).toHaveText('$9,000.00');
  await hydrated(page);
  await page.getByLabel('Average spend per fan').fill('20');
  await expect(page.getByRole('definition').last()).toHaveText('$18,000.00');
});

test('every link of the sign-up page leads to an existing page and section', async () => {
  const signup = await textOf(PATHS.signup);
  const hrefs = new Set(
    [...signup.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&')),
  );
  const { termsOfService } = PUBLIC_PATHS;
  expect([...hrefs]).toEqual(expect.arrayContaining([termsOfService, `${termsOfService}#refunds`]));
  for (const href of hrefs) {
    const answer = await fetch(`${baseUrl()}${href}`);
    expect(answer.status, href).toBe(200);
    const [, place] = href.split('#');
    if (place) expect(await answer.text(), href).toContain(` id="${place}"`);
  }
});

test('pages name their feeds and their canonical address, and robots.txt leads to the sitemap', async () => {
  const profile = '/profile/demo.creator';
  const hrefsOf = (html: string, link: RegExp) =>
    [...html.matchAll(/<link [^>]+>/g)]
      .map(([tag]) => tag)
      .filter((tag) => link.test(tag))
      .map((tag) => (/ href="([^"]+)"/.exec(tag)?.[1] ?? '').replaceAll('&amp;', '&'));
  const feeds = hrefsOf(await textOf(profile), /rel="alternate".*title="Posts of|title="Posts of.*rel="alternate"/);
  expect(feeds).toHaveLength(3);
  for (const href of feeds) expect((await fetch(new URL(href, baseUrl()))).status, href).toBe(200);
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
    const html = await textOf(asked);
    expect(hrefsOf(html, /rel="canonical"/), asked).toEqual([`${baseUrl()}${path}`]);
    expect(/<meta [^>]*name="robots"/.test(html), asked).toBe(!isListed);
  }
  const robots = await textOf('/robots.txt');
  expect(await textOf(new URL(/Sitemap: (.+)/.exec(robots)?.[1] ?? '').pathname)).toContain('<loc>');
});

test('structured data of every public page has what search engines require, marks paid content, and cannot be broken by a caption', async ({
  apiUser,
}) => {
  const { context, username } = await apiUser('creator');
  const hostile = 'Evening & “light” </script><script>alert(1)</script>';
  const picture = await publish(context, { caption: hostile });
  const film = await publishClip(context, 'An evening');
  const locked = await publishClip(context, 'Another evening', 9);
  const told = async (path: string) => {
    const html = await textOf(path);
    const things = toldToMachines(html);
    expect(things, path).toHaveLength(1);
    expect(faultsOf(things[0] ?? {}), path).toEqual([]);
    expect(html, path).not.toContain('<script>alert(1)');
    return { thing: things[0], html };
  };
  expect((await told('/')).thing).toMatchObject({ '@type': 'WebSite' });
  const works = (await told('/works')).thing;
  expect(works).toMatchObject({ '@type': 'CollectionPage', url: `${baseUrl()}/works` });
  expect(JSON.stringify(works)).toContain(`${baseUrl()}/post/${locked}`);
  expect((await told(`/profile/${username}`)).thing).toMatchObject({ '@type': 'ProfilePage' });
  const free = (await told(`/post/${picture}`)).thing;
  expect(free).toMatchObject({ '@type': 'SocialMediaPosting', headline: hostile, isAccessibleForFree: true });
  expect(free).not.toHaveProperty('hasPart');
  expect(free).not.toHaveProperty('video');

  const shown = (await told(`/post/${film}`)).thing;
  expect(shown).toMatchObject({
    isAccessibleForFree: true,
    video: {
      '@type': 'VideoObject',
      description: 'An evening',
      duration: 'PT3S',
      thumbnailUrl: `${baseUrl()}/post/${film}.jpg`,
      embedUrl: `${baseUrl()}/embed/post/${film}`,
    },
  });
  for (const key of ['thumbnailUrl', 'embedUrl', 'contentUrl']) {
    const address = Object.entries(shown?.video ?? {}).find(([name]) => name === key)?.[1];
    expect((await fetch(String(address))).status, key).toBe(200);
  }
  const { thing, html } = await told(`/post/${locked}`);
  expect(thing).toMatchObject({
    isAccessibleForFree: false,
    hasPart: { isAccessibleForFree: false, cssSelector: '.paywalled' },
    offers: { price: '9.00', priceCurrency: 'USD' },
  });
  expect(JSON.stringify(thing)).not.toContain('VideoObject');
  expect(html.match(/class="(?:[^"]* )?paywalled[ "]/g)).toHaveLength(1);
});

test('copied codes embed films, cards and tip buttons on allowed sites, without layout shift and without cookies', async ({
  person,
}) => {
  const maker = await person('creator');
  const hostile = '<img src=x onerror=alert(1)>"\'</script><script>alert(2)</script>';
  const free = await publishClip(maker.context, hostile);
  const paid = await publish(maker.context, { caption: 'Behind the price', priceUsd: 9 });
  let hasAlerted = false;
  maker.page.on('dialog', (dialog) => {
    hasAlerted = true;
    void dialog.dismiss();
  });
  await maker.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => maker.page.evaluate(() => navigator.clipboard.readText());
  const share = maker.page.locator('summary[aria-label="Share"]').first();
  const sheet = maker.page.getByRole('dialog', { name: 'Share options' });
  const open = async (path: string) => {
    await maker.page.goto(path);
    await hydrated(maker.page);
  };
  const copyCode = async (field: string, frame: string) => {
    await sheet.getByLabel(field).locator('xpath=..').getByRole('button', { name: 'Copy' }).click();
    await expect.poll(copied).toContain(frame);
    return copied();
  };
  const post = `/post/${free}`;
  const profile = `/profile/${maker.username}`;
  await open(post);
  await expect(maker.page.getByRole('heading', { level: 1 })).toHaveText(hostile);
  expect(hasAlerted).toBe(false);
  await share.click();
  await maker.page.getByRole('button', { name: 'Copy link' }).click();
  await expect(maker.page.getByText('Link copied.')).toBeVisible();
  expect(await copied()).toBe(`${baseUrl()}${post}`);
  await share.click();
  await maker.page.keyboard.press('Escape');
  await expect(maker.page.getByRole('link', { name: 'Telegram' })).toBeHidden();
  await expect(share).toBeFocused();
  await share.click();
  await expectAccessible(maker.page);
  await maker.page.getByRole('button', { name: 'Embed', exact: true }).click();
  const codes = [await copyCode('Embed code', `/embed${post}`)];
  await expect(maker.page.getByText('Code copied.')).toBeVisible();
  await open(profile);
  await share.click();
  await maker.page.getByRole('button', { name: 'Embed', exact: true }).click();
  codes.push(
    await copyCode('Embed code', `/embed${profile}`),
    await copyCode('Tip button code', `/embed/tip/${maker.username}`),
  );
  const themed = [`/embed/post/${paid}?theme=light`, `/embed${profile}?theme=dark`];
  const site = createServer((_request, answer) => {
    answer.setHeader('content-type', 'text/html');
    const frames = themed.map((path) => `<iframe src="${baseUrl()}${path}" width="400" height="420"></iframe>`);
    const texts = [...codes, ...frames].map((code) => `<p>Before it.</p>${code}<p>After it.</p>`).join('');
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
  const inFrame = (nth: number) => page.locator('iframe').nth(nth).contentFrame();
  await page.goto(blog);
  await expect(inFrame(0).locator('.who')).toBeInViewport({ ratio: 1 });
  await expect(inFrame(0).getByRole('link', { name: 'View on Stagedoor' })).toHaveAttribute(
    'href',
    `${baseUrl()}${post}`,
  );
  await expect(inFrame(1).getByRole('heading', { name: maker.username })).toBeVisible();
  const tip = inFrame(2).getByRole('link', { name: 'Tip', exact: true });
  await expect(tip).toHaveAttribute('href', `${baseUrl()}${profile}`);
  const unlock = inFrame(3).getByRole('link', { name: 'Unlock · $9.00' });
  await expect(unlock).toHaveAttribute('href', `${baseUrl()}/post/${paid}`);
  await expect(unlock).toHaveAttribute('target', '_blank');
  await expect(inFrame(3).getByRole('img', { name: 'Evening light' })).toHaveCount(0);
  const groundOf = (nth: number) =>
    inFrame(nth)
      .locator('body')
      .evaluate((body) => getComputedStyle(body).backgroundColor);
  expect(await groundOf(3)).not.toBe(await groundOf(4));
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

  await open('/creator/profile/settings');
  await maker.page.getByText('Only sites I choose').click();
  await maker.page.getByLabel('Sites, one per line').fill('https://elsewhere.example');
  await maker.page.locator('#embeds').getByRole('button', { name: 'Save' }).click();
  const shown = async () => {
    await page.goto(blog);
    const whole = [film, inFrame(1).getByText(maker.username).first(), inFrame(2).getByRole('link')];
    return (await Promise.all(whole.map((part) => part.first().isVisible()))).filter(Boolean).length;
  };
  await expect.poll(shown).toBe(0);
  site.close();

  for (const path of [`/embed${post}`, ...themed]) {
    const answer = await fetch(`${baseUrl()}${path}`);
    const html = await answer.text();
    expect(html).not.toContain('<script');
    expect(html).toContain('<meta name="robots" content="noindex"');
    expect(html.length).toBeLessThan(20_000);
    expect(answer.headers.has('set-cookie')).toBe(false);
    expect(answer.headers.get('content-security-policy')).toContain('frame-ancestors https://elsewhere.example');
  }
  expect(await textOf('/embed/post/nothing')).toContain('This content is no longer available.');
  for (const path of themed) {
    await page.goto(path);
    await expectAccessible(page);
  }
  const other = await fetch(`${baseUrl()}${post}`);
  expect(other.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(await other.text()).toContain(`rel="alternate" type="application/json+oembed"`);
});

test('hostile searches, names made of emoji and missing pages are answered with readable pages and feeds', async ({
  apiUser,
}) => {
  const maker = await apiUser('creator');
  const body = { craft: '🎭'.repeat(30), city: '', bio: '🎻'.repeat(60), category: null };
  const family = '👩‍👩‍👧‍👦';
  const name = `Ω${family.repeat(5)}`;
  const put = (named: string) =>
    maker.context.request.put(`${baseUrl()}/api/creator/profile`, { data: { ...body, name: named } });
  expect((await put('🎭'.repeat(60))).status()).toBe(400);
  expect((await put(name)).status()).toBe(200);
  const id = await publish(maker.context, { caption: '🎭'.repeat(60) });

  for (const search of ['zzzzzzzz', 'a'.repeat(10_000), '🎭'.repeat(1_000)]) {
    const answer = await fetch(`${baseUrl()}/?search=${encodeURIComponent(search)}`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('No creators match');
  }
  for (const hostile of ['%', '<script>alert(1)</script>', '\\']) {
    const answer = await fetch(`${baseUrl()}/?search=${encodeURIComponent(hostile)}`);
    expect(answer.status, hostile).toBe(200);
    expect(await answer.text(), hostile).not.toContain('<script>alert(1)');
  }
  for (const path of [
    '/profile/nobody.here',
    '/post/0199c0de-0000-7000-8000-000000000000',
    '/post/x',
    '/no/such',
    '/profile/%00',
  ]) {
    const answer = await fetch(`${baseUrl()}${path}`);
    expect(answer.status, path).toBe(404);
    expect(await answer.text(), path).toContain('Page not found');
  }
  for (const path of [
    `/profile/${maker.username}`,
    `/post/${id}`,
    `/?search=${encodeURIComponent(maker.username)}`,
    `/embed/profile/${maker.username}`,
    `/embed/post/${id}`,
    `/embed/tip/${maker.username}`,
  ]) {
    const answer = await fetch(`${baseUrl()}${path}`);
    expect(answer.status, path).toBe(200);
    expect(await answer.text(), path).toContain(family.repeat(5));
  }
  for (const file of ['rss.xml', 'atom.xml']) {
    const text = await textOf(`/profile/${maker.username}/${file}`);
    expect(text, file).toContain(name);
    expect(text, file).not.toContain('\ufffd');
  }
  const feed = JSON.parse(await textOf(`/profile/${maker.username}/feed.json`));
  expect(feed.title).toContain(name);
  expect(feed.items[0].content_text).toContain('🎭'.repeat(60));
});

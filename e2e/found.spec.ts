/** What the house says of itself, and how others find what is public: agreed to anew after a log-in, listed, fed, told to machines. */
import { createServer } from 'node:http';
import type { BrowserContext } from '@playwright/test';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { ageAgreement } from './support/database.ts';
import { baseUrl, expect, expectAccessible, hydrated, PASSWORD, test } from './support/fixtures.ts';
import { publish } from './support/money.ts';

const textOf = async (context: BrowserContext, path: string) =>
  (await context.request.get(`${baseUrl()}${path}`)).text();

for (const hasScript of [true, false]) {
  test(`a newer version of the terms is agreed to after the log-in, ${hasScript ? 'with' : 'without'} script`, async ({
    person,
    open,
  }) => {
    const { username } = await person('customer');
    // What they agreed to at sign-up is kept by a job.
    await expect.poll(() => ageAgreement(username)).toBe(true);
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
  for (const path of [`/profile/${maker.username}`, `/post/${id}`, '/pricing', '/2257', '/?category=Paper+%26+print'])
    expect(all).toContain(`<loc>${baseUrl()}${path}</loc>`);
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

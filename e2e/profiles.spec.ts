import { createServer } from 'node:http';
import type { Page } from '@playwright/test';
import type { Profile } from '@stagedoor/contract/profiles.ts';
import { NETWORKS } from '@stagedoor/contract/social.ts';
import { FORMATS, LAYOUTS, SHAPES } from '@stagedoor/contract/themes.ts';
import sharp from 'sharp';
import { baseUrl, callApi, expect, expectAccessible, hydrated, test } from './support/fixtures.ts';
import { makeJpeg, publish } from './support/money.ts';
import { demoPlaces } from './support/places.ts';

async function expectNoOverflow(page: Page, what: string): Promise<void> {
  const over = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(over, what).toBeLessThanOrEqual(0);
}

const preview = (page: Page) => page.frameLocator('iframe[title="Your profile as others see it"]');

test('a creator edits text, links and layout beside a preview, and visitors see what was saved', async ({
  person,
  open,
}) => {
  const { page, username, context } = await person('creator');
  await publish(context, { caption: 'First work' });
  await page.goto('/creator/profile');
  await hydrated(page);
  await page.getByLabel('Name', { exact: false }).first().fill('Inês Åkerlund');
  await page.getByLabel('About you').fill('Plays gut strings.\nOn Sundays.');
  await page.getByText('Hero', { exact: true }).click();
  await page.getByText('Round', { exact: true }).click();
  await expect(preview(page).getByRole('heading', { name: 'Inês Åkerlund', includeHidden: true })).toBeVisible();
  await expect(preview(page).getByText('Plays gut strings.')).toBeVisible();
  await expect(preview(page).getByText('First work')).toBeVisible();

  await page.getByText('Links elsewhere').click();
  await page.getByLabel('YouTube', { exact: true }).fill('@ines');
  await page.getByLabel('Twitch').fill('https://youtube.com/@ines');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(
    page.getByText('Please enter the address of your page on Twitch, such as https://www.twitch.tv/yourname'),
  ).toBeVisible();
  await expect(page.getByLabel('Twitch')).toBeFocused();
  await page.getByLabel('Twitch').fill('ines');

  await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: 'Feed' }).click();
  const ask = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(ask).toBeVisible();
  await expectAccessible(page);
  await ask.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Twitch')).toHaveValue(/ines/);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  const saved = await callApi<Profile>(context, 'GET', '/creator/profile');
  expect(saved.links.map(({ network }) => network).toSorted()).toEqual(['twitch', 'youtube']);
  expect(saved).toMatchObject({ layout: 'hero', shape: 'round', name: 'Inês Åkerlund' });
  await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: 'Feed' }).click();
  await expect(page).toHaveURL(/\/creator\/feed$/);

  const { page: visitor } = await open({ hasScript: false });
  await visitor.goto(`/profile/${username}?tab=about`);
  for (const { network, url } of saved.links)
    await expect(visitor.getByRole('link', { name: NETWORKS[network].name, exact: true })).toHaveAttribute('href', url);
});

test('a creator crops an avatar by keyboard, sets the focus of a cover, and reads why a file is refused', async ({
  person,
}) => {
  const { page, context } = await person('creator');
  const half = (background: string) =>
    sharp({ create: { width: 400, height: 400, channels: 3, background } })
      .png()
      .toBuffer();
  const flag = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#00f' } })
    .composite([{ input: await half('#f00'), left: 0, top: 0 }])
    .jpeg()
    .toBuffer();
  await page.goto('/creator/profile');
  await hydrated(page);
  await page.getByLabel('Add your picture').setInputFiles({ name: 'flag.jpg', mimeType: 'image/jpeg', buffer: flag });
  const cut = page.getByRole('dialog', { name: 'Your picture' });
  await expect(cut.getByLabel('Zoom')).toBeVisible();
  await expectAccessible(page);
  await expect(cut.getByLabel('The part that is shown. The arrow keys move it.')).toBeFocused();
  for (let presses = 0; presses < 30; presses += 1) await page.keyboard.press('ArrowRight');
  await cut.getByRole('button', { name: 'Use this part' }).click();
  await expect(cut).toBeHidden({ timeout: 20_000 });
  const { avatarUrl } = await callApi<Profile>(context, 'GET', '/creator/profile');
  const { dominant } = await sharp(await (await context.request.get(`${baseUrl()}${avatarUrl}`)).body()).stats();
  expect([dominant.r > 128, dominant.b > 128]).toEqual([false, true]);

  await page
    .getByLabel('Add a cover')
    .setInputFiles({ name: 'wide.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(1200, 500) });
  await page.getByLabel('Across').fill('10');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  expect((await callApi<Profile>(context, 'GET', '/creator/profile')).coverFocus).toEqual({ x: 10, y: 50 });

  await page
    .getByLabel('Change the cover')
    .setInputFiles({ name: 'no.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('hello') });
  await expect(page.getByText('This is a text file.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Remove the cover' }).click();
  await expect(page.getByText('No cover yet')).toBeVisible();
});

test('a fan changes name and picture, and is asked before leaving without saving', async ({ person }) => {
  const { page, context } = await person('customer', { width: 390 });
  await page.goto('/fan/profile');
  await hydrated(page);
  await page
    .getByLabel('Add a picture')
    .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(600, 900) });
  const cutting = page.getByRole('dialog', { name: 'Your picture' });
  await cutting.getByRole('button', { name: 'Use this part' }).click();
  await expect(cutting).toHaveCount(0);
  await page.getByLabel('Name', { exact: true }).fill('June');
  await page.getByRole('navigation', { name: 'Main' }).last().getByRole('link', { name: 'Wallet' }).click();
  const ask = page.getByRole('dialog', { name: 'Leave without saving?' });
  await ask.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  const me = await callApi<{ name: string; avatarUrl: string | null }>(context, 'GET', '/auth/user');
  expect(me).toMatchObject({ name: 'June', avatarUrl: expect.stringContaining('/media/public/a/') });
});

test('each of the eight layouts fits narrow and wide screens, with long texts, and shows whole pictures', async ({
  person,
  open,
}) => {
  const maker = await person('creator');
  await publish(maker.context, { caption: 'Free' });
  await publish(maker.context, { caption: 'w'.repeat(120), priceUsd: 12 });
  const { page } = await open({ width: 390 });
  const profile = `/profile/${maker.username}`;
  const [name, bio] = ['Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis', 'e'.repeat(900)];
  const expectFits = async (path: string, what: string) => {
    await page.goto(path);
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      await expectNoOverflow(page, `${what} at ${width}`);
    }
  };
  for (const layout of LAYOUTS)
    for (const shape of SHAPES)
      for (const format of FORMATS) {
        const what = `${layout} ${shape} ${format}`;
        const body = { name, bio, category: null, layout, shape, format };
        await callApi(maker.context, 'PUT', '/creator/profile', body);
        if (format === FORMATS[0]) {
          await expectFits(`${profile}?tab=media`, `${what}, media`);
          await expectFits(`${profile}?tab=about`, `${what}, about`);
        }
        await expectFits(profile, what);
        const radiusOf = (selector: string) =>
          page
            .locator(selector)
            .first()
            .evaluate((element) => Number.parseFloat(getComputedStyle(element).borderTopLeftRadius));
        // The shape applies to the avatar and the mat, and never to the picture or the price seal.
        expect(await radiusOf('main h1 ~ .avatar, main :has(> .avatar) > .avatar')).toBe(shape === 'box' ? 12 : 50);
        expect((await radiusOf('main .media-card .mat')) > 0).toBe(shape === 'round');
        expect(await radiusOf('main .media-card .pic')).toBe(0);
        expect(await radiusOf('main .media-card .seal')).toBe(0);
        const isWhole = await page
          .locator('main .media-card img')
          .first()
          .evaluate((img: HTMLImageElement) => {
            const own = img.naturalWidth / img.naturalHeight;
            return getComputedStyle(img).objectFit === 'contain' || Math.abs(img.width / img.height / own - 1) < 0.01;
          });
        if (shape === 'round' || format === 'col') expect(isWhole).toBe(true);
      }
});

test('the Media tab shows free and locked media, and leads to their posts without script', async ({ person, open }) => {
  const maker = await person('creator');
  const paid = await publish(maker.context, { caption: 'For some', priceUsd: 7 });
  await publish(maker.context, { caption: 'For all' });
  const { page } = await open({ hasScript: false, width: 390 });
  await page.goto(`/profile/${maker.username}`);
  await page.getByRole('link', { name: /^Media/ }).click();
  await expect(page.getByRole('link', { name: 'Photo: For all' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Photo: For some, locked, $7.00' })).toBeVisible();
  await page.getByRole('link', { name: 'Videos' }).click();
  await expect(page.getByText('Nothing of this kind hangs here.')).toBeVisible();
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.getByRole('link', { name: 'Photo: For some, locked, $7.00' }).click();
  await expect(page).toHaveURL(`${baseUrl()}/post/${paid}`);
});

test('sharing works without script, and copies the link with script', async ({ person, open }) => {
  const maker = await person('creator');
  const id = await publish(maker.context, { caption: 'Share & <enjoy>' });
  const { page } = await open({ hasScript: false, width: 390 });
  for (const [path, text] of [
    [`/post/${id}`, `Share & <enjoy> by ${maker.username}`],
    [`/profile/${maker.username}`, `${maker.username} on Stagedoor`],
  ] as const) {
    await page.goto(path);
    await page.locator('summary[aria-label="Share"]').click();
    for (const target of ['Facebook', 'WhatsApp', 'Email', 'Twitter', 'LinkedIn', 'Telegram'])
      expect(await page.getByRole('link', { name: target, exact: true }).getAttribute('href')).toContain(
        encodeURIComponent(`${baseUrl()}${path}`),
      );
    expect(await page.getByRole('link', { name: 'Telegram' }).getAttribute('href')).toContain(encodeURIComponent(text));
    await page.getByRole('button', { name: 'Link and embed' }).click();
    await expect(page.getByLabel('Link', { exact: true })).toHaveValue(`${baseUrl()}${path}`);
    await expect(page.getByLabel('Code to embed it')).toHaveValue(/^<iframe src="http[^"]+\/embed\/(post|profile)\//);
  }

  await maker.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await maker.page.goto(`/post/${id}`);
  await hydrated(maker.page);
  await maker.page.locator('summary[aria-label="Share"]').click();
  await expectAccessible(maker.page);
  await maker.page.getByRole('button', { name: 'Copy link' }).click();
  await expect(maker.page.getByText('Link copied.')).toBeVisible();
  expect(await maker.page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseUrl()}/post/${id}`);
  await maker.page.locator('summary[aria-label="Share"]').click();
  await maker.page.keyboard.press('Escape');
  await expect(maker.page.getByRole('link', { name: 'Telegram' })).toBeHidden();
  await expect(maker.page.locator('summary[aria-label="Share"]')).toBeFocused();
});

test('embeds on other sites show the visitor’s view in the requested theme, and no other page can be framed', async ({
  person,
}) => {
  const maker = await person('creator');
  const [free, paid] = [
    await publish(maker.context, { caption: 'Open to all' }),
    await publish(maker.context, { caption: 'Behind the price', priceUsd: 9 }),
  ];
  const frames = [
    `/embed/post/${free}?theme=dark`,
    `/embed/post/${paid}?theme=light`,
    `/embed/profile/${maker.username}`,
    '/embed/post/nothing',
    '/creator',
  ];
  const site = createServer((_request, answer) => {
    answer.setHeader('content-type', 'text/html');
    answer.end(
      `<!doctype html><title>A blog</title>${frames.map((path, index) => `<iframe name="f${index}" src="${baseUrl()}${path}" width="400" height="420"></iframe>`).join('')}`,
    );
  });
  await new Promise<void>((resolve) => site.listen(0, 'localhost', resolve));
  const address = site.address();
  if (typeof address !== 'object' || !address) throw new Error('no address');
  const { page } = maker;
  await page.goto(`http://localhost:${address.port}/`);
  const frame = (index: number) => page.frameLocator(`iframe[name="f${index}"]`);
  await expect(frame(0).getByRole('img', { name: 'Evening light' })).toBeVisible();
  const go = frame(0).getByRole('link', { name: 'See it on Stagedoor' });
  await expect(go).toHaveAttribute('href', new RegExp(`/post/${free}$`));
  await expect(frame(0).locator('.who')).toBeInViewport({ ratio: 1 });
  await expect(frame(1).getByRole('link', { name: 'Unlock · $9.00' })).toHaveAttribute(
    'href',
    `${baseUrl()}/post/${paid}`,
  );
  await expect(frame(1).getByRole('link', { name: 'Unlock · $9.00' })).toHaveAttribute('target', '_blank');
  await expect(frame(1).getByRole('img', { name: 'Evening light' })).toHaveCount(0);
  await expect(frame(2).getByRole('heading', { name: maker.username })).toBeVisible();
  await expect(frame(3).getByText('There is nothing here any more.')).toBeVisible();
  const dark = await frame(0)
    .locator('body')
    .evaluate((body) => getComputedStyle(body).backgroundColor);
  const light = await frame(1)
    .locator('body')
    .evaluate((body) => getComputedStyle(body).backgroundColor);
  expect(dark).not.toBe(light);
  expect(page.frame({ name: 'f4' })?.url()).toContain('chrome-error');
  site.close();

  for (const path of frames.slice(0, 3)) {
    const answer = await page.request.get(path);
    const html = await answer.text();
    expect(html).not.toContain('<script');
    expect(html).toContain('<meta name="robots" content="noindex"');
    expect(html.length).toBeLessThan(20_000);
    expect(answer.headers()['set-cookie']).toBeUndefined();
    expect(answer.headers()['content-security-policy']).toContain('frame-ancestors *');
  }
  for (const path of frames.slice(1, 3)) {
    await page.goto(path);
    await expectAccessible(page);
    await expectNoOverflow(page, path);
  }
  const other = await page.request.get(`/post/${free}`);
  expect(other.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(await other.text()).toContain(`rel="alternate" type="application/json+oembed"`);
});

test('a creator sorts followers and filters them by date', async ({ person }) => {
  const maker = await person('creator', { width: 390 });
  await maker.page.goto('/creator/followers');
  await expect(maker.page.getByText('Nobody follows you yet.')).toBeVisible();
  const { id } = await callApi<{ id: string }>(maker.context, 'GET', '/auth/user');
  const fans = await Promise.all([person('customer'), person('customer')]);
  for (const fan of fans) await callApi(fan.context, 'POST', `/customer/follow/${id}`, { isFollowed: true });
  await maker.page.reload();
  await hydrated(maker.page);
  const rows = maker.page.getByRole('list', { name: 'Followers' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(fans[1]?.username ?? '');
  await maker.page.getByLabel('Order').selectOption('createdAt asc');
  await expect(rows.first()).toContainText(fans[0]?.username ?? '');
  await expect(maker.page).toHaveURL(/sortOrderBy=asc/);
  await maker.page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await expect(maker.page.getByText('Nobody began to follow you in these days.')).toBeVisible();
  await maker.page.getByRole('link', { name: 'See everybody' }).click();
  await expect(rows).toHaveCount(2);
});

test('views through an embed or by the owner do not count, and each visitor counts once', async ({ person }) => {
  const { username, context } = await person('creator');
  const look = async (agent: string, path = `/profile/${username}`) => {
    const answer = await fetch(`${baseUrl()}${path}`, { headers: { 'user-agent': agent } });
    expect(answer.status).toBe(200);
  };
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const views = async () => (await callApi<Profile>(context, 'GET', '/creator/profile')).profileViewCount;
  await context.request.get(`${baseUrl()}/profile/${username}`, { headers: { 'user-agent': FIREFOX } });
  await look(FIREFOX, `/embed/profile/${username}`);
  for (const agent of [FIREFOX, FIREFOX, `${FIREFOX} another`]) await look(agent);
  await expect.poll(views, { timeout: 15_000 }).toBe(2);
});

test('a picture that fails to load says so, and an avatar shows initials, also before hydration', async ({
  person,
}) => {
  const fan = await person('customer');
  const { open } = await demoPlaces(fan.context);
  await fan.context.route('**/media/public/**', (route) => route.abort());
  await fan.page.goto(`/post/${open}`);
  await expect(fan.page.getByText('No image found').first()).toBeVisible();
  await expect(fan.page.getByRole('main').locator('.avatar img')).toHaveCount(0);
  await expect(fan.page.getByRole('main').locator('.avatar__initials').first()).toBeVisible();
});

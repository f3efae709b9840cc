import type { Page } from '@playwright/test';
import type { Profile } from '@stagedoor/contract/content/profiles.ts';
import { FORMATS, LAYOUTS, SHAPES } from '@stagedoor/contract/content/themes.ts';
import sharp from 'sharp';
import { callApi, expect, expectAccessible, getBaseUrl, test, waitForHydration } from './support/fixtures.ts';
import { makeJpeg, publishPictures } from './support/money.ts';

async function expectNoOverflow(page: Page, label: string): Promise<void> {
  const getOverflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(getOverflow, label).toBeLessThanOrEqual(0);
}

const getPreview = (page: Page) => page.frameLocator('iframe[title="How others see your profile"]');

test('a creator edits text, links and layout next to a preview, and visitors see what was saved', async ({
  createUser,
}) => {
  const { page, username, context } = await createUser('creator');
  await publishPictures(context, { caption: 'First work' });
  await page.goto('/creator/profile');
  await waitForHydration(page);
  await page.getByLabel('Name', { exact: false }).first().fill('Inês Åkerlund');
  await page.getByLabel('About you').fill('Plays gut strings.\nOn Sundays.');
  await page.getByText('Hero', { exact: true }).click();
  await page.getByText('Round', { exact: true }).click();
  await expect(getPreview(page).getByRole('heading', { name: 'Inês Åkerlund', includeHidden: true })).toBeVisible();
  await expect(getPreview(page).getByText('Plays gut strings.')).toBeVisible();
  await expect(getPreview(page).getByText('First work')).toBeVisible();

  await page.getByText('Links', { exact: true }).click();
  await page.getByLabel('YouTube', { exact: true }).fill('@ines');
  await page.getByLabel('Twitch').fill('https://youtube.com/@ines');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(
    page.getByText('Enter a link to your Twitch page, such as https://www.twitch.tv/yourname'),
  ).toBeVisible();
  await expect(page.getByLabel('Twitch')).toBeFocused();
  await page.getByLabel('Twitch').fill('ines');

  await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: 'Feed' }).click();
  const leaveDialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(leaveDialog).toBeVisible();
  await leaveDialog.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Twitch')).toHaveValue(/ines/);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  const saved = await callApi<Profile>(context, 'GET', '/creator/profile');
  expect(saved.links.map(({ network }) => network).toSorted()).toEqual(['twitch', 'youtube']);
  expect(saved).toMatchObject({ layout: 'hero', shape: 'round', name: 'Inês Åkerlund' });
  await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: 'Feed' }).click();
  await expect(page).toHaveURL(/\/creator\/feed$/);

  const about = await (await fetch(`${getBaseUrl()}/profile/${username}?tab=about`)).text();
  for (const { url } of saved.links) expect(about).toContain(`href="${url}"`);
});

test('a creator crops an avatar by keyboard, sets the focus of a cover, and reads why a file is refused', async ({
  createUser,
}) => {
  const { page, context } = await createUser('creator');
  const makeSquare = (background: string) =>
    sharp({ create: { width: 400, height: 400, channels: 3, background } })
      .png()
      .toBuffer();
  const flag = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#00f' } })
    .composite([{ input: await makeSquare('#f00'), left: 0, top: 0 }])
    .jpeg()
    .toBuffer();
  await page.goto('/creator/profile');
  await waitForHydration(page);
  await page.getByLabel('Add photo').setInputFiles({ name: 'flag.jpg', mimeType: 'image/jpeg', buffer: flag });
  const cropDialog = page.getByRole('dialog', { name: 'Profile photo' });
  await expect(cropDialog.getByLabel('Zoom')).toBeVisible();
  await expectAccessible(page);
  await expect(cropDialog.getByLabel('Visible area. Use the arrow keys to move it.')).toBeFocused();
  for (let presses = 0; presses < 30; presses += 1) await page.keyboard.press('ArrowRight');
  await cropDialog.getByRole('button', { name: 'Crop' }).click();
  await expect(cropDialog).toBeHidden({ timeout: 20_000 });
  const { avatarUrl } = await callApi<Profile>(context, 'GET', '/creator/profile');
  const { dominant } = await sharp(await (await context.request.get(`${getBaseUrl()}${avatarUrl}`)).body()).stats();
  expect([dominant.r > 128, dominant.b > 128]).toEqual([false, true]);

  await page
    .getByLabel('Add cover')
    .setInputFiles({ name: 'wide.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(600, 250) });
  await page.getByLabel('Horizontal').fill('10');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  expect((await callApi<Profile>(context, 'GET', '/creator/profile')).coverFocus).toEqual({ x: 10, y: 50 });

  await page
    .getByLabel('Change cover')
    .setInputFiles({ name: 'no.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('hello') });
  await expect(page.getByText('This is a text file.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Remove cover' }).click();
  await expect(page.getByText('No cover yet')).toBeVisible();
});

test('a fan changes name, picture and theme, and is warned before leaving without saving, also by the back button', async ({
  createUser,
}) => {
  const { page, context } = await createUser('customer', { isPhone: true });
  await context.addInitScript(() => void Reflect.deleteProperty(window, 'CloseWatcher'));
  await page.goto('/fan/follow');
  await waitForHydration(page);
  const getLink = (label: RegExp) => page.getByRole('link', { name: label }).filter({ visible: true }).first();
  await getLink(/^Me/).tap();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect(name).toBeVisible();
  await expect(page).toHaveURL(/\/fan\/profile$/);
  const leaveDialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  const isOverlayOpen = () => page.evaluate(() => 'isOver' in (history.state ?? {}));
  await name.fill('June');
  await page.goBack();
  await expect(leaveDialog).toBeVisible();
  await expect(page).toHaveURL(/\/fan\/profile$/);
  await leaveDialog.getByRole('button', { name: 'Stay' }).tap();
  await expect(leaveDialog).toHaveCount(0);
  await expect.poll(isOverlayOpen).toBe(false);
  await expect(name).toHaveValue('June');

  await getLink(/^Notifications/).tap();
  await expect(leaveDialog).toBeVisible();
  await expect.poll(isOverlayOpen).toBe(true);
  await page.goBack();
  await expect(leaveDialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/fan\/profile$/);
  await expect(name).toHaveValue('June');

  await page
    .getByLabel('Add photo')
    .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(300, 450) });
  const cropDialog = page.getByRole('dialog', { name: 'Profile photo' });
  await cropDialog.getByRole('button', { name: 'Crop' }).tap();
  await expect(cropDialog).toHaveCount(0);
  await expect.poll(isOverlayOpen).toBe(false);
  await page.getByRole('button', { name: 'Save', exact: true }).tap();
  await expect(page.getByText('Saved.')).toBeVisible();
  const account = await callApi<{ name: string; avatarUrl: string | null }>(context, 'GET', '/auth/user');
  expect(account).toMatchObject({ name: 'June', avatarUrl: expect.stringContaining('/media/public/a/') });
  await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').tap();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await (await context.request.get('/fan/profile')).text()).toMatch(/<html[^>]+data-theme="dark"/);

  await name.fill('Somebody else');
  await page.goBack();
  await expect(leaveDialog).toBeVisible();
  await expect.poll(isOverlayOpen).toBe(true);
  await leaveDialog.getByRole('button', { name: 'Leave' }).tap();
  await expect(page).toHaveURL(/\/fan\/follow$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(isOverlayOpen).toBe(false);
});

test('long texts fit narrow and wide screens in each of the eight layouts and on other pages, and pictures are whole', async ({
  createUser,
  open,
}) => {
  const creator = await createUser('creator');
  await publishPictures(creator.context, { caption: 'Free' });
  const caption = `${'f'.repeat(300)}\n${'g'.repeat(900)}`;
  const id = await publishPictures(creator.context, { caption, priceUsd: 12 });
  const { page } = await open({ width: 390 });
  const profile = `/profile/${creator.username}`;
  const name = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis';
  const bio = `${'e'.repeat(800)} ${'🎻'.repeat(60)}`;
  const texts = { name, bio, craft: 'c'.repeat(60), city: 'd'.repeat(60), category: null };
  const expectFits = async (target: Page, label: string) => {
    for (const width of [320, 1440]) {
      await target.setViewportSize({ width, height: 844 });
      await expectNoOverflow(target, `${label} at ${width}`);
    }
  };
  for (const layout of LAYOUTS)
    for (const shape of SHAPES)
      for (const format of FORMATS) {
        const label = `${layout} ${shape} ${format}`;
        const change = { ...texts, bio: `${label} ${bio}`, layout, shape, format };
        await callApi(creator.context, 'PUT', '/creator/profile', change);
        // The cached page is replaced shortly after the change.
        await expect(async () => {
          await page.goto(profile);
          await expect(page.getByText(label).first()).toBeVisible({ timeout: 500 });
        }).toPass();
        await expectFits(page, label);
        const getRadius = (selector: string) =>
          page
            .locator(selector)
            .first()
            .evaluate((element) => Number.parseFloat(getComputedStyle(element).borderTopLeftRadius));
        // The shape applies to the avatar and the mat, and never to the picture or the price seal.
        expect(await getRadius('main h1 ~ .avatar, main :has(> .avatar) > .avatar')).toBe(shape === 'box' ? 12 : 50);
        expect((await getRadius('main .media-card .mat')) > 0).toBe(shape === 'round');
        expect(await getRadius('main .media-card .pic')).toBe(0);
        expect(await getRadius('main .media-card .seal')).toBe(0);
        const isWhole = await page
          .locator('main .media-card img')
          .first()
          .evaluate((img: HTMLImageElement) => {
            const ratio = img.naturalWidth / img.naturalHeight;
            return getComputedStyle(img).objectFit === 'contain' || Math.abs(img.width / img.height / ratio - 1) < 0.01;
          });
        if (shape === 'round' || format === 'col') expect(isWhole).toBe(true);
      }
  const embeds = [`/embed/post/${id}`, `/embed${profile}`, `/embed/tip/${creator.username}`];
  const others = [`${profile}?tab=media`, `${profile}?tab=about`, `/post/${id}`, `/?search=${name.slice(0, 20)}`];
  for (const path of [...others, ...embeds]) {
    await page.goto(path);
    await expectFits(page, path);
  }
  for (const path of ['/creator', '/creator/feed', `/creator/post/${id}/edit`]) {
    await creator.page.goto(path);
    await expectFits(creator.page, path);
  }
});

test('the Media tab leads to free and locked posts, and a post can be shared, without script', async ({
  createApiUser,
  open,
}) => {
  const creator = await createApiUser('creator');
  const paid = await publishPictures(creator.context, { caption: 'Share & <enjoy>', priceUsd: 7 });
  await publishPictures(creator.context, { caption: 'For all' });
  const { page } = await open({ hasScript: false, width: 390 });
  await page.goto(`/profile/${creator.username}`);
  await page.getByRole('link', { name: /^Media/ }).click();
  await expect(page.getByRole('link', { name: 'Photo: For all' })).toBeVisible();
  const videos = await page.getByRole('link', { name: 'Videos' }).getAttribute('href');
  expect(await (await page.request.get(videos ?? '')).text()).toContain('Nothing here yet');
  await page.getByRole('link', { name: 'Photo: Share & <enjoy>, locked, $7.00' }).click();
  const url = `${getBaseUrl()}/post/${paid}`;
  await expect(page).toHaveURL(url);

  await page.locator('summary[aria-label="Share"]').click();
  const getHref = (target: string) => page.getByRole('link', { name: target, exact: true }).getAttribute('href');
  for (const target of ['Facebook', 'WhatsApp', 'Email', 'Twitter', 'LinkedIn', 'Telegram'])
    expect(await getHref(target)).toContain(encodeURIComponent(url));
  expect(await getHref('Telegram')).toContain(encodeURIComponent(`Share & <enjoy> by ${creator.username}`));
  await page.getByRole('button', { name: 'Share options' }).click();
  await expect(page.getByLabel('Link', { exact: true })).toHaveValue(url);
  await expect(page.getByLabel('Embed code')).toHaveValue(/^<iframe src="http[^"]+\/embed\/post\//);
});

test('a creator sorts followers and filters them by date', async ({ createUser, createApiUser }) => {
  const creator = await createUser('creator', { width: 390 });
  const fans = [await createApiUser('customer'), await createApiUser('customer')];
  for (const fan of fans) await callApi(fan.context, 'POST', `/customer/follow/${creator.id}`, { isFollowed: true });
  await creator.page.goto('/creator/followers');
  await waitForHydration(creator.page);
  const rows = creator.page.getByRole('list', { name: 'Followers' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(fans[1]?.username ?? '');
  await creator.page.getByLabel('Sort by').selectOption('createdAt asc');
  await expect(rows.first()).toContainText(fans[0]?.username ?? '');
  await expect(creator.page).toHaveURL(/sortOrderBy=asc/);
  await creator.page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await expect(creator.page.getByText('No new followers in this period.')).toBeVisible();
  await creator.page.getByRole('link', { name: 'Show all followers' }).click();
  await expect(rows).toHaveCount(2);
});

import type { Page } from '@playwright/test';
import type { Post } from '@stagedoor/contract/posts.ts';
import { callApi, describePicture, expect, hydrated, logIn, test } from './support/fixtures.ts';
import { addFunds, makeJpeg, publish, tryMove } from './support/money.ts';
import { socketConnected } from './support/socket.ts';

async function choose(page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  await page.getByLabel('Choose files').setInputFiles(files);
}

test('a set of pictures is ordered, published, edited and removed, and its buyer retains access', async ({
  person,
}) => {
  const [maker, fan] = [await person('creator'), await person('customer')];
  await addFunds(fan.context, 20);
  const { page } = maker;
  await page.goto('/creator/post/add');
  await hydrated(page);
  const jpeg = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer });
  await choose(page, [jpeg('one.jpg', await makeJpeg(600, 800)), jpeg('two.jpg', await makeJpeg(800, 600))]);
  await expect(page.getByText(/, ready$/)).toHaveCount(2, { timeout: 30_000 });
  await describePicture(page, 1, 'First');
  await describePicture(page, 2, 'Second');
  await page.getByRole('button', { name: /^Picture 2,/ }).press('ArrowLeft');
  await expect(page.getByRole('button', { name: /^Picture 1, two\.jpg/ })).toBeFocused();
  await expect(page.getByText('Now number 1 of 2.')).toBeAttached();
  await page.getByLabel('Caption').fill('A pair\nTaken on one evening.');
  await page.getByRole('radiogroup', { name: 'Who may see it' }).getByText('Paid').click();
  await page.getByLabel('Price').fill('5');
  await page.getByRole('button', { name: 'Publish · $5.00' }).click();
  await expect(page).toHaveURL(/\/creator\/feed$/);
  const card = page.getByRole('listitem').filter({ hasText: 'A pair' });
  await expect(card).toContainText('$5.00 · 0 unlocks');
  const { data } = await callApi<{ data: { post: Post }[] }>(maker.context, 'GET', '/creator/posts');
  const id = data[0]?.post.id ?? '';
  expect(data[0]?.post.type).toBe('pictureSet');
  expect(data[0]?.post.media.map((item) => (item.isLocked ? '' : item.picture.alt))).toEqual(['Second', 'First']);

  await card.getByRole('button', { name: 'What to do with A pair' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByLabel('Caption').fill('A pair, renamed');
  await page.getByLabel('Price').fill('7');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'A pair, renamed' })).toContainText('$7.00');

  expect((await tryMove(fan.context, `/post/unlock/${id}`, { price: 5 })).status).toBe(409);
  expect((await tryMove(fan.context, `/post/unlock/${id}`, { price: 7 })).status).toBe(200);
  await page.getByRole('button', { name: 'What to do with A pair, renamed' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Take this post down' }).click();
  await page
    .getByRole('dialog', { name: 'Take this post down?' })
    .getByRole('button', { name: 'Take it down' })
    .click();
  await expect(page).toHaveURL(/\/creator\/feed$/);
  await page.getByRole('link', { name: 'Removed' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'A pair, renamed' })).toBeVisible();
  await expect.poll(async () => (await page.request.fetch(`/profile/${maker.username}`)).status()).toBe(200);

  await fan.page.goto(`/post/${id}`);
  await expect(fan.page.getByRole('img', { name: 'Second' })).toBeVisible();
  await fan.page.goto('/fan/media');
  await expect(fan.page.getByRole('main').getByRole('link', { name: /A pair, renamed/ })).toBeVisible();
});

test('an empty post and files that are no media are refused with the reason', async ({ person }) => {
  const { page, context } = await person('creator');
  await page.goto('/creator/post/add');
  await hydrated(page);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Please add at least one file')).toBeInViewport();
  await choose(page, [{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }]);
  await expect(page.getByText('notes.txt is no picture, video or audio.')).toBeVisible();
  await choose(page, [{ name: 'nothing.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) }]);
  await expect(page.getByText('nothing.jpg is empty.')).toBeVisible();

  const program = Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(4_000, 1)]);
  await choose(page, [{ name: 'holiday.jpg', mimeType: 'image/jpeg', buffer: program }]);
  const pictures = page.getByRole('region', { name: 'Files' });
  await expect(pictures.getByRole('alert')).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Remove what could not be used first.')).toBeVisible();
  await page.getByRole('button', { name: 'Take out picture 1' }).click();
  await expect(pictures.getByRole('listitem')).toHaveCount(0);
  expect((await callApi<{ data: unknown[] }>(context, 'GET', '/creator/posts')).data).toEqual([]);
});

test('a follower who has scrolled down sees that there is a new post, and opens it', async ({ person, open }) => {
  const maker = await person('creator');
  const { id } = await callApi<{ id: string }>(maker.context, 'GET', '/auth/user');
  const { page, context } = await open({ width: 390 });
  await logIn(context, 'demo.fan');
  await callApi(context, 'POST', `/customer/follow/${id}`, { isFollowed: true });
  const connected = socketConnected(page);
  await page.goto('/fan/feed');
  await hydrated(page);
  await expect(page.getByRole('article').first()).toBeVisible();
  await connected;
  await page.mouse.wheel(0, 1_500);
  const caption = `Fresh ${maker.username}`;
  const bar = page.getByRole('status').filter({ hasText: 'New Post' });
  await publish(maker.context, { caption });
  await expect(bar).toBeVisible();
  await bar.getByRole('link', { name: 'New Post' }).click();
  await expect(page).toHaveURL(/\/post\//);
  await expect(page.getByRole('heading', { name: caption })).toBeVisible();
  await callApi(context, 'POST', `/customer/follow/${id}`, { isFollowed: false });
});

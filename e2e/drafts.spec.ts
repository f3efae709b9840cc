import type { Page } from '@playwright/test';
import type { Draft } from '@stagedoor/contract/content/drafts.ts';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { makeClip } from './support/films.ts';
import {
  addSession,
  type BrowserUser,
  callApi,
  expect,
  expectAccessible,
  test,
  waitForHydration,
} from './support/fixtures.ts';
import { makePicture } from './support/money.ts';

type DraftList = { data: Draft[] };
type PostList = { data: { post: Post }[] };

const jpegFile = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await makePicture() });
const listDrafts = ({ context }: Pick<BrowserUser, 'context'>, state = 'draft') =>
  callApi<DraftList>(context, 'GET', `/creator/drafts?state=${state}`);
const listPosts = ({ context }: Pick<BrowserUser, 'context'>) => callApi<PostList>(context, 'GET', '/creator/posts');

async function openComposer(page: Page, address = '/creator/post/add'): Promise<void> {
  await page.goto(address);
  await waitForHydration(page);
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeVisible();
}

async function insertFile(page: Page, how: 'drop' | 'paste', name: string): Promise<void> {
  const bytes = [...(await makePicture())];
  await page.evaluate(
    ({ how: kind, name: fileName, bytes: content }) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(content)], fileName, { type: 'image/jpeg' }));
      const shared = { bubbles: true, cancelable: true };
      if (kind === 'paste') {
        document.body.dispatchEvent(new ClipboardEvent('paste', { ...shared, clipboardData: data }));
        return;
      }
      for (const type of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { ...shared, dataTransfer: data }));
    },
    { how, name, bytes },
  );
}

test('a draft is saved automatically, found again and published, and a tagged user removes themselves from the post', async ({
  createUser,
}) => {
  test.setTimeout(90_000);
  const [creator, guest] = [await createUser('creator'), await createUser('creator')];
  const { page } = creator;
  await openComposer(page);
  await page.getByLabel('Caption').fill('Begun');
  await page.getByRole('link', { name: 'Home' }).first().click();
  const leaveDialog = page.getByRole('dialog', { name: 'Leave this page?' });
  await leaveDialog.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Caption')).toHaveValue('Begun');
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();
  await expect(page).toHaveURL(/\?draft=/);
  await insertFile(page, 'paste', 'pasted.jpg');
  await insertFile(page, 'drop', 'dropped.jpg');
  await expect(page.getByText(/, ready$/)).toHaveCount(2, { timeout: 30_000 });
  await page.getByRole('button', { name: /^More/ }).click();
  await page.getByLabel('Tags').fill('light, Studio evening ');
  await page.getByLabel('Tag people').fill(guest.username);
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.getByLabel('Tag people').press('Enter');
  await expect.poll(async () => (await listDrafts(creator)).data[0]?.people.length).toBe(1);
  expect((await listDrafts(creator)).data).toMatchObject([
    { caption: 'Begun', tags: ['light', 'studio', 'evening'], people: [{ username: guest.username }] },
  ]);

  const getPicture = (n: number) => page.getByRole('button', { name: new RegExp(`^Photo ${n},`) });
  const fileItems = page.getByRole('list', { name: 'In order' }).getByRole('listitem');
  await expect(fileItems).toHaveText([/pasted\.jpg/, /dropped\.jpg/]);
  await getPicture(1).press('ArrowRight');
  await expect(fileItems).toHaveText([/dropped\.jpg/, /pasted\.jpg/]);
  await expect(getPicture(2)).toBeFocused();
  await expect(page.getByText('Moved to position 2 of 2.')).toBeAttached();
  const [from, to] = [await getPicture(2).boundingBox(), await getPicture(1).boundingBox()];
  if (!from || !to) throw new Error('no pictures');
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y + 10, { steps: 8 });
  await page.mouse.up();
  await expect(fileItems).toHaveText([/pasted\.jpg/, /dropped\.jpg/]);
  await expect(page.getByRole('dialog'), 'a drag is no press').toHaveCount(0);

  await getPicture(1).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(fileItems).toHaveText([/dropped\.jpg/]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(fileItems).toHaveText([/pasted\.jpg/, /dropped\.jpg/]);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();

  await page.goto('/creator/feed?status=drafts');
  await expect(page.getByRole('link', { name: 'Drafts 1' })).toHaveAttribute('aria-current', 'page');
  await page.getByRole('link', { name: 'Begun', exact: true }).click();
  await expect(fileItems).toHaveText([/pasted\.jpg/, /dropped\.jpg/]);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page).toHaveURL(/\/creator\/feed$/);
  const [own] = (await listPosts(creator)).data;
  expect(own?.post).toMatchObject({ caption: 'Begun', type: 'pictureSet', tags: ['light', 'studio', 'evening'] });
  expect((await listDrafts(creator)).data).toEqual([]);
  await guest.page.goto(`/post/${own?.post.id}`);
  await waitForHydration(guest.page);
  await expect(guest.page.getByRole('list', { name: 'Tags' })).toHaveText('#light#studio#evening');
  const taggedUsers = guest.page.getByRole('region', { name: 'Tagged people' });
  await expect(taggedUsers.getByRole('link')).toHaveAttribute('href', `/profile/${guest.username}`);
  await guest.page.getByRole('button', { name: 'Remove me from this post' }).click();
  await guest.page.getByRole('button', { name: 'Remove me', exact: true }).click();
  await expect(taggedUsers).toHaveCount(0);
  // The page removes the user before the server responds, so the API is polled.
  const listTaggedUsers = async () => (await callApi<Post>(guest.context, 'GET', `/post/${own?.post.id}`)).people;
  await expect.poll(listTaggedUsers).toEqual([]);
});

test('a draft changed in another browser is not overwritten, and either version or both can be saved', async ({
  createUser,
  open,
}) => {
  test.setTimeout(90_000);
  const creator = await createUser('creator');
  const other = await open();
  await addSession(other.context, creator.id);
  await openComposer(creator.page);
  await creator.page.getByLabel('Caption').fill('As it began');
  await expect(creator.page).toHaveURL(/\?draft=/);
  const address = new URL(creator.page.url());
  await other.page.goto(`${address.pathname}${address.search}`);
  await waitForHydration(other.page);
  await expect(other.page.getByLabel('Caption')).toHaveValue('As it began');

  const saveCaption = async (page: Page, text: string) => {
    await page.getByLabel('Caption').fill(text);
    await page.getByRole('button', { name: 'Save draft' }).click();
  };
  await saveCaption(other.page, 'From the other');
  await expect(other.page.getByText(/^Saved/)).toBeVisible();
  await saveCaption(creator.page, 'From the first');
  const conflictDialog = creator.page.getByRole('dialog', { name: 'Which version do you want to keep?' });
  await expect(conflictDialog).toContainText('“From the other”');
  await conflictDialog.getByRole('button', { name: 'Keep both as separate drafts' }).click();
  await expect(creator.page.getByText(/^Saved/)).toBeVisible();
  await expect
    .poll(async () => (await listDrafts(creator)).data.map(({ caption }) => caption).sort())
    .toEqual(['From the first', 'From the other']);

  const id = address.searchParams.get('draft') ?? '';
  const { version, caption } = await callApi<Draft>(creator.context, 'GET', `/creator/drafts/${id}`);
  await callApi(creator.context, 'PUT', `/creator/drafts/${id}`, { version, caption: `${caption}, again` });
  await saveCaption(other.page, 'Too late');
  await other.page.getByRole('button', { name: 'Use the other version' }).click();
  await expect(other.page.getByLabel('Caption')).toHaveValue('From the other, again');

  await callApi(creator.context, 'DELETE', `/creator/drafts/${id}`);
  await saveCaption(other.page, 'Saved from the wreck');
  await other.page.getByRole('button', { name: 'Save as a new draft' }).click();
  await expect
    .poll(async () => (await listDrafts(creator)).data.map(({ caption }) => caption))
    .toContain('Saved from the wreck');
});

test('a scheduled time is shown with its time zone, and the post appears once when it is due', async ({
  createUser,
}) => {
  test.setTimeout(120_000);
  const creator = await createUser('creator');
  const { page, context } = creator;
  const devTools = await context.newCDPSession(page);
  await devTools.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
  await openComposer(page);
  await page.getByLabel('Choose files').setInputFiles(await jpegFile('soon.jpg'));
  await page.getByLabel('Caption').fill('On time');
  await page.getByRole('button', { name: /^More/ }).click();
  await page.getByRole('radiogroup', { name: 'When to publish' }).getByText('Schedule').click();
  const year = new Date().getUTCFullYear() + 1;
  const time = page.getByLabel('Date and time');
  // The last Sunday of March, when clocks go forward, and a local time that is skipped.
  const last = new Date(Date.UTC(year, 2, 31));
  const sunday = 31 - last.getUTCDay();
  const isWithinYear = Date.UTC(year, 2, sunday) - Date.now() < 364 * 86_400_000;
  if (isWithinYear) {
    await time.fill(`${year}-03-${sunday}T02:30`);
    await expect(page.getByText(`Sunday ${sunday} March ${year}, 03:30 CEST (Europe/Berlin)`)).toBeVisible();
    await expect(page.getByText('This time doesn’t exist')).toBeVisible();
  }
  await time.fill('2020-01-01T10:00');
  await expect(page.getByText('Choose a time in the future.')).toBeVisible();
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await time.fill(`${day}T18:00`);
  await expect(page.getByText(/, ready$/)).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await expect(page).toHaveURL(/status=scheduled/);
  const entry = page.getByRole('listitem').filter({ hasText: 'On time' });
  await expect(entry.getByRole('time')).toHaveText(/18:00 CES?T$/);
  const [draft] = (await listDrafts(creator, 'scheduled')).data;
  const savedTime = new Date(draft?.scheduledAt ?? 0);
  expect(
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Berlin' }).format(
      savedTime,
    ),
  ).toBe(`${day} 18:00`);

  const { id = '', version, media = [] } = draft ?? {};
  const scheduledAt = new Date(Date.now() + 3_000).toISOString();
  const body = { version, caption: 'On time', media: media.map((each) => ({ id: each.media.id })), scheduledAt };
  await callApi(context, 'PUT', `/creator/drafts/${id}`, body);
  await expect(page.getByText('No scheduled posts')).toBeVisible({ timeout: 30_000 });
  const posts = (await listPosts(creator)).data.filter(({ post }) => post.caption === 'On time');
  expect(posts).toHaveLength(1);
  expect(Date.parse(posts[0]?.post.createdAt ?? '')).toBeGreaterThanOrEqual(Date.parse(scheduledAt));
});

test('a film is previewed as fans see it and published at a price', async ({ createUser }) => {
  test.setTimeout(150_000);
  const creator = await createUser('creator');
  const { page } = creator;
  await openComposer(page);
  const release = Promise.withResolvers<void>();
  await page.route('**/files**', async (route) => {
    await release.promise;
    await route.continue();
  });
  await page
    .getByLabel('Choose files')
    .setInputFiles({ name: 'film.mp4', mimeType: 'video/mp4', buffer: await makeClip() });
  await page.getByLabel('Caption').fill('A film');
  await page.getByRole('radiogroup', { name: 'Who can see this?' }).getByText('Paid').click();
  await page.getByLabel('Price').fill('6');
  await page.getByRole('button', { name: 'Publish · $6.00' }).click();
  await expect(page.getByRole('button', { name: 'Publishing when ready…' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  release.resolve();
  await expect(page.getByText(/, ready/)).toBeVisible({ timeout: 90_000 });
  await page.getByRole('button', { name: /^Video 1,/ }).click();
  await expect(page.getByRole('link', { name: /Thumbnail, free preview and captions/ })).toHaveAttribute(
    'href',
    /\/creator\/media\/edit\//,
  );
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.frameLocator('iframe');
  await expect(preview.getByText('Unlock · $6.00')).toBeVisible();
  await expect(preview.getByText('Video', { exact: true })).toBeVisible();
  await page.getByText('Unlocked', { exact: true }).click();
  await preview.getByRole('button', { name: /^Play A film/ }).click();
  await expect(preview.locator('video')).toBeVisible();
  await page.getByText('Desktop', { exact: true }).click();
  await expect(preview.getByRole('heading', { name: 'A film' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Preview' })).toBeFocused();
  await page.getByRole('button', { name: 'Publish · $6.00' }).click();
  await expect(page).toHaveURL(/\/creator\/feed$/);
  const [own] = (await listPosts(creator)).data;
  expect(own?.post).toMatchObject({ type: 'video', price: 6 });

  const upload = Promise.withResolvers<void>();
  await page.route('**/files**', async (route) => {
    await upload.promise;
    await route.continue();
  });
  await openComposer(page);
  await page.getByLabel('Choose files').setInputFiles(await jpegFile('slow.jpg'));
  await page.getByLabel('Caption').fill('As soon as ready');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Publishing when ready…' })).toBeVisible();
  upload.resolve();
  await expect(page).toHaveURL(/\/creator\/feed$/, { timeout: 30_000 });
  await expect(page.getByRole('listitem').filter({ hasText: 'As soon as ready' })).toBeVisible();
});

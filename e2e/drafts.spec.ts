import type { Page } from '@playwright/test';
import type { Post } from '@stagedoor/contract/posts.ts';
import type { Draft } from '@stagedoor/contract/publishing.ts';
import { makeClip } from './support/films.ts';
import { addSession, callApi, expect, expectAccessible, hydrated, type Person, test } from './support/fixtures.ts';
import { makePicture } from './support/money.ts';

type Drafts = { data: Draft[] };
type Posts = { data: { post: Post }[] };

const jpegFile = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await makePicture() });
const draftsOf = ({ context }: Pick<Person, 'context'>, state = 'draft') =>
  callApi<Drafts>(context, 'GET', `/creator/drafts?state=${state}`);
const postsOf = ({ context }: Pick<Person, 'context'>) => callApi<Posts>(context, 'GET', '/creator/posts');

async function openComposer(page: Page, address = '/creator/post/add'): Promise<void> {
  await page.goto(address);
  await hydrated(page);
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeVisible();
}

async function hand(page: Page, how: 'drop' | 'paste', name: string): Promise<void> {
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
  person,
}) => {
  test.setTimeout(90_000);
  const [maker, guest] = [await person('creator'), await person('creator')];
  const { page } = maker;
  await openComposer(page);
  await page.getByLabel('Caption').fill('Begun');
  await page.getByRole('link', { name: 'Home' }).first().click();
  const ask = page.getByRole('dialog', { name: 'Leave this page?' });
  await ask.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Caption')).toHaveValue('Begun');
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();
  await expect(page).toHaveURL(/\?draft=/);
  await hand(page, 'paste', 'pasted.jpg');
  await hand(page, 'drop', 'dropped.jpg');
  await expect(page.getByText(/, ready$/)).toHaveCount(2, { timeout: 30_000 });
  await page.getByRole('button', { name: /^More/ }).click();
  await page.getByLabel('Tags').fill('light, Studio evening ');
  await page.getByLabel('Tag people').fill(guest.username);
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.getByLabel('Tag people').press('Enter');
  await expect.poll(async () => (await draftsOf(maker)).data[0]?.people.length).toBe(1);
  expect((await draftsOf(maker)).data).toMatchObject([
    { caption: 'Begun', tags: ['light', 'studio', 'evening'], people: [{ username: guest.username }] },
  ]);

  const place = (n: number) => page.getByRole('button', { name: new RegExp(`^Photo ${n},`) });
  const names = page.getByRole('list', { name: 'In order' }).getByRole('listitem');
  await expect(names).toHaveText([/pasted\.jpg/, /dropped\.jpg/]);
  await place(1).press('ArrowRight');
  await expect(names).toHaveText([/dropped\.jpg/, /pasted\.jpg/]);
  await expect(place(2)).toBeFocused();
  await expect(page.getByText('Moved to position 2 of 2.')).toBeAttached();
  const [from, to] = [await place(2).boundingBox(), await place(1).boundingBox()];
  if (!from || !to) throw new Error('no pictures');
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y + 10, { steps: 8 });
  await page.mouse.up();
  await expect(names).toHaveText([/pasted\.jpg/, /dropped\.jpg/]);
  await expect(page.getByRole('dialog'), 'a drag is no press').toHaveCount(0);

  await place(1).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(names).toHaveText([/dropped\.jpg/]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(names).toHaveText([/pasted\.jpg/, /dropped\.jpg/]);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();

  await page.goto('/creator/feed?status=drafts');
  await expect(page.getByRole('link', { name: 'Drafts 1' })).toHaveAttribute('aria-current', 'page');
  await page.getByRole('link', { name: 'Begun', exact: true }).click();
  await expect(names).toHaveText([/pasted\.jpg/, /dropped\.jpg/]);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page).toHaveURL(/\/creator\/feed$/);
  const [own] = (await postsOf(maker)).data;
  expect(own?.post).toMatchObject({ caption: 'Begun', type: 'pictureSet', tags: ['light', 'studio', 'evening'] });
  expect((await draftsOf(maker)).data).toEqual([]);
  await guest.page.goto(`/post/${own?.post.id}`);
  await hydrated(guest.page);
  await expect(guest.page.getByRole('list', { name: 'Tags' })).toHaveText('#light#studio#evening');
  const people = guest.page.getByRole('region', { name: 'Tagged people' });
  await expect(people.getByRole('link')).toHaveAttribute('href', `/profile/${guest.username}`);
  await guest.page.getByRole('button', { name: 'Remove me from this post' }).click();
  await guest.page.getByRole('button', { name: 'Remove me', exact: true }).click();
  await expect(people).toHaveCount(0);
  // The page removes the user before the server responds, so the API is polled.
  const named = async () => (await callApi<Post>(guest.context, 'GET', `/post/${own?.post.id}`)).people;
  await expect.poll(named).toEqual([]);
});

test('a draft changed in another browser is not overwritten, and either version or both can be kept', async ({
  person,
  open,
}) => {
  test.setTimeout(90_000);
  const maker = await person('creator');
  const other = await open();
  await addSession(other.context, maker.id);
  await openComposer(maker.page);
  await maker.page.getByLabel('Caption').fill('As it began');
  await expect(maker.page).toHaveURL(/\?draft=/);
  const address = new URL(maker.page.url());
  await other.page.goto(`${address.pathname}${address.search}`);
  await hydrated(other.page);
  await expect(other.page.getByLabel('Caption')).toHaveValue('As it began');

  const change = async (page: Page, words: string) => {
    await page.getByLabel('Caption').fill(words);
    await page.getByRole('button', { name: 'Save draft' }).click();
  };
  await change(other.page, 'From the other');
  await expect(other.page.getByText(/^Saved/)).toBeVisible();
  await change(maker.page, 'From the first');
  const which = maker.page.getByRole('dialog', { name: 'Which version do you want to keep?' });
  await expect(which).toContainText('“From the other”');
  await which.getByRole('button', { name: 'Keep both as separate drafts' }).click();
  await expect(maker.page.getByText(/^Saved/)).toBeVisible();
  await expect
    .poll(async () => (await draftsOf(maker)).data.map(({ caption }) => caption).sort())
    .toEqual(['From the first', 'From the other']);

  const id = address.searchParams.get('draft') ?? '';
  const { version, caption } = await callApi<Draft>(maker.context, 'GET', `/creator/drafts/${id}`);
  await callApi(maker.context, 'PUT', `/creator/drafts/${id}`, { version, caption: `${caption}, again` });
  await change(other.page, 'Too late');
  await other.page.getByRole('button', { name: 'Use the other version' }).click();
  await expect(other.page.getByLabel('Caption')).toHaveValue('From the other, again');

  await callApi(maker.context, 'DELETE', `/creator/drafts/${id}`);
  await change(other.page, 'Saved from the wreck');
  await other.page.getByRole('button', { name: 'Save as a new draft' }).click();
  await expect
    .poll(async () => (await draftsOf(maker)).data.map(({ caption }) => caption))
    .toContain('Saved from the wreck');
});

test('a scheduled time is shown with its time zone, and the post appears once when it is due', async ({ person }) => {
  test.setTimeout(120_000);
  const maker = await person('creator');
  const { page, context } = maker;
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
  await expect(entry.getByRole('time')).toHaveText(/18:00$/);
  const [draft] = (await draftsOf(maker, 'scheduled')).data;
  const kept = new Date(draft?.scheduledAt ?? 0);
  expect(
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Berlin' }).format(
      kept,
    ),
  ).toBe(`${day} 18:00`);

  const { id = '', version, media = [] } = draft ?? {};
  const scheduledAt = new Date(Date.now() + 3_000).toISOString();
  const body = { version, caption: 'On time', media: media.map((each) => ({ id: each.media.id })), scheduledAt };
  await callApi(context, 'PUT', `/creator/drafts/${id}`, body);
  await expect(page.getByText('No scheduled posts')).toBeVisible({ timeout: 30_000 });
  const posts = (await postsOf(maker)).data.filter(({ post }) => post.caption === 'On time');
  expect(posts).toHaveLength(1);
  expect(Date.parse(posts[0]?.post.createdAt ?? '')).toBeGreaterThanOrEqual(Date.parse(scheduledAt));
});

test('a film is previewed as fans see it and published at a price', async ({ person }) => {
  test.setTimeout(150_000);
  const maker = await person('creator');
  const { page } = maker;
  await openComposer(page);
  await page
    .getByLabel('Choose files')
    .setInputFiles({ name: 'film.mp4', mimeType: 'video/mp4', buffer: await makeClip() });
  await page.getByLabel('Caption').fill('A film');
  await page.getByRole('radiogroup', { name: 'Who can see this?' }).getByText('Paid').click();
  await page.getByLabel('Price').fill('6');
  await expect(page.getByText(/, ready/)).toBeVisible({ timeout: 90_000 });
  await page.getByRole('button', { name: /^Video 1,/ }).click();
  await expect(page.getByRole('link', { name: /Thumbnail, free preview and captions/ })).toHaveAttribute(
    'href',
    /\/creator\/media\/edit\//,
  );
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  const shown = page.frameLocator('iframe');
  await expect(shown.getByText('Unlock · $6.00')).toBeVisible();
  await expect(shown.getByText('Video', { exact: true })).toBeVisible();
  await page.getByText('Unlocked', { exact: true }).click();
  await shown.getByRole('button', { name: /^Play A film/ }).click();
  await expect(shown.locator('video')).toBeVisible();
  await page.getByText('Desktop', { exact: true }).click();
  await expect(shown.getByRole('heading', { name: 'A film' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Preview' })).toBeFocused();
  await page.getByRole('button', { name: 'Publish · $6.00' }).click();
  await expect(page).toHaveURL(/\/creator\/feed$/);
  const [own] = (await postsOf(maker)).data;
  expect(own?.post).toMatchObject({ type: 'video', price: 6 });
});

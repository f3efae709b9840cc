import type { Locator, Page } from '@playwright/test';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { waitForProcessing } from './support/films.ts';
import { callApi, describePicture, expect, test, waitForHydration } from './support/fixtures.ts';
import { addFunds, makePicture, publishPictures, uploadJpeg } from './support/money.ts';

const SCREEN_HEIGHT = 844;

const jpeg = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await makePicture() });

async function tap(locator: Locator): Promise<void> {
  await expect(locator).toBeInViewport({ ratio: 0.9 });
  const isReached = await locator.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  });
  expect(isReached, 'it is under the finger').toBe(true);
  await locator.tap();
}

const publishButton = (page: Page) => page.getByRole('button', { name: /^Publish/ });

test('a post fits one phone screen, and each error is shown at its field, which gets the focus', async ({
  createUser,
}) => {
  test.setTimeout(90_000);
  const { page, context } = await createUser('creator', { isPhone: true });
  await page.goto('/creator/post/add');
  await waitForHydration(page);
  await tap(publishButton(page));
  const files = page.getByRole('region', { name: 'Files' });
  await expect(files.getByText('Add at least one file')).toBeInViewport();
  await expect(page.getByLabel('Choose files')).toBeFocused();

  await page.getByLabel('Choose files').setInputFiles([
    await jpeg('one.jpg'),
    await jpeg('two.jpg'),
    {
      name: 'bad.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(4_000, 1)]),
    },
  ]);
  const removeButton = page.getByRole('button', { name: 'Remove photo 3' });
  await expect(removeButton).toBeVisible({ timeout: 20_000 });
  await tap(publishButton(page));
  await expect(removeButton).toBeFocused();
  await expect(files.getByText('Remove failed files first.')).toBeVisible();
  await tap(removeButton);
  await expect(page.getByText(/, ready$/)).toHaveCount(2, { timeout: 30_000 });

  // The price field starts empty, so that typing sets the price. An empty price is refused with a message.
  const price = page.getByLabel('Price');
  await tap(page.getByText('Paid', { exact: true }));
  await tap(publishButton(page));
  await expect(price).toHaveAccessibleDescription(/Please enter amount/);
  await tap(price);
  await page.keyboard.type('7,50');
  await expect(page.getByRole('button', { name: 'Publish · $7.50' })).toBeVisible();
  await price.fill('1');
  await tap(publishButton(page));
  await expect(price).toBeFocused();
  await expect(price).toHaveAccessibleDescription(/costs between \$3\.00 and \$50\.00/);
  await expect(page.getByText(/^Saved .*, without the price$/)).toBeVisible();

  await tap(page.getByLabel('Caption'));
  await page.keyboard.type('Under a thumb');
  await tap(price);
  await price.fill('12.35');
  const bar = await publishButton(page).boundingBox();
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeGreaterThan(SCREEN_HEIGHT - 40);
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    scrollTo(0, 0);
  });
  await expect(page.getByRole('navigation', { name: 'Main' }).last()).toBeInViewport();
  const parts = [
    page.getByRole('button', { name: /^Photo 1,/ }),
    page.getByRole('button', { name: /^Photo 2,/ }),
    page.getByLabel('Caption'),
    price,
    page.getByText('Fan pays $12.35, you earn $11.11.'),
    page.getByRole('button', { name: /^More/ }),
  ];
  const edge = (await publishButton(page).boundingBox())?.y ?? 0;
  for (const part of parts) {
    const box = await part.boundingBox();
    expect(box?.y, String(part)).toBeGreaterThan(0);
    expect((box?.y ?? 0) + (box?.height ?? 0), String(part)).toBeLessThan(edge);
  }
  await describePicture(page, 1, 'A wall in the evening');

  const refusal = 'She is no creator any more.';
  await page.route('**/api/creator/drafts/*/publish', (route) =>
    route.fulfill({
      status: 400,
      json: { code: 'VALIDATION', message: 'No.', error: [{ field: 'people.0', message: refusal }] },
    }),
  );
  await tap(publishButton(page));
  await expect(page.getByLabel('Tag people')).toBeFocused();
  await expect(page.getByLabel('Tag people')).toHaveAccessibleDescription(/She is no creator any more\./);
  await page.unroute('**/api/creator/drafts/*/publish');
  await tap(publishButton(page));
  await expect(page).toHaveURL(/\/creator\/feed$/);
  const [own] = (await callApi<{ data: { post: Post }[] }>(context, 'GET', '/creator/posts')).data;
  expect(own?.post).toMatchObject({ caption: 'Under a thumb', price: 12.35 });
});

test('a purchase of a post that changed since is refused and shows it anew, and a bought post keeps its pictures', async ({
  createUser,
}) => {
  test.setTimeout(90_000);
  const [creator, fan] = [await createUser('creator', { isPhone: true }), await createUser('customer')];
  await addFunds(fan.context, 20);
  const caption = 'The wrong one';
  const id = await publishPictures(creator.context, { caption, priceUsd: 5 });
  await fan.page.goto(`/post/${id}`);
  await waitForHydration(fan.page);
  const newMediaId = await uploadJpeg(creator.context, await makePicture());
  await waitForProcessing(creator.context, newMediaId);
  await callApi(creator.context, 'PATCH', `/post/${id}`, { caption, price: 5, media: [{ id: newMediaId, alt: '' }] });

  const unlock = fan.page.getByRole('button', { name: 'Unlock $5.00' });
  const canLoad = Promise.withResolvers<void>();
  await fan.page.route(`**/api/post/${id}`, async (route) => {
    await canLoad.promise;
    await route.continue();
  });
  const postRequest = fan.page.waitForRequest(`**/api/post/${id}`);
  await unlock.click();
  await postRequest;
  // The purchase is refused. The button and the error stay hidden until the current version of the post is shown.
  await expect(fan.page.getByRole('button', { name: 'Paying…' })).toBeDisabled();
  await expect(fan.page.getByRole('alert')).toHaveCount(0);
  canLoad.resolve();
  await expect(fan.page.getByRole('alert')).toHaveText('This post has changed. Please review it before you unlock.');
  await unlock.click();
  await expect(fan.page.getByText('Unlocked · $5.00')).toBeVisible();

  const { page } = creator;
  await page.goto(`/creator/post/${id}/edit`);
  await waitForHydration(page);
  await page.getByLabel('Choose files').setInputFiles(await jpeg('another.jpg'));
  await expect(page.getByText(/another\.jpg.*, ready$/)).toHaveCount(1, { timeout: 30_000 });
  await tap(page.getByRole('button', { name: /^Photo 1,/ }));
  await tap(page.getByRole('dialog').getByRole('button', { name: 'Remove' }));
  await tap(page.getByRole('button', { name: 'Save', exact: true }));
  await expect(page.getByRole('region', { name: 'Files' }).getByText('Fans have unlocked this post')).toBeInViewport();
  expect((await callApi<Post>(fan.context, 'GET', `/post/${id}`)).media[0]?.id).toBe(newMediaId);
});

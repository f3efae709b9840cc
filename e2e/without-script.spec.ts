import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { getDemoContent } from './support/demo-content.ts';
import { callApi, expect, getBaseUrl, test } from './support/fixtures.ts';
import { addFunds, fetchWalletBalance, publishPictures } from './support/money.ts';

test('a fan follows, unfollows and unlocks with forms, at the price and for the files that were shown', async ({
  createUser,
  createApiUser,
}) => {
  const creator = await createApiUser('creator');
  const id = await publishPictures(creator.context, { caption: 'By hand', priceUsd: 8, pictures: 2 });
  const { page, context } = await createUser('customer', { width: 390, hasScript: false });
  await addFunds(context, 30);

  await page.goto(`/profile/${creator.username}`);
  // The test browser never renders noscript content, so the HTML is checked.
  const noscriptPattern = /<noscript>(?:(?!<\/noscript>).)*JavaScript is off\./s;
  expect(await (await context.request.get(page.url())).text()).toMatch(noscriptPattern);
  await page.getByRole('button', { name: /^Follow / }).click();
  await expect(page.getByRole('button', { name: /^Following / })).toBeVisible();
  await page.goto('/fan/follow');
  await page.getByRole('button', { name: /^Unfollow / }).click();
  await expect(page).toHaveURL(new RegExp(`/profile/${creator.username}$`));
  await expect(page.getByRole('button', { name: /^Follow / })).toBeVisible();

  await page.goto(`/post/${id}`);
  const { media } = await callApi<{ media: { id: string }[] }>(creator.context, 'GET', `/post/${id}`);
  await callApi(creator.context, 'PATCH', `/post/${id}`, { caption: 'By hand', price: 9, media });
  await page.getByRole('button', { name: 'Unlock $8.00' }).click();
  await expect(page.getByRole('alert')).toHaveText('The price is now $9.00.');
  await callApi(creator.context, 'PATCH', `/post/${id}`, { caption: 'By hand', price: 9, media: media.slice(1) });
  await page.getByRole('button', { name: 'Unlock $9.00' }).click();
  await expect(page.getByRole('alert')).toHaveText('This post has changed. Please review it before you unlock.');
  expect(await fetchWalletBalance(context)).toBe(30);
  await page.getByRole('button', { name: 'Unlock $9.00' }).click();
  await expect(page.getByText('Unlocked · $9.00')).toBeVisible();
  expect(await fetchWalletBalance(context)).toBe(21);
});

test('a form that is refused, incomplete, of a visitor or of another origin changes nothing and is answered with its page', async ({
  request,
  createApiUser,
}) => {
  const { username, locked } = await getDemoContent({ request });
  const postForm = (path: string, form: Record<string, string>, origin?: string) =>
    request.post(`${getBaseUrl()}${path}`, { form, ...(origin !== undefined && { headers: { origin } }) });
  const profile = `/profile/${username}`;
  expect(await (await postForm(`/post/${locked}`, { price: '8' })).text()).toContain('Unlock');
  expect((await postForm(profile, { creatorId: 'x', isFollowed: 'true' })).url()).toContain(profile);
  const { id } = await callApi<{ id: string }>({ request }, 'GET', `/public/profile/${username}`);
  expect((await postForm(profile, { creatorId: id, isFollowed: 'true' })).url()).toContain('for=follow');

  const fan = await createApiUser('customer');
  const form = { creatorId: fan.id, isFollowed: 'true' };
  const refusal = await fan.context.request.post(`${getBaseUrl()}${profile}`, { form });
  expect(refusal.url()).toMatch(new RegExp(`${profile}$`));
  const refusalHtml = await refusal.text();
  for (const part of ['role="alert"', 'Not found.', 'name="creatorId"', `value="${id}"`])
    expect(refusalHtml).toContain(part);

  const login = { username: 'nobody', password: 'Nothing1!' };
  const { port } = new URL(getBaseUrl());
  for (const name of ['localhost', '127.0.0.1']) {
    const response = await postForm('/login', login, `http://${name}:${port}`);
    expect(response.headers()['content-type']).toContain('text/html');
    expect(await response.text()).toContain('Welcome back');
  }
  expect((await postForm('/login', login, 'https://elsewhere.example')).status()).toBe(403);

  const empty = await (await postForm('/signup', { username: '', email: '', password: '' })).text();
  expect(empty).toContain('Confirm that you’re 18 or older and accept the terms.');
  const inputs = empty.match(/<input [^>]*>/g) ?? [];
  for (const name of ['username', 'email', 'password'])
    expect(inputs.find((input) => input.includes(`name="${name}"`))).toContain('aria-invalid="true"');
});

test('a visitor chooses a theme with a form, sees it, and takes it to the sign-up unless it is unreadable', async ({
  open,
}) => {
  const { page } = await open({ width: 390, hasScript: false });
  await page.goto(`${PUBLIC_PATHS.themeEdit}?from=f4f1ea-8c1f1a-derived-signage-0-classic-box-row-picture`);
  const html = await (await page.request.get(page.url())).text();
  expect(html).toMatch(/<noscript>(?:(?!<\/noscript>).)*class="themed themed--page"/s);
  for (const name of ['Cobalt', 'Poster', '24']) await page.getByRole('radio', { name }).check({ force: true });
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await expect(page).toHaveURL(/from=f4f1ea-2340a8-derived-poster-24-/);
  await expect(page.getByRole('radio', { name: 'Cobalt' })).toBeChecked();
  await page.getByLabel('Accent hex code').fill('#f2b705');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('#f2b705 on #f4f1ea is 1.6:1')).toBeVisible();
  await page.getByLabel('Accent hex code').fill('#6d2a7d');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/as=creator&theme=f4f1ea-6d2a7d-derived-poster-24-/);
});

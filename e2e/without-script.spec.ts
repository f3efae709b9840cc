import { baseUrl, callApi, expect, test } from './support/fixtures.ts';
import { addFunds, balanceOf, publish } from './support/money.ts';
import { demoPlaces } from './support/places.ts';

test('a fan follows, unfollows and unlocks with forms, at the price and for the files that were shown', async ({
  person,
  apiUser,
}) => {
  const maker = await apiUser('creator');
  const id = await publish(maker.context, { caption: 'By hand', priceUsd: 8, pictures: 2 });
  const { page, context } = await person('customer', { width: 390, hasScript: false });
  await addFunds(context, 30);

  await page.goto(`/profile/${maker.username}`);
  // The test browser never renders noscript content, so the HTML is checked.
  const said = /<noscript>(?:(?!<\/noscript>).)*JavaScript is off\./s;
  expect(await (await context.request.get(page.url())).text()).toMatch(said);
  await page.getByRole('button', { name: /^Follow / }).click();
  await expect(page.getByRole('button', { name: /^Following / })).toBeVisible();
  await page.goto('/fan/follow');
  await page.getByRole('button', { name: /^Unfollow / }).click();
  await expect(page).toHaveURL(new RegExp(`/profile/${maker.username}$`));
  await expect(page.getByRole('button', { name: /^Follow / })).toBeVisible();

  await page.goto(`/post/${id}`);
  const { media } = await callApi<{ media: { id: string }[] }>(maker.context, 'GET', `/post/${id}`);
  await callApi(maker.context, 'PATCH', `/post/${id}`, { caption: 'By hand', price: 9, media });
  await page.getByRole('button', { name: 'Unlock $8.00' }).click();
  await expect(page.getByRole('alert')).toHaveText('The price is now $9.00.');
  await callApi(maker.context, 'PATCH', `/post/${id}`, { caption: 'By hand', price: 9, media: media.slice(1) });
  await page.getByRole('button', { name: 'Unlock $9.00' }).click();
  await expect(page.getByRole('alert')).toHaveText('This post has changed. Please review it before you unlock.');
  expect(await balanceOf(context)).toBe(30);
  await page.getByRole('button', { name: 'Unlock $9.00' }).click();
  await expect(page.getByText('Unlocked · $9.00')).toBeVisible();
  expect(await balanceOf(context)).toBe(21);
});

test('a form that is refused, incomplete, of a visitor or of another origin changes nothing and is answered with its page', async ({
  request,
  apiUser,
}) => {
  const { username, locked } = await demoPlaces({ request });
  const post = (path: string, form: Record<string, string>, origin?: string) =>
    request.post(`${baseUrl()}${path}`, { form, ...(origin !== undefined && { headers: { origin } }) });
  const profile = `/profile/${username}`;
  expect(await (await post(`/post/${locked}`, { price: '8' })).text()).toContain('Unlock');
  expect((await post(profile, { creatorId: 'x', isFollowed: 'true' })).url()).toContain(profile);
  const { id } = await callApi<{ id: string }>({ request }, 'GET', `/public/profile/${username}`);
  expect((await post(profile, { creatorId: id, isFollowed: 'true' })).url()).toContain('for=follow');

  const fan = await apiUser('customer');
  const form = { creatorId: fan.id, isFollowed: 'true' };
  const refused = await fan.context.request.post(`${baseUrl()}${profile}`, { form });
  expect(refused.url()).toMatch(new RegExp(`${profile}$`));
  const explained = await refused.text();
  for (const part of ['role="alert"', 'Not found.', 'name="creatorId"', `value="${id}"`])
    expect(explained).toContain(part);

  const login = { username: 'nobody', password: 'Nothing1!' };
  const { port } = new URL(baseUrl());
  for (const name of ['localhost', '127.0.0.1']) {
    const answer = await post('/login', login, `http://${name}:${port}`);
    expect(answer.headers()['content-type']).toContain('text/html');
    expect(await answer.text()).toContain('Welcome back');
  }
  expect((await post('/login', login, 'https://elsewhere.example')).status()).toBe(403);

  const empty = await (await post('/signup', { username: '', email: '', password: '' })).text();
  expect(empty).toContain('Confirm that you’re 18 or older and accept the terms.');
  const inputs = empty.match(/<input [^>]*>/g) ?? [];
  for (const name of ['username', 'email', 'password'])
    expect(inputs.find((input) => input.includes(`name="${name}"`))).toContain('aria-invalid="true"');
});

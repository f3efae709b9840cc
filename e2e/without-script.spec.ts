import { idOf } from './support/chat.ts';
import { baseUrl, callApi, expect, test } from './support/fixtures.ts';
import { addFunds, balanceOf, publish } from './support/money.ts';
import { demoPlaces } from './support/places.ts';

test('a fan follows, unfollows and unlocks with forms, at the price and for the files that were shown', async ({
  person,
}) => {
  const maker = await person('creator');
  const id = await publish(maker.context, { caption: 'By hand', priceUsd: 8, pictures: 2 });
  const { page, context } = await person('customer', { width: 390, hasScript: false });
  await addFunds(context, 30);

  await page.goto(`/profile/${maker.username}`);
  // The test browser never renders noscript content, so the HTML is checked.
  const said = /<noscript>(?:(?!<\/noscript>).)*Script is off in this browser\./s;
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
  await expect(page.getByRole('alert')).toHaveText('The price has changed to $9.00.');
  await callApi(maker.context, 'PATCH', `/post/${id}`, { caption: 'By hand', price: 9, media: media.slice(1) });
  await page.getByRole('button', { name: 'Unlock $9.00' }).click();
  await expect(page.getByRole('alert')).toHaveText('This post has changed. Please look at it again.');
  expect(await balanceOf(context)).toBe(30);
  await page.getByRole('button', { name: 'Unlock $9.00' }).click();
  await expect(page.getByText('Yours · $9.00')).toBeVisible();
  expect(await balanceOf(context)).toBe(21);
});

test('a form sent by a visitor changes nothing', async ({ open }) => {
  const { context } = await open({ hasScript: false });
  const { username, locked } = await demoPlaces(context);
  const sent = await context.request.post(`/post/${locked}`, { form: { price: '8' } });
  expect(await sent.text()).toContain('Unlock');
  const profile = `/profile/${username}`;
  const other = await context.request.post(profile, { form: { creatorId: 'x', isFollowed: 'true' } });
  expect(other.url()).toContain(profile);
  const { id } = await callApi<{ id: string }>(context, 'GET', `/public/profile/${username}`);
  const form = { creatorId: id, isFollowed: 'true' };
  expect((await context.request.post(profile, { form })).url()).toContain('for=follow');
});

test('a refused follow is explained on the same page', async ({ person }) => {
  const fan = await person('customer', { hasScript: false });
  const { username } = await demoPlaces(fan.context);
  const form = { creatorId: await idOf(fan.context), isFollowed: 'true' };
  const refused = await fan.context.request.post(`/profile/${username}`, { form });
  expect(refused.url()).toMatch(new RegExp(`/profile/${username}$`));
  await fan.page.setContent(await refused.text());
  await expect(fan.page.getByRole('alert')).toHaveText('There is nothing here.');
  await expect(fan.page.getByRole('button', { name: /^Follow / })).toBeVisible();
});

test('a form is accepted from each host name of this machine, and from no other origin', async ({ open }) => {
  const { context } = await open({ hasScript: false });
  const { port } = new URL(baseUrl());
  const post = (origin: string) =>
    context.request.post(`${baseUrl()}/login`, {
      form: { username: 'nobody', password: 'Nothing1!' },
      headers: { origin },
    });
  for (const name of ['localhost', '127.0.0.1']) {
    const answer = await post(`http://${name}:${port}`);
    expect(answer.headers()['content-type']).toContain('text/html');
    expect(await answer.text()).toContain('Welcome back');
  }
  expect((await post('https://elsewhere.example')).status()).toBe(403);
});

test('an empty sign-up lists all missing fields', async ({ open }) => {
  const { page } = await open({ hasScript: false, width: 390 });
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Please confirm that you are 18 or over and accept the terms.')).toBeVisible();
  for (const name of ['Username', 'Email', 'Password'])
    await expect(page.getByRole('textbox', { name, exact: true })).toHaveAttribute('aria-invalid', 'true');
});

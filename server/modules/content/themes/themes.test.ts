import { THEME_PRESETS } from '@stagedoor/contract/content/theme-presets.ts';
import { type ThemeState, toThemeAppearance, toThemeCode } from '@stagedoor/contract/content/themes.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { findPublishedAppearance, parseTheme } from './present.ts';

let test: TestApp;
let maker: TestUser;
let other: TestUser;
let fan: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  [maker, other, fan] = [await test.signUp('creator'), await test.signUp('creator'), await test.signUp('customer')];
});
afterAll(() => test.close());

const [paper, varnish] = THEME_PRESETS.map(({ theme }) => theme);
if (!paper || !varnish) throw new Error('There are too few presets.');

const getState = async (user: TestUser): Promise<ThemeState> => (await user.inject('GET', '/api/creator/theme')).json();
const saveDraft = (user: TestUser, revision: number, theme: unknown) =>
  user.inject('PUT', '/api/creator/theme/draft', { revision, theme });
const publishTheme = (user: TestUser, revision: number, theme: unknown, more = {}) =>
  user.inject('POST', '/api/creator/theme/publish', { revision, theme, ...more });
const getPublicProfile = async (user: Pick<TestUser, 'username'>, as: Pick<TestUser, 'inject'> = test) =>
  (await as.inject('GET', `/api/public/profile/${user.username}`)).json();

it('a draft is visible to its creator only, a published theme to everyone', async () => {
  expect(await getState(maker)).toMatchObject({ revision: 0, draft: null, published: null });
  expect((await saveDraft(maker, 0, varnish)).json()).toMatchObject({ revision: 1, draft: varnish, published: null });
  expect((await getState(other)).draft).toBeNull();
  expect((await getPublicProfile(maker)).theme).toBeNull();
  expect((await getPublicProfile(maker, maker)).theme).toBeNull();

  expect((await publishTheme(maker, 1, varnish, { isDraft: true })).json()).toMatchObject({
    revision: 2,
    draft: null,
    published: varnish,
  });
  const { layout, shape, format } = varnish;
  for (const viewer of [test, fan, other])
    expect(await getPublicProfile(maker, viewer)).toMatchObject({
      layout,
      shape,
      format,
      theme: toThemeAppearance(varnish),
    });
  expect((await getPublicProfile(other)).theme).toBeNull();
});

it('a draft does not replace the published theme until it is published itself', async () => {
  const drafter = await test.signUp('creator');
  await saveDraft(drafter, 0, paper);
  const expected = { revision: 2, draft: paper, published: varnish };
  expect((await publishTheme(drafter, 1, varnish)).json()).toMatchObject(expected);
  expect((await publishTheme(drafter, 2, null)).json()).toMatchObject({ revision: 3, draft: paper, published: null });
  expect((await saveDraft(drafter, 1, varnish)).statusCode).toBe(409);
  const expectedAfterPublish = { revision: 4, draft: null, published: paper };
  expect((await publishTheme(drafter, 3, paper, { isDraft: true })).json()).toMatchObject(expectedAfterPublish);
});

it('going back to a plain page applies the given layout', async () => {
  const { revision } = await getState(maker);
  const arrangement = { layout: 'classic', shape: 'round', format: 'col' };
  expect((await publishTheme(maker, revision, null, { arrangement })).json()).toMatchObject({
    published: null,
    arrangement,
  });
  expect(await getPublicProfile(maker)).toMatchObject({ ...arrangement, theme: null });
});

it('the published theme follows layout changes in the profile editor', async () => {
  const { revision } = await getState(maker);
  await publishTheme(maker, revision, paper);
  const body = { name: 'Maker', category: null, layout: 'classic', shape: 'round', format: 'col' };
  expect((await maker.inject('PUT', '/api/creator/profile', body)).statusCode).toBe(200);
  expect((await getState(maker)).published).toEqual({ ...paper, layout: 'classic', shape: 'round', format: 'col' });
  expect((await getPublicProfile(maker)).theme).toEqual(toThemeAppearance(paper));
});

it('a change on an outdated revision is refused with 409 and changes nothing', async () => {
  const { revision, published } = await getState(maker);
  const both = await Promise.all([saveDraft(maker, revision, varnish), publishTheme(maker, revision, varnish)]);
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  for (const stale of [revision, 0, revision + 9]) {
    expect((await saveDraft(maker, stale, paper)).statusCode).toBe(409);
    expect((await publishTheme(maker, stale, null)).statusCode).toBe(409);
  }
  const after = await getState(maker);
  expect(after.revision).toBe(revision + 1);
  expect([published, varnish].map((one) => one?.background)).toContain(after.published?.background);
  const first = await Promise.all([saveDraft(other, 0, paper), saveDraft(other, 0, varnish)]);
  expect(first.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
});

it.each([
  ['accent', '#f2b705', { background: '#f4f1ea' }],
  ['background', '#777777', { accent: '#000000' }],
  ['accent', 'red;}body{display:none', {}],
  ['type', 'Comic Sans MS', {}],
  ['type', 'https://example.com/font.woff2', {}],
  ['radius', 400, {}],
  ['cover', 'url(//example.com)', {}],
  ['layout', 'split', {}],
])('an invalid %s of %j is refused, in a draft and when publishing', async (field, value, more) => {
  const before = await getState(maker);
  for (const send of [saveDraft, publishTheme]) {
    const response = await send(maker, before.revision, { ...paper, ...more, [field]: value });
    expect(response.statusCode).toBe(400);
    const { error } = response.json<{ error: { field: string }[] }>();
    expect(error.map((one) => one.field)).toContain(`theme.${field}`);
  }
  expect(await getState(maker)).toEqual(before);
});

it('themes are for creators only', async () => {
  for (const user of [fan, test]) {
    const status = user === fan ? 403 : 401;
    expect((await user.inject('GET', '/api/creator/theme')).statusCode).toBe(status);
    const change = { revision: 0, theme: paper };
    expect((await user.inject('PUT', '/api/creator/theme/draft', change)).statusCode).toBe(status);
    expect((await user.inject('POST', '/api/creator/theme/publish', change)).statusCode).toBe(status);
  }
});

it('a shared theme is shown by its code, and any other code returns 404', async () => {
  const code = toThemeCode(varnish);
  expect((await test.inject('GET', `/api/public/themes/${code}`)).json()).toEqual({ code, theme: varnish });
  for (const wrong of [
    'x',
    `${code}-more`,
    code.replace('f08a3c', '1a0f0b'),
    code.replace('programme', 'arial'),
    maker.id,
  ])
    expect((await test.inject('GET', `/api/public/themes/${wrong}`)).statusCode, wrong).toBe(404);
});

it('publishing a theme emits one event, and saving a draft none', async () => {
  const publishedBy: string[] = [];
  await test.ctx.events.waitUntilIdle();
  test.ctx.events.addBroadcastHandler(
    'theme.published',
    'test.listen',
    () => 'test',
    ({ payload }) => void publishedBy.push(payload.creatorId),
  );
  const { revision } = await getState(maker);
  await saveDraft(maker, revision, varnish);
  await publishTheme(maker, revision + 1, varnish);
  await test.ctx.events.waitUntilIdle();
  expect(publishedBy).toEqual([maker.id]);
});

it('the theme that a creator tried before the sign-up is on their profile, an invalid one is ignored', async () => {
  const register = async (username: string, themeCode: string, type: 'creator' | 'customer' = 'creator') => {
    const account = { username, email: `${username}@example.org`, password: 'Stagedoor1!', accountType: type };
    const path = type === 'creator' ? '/api/auth/register' : '/api/customer/register';
    const response = await test.inject('POST', path, { ...account, isGiveConsent: true, themeCode });
    await test.ctx.events.waitUntilIdle();
    return response;
  };
  expect((await register('theme.tester', toThemeCode(varnish))).statusCode).toBe(200);
  const { layout, shape, format } = varnish;
  const expected = { layout, shape, format, theme: toThemeAppearance(varnish) };
  expect(await getPublicProfile({ username: 'theme.tester' })).toMatchObject(expected);

  const unreadable = toThemeCode({ ...varnish, accent: varnish.background });
  for (const [username, code] of [
    ['theme.guesser', 'red-on-red'],
    ['theme.blender', unreadable],
  ] as const) {
    expect((await register(username, code)).statusCode).toBe(200);
    expect((await getPublicProfile({ username })).theme).toBeNull();
  }
  expect((await register('theme.longer', 'a'.repeat(121))).statusCode).toBe(400);
  expect((await register('theme.fan', toThemeCode(varnish), 'customer')).statusCode).toBe(200);
});

it('a stored theme that is not valid any more is shown as a plain page', () => {
  expect(parseTheme(paper)).toEqual(paper);
  for (const stored of [{}, { ...paper, accent: '#f4f3f1' }, { ...paper, radius: 3 }, 'x', null])
    expect(findPublishedAppearance(JSON.stringify(stored))).toBeNull();
  expect(findPublishedAppearance(null)).toBeNull();
});

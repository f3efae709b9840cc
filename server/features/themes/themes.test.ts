import { PRESETS } from '@stagedoor/contract/theme-presets.ts';
import { codeOf, lookOf, type ThemeState } from '@stagedoor/contract/themes.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { publishedLook, readTheme } from './present.ts';

let test: TestApp;
let maker: TestUser;
let other: TestUser;
let fan: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  [maker, other, fan] = [await test.signUp('creator'), await test.signUp('creator'), await test.signUp('customer')];
});
afterAll(() => test.close());

const [paper, varnish] = PRESETS.map(({ theme }) => theme);
if (!paper || !varnish) throw new Error('There are too few presets.');

const own = async (who: TestUser): Promise<ThemeState> => (await who.inject('GET', '/api/creator/theme')).json();
const keep = (who: TestUser, revision: number, theme: unknown) =>
  who.inject('PUT', '/api/creator/theme/draft', { revision, theme });
const publish = (who: TestUser, revision: number, theme: unknown, more = {}) =>
  who.inject('POST', '/api/creator/theme/publish', { revision, theme, ...more });
const shown = async (who: TestUser, as: Pick<TestUser, 'inject'> = test) =>
  (await as.inject('GET', `/api/public/profile/${who.username}`)).json();

it('a draft is visible to its creator only, a published theme to everyone', async () => {
  expect(await own(maker)).toMatchObject({ revision: 0, draft: null, published: null });
  expect((await keep(maker, 0, varnish)).json()).toMatchObject({ revision: 1, draft: varnish, published: null });
  expect((await own(other)).draft).toBeNull();
  expect((await shown(maker)).theme).toBeNull();
  expect((await shown(maker, maker)).theme).toBeNull();

  expect((await publish(maker, 1, varnish, { isDraft: true })).json()).toMatchObject({
    revision: 2,
    draft: null,
    published: varnish,
  });
  const { layout, shape, format } = varnish;
  for (const viewer of [test, fan, other])
    expect(await shown(maker, viewer)).toMatchObject({ layout, shape, format, theme: lookOf(varnish) });
  expect((await shown(other)).theme).toBeNull();
});

it('a draft stays beside a published theme until the draft itself is published', async () => {
  const drafter = await test.signUp('creator');
  await keep(drafter, 0, paper);
  const taken = { revision: 2, draft: paper, published: varnish };
  expect((await publish(drafter, 1, varnish)).json()).toMatchObject(taken);
  expect((await publish(drafter, 2, null)).json()).toMatchObject({ revision: 3, draft: paper, published: null });
  expect((await keep(drafter, 1, varnish)).statusCode).toBe(409);
  const done = { revision: 4, draft: null, published: paper };
  expect((await publish(drafter, 3, paper, { isDraft: true })).json()).toMatchObject(done);
});

it('going back to a plain page applies the given layout', async () => {
  const { revision } = await own(maker);
  const arrangement = { layout: 'classic', shape: 'round', format: 'col' };
  expect((await publish(maker, revision, null, { arrangement })).json()).toMatchObject({
    published: null,
    arrangement,
  });
  expect(await shown(maker)).toMatchObject({ ...arrangement, theme: null });
});

it('the published theme follows layout changes in the profile editor', async () => {
  const { revision } = await own(maker);
  await publish(maker, revision, paper);
  const body = { name: 'Maker', category: null, layout: 'classic', shape: 'round', format: 'col' };
  expect((await maker.inject('PUT', '/api/creator/profile', body)).statusCode).toBe(200);
  expect((await own(maker)).published).toEqual({ ...paper, layout: 'classic', shape: 'round', format: 'col' });
  expect((await shown(maker)).theme).toEqual(lookOf(paper));
});

it('a change on an outdated revision is refused with 409 and changes nothing', async () => {
  const { revision, published } = await own(maker);
  const both = await Promise.all([keep(maker, revision, varnish), publish(maker, revision, varnish)]);
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  for (const stale of [revision, 0, revision + 9]) {
    expect((await keep(maker, stale, paper)).statusCode).toBe(409);
    expect((await publish(maker, stale, null)).statusCode).toBe(409);
  }
  const after = await own(maker);
  expect(after.revision).toBe(revision + 1);
  expect([published, varnish].map((one) => one?.background)).toContain(after.published?.background);
  const first = await Promise.all([keep(other, 0, paper), keep(other, 0, varnish)]);
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
  const before = await own(maker);
  for (const send of [keep, publish]) {
    const answer = await send(maker, before.revision, { ...paper, ...more, [field]: value });
    expect(answer.statusCode).toBe(400);
    const { error } = answer.json<{ error: { field: string }[] }>();
    expect(error.map((one) => one.field)).toContain(`theme.${field}`);
  }
  expect(await own(maker)).toEqual(before);
});

it('themes are for creators only', async () => {
  for (const who of [fan, test]) {
    const status = who === fan ? 403 : 401;
    expect((await who.inject('GET', '/api/creator/theme')).statusCode).toBe(status);
    const change = { revision: 0, theme: paper };
    expect((await who.inject('PUT', '/api/creator/theme/draft', change)).statusCode).toBe(status);
    expect((await who.inject('POST', '/api/creator/theme/publish', change)).statusCode).toBe(status);
  }
});

it('a shared theme is shown by its code, and any other code returns 404', async () => {
  const code = codeOf(varnish);
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
  const told: string[] = [];
  await test.ctx.events.settle();
  test.ctx.events.tell(
    'theme.published',
    'test.listen',
    () => 'test',
    ({ payload }) => void told.push(payload.creatorId),
  );
  const { revision } = await own(maker);
  await keep(maker, revision, varnish);
  await publish(maker, revision + 1, varnish);
  await test.ctx.events.settle();
  expect(told).toEqual([maker.id]);
});

it('a stored theme that is not valid any more is shown as a plain page', () => {
  expect(readTheme(paper)).toEqual(paper);
  for (const stored of [{}, { ...paper, accent: '#f4f3f1' }, { ...paper, radius: 3 }, 'x', null])
    expect(publishedLook(JSON.stringify(stored))).toBeNull();
  expect(publishedLook(null)).toBeNull();
});

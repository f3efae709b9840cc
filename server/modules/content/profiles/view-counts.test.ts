import { getProfile } from '@stagedoor/contract/content/profiles.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { flushProfileViews } from './view-counts.ts';

const GERMANY = '84.128.1.1';
const AMERICA = '17.0.0.1';

let app: TestApp;
let profileId = '';
beforeAll(async () => {
  app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
  app.app.http.get('/profile-read', async (request, reply) => {
    const call = { actor: undefined, request, reply, isGeoIndependent: true };
    return app.app.bound.get(getProfile)?.({ params: { id: profileId }, query: {} }, call);
  });
});
afterAll(() => app.close());

test('a view is not counted where the creator is hidden', async () => {
  const creator = await app.signUp('creator');
  profileId = creator.id;
  await creator.inject('PUT', '/api/creator/geo-blocks', { codes: ['DE'] });
  const countViewsFrom = async (from: string) => {
    const headers = { 'x-forwarded-for': from, 'user-agent': 'Mozilla/5.0 (iPhone) Safari/605' };
    expect((await app.inject('GET', '/profile-read', undefined, headers)).json()).toMatchObject({ id: creator.id });
    await flushProfileViews(app.ctx);
    const { rows } = await app.owner.pool.query('select viewer from profile_views where creator_id = $1', [creator.id]);
    return rows.length;
  };
  expect(await countViewsFrom(GERMANY)).toBe(0);
  expect(await countViewsFrom(AMERICA)).toBe(1);
});

test('flushing the views also waits for a write that is in progress', async () => {
  const { id } = await app.signUp('creator');
  profileId = id;
  await app.inject('GET', '/profile-read', undefined, {
    'x-forwarded-for': AMERICA,
    'user-agent': 'Mozilla/5.0 Firefox/150',
  });
  const first = flushProfileViews(app.ctx);
  await flushProfileViews(app.ctx);
  const { rows } = await app.owner.pool.query('select viewer from profile_views where creator_id = $1', [id]);
  expect(rows).toHaveLength(1);
  await first;
});

test('the stored hash of the same visitor or account is different on another day', async () => {
  const [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
  const headers = { 'x-forwarded-for': AMERICA, 'user-agent': 'Mozilla/5.0 Firefox/150' };
  for (const _ of ['today', 'tomorrow']) {
    for (const client of [app, fan])
      await client.inject('GET', `/api/public/profile/${creator.id}`, undefined, headers);
    await flushProfileViews(app.ctx);
    app.clock.advance(24 * 60 * 60_000);
  }
  const { rows } = await app.owner.pool.query<{ viewer: string }>(
    `select encode(viewer, 'hex') as viewer from profile_views where creator_id = $1`,
    [creator.id],
  );
  expect(rows).toHaveLength(4);
  expect(new Set(rows.map(({ viewer }) => viewer)).size).toBe(4);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../testing/database.ts';
import { openRelayProcess, type RelayProcess } from '../testing/relays.ts';
import { registerCacheInvalidation } from './cache-invalidation.ts';
import { toBody } from './encoding.ts';
import { createPageCache, toCachedPage } from './page-cache.ts';
import { PLATFORM_TAG, toPostTag, toUserTag, USERS_TAG } from './tags.ts';

let url: string;
let drop: () => Promise<void>;
const processes: RelayProcess[] = [];

beforeAll(async () => {
  ({ url, drop } = await createTestDatabase());
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await drop();
});

test('a change purges the pages that show it in all processes, and no other page', async () => {
  const openCachedProcess = async () => {
    const one = openRelayProcess(url);
    processes.push(one);
    const pageCache = createPageCache({ maxBytes: 1_000_000, maxAgeMs: 60_000, now: () => 0 });
    registerCacheInvalidation(one.events, pageCache);
    const pages = {
      creator: [toUserTag('c1')],
      post: [toUserTag('c2'), toPostTag('p2')],
      users: [USERS_TAG],
      platform: [PLATFORM_TAG],
    };
    const fill = async () => {
      for (const [key, tags] of Object.entries(pages))
        await pageCache.renderOnce(key, async () => ({
          page: toCachedPage({ body: toBody(Buffer.from(key)) }, new Set(tags)),
        }));
    };
    await fill();
    await one.start();
    return { ...one, fill, listCached: () => Object.keys(pages).filter((key) => pageCache.get(key)) };
  };
  const [one, other] = [await openCachedProcess(), await openCachedProcess()];
  const listCached = () => [one.listCached(), other.listCached()];
  const all = ['creator', 'post', 'users', 'platform'];
  expect(listCached()).toEqual([all, all]);
  for (const from of [one, other]) {
    await from.db.transaction((tx) => tx.emit('post.changed', { postId: 'p2', creatorId: 'c2', username: 'two' }));
    await expect.poll(listCached, { timeout: 30_000 }).toEqual([
      ['creator', 'users', 'platform'],
      ['creator', 'users', 'platform'],
    ]);
    await Promise.all([one.fill(), other.fill()]);
    expect(listCached()).toEqual([all, all]);
  }
  await one.db.transaction((tx) => tx.emit('theme.published', { creatorId: 'c1' }));
  await expect.poll(listCached, { timeout: 30_000 }).toEqual([
    ['post', 'users', 'platform'],
    ['post', 'users', 'platform'],
  ]);
  for (const type of [
    'companyDetails.changed',
    'fees.changed',
    'prices.changed',
    'payouts.settingsChanged',
    'subscriptions.settingsChanged',
  ] as const) {
    await Promise.all([one.fill(), other.fill()]);
    await one.db.transaction((tx) => tx.emit(type, {}));
    const without = ['creator', 'post', 'users'];
    await expect.poll(listCached, { message: type, timeout: 30_000 }).toEqual([without, without]);
  }
  await one.db.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stagedoor-channel' and datname = current_database()`,
  );
  await expect.poll(listCached, { timeout: 30_000 }).toEqual([[], []]);
});

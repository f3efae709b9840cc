import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { openProcess, type Process } from '../testing/relays.ts';
import { wholeBody } from './encoding.ts';
import { createKept, toKept } from './kept.ts';
import { purgeOnEvents } from './purge.ts';
import { HOUSE_TAG, PEOPLE_TAG, personTag, postTag } from './tags.ts';

let url: string;
let drop: () => Promise<void>;
const processes: Process[] = [];

beforeAll(async () => {
  ({ url, drop } = await testDatabase());
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await drop();
});

test('a change purges the pages that show it in all processes, and no other page', async () => {
  const keep = async () => {
    const one = openProcess(url);
    processes.push(one);
    const kept = createKept({ maxBytes: 1_000_000, maxAgeMs: 60_000, now: () => 0 });
    purgeOnEvents(one.events, kept);
    const pages = {
      creator: [personTag('c1')],
      post: [personTag('c2'), postTag('p2')],
      people: [PEOPLE_TAG],
      house: [HOUSE_TAG],
    };
    const fill = async () => {
      for (const [key, tags] of Object.entries(pages))
        await kept.once(key, async () => ({ page: toKept({ body: wholeBody(Buffer.from(key)) }, new Set(tags)) }));
    };
    await fill();
    await one.start();
    return { ...one, fill, left: () => Object.keys(pages).filter((key) => kept.get(key)) };
  };
  const [one, other] = [await keep(), await keep()];
  const left = () => [one.left(), other.left()];
  const all = ['creator', 'post', 'people', 'house'];
  expect(left()).toEqual([all, all]);
  for (const from of [one, other]) {
    await from.db.transaction((tx) => tx.emit('post.changed', { postId: 'p2', creatorId: 'c2', username: 'two' }));
    await expect.poll(left, { timeout: 30_000 }).toEqual([
      ['creator', 'people', 'house'],
      ['creator', 'people', 'house'],
    ]);
    await Promise.all([one.fill(), other.fill()]);
    expect(left()).toEqual([all, all]);
  }
  await one.db.transaction((tx) => tx.emit('theme.published', { creatorId: 'c1' }));
  await expect.poll(left, { timeout: 30_000 }).toEqual([
    ['post', 'people', 'house'],
    ['post', 'people', 'house'],
  ]);
  for (const type of ['house.changed', 'prices.changed', 'payouts.settingsChanged'] as const) {
    await Promise.all([one.fill(), other.fill()]);
    await one.db.transaction((tx) => tx.emit(type, {}));
    const without = ['creator', 'post', 'people'];
    await expect.poll(left, { message: type, timeout: 30_000 }).toEqual([without, without]);
  }
  await one.db.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stagedoor-channel' and datname = current_database()`,
  );
  await expect.poll(left, { timeout: 30_000 }).toEqual([[], []]);
});

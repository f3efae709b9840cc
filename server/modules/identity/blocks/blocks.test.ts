import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import {
  blockedPairSql,
  countBlocks,
  deleteBlocks,
  filterUnblocked,
  hasBlockedFans,
  isBlockedPair,
  listBlockedFanIds,
  setBlock,
} from './index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test.each(['creator', 'fan'] as const)(
  'removing a %s deletes all their blocks and leaves other blocks',
  async (side) => {
    const [creator, other] = [await app.signUp('creator'), await app.signUp('creator')];
    const [fan, stranger] = [await app.signUp('customer'), await app.signUp('customer')];
    const pairs = [
      [fan, creator],
      [stranger, creator],
      [fan, other],
      [stranger, other],
    ] as const;
    const at = app.clock.now();
    for (const [{ id: fanId }, { id: creatorId }] of pairs)
      await app.ctx.db.transaction((tx) => setBlock(tx, { fanId, creatorId, isBlocked: true, at }));
    const removed = side === 'creator' ? creator : fan;
    await deleteBlocks(app.ctx.db, removed.id);
    for (const [fan, creator] of pairs)
      expect(await isBlockedPair(app.ctx.db, fan.id, creator.id)).toBe(fan !== removed && creator !== removed);
    expect(await countBlocks(app.ctx.db, removed.id, 10)).toBe(0);
  },
);

test('checks for one pair, for a list and as a count agree until the block ends', async () => {
  const { db } = app.ctx;
  const at = app.clock.now();
  const [fan, otherFan] = [await app.signUp('customer'), await app.signUp('customer')];
  const signUpCreator = async () => (await app.signUp('creator')).id;
  const [blocked, unblocked, alsoBlocked] = [await signUpCreator(), await signUpCreator(), await signUpCreator()];
  const creators = [blocked, unblocked, alsoBlocked];
  const setBlocked = (creatorId: string, isBlocked: boolean) =>
    db.transaction((tx) => setBlock(tx, { fanId: fan.id, creatorId, isBlocked, at }));
  for (const id of [blocked, alsoBlocked, blocked]) await setBlocked(id, true);

  expect(await isBlockedPair(db, fan.id, blocked)).toBe(true);
  expect(await isBlockedPair(db, fan.id, unblocked)).toBe(false);
  expect(await isBlockedPair(db, otherFan.id, blocked)).toBe(false);
  expect([await hasBlockedFans(db, blocked), await hasBlockedFans(db, unblocked)]).toEqual([true, false]);
  expect(await listBlockedFanIds(db, blocked)).toEqual([fan.id]);
  expect(await listBlockedFanIds(db, unblocked)).toEqual([]);
  expect(await filterUnblocked(db, fan.id, creators)).toEqual([unblocked]);
  expect(await filterUnblocked(db, otherFan.id, [alsoBlocked, unblocked, blocked])).toEqual([
    alsoBlocked,
    unblocked,
    blocked,
  ]);
  expect(await countBlocks(db, fan.id, 10)).toBe(2);
  expect(await countBlocks(db, fan.id, 1)).toBe(1);
  expect(await countBlocks(db, blocked, 10)).toBe(1);

  await setBlocked(blocked, false);
  expect(await isBlockedPair(db, fan.id, blocked)).toBe(false);
  expect(await isBlockedPair(db, fan.id, alsoBlocked)).toBe(true);
  expect(await filterUnblocked(db, fan.id, creators)).toEqual([blocked, unblocked]);
  expect(await countBlocks(db, fan.id, 10)).toBe(1);
});

test('a query looks up blocks by key for each row and never reads all blocks of a user', async () => {
  const client = await app.owner.pool.connect();
  await client.query('begin');
  await client.query(
    'insert into users (id, type, username, email, name, password_hash) select uuidv7(), $1, $2 || n, $2 || n || $3, $2, $4 from generate_series(1, 2000) n',
    ['creator', 'many', '@example.org', '-'],
  );
  await client.query(`insert into creators (user_id) select id from users where name = 'many'`);
  const { rows: fans } = await client.query<{ id: string }>(
    `insert into users (id, type, username, email, name, password_hash) values (uuidv7(), 'customer', 'other', 'other@example.org', 'Other', '-') returning id`,
  );
  await client.query('insert into blocks (fan_id, creator_id, since) select $1, user_id, now() from creators', [
    fans[0]?.id,
  ]);
  await client.query('analyze blocks, creators');
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (generic_plan) select user_id from creators c where not ${blockedPairSql('$1::uuid', 'c.user_id')} limit 20`,
  );
  await client.query('rollback');
  client.release();
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/SubPlan 3\n +-> {2}Index (Only )?Scan using blocks_/);
  expect(plan).not.toContain('hashed');
});

import { receiveMessage } from '@stagedoor/contract/chat-live.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../server/kernel/db.ts';
import { testDatabase } from '../../server/testing/database.ts';
import { fundFans, makeCreators, makeFans } from './people.ts';
import { makePosts } from './posts.ts';
import { makePastSales } from './sales.ts';
import { anEvent } from './talks.ts';

let db: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await testDatabase();
  drop = database.drop;
  db = openDatabase(database.ownerUrl);
});
afterAll(async () => {
  await db.close();
  await drop();
});

test('creates users, posts and sales that fit the current schema', async () => {
  await makeFans(db, 3);
  await makeCreators(db, 4);
  await fundFans(db, 3);
  await makePosts(db, { creators: 4, posts: 8, paidEvery: 2 });
  await makePastSales(db, 10, 3, 4);
  const counted = await db.run<{ sales: number; posts: number; verified: number }>(
    {
      name: 'test-world',
      text: `select (select count(*) from sales) as sales, (select count(*) from posts) as posts,
        (select count(*) from creators where is_verified) as verified`,
    },
    [],
  );
  expect(counted).toEqual([{ sales: 10, posts: 8, verified: 2 }]);
});

test('the event of the fan-out bench matches the contract', () => {
  expect(receiveMessage.payload.safeParse(anEvent().payload).error).toBeUndefined();
});

/** Whoever is gone is apart from nobody, on whichever side they were; everybody else stays as they are. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { areApart, countApart, forgetApart, setApart } from './index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test.each(['creator', 'fan'] as const)('a %s who is gone', async (side) => {
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
    await app.ctx.db.transaction((tx) => setApart(tx, { fanId, creatorId, isApart: true, at }));
  const gone = side === 'creator' ? creator : fan;
  await forgetApart(app.ctx.db, gone.id);
  for (const [one, another] of pairs)
    expect(await areApart(app.ctx.db, one.id, another.id)).toBe(one !== gone && another !== gone);
  expect(await countApart(app.ctx.db, gone.id, 10)).toBe(0);
});

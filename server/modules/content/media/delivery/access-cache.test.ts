import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../../testing/app.ts';
import { makeReadyPicture } from '../testing.ts';
import { MediaAccessCache } from './access.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test('a right that was read before a concurrent change is not cached', async () => {
  const creator = await app.signUp('creator');
  const mediaId = await makeReadyPicture(app.ctx, creator.id);
  await app.ctx.db.query.updateTable('media').set({ is_public: true }).where('id', '=', mediaId).execute();
  const accessCache = new MediaAccessCache(app.ctx);
  const { run } = app.ctx.db;
  const runSpy = vi.spyOn(app.ctx.db, 'run').mockImplementationOnce(async (statement, values) => {
    const rows = await run(statement, values);
    await app.ctx.db.query.updateTable('media').set({ is_public: false }).where('id', '=', mediaId).execute();
    accessCache.invalidate();
    return rows as never;
  });
  expect(await accessCache.find(undefined, mediaId, 'public')).toBeDefined();
  runSpy.mockRestore();
  expect(await accessCache.find(undefined, mediaId, 'public')).toBeUndefined();
});

test('a cached right of a session cannot be reached through a crafted table name', async () => {
  const creator = await app.signUp('creator');
  const mediaId = await makeReadyPicture(app.ctx, creator.id);
  const accessCache = new MediaAccessCache(app.ctx);
  const actor = await app.ctx.sessions.resolve(/=([^;]+)/.exec(creator.cookie)?.[1]);
  expect(await accessCache.find(actor, mediaId, undefined)).toBeDefined();
  expect(await accessCache.find(undefined, mediaId, `${actor?.sessionId} any`)).toBeUndefined();
});

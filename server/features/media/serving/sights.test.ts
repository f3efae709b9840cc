/** What is kept of rights for a few seconds: never what was read while something changed that they hang on. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { makeReadyPicture } from '../testing.ts';
import { Sights } from './access.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test('what was read before a change and came after it is not relied on', async () => {
  const creator = await app.signUp('creator');
  const mediaId = await makeReadyPicture(app.ctx, creator.id);
  await app.ctx.db.query.updateTable('media').set({ is_public: true }).where('id', '=', mediaId).execute();
  const sights = new Sights(app.ctx);
  const { run } = app.ctx.db;
  /** It is hidden while its row is on the way. */
  const hidden = vi.spyOn(app.ctx.db, 'run').mockImplementationOnce(async (statement, values) => {
    const rows = await run(statement, values);
    await app.ctx.db.query.updateTable('media').set({ is_public: false }).where('id', '=', mediaId).execute();
    sights.forget();
    return rows as never;
  });
  expect(await sights.find(undefined, mediaId, 'public')).toBeDefined();
  hidden.mockRestore();
  expect(await sights.find(undefined, mediaId, 'public')).toBeUndefined();
});

test('what one session was found to see nobody sees by a table that is called like it', async () => {
  const creator = await app.signUp('creator');
  const mediaId = await makeReadyPicture(app.ctx, creator.id);
  const sights = new Sights(app.ctx);
  const actor = await app.ctx.sessions.resolve(/=([^;]+)/.exec(creator.cookie)?.[1]);
  expect(await sights.find(actor, mediaId, undefined)).toBeDefined();
  expect(await sights.find(undefined, mediaId, `${actor?.sessionId} any`)).toBeUndefined();
});

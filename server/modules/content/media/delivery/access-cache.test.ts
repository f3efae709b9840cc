import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Actor } from '../../../../platform/security/session.ts';
import { createTestApp, getActor, type TestApp } from '../../../../testing/app.ts';
import { makeReadyPicture } from '../testing.ts';
import {
  findGrantedFile,
  findMediaAccess,
  MediaAccessCache,
  mustRevalidate,
  registerFileGrant,
  registerMediaGrant,
} from './access.ts';

const GRANTED = 'granted';
const FILE = { key: 'granted-key', contentType: 'image/webp', downloadName: undefined };

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  registerMediaGrant(app.ctx, GRANTED, async () => true, { mustRevalidate: true });
  registerFileGrant(app.ctx, GRANTED, async (_, key) => (key === FILE.key ? FILE : undefined));
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
  const actor = await getActor(app, creator);
  expect(await accessCache.find(actor, mediaId, undefined)).toBeDefined();
  expect(await accessCache.find(undefined, mediaId, `${actor.sessionId} any`)).toBeUndefined();
});

const setMedia = (id: string, change: { is_public?: boolean; taken_down_at?: Date | null }) =>
  app.ctx.db.query.updateTable('media').set(change).where('id', '=', id).execute();
const runInGermany = <T>(hiddenCreatorId: string, work: () => T): T =>
  app.ctx.geo.runWith(
    {
      ...{ key: 'DE', geoLocation: { country: 'DE', state: undefined }, blockedIds: new Set([hiddenCreatorId]) },
      ...{ viewerId: undefined, countedIds: new Set<string>() },
    },
    work,
  );

describe('a right to a medium', () => {
  test('is cached for 5 seconds and ends then, or at once with a change', async () => {
    const creator = await app.signUp('creator');
    const mediaId = await makeReadyPicture(app.ctx, creator.id);
    await setMedia(mediaId, { is_public: true });
    const cache = new MediaAccessCache(app.ctx);
    const canView = async () => (await cache.find(undefined, mediaId, 'public')) !== undefined;
    expect(await canView()).toBe(true);
    await setMedia(mediaId, { is_public: false });
    app.clock.advance(4_999);
    expect(await canView()).toBe(true);
    app.clock.advance(1);
    expect(await canView()).toBe(false);
    await setMedia(mediaId, { is_public: true });
    expect(await canView()).toBe(true);
    await setMedia(mediaId, { is_public: false });
    cache.invalidate();
    expect(await canView()).toBe(false);
  });

  test('does not exist for a taken-down medium, neither for its owner nor in public nor with a grant', async () => {
    const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
    const mediaId = await makeReadyPicture(app.ctx, creator.id);
    const [owner, viewer] = [await getActor(app, creator), await getActor(app, fan)];
    await setMedia(mediaId, { is_public: true });
    const listRights = async () =>
      Promise.all([
        findMediaAccess(app.ctx, undefined, mediaId, undefined),
        findMediaAccess(app.ctx, owner, mediaId, 'post'),
        findMediaAccess(app.ctx, viewer, mediaId, GRANTED),
      ]);
    expect((await listRights()).every((right) => right?.ownerId === creator.id)).toBe(true);
    await setMedia(mediaId, { taken_down_at: app.clock.now() });
    expect(await listRights()).toEqual([undefined, undefined, undefined]);
  });

  test('requires a grant and a viewer who is not blocked, unless the medium is public', async () => {
    const [creator, fan] = await Promise.all([app.signUp('creator'), app.signUp('customer')]);
    const mediaId = await makeReadyPicture(app.ctx, creator.id);
    const viewer = await getActor(app, fan);
    const canView = async (by: Actor | undefined, tblType?: string) =>
      (await findMediaAccess(app.ctx, by, mediaId, tblType)) !== undefined;
    expect([await canView(viewer, 'post'), await canView(viewer, 'unknown')]).toEqual([false, false]);
    expect([await canView(viewer, GRANTED), await canView(viewer)]).toEqual([true, true]);
    expect(await canView(undefined, GRANTED)).toBe(false);
    expect(await canView({ ...viewer, isBlocked: true }, GRANTED)).toBe(false);
    expect(await findMediaAccess(app.ctx, viewer, randomUUID(), GRANTED)).toBeUndefined();
  });

  test('makes browsers revalidate only where the grant can end', () => {
    expect(mustRevalidate(app.ctx, 'post')).toBe(false);
    expect(mustRevalidate(app.ctx, GRANTED)).toBe(true);
    expect(mustRevalidate(app.ctx, 'unknown')).toBe(false);
    expect(mustRevalidate(app.ctx, undefined)).toBe(true);
  });
});

describe('a medium', () => {
  test('is available until it is deleted or taken down, which is noticed within 5 seconds or with a change', async () => {
    const creator = await app.signUp('creator');
    const mediaId = await makeReadyPicture(app.ctx, creator.id);
    const cache = new MediaAccessCache(app.ctx);
    const isAvailable = () => cache.isAvailable(mediaId);
    expect(await cache.isAvailable(randomUUID())).toBe(false);
    expect(await isAvailable()).toBe(true);
    await setMedia(mediaId, { taken_down_at: app.clock.now() });
    app.clock.advance(4_999);
    expect(await isAvailable()).toBe(true);
    app.clock.advance(1);
    expect(await isAvailable()).toBe(false);
    await setMedia(mediaId, { taken_down_at: null });
    expect(await isAvailable()).toBe(true);
    await setMedia(mediaId, { taken_down_at: app.clock.now() });
    cache.invalidate();
    expect(await isAvailable()).toBe(false);
  });

  test('of a creator who is hidden in a country is not available there, and is elsewhere', async () => {
    const creator = await app.signUp('creator');
    const mediaId = await makeReadyPicture(app.ctx, creator.id);
    await setMedia(mediaId, { is_public: true });
    const cache = new MediaAccessCache(app.ctx);
    const checkAccess = async () => [
      await cache.isAvailable(mediaId),
      (await cache.find(undefined, mediaId, 'public')) !== undefined,
    ];
    expect(await checkAccess()).toEqual([true, true]);
    expect(await runInGermany(creator.id, checkAccess)).toEqual([false, false]);
    expect(await checkAccess()).toEqual([true, true]);
  });

  test('that is taken down while its availability is read is not cached as available', async () => {
    const creator = await app.signUp('creator');
    const mediaId = await makeReadyPicture(app.ctx, creator.id);
    const cache = new MediaAccessCache(app.ctx);
    const { run } = app.ctx.db;
    const runSpy = vi.spyOn(app.ctx.db, 'run').mockImplementationOnce(async (statement, values) => {
      const rows = await run(statement, values);
      await setMedia(mediaId, { taken_down_at: app.clock.now() });
      cache.invalidate();
      return rows as never;
    });
    await cache.isAvailable(mediaId);
    runSpy.mockRestore();
    expect(await cache.isAvailable(mediaId)).toBe(false);
  });
});

describe('a file', () => {
  test('is granted to a viewer who is not blocked, by the grant of its table', async () => {
    const fan = await app.signUp('customer');
    const viewer = await getActor(app, fan);
    const find = (by: Actor | undefined, tblType?: string) => findGrantedFile(app.ctx, by, 'granted-key', tblType);
    expect(await find(viewer, GRANTED)).toEqual(FILE);
    expect(await find(viewer)).toEqual(FILE);
    expect(await find(viewer, 'unknown')).toBeUndefined();
    expect(await find(undefined, GRANTED)).toBeUndefined();
    expect(await find({ ...viewer, isBlocked: true }, GRANTED)).toBeUndefined();
    expect(await findGrantedFile(app.ctx, viewer, 'other-key', GRANTED)).toBeUndefined();
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { startObjectStore } from '../../../../testing/object-store.ts';
import { listFileKeys } from '../files.ts';
import { eraseMedia, importPicture } from '../index.ts';
import {
  discardJob,
  encodeJob,
  enqueueMediaJob,
  enqueueOriginalDeletion,
  enqueueRemoval,
  pictureJob,
} from '../jobs/queue.ts';
import { originalKey, previewKey, teaserKey, variantKey } from '../keys.ts';
import { findMedia } from '../store.ts';
import { createPictureFile, makeReadyPicture } from '../testing.ts';
import { auditMedia } from './audit.ts';
import { purgeDeleted, restoreDeleted, softDeleteUnused } from './deleted.ts';
import { requeueStuckUploads } from './stuck-uploads.ts';

const DAY_MS = 86_400_000;
const bytes = Buffer.from('left');

type MaintenanceTest = { test: TestApp; creator: TestUser; close: () => Promise<void> };

async function openMaintenanceTest(kind: 'folder' | 'bucket'): Promise<MaintenanceTest> {
  const objects = kind === 'bucket' ? await startObjectStore() : undefined;
  const test = await createTestApp(objects ? { env: objects.env } : {});
  const creator = await test.signUp('creator');
  return {
    test,
    creator,
    close: async () => {
      await test.close();
      await objects?.close();
    },
  };
}

async function importTestPicture({ test, creator }: MaintenanceTest): Promise<string> {
  return importPicture(test.ctx, creator.id, await createPictureFile({ width: 100, height: 80 }));
}

async function getRow({ test }: MaintenanceTest, id: string) {
  const row = await findMedia(test.ctx.db, id);
  if (!row) throw new Error('there is no such medium');
  return row;
}

async function isStored({ test }: MaintenanceTest, key: string): Promise<boolean> {
  return (await test.ctx.storage.open(key)) !== undefined;
}

function runDeletionJobs({ test }: MaintenanceTest): Promise<void> {
  return test.ctx.jobs.runDue(['media.remove', 'media.discard', 'media.deleteOriginal']);
}

describe.each(['folder', 'bucket'] as const)('an audit of a %s', (kind) => {
  let maintenanceTest: MaintenanceTest;
  beforeAll(async () => {
    maintenanceTest = await openMaintenanceTest(kind);
  });
  afterAll(() => maintenanceTest.close());

  it('finds no difference where rows and files match, also across several batches', async () => {
    const { ctx } = maintenanceTest.test;
    const first = await importTestPicture(maintenanceTest);
    await ctx.db.pool.query(
      `insert into media (id, owner_id, status, failure, byte_size) select uuidv7(), $1, 'failed', 'Broken.', 1 from generate_series(1, 1100)`,
      [maintenanceTest.creator.id],
    );
    const last = await importTestPicture(maintenanceTest);
    const keys = [
      ...listFileKeys(await getRow(maintenanceTest, first)),
      ...listFileKeys(await getRow(maintenanceTest, last)),
    ];
    expect(await auditMedia(ctx)).toMatchObject({
      media: 1_102,
      files: keys.length + 2,
      missing: 0,
      orphans: 0,
      removed: 0,
    });
  });

  it('reports and counts missing files, and retains the original of their medium', async () => {
    const { ctx, inject } = maintenanceTest.test;
    const id = await importTestPicture(maintenanceTest);
    const [lostKey = ''] = listFileKeys(await getRow(maintenanceTest, id));
    await ctx.storage.remove(lostKey);
    const logError = vi.spyOn(ctx.log, 'error');
    expect(await auditMedia(ctx)).toMatchObject({ missing: 1, orphans: 0, removed: 0 });
    expect(logError).toHaveBeenCalledWith(expect.objectContaining({ missing: 1, keys: [lostKey] }), expect.any(String));
    logError.mockRestore();
    const text = (await inject('GET', '/metrics')).body;
    expect(text).toContain('stagedoor_media_audit{found="missing"} 1');
    expect(text).toMatch(/stagedoor_media_audit\{found="finished_seconds"\} \d{10}/);

    await ctx.db.transaction((tx) => enqueueOriginalDeletion(ctx, tx, id));
    await ctx.db.pool.query(`update graphile_worker._private_jobs set run_at = now() where key = $1`, [
      `media.deleteOriginal:${id}`,
    ]);
    await runDeletionJobs(maintenanceTest);
    expect(await isStored(maintenanceTest, originalKey(id))).toBe(true);

    await ctx.storage.put(lostKey, bytes, 'image/webp');
    expect(await auditMedia(ctx)).toMatchObject({ missing: 0 });
    await ctx.db.transaction((tx) => enqueueOriginalDeletion(ctx, tx, id));
    await ctx.db.pool.query(`update graphile_worker._private_jobs set run_at = now() where key = $1`, [
      `media.deleteOriginal:${id}`,
    ]);
    await runDeletionJobs(maintenanceTest);
    expect(await isStored(maintenanceTest, originalKey(id))).toBe(false);
  });

  it('deletes only files that no row has named for two days', async () => {
    const { ctx, clock } = maintenanceTest.test;
    const id = await importTestPicture(maintenanceTest);
    const namedKeys = listFileKeys(await getRow(maintenanceTest, id));
    const unknownId = randomUUID();
    const orphans = [
      variantKey(id, '77/640.webp'),
      variantKey(id, '1/640.webp.4711.1.partial'),
      previewKey(id, '77/preview.jpg'),
      variantKey(unknownId, '640.webp'),
      originalKey(unknownId),
      teaserKey(unknownId, '1.mp4'),
      'private/g/not-an-id/open.gif',
    ];
    const laterKey = variantKey(id, 'c/9.vtt');
    for (const key of [...orphans, laterKey]) await ctx.storage.put(key, bytes, 'image/webp');
    expect(await auditMedia(ctx)).toMatchObject({ orphans: 8, removed: 0 });
    clock.advance(2 * DAY_MS - 1_000);
    const captions = JSON.stringify([{ language: 'en', label: 'English', file: '9.vtt' }]);
    await ctx.db.query.updateTable('media').set({ captions }).where('id', '=', id).execute();
    expect(await auditMedia(ctx)).toMatchObject({ orphans: 7, removed: 0 });
    clock.advance(1_000);
    expect(await auditMedia(ctx)).toMatchObject({ orphans: 7, removed: 7, missing: 0 });
    for (const key of orphans) expect(await isStored(maintenanceTest, key), key).toBe(false);
    for (const key of [...namedKeys, laterKey, originalKey(id)])
      expect(await isStored(maintenanceTest, key), key).toBe(true);
    expect(await auditMedia(ctx)).toMatchObject({ orphans: 0, removed: 0, missing: 0 });
  });

  it('deletes nothing when most files belong to no row, because it must be the wrong database', async () => {
    const { ctx, clock } = maintenanceTest.test;
    const ids = (await ctx.db.query.selectFrom('media').select('id').where('status', '=', 'ready').execute()).map(
      ({ id }) => id,
    );
    const keys = (await Promise.all(ids.map((id) => getRow(maintenanceTest, id)))).flatMap(listFileKeys);
    expect(keys.length).toBeGreaterThan(10);
    await ctx.db.query.deleteFrom('media').where('id', 'in', ids).execute();
    await auditMedia(ctx);
    clock.advance(3 * DAY_MS);
    const logError = vi.spyOn(ctx.log, 'error');
    expect(await auditMedia(ctx)).toMatchObject({ removed: 0 });
    expect(logError).toHaveBeenCalledWith(expect.objectContaining({ orphans: expect.any(Number) }), expect.any(String));
    logError.mockRestore();
    await ctx.db.query.deleteFrom('media_findings').execute();
    await auditMedia(ctx, 2);
    clock.advance(3 * DAY_MS);
    expect(await auditMedia(ctx, 2)).toMatchObject({ removed: 0 });
    for (const key of keys) expect(await isStored(maintenanceTest, key), key).toBe(true);
  });
});

describe('a medium that its owner deletes', () => {
  let maintenanceTest: MaintenanceTest;
  beforeAll(async () => {
    maintenanceTest = await openMaintenanceTest('folder');
  });
  afterAll(() => maintenanceTest.close());

  const listLibrary = async () => (await maintenanceTest.creator.inject('GET', '/api/creator/media?limit=50')).json();
  const deleteMedia = (id: string) => maintenanceTest.creator.inject('DELETE', `/api/creator/media/${id}`);

  it('is invisible, can be restored completely within thirty days, and is erased afterwards', async () => {
    const { test, creator } = maintenanceTest;
    const { ctx, clock } = test;
    const id = await importTestPicture(maintenanceTest);
    const whole = await getRow(maintenanceTest, id);
    const keys = listFileKeys(whole);
    await ctx.storage.put(teaserKey(id, '1.mp4'), bytes, 'video/mp4');
    const addresses = [
      `/api/asset/private?fileKey=m/${id}/1/96.webp&tblType=media`,
      `/media/public/p/${id}/1/preview.webp`,
      `/media/public/t/${id}/1.mp4`,
    ];
    const statuses = () => Promise.all(addresses.map(async (url) => (await creator.inject('GET', url)).statusCode));
    expect(await statuses()).toEqual([200, 200, 200]);
    const before = await listLibrary();
    expect((await deleteMedia(id)).statusCode).toBe(200);
    await ctx.events.waitUntilIdle();
    expect(await statuses()).toEqual([404, 404, 404]);
    expect((await creator.inject('GET', `/api/creator/media/${id}`)).statusCode).toBe(404);
    expect((await deleteMedia(id)).statusCode).toBe(404);
    const after = await listLibrary();
    expect([before.totalCount - after.totalCount, after.data.length]).toEqual([1, before.data.length - 1]);
    const counted = await ctx.db.query.selectFrom('media_counts').select('counts').executeTakeFirstOrThrow();
    expect(counted.counts).toEqual({ 'picture:single:unused': after.totalCount });

    clock.advance(29 * DAY_MS);
    await purgeDeleted(ctx);
    expect(await auditMedia(ctx)).toMatchObject({ missing: 0, removed: 0 });
    await runDeletionJobs(maintenanceTest);
    for (const key of keys) expect(await isStored(maintenanceTest, key), key).toBe(true);

    const stranger = await test.signUp('creator');
    const restore = (as: TestUser) => as.inject('POST', `/api/creator/media/${id}/restore`);
    expect((await restore(stranger)).statusCode).toBe(404);
    expect((await restore(creator)).json()).toMatchObject({ id, status: 'ready' });
    expect((await restore(creator)).statusCode).toBe(404);
    expect(await listLibrary()).toEqual(before);
    expect(await getRow(maintenanceTest, id)).toEqual(whole);

    expect(await ctx.db.transaction((tx) => softDeleteUnused(ctx, tx, id))).toBe(true);
    clock.advance(30 * DAY_MS);
    await purgeDeleted(ctx);
    await runDeletionJobs(maintenanceTest);
    for (const key of [...keys, originalKey(id), teaserKey(id, '1.mp4')])
      expect(await isStored(maintenanceTest, key), key).toBe(false);
    expect(await auditMedia(ctx)).toMatchObject({ missing: 0, orphans: 0 });
  });

  it('is erased immediately by legal erasure and account deletion, whether it is unused or retained', async () => {
    const { ctx } = maintenanceTest.test;
    const owner = await maintenanceTest.test.signUp('creator');
    const ownTest = { ...maintenanceTest, creator: owner };
    const [one, two, other] = [
      await importTestPicture(ownTest),
      await importTestPicture(ownTest),
      await importTestPicture(maintenanceTest),
    ];
    const keys = (await Promise.all([one, two].map((id) => getRow(maintenanceTest, id)))).flatMap(listFileKeys);
    expect((await owner.inject('DELETE', `/api/creator/media/${two}`)).statusCode).toBe(200);
    await ctx.db.transaction((tx) => eraseMedia(ctx, tx, { ownerId: owner.id }));
    await runDeletionJobs(maintenanceTest);
    for (const key of [...keys, originalKey(one), originalKey(two)])
      expect(await isStored(maintenanceTest, key), key).toBe(false);
    expect(await ctx.db.transaction((tx) => restoreDeleted(ctx, tx, owner.id, two))).toBe(false);
    expect(await auditMedia(ctx)).toMatchObject({ missing: 0, orphans: 0 });
    await ctx.db.transaction((tx) => eraseMedia(ctx, tx, { mediaId: other }));
    await runDeletionJobs(maintenanceTest);
    expect(await isStored(maintenanceTest, originalKey(other))).toBe(false);
  });

  it('keeps its files while it exists or is retained, whatever job wants to remove them', async () => {
    const { ctx } = maintenanceTest.test;
    const [existing, retained] = [await importTestPicture(maintenanceTest), await importTestPicture(maintenanceTest)];
    const keys = (await Promise.all([existing, retained].map((id) => getRow(maintenanceTest, id)))).flatMap(
      listFileKeys,
    );
    await ctx.db.transaction((tx) => softDeleteUnused(ctx, tx, retained));
    for (const id of [existing, retained])
      await ctx.db.transaction(async (tx) => {
        await enqueueRemoval(ctx, tx, id);
        // Jobs of earlier versions did this.
        await ctx.jobs.add(tx, discardJob, { prefixes: [originalKey(id), `private/m/${id}`, `public/p/${id}`] });
      });
    await runDeletionJobs(maintenanceTest);
    for (const key of [...keys, originalKey(existing), originalKey(retained)])
      expect(await isStored(maintenanceTest, key), key).toBe(true);
  });

  it('is not retained if its processing failed', async () => {
    const { ctx } = maintenanceTest.test;
    const owner = await maintenanceTest.test.signUp('creator');
    const id = await makeReadyPicture(ctx, owner.id);
    await ctx.db.query
      .updateTable('media')
      .set({ status: 'failed', failure: 'Broken.' })
      .where('id', '=', id)
      .execute();
    expect((await owner.inject('DELETE', `/api/creator/media/${id}`)).statusCode).toBe(200);
    expect(await ctx.db.transaction((tx) => restoreDeleted(ctx, tx, owner.id, id))).toBe(false);
  });
});

it('an upload whose job is gone is enqueued again, and one with a waiting job is left alone', async () => {
  const maintenanceTest = await openMaintenanceTest('folder');
  try {
    const { ctx, clock } = maintenanceTest.test;
    const [stranded, failed, waiting] = [
      await importTestPicture(maintenanceTest),
      await importTestPicture(maintenanceTest),
      await importTestPicture(maintenanceTest),
    ];
    await ctx.db.query.updateTable('media').set({ status: 'processing' }).execute();
    await ctx.db.transaction((tx) =>
      enqueueMediaJob(ctx, tx, pictureJob, waiting, new Date(clock.now().getTime() + 3 * DAY_MS)),
    );
    await ctx.db.transaction((tx) => enqueueMediaJob(ctx, tx, encodeJob, failed, new Date(Date.now() + DAY_MS)));
    await ctx.db.pool.query('update graphile_worker._private_jobs set attempts = max_attempts where key = $1', [
      `media.encode:${failed}`,
    ]);
    expect(await requeueStuckUploads(ctx)).toBe(0);
    clock.advance(2 * 60 * 60_000);
    expect(await requeueStuckUploads(ctx)).toBe(2);
    await ctx.jobs.runDue([pictureJob.name]);
    expect([(await getRow(maintenanceTest, stranded)).status, (await getRow(maintenanceTest, failed)).status]).toEqual([
      'ready',
      'ready',
    ]);
    expect((await getRow(maintenanceTest, waiting)).status).toBe('processing');
    expect(await requeueStuckUploads(ctx)).toBe(0);
  } finally {
    await maintenanceTest.close();
  }
});

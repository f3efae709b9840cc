import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { makeReadyPicture } from '../modules/content/media/testing.ts';
import { createExport, deleteOrphanExports, findExport } from '../modules/identity/data-export/testing.ts';
import { createId } from '../platform/ids.ts';
import { createTestApp, type TestApp, type TestUser } from './app.ts';

const DAY_MS = 24 * 60 * 60_000;

let app: TestApp;
let fan: TestUser;
let creator: TestUser;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
});

const requestExport = (user: TestUser) => user.inject('POST', '/api/account/data-export');
const getExport = async (user: TestUser) => (await user.inject('GET', '/api/account/data-export')).json().dataExport;
const finishExport = async (user: TestUser) =>
  createExport(app.ctx, { userId: user.id, id: await getExportId(user) }, { isLast: true, signal: undefined });
const listFiles = async (id: string) => {
  const files: string[] = [];
  for await (const { key } of app.ctx.storage.list('data_exports')) if (key.includes(id)) files.push(key);
  return files;
};
const getExportId = async (user: TestUser) => (await findExport(app.ctx.db, user.id))?.id ?? '';

test('a data export fails without leaving files if a media file changed, and a retry succeeds', async () => {
  const mediaId = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
  const key = `private/m/${mediaId}/1080.webp`;
  const opened = app.ctx.storage.open;
  const opens = vi.spyOn(app.ctx.storage, 'open').mockImplementation(async (openedKey) => {
    const stored = await opened(openedKey);
    return stored && openedKey === key ? { ...stored, byteSize: stored.byteSize + 1 } : stored;
  });
  await requestExport(creator);
  const id = await getExportId(creator);
  const making = createExport(app.ctx, { userId: creator.id, id }, { isLast: false, signal: undefined });
  await expect(making).rejects.toThrow('unexpected number of bytes');
  await expect.poll(() => listFiles(id)).toEqual([]);
  opens.mockRestore();
  await finishExport(creator);
  expect(await getExport(creator)).toMatchObject({ state: 'ready' });
});

test('a data export stops with its process and leaves no files', async () => {
  const mediaId = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
  const ending = new AbortController();
  const opened = app.ctx.storage.open;
  vi.spyOn(app.ctx.storage, 'open').mockImplementation(async (openedKey) => {
    const stored = await opened(openedKey);
    if (!stored || !openedKey.includes(mediaId)) return stored;
    // Bytes that never arrive: only the end of the process stops the export.
    const stream = async () => new Readable({ read: () => ending.abort(new Error('the process ends')) });
    return { ...stored, stream };
  });
  await requestExport(creator);
  const id = await getExportId(creator);
  const making = createExport(app.ctx, { userId: creator.id, id }, { isLast: true, signal: ending.signal });
  await expect(making).rejects.toThrow('the process ends');
  await expect.poll(() => listFiles(id)).toEqual([]);
  expect(await getExport(creator)).toMatchObject({ state: 'processing' });
});

test('files of an interrupted data export are removed a day later, while files in use stay', async () => {
  await requestExport(fan);
  const id = await getExportId(fan);
  const lost = createId(app.clock);
  const putFile = (key: string) => app.ctx.storage.put(key, Buffer.from('half'), 'application/zip');
  await putFile(`data_exports/${id}.zip.4711.1.partial`);
  await putFile(`data_exports/${lost}.zip`);
  app.clock.advance(DAY_MS + 1);
  expect([await deleteOrphanExports(app.ctx), await listFiles(lost), (await listFiles(id)).length]).toEqual([1, [], 1]);
  await finishExport(fan);
  expect([await deleteOrphanExports(app.ctx), await listFiles(id)]).toEqual([1, [`data_exports/${id}.zip`]]);
  expect(await getExport(fan)).toMatchObject({ state: 'ready' });
});

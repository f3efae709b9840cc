import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { findArchive, make, removeLeftArchives } from '../features/archive/testing.ts';
import { makeReadyPicture } from '../features/media/testing.ts';
import { newId } from '../kernel/ids.ts';
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

const ask = (who: TestUser) => who.inject('POST', '/api/account/archive');
const view = async (who: TestUser) => (await who.inject('GET', '/api/account/archive')).json().archive;
const made = async (who: TestUser) =>
  make(app.ctx, { userId: who.id, id: await idOf(who) }, { isLast: true, signal: undefined });
const filesOf = async (id: string) => {
  const found: string[] = [];
  for await (const { key } of app.ctx.storage.list('archives')) if (key.includes(id)) found.push(key);
  return found;
};
const idOf = async (who: TestUser) => (await findArchive(app.ctx.db, who.id))?.id ?? '';

test('a data export fails without leaving files if a media file changed, and a retry succeeds', async () => {
  const mediaId = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
  const key = `private/m/${mediaId}/1080.webp`;
  const opened = app.ctx.storage.open;
  const opens = vi.spyOn(app.ctx.storage, 'open').mockImplementation(async (wanted) => {
    const stored = await opened(wanted);
    return stored && wanted === key ? { ...stored, byteSize: stored.byteSize + 1 } : stored;
  });
  await ask(creator);
  const id = await idOf(creator);
  const making = make(app.ctx, { userId: creator.id, id }, { isLast: false, signal: undefined });
  await expect(making).rejects.toThrow('unexpected number of bytes');
  await expect.poll(() => filesOf(id)).toEqual([]);
  opens.mockRestore();
  await made(creator);
  expect(await view(creator)).toMatchObject({ state: 'ready' });
});

test('a data export stops with its process and leaves no files', async () => {
  const mediaId = await makeReadyPicture(app.ctx, creator.id, { hasFiles: true });
  const ending = new AbortController();
  const opened = app.ctx.storage.open;
  vi.spyOn(app.ctx.storage, 'open').mockImplementation(async (wanted) => {
    const stored = await opened(wanted);
    if (!stored || !wanted.includes(mediaId)) return stored;
    // Bytes that never arrive: only the end of the process stops the export.
    const stream = async () => new Readable({ read: () => ending.abort(new Error('the process ends')) });
    return { ...stored, stream };
  });
  await ask(creator);
  const id = await idOf(creator);
  const making = make(app.ctx, { userId: creator.id, id }, { isLast: true, signal: ending.signal });
  await expect(making).rejects.toThrow('the process ends');
  await expect.poll(() => filesOf(id)).toEqual([]);
  expect(await view(creator)).toMatchObject({ state: 'making' });
});

test('files of an interrupted data export are removed a day later, while files in use stay', async () => {
  await ask(fan);
  const id = await idOf(fan);
  const lost = newId(app.clock);
  const put = (key: string) => app.ctx.storage.put(key, Buffer.from('half'), 'application/zip');
  await put(`archives/${id}.zip.4711.1.partial`);
  await put(`archives/${lost}.zip`);
  app.clock.advance(DAY_MS + 1);
  expect([await removeLeftArchives(app.ctx), await filesOf(lost), (await filesOf(id)).length]).toEqual([1, [], 1]);
  await made(fan);
  expect([await removeLeftArchives(app.ctx), await filesOf(id)]).toEqual([1, [`archives/${id}.zip`]]);
  expect(await view(fan)).toMatchObject({ state: 'ready' });
});

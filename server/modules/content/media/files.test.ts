/** Media from before files had serial numbers: their serial is 0, and posters have negative numbers of their own. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase, runSql } from '../../../platform/database/db.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { listFileKeys } from './files.ts';
import { parsePublicKey, parseVariantKey } from './keys.ts';
import { presentPicture, presentStream } from './present.ts';
import { findMedia } from './store.ts';

const OWNER = '01999999-0000-7000-8000-0000000000aa';
const FILM = '01999999-0000-7000-8000-0000000000ab';
const PICTURE = '01999999-0000-7000-8000-0000000000ac';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.ownerUrl);
  await runSql(
    db,
    `insert into users (id, type, username, email, name, password_hash)
       values ('${OWNER}', 'creator', 'old', 'old@example.test', 'Old', 'x');
     insert into media (id, owner_id, status, kind, byte_size, width, height, finished_at, webp_widths, jpeg_width, picture_serial, serial, stream, source, captions)
       values ('${FILM}', '${OWNER}', 'ready', 'video', 1, 640, 360, now(), '{96,640}', 640, -3, 4,
         '{"hls": "h/master.m3u8", "file": "f/video.mp4", "sprite": {"file": "f/sprite.webp", "frameWidth": 160}, "waveform": [], "clip": 0}',
         '{"renditions": [{"name": "src"}, {"name": "v360"}]}', '[{"language": "en", "label": "English", "file": "4.vtt"}]');
     insert into media (id, owner_id, status, byte_size, width, height, finished_at, webp_widths, avif_widths, jpeg_width)
       values ('${PICTURE}', '${OWNER}', 'ready', 1, 96, 96, now(), '{96}', '{96}', 96)`,
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function getRow(id: string) {
  const row = await findMedia(db, id);
  if (!row) throw new Error('there is no such medium');
  return row;
}

it('files without serial numbers keep their names', async () => {
  const keys = listFileKeys(await getRow(FILM));
  const toKeys = (prefix: string, files: string[]) => files.map((file) => `${prefix}/${FILM}/${file}`);
  expect(keys.toSorted()).toEqual(
    [
      ...toKeys('private/m', ['p3-96.webp', 'p3-640.webp', 'p3-640.jpg', 'c/4.vtt', 'f/video.mp4', 'f/sprite.webp']),
      ...toKeys('private/m', ['h/master.m3u8', 'h/src.m3u8', 'h/src.mp4', 'h/v360.m3u8', 'h/v360.mp4']),
      ...toKeys('private/g', ['open.gif']),
      ...toKeys('public/p', ['p3-preview.webp', 'p3-preview.jpg', 'preview.gif']),
    ].toSorted(),
  );
  expect(listFileKeys(await getRow(PICTURE)).toSorted()).toEqual(
    [
      ...['96.webp', '96.jpg', '96.avif'].map((file) => `private/m/${PICTURE}/${file}`),
      ...['preview.webp', 'preview.jpg'].map((file) => `public/p/${PICTURE}/${file}`),
    ].toSorted(),
  );
  for (const key of [...keys, ...listFileKeys(await getRow(PICTURE))]) {
    if (key.startsWith('private/m/')) expect(parseVariantKey(key.slice('private/'.length))?.key).toBe(key);
    if (key.startsWith('public/')) expect(parsePublicKey(key.slice('public/'.length))?.key).toBe(key);
  }
});

it('files without serial numbers are presented at their addresses, from media rows and from posts', async () => {
  const { rows } = await db.pool.query<{ metadata: string }>('select metadata from media where id = $1', [FILM]);
  for (const row of [await getRow(FILM), JSON.parse(rows[0]?.metadata ?? '')]) {
    expect(presentPicture(row, '').url).toBe(`/api/asset/private?fileKey=m/${FILM}/p3-640.jpg&tblType=post`);
    expect(presentStream(row)).toMatchObject({
      hls: `/api/asset/private/post/m/${FILM}/h/master.m3u8`,
      file: `/api/asset/private/post/m/${FILM}/f/video.mp4`,
      sprite: { url: `/api/asset/private/post/m/${FILM}/f/sprite.webp`, frameWidth: 160 },
      captions: [{ url: `/api/asset/private/post/m/${FILM}/c/4.vtt` }],
    });
  }
});

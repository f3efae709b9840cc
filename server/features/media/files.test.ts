/** Runs on a database that was migrated from the time before files had serial numbers. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase, runSql } from '../../kernel/db.ts';
import { migrate, readSchemaFiles, schemaFolders } from '../../kernel/migrate.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { keysOf } from './files.ts';
import { parsePublic, parseVariant } from './keys.ts';
import { presentPicture, presentStream } from './present.ts';
import { findMedia } from './store.ts';

const CHANGE = '0024';
const OWNER = '01999999-0000-7000-8000-0000000000aa';
const FILM = '01999999-0000-7000-8000-0000000000ab';
const PICTURE = '01999999-0000-7000-8000-0000000000ac';

let database: TestDatabase;
let db: Database;
const folder = mkdtempSync(join(tmpdir(), 'migrations-'));

beforeAll(async () => {
  database = await testDatabase();
  db = openDatabase(database.ownerUrl);
  await runSql(db, 'drop schema public cascade');
  await runSql(db, 'create schema public');
  for (const { name } of readSchemaFiles().migrations)
    if (name < CHANGE) copyFileSync(join(schemaFolders.migrations, name), join(folder, name));
  await migrate(database.ownerUrl, { folders: { migrations: folder } });
  await runSql(
    db,
    `insert into users (id, type, username, email, name, password_hash)
       values ('${OWNER}', 'creator', 'old', 'old@example.test', 'Old', 'x');
     insert into media (id, owner_id, status, kind, byte_size, width, height, finished_at, webp_widths, jpeg_width, picture_serial, serial, stream, source, captions)
       values ('${FILM}', '${OWNER}', 'ready', 'video', 1, 640, 360, now(), '{96,640}', 640, 3, 4,
         '{"hasHls": true, "file": "video.mp4", "sprite": {"file": "sprite.webp", "frameWidth": 160}, "waveform": [], "hasClip": true}',
         '{"rungs": [{"name": "src"}, {"name": "v360"}]}', '[{"language": "en", "label": "English", "file": "4.vtt"}]');
     insert into media (id, owner_id, status, byte_size, width, height, finished_at, webp_widths, avif_widths, jpeg_width)
       values ('${PICTURE}', '${OWNER}', 'ready', 1, 96, 96, now(), '{96}', '{96}', 96)`,
  );
  await migrate(database.ownerUrl);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await db.close();
  await database.drop();
});

async function rowOf(id: string) {
  const row = await findMedia(db, id);
  if (!row) throw new Error('there is no such medium');
  return row;
}

it('files from before serial numbers keep their names after the migration', async () => {
  const keys = keysOf(await rowOf(FILM));
  const under = (place: string, files: string[]) => files.map((file) => `${place}/${FILM}/${file}`);
  expect(keys.toSorted()).toEqual(
    [
      ...under('private/m', ['p3-96.webp', 'p3-640.webp', 'p3-640.jpg', 'c/4.vtt', 'f/video.mp4', 'f/sprite.webp']),
      ...under('private/m', ['h/master.m3u8', 'h/src.m3u8', 'h/src.mp4', 'h/v360.m3u8', 'h/v360.mp4']),
      ...under('private/g', ['open.gif']),
      ...under('public/p', ['p3-preview.webp', 'p3-preview.jpg', 'preview.gif']),
    ].toSorted(),
  );
  expect(keysOf(await rowOf(PICTURE)).toSorted()).toEqual(
    [
      ...['96.webp', '96.jpg', '96.avif'].map((file) => `private/m/${PICTURE}/${file}`),
      ...['preview.webp', 'preview.jpg'].map((file) => `public/p/${PICTURE}/${file}`),
    ].toSorted(),
  );
  for (const key of [...keys, ...keysOf(await rowOf(PICTURE))]) {
    if (key.startsWith('private/m/')) expect(parseVariant(key.slice('private/'.length))?.key).toBe(key);
    if (key.startsWith('public/')) expect(parsePublic(key.slice('public/'.length))?.key).toBe(key);
  }
});

it('files from before serial numbers are presented at their addresses, from media rows and from posts', async () => {
  const { rows } = await db.pool.query<{ facts: string }>('select facts from media where id = $1', [FILM]);
  for (const facts of [await rowOf(FILM), JSON.parse(rows[0]?.facts ?? '')]) {
    expect(presentPicture(facts, '').url).toBe(`/api/asset/private?fileKey=m/${FILM}/p3-640.jpg&tblType=post`);
    expect(presentStream(facts)).toMatchObject({
      hls: `/api/asset/private/post/m/${FILM}/h/master.m3u8`,
      file: `/api/asset/private/post/m/${FILM}/f/video.mp4`,
      sprite: { url: `/api/asset/private/post/m/${FILM}/f/sprite.webp`, frameWidth: 160 },
      captions: [{ url: `/api/asset/private/post/m/${FILM}/c/4.vtt` }],
    });
  }
});

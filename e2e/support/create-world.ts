/**
 * Creates the demo world in DATA_DIR for journeys: with small pictures and without films, which would take most of the
 * time. It runs as a separate process.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { createApp, migrateDatabase, OWNED_SCHEMAS } from '../../server/compose.ts';
import { FILMS, markFilmDone } from '../../server/demo/films.ts';
import { seedDemo } from '../../server/demo/seed.ts';
import { readConfig } from '../../server/platform/config.ts';
import { createLogger } from '../../server/platform/log.ts';
import { prepareDatabaseFolder } from '../../server/platform/postgres/data-folder.ts';
import { startPostgres } from '../../server/platform/postgres/postgres.ts';

const ART = fileURLToPath(new URL('../../server/demo/art', import.meta.url));
const PICTURE_WIDTH = 162;

async function readSmallArt(name: string): Promise<Buffer> {
  return sharp(await readFile(`${ART}/${name}.webp`))
    .resize({ width: PICTURE_WIDTH })
    .webp()
    .toBuffer();
}

// Files are readable only by this user, as those of the server.
process.umask(0o077);
const config = readConfig();
const log = createLogger({ level: config.logLevel, isPretty: false });
const postgres = await startPostgres({ dataDir: prepareDatabaseFolder(config.dataDir), log, durable: false });
try {
  const { url, ownerUrl } = postgres;
  await migrateDatabase(ownerUrl, { product: { url, schemas: OWNED_SCHEMAS } });
  const app = await createApp({ config, databaseUrl: url, log, hasPages: false });
  try {
    await seedDemo({ ctx: app.ctx, databaseUrl: url, print: () => undefined, readArt: readSmallArt });
    await app.ctx.db.transaction(async (tx) => {
      for (const { file } of FILMS) await markFilmDone(app.ctx, tx, file);
    });
  } finally {
    await app.close();
  }
} finally {
  await postgres.stop();
}

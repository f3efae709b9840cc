/**
 * Demo videos and audio are imported in the background after the first start. Without ffmpeg they are skipped; missing
 * ones are retried at the next start.
 */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EMPTY_POST_DETAILS } from '@stagedoor/contract/content/post-details.ts';
import { mediaId as mediaIdOf, userId } from '@stagedoor/contract/shared/ids.ts';
import * as z from 'zod/mini';
import { addMediaFile, listOwnMedia, updateOwnMedia } from '../modules/content/media/index.ts';
import { publishContent } from '../modules/content/posts/index.ts';
import type { Context } from '../platform/context.ts';
import type { Executor, SqlStatement } from '../platform/database/db.ts';
import { createId } from '../platform/ids.ts';

const FOLDER = fileURLToPath(new URL('./films/', import.meta.url));
const SETTING = 'demo.films';
const LOCK: SqlStatement = { name: 'demo-films-lock', text: `select pg_advisory_xact_lock(hashtext('demo.films'))` };
const POLL_MS = 500;
const MAX_WAIT_MS = 10 * 60_000;

export type DemoFilm = {
  username: string;
  file: string;
  caption: string;
  price: number;
  tags: string[];
  alt: string;
  teaser?: { start: number; end: number };
};

export const FILMS: readonly DemoFilm[] = [
  {
    username: 'hana.sorby',
    file: 'eleven-kilometres.mp4',
    caption:
      'Eleven kilometres, slowly\n\nFour frames of the same walk, each held until the eye gets bored and starts to see. Headphones if you have them; it hums.',
    price: 0,
    tags: ['walk', 'fog'],
    alt: 'Ridges of blue hills under a pale moon, mirrored in still water',
  },
  {
    username: 'aurelio.banks',
    file: 'location-walk.mp4',
    caption:
      'Location walk, night two\n\nThe five places in the order the film will have them. What is missing is the reason they will not let us back into the third.',
    price: 6,
    tags: ['locations'],
    alt: 'A figure under an umbrella among blurred lights at night',
    teaser: { start: 4, end: 12 },
  },
  {
    username: 'ines.valadao',
    file: 'a-sounding.m4a',
    caption:
      'A, for forty seconds\n\nThe open string and nothing else, as slowly as it goes without breaking. I use it to tune a room before I play in it.',
    price: 0,
    tags: ['cello', 'sound'],
    alt: 'A cello, close to its bridge',
  },
];

async function readDone(db: Executor): Promise<string[]> {
  const row = await db.query.selectFrom('settings').select('value').where('key', '=', SETTING).executeTakeFirst();
  return Array.isArray(row?.value) ? row.value.map(String) : [];
}

/** A film that is marked is not imported again. */
export async function markFilmDone({ clock }: Context, tx: Executor, file: string): Promise<void> {
  const value = JSON.stringify([...(await readDone(tx)), file]);
  const row = { key: SETTING, value, updated_at: clock.now() };
  await tx.query
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
}

async function isReady(ctx: Context, ownerId: string, id: string, signal: AbortSignal): Promise<boolean> {
  for (let waited = 0; waited < MAX_WAIT_MS; waited += POLL_MS) {
    const [media] = await listOwnMedia(ctx.db, ownerId, [id]);
    if (media?.status === 'ready') return true;
    if (media?.status === 'failed') return false;
    await pause(POLL_MS, undefined, { signal });
  }
  return false;
}

async function publishFilm(
  ctx: Context,
  { username, file, alt, teaser, ...content }: DemoFilm,
  signal: AbortSignal,
): Promise<void> {
  const owner = await ctx.db.query
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username', '=', username)
    .executeTakeFirst();
  if (!owner) return;
  const mediaId = await addMediaFile(ctx, owner.id, path.join(FOLDER, file), file);
  if (!(await isReady(ctx, owner.id, mediaId, signal))) return;
  if (teaser) await updateOwnMedia(ctx, { userId: z.parse(userId, owner.id) }, mediaId, { teaser });
  await ctx.db.transaction(async (tx) => {
    // Of two processes that imported it, only one publishes it.
    await tx.run(LOCK, []);
    if ((await readDone(tx)).includes(file)) return;
    const creator = { userId: owner.id, username: owner.username };
    const media = [{ id: z.parse(mediaIdOf, mediaId), alt }];
    await publishContent(ctx, tx, createId(ctx.clock), creator, {
      ...EMPTY_POST_DETAILS,
      ...content,
      people: [],
      media,
    });
    await markFilmDone(ctx, tx, file);
  });
}

/** `signal` is aborted when the process ends. */
export async function publishFilms(ctx: Context, signal: AbortSignal, films = FILMS): Promise<void> {
  const done = new Set(await readDone(ctx.db));
  for (const film of films.filter(({ file }) => !done.has(file))) {
    if (signal.aborted) return;
    try {
      await publishFilm(ctx, film, signal);
    } catch (error) {
      if (!signal.aborted) ctx.log.debug({ err: error }, 'a demo video could not be published');
    }
  }
}

/** Pictures are validated by content, re-encoded, encrypted and stored where no public URL leads. */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import type { FileAnswer } from '@stagedoor/contract/atoms/route.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { removeLeft } from '../../kernel/left-files.ts';
import type { Actor } from '../../kernel/session.ts';
import { provenBlocked } from '../accounts/index.ts';
import { type PictureForm, plainPicture } from '../media/index.ts';
import { forgetContacts } from './copyright/store.ts';
import { forgetProfiles, keptAmong } from './profiles.ts';
import { CASE_FILES, openSealed, putSealed } from './sealed.ts';

const DAY_MS = 24 * 60 * 60_000;
const AT_ONCE = 100;
const UNUSED_MOST = 20;

export type KeptPicture = { id: string; width: number; height: number };

/** Stores a picture. Throws UNSUPPORTED_TYPE, VALIDATION or CONFLICT with a message. */
export async function keepPicture(ctx: Context, ownerId: string, file: Buffer | undefined): Promise<KeptPicture> {
  if (!file || file.length === 0) throw invalid('file', 'Choose an image.');
  const { content, width, height } = await plainPicture(file);
  if (Math.min(width, height) < CASES.leastPixels) throw invalid('file', 'This image is too small.');
  const { count } = await ctx.db.query
    .selectFrom('case_pictures')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('entry_id', 'is', null)
    .executeTakeFirstOrThrow();
  if (count >= UNUSED_MOST) throw invalid('file', 'Too many unsent images. Try again tomorrow.');
  const id = newId(ctx.clock);
  const key = `${CASE_FILES}/${ownerId}/${id}`;
  await putSealed(ctx, key, content);
  await ctx.db.query
    .insertInto('case_pictures')
    .values({ id, owner_id: ownerId, file_key: key, width, height, taken_at: ctx.clock.now() })
    .execute();
  return { id, width, height };
}

/** Stores a picture of a blocked user. Throws FORBIDDEN without a valid proof, before the picture is processed. */
export async function keepPictureOfBlocked(ctx: Context, { file, fields }: PictureForm): Promise<KeptPicture> {
  const owner = await provenBlocked(ctx, fields.get('proof') ?? '');
  if (!owner) throw new AppError('FORBIDDEN', { message: 'Log in again to attach photos.' });
  return keepPicture(ctx, owner.id, file);
}

/** Attaches pictures to an entry. Throws NOT_FOUND for one that is used already or not the user's. */
export async function hangPictures(
  tx: Transaction,
  ownerId: string,
  entryId: string,
  ids: readonly string[],
): Promise<void> {
  for (const [position, id] of [...new Set(ids)].entries()) {
    const hung = await tx.query
      .updateTable('case_pictures')
      .set({ entry_id: entryId, position })
      .where('id', '=', id)
      .where('owner_id', '=', ownerId)
      .where('entry_id', 'is', null)
      .executeTakeFirst();
    if (hung.numUpdatedRows !== 1n) throw new AppError('NOT_FOUND');
  }
}

export async function picturesOf(db: Executor, entryIds: readonly string[]): Promise<Map<string, KeptPicture[]>> {
  const of = new Map<string, KeptPicture[]>();
  if (entryIds.length === 0) return of;
  const rows = await db.query
    .selectFrom('case_pictures')
    .select(['id', 'entry_id', 'width', 'height'])
    .where('entry_id', 'in', [...entryIds])
    .orderBy('position')
    .execute();
  for (const { entry_id: entryId, ...picture } of rows)
    if (entryId !== null) of.set(entryId, [...(of.get(entryId) ?? []), picture]);
  return of;
}

/** Opens one of the caller's pictures. Throws NOT_FOUND. */
export async function openOwnPicture(ctx: Context, actor: Actor, id: string): Promise<FileAnswer> {
  const row = await ctx.db.query
    .selectFrom('case_pictures')
    .select(['file_key', 'owner_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row?.owner_id !== actor.userId) throw new AppError('NOT_FOUND');
  return openSealed(ctx, row.file_key, { name: `${id}.jpg`, type: 'image/jpeg' });
}

const UNUSED: Statement = {
  name: 'cases-forget-pictures',
  text: `delete from case_pictures where id in (select id from case_pictures where entry_id is null and taken_at < $1 order by id limit $2 for update)
    returning file_key as key`,
};
const OF_OWNER: Statement = {
  name: 'cases-closing-pictures',
  text: `delete from case_pictures where id in (select id from case_pictures where owner_id = $1 order by id limit $2 for update)
    returning file_key as key`,
};
const NAMED: Statement = {
  name: 'cases-pictures-named',
  text: 'select file_key as key from case_pictures where file_key = any ($1::text[])',
};

/** Deletes files before rows, so that a run after an interruption finds them again. */
async function takeAway(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  which: Statement,
  of: string | Date,
  signal?: AbortSignal,
): Promise<void> {
  for (let count = AT_ONCE; count === AT_ONCE; ) {
    signal?.throwIfAborted();
    count = await db.transaction(async (tx) => {
      const gone = await tx.run<{ key: string }>(which, [of, AT_ONCE]);
      for (const { key } of gone) await storage.remove(key);
      return gone.length;
    });
  }
}

export const forgetPicturesOf = (
  ctx: Pick<Context, 'db' | 'storage'>,
  ownerId: string,
  signal: AbortSignal | undefined,
): Promise<void> => takeAway(ctx, OF_OWNER, ownerId, signal);

export async function forgetUnused(ctx: Context): Promise<void> {
  await takeAway(ctx, UNUSED, new Date(ctx.clock.now().getTime() - DAY_MS));
  await ctx.db.query.deleteFrom('case_looks').where('until', '<', ctx.clock.now()).execute();
  await forgetContacts(ctx);
  await forgetProfiles(ctx);
  await removeLeft(ctx, CASE_FILES, async (keys) => {
    const named = await ctx.db.run<{ key: string }>(NAMED, [keys]);
    return new Set([...named.map(({ key }) => key), ...(await keptAmong(ctx.db, keys))]);
  });
}

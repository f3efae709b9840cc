/** Pictures that people send along: verified by what they are, made plain, sealed, and kept where no address leads. */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import type { FileAnswer } from '@stagedoor/contract/atoms/route.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import type { Actor } from '../../kernel/session.ts';
import { provenBlocked } from '../accounts/index.ts';
import { type PictureForm, plainPicture } from '../media/index.ts';
import { forgetContacts } from './copyright/store.ts';
import { forgetProfiles } from './profiles.ts';
import { openSealed, putSealed } from './sealed.ts';

const FOLDER = 'cases';
const DAY_MS = 24 * 60 * 60_000;
/** So many that nobody sent on. */
const UNUSED_MOST = 20;

export type KeptPicture = { id: string; width: number; height: number };

/** Keeps a picture of somebody's for what they write next. Throws UNSUPPORTED_TYPE, VALIDATION or CONFLICT with a sentence. */
export async function keepPicture(ctx: Context, ownerId: string, file: Buffer | undefined): Promise<KeptPicture> {
  if (!file || file.length === 0) throw invalid('file', 'Please choose a picture.');
  const { content, width, height } = await plainPicture(file);
  if (Math.min(width, height) < CASES.leastPixels) throw invalid('file', 'This picture is too small to see anything.');
  const { count } = await ctx.db.query
    .selectFrom('case_pictures')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('entry_id', 'is', null)
    .executeTakeFirstOrThrow();
  if (count >= UNUSED_MOST)
    throw invalid('file', 'You have handed in many pictures that you did not send. Please try again tomorrow.');
  const id = newId(ctx.clock);
  const key = `${FOLDER}/${ownerId}/${id}`;
  await putSealed(ctx, key, content);
  await ctx.db.query
    .insertInto('case_pictures')
    .values({ id, owner_id: ownerId, file_key: key, width, height, taken_at: ctx.clock.now() })
    .execute();
  return { id, width, height };
}

/**
 * The same of who cannot log in, and proves who they are. Throws FORBIDDEN for everybody else, before the picture is looked at.
 */
export async function keepPictureOfBlocked(ctx: Context, { file, fields }: PictureForm): Promise<KeptPicture> {
  const owner = await provenBlocked(ctx, fields.get('proof') ?? '');
  if (!owner)
    throw new AppError('FORBIDDEN', { message: 'Please log in once more: then you can send pictures along again.' });
  return keepPicture(ctx, owner.id, file);
}

/** Hangs own, unused pictures to what was just written. Throws NOT_FOUND for any other. */
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

/** The pictures of what was written, by entry. */
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

/** A picture of the actor's own. Throws NOT_FOUND. */
export async function openOwnPicture(ctx: Context, actor: Actor, id: string): Promise<FileAnswer> {
  const row = await ctx.db.query
    .selectFrom('case_pictures')
    .select(['file_key', 'owner_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row?.owner_id !== actor.userId) throw new AppError('NOT_FOUND');
  return openSealed(ctx, row.file_key, { name: `${id}.jpg`, type: 'image/jpeg' });
}

/** A picture of a case, for operators. Throws NOT_FOUND. */
export async function openCasePicture(ctx: Context, caseId: string, id: string): Promise<FileAnswer> {
  const row = await ctx.db.query
    .selectFrom('case_pictures as p')
    .innerJoin('case_entries as e', 'e.id', 'p.entry_id')
    .select('p.file_key')
    .where('p.id', '=', id)
    .where('e.case_id', '=', caseId)
    .executeTakeFirst();
  if (!row) throw new AppError('NOT_FOUND');
  return openSealed(ctx, row.file_key, { name: `${id}.jpg`, type: 'image/jpeg' });
}

/** Lets go of what nobody sent on within a day, of looks that are over, and of profiles and ways to reach somebody of what ended long ago. */
export async function forgetUnused(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - DAY_MS);
  const gone = await ctx.db.query
    .deleteFrom('case_pictures')
    .where('entry_id', 'is', null)
    .where('taken_at', '<', before)
    .returning('file_key')
    .execute();
  for (const { file_key: key } of gone) await ctx.storage.remove(key);
  await ctx.db.query.deleteFrom('case_looks').where('until', '<', ctx.clock.now()).execute();
  await forgetContacts(ctx);
  await forgetProfiles(ctx);
}

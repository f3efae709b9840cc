/**
 * A user can change a profile at any time, and removed parts may have to be restored, so reports and removals store a
 * snapshot.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { FileAnswer } from '@stagedoor/contract/atoms/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { keptMs } from '../../kernel/retention.ts';
import { readPortrait } from '../media/index.ts';
import { readShown, type ShownProfile, shownProfile } from '../profiles/index.ts';
import { CASE_FILES, openSealed, putSealed, readSealed } from './sealed.ts';

const PICTURES = ['avatar', 'cover'] as const;
export type ProfilePicture = (typeof PICTURES)[number];
/** Limits how much storage profile changes between reports can use. */
const MOST = 20;
const AT_ONCE = 100;

const keptShape = z.object({ profile: shownProfile, pictures: z.array(z.enum(PICTURES)) });
export type KeptProfile = z.infer<typeof keptShape> & { id: string; at: Date };
type HungProfile = KeptProfile & { caseId: string };

const keyOf = (id: string, which: ProfilePicture) => `${CASE_FILES}/profiles/${id}/${which}`;
const idOf = (key: string) => /^\w+\/profiles\/([^/]+)\/\w+$/.exec(key)?.[1];

async function copyProfile(ctx: Context, personId: string): Promise<KeptProfile | undefined> {
  const profile = await readShown(ctx.db, personId);
  if (!profile) return undefined;
  const kept: KeptProfile = { id: newId(ctx.clock), at: ctx.clock.now(), profile, pictures: [] };
  const sources = { avatar: profile.avatarKey === null ? null : { key: profile.avatarKey }, cover: profile.cover };
  for (const which of PICTURES) {
    const source = sources[which];
    const content = source === null ? undefined : await readPortrait(ctx, source);
    if (!content) continue;
    await putSealed(ctx, keyOf(kept.id, which), content);
    kept.pictures.push(which);
  }
  return kept;
}

async function dropProfile({ storage }: Pick<Context, 'storage'>, { id }: Pick<KeptProfile, 'id'>) {
  for (const which of PICTURES) await storage.remove(keyOf(id, which));
}

async function hang(tx: Transaction, caseId: string, { id, at, profile, pictures }: KeptProfile): Promise<void> {
  const shown = JSON.stringify({ profile, pictures });
  await tx.query.insertInto('case_profiles').values({ id, case_id: caseId, at, shown }).execute();
}

/** Attaches a copy, unless it equals the latest one or exceeds the limit. Returns whether it did. */
export async function hangProfile(tx: Transaction, caseId: string, copy: KeptProfile): Promise<boolean> {
  const known = await keptProfiles(tx, caseId);
  if (known.length >= MOST || isDeepStrictEqual(known.at(-1)?.profile, copy.profile)) return false;
  await hang(tx, caseId, copy);
  return true;
}

/** Attaches the copy from which removed parts are restored. Throws CONFLICT when the profile has changed since. */
export async function hangTaken(tx: Transaction, caseId: string, personId: string, copy: KeptProfile): Promise<void> {
  if (!isDeepStrictEqual(await readShown(tx, personId), copy.profile))
    throw new AppError('CONFLICT', { message: 'They just changed it. Reload and check again.' });
  await hang(tx, caseId, copy);
}

/** Runs the work with a copy of the profile, and deletes the copy unless it was attached. */
export async function withCopy<T>(
  ctx: Context,
  personId: string | undefined,
  work: (copy: KeptProfile | undefined) => Promise<{ answer: T; isHung: boolean }>,
): Promise<T> {
  const copy = personId === undefined ? undefined : await copyProfile(ctx, personId);
  let isHung = false;
  try {
    const done = await work(copy);
    isHung = done.isHung;
    return done.answer;
  } finally {
    if (copy && !isHung) await dropProfile(ctx, copy);
  }
}

/** Returns the oldest snapshots first. */
export async function keptProfiles(db: Executor, ...caseIds: readonly string[]): Promise<HungProfile[]> {
  const rows = await db.query
    .selectFrom('case_profiles')
    .selectAll()
    .where('case_id', 'in', [...caseIds])
    .orderBy('id')
    .execute();
  return rows.map(({ id, at, case_id: caseId, shown }) => ({ id, at, caseId, ...z.parse(keptShape, shown) }));
}

export async function findKept(db: Executor, id: string): Promise<ShownProfile | undefined> {
  const row = await db.query.selectFrom('case_profiles').select('shown').where('id', '=', id).executeTakeFirst();
  return row && z.parse(keptShape, row.shown).profile;
}

export function readKeptPicture(ctx: Context, id: string, which: ProfilePicture): Promise<Buffer | undefined> {
  return readSealed(ctx, keyOf(id, which));
}

/** Opens a picture for operators who may read the case. Throws NOT_FOUND. */
export async function openKeptPicture(
  ctx: Context,
  { id: caseId, profileId, which }: { id: string; profileId: string; which: ProfilePicture },
): Promise<FileAnswer> {
  const kept = (await keptProfiles(ctx.db, caseId)).find(({ id }) => id === profileId);
  if (!kept?.pictures.includes(which)) throw new AppError('NOT_FOUND');
  return openSealed(ctx, keyOf(profileId, which), { name: `${profileId}.webp`, type: 'image/webp' });
}

const KEPT: Statement = { name: 'cases-kept-among', text: 'select id from case_profiles where id = any ($1::uuid[])' };

export async function keptAmong(db: Executor, keys: readonly string[]): Promise<string[]> {
  const ids = keys.map(idOf).filter((id) => id !== undefined);
  const kept = new Set((await db.run<{ id: string }>(KEPT, [ids.filter(isId)])).map(({ id }) => id));
  return keys.filter((key) => kept.has(idOf(key) ?? ''));
}

const FORGET: Statement = {
  name: 'cases-forget-profiles',
  text: `delete from case_profiles where id in (select p.id from case_profiles p join cases c on c.id = p.case_id
    where c.state = 'closed' and c.closed_at < $1 limit $2) returning id`,
};

export async function forgetProfiles(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - keptMs('reportedProfile'));
  for (let count = AT_ONCE; count === AT_ONCE; ) {
    const gone = await ctx.db.run<{ id: string }>(FORGET, [before, AT_ONCE]);
    for (const one of gone) await dropProfile(ctx, one);
    count = gone.length;
  }
}

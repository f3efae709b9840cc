/**
 * A user can change a profile at any time, and removed parts may have to be restored, so reports and removals store a
 * snapshot.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { FileResponse } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import { getRetentionMs } from '../../../platform/retention.ts';
import { readProfilePicture } from '../../content/media/index.ts';
import { loadProfileContent, type ProfileContent, profileContent } from '../../content/profiles/index.ts';
import { CASE_FILES, openEncryptedFile, readEncrypted, storeEncrypted } from './evidence-files.ts';
import * as texts from './texts.ts';

const PICTURES = ['avatar', 'cover'] as const;
export type ProfilePicture = (typeof PICTURES)[number];
/** Limits how much storage profile changes between reports can use. */
const MAX_SNAPSHOTS = 20;
const BATCH_SIZE = 100;

const snapshotSchema = z.object({ profile: profileContent, pictures: z.array(z.enum(PICTURES)) });
export type ProfileSnapshot = z.infer<typeof snapshotSchema> & { id: string; at: Date };
type CaseProfileSnapshot = ProfileSnapshot & { caseId: string };

const toPictureKey = (id: string, pictureKind: ProfilePicture) => `${CASE_FILES}/profiles/${id}/${pictureKind}`;
const parseSnapshotId = (key: string) => /^\w+\/profiles\/([^/]+)\/\w+$/.exec(key)?.[1];

async function createSnapshot(ctx: Context, userId: string): Promise<ProfileSnapshot | undefined> {
  const profile = await loadProfileContent(ctx.db, userId);
  if (!profile) return undefined;
  const snapshot: ProfileSnapshot = { id: createId(ctx.clock), at: ctx.clock.now(), profile, pictures: [] };
  const sources = { avatar: profile.avatarKey === null ? null : { key: profile.avatarKey }, cover: profile.cover };
  for (const pictureKind of PICTURES) {
    const source = sources[pictureKind];
    const content = source === null ? undefined : await readProfilePicture(ctx, source);
    if (!content) continue;
    await storeEncrypted(ctx, toPictureKey(snapshot.id, pictureKind), content);
    snapshot.pictures.push(pictureKind);
  }
  return snapshot;
}

async function deleteSnapshotFiles({ storage }: Pick<Context, 'storage'>, { id }: Pick<ProfileSnapshot, 'id'>) {
  for (const pictureKind of PICTURES) await storage.remove(toPictureKey(id, pictureKind));
}

async function insertSnapshot(
  tx: DbTransaction,
  caseId: string,
  { id, at, profile, pictures }: ProfileSnapshot,
): Promise<void> {
  const snapshot = JSON.stringify({ profile, pictures });
  await tx.query.insertInto('case_profile_snapshots').values({ id, case_id: caseId, at, snapshot }).execute();
}

/** Attaches a copy, unless it equals the latest one or exceeds the limit. Returns whether it did. */
export async function attachProfile(tx: DbTransaction, caseId: string, copy: ProfileSnapshot): Promise<boolean> {
  const existing = await listProfileSnapshots(tx, caseId);
  if (existing.length >= MAX_SNAPSHOTS || isDeepStrictEqual(existing.at(-1)?.profile, copy.profile)) return false;
  await insertSnapshot(tx, caseId, copy);
  return true;
}

/** Attaches the copy from which removed parts are restored. Throws CONFLICT when the profile has changed since. */
export async function attachRemovedProfile(
  tx: DbTransaction,
  caseId: string,
  userId: string,
  copy: ProfileSnapshot,
): Promise<void> {
  if (!isDeepStrictEqual(await loadProfileContent(tx, userId), copy.profile))
    throw new AppError('CONFLICT', { message: texts.profileJustChangedError });
  await insertSnapshot(tx, caseId, copy);
}

/** Runs the work with a copy of the profile, and deletes the copy unless it was attached. */
export async function withProfileCopy<T>(
  ctx: Context,
  userId: string | undefined,
  work: (copy: ProfileSnapshot | undefined) => Promise<{ result: T; isAttached: boolean }>,
): Promise<T> {
  const copy = userId === undefined ? undefined : await createSnapshot(ctx, userId);
  let isAttached = false;
  try {
    const outcome = await work(copy);
    isAttached = outcome.isAttached;
    return outcome.result;
  } finally {
    if (copy && !isAttached) await deleteSnapshotFiles(ctx, copy);
  }
}

/** Returns the oldest snapshots first. */
export async function listProfileSnapshots(
  db: Executor,
  ...caseIds: readonly string[]
): Promise<CaseProfileSnapshot[]> {
  const rows = await db.query
    .selectFrom('case_profile_snapshots')
    .selectAll()
    .where('case_id', 'in', [...caseIds])
    .orderBy('id')
    .execute();
  return rows.map(({ id, at, case_id: caseId, snapshot }) => ({
    id,
    at,
    caseId,
    ...z.parse(snapshotSchema, snapshot),
  }));
}

export async function findSnapshotProfile(db: Executor, id: string): Promise<ProfileContent | undefined> {
  const row = await db.query
    .selectFrom('case_profile_snapshots')
    .select('snapshot')
    .where('id', '=', id)
    .executeTakeFirst();
  return row && z.parse(snapshotSchema, row.snapshot).profile;
}

export function readSnapshotPicture(
  ctx: Context,
  id: string,
  pictureKind: ProfilePicture,
): Promise<Buffer | undefined> {
  return readEncrypted(ctx, toPictureKey(id, pictureKind));
}

/** Opens a picture for operators who may read the case. Throws NOT_FOUND. */
export async function openSnapshotPicture(
  ctx: Context,
  { id: caseId, profileId, pictureKind }: { id: string; profileId: string; pictureKind: ProfilePicture },
): Promise<FileResponse> {
  const snapshot = (await listProfileSnapshots(ctx.db, caseId)).find(({ id }) => id === profileId);
  if (!snapshot?.pictures.includes(pictureKind)) throw new AppError('NOT_FOUND');
  return openEncryptedFile(ctx, toPictureKey(profileId, pictureKind), {
    name: `${profileId}.webp`,
    type: 'image/webp',
  });
}

const FIND_SNAPSHOTS: SqlStatement = {
  name: 'moderation-find-snapshots',
  text: 'select id from case_profile_snapshots where id = any ($1::uuid[])',
};

export async function findKnownSnapshotKeys(db: Executor, keys: readonly string[]): Promise<string[]> {
  const ids = keys.map(parseSnapshotId).filter((id) => id !== undefined);
  const knownIds = new Set((await db.run<{ id: string }>(FIND_SNAPSHOTS, [ids.filter(isId)])).map(({ id }) => id));
  return keys.filter((key) => knownIds.has(parseSnapshotId(key) ?? ''));
}

const DELETE_EXPIRED: SqlStatement = {
  name: 'moderation-forget-profiles',
  text: `delete from case_profile_snapshots where id in (select p.id from case_profile_snapshots p join cases c on c.id = p.case_id
    where c.state = 'closed' and c.closed_at < $1 limit $2) returning id`,
};

export async function deleteExpiredSnapshots(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - getRetentionMs('reportedProfile'));
  for (let count = BATCH_SIZE; count === BATCH_SIZE; ) {
    const deleted = await ctx.db.run<{ id: string }>(DELETE_EXPIRED, [before, BATCH_SIZE]);
    for (const snapshot of deleted) await deleteSnapshotFiles(ctx, snapshot);
    count = deleted.length;
  }
}

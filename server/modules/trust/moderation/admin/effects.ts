/**
 * The state of an account or of content is derived from all decisions in force, so that the longer of two blocks
 * applies and a reversal does not lift another decision's effect.
 */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { RESTRICTED_ACTIVITIES } from '@stagedoor/contract/shared/restrictions.ts';
import {
  PROFILE_PARTS,
  type ProfilePart,
  RESTRICTED_ACTIVITY_BY_ACTION,
} from '@stagedoor/contract/trust/case-kinds.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../../platform/database/db.ts';
import { defineJob } from '../../../../platform/jobs/jobs.ts';
import { setMediaTakenDown } from '../../../content/media/index.ts';
import { hidePost, unhidePost } from '../../../content/posts/index.ts';
import { restoreProfilePicture, restoreProfileText } from '../../../content/profiles/index.ts';
import {
  blockAccountInTx,
  findUser,
  finishBlocking,
  logUnblocking,
  restrictActivity,
  reverseBlock,
} from '../../../identity/accounts/index.ts';
import {
  restoreBroadcast,
  restoreMessage,
  setFilesTakenDown,
  takeDownBroadcast,
  takeDownMessage,
} from '../../../messaging/chat/index.ts';
import { formatDecision, parseMeasure } from '../appeals.ts';
import { affectsOneUser } from '../kinds.ts';
import { findSnapshotProfile, readSnapshotPicture } from '../profile-snapshots.ts';
import { type CaseDecisionRow, findCase } from '../store.ts';
import * as texts from '../texts.ts';
import { addCopies, notifyCopyOwners } from './duplicates.ts';

export type AfterCommit = () => Promise<void> | void;

export const undoDataSchema = z.object({
  mediaIds: z._default(z.array(z.string()), []),
  fileIds: z._default(z.array(z.string()), []),
  broadcastId: z._default(z.nullable(z.string()), null),
  parts: z._default(z.array(z.enum(PROFILE_PARTS)), []),
  profileId: z._default(z.nullable(z.string()), null),
});
export type UndoData = z.infer<typeof undoDataSchema>;
const EMPTY_UNDO_DATA: UndoData = { mediaIds: [], fileIds: [], broadcastId: null, parts: [], profileId: null };

async function listDecisionsInForce(tx: DbTransaction, now: Date, column: 'user_id' | 'subject_id', id: string) {
  return tx.query
    .selectFrom('case_decisions')
    .selectAll()
    .where(column, '=', id)
    .where('undone_at', 'is', null)
    .where((row) => row.or([row('until', 'is', null), row('until', '>', now)]))
    .execute();
}

/** A decision without an end lasts longest. */
function findLongest(decisions: readonly CaseDecisionRow[]): CaseDecisionRow | undefined {
  const getEnd = ({ until }: CaseDecisionRow) => until?.getTime() ?? Number.POSITIVE_INFINITY;
  return decisions.toSorted((a, b) => getEnd(b) - getEnd(a))[0];
}

const formatLoginMessage = (decision: CaseDecisionRow) =>
  formatText(texts.blockedLoginMessage, { decision: formatDecision(decision), reason: decision.reason });

async function applyBlockState(ctx: Context, tx: DbTransaction, userId: string, inForce: readonly CaseDecisionRow[]) {
  const block = findLongest(inForce.filter(({ action }) => action === 'block' || action === 'suspend'));
  if (!block) {
    const wasUnblocked = await reverseBlock(ctx, tx, userId);
    return (): void => void (wasUnblocked && logUnblocking(ctx, userId));
  }
  const reason = block.reason;
  const endedSessionIds = await blockAccountInTx(tx, userId, {
    reason,
    until: block.until,
    message: formatLoginMessage(block),
  });
  return (): void => finishBlocking(ctx, userId, endedSessionIds, reason);
}

export async function applyAccountState(
  ctx: Context,
  tx: DbTransaction,
  decision: CaseDecisionRow,
): Promise<AfterCommit> {
  const { user_id: userId } = decision;
  if (userId === null) return () => undefined;
  const action = parseMeasure(decision);
  // The lock makes the second of two concurrent decisions see the first.
  await findUser(tx, userId, { isLocked: true });
  const inForce = await listDecisionsInForce(tx, ctx.clock.now(), 'user_id', userId);
  if (action === 'block' || action === 'suspend') return applyBlockState(ctx, tx, userId, inForce);
  const activity = RESTRICTED_ACTIVITIES.find((other) => other === RESTRICTED_ACTIVITY_BY_ACTION[action]);
  if (activity) {
    const strictest = findLongest(inForce.filter((other) => other.action === action));
    await restrictActivity(tx, userId, activity, strictest?.until ?? null);
    return () => ctx.sessions.invalidate({ userIds: [userId] });
  }
  return () => undefined;
}

const isTakedown = ({ action }: CaseDecisionRow) => action === 'hide' || action === 'remove';

/** Returns the data for a reversal and the work after the commit. */
export async function takeDownContent(
  ctx: Context,
  tx: DbTransaction,
  { subject, subjectId }: { subject: string | null; subjectId: string | null },
  undoData: Partial<UndoData> = {},
): Promise<{ undo: UndoData; after: AfterCommit }> {
  const takenDown = { ...EMPTY_UNDO_DATA, ...undoData };
  await setMediaTakenDown(ctx, tx, takenDown.mediaIds, true);
  await setFilesTakenDown(ctx, tx, takenDown.fileIds, true);
  if (takenDown.broadcastId !== null) await takeDownBroadcast(ctx, tx, takenDown.broadcastId);
  const undo = takenDown;
  if (subjectId === null) return { undo, after: () => undefined };
  if (subject === 'post') await hidePost(ctx, tx, subjectId);
  return { undo, after: subject === 'message' ? await takeDownMessage(ctx, tx, subjectId) : () => undefined };
}

const LIST_HELD: SqlStatement = {
  name: 'moderation-held-media',
  text: `select m.id from unnest($1::text[]) m (id) where exists (select from case_decisions d
    where d.action = 'remove' and d.undone_at is null and d.undo -> 'mediaIds' @> to_jsonb(m.id))`,
};

async function restoreChat(
  ctx: Context,
  tx: DbTransaction,
  undone: CaseDecisionRow,
  undoData: UndoData,
): Promise<void> {
  if (undoData.fileIds.length === 0 && undoData.broadcastId === null) return;
  // One user sent all of them, so only decisions about that user cover them.
  const others = await tx.query
    .selectFrom('case_decisions')
    .select('undo')
    .where('user_id', '=', undone.user_id)
    .where('action', '=', 'remove')
    .where('undone_at', 'is', null)
    .execute();
  const stillCovered = others.map(({ undo }) => z.parse(undoDataSchema, undo));
  const released = undoData.fileIds.filter((id) => stillCovered.every(({ fileIds }) => !fileIds.includes(id)));
  await setFilesTakenDown(ctx, tx, released, false);
  const { broadcastId } = undoData;
  if (broadcastId !== null && stillCovered.every((other) => other.broadcastId !== broadcastId))
    await restoreBroadcast(tx, broadcastId);
}

/** Runs after the commit. */
export const restorePicturesJob = defineJob(
  'moderation.restorePictures',
  z.object({ userId: z.string(), profileId: z.string(), pictures: z.array(z.enum(['avatar', 'cover'])) }),
);
export async function restorePictures(
  ctx: Context,
  { userId, profileId, pictures }: z.infer<typeof restorePicturesJob.payload>,
): Promise<void> {
  for (const pictureKind of pictures) {
    const file = await readSnapshotPicture(ctx, profileId, pictureKind);
    if (file) await restoreProfilePicture(ctx, userId, pictureKind, file);
  }
}

/** Restores parts of a profile. Parts that the user has replaced stay. */
async function restoreProfile(
  ctx: Context,
  tx: DbTransaction,
  undone: CaseDecisionRow,
  undoData: UndoData,
): Promise<void> {
  const { parts, profileId } = undoData;
  const { user_id: userId } = undone;
  if (userId === null || profileId === null || (await findUser(tx, userId))?.is_erasing !== false) return;
  const others = (await listDecisionsInForce(tx, ctx.clock.now(), 'subject_id', userId)).filter(isTakedown);
  const stillCovered = others.flatMap(({ undo }) => z.parse(undoDataSchema, undo).parts);
  const released = (part: ProfilePart) => parts.includes(part) && !stillCovered.includes(part);
  const snapshot = await findSnapshotProfile(tx, profileId);
  if (snapshot && released('text')) await restoreProfileText(tx, userId, snapshot);
  const pictures = (['avatar', 'cover'] as const).filter(released);
  if (pictures.length > 0) await ctx.jobs.add(tx, restorePicturesJob, { userId, profileId, pictures });
}

/** Restores content, unless another decision covers it. `undone` must already be marked as reversed. */
export async function restoreContent(ctx: Context, tx: DbTransaction, undone: CaseDecisionRow): Promise<AfterCommit> {
  const { subject, subject_id: subjectId } = undone;
  const undoData = z.parse(undoDataSchema, undone.undo);
  if (undoData.mediaIds.length > 0) {
    const row = await findCase(tx, undone.case_id);
    const isForOneUser = row !== undefined && affectsOneUser(row.kind);
    // Later copies were taken down for the same reason. A decision that covers a file also covers its copies.
    const all = await addCopies(tx, undoData.mediaIds, isForOneUser ? undone.user_id : undefined);
    const stillCovered = (await tx.run<{ id: string }>(LIST_HELD, [all])).map(({ id }) => id);
    const stillRemoved = isForOneUser ? stillCovered : await addCopies(tx, stillCovered);
    const released = all.filter((id) => !stillRemoved.includes(id));
    await setMediaTakenDown(ctx, tx, released, false);
    const reason = undone.undo_reason ?? '';
    if (!isForOneUser)
      await notifyCopyOwners(ctx, tx, released, { exceptUserId: undone.user_id, reason, isRestored: true });
  }
  await restoreChat(ctx, tx, undone, undoData);
  await restoreProfile(ctx, tx, undone, undoData);
  if (subjectId === null) return () => undefined;
  const inForce = await listDecisionsInForce(tx, ctx.clock.now(), 'subject_id', subjectId);
  if (inForce.some(isTakedown)) return () => undefined;
  if (subject === 'message') return restoreMessage(ctx, tx, subjectId);
  if (subject === 'post') await unhidePost(tx, subjectId);
  return () => undefined;
}

/**
 * The state of an account or of content is derived from all decisions in force, so that the longer of two blocks
 * applies and a reversal does not lift another decision's effect.
 */
import { ACTIVITIES } from '@stagedoor/contract/atoms/activities.ts';
import { ACTIVITY_OF, PROFILE_PARTS, type ProfilePart } from '@stagedoor/contract/case-kinds.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import type { Statement, Transaction } from '../../../kernel/db.ts';
import { job } from '../../../kernel/jobs.ts';
import {
  afterBlocking,
  afterUnblocking,
  blockWithin,
  findUser,
  keepFrom,
  takeBlockBack,
} from '../../accounts/index.ts';
import { hideMessage, showBroadcast, showMessage, withholdBroadcast, withholdFiles } from '../../chat/index.ts';
import { withholdMedia } from '../../media/index.ts';
import { hidePost, showPost } from '../../posts/index.ts';
import { givePictureBack, giveWordsBack } from '../../profiles/index.ts';
import { measureOf, wordsOf } from '../appeals.ts';
import { findNotice } from '../copyright/store.ts';
import { findKept, readKeptPicture } from '../profiles.ts';
import type { DecisionRow } from '../store.ts';
import { tellOwners, withCopies } from './copies.ts';

export type After = () => Promise<void> | void;

export const undoFacts = z.object({
  mediaIds: z._default(z.array(z.string()), []),
  fileIds: z._default(z.array(z.string()), []),
  broadcastId: z._default(z.nullable(z.string()), null),
  parts: z._default(z.array(z.enum(PROFILE_PARTS)), []),
  profileId: z._default(z.nullable(z.string()), null),
});
export type UndoFacts = z.infer<typeof undoFacts>;
const NOTHING_HELD: UndoFacts = { mediaIds: [], fileIds: [], broadcastId: null, parts: [], profileId: null };

async function standingWhere(tx: Transaction, now: Date, column: 'person_id' | 'subject_id', id: string) {
  return tx.query
    .selectFrom('case_decisions')
    .selectAll()
    .where(column, '=', id)
    .where('undone_at', 'is', null)
    .where((row) => row.or([row('until', 'is', null), row('until', '>', now)]))
    .execute();
}

/** A decision without an end lasts longest. */
function longest(decisions: readonly DecisionRow[]): DecisionRow | undefined {
  const endOf = ({ until }: DecisionRow) => until?.getTime() ?? Number.POSITIVE_INFINITY;
  return decisions.toSorted((a, b) => endOf(b) - endOf(a))[0];
}

const loginWords = (decision: DecisionRow) =>
  `${wordsOf(decision)} ${decision.ground} If you think this is a mistake, contact us.`;

async function settleBlock(ctx: Context, tx: Transaction, personId: string, standing: readonly DecisionRow[]) {
  const block = longest(standing.filter(({ act }) => act === 'block' || act === 'suspend'));
  if (!block) {
    const isLetIn = await takeBlockBack(ctx, tx, personId);
    return (): void => void (isLetIn && afterUnblocking(ctx, personId));
  }
  const reason = block.ground;
  const ended = await blockWithin(tx, personId, { reason, until: block.until, words: loginWords(block) });
  return (): void => afterBlocking(ctx, personId, ended, reason);
}

export async function settlePerson(ctx: Context, tx: Transaction, decision: DecisionRow): Promise<After> {
  const { person_id: personId } = decision;
  if (personId === null) return () => undefined;
  const act = measureOf(decision);
  // The lock makes the second of two concurrent decisions see the first.
  await findUser(tx, personId, { isLocked: true });
  const standing = await standingWhere(tx, ctx.clock.now(), 'person_id', personId);
  if (act === 'block' || act === 'suspend') return settleBlock(ctx, tx, personId, standing);
  const activity = ACTIVITIES.find((one) => one === ACTIVITY_OF[act]);
  if (activity) {
    const holds = longest(standing.filter((one) => one.act === act));
    await keepFrom(tx, personId, activity, holds?.until ?? null);
    return () => ctx.sessions.forget({ userIds: [personId] });
  }
  return () => undefined;
}

const isOfThing = ({ act }: DecisionRow) => act === 'hide' || act === 'remove';

/** Returns the data for a reversal and the work after the commit. */
export async function takeThing(
  ctx: Context,
  tx: Transaction,
  { subject, subjectId }: { subject: string | null; subjectId: string | null },
  taken: Partial<UndoFacts> = {},
): Promise<{ undo: UndoFacts; after: After }> {
  const withheld = { ...NOTHING_HELD, ...taken };
  await withholdMedia(ctx, tx, withheld.mediaIds, true);
  await withholdFiles(ctx, tx, withheld.fileIds, true);
  if (withheld.broadcastId !== null) await withholdBroadcast(ctx, tx, withheld.broadcastId);
  const undo = withheld;
  if (subjectId === null) return { undo, after: () => undefined };
  if (subject === 'post') await hidePost(ctx, tx, subjectId);
  return { undo, after: subject === 'message' ? await hideMessage(ctx, tx, subjectId) : () => undefined };
}

const HELD: Statement = {
  name: 'cases-held-media',
  text: `select m.id from unnest($1::text[]) m (id) where exists (select from case_decisions d
    where d.act = 'remove' and d.undone_at is null and d.undo -> 'mediaIds' @> to_jsonb(m.id))`,
};

async function giveChatBack(ctx: Context, tx: Transaction, undone: DecisionRow, facts: UndoFacts): Promise<void> {
  if (facts.fileIds.length === 0 && facts.broadcastId === null) return;
  // One user sent all of them, so only decisions about that user cover them.
  const others = await tx.query
    .selectFrom('case_decisions')
    .select('undo')
    .where('person_id', '=', undone.person_id)
    .where('act', '=', 'remove')
    .where('undone_at', 'is', null)
    .execute();
  const held = others.map(({ undo }) => z.parse(undoFacts, undo));
  const free = facts.fileIds.filter((id) => held.every(({ fileIds }) => !fileIds.includes(id)));
  await withholdFiles(ctx, tx, free, false);
  const { broadcastId } = facts;
  if (broadcastId !== null && held.every((one) => one.broadcastId !== broadcastId))
    await showBroadcast(tx, broadcastId);
}

/** Runs after the commit. */
export const picturesBackJob = job(
  'cases.givePicturesBack',
  z.object({ personId: z.string(), profileId: z.string(), pictures: z.array(z.enum(['avatar', 'cover'])) }),
);
export async function givePicturesBack(
  ctx: Context,
  { personId, profileId, pictures }: z.infer<typeof picturesBackJob.payload>,
): Promise<void> {
  for (const which of pictures) {
    const file = await readKeptPicture(ctx, profileId, which);
    if (file) await givePictureBack(ctx, personId, which, file);
  }
}

/** Restores parts of a profile. Parts that the user has replaced stay. */
async function giveProfileBack(ctx: Context, tx: Transaction, undone: DecisionRow, facts: UndoFacts): Promise<void> {
  const { parts, profileId } = facts;
  const { person_id: personId } = undone;
  if (personId === null || profileId === null || (await findUser(tx, personId))?.is_erasing !== false) return;
  const others = (await standingWhere(tx, ctx.clock.now(), 'subject_id', personId)).filter(isOfThing);
  const held = others.flatMap(({ undo }) => z.parse(undoFacts, undo).parts);
  const free = (part: ProfilePart) => parts.includes(part) && !held.includes(part);
  const kept = await findKept(tx, profileId);
  if (kept && free('words')) await giveWordsBack(tx, personId, kept);
  const pictures = (['avatar', 'cover'] as const).filter(free);
  if (pictures.length > 0) await ctx.jobs.add(tx, picturesBackJob, { personId, profileId, pictures });
}

/** Restores content, unless another decision covers it. `undone` must already be marked as reversed. */
export async function giveThingBack(ctx: Context, tx: Transaction, undone: DecisionRow): Promise<After> {
  const { subject, subject_id: subjectId } = undone;
  const facts = z.parse(undoFacts, undone.undo);
  if (facts.mediaIds.length > 0) {
    // A copyright notice removed only the copies of one user.
    const isOfOne = (await findNotice(tx, undone.case_id)) !== undefined;
    // Later copies were taken down for the same reason. A decision that covers a file also covers its copies.
    const all = await withCopies(tx, facts.mediaIds, isOfOne ? undone.person_id : undefined);
    const held = (await tx.run<{ id: string }>(HELD, [all])).map(({ id }) => id);
    const kept = isOfOne ? held : await withCopies(tx, held);
    const free = all.filter((id) => !kept.includes(id));
    await withholdMedia(ctx, tx, free, false);
    const ground = undone.undo_ground ?? '';
    if (!isOfOne) await tellOwners(ctx, tx, free, { personId: undone.person_id, ground, isBack: true });
  }
  await giveChatBack(ctx, tx, undone, facts);
  await giveProfileBack(ctx, tx, undone, facts);
  if (subjectId === null) return () => undefined;
  const standing = await standingWhere(tx, ctx.clock.now(), 'subject_id', subjectId);
  if (standing.some(isOfThing)) return () => undefined;
  if (subject === 'message') return showMessage(ctx, tx, subjectId);
  if (subject === 'post') await showPost(tx, subjectId);
  return () => undefined;
}

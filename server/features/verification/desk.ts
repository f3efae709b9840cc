import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, BodyOf, FileAnswer, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import {
  DOCUMENT_TYPES,
  type DocumentKind,
  type decideVerification,
  type listVerifications,
  type readVerification,
  VERIFICATION_WORDS,
  VERIFIED_WORDS,
  type VerificationDetails,
  type VerificationStatus,
} from '@stagedoor/contract/verification.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { pageOf, skipOf } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import { findPeople, requireUser } from '../accounts/index.ts';
import { lastDone, noteAct } from '../audit/index.ts';
import { verifyName } from '../profiles/index.ts';
import { decisionMail } from './mails.ts';
import { openPicture } from './pictures.ts';
import { presentStanding } from './present.ts';
import * as store from './store.ts';

const STATUS_OF = { verify: 'verified', fail: 'failed', decline: 'declined' } as const satisfies Record<
  BodyOf<typeof decideVerification>['decision'],
  VerificationStatus
>;

export async function listQueue(
  ctx: Context,
  { limit, offset, status }: QueryOf<typeof listVerifications>,
): Promise<AnswerOf<typeof listVerifications>> {
  const skip = skipOf(offset);
  const { rows, total } = await store.listByStatus(ctx.db, status, { limit, skip });
  const people = await findPeople(
    ctx.db,
    rows.map((row) => row.creator_id),
  );
  const data = rows.flatMap((row) => {
    const person = people.get(row.creator_id);
    if (!person) return [];
    return {
      creator: { id: row.creator_id, username: person.username, name: person.name },
      status,
      submittedAt: row.submitted_at?.toISOString() ?? null,
      answerBy: row.answer_by?.toISOString() ?? null,
      decidedAt: row.decided_at?.toISOString() ?? null,
    };
  });
  return pageOf(data, { limit, skip, total });
}

/** Throws NOT_FOUND when nothing was submitted. */
async function accessStanding(ctx: Context, creatorId: string): Promise<store.Standing> {
  const standing = await store.readStanding(ctx.db, ctx.config, creatorId);
  if (standing.submittedAt === null) throw new AppError('NOT_FOUND');
  return standing;
}

const lookOf = (operatorId: string, creatorId: string) => ({
  operatorId,
  act: 'verification.look',
  subjectKind: 'creator',
  subjectId: creatorId,
});

function noteLook(ctx: Context, actor: Actor, creatorId: string, what: string): Promise<void> {
  return ctx.db.transaction((tx) => noteAct(ctx, tx, { ...lookOf(actor.userId, creatorId), facts: { what } }));
}

/** Throws CONFLICT when the documents were submitted again since the operator last viewed them. */
async function requireSeen(tx: Transaction, operatorId: string, { creatorId, submittedAt }: store.Standing) {
  const seenAt = await lastDone(tx, lookOf(operatorId, creatorId));
  if (seenAt && submittedAt && seenAt < submittedAt)
    throw new AppError('CONFLICT', { message: 'It was handed in anew since you looked. Please look at it again.' });
}

export async function look(ctx: Context, actor: Actor, creatorId: string): Promise<AnswerOf<typeof readVerification>> {
  const standing = await accessStanding(ctx, creatorId);
  await noteLook(ctx, actor, creatorId, 'details');
  const { id, username, name } = await requireUser(ctx.db, creatorId);
  return { creator: { id, username, name }, ...presentStanding(standing) };
}

async function* once(content: Buffer) {
  yield content;
}

export async function lookAtDocument(
  ctx: Context,
  actor: Actor,
  creatorId: string,
  kind: DocumentKind,
): Promise<FileAnswer> {
  const { documents } = await accessStanding(ctx, creatorId);
  const key = documents.get(kind)?.fileKey;
  if (!key) throw new AppError('NOT_FOUND');
  const content = await openPicture(ctx, key);
  await noteLook(ctx, actor, creatorId, kind);
  return { name: `${kind}.jpg`, type: 'image/jpeg', bytes: content.length, body: once(content) };
}

function nameOf(kind: DocumentKind, details: VerificationDetails | undefined): string {
  if (kind === 'selfie') return 'Selfie';
  const document = details ? DOCUMENT_TYPES[details.documentType] : 'Document';
  return kind === 'idBack' ? `${document}, back` : document;
}

async function tellDecision(
  ctx: Context,
  tx: Transaction,
  { creatorId, details }: store.Standing,
  status: VerificationStatus,
  rejected: readonly store.Rejected[],
): Promise<void> {
  const { username, email } = await requireUser(tx, creatorId);
  const reasons = rejected.map(({ kind, reason }) => `${nameOf(kind, details)}: ${reason}`);
  const words = VERIFICATION_WORDS[status] ?? VERIFIED_WORDS;
  await ctx.mailer.send(tx, decisionMail({ username, email }, ctx.config.publicUrl, words, reasons));
}

/**
 * Decides on a submission. Without an operator the decision comes from the admin CLI. Throws NOT_FOUND, CONFLICT if it
 * was decided already or names a missing picture.
 */
export async function decide(
  ctx: Context,
  operatorId: string | null,
  creatorId: string,
  { decision, rejected }: BodyOf<typeof decideVerification>,
): Promise<AnswerOf<typeof decideVerification>> {
  await accessStanding(ctx, creatorId);
  const status = STATUS_OF[decision];
  await ctx.db.transaction(async (tx) => {
    const standing = await store.lockStanding(tx, ctx.config, creatorId);
    if (standing.status !== 'submitted') throw new AppError('CONFLICT', { message: 'This was decided already.' });
    if (rejected.some(({ kind }) => !standing.documents.has(kind)))
      throw new AppError('CONFLICT', { message: 'There is no such picture.' });
    if (operatorId !== null) await requireSeen(tx, operatorId, standing);
    await store.markDecided(tx, creatorId, { status, rejected, operatorId, at: ctx.clock.now() });
    if (status === 'verified') await verifyName(ctx.clock, tx, creatorId);
    await tellDecision(ctx, tx, standing, status, rejected);
    await tx.emit('verification.changed', { creatorId, status, at: ctx.clock.now().toISOString() });
    await noteAct(ctx, tx, {
      operatorId,
      act: `verification.${decision}`,
      subjectKind: 'creator',
      subjectId: creatorId,
      facts: Object.fromEntries(rejected.map(({ kind, reason }) => [kind, reason])),
    });
  });
  ctx.security.note({ kind: 'operatorActed', userId: creatorId, detail: `verification ${decision}` });
  return presentStanding(await store.readStanding(ctx.db, ctx.config, creatorId));
}

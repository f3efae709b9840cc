import {
  DOCUMENT_TYPES,
  type DocumentKind,
  type decideVerification,
  type getAdminVerification,
  type listVerifications,
  VERIFICATION_MESSAGES,
  VERIFIED_MESSAGE,
  type VerificationDetails,
  type VerificationStatus,
} from '@stagedoor/contract/compliance/verification.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { BodyOf, FileResponse, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { parseSkip, toOffsetPage } from '../../../platform/database/pagination.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { verifyName } from '../../content/profiles/index.ts';
import { findUserSummaries, requireUser } from '../../identity/accounts/index.ts';
import { findOperatorActionAt, logAction } from '../../identity/audit-log/index.ts';
import { createDecisionMail } from './mails.ts';
import { readPicture } from './pictures.ts';
import { presentVerification } from './present.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const STATUS_BY_DECISION = { verify: 'verified', fail: 'failed', decline: 'declined' } as const satisfies Record<
  BodyOf<typeof decideVerification>['decision'],
  VerificationStatus
>;

export async function listVerificationQueue(
  ctx: Context,
  { limit, offset, status }: QueryOf<typeof listVerifications>,
): Promise<ResponseInputOf<typeof listVerifications>> {
  const skip = parseSkip(offset);
  const { rows, total } = await store.listByStatus(ctx.db, status, { limit, skip });
  const creatorsById = await findUserSummaries(
    ctx.db,
    rows.map((row) => row.creator_id),
  );
  const data = rows.flatMap((row) => {
    const creator = creatorsById.get(row.creator_id);
    if (!creator) return [];
    return {
      creator: { id: row.creator_id, username: creator.username, name: creator.name },
      status,
      submittedAt: row.submitted_at?.toISOString() ?? null,
      answerBy: row.answer_by?.toISOString() ?? null,
      decidedAt: row.decided_at?.toISOString() ?? null,
    };
  });
  return toOffsetPage(data, { limit, skip, total });
}

/** Throws NOT_FOUND when nothing was submitted. */
async function accessSubmitted(ctx: Context, creatorId: string): Promise<store.VerificationRecord> {
  const verification = await store.getVerificationRecord(ctx.db, ctx.config, creatorId);
  if (verification.submittedAt === null) throw new AppError('NOT_FOUND');
  return verification;
}

const toViewAction = (operatorId: string, creatorId: string) => ({
  operatorId,
  action: 'verification.view',
  subjectKind: 'creator',
  subjectId: creatorId,
});

type Viewer = { readonly userId: string };

function logView(ctx: Context, actor: Viewer, creatorId: string, part: string): Promise<void> {
  return ctx.db.transaction((tx) =>
    logAction(ctx, tx, { ...toViewAction(actor.userId, creatorId), details: { part } }),
  );
}

/** Throws CONFLICT unless the operator viewed the documents after they were last submitted. */
async function requireViewedLatest(
  tx: DbTransaction,
  operatorId: string,
  { creatorId, submittedAt }: store.VerificationRecord,
) {
  const viewedAt = await findOperatorActionAt(tx, toViewAction(operatorId, creatorId));
  if (!viewedAt) throw new AppError('CONFLICT', { message: texts.documentsNotViewed });
  if (submittedAt && viewedAt < submittedAt) throw new AppError('CONFLICT', { message: texts.newDocumentsSubmitted });
}

export async function viewVerification(
  ctx: Context,
  actor: Viewer,
  creatorId: string,
): Promise<ResponseInputOf<typeof getAdminVerification>> {
  const verification = await accessSubmitted(ctx, creatorId);
  await logView(ctx, actor, creatorId, 'details');
  const { id, username, name } = await requireUser(ctx.db, creatorId);
  return { creator: { id, username, name }, ...presentVerification(verification) };
}

async function* streamOnce(content: Buffer) {
  yield content;
}

export async function viewDocument(
  ctx: Context,
  actor: Actor,
  creatorId: string,
  kind: DocumentKind,
): Promise<FileResponse> {
  const { documents } = await accessSubmitted(ctx, creatorId);
  const key = documents.get(kind)?.fileKey;
  if (!key) throw new AppError('NOT_FOUND');
  const content = await readPicture(ctx, key);
  await logView(ctx, actor, creatorId, kind);
  return { name: `${kind}.jpg`, type: 'image/jpeg', bytes: content.length, body: streamOnce(content) };
}

function formatDocumentName(kind: DocumentKind, details: VerificationDetails | undefined): string {
  if (kind === 'selfie') return 'Selfie';
  const document = details ? DOCUMENT_TYPES[details.documentType] : 'Document';
  return kind === 'idBack' ? formatText(texts.documentBackSide, { document }) : document;
}

async function mailDecision(
  ctx: Context,
  tx: DbTransaction,
  { creatorId, details }: store.VerificationRecord,
  status: VerificationStatus,
  rejected: readonly store.RejectedDocument[],
): Promise<void> {
  const { username, email } = await requireUser(tx, creatorId);
  const reasons = rejected.map(({ kind, reason }) => `${formatDocumentName(kind, details)}: ${reason}`);
  const message = VERIFICATION_MESSAGES[status] ?? VERIFIED_MESSAGE;
  await ctx.mailer.send(tx, createDecisionMail({ username, email }, ctx.config.publicUrl, message, reasons));
}

/**
 * Decides on a submission. Without an operator the decision comes from the admin CLI. Throws NOT_FOUND, CONFLICT if it
 * was decided already or names a missing picture.
 */
export async function decideSubmission(
  ctx: Context,
  operatorId: string | null,
  creatorId: string,
  { decision, rejected }: BodyOf<typeof decideVerification>,
): Promise<ResponseInputOf<typeof decideVerification>> {
  await accessSubmitted(ctx, creatorId);
  const status = STATUS_BY_DECISION[decision];
  await ctx.db.transaction(async (tx) => {
    const verification = await store.lockVerification(tx, ctx.config, creatorId);
    if (verification.status !== 'submitted') throw new AppError('CONFLICT', { message: texts.alreadyDecided });
    if (rejected.some(({ kind }) => !verification.documents.has(kind)))
      throw new AppError('CONFLICT', { message: texts.noSuchPicture });
    if (operatorId !== null) await requireViewedLatest(tx, operatorId, verification);
    await store.markDecided(tx, creatorId, { status, rejected, operatorId, at: ctx.clock.now() });
    if (status === 'verified') await verifyName(ctx.clock, tx, creatorId);
    await mailDecision(ctx, tx, verification, status, rejected);
    await tx.emit('verification.changed', { creatorId, status, at: ctx.clock.now().toISOString() });
    await logAction(ctx, tx, {
      operatorId,
      action: `verification.${decision}`,
      subjectKind: 'creator',
      subjectId: creatorId,
      details: Object.fromEntries(rejected.map(({ kind, reason }) => [kind, reason])),
    });
  });
  ctx.security.note({ kind: 'operatorAction', userId: creatorId, detail: `verification ${decision}` });
  return presentVerification(await store.getVerificationRecord(ctx.db, ctx.config, creatorId));
}

import {
  type DocumentKind,
  getAdultDate,
  type getVerification,
  listRequiredDocuments,
  type signAgreement,
  VERIFICATION_MESSAGES,
  type VerificationDetails,
} from '@stagedoor/contract/compliance/verification.ts';
import { addBusinessDays } from '@stagedoor/contract/finance/business-days.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { VERIFICATION_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { agreement } from './agreement.ts';
import './events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { storeVerificationPicture } from './pictures.ts';
import { getLegalStatus, presentVerification } from './present.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

type VerificationResponse = ResponseInputOf<typeof getVerification>;

export async function getOwnVerification(ctx: Context, actor: Actor): Promise<VerificationResponse> {
  return presentVerification(await store.getVerificationRecord(ctx.db, ctx.config, actor.userId));
}

function throwConflict(message: string): never {
  throw new AppError('CONFLICT', { message });
}

function requireEditable({ status }: store.VerificationRecord): void {
  if (status === 'verified') throwConflict(texts.alreadyVerified);
  if (status === 'submitted') throwConflict(VERIFICATION_MESSAGES.submitted ?? '');
}

/** Unreferenced files are deleted after the commit. */
async function editVerification(
  ctx: Context,
  actor: Actor,
  edit: (tx: DbTransaction, verification: store.VerificationRecord) => Promise<readonly (string | null | undefined)[]>,
): Promise<VerificationResponse> {
  const unusedKeys = await ctx.db.transaction(async (tx) => {
    const verification = await store.lockVerification(tx, ctx.config, actor.userId);
    requireEditable(verification);
    return edit(tx, verification);
  });
  for (const key of unusedKeys) if (key) await ctx.storage.remove(key);
  return getOwnVerification(ctx, actor);
}

const normalizeName = (name: string) => name.normalize('NFKC').toLowerCase();

/** Throws VALIDATION for a creator who is under age, CONFLICT while under review or verified. */
export function updateDetails(ctx: Context, actor: Actor, details: VerificationDetails): Promise<VerificationResponse> {
  const today = ctx.clock.now().toISOString().slice(0, 10);
  if (details.dateOfBirth >= today) throw createFieldError('dateOfBirth', texts.checkDateOfBirth);
  if (getAdultDate(details.dateOfBirth) > today)
    throw createFieldError('dateOfBirth', formatText(texts.creatorsMinimumAge, { age: VERIFICATION_LIMITS.minAge }));
  return editVerification(ctx, actor, async (tx, { details: previous, documents }) => {
    await store.saveDetails(tx, ctx.config, actor.userId, details);
    // The signature was given under the former name, and the verified identity must be that of the signer.
    const isRenamed = previous !== undefined && normalizeName(previous.legalName) !== normalizeName(details.legalName);
    if (isRenamed) await store.deleteSignature(tx, actor.userId);
    if (isRenamed || previous?.dateOfBirth !== details.dateOfBirth) await store.reopenDocuments(tx, actor.userId);
    // Pictures of another document prove nothing, but the selfie stays valid.
    if (!previous || previous.documentType === details.documentType) return [];
    const removed = [...documents.values()].filter(({ kind }) => kind !== 'selfie');
    await store.deleteDocuments(
      tx,
      actor.userId,
      removed.map(({ kind }) => kind),
    );
    return removed.map(({ fileKey }) => fileKey);
  });
}

/**
 * Throws CONFLICT as above, or for a picture that is approved already or does not belong to this document, and the
 * errors of the picture.
 */
export async function uploadDocument(
  ctx: Context,
  actor: Actor,
  kind: DocumentKind,
  file: Buffer | undefined,
): Promise<VerificationResponse> {
  const requireAcceptable = ({ details, documents }: store.VerificationRecord) => {
    if (!details) throwConflict(texts.enterDetailsFirst);
    if (!listRequiredDocuments(details.documentType).includes(kind)) throwConflict(texts.photoNotNeeded);
    if (documents.get(kind)?.state === 'approved') throwConflict(texts.photoAlreadyAccepted);
  };
  // The check comes first because processing a picture is slow.
  const verification = await store.getVerificationRecord(ctx.db, ctx.config, actor.userId);
  requireEditable(verification);
  requireAcceptable(verification);
  const fileKey = await storeVerificationPicture(ctx, actor.userId, file);
  try {
    return await editVerification(ctx, actor, async (tx, current) => {
      requireAcceptable(current);
      await store.saveDocument(tx, actor.userId, { kind, fileKey, uploadedAt: ctx.clock.now() });
      return [current.documents.get(kind)?.fileKey];
    });
  } catch (error) {
    await ctx.storage.remove(fileKey);
    throw error;
  }
}

/** Throws VALIDATION unless it is signed with the legal name, CONFLICT for a version that is not in force. */
export async function signCreatorAgreement(
  ctx: Context,
  actor: Actor,
  body: BodyOf<typeof signAgreement>,
): Promise<VerificationResponse> {
  if (body.version !== agreement.version) throwConflict(texts.agreementHasChanged);
  await ctx.db.transaction(async (tx) => {
    const verification = await store.lockVerification(tx, ctx.config, actor.userId);
    // Creators who were verified before details were required have none, so they sign with the name they enter.
    if (!verification.details && verification.status !== 'verified') throwConflict(texts.enterDetailsFirst);
    if (verification.details && normalizeName(body.signedAs) !== normalizeName(verification.details.legalName))
      throw createFieldError('signedAs', texts.signNameMustMatch);
    if (body.signedAs === '') throw createFieldError('signedAs', texts.signWithFullLegalName);
    if (getLegalStatus(verification) === 'accepted') return;
    await store.saveSignature(tx, ctx.config, actor.userId, body, ctx.clock.now());
    await tx.emit('verification.changed', {
      creatorId: actor.userId,
      status: verification.status,
      at: ctx.clock.now().toISOString(),
    });
  });
  return getOwnVerification(ctx, actor);
}

/** Submits everything for review. Throws CONFLICT with what is missing. */
export function submitForReview(ctx: Context, actor: Actor): Promise<VerificationResponse> {
  return editVerification(ctx, actor, async (tx, verification) => {
    const { details, documents } = verification;
    if (!details) throwConflict(texts.enterDetailsFirst);
    const isUploaded = (kind: DocumentKind) => {
      const document = documents.get(kind);
      return document !== undefined && document.state !== 'rejected';
    };
    if (!listRequiredDocuments(details.documentType).every(isUploaded)) throwConflict(texts.photoMissing);
    if (getLegalStatus(verification) !== 'accepted') throwConflict(texts.signAgreement);
    const now = ctx.clock.now();
    await store.markSubmitted(tx, actor.userId, now, addBusinessDays(now, VERIFICATION_LIMITS.answerDays));
    await tx.emit('verification.changed', { creatorId: actor.userId, status: 'submitted', at: now.toISOString() });
    return [];
  });
}

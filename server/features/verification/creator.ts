import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { VERIFICATION } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { addBusinessDays } from '@stagedoor/contract/business-days.ts';
import {
  adultOn,
  type DocumentKind,
  documentsOf,
  type signAgreement,
  VERIFICATION_WORDS,
  type VerificationDetails,
  type verificationStatus,
} from '@stagedoor/contract/verification.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { agreement } from './agreement.ts';
import './events.ts';
import { keepPicture } from './pictures.ts';
import { legalStatusOf, presentStanding } from './present.ts';
import * as store from './store.ts';

type Answer = AnswerOf<typeof verificationStatus>;

export async function viewOwn(ctx: Context, actor: Actor): Promise<Answer> {
  return presentStanding(await store.readStanding(ctx.db, ctx.config, actor.userId));
}

function refuse(message: string): never {
  throw new AppError('CONFLICT', { message });
}

function requireOpen({ status }: store.Standing): void {
  if (status === 'verified') refuse('You’re already verified.');
  if (status === 'submitted') refuse(VERIFICATION_WORDS.submitted ?? '');
}

/** Unreferenced files are deleted after the commit. */
async function whileOpen(
  ctx: Context,
  actor: Actor,
  work: (tx: Transaction, standing: store.Standing) => Promise<readonly (string | null | undefined)[]>,
): Promise<Answer> {
  const left = await ctx.db.transaction(async (tx) => {
    const standing = await store.lockStanding(tx, ctx.config, actor.userId);
    requireOpen(standing);
    return work(tx, standing);
  });
  for (const key of left) if (key) await ctx.storage.remove(key);
  return viewOwn(ctx, actor);
}

const reads = (name: string) => name.normalize('NFKC').toLowerCase();

/** Throws VALIDATION for a creator who is under age, CONFLICT while under review or verified. */
export function changeDetails(ctx: Context, actor: Actor, details: VerificationDetails): Promise<Answer> {
  const today = ctx.clock.now().toISOString().slice(0, 10);
  if (details.dateOfBirth >= today) throw invalid('dateOfBirth', 'Check your date of birth');
  if (adultOn(details.dateOfBirth) > today)
    throw invalid('dateOfBirth', `Creators must be at least ${VERIFICATION.leastAge}.`);
  return whileOpen(ctx, actor, async (tx, { details: before, documents }) => {
    await store.keepDetails(tx, ctx.config, actor.userId, details);
    // The signature was given under the former name, and the verified person must be the one who signed.
    const isRenamed = before !== undefined && reads(before.legalName) !== reads(details.legalName);
    if (isRenamed) await store.dropSignature(tx, actor.userId);
    if (isRenamed || before?.dateOfBirth !== details.dateOfBirth) await store.reopenDocuments(tx, actor.userId);
    // Pictures of another document prove nothing, but the selfie stays valid.
    if (!before || before.documentType === details.documentType) return [];
    const dropped = [...documents.values()].filter(({ kind }) => kind !== 'selfie');
    await store.dropDocuments(
      tx,
      actor.userId,
      dropped.map(({ kind }) => kind),
    );
    return dropped.map(({ fileKey }) => fileKey);
  });
}

/**
 * Throws CONFLICT as above, or for a picture that is approved already or does not belong to this document, and the
 * errors of the picture.
 */
export async function addDocument(
  ctx: Context,
  actor: Actor,
  kind: DocumentKind,
  file: Buffer | undefined,
): Promise<Answer> {
  const mayTake = ({ details, documents }: store.Standing) => {
    if (!details) refuse('Enter your details first.');
    if (!documentsOf(details.documentType).includes(kind)) refuse('This document doesn’t need that photo.');
    if (documents.get(kind)?.state === 'approved') refuse('This photo has already been accepted.');
  };
  // The check comes first because processing a picture is slow.
  const standing = await store.readStanding(ctx.db, ctx.config, actor.userId);
  requireOpen(standing);
  mayTake(standing);
  const fileKey = await keepPicture(ctx, actor.userId, file);
  try {
    return await whileOpen(ctx, actor, async (tx, now) => {
      mayTake(now);
      await store.keepDocument(tx, actor.userId, { kind, fileKey, takenAt: ctx.clock.now() });
      return [now.documents.get(kind)?.fileKey];
    });
  } catch (error) {
    await ctx.storage.remove(fileKey);
    throw error;
  }
}

/** Throws VALIDATION unless it is signed with the legal name, CONFLICT for a version that is not in force. */
export async function sign(ctx: Context, actor: Actor, body: BodyOf<typeof signAgreement>): Promise<Answer> {
  if (body.version !== agreement.version) refuse('The agreement has changed. Review it again.');
  await ctx.db.transaction(async (tx) => {
    const standing = await store.lockStanding(tx, ctx.config, actor.userId);
    // Creators who were verified before details were required have none, so they sign with the name they enter.
    if (!standing.details && standing.status !== 'verified') refuse('Enter your details first.');
    if (standing.details && reads(body.signedAs) !== reads(standing.details.legalName))
      throw invalid('signedAs', 'Sign with your full legal name, as in your details.');
    if (body.signedAs === '') throw invalid('signedAs', 'Sign with your full legal name.');
    if (legalStatusOf(standing) === 'accepted') return;
    await store.keepSignature(tx, ctx.config, actor.userId, body, ctx.clock.now());
    await tx.emit('verification.changed', {
      creatorId: actor.userId,
      status: standing.status,
      at: ctx.clock.now().toISOString(),
    });
  });
  return viewOwn(ctx, actor);
}

/** Submits everything for review. Throws CONFLICT with what is missing. */
export function submit(ctx: Context, actor: Actor): Promise<Answer> {
  return whileOpen(ctx, actor, async (tx, standing) => {
    const { details, documents } = standing;
    if (!details) refuse('Enter your details first.');
    const isHere = (kind: DocumentKind) => {
      const document = documents.get(kind);
      return document !== undefined && document.state !== 'rejected';
    };
    if (!documentsOf(details.documentType).every(isHere)) refuse('A photo is missing.');
    if (legalStatusOf(standing) !== 'accepted') refuse('Sign the agreement.');
    const now = ctx.clock.now();
    await store.markSubmitted(tx, actor.userId, now, addBusinessDays(now, VERIFICATION.answerDays));
    await tx.emit('verification.changed', { creatorId: actor.userId, status: 'submitted', at: now.toISOString() });
    return [];
  });
}

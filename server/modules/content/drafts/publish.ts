/**
 * The job is enqueued in the transaction that schedules the draft. The draft is deleted in the transaction that makes
 * the post, so that it is published only once.
 */

import type { Post } from '@stagedoor/contract/content/posts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { draftId, instant } from '@stagedoor/contract/shared/ids.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import { formatRestriction } from '@stagedoor/contract/shared/restrictions.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { claimIdempotencyKey } from '../../../platform/database/idempotency.ts';
import { createId } from '../../../platform/ids.ts';
import { defineJob } from '../../../platform/jobs/jobs.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { getRestrictions, requireUser } from '../../identity/accounts/index.ts';
import { hashRequest } from '../../ledger/ledger/index.ts';
import { listOwnMedia } from '../media/index.ts';
import { getPost, publishContent } from '../posts/index.ts';
import { lockOwnDraft } from './access.ts';
import './events.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const publishJob = defineJob('drafts.publish', z.object({ draftId, scheduledAt: instant }));
type ScheduledPublication = z.input<typeof publishJob.payload>;

const ATTEMPTS = 12;
const MEDIA_WAIT = { retryMs: 15_000, maxMs: 6 * 60 * 60 * 1000 } as const;

/** Replaces an earlier time of the same draft. */
export function enqueuePublication(
  ctx: Context,
  tx: DbTransaction,
  publication: ScheduledPublication,
  runAt: Date,
): Promise<void> {
  return ctx.jobs.add(tx, publishJob, publication, {
    key: `drafts.publish:${publication.draftId}`,
    maxAttempts: ATTEMPTS,
    runAt,
  });
}

async function publishDraftRow(
  ctx: Context,
  tx: DbTransaction,
  row: store.DraftRow,
  postId: string,
  creator: { userId: string; username: string },
): Promise<void> {
  const { caption, media, details, people } = row;
  await store.deleteDraft(tx, row.id);
  await publishContent(ctx, tx, postId, creator, {
    caption,
    price: toUsd(row.price_cents),
    media: [...media],
    ...details,
    people,
  });
}

/**
 * The same operation id returns the same post.
 * Throws NOT_FOUND, CONFLICT (another version, media not ready or used elsewhere), VALIDATION, NOT_VERIFIED.
 */
export async function publishDraft(
  ctx: Context,
  actor: Actor,
  draftRef: { id: string; version: number },
  operationId: string,
): Promise<Post> {
  const postId = createId(ctx.clock);
  const earlier = await ctx.db.transaction(async (tx) => {
    const requestHash = hashRequest({ call: 'publishDraft', ...draftRef });
    const knownId = await claimIdempotencyKey(tx, {
      actorId: actor.userId,
      operationId,
      requestHash,
      subjectId: postId,
    });
    if (knownId) return knownId;
    const row = await lockOwnDraft(tx, actor, draftRef.id);
    if (row.version !== draftRef.version) throw new AppError('CONFLICT', { message: texts.draftEditedElsewhere });
    await publishDraftRow(ctx, tx, row, postId, actor);
    return undefined;
  });
  return getPost(ctx, actor, earlier ?? postId);
}

async function isWaitingForMedia(
  ctx: Context,
  tx: DbTransaction,
  row: store.DraftRow,
  scheduledAt: Date,
): Promise<boolean> {
  if (ctx.clock.now().getTime() - scheduledAt.getTime() > MEDIA_WAIT.maxMs) return false;
  const ids = row.media.map(({ id }) => id);
  return (await listOwnMedia(tx, row.creator_id, ids)).some(({ status }) => status === 'processing');
}

/**
 * Idempotent. Does nothing for a draft that was changed or is gone. A draft that cannot be published gets the reason.
 */
export async function publishScheduledDraft(
  ctx: Context,
  publication: ScheduledPublication,
  isLast = false,
): Promise<void> {
  const scheduledAt = new Date(publication.scheduledAt);
  try {
    await ctx.db.transaction(async (tx) => {
      const row = await store.lockDraft(tx, publication.draftId);
      if (row?.scheduled_at?.getTime() !== scheduledAt.getTime()) return;
      if (await isWaitingForMedia(ctx, tx, row, scheduledAt)) {
        await enqueuePublication(ctx, tx, publication, new Date(ctx.clock.now().getTime() + MEDIA_WAIT.retryMs));
        return;
      }
      const creator = await requireUser(tx, row.creator_id);
      if (creator.is_blocked) throw new AppError('CONFLICT', { message: texts.blockedAtScheduledTime });
      const until = getRestrictions(creator).posting;
      if (until !== undefined && new Date(until) > ctx.clock.now())
        throw new AppError('CONFLICT', { message: formatRestriction('posting', until) });
      await publishDraftRow(ctx, tx, row, createId(ctx.clock), { userId: creator.id, username: creator.username });
    });
  } catch (error) {
    if (!(error instanceof AppError) && !isLast) throw error;
    if (!(error instanceof AppError))
      ctx.log.error({ err: error, draftId: publication.draftId }, 'a post could not be published');
    const message = error instanceof AppError ? error.message : texts.publishingFailed;
    await ctx.db.transaction(async (tx) => {
      const failed = { scheduledAt, failure: message, at: ctx.clock.now() };
      const creatorId = await store.failDraft(tx, publication.draftId, failed);
      if (creatorId) await tx.emit('draft.failed', { creatorId, draftId: publication.draftId, message });
    });
  }
}

export function definePublishingJobs(ctx: Context): void {
  ctx.jobs.define(publishJob, (publication, { isLast }) => publishScheduledDraft(ctx, publication, isLast));
}

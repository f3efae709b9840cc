/**
 * The job is enqueued in the transaction that schedules the draft. The draft is deleted in the transaction that makes
 * the post, so that it is published only once.
 */
import { closedActivityWords } from '@stagedoor/contract/atoms/activities.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { draftId, instant } from '@stagedoor/contract/atoms/ids.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Post } from '@stagedoor/contract/posts.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { job } from '../../kernel/jobs.ts';
import { claimOperation } from '../../kernel/operations.ts';
import type { Actor } from '../../kernel/session.ts';
import { limitedOf, requireUser } from '../accounts/index.ts';
import { hashRequest } from '../ledger/index.ts';
import { readOwnMedia } from '../media/index.ts';
import { getPost, publishContent } from '../posts/index.ts';
import { lockOwnDraft } from './access.ts';
import './events.ts';
import * as store from './store.ts';

const publishJob = job('drafts.publish', z.object({ draftId, scheduledAt: instant }));
type Due = z.input<typeof publishJob.payload>;

const ATTEMPTS = 12;
const WAIT = { againMs: 15_000, mostMs: 6 * 60 * 60 * 1000 } as const;

/** Replaces an earlier time of the same draft. */
export function enqueuePublication(ctx: Context, tx: Transaction, due: Due, runAt: Date): Promise<void> {
  return ctx.jobs.add(tx, publishJob, due, { key: `drafts.publish:${due.draftId}`, maxAttempts: ATTEMPTS, runAt });
}

async function publishRow(
  ctx: Context,
  tx: Transaction,
  row: store.DraftRow,
  postId: string,
  creator: { userId: string; username: string },
): Promise<void> {
  const { caption, media, tags, people } = row;
  await store.deleteDraft(tx, row.id);
  await publishContent(ctx, tx, postId, creator, {
    caption,
    price: toUsd(row.price_cents),
    media: [...media],
    tags,
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
  known: { id: string; version: number },
  operationId: string,
): Promise<Post> {
  const postId = newId(ctx.clock);
  const earlier = await ctx.db.transaction(async (tx) => {
    const requestHash = hashRequest({ call: 'publishDraft', ...known });
    const told = await claimOperation(tx, { actorId: actor.userId, operationId, requestHash, subjectId: postId });
    if (told) return told;
    const row = await lockOwnDraft(tx, actor, known.id);
    if (row.version !== known.version)
      throw new AppError('CONFLICT', { message: 'This draft was edited elsewhere. Reload it.' });
    await publishRow(ctx, tx, row, postId, actor);
    return undefined;
  });
  return getPost(ctx, actor, earlier ?? postId);
}

async function isWaiting(ctx: Context, tx: Transaction, row: store.DraftRow, scheduledAt: Date): Promise<boolean> {
  if (ctx.clock.now().getTime() - scheduledAt.getTime() > WAIT.mostMs) return false;
  const ids = row.media.map(({ id }) => id);
  return (await readOwnMedia(tx, row.creator_id, ids)).some(({ status }) => status === 'processing');
}

/**
 * Idempotent. Does nothing for a draft that was changed or is gone. A draft that cannot be published gets the reason.
 */
export async function publishDue(ctx: Context, due: Due, isLast = false): Promise<void> {
  const scheduledAt = new Date(due.scheduledAt);
  try {
    await ctx.db.transaction(async (tx) => {
      const row = await store.lockDraft(tx, due.draftId);
      if (row?.scheduled_at?.getTime() !== scheduledAt.getTime()) return;
      if (await isWaiting(ctx, tx, row, scheduledAt)) {
        await enqueuePublication(ctx, tx, due, new Date(ctx.clock.now().getTime() + WAIT.againMs));
        return;
      }
      const creator = await requireUser(tx, row.creator_id);
      if (creator.is_blocked)
        throw new AppError('CONFLICT', { message: 'Your account was blocked at the scheduled time.' });
      const until = limitedOf(creator).posting;
      if (until !== undefined && new Date(until) > ctx.clock.now())
        throw new AppError('CONFLICT', { message: closedActivityWords('posting', until) });
      await publishRow(ctx, tx, row, newId(ctx.clock), { userId: creator.id, username: creator.username });
    });
  } catch (error) {
    if (!(error instanceof AppError) && !isLast) throw error;
    if (!(error instanceof AppError))
      ctx.log.error({ err: error, draftId: due.draftId }, 'a post could not be published');
    const words = error instanceof AppError ? error.message : 'Something went wrong. Publish it again.';
    await ctx.db.transaction(async (tx) => {
      const failed = { scheduledAt, failure: words, at: ctx.clock.now() };
      const creatorId = await store.failDraft(tx, due.draftId, failed);
      if (creatorId) await tx.emit('draft.failed', { creatorId, draftId: due.draftId, words });
    });
  }
}

export function defineJobs(ctx: Context): void {
  ctx.jobs.define(publishJob, (due, { isLast }) => publishDue(ctx, due, isLast));
}

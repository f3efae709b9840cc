import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { messageId } from '@stagedoor/contract/shared/ids.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import { defineJob } from '../../../../platform/jobs/jobs.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { invalidateMediaAccess } from '../../../content/media/index.ts';
import { accessMessage, getChatSide } from '../access.ts';
import '../events.ts';
import { emitViewed } from '../live/emit.ts';
import { type MessageView, presentMessage } from '../present.ts';
import { findMessages, type MessageRow } from '../rows.ts';
import * as texts from '../texts.ts';

const expireJob = defineJob('chat.expireViewOnce', z.object({ messageId }));

/**
 * Files are served for twice the playback time, because users pause and connections stall, plus one minute. The page
 * closes them one minute after the end of the playback.
 */
function getViewableMs(row: MessageRow): number {
  const seconds = row.files.reduce(
    (sum, { media, file }) => sum + (media?.duration_seconds ?? file?.duration_seconds ?? 0),
    0,
  );
  return (2 * seconds + CHAT_LIMITS.viewOnceSeconds) * 1000;
}

/** Throws NOT_FOUND unless the actor received the message and it is view-once. */
async function accessViewOnce(ctx: Context, actor: Actor, id: string): Promise<MessageRow> {
  const row = await accessMessage(ctx.db, actor, id);
  if (!row.is_view_once || row.is_from_creator === (getChatSide(actor) === 'creator')) throw new AppError('NOT_FOUND');
  return row;
}

/**
 * Opens the message. Idempotent while it is open. Throws NOT_FOUND, FORBIDDEN (not bought), CONFLICT (already viewed).
 */
export async function openViewOnceMessage(ctx: Context, actor: Actor, id: string): Promise<MessageView> {
  const row = await accessViewOnce(ctx, actor, id);
  if (row.fan_right === null) throw new AppError('FORBIDDEN', { message: texts.unlockItFirst });
  if (row.files.some(({ status }) => status === 'processing'))
    throw new AppError('CONFLICT', { message: texts.stillProcessing });
  const now = ctx.clock.now();
  const until = new Date(now.getTime() + getViewableMs(row));
  const isOpened = await ctx.db.transaction(async (tx) => {
    const rows = await tx.query
      .updateTable('messages')
      .set({ viewed_at: now, viewable_until: until })
      .where('id', '=', id)
      .where('viewed_at', 'is', null)
      .returning('id')
      .execute();
    if (rows.length > 0)
      await ctx.jobs.add(tx, expireJob, { messageId: id }, { key: `chat.expireViewOnce:${id}`, runAt: until });
    return rows.length > 0;
  });
  const [after] = await findMessages(ctx.db, [id]);
  if (!after) throw new AppError('NOT_FOUND');
  if (after.removed_at || !after.viewable_until || after.viewable_until <= now)
    throw new AppError('CONFLICT', { message: texts.alreadyViewed });
  if (isOpened) emitViewed(ctx, after);
  return presentMessage(after, getChatSide(actor), now);
}

export async function removeViewOnce(ctx: Context, id: string): Promise<void> {
  const isRemoved = await ctx.db.transaction(async (tx) => {
    const rows = await tx.query
      .updateTable('messages')
      .set({ removed_at: ctx.clock.now() })
      .where('id', '=', id)
      .where('viewed_at', 'is not', null)
      .where('removed_at', 'is', null)
      .returning('id')
      .execute();
    if (rows.length > 0) await tx.emit('message.accessRevoked', { messageId: id });
    return rows.length > 0;
  });
  if (!isRemoved) return;
  // This process clears its access cache before the response. Others clear theirs when they receive the event.
  invalidateMediaAccess(ctx);
  const [row] = await findMessages(ctx.db, [id]);
  if (row) emitViewed(ctx, row);
}

/** Throws NOT_FOUND, CONFLICT (never opened). */
export async function closeViewOnceMessage(ctx: Context, actor: Actor, id: string): Promise<MessageView> {
  const row = await accessViewOnce(ctx, actor, id);
  if (!row.viewed_at) throw new AppError('CONFLICT', { message: texts.notOpenedYet });
  await removeViewOnce(ctx, id);
  const [after] = await findMessages(ctx.db, [id]);
  return presentMessage(after ?? row, getChatSide(actor), ctx.clock.now());
}

export function defineViewOnceJobs(ctx: Context): void {
  ctx.jobs.define(expireJob, ({ messageId: id }) => removeViewOnce(ctx, id));
}

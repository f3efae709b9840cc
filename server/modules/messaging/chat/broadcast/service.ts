import {
  type BroadcastAudience,
  broadcast,
  broadcastProgress,
  type broadcastText,
  type listBroadcastAudiences,
  type listBroadcasts,
} from '@stagedoor/contract/messaging/broadcasts.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { broadcastId, isId } from '@stagedoor/contract/shared/ids.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { asCents, toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { parseOffset, toCursor } from '../../../../platform/database/pagination.ts';
import { createId } from '../../../../platform/ids.ts';
import { defineJob } from '../../../../platform/jobs/jobs.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { requirePriceInLimits } from '../../../commerce/sales/index.ts';
import { lockOwnTier } from '../../../content/subscription-tiers/index.ts';
import { emitChatEvent } from '../live/emit.ts';
import { attachFiles, type MessageFiles } from '../outbox/attachments.ts';
import { requireCanSetPrice } from '../outbox/send.ts';
import { canCreatorWrite, countSentMessage } from '../outbox/send-limits.ts';
import { presentBroadcastMessage } from './thread.ts';
import './events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import * as texts from '../texts.ts';
import { countStoredAudiences, STORED_AUDIENCES, saveRecipients } from './segments.ts';
import * as store from './store.ts';

export type BroadcastView = z.input<typeof broadcast>;
type BroadcastResponse = ResponseInputOf<typeof broadcastText>;

export type BroadcastInput = {
  audience: BroadcastAudience;
  tierId: string | undefined;
  conversationIds: readonly string[];
  excludeBuyers: boolean;
  scheduledAt: string | undefined;
  clientId: string;
  text: string;
  price: number;
  isViewOnce: boolean;
};

const sendJob = defineJob('broadcast.send', z.object({ broadcastId }));
/**
 * Tolerated difference between the clocks of the processes and of the database, which starts jobs. A job that is early
 * by less is scheduled again.
 */
const CLOCK_SKEW_MS = 5_000;
const MAX_AHEAD_MS = CHAT_LIMITS.broadcastScheduleDays * 24 * 60 * 60_000;

export function presentBroadcast(row: store.BroadcastRow, now: Date): BroadcastView {
  return {
    id: row.id,
    message: presentBroadcastMessage(row, now),
    audience: row.audience,
    tierName: row.tier_name,
    excludeBuyers: row.exclude_buyers,
    status: row.state,
    createdAt: row.created_at.toISOString(),
    scheduledAt: row.scheduled_at?.toISOString() ?? null,
    sentAt: row.sent_at?.toISOString() ?? null,
    recipientCount: row.recipient_count,
    deliveredCount: row.delivered,
    readCount: row.read,
    purchasedCount: row.purchased,
    earned: toUsd(asCents(Math.max(0, row.earned_cents))),
  };
}

/** Throws NOT_FOUND for other users' broadcasts. */
export async function accessBroadcast(ctx: Context, actor: Actor, id: string): Promise<store.BroadcastRow> {
  const unsafeBroadcast = await store.findBroadcast(ctx.db, id);
  if (!unsafeBroadcast || unsafeBroadcast.creator_id !== actor.userId) throw new AppError('NOT_FOUND');
  return unsafeBroadcast;
}

/** Returns undefined for now. Throws VALIDATION unless the time is in the future and within a year. */
function parseScheduledTime(ctx: Context, scheduledAt: string | undefined): Date | undefined {
  if (scheduledAt === undefined) return undefined;
  const at = new Date(scheduledAt);
  const ahead = at.getTime() - ctx.clock.now().getTime();
  if (!(ahead > 0 && ahead <= MAX_AHEAD_MS)) throw createFieldError('scheduledAt', texts.scheduleWithinYear);
  return at;
}

async function listRecipientIds(ctx: Context, actor: Actor, input: BroadcastInput): Promise<string[]> {
  if (input.audience !== 'chosen') return [];
  const ids = [...new Set(input.conversationIds)];
  if (ids.length === 0) throw createFieldError('conversationIds', texts.selectAtLeastOneChat);
  const fans = await store.listFanIds(ctx.db, actor.userId, ids);
  if (fans.length < ids.length) throw new AppError('NOT_FOUND');
  return fans;
}

type SentBroadcast = { id: string; creatorId: string; audience: BroadcastAudience };

async function send(ctx: Context, tx: DbTransaction, { id, creatorId, audience }: SentBroadcast): Promise<void> {
  const at = ctx.clock.now();
  await saveRecipients(tx, { id, creatorId, audience, at });
  await tx.emit('broadcast.sent', { broadcastId: id, creatorId });
  // This comes last, because concurrent broadcasts of the creator wait for this commit.
  await store.markBroadcastSent(tx, id, creatorId, at);
}

function schedule(ctx: Context, tx: DbTransaction, id: string, runAt: Date): Promise<void> {
  return ctx.jobs.add(tx, sendJob, { broadcastId: id }, { key: `broadcast.send:${id}`, runAt });
}

async function requireScheduleLimit(tx: DbTransaction, creatorId: string): Promise<void> {
  const { count } = await tx.query
    .selectFrom('broadcasts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('creator_id', '=', creatorId)
    .where('state', '=', 'scheduled')
    .executeTakeFirstOrThrow();
  if (count >= CHAT_LIMITS.scheduledBroadcasts)
    throw new AppError('CONFLICT', {
      message: formatText(texts.scheduledBroadcastsLimit, { max: CHAT_LIMITS.scheduledBroadcasts }),
    });
}

/** Throws VALIDATION without a tier for the audience `tier`, and for a deleted tier as for one of another creator. */
async function resolveTierId(
  tx: DbTransaction,
  creatorId: string,
  { audience, tierId }: BroadcastInput,
): Promise<string | null> {
  if (audience !== 'tier') return null;
  if (tierId === undefined || !(await lockOwnTier(tx, creatorId, tierId)))
    throw createFieldError('tierId', texts.tierGone);
  return tierId;
}

/**
 * Idempotent per client id. Throws VALIDATION, NOT_FOUND (another user's conversation or file), CONFLICT (the id was
 * used for another broadcast), NOT_VERIFIED, RATE_LIMITED.
 */
export async function createBroadcast(
  ctx: Context,
  actor: Actor,
  input: BroadcastInput,
  chooseFiles: ((tx: DbTransaction) => Promise<MessageFiles>) | undefined,
): Promise<BroadcastResponse> {
  await requireCanSetPrice(ctx, actor, input.price);
  await countSentMessage(ctx, actor.userId);
  const at = parseScheduledTime(ctx, input.scheduledAt);
  const fanIds = await listRecipientIds(ctx, actor, input);
  const priceCents = toCents(input.price);
  const id = await ctx.db.transaction(async (tx) => {
    const files = await chooseFiles?.(tx);
    if (input.isViewOnce && files?.type === 'document')
      throw createFieldError('isViewOnce', texts.documentsNotViewOnce);
    const type = files?.type ?? 'text';
    const created = await tx.query
      .insertInto('broadcasts')
      .values({
        id: createId(ctx.clock),
        creator_id: actor.userId,
        author_id: actor.member?.userId ?? null,
        client_id: input.clientId,
        type,
        text: input.text,
        price_cents: priceCents,
        is_view_once: input.isViewOnce,
        audience: input.audience,
        fan_ids: fanIds,
        tier_id: await resolveTierId(tx, actor.userId, input),
        exclude_buyers: input.excludeBuyers,
        state: 'scheduled',
        scheduled_at: at ?? null,
        created_at: ctx.clock.now(),
      })
      .onConflict((conflict) => conflict.columns(['creator_id', 'client_id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!created) return getEarlierBroadcast(tx, actor, input, type);
    await requirePriceInLimits(tx, 'chatMedia', priceCents);
    if (files) await attachFiles(tx, created.id, files);
    if (at) {
      await requireScheduleLimit(tx, actor.userId);
      await schedule(ctx, tx, created.id, at);
    } else {
      await send(ctx, tx, { id: created.id, creatorId: actor.userId, audience: input.audience });
    }
    return created.id;
  });
  const row = await accessBroadcast(ctx, actor, id);
  const data = presentBroadcast(row, ctx.clock.now());
  return { messageList: [data.message], data };
}

async function getEarlierBroadcast(
  tx: DbTransaction,
  actor: Actor,
  input: BroadcastInput,
  type: string,
): Promise<string> {
  const row = await tx.query
    .selectFrom('broadcasts')
    .select(['id', 'type', 'text', 'price_cents', 'audience', 'tier_id'])
    .where('creator_id', '=', actor.userId)
    .where('client_id', '=', input.clientId)
    .executeTakeFirstOrThrow();
  const isSame =
    row.type === type &&
    row.text === input.text &&
    row.audience === input.audience &&
    row.tier_id === (input.audience === 'tier' ? (input.tierId ?? null) : null) &&
    row.price_cents === toCents(input.price);
  if (!isSame) throw new AppError('CONFLICT', { message: texts.messageIdReused });
  return row.id;
}

/**
 * Sends a scheduled broadcast that is due, or cancels it when its creator may not write any more. Changes nothing in
 * other states.
 */
async function sendIfDue(ctx: Context, id: string, isImmediate: boolean): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const row = await tx.query
      .selectFrom('broadcasts')
      .select(['creator_id', 'state', 'scheduled_at', 'audience'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (row?.state !== 'scheduled') return false;
    const at = row.scheduled_at?.getTime() ?? Number.POSITIVE_INFINITY;
    const aheadMs = isImmediate ? 0 : at - ctx.clock.now().getTime();
    // A moved broadcast has a new job. A job that is early because of clock differences is scheduled again.
    if (aheadMs > 0 && aheadMs < CLOCK_SKEW_MS)
      await schedule(ctx, tx, id, new Date(ctx.clock.now().getTime() + CLOCK_SKEW_MS));
    if (aheadMs > 0) return false;
    if (!(await canCreatorWrite(ctx, tx, row.creator_id))) {
      await tx.query.updateTable('broadcasts').set({ state: 'cancelled' }).where('id', '=', id).execute();
      return false;
    }
    await send(ctx, tx, { id, creatorId: row.creator_id, audience: z.parse(broadcast.shape.audience, row.audience) });
    return true;
  });
}

/** Moves a scheduled broadcast or sends it now. Throws NOT_FOUND, VALIDATION, CONFLICT (already sent or canceled). */
export async function reschedule(
  ctx: Context,
  actor: Actor,
  id: string,
  scheduledAt: string | null,
): Promise<BroadcastView> {
  await accessBroadcast(ctx, actor, id);
  const conflict = new AppError('CONFLICT', { message: texts.alreadySentOrCanceled });
  if (scheduledAt === null) {
    if (!(await sendIfDue(ctx, id, true))) throw conflict;
  } else {
    const at = parseScheduledTime(ctx, scheduledAt) ?? ctx.clock.now();
    await ctx.db.transaction(async (tx) => {
      const moved = await tx.query
        .updateTable('broadcasts')
        .set({ scheduled_at: at })
        .where('id', '=', id)
        .where('state', '=', 'scheduled')
        .returning('id')
        .executeTakeFirst();
      if (!moved) throw conflict;
      await schedule(ctx, tx, id, at);
    });
  }
  return presentBroadcast(await accessBroadcast(ctx, actor, id), ctx.clock.now());
}

/**
 * Cancels a scheduled broadcast, or removes a sent one from recipients who neither read nor bought it. Idempotent.
 * Throws NOT_FOUND.
 */
export async function unsend(ctx: Context, actor: Actor, id: string): Promise<BroadcastView> {
  await accessBroadcast(ctx, actor, id);
  await ctx.db.transaction(async (tx) => {
    const row = await tx.query
      .selectFrom('broadcasts')
      .select('state')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (row.state === 'scheduled')
      await tx.query.updateTable('broadcasts').set({ state: 'cancelled' }).where('id', '=', id).execute();
    if (row.state !== 'sent') return;
    await tx.query.updateTable('broadcasts').set({ state: 'unsent' }).where('id', '=', id).execute();
    await tx.emit('broadcast.unsent', { broadcastId: id, creatorId: actor.userId });
  });
  return presentBroadcast(await accessBroadcast(ctx, actor, id), ctx.clock.now());
}

export async function list(
  ctx: Context,
  actor: Actor,
  { limit, offset, status }: QueryOf<typeof listBroadcasts>,
): Promise<ResponseInputOf<typeof listBroadcasts>> {
  const { skip, after } = parseOffset(offset);
  if (after !== undefined && !/^\d{1,15}$/.test(after)) throw createFieldError('offset', texts.invalidOffset);
  const isSent = status === 'sent';
  const rows = isSent
    ? await store.listSent(ctx.db, actor.userId, Number(after ?? Number.MAX_SAFE_INTEGER), skip, limit + 1)
    : await store.listScheduled(ctx.db, actor.userId, after === undefined ? skip : Number(after), limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const cursor = isSent ? last?.seq : Number(after ?? skip) + limit;
  const now = ctx.clock.now();
  return {
    data: shown.map((row) => presentBroadcast(row, now)),
    limit,
    ...(rows.length > limit && last ? { nextOffset: toCursor(String(cursor).padStart(8, '0')) } : {}),
  };
}

export async function listAudiences(
  ctx: Context,
  actor: Actor,
  { mediaIds, tierId }: QueryOf<typeof listBroadcastAudiences>,
): Promise<ResponseInputOf<typeof listBroadcastAudiences>> {
  const ids = mediaIds.split(',').filter(isId);
  const now = ctx.clock.now();
  const { followers, buyers, active, owners } = await store.countAudiences(ctx.db, actor.userId, now, ids);
  const stored = await countStoredAudiences(ctx.db, actor.userId, now, tierId);
  return {
    data: [
      { audience: 'followers', count: followers },
      { audience: 'buyers', count: buyers },
      { audience: 'active', count: active },
      { audience: 'notBought', count: Math.max(0, followers - owners) },
      ...STORED_AUDIENCES.map((audience) => ({ audience, count: stored[audience] })),
    ],
  };
}

export async function emitProgress(ctx: Context, id: string): Promise<void> {
  const row = await store.findBroadcast(ctx.db, id);
  if (!row) return;
  const { status, recipientCount, deliveredCount, readCount, purchasedCount, earned } = presentBroadcast(
    row,
    ctx.clock.now(),
  );
  emitChatEvent(ctx, row.creator_id, broadcastProgress, {
    id,
    status,
    recipientCount,
    deliveredCount,
    readCount,
    purchasedCount,
    earned,
  });
}

export function defineJobs(ctx: Context): void {
  ctx.jobs.define(sendJob, async ({ broadcastId: id }) => {
    await sendIfDue(ctx, id, false);
  });
}

import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { broadcastId, isId } from '@stagedoor/contract/atoms/ids.ts';
import { asCents, toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import {
  type BroadcastAudience,
  type broadcast,
  type broadcastGroups,
  broadcastProgress,
  type broadcastText,
  type listBroadcasts,
} from '@stagedoor/contract/broadcasts.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import type { Transaction } from '../../../kernel/db.ts';
import { newId } from '../../../kernel/ids.ts';
import { job } from '../../../kernel/jobs.ts';
import { cursorOf, readOffset } from '../../../kernel/offset.ts';
import type { Actor } from '../../../kernel/session.ts';
import { findUser, limitedOf } from '../../accounts/index.ts';
import { requirePriceWithin } from '../../sales/index.ts';
import { tell } from '../live/tell.ts';
import { attach, type Files } from '../outbox/attachments.ts';
import { countSending } from '../outbox/flood.ts';
import { requireMayPrice } from '../outbox/send.ts';
import { presentBroadcastMessage } from './thread.ts';
import './events.ts';
import * as store from './store.ts';

export type View = z.input<typeof broadcast>;
type Answer = AnswerOf<typeof broadcastText>;

export type Wish = {
  audience: BroadcastAudience;
  conversationIds: readonly string[];
  excludeBuyers: boolean;
  scheduledAt: string | undefined;
  clientId: string;
  text: string;
  price: number;
  isViewOnce: boolean;
};

const sendJob = job('broadcast.send', z.object({ broadcastId }));
/**
 * Tolerated difference between the clocks of the processes and of the database, which starts jobs. A job that is early
 * by less is scheduled again.
 */
const CLOCKS_APART_MS = 5_000;
const YEAR_MS = 366 * 24 * 60 * 60_000;

export function present(row: store.BroadcastRow, now: Date): View {
  return {
    id: row.id,
    message: presentBroadcastMessage(row, now),
    audience: row.audience,
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
function timeOf(ctx: Context, scheduledAt: string | undefined): Date | undefined {
  if (scheduledAt === undefined) return undefined;
  const at = new Date(scheduledAt);
  const ahead = at.getTime() - ctx.clock.now().getTime();
  if (!(ahead > 0 && ahead <= YEAR_MS)) throw invalid('scheduledAt', 'Choose a future time within a year.');
  return at;
}

async function recipientsOf(ctx: Context, actor: Actor, wish: Wish): Promise<string[]> {
  if (wish.audience !== 'chosen') return [];
  const ids = [...new Set(wish.conversationIds)];
  if (ids.length === 0) throw invalid('conversationIds', 'Select at least one chat.');
  const fans = await store.fansOf(ctx.db, actor.userId, ids);
  if (fans.length < ids.length) throw new AppError('NOT_FOUND');
  return fans;
}

async function send(ctx: Context, tx: Transaction, id: string, creatorId: string): Promise<void> {
  await tx.emit('broadcast.sent', { broadcastId: id, creatorId });
  // This comes last, because concurrent broadcasts of the creator wait for this commit.
  await store.markSent(tx, id, creatorId, ctx.clock.now());
}

function schedule(ctx: Context, tx: Transaction, id: string, runAt: Date): Promise<void> {
  return ctx.jobs.add(tx, sendJob, { broadcastId: id }, { key: `broadcast.send:${id}`, runAt });
}

async function requireRoom(tx: Transaction, creatorId: string): Promise<void> {
  const { count } = await tx.query
    .selectFrom('broadcasts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('creator_id', '=', creatorId)
    .where('state', '=', 'scheduled')
    .executeTakeFirstOrThrow();
  if (count >= CHAT_LIMITS.scheduledBroadcasts)
    throw new AppError('CONFLICT', {
      message: `You can have up to ${CHAT_LIMITS.scheduledBroadcasts} scheduled broadcasts.`,
    });
}

/**
 * Idempotent per client id. Throws VALIDATION, NOT_FOUND (another user's conversation or file), CONFLICT (the id was
 * used for another broadcast), NOT_VERIFIED, RATE_LIMITED.
 */
export async function makeBroadcast(
  ctx: Context,
  actor: Actor,
  wish: Wish,
  choose: ((tx: Transaction) => Promise<Files>) | undefined,
): Promise<Answer> {
  await requireMayPrice(ctx, actor, wish.price);
  await countSending(ctx, actor.userId);
  const at = timeOf(ctx, wish.scheduledAt);
  const fanIds = await recipientsOf(ctx, actor, wish);
  const priceCents = toCents(wish.price);
  const id = await ctx.db.transaction(async (tx) => {
    const files = await choose?.(tx);
    if (wish.isViewOnce && files?.type === 'document')
      throw invalid('isViewOnce', 'Documents can’t be sent as view once.');
    const type = files?.type ?? 'text';
    const made = await tx.query
      .insertInto('broadcasts')
      .values({
        id: newId(ctx.clock),
        creator_id: actor.userId,
        author_id: actor.member?.userId ?? null,
        client_id: wish.clientId,
        type,
        text: wish.text,
        price_cents: priceCents,
        is_view_once: wish.isViewOnce,
        audience: wish.audience,
        fan_ids: fanIds,
        exclude_buyers: wish.excludeBuyers,
        state: 'scheduled',
        scheduled_at: at ?? null,
        created_at: ctx.clock.now(),
      })
      .onConflict((conflict) => conflict.columns(['creator_id', 'client_id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made) return earlier(tx, actor, wish, type);
    await requirePriceWithin(tx, 'chatMedia', priceCents);
    if (files) await attach(tx, made.id, files);
    if (at) {
      await requireRoom(tx, actor.userId);
      await schedule(ctx, tx, made.id, at);
    } else {
      await send(ctx, tx, made.id, actor.userId);
    }
    return made.id;
  });
  const row = await accessBroadcast(ctx, actor, id);
  const data = present(row, ctx.clock.now());
  return { messageList: [data.message], data };
}

async function earlier(tx: Transaction, actor: Actor, wish: Wish, type: string): Promise<string> {
  const row = await tx.query
    .selectFrom('broadcasts')
    .select(['id', 'type', 'text', 'price_cents', 'audience'])
    .where('creator_id', '=', actor.userId)
    .where('client_id', '=', wish.clientId)
    .executeTakeFirstOrThrow();
  const isSame =
    row.type === type &&
    row.text === wish.text &&
    row.audience === wish.audience &&
    row.price_cents === toCents(wish.price);
  if (!isSame) throw new AppError('CONFLICT', { message: 'This id was used for another message.' });
  return row.id;
}

async function mayWrite(ctx: Context, tx: Transaction, creatorId: string): Promise<boolean> {
  const creator = await findUser(tx, creatorId);
  if (!creator || creator.is_blocked) return false;
  const until = limitedOf(creator).chat;
  return until === undefined || new Date(until) <= ctx.clock.now();
}

/**
 * Sends a scheduled broadcast that is due, or cancels it when its creator may not write any more. Changes nothing in
 * other states.
 */
async function sendDue(ctx: Context, id: string, isAnyTime: boolean): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const row = await tx.query
      .selectFrom('broadcasts')
      .select(['creator_id', 'state', 'scheduled_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (row?.state !== 'scheduled') return false;
    const at = row.scheduled_at?.getTime() ?? Number.POSITIVE_INFINITY;
    const aheadMs = isAnyTime ? 0 : at - ctx.clock.now().getTime();
    // A moved broadcast has a new job. A job that is early because of clock differences is scheduled again.
    if (aheadMs > 0 && aheadMs < CLOCKS_APART_MS)
      await schedule(ctx, tx, id, new Date(ctx.clock.now().getTime() + CLOCKS_APART_MS));
    if (aheadMs > 0) return false;
    if (!(await mayWrite(ctx, tx, row.creator_id))) {
      await tx.query.updateTable('broadcasts').set({ state: 'cancelled' }).where('id', '=', id).execute();
      return false;
    }
    await send(ctx, tx, id, row.creator_id);
    return true;
  });
}

/** Moves a scheduled broadcast or sends it now. Throws NOT_FOUND, VALIDATION, CONFLICT (already sent or cancelled). */
export async function reschedule(ctx: Context, actor: Actor, id: string, scheduledAt: string | null): Promise<View> {
  await accessBroadcast(ctx, actor, id);
  const refused = new AppError('CONFLICT', { message: 'This was already sent or canceled.' });
  if (scheduledAt === null) {
    if (!(await sendDue(ctx, id, true))) throw refused;
  } else {
    const at = timeOf(ctx, scheduledAt) ?? ctx.clock.now();
    await ctx.db.transaction(async (tx) => {
      const moved = await tx.query
        .updateTable('broadcasts')
        .set({ scheduled_at: at })
        .where('id', '=', id)
        .where('state', '=', 'scheduled')
        .returning('id')
        .executeTakeFirst();
      if (!moved) throw refused;
      await schedule(ctx, tx, id, at);
    });
  }
  return present(await accessBroadcast(ctx, actor, id), ctx.clock.now());
}

/**
 * Cancels a scheduled broadcast, or removes a sent one from recipients who neither read nor bought it. Idempotent.
 * Throws NOT_FOUND.
 */
export async function unsend(ctx: Context, actor: Actor, id: string): Promise<View> {
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
  return present(await accessBroadcast(ctx, actor, id), ctx.clock.now());
}

export async function list(
  ctx: Context,
  actor: Actor,
  { limit, offset, status }: QueryOf<typeof listBroadcasts>,
): Promise<AnswerOf<typeof listBroadcasts>> {
  const { skip, after } = readOffset(offset);
  if (after !== undefined && !/^\d{1,15}$/.test(after)) throw invalid('offset', 'Invalid offset');
  const isSent = status === 'sent';
  const rows = isSent
    ? await store.listSent(ctx.db, actor.userId, Number(after ?? Number.MAX_SAFE_INTEGER), skip, limit + 1)
    : await store.listScheduled(ctx.db, actor.userId, after === undefined ? skip : Number(after), limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const place = isSent ? last?.seq : Number(after ?? skip) + limit;
  const now = ctx.clock.now();
  return {
    data: shown.map((row) => present(row, now)),
    limit,
    ...(rows.length > limit && last ? { nextOffset: cursorOf(String(place).padStart(8, '0')) } : {}),
  };
}

export async function groups(ctx: Context, actor: Actor, mediaIds: string): Promise<AnswerOf<typeof broadcastGroups>> {
  const ids = mediaIds.split(',').filter(isId);
  const { followers, buyers, active, owners } = await store.countGroups(ctx.db, actor.userId, ctx.clock.now(), ids);
  return {
    data: [
      { audience: 'followers', count: followers },
      { audience: 'buyers', count: buyers },
      { audience: 'active', count: active },
      { audience: 'notBought', count: Math.max(0, followers - owners) },
    ],
  };
}

export async function tellProgress(ctx: Context, id: string): Promise<void> {
  const row = await store.findBroadcast(ctx.db, id);
  if (!row) return;
  const { status, recipientCount, deliveredCount, readCount, purchasedCount, earned } = present(row, ctx.clock.now());
  tell(ctx, row.creator_id, broadcastProgress, {
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
    await sendDue(ctx, id, false);
  });
}

import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { UserId } from '@stagedoor/contract/atoms/ids.ts';
import { toCents } from '@stagedoor/contract/atoms/money.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import type { MessageType } from '@stagedoor/contract/messages.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../../kernel/db.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Actor } from '../../../kernel/session.ts';
import { rightToNew } from '../../entitlements/index.ts';
import { reviewWatching } from '../../presence/index.ts';
import { requireOpenDoor, requirePriceWithin } from '../../sales/index.ts';
import { refusalError, requireSeenReceiver, sideOf } from '../access.ts';
import { attach, type Files } from './attachments.ts';
import '../events.ts';
import { tellChanged, tellHearers, tellMessage } from '../live/tell.ts';
import { type MessageView, presentMessage } from '../present.ts';
import { type Details, findMessages, type MessageRow } from '../rows.ts';
import { countSending } from './flood.ts';

export type Destination = { conversationId?: string | undefined; receiverId?: string | undefined };
export type Sent = { isUpdateConversation: boolean; data: MessageView };

const SEND: Statement = {
  name: 'chat-send',
  text: `select refusal, outcome, is_changed, message_id, conversation_id, other_id, seq, event_id
    from chat_send($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb, $12, $13, $14, make_interval(days => $15), $16, $17)`,
};

type Outcome = {
  refusal: string | null;
  outcome: 'sent' | 'replayed';
  is_changed: boolean;
  message_id: string;
  conversation_id: string;
  other_id: string;
  seq: number;
  event_id: number | null;
};

export type Draft = {
  senderId: string;
  isCreator: boolean;
  to: Destination;
  id: string;
  clientId: string;
  type: MessageType;
  text: string;
  priceCents: number;
  isViewOnce: boolean;
  details: Details | null;
  at: Date;
  authorId?: UserId | undefined;
};

/**
 * Idempotent per client id. With `isTold` the caller emits the message after the commit, and the outbox relay only if
 * that has not happened within seconds. Throws NOT_FOUND, FORBIDDEN, CONFLICT, RATE_LIMITED.
 */
export async function writeMessage(db: Executor, factor: number, draft: Draft, isTold = false): Promise<Outcome> {
  const [row] = await db.run<Outcome>(SEND, [
    draft.senderId,
    draft.isCreator,
    draft.to.conversationId ?? null,
    draft.to.receiverId ?? null,
    draft.id,
    draft.clientId,
    draft.type,
    draft.text,
    draft.priceCents,
    draft.isViewOnce,
    draft.details === null ? null : JSON.stringify(draft.details),
    draft.at,
    Math.ceil(CHAT_LIMITS.requestsADay * factor),
    CHAT_LIMITS.broadcastsKept,
    CHAT_LIMITS.declinedDays,
    isTold,
    draft.authorId ?? null,
  ]);
  if (!row) throw new Error('chat_send answered nothing');
  if (row.refusal !== null) throw refusalError(row.refusal);
  return row;
}

const isWhole = ({ authorId }: Draft, { outcome }: Outcome) => outcome === 'sent' && authorId === undefined;

function rowOf(draft: Draft, { conversation_id, other_id, seq }: Outcome, files: MessageRow['files'] = []): MessageRow {
  return {
    id: draft.id,
    revision: 0,
    conversation_id,
    conversation_revision: 0,
    creator_id: draft.isCreator ? draft.senderId : other_id,
    fan_id: draft.isCreator ? other_id : draft.senderId,
    seq,
    client_id: draft.clientId,
    is_from_creator: draft.isCreator,
    type: draft.type,
    text: draft.text,
    price_cents: draft.priceCents,
    is_view_once: draft.isViewOnce,
    broadcast_id: null,
    details: draft.details,
    created_at: draft.at,
    purchased_at: null,
    viewed_at: null,
    viewable_until: null,
    removed_at: null,
    unsent_at: null,
    team: null,
    fan_right: rightToNew(!draft.isCreator, draft.priceCents),
    creator_delivered_seq: 0,
    fan_delivered_seq: 0,
    creator_read_seq: 0,
    fan_read_seq: 0,
    files,
  };
}

export const LIVE = 'chat.live';

function announce(ctx: Context, row: MessageRow, isChanged: boolean): void {
  tellMessage(ctx, row);
  tellHearers(ctx, row);
  const conversation = { id: row.conversation_id, revision: row.conversation_revision, creator_id: row.creator_id };
  if (!isChanged) return;
  for (const id of [row.creator_id, row.fan_id]) tellChanged(ctx, id, conversation);
  // A creator's message accepts the request, so that the fan's presence becomes visible.
  if (row.is_from_creator) reviewWatching(ctx, row.creator_id, row.fan_id);
}

export async function announceLater(ctx: Context, messageId: string, isChanged: boolean): Promise<void> {
  const [row] = await findMessages(ctx.db, [messageId]);
  if (row && !row.unsent_at) announce(ctx, row, isChanged);
}

/** Throws VALIDATION unless there is exactly one destination: a conversation or a user. */
export function requireDestination(to: Destination): void {
  if ((to.conversationId === undefined) === (to.receiverId === undefined))
    throw invalid('conversationId', 'Choose a chat or a person.');
}

async function answer(ctx: Context, actor: Actor, draft: Draft, outcome: Outcome, row?: MessageRow): Promise<Sent> {
  const isTold = row !== undefined && !outcome.is_changed;
  const [read] = isTold ? [row] : await findMessages(ctx.db, [outcome.message_id]);
  if (!read) throw new AppError('NOT_FOUND');
  if (outcome.outcome === 'sent') {
    announce(ctx, read, outcome.is_changed);
    if (outcome.event_id !== null) ctx.events.hasTold('message.sent', LIVE, outcome.event_id);
  }
  return { isUpdateConversation: outcome.is_changed, data: presentMessage(read, sideOf(actor), draft.at) };
}

type Text = Destination & { clientId: string; text: string };

/** Throws VALIDATION, NOT_FOUND, FORBIDDEN (with the reason), CONFLICT, RATE_LIMITED. */
export async function sendText(ctx: Context, actor: Actor, { clientId, text, ...to }: Text): Promise<Sent> {
  const isCreator = sideOf(actor) === 'creator';
  requireDestination(to);
  await requireSeenReceiver(ctx.db, actor, to);
  await countSending(ctx, actor.userId);
  const draft: Draft = {
    senderId: actor.userId,
    isCreator,
    to,
    id: newId(ctx.clock),
    clientId,
    type: 'text',
    text,
    priceCents: 0,
    isViewOnce: false,
    details: null,
    at: ctx.clock.now(),
    authorId: actor.member?.userId,
  };
  const outcome = await writeMessage(ctx.db, ctx.config.rateFactor, draft, true);
  return answer(ctx, actor, draft, outcome, isWhole(draft, outcome) ? rowOf(draft, outcome) : undefined);
}

export type MediaWish = Destination & { clientId: string; text: string; price: number; isViewOnce: boolean };

/** Throws FORBIDDEN for fans, NOT_VERIFIED for creators who may not sell yet. */
export async function requireMayPrice(ctx: Context, actor: Actor, price: number): Promise<void> {
  if (price === 0) return;
  if (actor.type !== 'creator') throw new AppError('FORBIDDEN', { message: 'Only creators can set a price.' });
  await requireOpenDoor(ctx, ctx.db, actor.userId, { what: 'Paid messages', field: 'price' });
}

/** `choose` claims the files in the message's transaction and determines the message type. */
export async function sendFiles(
  ctx: Context,
  actor: Actor,
  wish: MediaWish,
  choose: (tx: Transaction) => Promise<Files>,
): Promise<Sent> {
  const isCreator = sideOf(actor) === 'creator';
  const { conversationId, receiverId, clientId, text, price, isViewOnce } = wish;
  requireDestination({ conversationId, receiverId });
  await requireSeenReceiver(ctx.db, actor, { conversationId, receiverId });
  await requireMayPrice(ctx, actor, price);
  await countSending(ctx, actor.userId);
  const { draft, outcome, row } = await ctx.db.transaction(async (tx) => {
    const files = await choose(tx);
    if (isViewOnce && files.type === 'document') throw invalid('isViewOnce', 'Documents can’t be sent as view once.');
    const made: Draft = {
      senderId: actor.userId,
      isCreator,
      to: { conversationId, receiverId },
      id: newId(ctx.clock),
      clientId,
      type: files.type,
      text,
      priceCents: toCents(price),
      isViewOnce,
      details: null,
      at: ctx.clock.now(),
      authorId: actor.member?.userId,
    };
    const written = await writeMessage(tx, ctx.config.rateFactor, made, true);
    // A message that exists already keeps its price.
    if (written.outcome === 'sent') await requirePriceWithin(tx, 'chatMedia', made.priceCents);
    const sent = isWhole(made, written) ? rowOf(made, written, await attach(tx, made.id, files)) : undefined;
    return { draft: made, outcome: written, row: sent };
  });
  return answer(ctx, actor, draft, outcome, row);
}

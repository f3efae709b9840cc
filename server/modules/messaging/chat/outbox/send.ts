import type { MessageType } from '@stagedoor/contract/messaging/messages.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { toCents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { createId } from '../../../../platform/ids.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { requirePriceInLimits, requireSellerEligible } from '../../../commerce/sales/index.ts';
import { getInitialEntitlement } from '../../../content/entitlements/index.ts';
import { recheckWatching } from '../../../identity/presence/index.ts';
import { getChatSide, requireReceiverNotGeoBlocked, toRefusalError } from '../access.ts';
import { attachFiles, type MessageFiles } from './attachments.ts';
import '../events.ts';
import { callMessageListeners, emitConversationChanged, emitMessage } from '../live/emit.ts';
import { type MessageView, presentMessage } from '../present.ts';
import { findMessages, type MessageDetails, type MessageRow } from '../rows.ts';
import * as texts from '../texts.ts';
import { countSentMessage } from './send-limits.ts';

export type MessageDestination = { conversationId?: string | undefined; receiverId?: string | undefined };
export type SendResult = { isUpdateConversation: boolean; data: MessageView };

const SEND: SqlStatement = {
  name: 'chat-send',
  text: `select refusal, outcome, is_changed, message_id, conversation_id, other_id, seq, event_id
    from chat_send($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb, $12, $13, $14, make_interval(days => $15), $16, $17)`,
};

type SendOutcome = {
  refusal: string | null;
  outcome: 'sent' | 'replayed';
  is_changed: boolean;
  message_id: string;
  conversation_id: string;
  other_id: string;
  seq: number;
  event_id: number | null;
};

export type MessageDraft = {
  senderId: string;
  isCreator: boolean;
  to: MessageDestination;
  id: string;
  clientId: string;
  type: MessageType;
  text: string;
  priceCents: number;
  isViewOnce: boolean;
  details: MessageDetails | null;
  at: Date;
  authorId?: UserId | undefined;
};

/**
 * Idempotent per client id. With `isDelivered` the caller emits the message after the commit, and the outbox relay only if
 * that has not happened within seconds. Throws NOT_FOUND, FORBIDDEN, CONFLICT, RATE_LIMITED.
 */
export async function writeMessage(
  db: Executor,
  rateFactor: number,
  draft: MessageDraft,
  isDelivered = false,
): Promise<SendOutcome> {
  const [row] = await db.run<SendOutcome>(SEND, [
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
    Math.ceil(CHAT_LIMITS.requestsPerDay * rateFactor),
    CHAT_LIMITS.broadcastsForReturningFan,
    CHAT_LIMITS.declinedDays,
    isDelivered,
    draft.authorId ?? null,
  ]);
  if (!row) throw new Error('chat_send returned nothing');
  if (row.refusal !== null) throw toRefusalError(row.refusal);
  return row;
}

const isCompleteRow = ({ authorId }: MessageDraft, { outcome }: SendOutcome) =>
  outcome === 'sent' && authorId === undefined;

function toMessageRow(
  draft: MessageDraft,
  { conversation_id, other_id, seq }: SendOutcome,
  files: MessageRow['files'] = [],
): MessageRow {
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
    fan_right: getInitialEntitlement(!draft.isCreator, draft.priceCents),
    creator_delivered_seq: 0,
    fan_delivered_seq: 0,
    creator_read_seq: 0,
    fan_read_seq: 0,
    files,
  };
}

export const EMIT_HANDLER = 'chat.emitMessage';

function emitSentMessage(ctx: Context, row: MessageRow, isChanged: boolean): void {
  emitMessage(ctx, row);
  callMessageListeners(ctx, row);
  const conversation = { id: row.conversation_id, revision: row.conversation_revision, creator_id: row.creator_id };
  if (!isChanged) return;
  for (const id of [row.creator_id, row.fan_id]) emitConversationChanged(ctx, id, conversation);
  // A creator's message accepts the request, so that the fan's presence becomes visible.
  if (row.is_from_creator) recheckWatching(ctx, row.creator_id, row.fan_id);
}

export async function emitMessageById(ctx: Context, messageId: string, isChanged: boolean): Promise<void> {
  const [row] = await findMessages(ctx.db, [messageId]);
  if (row && !row.unsent_at) emitSentMessage(ctx, row, isChanged);
}

/** Throws VALIDATION unless there is exactly one destination: a conversation or a user. */
export function requireDestination(to: MessageDestination): void {
  if ((to.conversationId === undefined) === (to.receiverId === undefined))
    throw createFieldError('conversationId', texts.chooseChatOrUser);
}

async function finishSending(
  ctx: Context,
  actor: Actor,
  draft: MessageDraft,
  outcome: SendOutcome,
  row?: MessageRow,
): Promise<SendResult> {
  const isRowComplete = row !== undefined && !outcome.is_changed;
  const [message] = isRowComplete ? [row] : await findMessages(ctx.db, [outcome.message_id]);
  if (!message) throw new AppError('NOT_FOUND');
  if (outcome.outcome === 'sent') {
    emitSentMessage(ctx, message, outcome.is_changed);
    if (outcome.event_id !== null) ctx.events.markHandled('message.sent', EMIT_HANDLER, outcome.event_id);
  }
  return { isUpdateConversation: outcome.is_changed, data: presentMessage(message, getChatSide(actor), draft.at) };
}

type TextInput = MessageDestination & { clientId: string; text: string };

/** Throws VALIDATION, NOT_FOUND, FORBIDDEN (with the reason), CONFLICT, RATE_LIMITED. */
export async function sendText(ctx: Context, actor: Actor, { clientId, text, ...to }: TextInput): Promise<SendResult> {
  const isCreator = getChatSide(actor) === 'creator';
  requireDestination(to);
  await requireReceiverNotGeoBlocked(ctx.db, actor, to);
  await countSentMessage(ctx, actor.userId);
  const draft: MessageDraft = {
    senderId: actor.userId,
    isCreator,
    to,
    id: createId(ctx.clock),
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
  return finishSending(
    ctx,
    actor,
    draft,
    outcome,
    isCompleteRow(draft, outcome) ? toMessageRow(draft, outcome) : undefined,
  );
}

export type MediaMessageInput = MessageDestination & {
  clientId: string;
  text: string;
  price: number;
  isViewOnce: boolean;
};

/** Throws FORBIDDEN for fans, NOT_VERIFIED for creators who may not sell yet. */
export async function requireCanSetPrice(ctx: Context, actor: Actor, price: number): Promise<void> {
  if (price === 0) return;
  if (actor.type !== 'creator') throw new AppError('FORBIDDEN', { message: texts.onlyCreatorsCanSetPrice });
  await requireSellerEligible(ctx, ctx.db, actor.userId, { subject: texts.paidMessages, field: 'price' });
}

/** `chooseFiles` claims the files in the message's transaction and determines the message type. */
export async function sendFiles(
  ctx: Context,
  actor: Actor,
  input: MediaMessageInput,
  chooseFiles: (tx: DbTransaction) => Promise<MessageFiles>,
): Promise<SendResult> {
  const isCreator = getChatSide(actor) === 'creator';
  const { conversationId, receiverId, clientId, text, price, isViewOnce } = input;
  requireDestination({ conversationId, receiverId });
  await requireReceiverNotGeoBlocked(ctx.db, actor, { conversationId, receiverId });
  await requireCanSetPrice(ctx, actor, price);
  await countSentMessage(ctx, actor.userId);
  const { draft, outcome, row } = await ctx.db.transaction(async (tx) => {
    const files = await chooseFiles(tx);
    if (isViewOnce && files.type === 'document') throw createFieldError('isViewOnce', texts.documentsNotViewOnce);
    const newDraft: MessageDraft = {
      senderId: actor.userId,
      isCreator,
      to: { conversationId, receiverId },
      id: createId(ctx.clock),
      clientId,
      type: files.type,
      text,
      priceCents: toCents(price),
      isViewOnce,
      details: null,
      at: ctx.clock.now(),
      authorId: actor.member?.userId,
    };
    const written = await writeMessage(tx, ctx.config.rateFactor, newDraft, true);
    // A message that exists already keeps its price.
    if (written.outcome === 'sent') await requirePriceInLimits(tx, 'chatMedia', newDraft.priceCents);
    const sent = isCompleteRow(newDraft, written)
      ? toMessageRow(newDraft, written, await attachFiles(tx, newDraft.id, files))
      : undefined;
    return { draft: newDraft, outcome: written, row: sent };
  });
  return finishSending(ctx, actor, draft, outcome, row);
}

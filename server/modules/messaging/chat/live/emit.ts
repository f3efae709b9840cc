import {
  chatMediaReady,
  conversationChanged,
  markMessages,
  messageRemoved,
  messageStatusChanged,
  messageTyping,
  receiveMessage,
  removeViewedChatMedia,
  sendTyping,
  userBlockUnblock,
  viewedChatMedia,
} from '@stagedoor/contract/messaging/chat-events.ts';
import type { ChatSide, MessageType } from '@stagedoor/contract/messaging/messages.ts';
import type { EventInput, EventSpec } from '@stagedoor/contract/shared/event.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { Context } from '../../../../platform/context.ts';
import type { SqlStatement } from '../../../../platform/database/db.ts';
import { isGeoBlocked, listGeoBlockedIds } from '../../../../platform/geo.ts';
import { defineKeyedHook, type HookContext } from '../../../../platform/hooks.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { accessConversation, getChatSide, getOtherUserId } from '../access.ts';
import { presentMessage } from '../present.ts';
import { findConversation, type MessageRow } from '../rows.ts';
import { saveMarks } from '../thread/marks.ts';

/**
 * Not emitted where the creator `creatorId` is geo-blocked. Fields that the event's schema does not name are
 * removed.
 */
export function emitChatEvent<E extends EventSpec>(
  ctx: Context,
  userId: string,
  event: E,
  payload: EventInput<E>,
  creatorId?: string,
): void {
  ctx.realtime.emitToUser(userId, event, payload, creatorId);
}

const SIDES: readonly ChatSide[] = ['creator', 'fan'];
type Pair = { creator_id: string; fan_id: string };
export const getSideUserId = (pair: Pair, side: ChatSide) => (side === 'creator' ? pair.creator_id : pair.fan_id);

/** The creator whose geo-block hides the message. A purchased message is visible everywhere. */
const findHidingCreatorId = ({ creator_id, fan_right }: MessageRow) =>
  fan_right === 'purchase' ? undefined : creator_id;

export function emitToBothSides<E extends EventSpec>(ctx: Context, pair: Pair, event: E, payload: EventInput<E>): void {
  for (const side of SIDES) emitChatEvent(ctx, getSideUserId(pair, side), event, payload, pair.creator_id);
}

export function emitMessage(ctx: Context, row: MessageRow, onlySide?: ChatSide): void {
  const now = ctx.clock.now();
  for (const side of onlySide ? [onlySide] : SIDES)
    emitChatEvent(
      ctx,
      getSideUserId(row, side),
      receiveMessage,
      [presentMessage(row, side, now)],
      findHidingCreatorId(row),
    );
}

type SentMessage = {
  messageId: string;
  conversationId: string;
  creatorId: string;
  fanId: string;
  isFromCreator: boolean;
  type: MessageType;
};
/**
 * Called in the process that emits a message. It can be called twice for a message, and not at all when the process
 * ends at that moment. Broadcasts are left out.
 */
type MessageListener = (message: SentMessage) => void;
const messageListeners = defineKeyedHook<MessageListener>('chat.messageListener');
export const registerMessageListener = messageListeners.register;

/** @param row A committed message. */
export function callMessageListeners(ctx: HookContext, row: MessageRow): void {
  const message = {
    ...{ messageId: row.id, conversationId: row.conversation_id, creatorId: row.creator_id, fanId: row.fan_id },
    ...{ isFromCreator: row.is_from_creator, type: row.type },
  };
  for (const listener of messageListeners.list(ctx)) listener(message);
}

const toMessageRef = (row: MessageRow) => ({ conversationId: row.conversation_id, messageId: row.id });

export function emitMediaReady(ctx: Context, row: MessageRow): void {
  const now = ctx.clock.now();
  for (const side of SIDES) {
    const payload = { ...toMessageRef(row), data: presentMessage(row, side, now) };
    emitChatEvent(ctx, getSideUserId(row, side), chatMediaReady, payload, findHidingCreatorId(row));
  }
}

export type RemovedMessage = Pair & Pick<MessageRow, 'id' | 'conversation_id' | 'revision' | 'conversation_revision'>;

export function emitRemoved(ctx: Context, row: RemovedMessage, onlySide?: ChatSide): void {
  const { conversation_id, id: messageId, revision, conversation_revision } = row;
  const removed = { conversationId: conversation_id, messageId, revision, conversationRevision: conversation_revision };
  for (const side of onlySide ? [onlySide] : SIDES)
    emitChatEvent(ctx, getSideUserId(row, side), messageRemoved, removed, row.creator_id);
}

type ConversationRef = { id: string; revision: number; creator_id: string };

export function emitConversationChanged(
  ctx: Context,
  userId: string,
  { id, revision, creator_id }: ConversationRef,
): void {
  emitChatEvent(ctx, userId, conversationChanged, { conversationId: id, isDeleted: false, revision }, creator_id);
}

export function emitConversationDeleted(
  ctx: Context,
  userId: string,
  row: ConversationRef & { last_seq: number },
): void {
  const { id: conversationId, revision, last_seq: lastSeq } = row;
  emitChatEvent(
    ctx,
    userId,
    conversationChanged,
    { conversationId, isDeleted: true, revision, lastSeq },
    row.creator_id,
  );
}

export function emitBlocked(ctx: Context, row: Pair & ConversationRef, isBlocked: boolean): void {
  emitToBothSides(ctx, row, userBlockUnblock, { conversationId: row.id, isBlocked, revision: row.revision });
}

export function emitViewed(ctx: Context, row: MessageRow): void {
  const event = row.removed_at ? removeViewedChatMedia : viewedChatMedia;
  const now = ctx.clock.now();
  const payload = { ...toMessageRef(row), viewedAt: (row.viewed_at ?? now).toISOString() };
  for (const side of SIDES) {
    const shown = { ...payload, data: presentMessage(row, side, now) };
    emitChatEvent(ctx, getSideUserId(row, side), event, shown, findHidingCreatorId(row));
  }
}

/** Marks of messages of other users are ignored. */
export async function markAndEmit(
  ctx: Context,
  actor: Actor,
  marks: { conversationId: string; msgIds: readonly string[]; status: 'delivered' | 'read' },
): Promise<void> {
  const marked = await saveMarks(ctx.db, actor, marks);
  if (!marked) return;
  const { ownerId, upTo, ids } = marked;
  const payload = { conversationId: marks.conversationId, msgIds: ids, status: marks.status, seq: upTo, ownerId };
  const creatorId = actor.type === 'creator' ? actor.userId : ownerId;
  emitChatEvent(ctx, ownerId, messageStatusChanged, payload, creatorId);
  if (marks.status === 'read') emitChatEvent(ctx, actor.userId, messageStatusChanged, payload, creatorId);
}

const DELIVER_ALL: SqlStatement = {
  name: 'chat-deliver-all-broadcasts',
  text: 'select chat_deliver_all_broadcasts($1, $2, $3) as made',
};

/** Returns how many messages were created. */
export async function deliverAllBroadcasts(ctx: Context, fanId: string): Promise<number> {
  const [row] = await ctx.db.run<{ made: number }>(DELIVER_ALL, [
    fanId,
    CHAT_LIMITS.broadcastsForReturningFan,
    ctx.clock.now(),
  ]);
  return row?.made ?? 0;
}

/** Finds the receiver of signals in a conversation. Cached for five seconds, because typing signals are frequent. */
function createReceiverCache(ctx: Context): (actor: Actor, conversationId: string) => Promise<string | undefined> {
  const cache = new Map<string, { otherId: string | undefined; until: number }>();
  return async (actor, conversationId) => {
    const key = `${actor.userId} ${conversationId}`;
    const now = ctx.clock.now().getTime();
    const cached = cache.get(key);
    if (cached && cached.until > now) return cached.otherId;
    const side = getChatSide(actor);
    const row = await findConversation(ctx.db, conversationId);
    const canWrite =
      row &&
      getSideUserId(row, side) === actor.userId &&
      !row.is_blocked_by_creator &&
      !row.is_blocked_by_fan &&
      row.state !== 'declined';
    const otherId = canWrite ? getOtherUserId(side, row) : undefined;
    if (cache.size > 10_000) cache.clear();
    cache.set(key, { otherId, until: now + 5_000 });
    return otherId;
  };
}

export function registerChatSignals(ctx: Context): void {
  const findReceiverId = createReceiverCache(ctx);
  ctx.realtime.onSignal(
    sendTyping,
    async ({ actor }, { conversationId, isTyping }) => {
      if (actor.type === 'operator') return;
      const otherId = await findReceiverId(actor, conversationId);
      if (otherId === undefined) return;
      const creatorId = actor.type === 'creator' ? actor.userId : otherId;
      if (isGeoBlocked(creatorId)) return;
      const payload = { conversationId, userId: actor.userId, isTyping };
      ctx.realtime.emitToUserVolatile(otherId, messageTyping, payload, creatorId);
    },
    { key: ({ conversationId }) => conversationId, merge: (_earlier, later) => later },
  );
  ctx.realtime.onSignal(
    markMessages,
    async ({ actor }, marks) => {
      if (actor.type === 'operator') return;
      if (listGeoBlockedIds().length > 0) await accessConversation(ctx.db, actor, marks.conversationId);
      await markAndEmit(ctx, actor, marks);
    },
    {
      key: ({ conversationId, status }) => `${conversationId} ${status}`,
      // Ids ascend with time, and only the newest one counts.
      merge: (earlier, later) => ({
        ...later,
        msgIds: [...new Set([...earlier.msgIds, ...later.msgIds])].sort().slice(-CHAT_LIMITS.statusIdsMax),
      }),
    },
  );
}

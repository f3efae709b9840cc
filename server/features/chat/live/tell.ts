import type { EventInput, EventSpec } from '@stagedoor/contract/atoms/event.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import {
  chatMediaReady,
  conversationChanged,
  markMessages,
  messageRemoved,
  messageStatusChanged,
  messageTyping,
  receiveMessage,
  removeViewedChatMedia,
  typing,
  userBlockUnblock,
  viewedChatMedia,
} from '@stagedoor/contract/chat-live.ts';
import type { MessageType, Side } from '@stagedoor/contract/messages.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Statement } from '../../../kernel/db.ts';
import { hiddenHere, isHiddenHere } from '../../../kernel/places.ts';
import type { Actor } from '../../../kernel/session.ts';
import { accessConversation, otherOf, sideOf } from '../access.ts';
import { presentMessage } from '../present.ts';
import { findConversation, type MessageRow } from '../rows.ts';
import { mark } from '../thread/marks.ts';

/**
 * Not emitted where the creator `of` the conversation is geo-blocked. Fields that the event's schema does not name are
 * removed.
 */
export function tell<E extends EventSpec>(
  ctx: Context,
  userId: string,
  event: E,
  payload: EventInput<E>,
  of?: string,
): void {
  ctx.realtime.toUser(userId, event, payload, of);
}

const SIDES: readonly Side[] = ['creator', 'fan'];
type Pair = { creator_id: string; fan_id: string };
export const idOf = (pair: Pair, side: Side) => (side === 'creator' ? pair.creator_id : pair.fan_id);

/** The creator whose geo-block hides the message. A purchased message is visible everywhere. */
const hidesWith = ({ creator_id, fan_right }: MessageRow) => (fan_right === 'purchase' ? undefined : creator_id);

export function tellBoth<E extends EventSpec>(ctx: Context, pair: Pair, event: E, payload: EventInput<E>): void {
  for (const side of SIDES) tell(ctx, idOf(pair, side), event, payload, pair.creator_id);
}

export function tellMessage(ctx: Context, row: MessageRow, only?: Side): void {
  const now = ctx.clock.now();
  for (const side of only ? [only] : SIDES)
    tell(ctx, idOf(row, side), receiveMessage, [presentMessage(row, side, now)], hidesWith(row));
}

type Said = {
  messageId: string;
  conversationId: string;
  creatorId: string;
  fanId: string;
  isFromCreator: boolean;
  type: MessageType;
};
const hearers = new WeakMap<Context, ((said: Said) => void)[]>();

/**
 * Calls `hear` in the process that emits a message. It can be called twice for a message, and not at all when the
 * process ends at that moment. Broadcasts are left out.
 */
export function hearMessages(ctx: Context, hear: (said: Said) => void): void {
  hearers.set(ctx, [...(hearers.get(ctx) ?? []), hear]);
}
/** @param row A committed message. */
export function tellHearers(ctx: Context, row: MessageRow): void {
  const said = {
    ...{ messageId: row.id, conversationId: row.conversation_id, creatorId: row.creator_id, fanId: row.fan_id },
    ...{ isFromCreator: row.is_from_creator, type: row.type },
  };
  for (const hear of hearers.get(ctx) ?? []) hear(said);
}

const onMessage = (row: MessageRow) => ({ conversationId: row.conversation_id, messageId: row.id });

export function tellMediaReady(ctx: Context, row: MessageRow): void {
  const now = ctx.clock.now();
  for (const side of SIDES) {
    const told = { ...onMessage(row), data: presentMessage(row, side, now) };
    tell(ctx, idOf(row, side), chatMediaReady, told, hidesWith(row));
  }
}

export type RemovedMessage = Pair & Pick<MessageRow, 'id' | 'conversation_id' | 'revision' | 'conversation_revision'>;

export function tellRemoved(ctx: Context, row: RemovedMessage, only?: Side): void {
  const { conversation_id, id: messageId, revision, conversation_revision } = row;
  const removed = { conversationId: conversation_id, messageId, revision, conversationRevision: conversation_revision };
  for (const side of only ? [only] : SIDES) tell(ctx, idOf(row, side), messageRemoved, removed, row.creator_id);
}

type Revised = { id: string; revision: number; creator_id: string };

export function tellChanged(ctx: Context, userId: string, { id, revision, creator_id }: Revised): void {
  tell(ctx, userId, conversationChanged, { conversationId: id, isDeleted: false, revision }, creator_id);
}

export function tellDeleted(ctx: Context, userId: string, row: Revised & { last_seq: number }): void {
  const { id: conversationId, revision, last_seq: lastSeq } = row;
  tell(ctx, userId, conversationChanged, { conversationId, isDeleted: true, revision, lastSeq }, row.creator_id);
}

export function tellBlocked(ctx: Context, row: Pair & Revised, isBlocked: boolean): void {
  tellBoth(ctx, row, userBlockUnblock, { conversationId: row.id, isBlocked, revision: row.revision });
}

export function tellViewed(ctx: Context, row: MessageRow): void {
  const event = row.removed_at ? removeViewedChatMedia : viewedChatMedia;
  const now = ctx.clock.now();
  const told = { ...onMessage(row), viewedAt: (row.viewed_at ?? now).toISOString() };
  for (const side of SIDES) {
    const shown = { ...told, data: presentMessage(row, side, now) };
    tell(ctx, idOf(row, side), event, shown, hidesWith(row));
  }
}

/** Marks of messages of other users are ignored. */
export async function markAndTell(
  ctx: Context,
  actor: Actor,
  marks: { conversationId: string; msgIds: readonly string[]; status: 'delivered' | 'read' },
): Promise<void> {
  const marked = await mark(ctx.db, actor, marks);
  if (!marked) return;
  const { ownerId, upTo, ids } = marked;
  const payload = { conversationId: marks.conversationId, msgIds: ids, status: marks.status, seq: upTo, ownerId };
  const creatorId = actor.type === 'creator' ? actor.userId : ownerId;
  tell(ctx, ownerId, messageStatusChanged, payload, creatorId);
  if (marks.status === 'read') tell(ctx, actor.userId, messageStatusChanged, payload, creatorId);
}

const CATCH_UP: Statement = { name: 'chat-catch-up', text: 'select chat_catch_up($1, $2, $3) as made' };

/** Returns how many messages were created. */
export async function catchUp(ctx: Context, fanId: string): Promise<number> {
  const [row] = await ctx.db.run<{ made: number }>(CATCH_UP, [fanId, CHAT_LIMITS.broadcastsKept, ctx.clock.now()]);
  return row?.made ?? 0;
}

/** Finds the receiver of signals in a conversation. Cached for five seconds, because typing signals are frequent. */
function partners(ctx: Context): (actor: Actor, conversationId: string) => Promise<string | undefined> {
  const kept = new Map<string, { otherId: string | undefined; until: number }>();
  return async (actor, conversationId) => {
    const key = `${actor.userId} ${conversationId}`;
    const now = ctx.clock.now().getTime();
    const known = kept.get(key);
    if (known && known.until > now) return known.otherId;
    const side = sideOf(actor);
    const row = await findConversation(ctx.db, conversationId);
    const mayWrite =
      row &&
      idOf(row, side) === actor.userId &&
      !row.is_blocked_by_creator &&
      !row.is_blocked_by_fan &&
      row.state !== 'declined';
    const otherId = mayWrite ? otherOf(side, row) : undefined;
    if (kept.size > 10_000) kept.clear();
    kept.set(key, { otherId, until: now + 5_000 });
    return otherId;
  };
}

export function listen(ctx: Context): void {
  const partnerOf = partners(ctx);
  ctx.realtime.onSignal(
    typing,
    async ({ actor }, { conversationId, isTyping }) => {
      if (actor.type === 'operator') return;
      const otherId = await partnerOf(actor, conversationId);
      if (otherId === undefined) return;
      const creatorId = actor.type === 'creator' ? actor.userId : otherId;
      if (isHiddenHere(creatorId)) return;
      const told = { conversationId, userId: actor.userId, isTyping };
      ctx.realtime.toUserVolatile(otherId, messageTyping, told, creatorId);
    },
    { key: ({ conversationId }) => conversationId, merge: (_earlier, later) => later },
  );
  ctx.realtime.onSignal(
    markMessages,
    async ({ actor }, marks) => {
      if (actor.type === 'operator') return;
      if (hiddenHere().length > 0) await accessConversation(ctx.db, actor, marks.conversationId);
      await markAndTell(ctx, actor, marks);
    },
    {
      key: ({ conversationId, status }) => `${conversationId} ${status}`,
      // Ids ascend with time, and only the newest one counts.
      merge: (earlier, later) => ({
        ...later,
        msgIds: [...new Set([...earlier.msgIds, ...later.msgIds])].sort().slice(-CHAT_LIMITS.statusIds),
      }),
    },
  );
}

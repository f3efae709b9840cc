/**
 * Replays what a returning client missed, oldest first and in parts. Newer messages wait until then, so that the last
 * message the client knows stands for all before it.
 */

import { messagesMissed, receiveMessage } from '@stagedoor/contract/messaging/chat-events.ts';
import type { ChatSide } from '@stagedoor/contract/messaging/messages.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { Socket } from 'socket.io';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { SqlStatement } from '../../../../platform/database/db.ts';
import { isBlockedIn } from '../../../../platform/geo.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { getChatSide } from '../access.ts';
import { type MessageView, presentMessage } from '../present.ts';
import { findMessages, type MessageRow } from '../rows.ts';
import { deliverAllBroadcasts } from './emit.ts';

const MAX_PART_BYTES = 256 * 1024;

const ACTIVE_CONVERSATIONS: Record<ChatSide, string> = {
  creator: ['open', 'requested']
    .map(
      (state) =>
        `select id, creator_cleared_seq as cleared from conversations where creator_id = $1 and state = '${state}' and creator_listed_at >= $2::timestamptz`,
    )
    .join(' union all '),
  fan: 'select id, fan_cleared_seq as cleared from conversations where fan_id = $1 and fan_listed_at >= $2::timestamptz',
};
const MISSED_CONDITION: Record<ChatSide, string> = { creator: 'and x.broadcast_id is null', fan: '' };

/**
 * Ids are made when a message is written, whatever its timestamp, and ascend with `seq` except for a moment. Each
 * conversation is therefore read from its end back to the first message that is a minute older.
 */
const createSinceStatement = (side: ChatSide): SqlStatement => ({
  name: `chat-missed-${side}`,
  text: `select id, conversation_id from (select m.id, m.seq, c.id as conversation_id from (${ACTIVE_CONVERSATIONS[side]}) c, lateral (
      select x.id, x.seq from messages x where x.conversation_id = c.id and x.seq > c.cleared
        and x.seq > coalesce((select b.seq from messages b where b.conversation_id = c.id and b.id < $4::uuid order by b.seq desc limit 1), 0)
        and x.id >= $3::uuid and x.unsent_at is null and not x.is_hidden_from_${side} ${MISSED_CONDITION[side]} order by x.seq limit $5) m limit $5) t
    order by conversation_id, seq`,
});
const SINCE_STATEMENTS: Record<ChatSide, SqlStatement> = {
  creator: createSinceStatement('creator'),
  fan: createSinceStatement('fan'),
};
const MINUTE_MS = 60_000;
/** A timestamp can be this much older than the message, for example of a tip that is delivered late. */
const LATE_MS = 60 * MINUTE_MS;

const toTimestamp = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
function toFirstId(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

type MessageKey = { id: string; conversation_id: string };

function sortByTime(keys: readonly MessageKey[]): string[] {
  const latest = new Map<string, string>();
  const datedIds = keys.map(({ id, conversation_id }) => {
    const before = latest.get(conversation_id);
    const at = before === undefined || before < id ? id : before;
    latest.set(conversation_id, at);
    return { id, at };
  });
  return datedIds.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)).map(({ id }) => id);
}

/** Returns undefined when there are more messages than a replay may contain. */
async function findMissedIds(
  ctx: Context,
  side: ChatSide,
  userId: string,
  since: number,
): Promise<string[] | undefined> {
  const values = [
    userId,
    new Date(since - LATE_MS),
    toFirstId(since),
    toFirstId(since - MINUTE_MS),
    CHAT_LIMITS.replayMax + 1,
  ];
  const keys = await ctx.db.run<MessageKey>(SINCE_STATEMENTS[side], values);
  return keys.length > CHAT_LIMITS.replayMax ? undefined : sortByTime(keys);
}

type ReturningClient = { actor: Actor; side: ChatSide; socket: Socket };

/** Messages of creators who are geo-blocked at the socket's location are not replayed, except purchased ones. */
function isHiddenFrom(
  ctx: Context,
  { actor, socket }: ReturningClient,
  { creator_id, fan_right }: MessageRow,
): boolean {
  const geoContext = ctx.geo.findSocketContext(socket.request, actor);
  return geoContext !== undefined && fan_right !== 'purchase' && isBlockedIn(geoContext, creator_id);
}

async function* loadParts(
  ctx: Context,
  client: ReturningClient,
  ids: readonly string[],
): AsyncGenerator<MessageView[]> {
  const { actor, side } = client;
  for (let from = 0; from < ids.length; from += CHAT_LIMITS.replayBatch) {
    const partIds = ids.slice(from, from + CHAT_LIMITS.replayBatch);
    const messages = await ctx.realtime.runInOrder(actor.userId, () => findMessages(ctx.db, partIds));
    const rows = new Map(messages.map((row) => [row.id, row]));
    let part: MessageView[] = [];
    let bytes = 0;
    for (const id of partIds) {
      const row = rows.get(id);
      if (!row || row.unsent_at || isHiddenFrom(ctx, client, row)) continue;
      const message = presentMessage(row, side, ctx.clock.now());
      const size = JSON.stringify(message).length;
      if (part.length > 0 && bytes + size > MAX_PART_BYTES) {
        yield part;
        part = [];
        bytes = 0;
      }
      part.push(message);
      bytes += size;
    }
    if (part.length > 0) yield part;
  }
}

async function sendMissedMessages(ctx: Context, actor: Actor, socket: Socket, lastMessageId: string): Promise<void> {
  const { realtime, clock, config } = ctx;
  const { userId } = actor;
  const side = getChatSide(actor);
  const runInOrder = <T>(work: () => Promise<T>) => realtime.runInOrder(userId, work);
  const suppression = realtime.suppressEvent(socket, receiveMessage);
  try {
    if (side === 'fan') await runInOrder(() => deliverAllBroadcasts(ctx, userId));
    const sent = new Set([lastMessageId]);
    let since = realtime.getMissedSince(new Date(toTimestamp(lastMessageId))).getTime() - config.replayOverlapMs;
    do {
      const startedAt = clock.now().getTime();
      const missed = await runInOrder(() => findMissedIds(ctx, side, userId, since));
      if (!missed) {
        await realtime.emitToSocket(socket, messagesMissed, { since: new Date(since).toISOString() });
        return;
      }
      const ids = missed.filter((id) => !sent.has(id));
      for await (const part of loadParts(ctx, { actor, side, socket }, ids))
        if (!(await realtime.emitToSocket(socket, receiveMessage, part))) return;
      for (const id of ids) sent.add(id);
      since = Math.max(since, startedAt - config.replayOverlapMs);
    } while (suppression.wasSuppressed() && socket.connected);
  } finally {
    suppression.release();
  }
}

const handshake = z.object({ lastMessageId: z.string().check(z.refine(isId)) });

export function registerCatchUp(ctx: Context): void {
  ctx.realtime.onConnect(({ actor, socket }) => {
    const parsed = z.safeParse(handshake, socket.handshake.auth);
    if (!actor || actor.isBlocked || actor.type === 'operator' || !parsed.success) return;
    void sendMissedMessages(ctx, actor, socket, parsed.data.lastMessageId).catch((error: unknown) => {
      ctx.log.error({ err: error }, 'what a client missed could not be sent');
      // The client reconnects and requests the replay again.
      socket.conn.close();
    });
  });
}

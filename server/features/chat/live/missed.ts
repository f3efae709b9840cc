/**
 * Replays what a returning client missed, oldest first and in parts. Newer messages wait until then, so that the last
 * message the client knows stands for all before it.
 */
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import { messagesMissed, receiveMessage } from '@stagedoor/contract/chat-live.ts';
import type { Side } from '@stagedoor/contract/messages.ts';
import type { Socket } from 'socket.io';
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import type { Statement } from '../../../kernel/db.ts';
import { hides } from '../../../kernel/places.ts';
import type { Actor } from '../../../kernel/session.ts';
import { sideOf } from '../access.ts';
import { type MessageView, presentMessage } from '../present.ts';
import { findMessages, type MessageRow } from '../rows.ts';
import { catchUp } from './tell.ts';

const PART_BYTES = 256 * 1024;

const ACTIVE: Record<Side, string> = {
  creator: ['open', 'requested']
    .map(
      (state) =>
        `select id, creator_cleared_seq as cleared from conversations where creator_id = $1 and state = '${state}' and creator_at >= $2::timestamptz`,
    )
    .join(' union all '),
  fan: 'select id, fan_cleared_seq as cleared from conversations where fan_id = $1 and fan_at >= $2::timestamptz',
};
const TOLD: Record<Side, string> = { creator: 'and x.broadcast_id is null', fan: '' };

/**
 * Ids are made when a message is written, whatever its timestamp, and ascend with `seq` except for a moment. Each
 * conversation is therefore read from its end back to the first message that is a minute older.
 */
const sinceStatement = (side: Side): Statement => ({
  name: `chat-missed-${side}`,
  text: `select id, conversation_id from (select m.id, m.seq, c.id as conversation_id from (${ACTIVE[side]}) c, lateral (
      select x.id, x.seq from messages x where x.conversation_id = c.id and x.seq > c.cleared
        and x.seq > coalesce((select b.seq from messages b where b.conversation_id = c.id and b.id < $4::uuid order by b.seq desc limit 1), 0)
        and x.id >= $3::uuid and x.unsent_at is null and not x.is_hidden_from_${side} ${TOLD[side]} order by x.seq limit $5) m limit $5) t
    order by conversation_id, seq`,
});
const SINCE: Record<Side, Statement> = { creator: sinceStatement('creator'), fan: sinceStatement('fan') };
const MINUTE_MS = 60_000;
/** A timestamp can be this much older than the message, for example of a tip that is delivered late. */
const LATE_MS = 60 * MINUTE_MS;

const instantOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
function firstOf(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

type Key = { id: string; conversation_id: string };

function inOrder(keys: readonly Key[]): string[] {
  const latest = new Map<string, string>();
  const placed = keys.map(({ id, conversation_id }) => {
    const before = latest.get(conversation_id);
    const at = before === undefined || before < id ? id : before;
    latest.set(conversation_id, at);
    return { id, at };
  });
  return placed.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)).map(({ id }) => id);
}

/** Returns undefined when there are more messages than a replay may contain. */
async function missedSince(ctx: Context, side: Side, userId: string, since: number): Promise<string[] | undefined> {
  const values = [
    userId,
    new Date(since - LATE_MS),
    firstOf(since),
    firstOf(since - MINUTE_MS),
    CHAT_LIMITS.replay + 1,
  ];
  const keys = await ctx.db.run<Key>(SINCE[side], values);
  return keys.length > CHAT_LIMITS.replay ? undefined : inOrder(keys);
}

type Returning = { actor: Actor; side: Side; socket: Socket };

/** Messages of creators who are geo-blocked at the socket's location are not replayed, except purchased ones. */
function isHiddenFrom(ctx: Context, { actor, socket }: Returning, { creator_id, fan_right }: MessageRow): boolean {
  const here = ctx.places.hereOfSocket(socket.request, actor);
  return here !== undefined && fan_right !== 'purchase' && hides(here, creator_id);
}

async function* partsOf(ctx: Context, who: Returning, ids: readonly string[]): AsyncGenerator<MessageView[]> {
  const { actor, side } = who;
  for (let from = 0; from < ids.length; from += CHAT_LIMITS.replayPart) {
    const some = ids.slice(from, from + CHAT_LIMITS.replayPart);
    const found = await ctx.realtime.inTurn(actor.userId, () => findMessages(ctx.db, some));
    const rows = new Map(found.map((row) => [row.id, row]));
    let part: MessageView[] = [];
    let bytes = 0;
    for (const id of some) {
      const row = rows.get(id);
      if (!row || row.unsent_at || isHiddenFrom(ctx, who, row)) continue;
      const message = presentMessage(row, side, ctx.clock.now());
      const size = JSON.stringify(message).length;
      if (part.length > 0 && bytes + size > PART_BYTES) {
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

async function sendMissed(ctx: Context, actor: Actor, socket: Socket, lastMessageId: string): Promise<void> {
  const { realtime, clock, config } = ctx;
  const { userId } = actor;
  const side = sideOf(actor);
  const inTurn = <T>(work: () => Promise<T>) => realtime.inTurn(userId, work);
  const held = realtime.withhold(socket, receiveMessage);
  try {
    if (side === 'fan') await inTurn(() => catchUp(ctx, userId));
    const sent = new Set([lastMessageId]);
    let since = realtime.wholeUntil(new Date(instantOf(lastMessageId))).getTime() - config.replayOverlapMs;
    do {
      const began = clock.now().getTime();
      const missed = await inTurn(() => missedSince(ctx, side, userId, since));
      if (!missed) {
        await realtime.toSocket(socket, messagesMissed, { since: new Date(since).toISOString() });
        return;
      }
      const ids = missed.filter((id) => !sent.has(id));
      for await (const part of partsOf(ctx, { actor, side, socket }, ids))
        if (!(await realtime.toSocket(socket, receiveMessage, part))) return;
      for (const id of ids) sent.add(id);
      since = Math.max(since, began - config.replayOverlapMs);
    } while (held.wasSent() && socket.connected);
  } finally {
    held.release();
  }
}

const handshake = z.object({ lastMessageId: z.string().check(z.refine(isId)) });

export function listenForReturns(ctx: Context): void {
  ctx.realtime.onConnect(({ actor, socket }) => {
    const asked = z.safeParse(handshake, socket.handshake.auth);
    if (!actor || actor.isBlocked || actor.type === 'operator' || !asked.success) return;
    void sendMissed(ctx, actor, socket, asked.data.lastMessageId).catch((error: unknown) => {
      ctx.log.error({ err: error }, 'what a client missed could not be sent');
      // The client reconnects and requests the replay again.
      socket.conn.close();
    });
  });
}

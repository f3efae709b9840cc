/**
 * A first or changed heartbeat updates the call immediately. Repeated ones stay in memory and are written for all calls
 * together every few seconds.
 */
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import type { Socket } from 'socket.io';
import { systemClock } from '../../../kernel/clock.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Statement } from '../../../kernel/db.ts';
import { claim, happen, lose } from '../call/course.ts';
import type { Side } from '../call/sides.ts';
import { instantOf, take } from '../call/turn.ts';

type Heard = {
  callId: string;
  side: Side;
  at: number;
  isConnected: boolean | undefined;
  socket: Socket | undefined;
  isWritten: boolean;
};

/** `isConnected` says whether the side is connected to the other one. It is undefined before the call is answered. */
export type Hearing = Pick<Heard, 'callId' | 'side' | 'isConnected'>;

const heardBy = new WeakMap<Context, Map<string, Heard>>();
const watched = new WeakSet<Socket>();

function heardOf(ctx: Context): Map<string, Heard> {
  const known = heardBy.get(ctx) ?? new Map<string, Heard>();
  heardBy.set(ctx, known);
  return known;
}

/** A monotonic clock, unless a test clock is set. */
const nowMs = (ctx: Context) => (ctx.clock === systemClock ? performance.now() : ctx.clock.now().getTime());

const keyOf = ({ callId, side }: Pick<Heard, 'callId' | 'side'>) => `${callId} ${side}`;

export async function hear(ctx: Context, { callId, side, isConnected }: Hearing, socket?: Socket): Promise<void> {
  const heard = heardOf(ctx);
  const before = heard.get(keyOf({ callId, side }));
  heard.set(keyOf({ callId, side }), { callId, side, isConnected, socket, at: nowMs(ctx), isWritten: false });
  if (socket && !watched.has(socket)) {
    watched.add(socket);
    socket.once('disconnect', (reason) => void loseSocket(ctx, socket, reason));
  }
  // A side that was silent for too long was marked as lost, so its report counts as new.
  const wasHeard = before !== undefined && nowMs(ctx) - before.at <= CALL.silenceMs;
  if (isConnected !== undefined && (!wasHeard || isConnected !== before.isConnected))
    await take(ctx, callId, (turn) => claim(turn, side, isConnected));
}

/** Ends the call when the server closed the socket because the session ended. */
async function loseSocket(ctx: Context, socket: Socket, reason: string): Promise<void> {
  for (const [key, one] of heardOf(ctx)) {
    if (one.socket !== socket) continue;
    heardOf(ctx).delete(key);
    const isCut = reason === 'server namespace disconnect';
    await loseSide(ctx, one, nowMs(ctx) - one.at, isCut).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'a side of a call was lost, and the call does not know yet'),
    );
  }
}

/**
 * The database has heartbeats of this process at most this much later than its memory. A later one comes from another
 * process.
 */
const WRITTEN_LATE_MS = 1_000;

async function loseSide(ctx: Context, { callId, side }: Heard, ageMs: number, isCut: boolean): Promise<void> {
  await take(ctx, callId, (turn) => {
    if (isCut) happen(turn, 'stopped');
    if (turn.call.status !== 'received') return;
    const heardAt = new Date(turn.at.getTime() - ageMs);
    // The user is connected through another process by now, so the side is not lost.
    const heard = turn.heard[side];
    if (heard && heard.getTime() - heardAt.getTime() > WRITTEN_LATE_MS) return;
    turn.heard[side] = heardAt;
    lose(turn, side, heardAt);
  });
}

export function forget(ctx: Context, callId: string, side?: Side): void {
  for (const [key, one] of heardOf(ctx))
    if (one.callId === callId && (side === undefined || one.side === side)) heardOf(ctx).delete(key);
}

export function forgetAll(ctx: Context): void {
  heardOf(ctx).clear();
}

/** Commits asynchronously, because a crash loses heartbeats of only a few seconds. */
const WRITE: Statement = {
  name: 'calls-hearings',
  text: `with told as (select * from unnest($2::uuid[], $3::text[], $4::float8[]) as u (call_id, side, age_ms)
      where set_config('synchronous_commit', 'off', true) is not null)
    update call_hearings h set heard_at = greatest(h.heard_at, coalesce($1::timestamptz, clock_timestamp()) - t.age_ms * interval '1 millisecond')
      from told t join calls c on c.id = t.call_id where h.call_id = t.call_id and h.side = t.side
      returning h.call_id as "callId", h.side, case h.side when 'fan' then c.is_fan_connected else c.is_creator_connected end as "isConnected"`,
};

export async function writeHearings(ctx: Context): Promise<void> {
  const heard = heardOf(ctx);
  const fresh = [...heard.values()].filter(({ isWritten }) => !isWritten);
  for (const [key, { at }] of heard) if (nowMs(ctx) - at > 2 * CALL.silenceMs) heard.delete(key);
  if (fresh.length === 0) return;
  for (const one of fresh) one.isWritten = true;
  const sorted = fresh.toSorted((a, b) => (a.callId < b.callId ? -1 : 1));
  const rows = await ctx.db.run<{ callId: string; side: Side; isConnected: boolean }>(WRITE, [
    instantOf(ctx),
    sorted.map(({ callId }) => callId),
    sorted.map(({ side }) => side),
    sorted.map(({ at }) => nowMs(ctx) - at),
  ]);
  // The call has marked a side as lost that reports again.
  for (const { isConnected, ...row } of rows) {
    const own = heard.get(keyOf(row));
    if (own?.isConnected && !isConnected) await take(ctx, own.callId, (turn) => claim(turn, own.side, true));
  }
}

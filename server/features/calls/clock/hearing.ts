/**
 * Who is heard, on the process of their socket. What a side says for the first time, or otherwise than before, changes the call at once;
 * that it goes on saying so is kept in memory, and written for all calls of this process in one statement every few seconds.
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
  /** By {@link nowMs}. */
  at: number;
  isConnected: boolean | undefined;
  socket: Socket | undefined;
  isWritten: boolean;
};

/** Said of one side: whether it hears the other; undefined while it only calls. */
export type Hearing = Pick<Heard, 'callId' | 'side' | 'isConnected'>;

const heardBy = new WeakMap<Context, Map<string, Heard>>();
const watched = new WeakSet<Socket>();

function heardOf(ctx: Context): Map<string, Heard> {
  const known = heardBy.get(ctx) ?? new Map<string, Heard>();
  heardBy.set(ctx, known);
  return known;
}

/** A clock that never jumps; one that is moved by hand counts for itself. */
const nowMs = (ctx: Context) => (ctx.clock === systemClock ? performance.now() : ctx.clock.now().getTime());

const keyOf = ({ callId, side }: Pick<Heard, 'callId' | 'side'>) => `${callId} ${side}`;

/** What a side says now. Resolves when the call knows. */
export async function hear(ctx: Context, { callId, side, isConnected }: Hearing, socket?: Socket): Promise<void> {
  const heard = heardOf(ctx);
  const before = heard.get(keyOf({ callId, side }));
  heard.set(keyOf({ callId, side }), { callId, side, isConnected, socket, at: nowMs(ctx), isWritten: false });
  if (socket && !watched.has(socket)) {
    watched.add(socket);
    socket.once('disconnect', (reason) => void loseSocket(ctx, socket, reason));
  }
  // Whoever was silent for long was taken for lost.
  const wasHeard = before !== undefined && nowMs(ctx) - before.at <= CALL.silenceMs;
  if (isConnected !== undefined && (!wasHeard || isConnected !== before.isConnected))
    await take(ctx, callId, (turn) => claim(turn, side, isConnected));
}

/** A socket is gone: its side was heard last when it was. Where its session ended, the call does. */
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

/** What this process heard was written by that much later, at most, where nobody was heard elsewhere since. */
const WRITTEN_LATE_MS = 1_000;

async function loseSide(ctx: Context, { callId, side }: Heard, ageMs: number, isCut: boolean): Promise<void> {
  await take(ctx, callId, (turn) => {
    if (isCut) happen(turn, 'stopped');
    if (turn.call.status !== 'received') return;
    const heardAt = new Date(turn.at.getTime() - ageMs);
    // Who came to another process meanwhile is there, however late this one learns that a socket is gone.
    const heard = turn.heard[side];
    if (heard && heard.getTime() - heardAt.getTime() > WRITTEN_LATE_MS) return;
    turn.heard[side] = heardAt;
    lose(turn, side, heardAt);
  });
}

/** Who takes part otherwise from now on is heard anew. */
export function forget(ctx: Context, callId: string, side?: Side): void {
  for (const [key, one] of heardOf(ctx))
    if (one.callId === callId && (side === undefined || one.side === side)) heardOf(ctx).delete(key);
}

export function forgetAll(ctx: Context): void {
  heardOf(ctx).clear();
}

/** Its commit waits for no disk: what a crash takes was heard a few seconds ago. */
const WRITE: Statement = {
  name: 'calls-hearings',
  text: `with told as (select * from unnest($2::uuid[], $3::text[], $4::float8[]) as u (call_id, side, age_ms)
      where set_config('synchronous_commit', 'off', true) is not null)
    update call_hearings h set heard_at = greatest(h.heard_at, coalesce($1::timestamptz, clock_timestamp()) - t.age_ms * interval '1 millisecond')
      from told t join calls c on c.id = t.call_id where h.call_id = t.call_id and h.side = t.side
      returning h.call_id as "callId", h.side, case h.side when 'fan' then c.is_fan_connected else c.is_creator_connected end as "isConnected"`,
};

/** Writes who was heard since the last time; one statement, however many calls there are. */
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
  // The call took for lost who is heard again.
  for (const { isConnected, ...row } of rows) {
    const own = heard.get(keyOf(row));
    if (own?.isConnected && !isConnected) await take(ctx, own.callId, (turn) => claim(turn, own.side, true));
  }
}

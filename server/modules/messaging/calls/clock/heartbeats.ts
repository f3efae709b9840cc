/**
 * A first or changed heartbeat updates the call immediately. Repeated ones stay in memory and are written for all calls
 * together every few seconds.
 */
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { Socket } from 'socket.io';
import { systemClock } from '../../../../platform/clock.ts';
import type { Context } from '../../../../platform/context.ts';
import type { SqlStatement } from '../../../../platform/database/db.ts';
import type { CallSide } from '../call/sides.ts';
import { applyEvent, loseConnection, reportConnection } from '../call/state-machine.ts';
import { getStatementTime, runCallStep } from '../call/step.ts';

type StoredHeartbeat = {
  callId: string;
  side: CallSide;
  at: number;
  isConnected: boolean | undefined;
  socket: Socket | undefined;
  isWritten: boolean;
};

/** `isConnected`: whether the side is connected to the other one. Undefined before the call is answered. */
export type Heartbeat = Pick<StoredHeartbeat, 'callId' | 'side' | 'isConnected'>;

const heartbeatsByContext = new WeakMap<Context, Map<string, StoredHeartbeat>>();
const watchedSockets = new WeakSet<Socket>();

function getHeartbeats(ctx: Context): Map<string, StoredHeartbeat> {
  const existing = heartbeatsByContext.get(ctx) ?? new Map<string, StoredHeartbeat>();
  heartbeatsByContext.set(ctx, existing);
  return existing;
}

/** A monotonic clock, unless a test clock is set. */
const getMonotonicMs = (ctx: Context) => (ctx.clock === systemClock ? performance.now() : ctx.clock.now().getTime());

const toKey = ({ callId, side }: Pick<StoredHeartbeat, 'callId' | 'side'>) => `${callId} ${side}`;

export async function recordCallHeartbeat(
  ctx: Context,
  { callId, side, isConnected }: Heartbeat,
  socket?: Socket,
): Promise<void> {
  const heartbeats = getHeartbeats(ctx);
  const previous = heartbeats.get(toKey({ callId, side }));
  heartbeats.set(toKey({ callId, side }), {
    callId,
    side,
    isConnected,
    socket,
    at: getMonotonicMs(ctx),
    isWritten: false,
  });
  if (socket && !watchedSockets.has(socket)) {
    watchedSockets.add(socket);
    socket.once('disconnect', (reason) => void loseSocket(ctx, socket, reason));
  }
  // A side that was silent for too long was marked as lost, so its report counts as new.
  const wasAlive = previous !== undefined && getMonotonicMs(ctx) - previous.at <= CALL_LIMITS.heartbeatTimeoutMs;
  if (isConnected !== undefined && (!wasAlive || isConnected !== previous.isConnected))
    await runCallStep(ctx, callId, (step) => reportConnection(step, side, isConnected));
}

/** Ends the call when the server closed the socket because the session ended. */
async function loseSocket(ctx: Context, socket: Socket, reason: string): Promise<void> {
  for (const [key, heartbeat] of getHeartbeats(ctx)) {
    if (heartbeat.socket !== socket) continue;
    getHeartbeats(ctx).delete(key);
    const isSessionEnded = reason === 'server namespace disconnect';
    await loseSide(ctx, heartbeat, getMonotonicMs(ctx) - heartbeat.at, isSessionEnded).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'a side of a call was lost, and the call does not know yet'),
    );
  }
}

/**
 * The database has heartbeats of this process at most this much later than its memory. A later one comes from another
 * process.
 */
const MAX_WRITE_DELAY_MS = 1_000;

async function loseSide(
  ctx: Context,
  { callId, side }: StoredHeartbeat,
  ageMs: number,
  isSessionEnded: boolean,
): Promise<void> {
  await runCallStep(ctx, callId, (step) => {
    if (isSessionEnded) applyEvent(step, 'stopped');
    if (step.call.status !== 'received') return;
    const lastSeenAt = new Date(step.at.getTime() - ageMs);
    // The user is connected through another process by now, so the side is not lost.
    const lastSeen = step.heartbeats[side];
    if (lastSeen && lastSeen.getTime() - lastSeenAt.getTime() > MAX_WRITE_DELAY_MS) return;
    step.heartbeats[side] = lastSeenAt;
    loseConnection(step, side, lastSeenAt);
  });
}

export function deleteHeartbeats(ctx: Context, callId: string, side?: CallSide): void {
  for (const [key, heartbeat] of getHeartbeats(ctx))
    if (heartbeat.callId === callId && (side === undefined || heartbeat.side === side)) getHeartbeats(ctx).delete(key);
}

export function clearHeartbeats(ctx: Context): void {
  getHeartbeats(ctx).clear();
}

/** Commits asynchronously, because a crash loses heartbeats of only a few seconds. */
const WRITE_HEARTBEATS: SqlStatement = {
  name: 'calls-write-heartbeats',
  text: `with reported as (select * from unnest($2::uuid[], $3::text[], $4::float8[]) as u (call_id, side, age_ms)
      where set_config('synchronous_commit', 'off', true) is not null)
    update call_heartbeats h set last_seen_at = greatest(h.last_seen_at, coalesce($1::timestamptz, clock_timestamp()) - t.age_ms * interval '1 millisecond')
      from reported t join calls c on c.id = t.call_id where h.call_id = t.call_id and h.side = t.side
      returning h.call_id as "callId", h.side, case h.side when 'fan' then c.is_fan_connected else c.is_creator_connected end as "isConnected"`,
};

export async function writeHeartbeats(ctx: Context): Promise<void> {
  const heartbeats = getHeartbeats(ctx);
  const unwritten = [...heartbeats.values()].filter(({ isWritten }) => !isWritten);
  for (const [key, { at }] of heartbeats)
    if (getMonotonicMs(ctx) - at > 2 * CALL_LIMITS.heartbeatTimeoutMs) heartbeats.delete(key);
  if (unwritten.length === 0) return;
  for (const heartbeat of unwritten) heartbeat.isWritten = true;
  const sorted = unwritten.toSorted((a, b) => (a.callId < b.callId ? -1 : 1));
  const rows = await ctx.db.run<{ callId: string; side: CallSide; isConnected: boolean }>(WRITE_HEARTBEATS, [
    getStatementTime(ctx),
    sorted.map(({ callId }) => callId),
    sorted.map(({ side }) => side),
    sorted.map(({ at }) => getMonotonicMs(ctx) - at),
  ]);
  // The call has marked a side as lost that reports again.
  for (const { isConnected, ...row } of rows) {
    const stored = heartbeats.get(toKey(row));
    if (stored?.isConnected && !isConnected)
      await runCallStep(ctx, stored.callId, (step) => reportConnection(step, stored.side, true));
  }
}

/**
 * Relays signals between the devices of a call. Each signal carries the session token and is dropped unless call, user
 * and device match.
 */

import { isCallOpen } from '@stagedoor/contract/messaging/call-states.ts';
import * as live from '@stagedoor/contract/messaging/calls-events.ts';
import type { SignalOf } from '@stagedoor/contract/shared/event.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { Context } from '../../../../platform/context.ts';
import { createRateLimits, type RateLimit } from '../../../../platform/limits/rate-limit.ts';
import type { SignalSender } from '../../../../platform/realtime/socket-limits.ts';
import { findCall } from '../call/access.ts';
import { type Call, type CallSide, DEVICE_FIELDS, getCallUserId, getOtherSide } from '../call/sides.ts';
import { recordCallHeartbeat } from '../clock/heartbeats.ts';
import { getCallProvider } from './open-provider.ts';
import { relayCandidate, relayDescription } from './strip-addresses.ts';

type SenderFields = { callLogId: string; token: string; device: string };
type SignalInput = SignalOf<typeof live.signalCall>;

const MAX_CACHED = 5_000;
/** Per user and call. */
const HEARTBEAT_LIMIT: RateLimit = { name: 'heartbeats', max: CALL_LIMITS.heartbeatsPerTenSeconds, windowMs: 10_000 };
const SIGNAL_LIMIT: RateLimit = { name: 'signals', max: CALL_LIMITS.signalsPerTenSeconds, windowMs: 10_000 };

export type CallCache = {
  find(id: string): Promise<Call | undefined>;
  drop(id: string): void;
  clear(): void;
};

export function createCallCache(ctx: Context): CallCache {
  const cache = new Map<string, Promise<Call | undefined>>();
  return {
    find: (id) => {
      const cached = cache.get(id) ?? findCall(ctx.db, id);
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(id, cached);
      cached.catch(() => cache.delete(id));
      return cached;
    },
    drop: (id) => void cache.delete(id),
    clear: () => cache.clear(),
  };
}

export function filterSignal({ description, candidate, activeMedia }: SignalInput, isRelayOnly: boolean) {
  const text = candidate && (isRelayOnly ? relayCandidate(candidate.candidate) : candidate.candidate);
  const sdp = description && (isRelayOnly ? relayDescription(description.sdp) : description.sdp);
  const parts = {
    ...(description && sdp !== undefined && { description: { ...description, sdp } }),
    ...(candidate && text !== undefined && { candidate: { ...candidate, candidate: text } }),
    ...(activeMedia && { activeMedia }),
  };
  return Object.keys(parts).length > 0 ? parts : undefined;
}

export function registerCallSignals(ctx: Context, callCache: CallCache): void {
  const provider = getCallProvider(ctx);
  // Counted in this process only, and not multiplied by RATE_LIMIT_FACTOR.
  const limits = createRateLimits(ctx.clock);

  async function findOwnCall(
    { actor }: SignalSender,
    { callLogId, token, device }: SenderFields,
  ): Promise<[Call, CallSide] | undefined> {
    const callPass = provider.read(token, ctx.clock.now());
    if (callPass?.userId !== actor.userId || callPass.callId !== callLogId) return undefined;
    const call = await callCache.find(callLogId);
    if (!call || !isCallOpen(call.status) || call[DEVICE_FIELDS[callPass.side]] !== device) return undefined;
    return getCallUserId(call, callPass.side) === actor.userId ? [call, callPass.side] : undefined;
  }

  async function onHeartbeat(
    sender: SignalSender,
    fields: SenderFields,
    isConnected: boolean | undefined,
  ): Promise<void> {
    if (limits.count(HEARTBEAT_LIMIT, `${sender.actor.userId} ${fields.callLogId}`) > 0) return;
    const [call, side] = (await findOwnCall(sender, fields)) ?? [];
    if (!call || !side || (call.status === 'received') !== (isConnected !== undefined)) return;
    await recordCallHeartbeat(ctx, { callId: call.id, side, isConnected }, sender.socket);
  }

  ctx.realtime.onSignal(live.fanCalling, (sender, fields) => onHeartbeat(sender, fields, undefined));
  ctx.realtime.onSignal(live.callHeartbeat, (sender, fields) => onHeartbeat(sender, fields, fields.isConnected));

  async function onSignal(sender: SignalSender, signal: SignalInput): Promise<void> {
    if (limits.count(SIGNAL_LIMIT, `${sender.actor.userId} ${signal.callLogId}`) > 0) return;
    const [call, side] = (await findOwnCall(sender, signal)) ?? [];
    if (!call || !side || call.status !== 'received') return;
    const to = call[DEVICE_FIELDS[getOtherSide(side)]];
    const parts = filterSignal(signal, ctx.config.calls.isRelayOnly);
    if (to === null || !parts) return;
    ctx.realtime.emitToUser(getCallUserId(call, getOtherSide(side)), live.callSignalled, {
      callLogId: call.id,
      to,
      ...parts,
    });
  }
  ctx.realtime.onSignal(live.signalCall, onSignal);
}

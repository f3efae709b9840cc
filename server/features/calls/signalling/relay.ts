/**
 * Relays signals between the devices of a call. Each signal carries the session token and is dropped unless call, user
 * and device match.
 */
import type { SignalOf } from '@stagedoor/contract/atoms/event.ts';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import { isOpen } from '@stagedoor/contract/call-states.ts';
import * as live from '@stagedoor/contract/calls-live.ts';
import type { Context } from '../../../kernel/context.ts';
import type { SignedIn } from '../../../kernel/signals.ts';
import { findCall } from '../call/access.ts';
import { type Call, DEVICE, otherSide, type Side, userOf } from '../call/sides.ts';
import { hear } from '../clock/hearing.ts';
import { providerOf } from './open-provider.ts';
import { relayCandidate, relayDescription } from './strip.ts';

type Borne = { callLogId: string; token: string; device: string };
type Sent = SignalOf<typeof live.signalCall>;

const MAX_KEPT = 5_000;

export type Known = {
  find(id: string): Promise<Call | undefined>;
  drop(id: string): void;
  clear(): void;
};

export function createKnown(ctx: Context): Known {
  const kept = new Map<string, Promise<Call | undefined>>();
  return {
    find: (id) => {
      const known = kept.get(id) ?? findCall(ctx.db, id);
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(id, known);
      known.catch(() => kept.delete(id));
      return known;
    },
    drop: (id) => void kept.delete(id),
    clear: () => kept.clear(),
  };
}

function createGate(ctx: Context, limit: number): (key: string) => boolean {
  let since = 0;
  const counts = new Map<string, number>();
  return (key) => {
    const now = Math.floor(ctx.clock.now().getTime() / 10_000);
    if (now !== since) counts.clear();
    since = now;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= limit;
  };
}

export function passOn({ description, candidate, shown }: Sent, isRelayOnly: boolean) {
  const text = candidate && (isRelayOnly ? relayCandidate(candidate.candidate) : candidate.candidate);
  const sdp = description && (isRelayOnly ? relayDescription(description.sdp) : description.sdp);
  const parts = {
    ...(description && sdp !== undefined && { description: { ...description, sdp } }),
    ...(candidate && text !== undefined && { candidate: { ...candidate, candidate: text } }),
    ...(shown && { shown }),
  };
  return Object.keys(parts).length > 0 ? parts : undefined;
}

export function listen(ctx: Context, known: Known): void {
  const provider = providerOf(ctx);
  const isHeardGate = createGate(ctx, CALL.heardInTenSeconds);
  const isSentGate = createGate(ctx, CALL.signalsInTenSeconds);

  async function callOf({ actor }: SignedIn, { callLogId, token, device }: Borne): Promise<[Call, Side] | undefined> {
    const pass = provider.read(token, ctx.clock.now());
    if (pass?.userId !== actor.userId || pass.callId !== callLogId) return undefined;
    const call = await known.find(callLogId);
    if (!call || !isOpen(call.status) || call[DEVICE[pass.side]] !== device) return undefined;
    return userOf(call, pass.side) === actor.userId ? [call, pass.side] : undefined;
  }

  async function onHeard(from: SignedIn, borne: Borne, isConnected: boolean | undefined): Promise<void> {
    if (!isHeardGate(`${from.actor.userId} ${borne.callLogId}`)) return;
    const [call, side] = (await callOf(from, borne)) ?? [];
    if (!call || !side || (call.status === 'received') !== (isConnected !== undefined)) return;
    await hear(ctx, { callId: call.id, side, isConnected }, from.socket);
  }

  ctx.realtime.onSignal(live.fanCalling, (from, borne) => onHeard(from, borne, undefined));
  ctx.realtime.onSignal(live.callHeard, (from, borne) => onHeard(from, borne, borne.isConnected));

  async function onSignal(from: SignedIn, sent: Sent): Promise<void> {
    if (!isSentGate(`${from.actor.userId} ${sent.callLogId}`)) return;
    const [call, side] = (await callOf(from, sent)) ?? [];
    if (!call || !side || call.status !== 'received') return;
    const to = call[DEVICE[otherSide(side)]];
    const parts = passOn(sent, ctx.config.calls.isRelayOnly);
    if (to === null || !parts) return;
    ctx.realtime.toUser(userOf(call, otherSide(side)), live.callSignalled, { callLogId: call.id, to, ...parts });
  }
  ctx.realtime.onSignal(live.signalCall, onSignal);
}

/** State machine of a call. It uses neither the database nor a clock. */

import {
  type CallClock,
  type CallEvent,
  calculateAffordableSeconds,
  calculateCallCharge,
  calculateCallPrice,
  findTransition,
  getConnectedMs,
  isCallOpen,
  startClock,
  stopClock,
} from '@stagedoor/contract/messaging/call-states.ts';
import type { CALL_TIMELINE_EVENTS } from '@stagedoor/contract/messaging/calls.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { CallChange } from '../events.ts';
import { type Call, type CallSide, CONNECTED_FIELDS, DEVICE_FIELDS, SIDES } from './sides.ts';

export type CallTimelineEntry = {
  at: Date;
  event: (typeof CALL_TIMELINE_EVENTS)[number];
  by: CallSide | null;
  connectedMs: number;
  transactionId: string | null;
};

export type CallStep = {
  readonly call: Call;
  readonly at: Date;
  readonly heartbeats: Partial<Record<CallSide, Date>>;
  readonly previousHeartbeats: CallStep['heartbeats'];
  readonly timeline: CallTimelineEntry[];
  readonly changes: Set<CallChange>;
  movedUserId: string | null;
  warnSeconds: number | null;
};

export function createCallStep(call: Call, at: Date, heartbeats: CallStep['heartbeats'] = {}): CallStep {
  return {
    call,
    at,
    heartbeats,
    previousHeartbeats: { ...heartbeats },
    timeline: [],
    changes: new Set(),
    movedUserId: null,
    warnSeconds: null,
  };
}

const addMs = (instant: Date, ms: number) => new Date(instant.getTime() + ms);

export function toCallClock({ connectedMs: before, runningSince }: Call): CallClock {
  return { connectedMs: before, runningSince: runningSince?.getTime() ?? null };
}

/** Milliseconds talked until `at`. */
export function getConnectedMsAt(call: Call, at: Date): number {
  return getConnectedMs(toCallClock(call), at.getTime());
}

/** In cents. It never exceeds the held funds. */
export function calculateChargeAt(call: Call, at: Date): number {
  return Math.min(calculateCallCharge(getConnectedMsAt(call, at), call.rateCents), call.heldCents);
}

/**
 * In cents: what stays on hold when a tip uses the rest. The price of the talk so far, without free seconds, so that the
 * call does not end in the past. A hold is never empty.
 */
export function calculateReservedCents(call: Call, at: Date): number {
  const seconds = Math.floor(getConnectedMsAt(call, at) / 1000);
  return Math.min(Math.max(1, calculateCallPrice(seconds, call.rateCents)), call.heldCents);
}

/** Undefined while the clock is stopped. */
export function findFundsEnd(call: Call): Date | undefined {
  const { runningSince, heldCents, rateCents, connectedMs: before } = call;
  if (runningSince === null) return undefined;
  return addMs(runningSince, Math.max(0, calculateAffordableSeconds(heldCents, rateCents) * 1000 - before));
}

export function addTimelineEntry(
  { call, timeline, at: now }: CallStep,
  event: CallTimelineEntry['event'],
  {
    at = now,
    by = null,
    transactionId = null,
  }: { at?: Date; by?: CallSide | null; transactionId?: string | null } = {},
): void {
  timeline.push({ at, event, by, connectedMs: getConnectedMsAt(call, at), transactionId });
}

function isSilent(lastSeenAt: Date | undefined, at: Date): boolean {
  return lastSeenAt === undefined || at.getTime() - lastSeenAt.getTime() > CALL_LIMITS.heartbeatTimeoutMs;
}

function setClock(call: Call, { connectedMs: ms, runningSince }: CallClock): void {
  call.connectedMs = ms;
  call.runningSince = runningSince === null ? null : new Date(runningSince);
}

function stopCallClock(step: CallStep, at: Date, by: CallSide | null): void {
  const { call } = step;
  if (call.runningSince === null) return;
  // The last heartbeat can be older than the start of the clock.
  const last = at < call.runningSince ? call.runningSince : at;
  setClock(call, stopClock(toCallClock(call), last.getTime()));
  addTimelineEntry(step, 'clockStops', { at: last, by });
  call.interruptedAt = step.at;
  step.changes.add('clock');
}

function startIfBothConnected(step: CallStep): void {
  const { call, at, heartbeats } = step;
  if (call.status !== 'received' || call.runningSince !== null) return;
  // A side that fell silent while the clock was stopped must report its connection again.
  for (const side of SIDES) if (isSilent(heartbeats[side], at)) call[CONNECTED_FIELDS[side]] = false;
  if (!call.isFanConnected || !call.isCreatorConnected) return;
  setClock(call, startClock(toCallClock(call), at.getTime()));
  addTimelineEntry(step, 'clockStarts');
  call.interruptedAt = null;
  if (call.startedAt === null) {
    call.startedAt = at;
    step.changes.add('started');
  }
  step.changes.add('clock');
}

/** Applies an event, possibly at a past instant. Returns false when the event does not change the state. */
export function applyEvent(
  step: CallStep,
  event: CallEvent,
  { at = step.at, by = null }: { at?: Date; by?: CallSide | null } = {},
) {
  const { call, changes } = step;
  const next = findTransition(call.status, event);
  if (!next) return false;
  if (!isCallOpen(next.status)) stopCallClock(step, at, null);
  call.status = next.status;
  if (isCallOpen(next.status)) return true;
  call.reason = next.reason ?? null;
  call.endedAt = at;
  call.interruptedAt = null;
  addTimelineEntry(step, 'over', { at, by });
  changes.delete('clock');
  changes.add('over');
  return true;
}

export function reportConnection(step: CallStep, side: CallSide, isConnected: boolean): void {
  const { call, at, heartbeats } = step;
  if (call.status !== 'received') return;
  heartbeats[side] = at;
  call[CONNECTED_FIELDS[side]] = isConnected;
  if (isConnected) startIfBothConnected(step);
  else stopCallClock(step, at, side);
}

/** Time after the last heartbeat is not charged, because nothing proves the connection. */
export function loseConnection(step: CallStep, side: CallSide, lastSeenAt: Date): void {
  step.call[CONNECTED_FIELDS[side]] = false;
  stopCallClock(step, lastSeenAt, side);
}

export function moveToDevice(step: CallStep, side: CallSide, device: string, userId: string): void {
  const { call } = step;
  call[DEVICE_FIELDS[side]] = device;
  call[CONNECTED_FIELDS[side]] = false;
  stopCallClock(step, step.at, side);
  addTimelineEntry(step, 'tookOver', { by: side });
  step.movedUserId = userId;
  step.changes.add('tookOver');
}

type DueEvent = { at: Date; apply: () => void };

function listDueBeforeAnswer(step: CallStep): DueEvent[] {
  const { call, heartbeats } = step;
  const ringEnd = addMs(call.createdAt, CALL_LIMITS.ringSeconds * 1000);
  const dueEvents: DueEvent[] = [{ at: ringEnd, apply: () => applyEvent(step, 'unanswered', { at: ringEnd }) }];
  const silentAt = heartbeats.fan && addMs(heartbeats.fan, CALL_LIMITS.heartbeatTimeoutMs);
  if (silentAt && silentAt < step.at)
    dueEvents.push({ at: silentAt, apply: () => applyEvent(step, 'cancelled', { at: silentAt, by: 'fan' }) });
  return dueEvents;
}

function listDueWhileRunning(step: CallStep, end: Date): DueEvent[] {
  const { heartbeats, at } = step;
  const losses = SIDES.flatMap((side): DueEvent[] => {
    const last = heartbeats[side];
    if (!last || !isSilent(last, at)) return [];
    return [{ at: last, apply: () => loseConnection(step, side, last) }];
  });
  return [...losses, { at: end, apply: () => applyEvent(step, 'outOfFunds', { at: end }) }];
}

function listDueEvents(step: CallStep): DueEvent[] {
  const { call } = step;
  if (call.status === 'calling' || call.status === 'ringing') return listDueBeforeAnswer(step);
  if (call.status !== 'received') return [];
  const end = findFundsEnd(call);
  if (end) return listDueWhileRunning(step, end);
  if (call.startedAt === null && call.answeredAt) {
    const at = addMs(call.answeredAt, CALL_LIMITS.setupSeconds * 1000);
    return [{ at, apply: () => applyEvent(step, 'unconnected', { at }) }];
  }
  const at = addMs(call.interruptedAt ?? step.at, CALL_LIMITS.reconnectSeconds * 1000);
  return [{ at, apply: () => applyEvent(step, 'disconnected', { at }) }];
}

/** Timestamps that lie further ahead than this mean that the clock was set back. */
const MAX_AHEAD_MS = 1_000;

/**
 * Timestamps from before the clock was set back lie in the future and would hide silence. The time talked until both
 * sides' last heartbeat is retained, and both heartbeats restart now.
 */
function recoverFromClockReset(step: CallStep): void {
  const { call, at, heartbeats } = step;
  if (call.status !== 'received') return;
  const timestamps = [
    ...SIDES.flatMap((side) => heartbeats[side] ?? []),
    call.runningSince ?? at,
    call.interruptedAt ?? at,
  ];
  if (timestamps.every((instant) => instant.getTime() - at.getTime() <= MAX_AHEAD_MS)) return;
  const lastProvenAt = new Date(Math.min(...SIDES.map((side) => (heartbeats[side] ?? at).getTime())));
  for (const side of SIDES) {
    loseConnection(step, side, lastProvenAt);
    heartbeats[side] = at;
  }
  call.interruptedAt = at;
  if (call.startedAt === null) call.answeredAt = at;
}

/** Applies overdue events in order, each at its own instant. */
export function applyDueEvents(step: CallStep): void {
  recoverFromClockReset(step);
  for (;;) {
    const [first] = listDueEvents(step).sort((a, b) => a.at.getTime() - b.at.getTime());
    if (!first || first.at > step.at) return;
    first.apply();
  }
}

/** In cents, for the full minutes talked plus `holdMinutes` ahead. */
export function calculateWantedCents(call: Call, at: Date): number {
  return (Math.floor(getConnectedMsAt(call, at) / 60_000) + CALL_LIMITS.holdMinutes) * call.rateCents;
}

/**
 * Warns when the remaining funds, in milliseconds, fall to a warning level. Each level warns once, and again after a
 * deposit.
 */
export function addFundsWarning(step: CallStep, leftMs: number): void {
  const { call } = step;
  const level = CALL_LIMITS.warnSeconds.filter((seconds) => leftMs <= seconds * 1000).at(-1) ?? null;
  if (level !== null && (call.warnedSeconds === null || level < call.warnedSeconds)) {
    addTimelineEntry(step, 'warned');
    step.warnSeconds = level;
    step.changes.add('warned');
  }
  call.warnedSeconds = level;
}

/** Silent sides are detected separately. */
export function findNextDueTime(step: CallStep, leftMs: number | undefined): Date | null {
  const { call, at } = step;
  if (!isCallOpen(call.status)) return null;
  const instants = listDueEvents(step).map((due) => due.at);
  if (call.runningSince !== null && leftMs !== undefined) {
    const connectedMs = getConnectedMsAt(call, at);
    const midnight = 86_400_000 - (at.getTime() % 86_400_000);
    const warnings = CALL_LIMITS.warnSeconds.map((seconds) => leftMs - seconds * 1000).filter((ms) => ms > 0);
    // The daily limit starts anew at midnight UTC.
    instants.push(...[60_000 - (connectedMs % 60_000), midnight, ...warnings].map((ms) => addMs(at, ms)));
  }
  return new Date(Math.min(...instants.map((instant) => instant.getTime())));
}

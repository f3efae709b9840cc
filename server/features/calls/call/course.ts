/** State machine of a call. It uses neither the database nor a clock. */
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import {
  type CallClock,
  type CallEvent,
  chargeOf,
  isOpen,
  nextOf,
  secondsFor,
  startClock,
  stopClock,
  talkedMs,
} from '@stagedoor/contract/call-states.ts';
import type { CALL_MOMENTS } from '@stagedoor/contract/calls.ts';
import type { CallNews } from '../events.ts';
import { type Call, CONNECTED, DEVICE, SIDES, type Side } from './sides.ts';

export type Moment = {
  at: Date;
  moment: (typeof CALL_MOMENTS)[number];
  by: Side | null;
  talkedMs: number;
  transactionId: string | null;
};

export type Turn = {
  readonly call: Call;
  readonly at: Date;
  readonly heard: Partial<Record<Side, Date>>;
  readonly heardBefore: Turn['heard'];
  readonly moments: Moment[];
  readonly news: Set<CallNews>;
  movedId: string | null;
  warnSeconds: number | null;
};

export function turnOf(call: Call, at: Date, heard: Turn['heard'] = {}): Turn {
  return { call, at, heard, heardBefore: { ...heard }, moments: [], news: new Set(), movedId: null, warnSeconds: null };
}

const later = (instant: Date, ms: number) => new Date(instant.getTime() + ms);

export function clockOf({ talkedMs: before, runningSince }: Call): CallClock {
  return { talkedMs: before, runningSince: runningSince?.getTime() ?? null };
}

/** Milliseconds talked until `at`. */
export function talkedAt(call: Call, at: Date): number {
  return talkedMs(clockOf(call), at.getTime());
}

/** In cents. It never exceeds the held funds. */
export function chargeAt(call: Call, at: Date): number {
  return Math.min(chargeOf(talkedAt(call, at), call.rateCents), call.heldCents);
}

/** Undefined while the clock is stopped. */
export function fundsEnd(call: Call): Date | undefined {
  const { runningSince, heldCents, rateCents, talkedMs: before } = call;
  if (runningSince === null) return undefined;
  return later(runningSince, Math.max(0, secondsFor(heldCents, rateCents) * 1000 - before));
}

export function mark(
  { call, moments, at: now }: Turn,
  moment: Moment['moment'],
  { at = now, by = null, transactionId = null }: { at?: Date; by?: Side | null; transactionId?: string | null } = {},
): void {
  moments.push({ at, moment, by, talkedMs: talkedAt(call, at), transactionId });
}

function isSilent(heardAt: Date | undefined, at: Date): boolean {
  return heardAt === undefined || at.getTime() - heardAt.getTime() > CALL.silenceMs;
}

function setClock(call: Call, { talkedMs: ms, runningSince }: CallClock): void {
  call.talkedMs = ms;
  call.runningSince = runningSince === null ? null : new Date(runningSince);
}

function stop(turn: Turn, at: Date, by: Side | null): void {
  const { call } = turn;
  if (call.runningSince === null) return;
  // The last heartbeat can be older than the start of the clock.
  const last = at < call.runningSince ? call.runningSince : at;
  setClock(call, stopClock(clockOf(call), last.getTime()));
  mark(turn, 'clockStops', { at: last, by });
  call.lostAt = turn.at;
  turn.news.add('clock');
}

function startIfBoth(turn: Turn): void {
  const { call, at, heard } = turn;
  if (call.status !== 'received' || call.runningSince !== null) return;
  // A side that fell silent while the clock was stopped must report its connection again.
  for (const side of SIDES) if (isSilent(heard[side], at)) call[CONNECTED[side]] = false;
  if (!call.isFanConnected || !call.isCreatorConnected) return;
  setClock(call, startClock(clockOf(call), at.getTime()));
  mark(turn, 'clockStarts');
  call.lostAt = null;
  if (call.startedAt === null) {
    call.startedAt = at;
    turn.news.add('started');
  }
  turn.news.add('clock');
}

/** Applies an event, possibly at a past instant. Returns false when the event does not change the state. */
export function happen(
  turn: Turn,
  event: CallEvent,
  { at = turn.at, by = null }: { at?: Date; by?: Side | null } = {},
) {
  const { call, news } = turn;
  const next = nextOf(call.status, event);
  if (!next) return false;
  if (!isOpen(next.status)) stop(turn, at, null);
  call.status = next.status;
  if (isOpen(next.status)) return true;
  call.reason = next.reason ?? null;
  call.endedAt = at;
  call.lostAt = null;
  mark(turn, 'over', { at, by });
  news.delete('clock');
  news.add('over');
  return true;
}

export function claim(turn: Turn, side: Side, isConnected: boolean): void {
  const { call, at, heard } = turn;
  if (call.status !== 'received') return;
  heard[side] = at;
  call[CONNECTED[side]] = isConnected;
  if (isConnected) startIfBoth(turn);
  else stop(turn, at, side);
}

/** Time after the last heartbeat is not charged, because nothing proves the connection. */
export function lose(turn: Turn, side: Side, heardAt: Date): void {
  turn.call[CONNECTED[side]] = false;
  stop(turn, heardAt, side);
}

export function takeOver(turn: Turn, side: Side, device: string, userId: string): void {
  const { call } = turn;
  call[DEVICE[side]] = device;
  call[CONNECTED[side]] = false;
  stop(turn, turn.at, side);
  mark(turn, 'tookOver', { by: side });
  turn.movedId = userId;
  turn.news.add('tookOver');
}

type Due = { at: Date; happens: () => void };

function dueBeforeAnswer(turn: Turn): Due[] {
  const { call, heard } = turn;
  const ringEnd = later(call.createdAt, CALL.ringSeconds * 1000);
  const dues: Due[] = [{ at: ringEnd, happens: () => happen(turn, 'unanswered', { at: ringEnd }) }];
  const silence = heard.fan && later(heard.fan, CALL.silenceMs);
  if (silence && silence < turn.at)
    dues.push({ at: silence, happens: () => happen(turn, 'cancelled', { at: silence, by: 'fan' }) });
  return dues;
}

function dueWhileRunning(turn: Turn, end: Date): Due[] {
  const { heard, at } = turn;
  const lost = SIDES.flatMap((side): Due[] => {
    const last = heard[side];
    if (!last || !isSilent(last, at)) return [];
    return [{ at: last, happens: () => lose(turn, side, last) }];
  });
  return [...lost, { at: end, happens: () => happen(turn, 'fundsOver', { at: end }) }];
}

function dueOf(turn: Turn): Due[] {
  const { call } = turn;
  if (call.status === 'calling' || call.status === 'ringing') return dueBeforeAnswer(turn);
  if (call.status !== 'received') return [];
  const end = fundsEnd(call);
  if (end) return dueWhileRunning(turn, end);
  if (call.startedAt === null && call.answeredAt) {
    const at = later(call.answeredAt, CALL.setupSeconds * 1000);
    return [{ at, happens: () => happen(turn, 'unconnected', { at }) }];
  }
  const at = later(call.lostAt ?? turn.at, CALL.gapSeconds * 1000);
  return [{ at, happens: () => happen(turn, 'gone', { at }) }];
}

/** Timestamps that lie further ahead than this mean that the clock was set back. */
const AHEAD_MS = 1_000;

/**
 * Timestamps from before the clock was set back lie in the future and would hide silence. The time talked until both
 * sides' last heartbeat is retained, and both heartbeats restart now.
 */
function takeBack(turn: Turn): void {
  const { call, at, heard } = turn;
  if (call.status !== 'received') return;
  const noted = [...SIDES.flatMap((side) => heard[side] ?? []), call.runningSince ?? at, call.lostAt ?? at];
  if (noted.every((instant) => instant.getTime() - at.getTime() <= AHEAD_MS)) return;
  const proven = new Date(Math.min(...SIDES.map((side) => (heard[side] ?? at).getTime())));
  for (const side of SIDES) {
    lose(turn, side, proven);
    heard[side] = at;
  }
  call.lostAt = at;
  if (call.startedAt === null) call.answeredAt = at;
}

/** Applies overdue events in order, each at its own instant. */
export function catchUp(turn: Turn): void {
  takeBack(turn);
  for (;;) {
    const [first] = dueOf(turn).sort((a, b) => a.at.getTime() - b.at.getTime());
    if (!first || first.at > turn.at) return;
    first.happens();
  }
}

/** In cents, for the full minutes talked plus `holdMinutes` ahead. */
export function wantedCents(call: Call, at: Date): number {
  return (Math.floor(talkedAt(call, at) / 60_000) + CALL.holdMinutes) * call.rateCents;
}

/**
 * Warns when the remaining funds, in milliseconds, fall to a warning level. Each level warns once, and again after a
 * deposit.
 */
export function warn(turn: Turn, leftMs: number): void {
  const { call } = turn;
  const level = CALL.warnSeconds.filter((seconds) => leftMs <= seconds * 1000).at(-1) ?? null;
  if (level !== null && (call.warnedSeconds === null || level < call.warnedSeconds)) {
    mark(turn, 'warned');
    turn.warnSeconds = level;
    turn.news.add('warned');
  }
  call.warnedSeconds = level;
}

/** Silent sides are detected separately. */
export function nextLook(turn: Turn, leftMs: number | undefined): Date | null {
  const { call, at } = turn;
  if (!isOpen(call.status)) return null;
  const instants = dueOf(turn).map((due) => due.at);
  if (call.runningSince !== null && leftMs !== undefined) {
    const talked = talkedAt(call, at);
    const midnight = 86_400_000 - (at.getTime() % 86_400_000);
    const warnings = CALL.warnSeconds.map((seconds) => leftMs - seconds * 1000).filter((ms) => ms > 0);
    // The daily limit starts anew at midnight UTC.
    instants.push(...[60_000 - (talked % 60_000), midnight, ...warnings].map((ms) => later(at, ms)));
  }
  return new Date(Math.min(...instants.map((instant) => instant.getTime())));
}

/**
 * How a call goes (rows F2, F3, money 7): one pure table of its states, which browser and server share, and the arithmetic of its
 * clock and its price. Nothing here knows a clock: whoever calls passes instants in milliseconds, the server its own.
 */
import { CALL } from './atoms/room-limits.ts';

export const CALL_KINDS = ['video', 'audio'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/**
 * Row F2, and `ended`. `validate`: funds and availability are checked, money is set aside. `calling`: offered. `ringing`: a device of
 * the creator rang. `received`: answered. `ended`: somebody hung up, or the funds were over. `drop`: lost after the answer. `cancel`:
 * over before the answer. `failed`: it could not be set up.
 */
export const CALL_STATUSES = [
  'validate',
  'calling',
  'ringing',
  'received',
  'ended',
  'drop',
  'cancel',
  'failed',
] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** Row F2: what people do. */
export const CALL_ACTIONS = ['startSession', 'received', 'cancelled', 'reject', 'endCall'] as const;
export type CallAction = (typeof CALL_ACTIONS)[number];

/** Why a call is over. `stopped`: an account was blocked, or an operator ended it. */
export const CALL_REASONS = [
  'cancelled',
  'declined',
  'noAnswer',
  'busy',
  'offline',
  'unavailable',
  'hungUp',
  'funds',
  'lost',
  'notConnected',
  'stopped',
] as const;
export type CallReason = (typeof CALL_REASONS)[number];

/** What happens to a call: what people do, and what the server sees. */
export const CALL_EVENTS = [
  /** It was offered to the creator's devices. */
  'offered',
  /** One of them rang. */
  'rang',
  'received',
  'reject',
  'cancelled',
  'endCall',
  /** It rang for as long as it may. */
  'unanswered',
  /** No device of the creator is there. */
  'unreachable',
  /** Both sides were not connected in time after the answer. */
  'unconnected',
  /** The lost side did not come back in time. */
  'gone',
  'fundsOver',
  'stopped',
] as const;
export type CallEvent = (typeof CALL_EVENTS)[number];

type Next = { readonly status: CallStatus; readonly reason?: CallReason };

const BEFORE_ANSWER = {
  received: { status: 'received' },
  reject: { status: 'cancel', reason: 'declined' },
  cancelled: { status: 'cancel', reason: 'cancelled' },
  endCall: { status: 'cancel', reason: 'cancelled' },
  unanswered: { status: 'cancel', reason: 'noAnswer' },
  unreachable: { status: 'cancel', reason: 'offline' },
  stopped: { status: 'cancel', reason: 'stopped' },
} as const satisfies Partial<Record<CallEvent, Next>>;

/** What each event makes of each state; what is not named changes nothing. */
export const CALL_TABLE: Readonly<Record<CallStatus, Readonly<Partial<Record<CallEvent, Next>>>>> = {
  validate: {
    offered: { status: 'calling' },
    cancelled: { status: 'cancel', reason: 'cancelled' },
    stopped: { status: 'cancel', reason: 'stopped' },
  },
  calling: { rang: { status: 'ringing' }, ...BEFORE_ANSWER },
  ringing: BEFORE_ANSWER,
  received: {
    endCall: { status: 'ended', reason: 'hungUp' },
    cancelled: { status: 'ended', reason: 'hungUp' },
    unconnected: { status: 'failed', reason: 'notConnected' },
    gone: { status: 'drop', reason: 'lost' },
    fundsOver: { status: 'ended', reason: 'funds' },
    stopped: { status: 'ended', reason: 'stopped' },
  },
  ended: {},
  drop: {},
  cancel: {},
  failed: {},
};

/** What an event makes of a call; undefined when it changes nothing. */
export function nextOf(status: CallStatus, event: CallEvent): Next | undefined {
  return CALL_TABLE[status][event];
}

/** Whether a call goes on: the fan's money is set aside and both sides are busy. */
export function isOpen(status: CallStatus): boolean {
  return Object.keys(CALL_TABLE[status]).length > 0;
}

/** The time both sides were connected: what is over, and since when it runs now (null while it stands). Milliseconds. */
export type CallClock = { readonly talkedMs: number; readonly runningSince: number | null };

export const STANDING: CallClock = { talkedMs: 0, runningSince: null };

/** How long both sides were connected until `at`. A clock that was started later than `at` has not run. */
export function talkedMs({ talkedMs: before, runningSince }: CallClock, at: number): number {
  return before + (runningSince === null ? 0 : Math.max(0, at - runningSince));
}

/** The clock going from `at` on; it goes already when it was started before. */
export function startClock(clock: CallClock, at: number): CallClock {
  return clock.runningSince === null ? { ...clock, runningSince: at } : clock;
}

/** The clock standing from `at` on. */
export function stopClock(clock: CallClock, at: number): CallClock {
  return { talkedMs: talkedMs(clock, at), runningSince: null };
}

/** Whole seconds that are charged: what was begun of another is not. None below {@link CALL.freeSeconds}. */
export function chargedSeconds(ms: number, freeSeconds: number = CALL.freeSeconds): number {
  const seconds = Math.floor(ms / 1000);
  return seconds < freeSeconds ? 0 : seconds;
}

/** What so many seconds cost at a price a minute, in cents. A part of a cent is not charged. */
export function priceOf(seconds: number, rateCents: number): number {
  return Math.floor((seconds * rateCents) / 60);
}

/** What a call costs in which both sides were connected for `ms`, in cents. */
export function chargeOf(ms: number, rateCents: number, freeSeconds?: number): number {
  return priceOf(chargedSeconds(ms, freeSeconds), rateCents);
}

/** How long one can talk for so many cents, in whole seconds: the second after it would cost more. */
export function secondsFor(cents: number, rateCents: number): number {
  return Math.max(0, Math.ceil(((cents + 1) * 60) / rateCents) - 1);
}

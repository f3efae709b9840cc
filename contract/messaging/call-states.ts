/**
 * The state machine, duration and price of calls, shared by browser and server (rows F2, F3; docs/money.md, rule 7).
 * Pure functions; times in milliseconds.
 */
import { CALL_LIMITS } from '../shared/module-limits.ts';

export const CALL_KINDS = ['video', 'audio'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/**
 * The states of row F2, and `ended`. `validate`: funds and availability are checked. `calling`: the call is offered.
 * `ringing`: a device of the creator rings. `received`: the call is answered. `ended`: a side hung up, or the funds ran
 * out. `drop`: the call was lost after the answer. `cancel`: it was over before the answer. `failed`: it could not be
 * connected.
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

/** See row F2 of the specification. */
export const CALL_ACTIONS = ['startSession', 'received', 'cancelled', 'reject', 'endCall'] as const;
export type CallAction = (typeof CALL_ACTIONS)[number];

/**
 * `stopped`: an account was blocked, or an operator ended the call. `limit`: a spending limit of the fan ended the call, which
 * only the fan learns.
 */
export const CALL_END_REASONS = [
  'cancelled',
  'declined',
  'noAnswer',
  'busy',
  'offline',
  'unavailable',
  'hungUp',
  'funds',
  'limit',
  'lost',
  'notConnected',
  'stopped',
] as const;
export type CallEndReason = (typeof CALL_END_REASONS)[number];

export const CALL_EVENTS = [
  'offered',
  'rang',
  'received',
  'reject',
  'cancelled',
  'endCall',
  'unanswered',
  'unreachable',
  'unconnected',
  'disconnected',
  'outOfFunds',
  'stopped',
] as const;
export type CallEvent = (typeof CALL_EVENTS)[number];

type CallTransition = { readonly status: CallStatus; readonly reason?: CallEndReason };

const BEFORE_ANSWER = {
  received: { status: 'received' },
  reject: { status: 'cancel', reason: 'declined' },
  cancelled: { status: 'cancel', reason: 'cancelled' },
  endCall: { status: 'cancel', reason: 'cancelled' },
  unanswered: { status: 'cancel', reason: 'noAnswer' },
  unreachable: { status: 'cancel', reason: 'offline' },
  stopped: { status: 'cancel', reason: 'stopped' },
} as const satisfies Partial<Record<CallEvent, CallTransition>>;

export const CALL_TRANSITIONS: Readonly<Record<CallStatus, Readonly<Partial<Record<CallEvent, CallTransition>>>>> = {
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
    disconnected: { status: 'drop', reason: 'lost' },
    outOfFunds: { status: 'ended', reason: 'funds' },
    stopped: { status: 'ended', reason: 'stopped' },
  },
  ended: {},
  drop: {},
  cancel: {},
  failed: {},
};

export function findTransition(status: CallStatus, event: CallEvent): CallTransition | undefined {
  return CALL_TRANSITIONS[status][event];
}

export function isCallOpen(status: CallStatus): boolean {
  return Object.keys(CALL_TRANSITIONS[status]).length > 0;
}

/** Milliseconds in which both sides were connected. `runningSince` is null while paused. */
export type CallClock = { readonly connectedMs: number; readonly runningSince: number | null };

export const IDLE_CLOCK: CallClock = { connectedMs: 0, runningSince: null };

/** A clock that starts after `at` counts as 0. */
export function getConnectedMs({ connectedMs: before, runningSince }: CallClock, at: number): number {
  return before + (runningSince === null ? 0 : Math.max(0, at - runningSince));
}

export function startClock(clock: CallClock, at: number): CallClock {
  return clock.runningSince === null ? { ...clock, runningSince: at } : clock;
}

export function stopClock(clock: CallClock, at: number): CallClock {
  return { connectedMs: getConnectedMs(clock, at), runningSince: null };
}

export function toChargedSeconds(ms: number, freeSeconds: number = CALL_LIMITS.freeSeconds): number {
  const seconds = Math.floor(ms / 1000);
  return seconds < freeSeconds ? 0 : seconds;
}

/** In cents, rounded down. */
export function calculateCallPrice(seconds: number, rateCents: number): number {
  return Math.floor((seconds * rateCents) / 60);
}

export function calculateCallCharge(ms: number, rateCents: number, freeSeconds?: number): number {
  return calculateCallPrice(toChargedSeconds(ms, freeSeconds), rateCents);
}

/** Whole seconds that `cents` pay for. */
export function calculateAffordableSeconds(cents: number, rateCents: number): number {
  return Math.max(0, Math.ceil(((cents + 1) * 60) / rateCents) - 1);
}

/**
 * Paid calls (section F). Socket events are in calls-events.ts, states in call-states.ts.
 *
 * The fan confirms a price per minute, and is never charged more. Each tab has a `device` id that survives a reload.
 * One device per side takes part, and another one of the same user may take over. Each side gets a short-lived `token`
 * for this call and user, which every signal must contain (row F1).
 */
import * as z from 'zod/mini';
import { spendingBound } from '../commerce/spending-bounds.ts';
import { callId, instant, transactionId, userId } from '../shared/ids.ts';
import { CALL_LIMITS } from '../shared/module-limits.ts';
import { inputUsd, usd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { timeZone } from '../shared/time-zone.ts';
import { CALL_END_REASONS, CALL_KINDS, CALL_STATUSES } from './call-states.ts';
import { callerFields, optionalCallerFields } from './caller-rules.ts';

export const callKind = z.enum(CALL_KINDS);
export const callStatus = z.enum(CALL_STATUSES);
export const callReason = z.enum(CALL_END_REASONS);
const callParams = z.object({ id: callId });
export const device = z.string().check(z.regex(/^[A-Za-z0-9-]{8,64}$/, 'Invalid device'));

/** `HH:MM` in the creator's time zone. `24:00` is the end of the day. */
const timeOfDay = z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Enter a time such as 18:30'));
const hours = z
  .object({ day: z.number().check(z.int(), z.gte(0), z.lte(6)), from: timeOfDay, to: timeOfDay })
  .check(z.refine(({ from, to }) => from < to, { error: 'End time is before start time', path: ['to'] }));

export const callSettings = z.object({
  isAvailable: z.boolean(),
  /** USD per minute. Null if this kind is not offered. */
  videoRate: z.nullable(inputUsd),
  audioRate: z.nullable(inputUsd),
  minMinutes: z.number().check(z.int(), z.gte(CALL_LIMITS.minMinutes.min), z.lte(CALL_LIMITS.minMinutes.max)),
  hours: z.array(hours).check(z.maxLength(28)),
  timeZone,
  ...callerFields,
});
export type CallSettings = z.infer<typeof callSettings>;

export const getCallSettings = route({
  method: 'GET',
  path: '/creator/call-settings',
  summary: 'Retrieve your call settings',
  auth: 'creator',
  rate: 'read',
  response: callSettings,
});
export const updateCallSettings = route({
  method: 'PUT',
  path: '/creator/call-settings',
  summary: 'Update your call settings',
  auth: 'creator',
  rate: 'write',
  /** Without `callerRule` it and the tier stay as they are. */
  body: z.extend(callSettings, optionalCallerFields),
  response: callSettings,
  errors: ['NOT_VERIFIED'],
});
export const setCallAvailability = route({
  method: 'PUT',
  path: '/creator/call-availability',
  summary: 'Turn call availability on or off',
  auth: 'creator',
  rate: 'write',
  body: z.object({ isAvailable: z.boolean() }),
  response: callSettings,
  errors: ['NOT_VERIFIED'],
});

/**
 * `closed`: outside the call hours. `blocked`: by the viewer. `conversations`, `followers`, `buyers`, `subscribers`: the
 * viewer is not among those who may call. A fan who was blocked or declined by the creator gets `off`, so that neither is revealed.
 */
export const CALL_UNAVAILABLE_REASONS = [
  'off',
  'closed',
  'offline',
  'busy',
  'blocked',
  'conversations',
  'followers',
  'buyers',
  'subscribers',
] as const;
export const callTerms = z.object({
  creatorId: userId,
  videoRate: z.nullable(usd),
  audioRate: z.nullable(usd),
  minMinutes: z.number(),
  unavailableReason: z.nullable(z.enum(CALL_UNAVAILABLE_REASONS)),
  opensAt: z.nullable(instant),
  /** In the creator's local time. Empty means any hour, or no calls at all. */
  hours: z.array(hours),
  /** UTC offset of the hours in minutes. The time zone stays private because it reveals where the creator lives. */
  hoursOffset: z.number(),
  /** How many seconds the fan's balance and limits pay for, and what the limits leave. Null for others. */
  affordable: z.nullable(z.object({ videoSeconds: z.number(), audioSeconds: z.number(), bound: spendingBound })),
});
export type CallTerms = z.infer<typeof callTerms>;
export const getCallTerms = route({
  method: 'GET',
  path: '/public/call-terms/:id',
  summary: 'Retrieve the call prices and availability of a creator',
  auth: 'public',
  rate: 'read',
  params: z.object({ id: userId }),
  response: callTerms,
  errors: ['NOT_FOUND'],
});

/** The fields are exactly those of row F1. `amountPerMinute` is in USD. */
export const callSession = z.object({
  token: z.string(),
  sessionId: z.string(),
  callLogId: callId,
  amountPerMinute: usd,
});
export type CallSession = z.infer<typeof callSession>;

const callUser = { id: userId, username: z.string(), name: z.string(), avatarUrl: z.nullable(z.string()) };

/**
 * `share` is the viewer's share of a charge. The client counts on from when it receives this, with a monotonic clock.
 */
export const callClock = z.object({
  isRunning: z.boolean(),
  connectedMs: z.number(),
  /** USD: the charge if the call ended now, or the creator's share of it. */
  amount: usd,
  /** USD: tips to the creator since the answer, or the creator's share of them. */
  tips: usd,
  /**
   * USD: what the fan can still spend in this call on talk time and tips. Available money within the limits plus held
   * money, without the price of the talk so far. Null for the creator.
   */
  spendable: z.nullable(usd),
  /** What the fan's limits leave for this call. A deposit helps only while it is more than `spendable`. */
  bound: z.nullable(spendingBound),
  leftMs: z.nullable(z.number()),
  /** Milliseconds until the call ends because a side is disconnected. */
  reconnectLeftMs: z.nullable(z.number()),
  share: z.number(),
});
export type CallClockView = z.infer<typeof callClock>;

export const openCall = z.object({
  session: callSession,
  kind: callKind,
  status: callStatus,
  isOutgoing: z.boolean(),
  other: z.object(callUser),
  device: z.nullable(z.string()),
  ringLeftMs: z.nullable(z.number()),
  clock: callClock,
});
export type OpenCall = z.infer<typeof openCall>;

export const callerSummary = z.object({
  followsSince: z.nullable(instant),
  spent: usd,
  spendingByKind: z.array(z.object({ label: z.string(), count: z.number(), amount: usd })),
  lastCall: z.nullable(z.object({ at: instant, seconds: z.number() })),
  affordableSeconds: z.number(),
});
export type CallerSummary = z.infer<typeof callerSummary>;

/**
 * Action `startSession`. CONFLICT if `amountPerMinute` is no longer the price. Holds the price of {@link
 * CALL_LIMITS.holdMinutes} minutes, or the balance if it is lower. If the creator is busy, offline or unavailable, nothing is
 * held and the call is already over, but the creator sees a missed call. A fan whom the creator blocked or declined finds
 * the creator unavailable. FORBIDDEN for fans who may not call, RATE_LIMITED after too many calls that ended free.
 */
export const startCall = route({
  method: 'POST',
  path: '/call/start',
  summary: 'Call a creator; fails with CONFLICT if the price has changed',
  auth: 'customer',
  killSwitches: ['calls'],
  rate: 'money',
  idempotent: true,
  body: z.object({ creatorId: userId, type: callKind, amountPerMinute: inputUsd, device }),
  response: z.object({
    call: z.nullable(openCall),
    callLogId: callId,
    reason: z.nullable(callReason),
  }),
  errors: ['NOT_FOUND', 'INSUFFICIENT_FUNDS', 'FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
});
export const reportCallRinging = route({
  method: 'POST',
  path: '/call/ringing/:id',
  summary: 'Report that a device is ringing, and retrieve caller details',
  auth: 'creator',
  rate: 'write',
  params: callParams,
  response: z.object({ caller: callerSummary }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});
/** Action `received`. CONFLICT for devices after the first, and if the call is over. */
export const answerCall = route({
  method: 'POST',
  path: '/call/received/:id',
  summary: 'Answer a call',
  auth: 'creator',
  rate: 'write',
  params: callParams,
  body: z.object({ device }),
  response: openCall,
  errors: ['NOT_FOUND', 'CONFLICT', 'account_blocked'],
});
const endedCall = z.object({ callLogId: callId, status: callStatus, reason: z.nullable(callReason) });
export const rejectCall = route({
  method: 'POST',
  path: '/call/reject/:id',
  summary: 'Decline a call',
  auth: 'creator',
  allowedInMaintenance: true,
  rate: 'write',
  params: callParams,
  response: endedCall,
  errors: ['NOT_FOUND'],
});
/** Action `cancelled`. After the answer it ends the call. */
export const cancelCall = route({
  method: 'POST',
  path: '/call/cancelled/:id',
  summary: 'Cancel a call before it is answered',
  auth: 'customer',
  allowedInMaintenance: true,
  rate: 'write',
  params: callParams,
  response: endedCall,
  errors: ['NOT_FOUND'],
});
/** Action `endCall`. Before the answer it declines the call for the creator. Does nothing if it is over. */
export const endCall = route({
  method: 'POST',
  path: '/call/end/:id',
  summary: 'End a call',
  auth: 'session',
  allowedInMaintenance: true,
  rate: 'write',
  params: callParams,
  response: endedCall,
  errors: ['NOT_FOUND'],
});
export const getCurrentCall = route({
  method: 'GET',
  path: '/call/current',
  summary: 'Retrieve the current or ringing call',
  auth: 'session',
  rate: 'read',
  response: z.object({ call: z.nullable(openCall) }),
});

/**
 * Connection details: WebRTC with a TURN server, or an SFU room (`url`). Requested after the answer, before
 * `renewAfterSeconds` have passed, and for every reconnection, because credentials are new each time. Another `device`
 * of the viewer takes over. `isPolite`: this side yields when both send an offer.
 */
export const connectCall = route({
  method: 'POST',
  path: '/call/connect/:id',
  summary: 'Retrieve connection details for a call; another device of the same user takes over',
  auth: 'session',
  allowedInMaintenance: true,
  rate: 'write',
  params: callParams,
  body: z.object({ token: z.string().check(z.maxLength(2_000)), device }),
  response: z.object({
    call: openCall,
    isPolite: z.boolean(),
    provider: z.enum(['webrtc', 'livekit']),
    url: z.nullable(z.string()),
    iceServers: z.array(
      z.object({ urls: z.array(z.string()), username: z.optional(z.string()), credential: z.optional(z.string()) }),
    ),
    /** With `relay` neither side learns the other's IP address. */
    iceTransportPolicy: z.enum(['relay', 'all']),
    renewAfterSeconds: z.number(),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const callLog = z.object({
  callLogId: callId,
  kind: callKind,
  status: callStatus,
  reason: z.nullable(callReason),
  isOutgoing: z.boolean(),
  other: z.object(callUser),
  createdAt: instant,
  answeredAt: z.nullable(instant),
  endedAt: z.nullable(instant),
  durationSeconds: z.number(),
  amountPerMinute: usd,
  /** USD: the charge and its refunded part. A creator gets their share of both. */
  amount: usd,
  refunded: usd,
  /** False once the creator has seen it. */
  isMissed: z.boolean(),
  isCallbackRequested: z.boolean(),
});
export type CallLog = z.infer<typeof callLog>;

/** The call history (row F4). */
export const listCallLogs = route({
  method: 'GET',
  path: '/call/call-history',
  summary: 'List calls, newest first',
  auth: 'session',
  rate: 'read',
  query: z.object({
    limit,
    offset,
    type: z.optional(callKind),
    missed: z._default(z.stringbool(), false),
    with: z.optional(userId),
  }),
  response: toPageSchema(callLog),
});

/** A charge depends only on `clockStarts` and `clockStops`. */
export const CALL_TIMELINE_EVENTS = [
  'called',
  'rang',
  'answered',
  'clockStarts',
  'clockStops',
  'tookOver',
  'warned',
  'extended',
  'tipped',
  'over',
] as const;
export const callDetail = z.object({
  ...callLog.shape,
  timeline: z.array(
    z.object({
      at: instant,
      event: z.enum(CALL_TIMELINE_EVENTS),
      by: z.nullable(z.enum(['fan', 'creator'])),
      connectedMs: z.number(),
    }),
  ),
  chargedSeconds: z.number(),
  isFree: z.boolean(),
  /** USD: what the fan paid, or the creator's share. Not part of the charge for the call. */
  tips: z.array(z.object({ id: transactionId, createdAt: instant, amount: usd, note: z.string() })),
  held: z.nullable(usd),
  charged: z.nullable(usd),
  released: z.nullable(usd),
  split: z.nullable(z.object({ gross: usd, platformFee: usd, feePercent: z.number(), creator: usd })),
  entries: z.array(z.object({ id: transactionId, createdAt: instant, title: z.string(), amount: z.number() })),
});
export type CallDetail = z.infer<typeof callDetail>;
/** The receipt of a call (row F4). */
export const getCallLog = route({
  method: 'GET',
  path: '/call/log/:id',
  summary: 'Retrieve the receipt of a call with its timeline and charges',
  auth: 'session',
  rate: 'read',
  params: callParams,
  response: callDetail,
  errors: ['NOT_FOUND'],
});
/** Notifies the fan once per call. CONFLICT if the creator blocked the fan. */
export const requestCallback = route({
  method: 'POST',
  path: '/call/callback/:id',
  summary: 'Ask a fan to call again after a missed call',
  auth: 'creator',
  rate: 'write',
  params: callParams,
  response: callLog,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const countMissedCalls = route({
  method: 'GET',
  path: '/call/missed',
  summary: 'Count new missed calls',
  auth: 'session',
  rate: 'read',
  response: z.object({ count: z.number() }),
});
export const markMissedCallsSeen = route({
  method: 'POST',
  path: '/call/missed/seen',
  summary: 'Mark missed calls as seen',
  auth: 'session',
  rate: 'write',
  response: z.object({ count: z.number() }),
});

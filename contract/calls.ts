/**
 * Paid calls (section F): prices, hours, a call's way, histories, receipt. Sockets are in calls-live.ts, states in call-states.ts.
 *
 * A fan begins a call with the price a minute that they were shown; a fan is never charged more. A tab makes itself a `device` once
 * and keeps it while it is reloaded: one device of each side takes part, and another of the same person may take over. Each side is
 * handed a session detail (row F1), whose `token` is short-lived, of this call and this person alone; what is signalled bears it.
 */
import * as z from 'zod/mini';
import { callId, instant, transactionId, userId } from './atoms/ids.ts';
import { askedUsd, usd } from './atoms/money.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { CALL } from './atoms/room-limits.ts';
import { route } from './atoms/route.ts';
import { timeZone } from './atoms/time-zone.ts';
import { CALL_KINDS, CALL_REASONS, CALL_STATUSES } from './call-states.ts';

export const callKind = z.enum(CALL_KINDS);
export const callStatus = z.enum(CALL_STATUSES);
export const callReason = z.enum(CALL_REASONS);
const onCall = z.object({ id: callId });
/** A tab's own name for itself. */
export const device = z.string().check(z.regex(/^[A-Za-z0-9-]{8,64}$/, 'Invalid device'));

/** A time of the creator's own day, `HH:MM`; `24:00` is its end. */
const timeOfDay = z
  .string()
  .check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Please enter a time such as 18:30'));
/** When calls are taken, of one week day (0 is Sunday). */
const hours = z
  .object({ day: z.number().check(z.int(), z.gte(0), z.lte(6)), from: timeOfDay, to: timeOfDay })
  .check(z.refine(({ from, to }) => from < to, { error: 'The end is before the beginning', path: ['to'] }));

export const callSettings = z.object({
  /** The switch. Off: nobody rings. */
  isAvailable: z.boolean(),
  /** USD a minute, which the server holds to the limits in force; null: this kind is not offered. */
  videoRate: z.nullable(askedUsd),
  audioRate: z.nullable(askedUsd),
  /** The fan must have funds for so many minutes. */
  shortestMinutes: z.number().check(z.int(), z.gte(CALL.shortestMinutes.min), z.lte(CALL.shortestMinutes.max)),
  /** Empty: at any hour. */
  hours: z.array(hours).check(z.maxLength(28)),
  /** Of the hours: an IANA name. */
  timeZone,
});
export type CallSettings = z.infer<typeof callSettings>;

export const getCallSettings = route({
  method: 'GET',
  path: '/creator/call-settings',
  summary: 'Own prices of calls, and when they are taken',
  auth: 'creator',
  rate: 'read',
  response: callSettings,
});
export const updateCallSettings = route({
  method: 'PUT',
  path: '/creator/call-settings',
  summary: 'Change prices and hours of calls',
  auth: 'creator',
  rate: 'write',
  body: callSettings,
  response: callSettings,
  errors: ['NOT_VERIFIED'],
});
export const setCallAvailability = route({
  method: 'PUT',
  path: '/creator/call-availability',
  summary: 'Take calls, or take none: the switch alone, as the creator’s widget has it',
  auth: 'creator',
  rate: 'write',
  body: z.object({ isAvailable: z.boolean() }),
  response: callSettings,
  errors: ['NOT_VERIFIED'],
});

/** Why nobody can call this creator now. `closed`: not at this hour. `blocked`: by the viewer; whom a creator blocked finds them `off`. */
export const CALL_ABSENCES = ['off', 'closed', 'offline', 'busy', 'blocked'] as const;
export const callTerms = z.object({
  creatorId: userId,
  /** USD a minute; null: not offered. */
  videoRate: z.nullable(usd),
  audioRate: z.nullable(usd),
  shortestMinutes: z.number(),
  /** Null: the creator can be called now. */
  absence: z.nullable(z.enum(CALL_ABSENCES)),
  /** When the hours open next, where that is why. */
  opensAt: z.nullable(instant),
  /** When calls are taken, by the creator's own clocks. Empty: at any hour, or not at all. */
  hours: z.array(hours),
  /** How far those clocks are ahead of UTC now, in minutes. Their zone stays the creator's own: it says where they live. */
  hoursOffset: z.number(),
  /** To a fan: how many seconds of each kind the balance and the day's limit pay for. Null for others. */
  canTalk: z.nullable(z.object({ videoSeconds: z.number(), audioSeconds: z.number() })),
});
export type CallTerms = z.infer<typeof callTerms>;
export const getCallTerms = route({
  method: 'GET',
  path: '/public/call-terms/:id',
  summary: 'What a call to a creator costs, and whether they can be called now',
  auth: 'public',
  rate: 'read',
  params: z.object({ id: userId }),
  response: callTerms,
  errors: ['NOT_FOUND'],
});

/** Row F1, exactly. `amountPerMinute` in USD. */
export const callSession = z.object({
  token: z.string(),
  sessionId: z.string(),
  callLogId: callId,
  amountPerMinute: usd,
});
export type CallSession = z.infer<typeof callSession>;

const person = { id: userId, username: z.string(), name: z.string(), avatarUrl: z.nullable(z.string()) };

/** How the clock of a call stands; `share`: what of a charge is the viewer's. A client counts on from when it receives it, by a clock that never jumps. */
export const callClock = z.object({
  isRunning: z.boolean(),
  /** Milliseconds that both sides were connected. */
  talkedMs: z.number(),
  /** USD: what the fan would be charged if it ended now; to the creator, what of it is theirs. */
  amount: usd,
  /** Milliseconds for which set-aside money, balance and daily limit last from now on; to the fan only. */
  leftMs: z.nullable(z.number()),
  /** Milliseconds until a call whose other side is lost ends; null while nobody is. */
  gapLeftMs: z.nullable(z.number()),
  share: z.number(),
});
export type CallClockView = z.infer<typeof callClock>;

/** A call that goes on, as one of its two sides sees it. */
export const openCall = z.object({
  session: callSession,
  kind: callKind,
  status: callStatus,
  isOutgoing: z.boolean(),
  other: z.object(person),
  /** The device that takes part for the viewer; null until one does. */
  device: z.nullable(z.string()),
  /** Milliseconds until it rings no longer; null once it was answered. */
  ringLeftMs: z.nullable(z.number()),
  clock: callClock,
});
export type OpenCall = z.infer<typeof openCall>;

/** What a creator is shown of who calls. */
export const callerFacts = z.object({
  followsSince: z.nullable(instant),
  /** USD that this fan spent with the creator before. */
  spent: usd,
  spentOn: z.array(z.object({ label: z.string(), count: z.number(), amount: usd })),
  lastCall: z.nullable(z.object({ at: instant, seconds: z.number() })),
  /** Seconds that their funds last. Rounded down to whole minutes. */
  canTalkSeconds: z.number(),
});
export type CallerFacts = z.infer<typeof callerFacts>;

/**
 * Action `startSession`. `amountPerMinute` is the price that the fan was shown; when it is another by now, CONFLICT. Money for
 * {@link CALL.holdMinutes} minutes is set aside, or what there is. A creator who is busy, offline or takes none just now is told of it
 * as a missed call: the answer is a call that is over, and nothing was set aside. To those whom they blocked, they take none.
 */
export const startCall = route({
  method: 'POST',
  path: '/call/start',
  summary: 'Call a creator',
  auth: 'customer',
  switches: ['calls'],
  rate: 'money',
  idempotent: true,
  body: z.object({ creatorId: userId, type: callKind, amountPerMinute: askedUsd, device }),
  response: z.object({
    /** Null when it is over already. */
    call: z.nullable(openCall),
    callLogId: callId,
    reason: z.nullable(callReason),
  }),
  errors: ['NOT_FOUND', 'INSUFFICIENT_FUNDS', 'FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
});
/** A device of the creator rings. */
export const callRings = route({
  method: 'POST',
  path: '/call/ringing/:id',
  summary: 'Say that a device rings',
  auth: 'creator',
  rate: 'write',
  params: onCall,
  response: z.object({ caller: callerFacts }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});
/** Action `received`. The first device that answers takes part; CONFLICT for another, and for what is over. */
export const answerCall = route({
  method: 'POST',
  path: '/call/received/:id',
  summary: 'Answer a call',
  auth: 'creator',
  rate: 'write',
  params: onCall,
  body: z.object({ device }),
  response: openCall,
  errors: ['NOT_FOUND', 'CONFLICT', 'account_blocked'],
});
const over = z.object({ callLogId: callId, status: callStatus, reason: z.nullable(callReason) });
/** Action `reject`. What is over stays as it is. */
export const rejectCall = route({
  method: 'POST',
  path: '/call/reject/:id',
  summary: 'Decline a call',
  auth: 'creator',
  goesOn: true,
  rate: 'write',
  params: onCall,
  response: over,
  errors: ['NOT_FOUND'],
});
/** Action `cancelled`: the fan, before the answer; after it, it ends the call. */
export const cancelCall = route({
  method: 'POST',
  path: '/call/cancelled/:id',
  summary: 'Give a call up before it is answered',
  auth: 'customer',
  goesOn: true,
  rate: 'write',
  params: onCall,
  response: over,
  errors: ['NOT_FOUND'],
});
/** Action `endCall`. Either side; before the answer, a creator declines by it. What is over stays as it is. */
export const endCall = route({
  method: 'POST',
  path: '/call/end/:id',
  summary: 'Hang up',
  auth: 'session',
  goesOn: true,
  rate: 'write',
  params: onCall,
  response: over,
  errors: ['NOT_FOUND'],
});
/** The call that goes on, for a page that was reloaded and for other tabs. */
export const currentCall = route({
  method: 'GET',
  path: '/call/current',
  summary: 'The call that the viewer is in, or that rings',
  auth: 'session',
  rate: 'read',
  response: z.object({ call: z.nullable(openCall) }),
});

/**
 * How to reach the other side: by WebRTC and a relay, or in a room of an SFU (`url`, and the session's token). Asked for when a call
 * was answered, again before `renewAfterSeconds` are over, and whenever the way is to be found anew: the credentials are fresh each
 * time. A `device` that was not the viewer's takes over. `isPolite` says who gives way when both offer at once.
 */
export const connectCall = route({
  method: 'POST',
  path: '/call/connect/:id',
  summary: 'How to reach the other side of a call',
  auth: 'session',
  goesOn: true,
  rate: 'write',
  params: onCall,
  body: z.object({ token: z.string().check(z.maxLength(2_000)), device }),
  response: z.object({
    call: openCall,
    isPolite: z.boolean(),
    provider: z.enum(['webrtc', 'livekit']),
    url: z.nullable(z.string()),
    iceServers: z.array(
      z.object({ urls: z.array(z.string()), username: z.optional(z.string()), credential: z.optional(z.string()) }),
    ),
    /** `relay`: neither side learns the other's address. */
    iceTransportPolicy: z.enum(['relay', 'all']),
    renewAfterSeconds: z.number(),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/** A call in a list, as one of its two sides sees it. */
export const callLog = z.object({
  callLogId: callId,
  kind: callKind,
  status: callStatus,
  reason: z.nullable(callReason),
  isOutgoing: z.boolean(),
  other: z.object(person),
  createdAt: instant,
  answeredAt: z.nullable(instant),
  endedAt: z.nullable(instant),
  /** Whole seconds that both sides were connected. */
  durationSeconds: z.number(),
  amountPerMinute: usd,
  /** USD: what the fan was charged, and what of it was given back since; to the creator, what of both is theirs. */
  amount: usd,
  givenBack: usd,
  /** Nobody answered, and the creator has not called it seen. */
  isMissed: z.boolean(),
  /** The creator asked the fan to call again. */
  isCallBackAsked: z.boolean(),
});
export type CallLog = z.infer<typeof callLog>;

/** Row F4. Newest first. */
export const callHistory = route({
  method: 'GET',
  path: '/call/call-history',
  summary: 'Calls, newest first',
  auth: 'session',
  rate: 'read',
  query: z.object({
    limit,
    offset,
    type: z.optional(callKind),
    /** Those that nobody answered. */
    missed: z._default(z.stringbool(), false),
    /** With one person. */
    with: z.optional(userId),
  }),
  response: pageOf(callLog),
});

/** What happened in a call, in order. `clockStarts` and `clockStops` are the only two that a charge follows from. */
export const CALL_MOMENTS = [
  'called',
  'rang',
  'answered',
  'clockStarts',
  'clockStops',
  'tookOver',
  'warned',
  'extended',
  'over',
] as const;
export const callDetail = z.object({
  ...callLog.shape,
  timeline: z.array(
    z.object({
      at: instant,
      moment: z.enum(CALL_MOMENTS),
      /** Whose doing it was, where it was somebody's. */
      by: z.nullable(z.enum(['fan', 'creator'])),
      /** Milliseconds talked until then. */
      talkedMs: z.number(),
    }),
  ),
  chargedSeconds: z.number(),
  /** What was talked is below what is free. */
  isFree: z.boolean(),
  /** USD. To the fan: set aside, charged, given back. Null for the creator. */
  held: z.nullable(usd),
  charged: z.nullable(usd),
  released: z.nullable(usd),
  /** To the creator: how the gross was shared. Null for the fan, and where nothing was charged. */
  split: z.nullable(z.object({ gross: usd, platformFee: usd, feePercent: z.number(), creator: usd })),
  /** The entries of the journal that moved the viewer's money, refunds included. */
  entries: z.array(z.object({ id: transactionId, createdAt: instant, title: z.string(), amount: z.number() })),
});
export type CallDetail = z.infer<typeof callDetail>;
/** Row F4: the receipt. */
export const getCallLog = route({
  method: 'GET',
  path: '/call/log/:id',
  summary: "A call's receipt: timeline, seconds, price, what was set aside, charged and given back",
  auth: 'session',
  rate: 'read',
  params: onCall,
  response: callDetail,
  errors: ['NOT_FOUND'],
});
/** Asks the fan of a missed call to call again: they are told, once for each call. CONFLICT when the creator blocked them. */
export const askCallBack = route({
  method: 'POST',
  path: '/call/call-back/:id',
  summary: 'Ask the fan of a missed call to call again',
  auth: 'creator',
  rate: 'write',
  params: onCall,
  response: callLog,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
/** How many calls the creator missed and has not seen. */
export const missedCalls = route({
  method: 'GET',
  path: '/call/missed',
  summary: 'How many missed calls are new',
  auth: 'session',
  rate: 'read',
  response: z.object({ count: z.number() }),
});
export const seeMissedCalls = route({
  method: 'POST',
  path: '/call/missed/seen',
  summary: 'Mark missed calls as seen',
  auth: 'session',
  rate: 'write',
  response: z.object({ count: z.number() }),
});

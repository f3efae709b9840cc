/**
 * Socket events and signals of calls (rows F1, F2, E10). State changes go over HTTP. Signals carry transient data and
 * need the token of the call session.
 */
import * as z from 'zod/mini';
import { event, signal } from '../shared/event.ts';
import { callId, instant, userId } from '../shared/ids.ts';
import { CALL_LIMITS } from '../shared/module-limits.ts';
import { usd } from '../shared/money.ts';
import { callClock, callKind, callReason, callSession, callStatus, device } from './calls.ts';

const callRef = { callLogId: callId };

/** Emitted to all devices of the creator. They ring until one answers or END_CALL arrives (row F2). */
export const callOffer = event({
  name: 'CALL_OFFER',
  audience: 'user',
  payload: z.object({
    ...callRef,
    customerId: userId,
    contentType: callKind,
    username: z.string(),
    name: z.string(),
    picture: z.nullable(z.string()),
    status: z.literal('ringing'),
    session: callSession,
    ringLeftMs: z.number(),
  }),
});
/** Emitted to all devices of the fan. `device` is the one that takes part. */
export const callOfferFan = event({
  name: 'CALL_OFFER_FAN',
  audience: 'user',
  payload: z.object({ ...callRef, creatorId: userId, type: callKind, status: callStatus, device: z.string() }),
});
/** Emitted to viewers of the creator: the prices, hours or availability are other ones. */
export const callTermsChanged = event({
  name: 'CALL_TERMS_CHANGED',
  audience: 'watching',
  payload: z.object({ creatorId: userId, videoRate: z.nullable(usd), audioRate: z.nullable(usd) }),
});
export const callRinging = event({ name: 'CALL_RINGING', audience: 'user', payload: z.object(callRef) });
/** Emitted to both sides. Other devices stop ringing. The named ones request `/call/connect`. */
export const beginCall = event({
  name: 'BEGIN_CALL',
  audience: 'user',
  payload: z.object({ ...callRef, device: z.string(), otherDevice: z.string() }),
});
export const callStarted = event({
  name: 'CALL_STARTED',
  audience: 'user',
  payload: z.object({ ...callRef, callStartTime: instant }),
});
/** Emitted to both sides. `amount` is the charge, or for the creator their share of it. */
export const callEnded = event({
  name: 'END_CALL',
  audience: 'user',
  payload: z.object({
    ...callRef,
    status: callStatus,
    reason: z.nullable(callReason),
    durationSeconds: z.number(),
    amount: usd,
  }),
});
/** This event is not in the specification: metering started or paused, the hold was extended, or the fan is warned. */
export const callClockChanged = event({
  name: 'CALL_CLOCK',
  audience: 'user',
  payload: z.object({ ...callRef, clock: callClock, warnSeconds: z.nullable(z.number()) }),
});
/** This event is not in the specification: another device of the user takes part, and this one disconnects. */
export const callTakenOver = event({
  name: 'CALL_TAKEN_OVER',
  audience: 'user',
  payload: z.object({ ...callRef, userId, device: z.string() }),
});
/** This event is not in the specification. */
export const callbackRequested = event({
  name: 'CALLBACK_REQUESTED',
  audience: 'user',
  payload: z.object({ ...callRef, creatorId: userId, name: z.string() }),
});

const description = z.object({
  type: z.enum(['offer', 'answer', 'pranswer', 'rollback']),
  sdp: z._default(z.string().check(z.maxLength(CALL_LIMITS.descriptionLength)), ''),
});
const candidate = z.object({
  candidate: z.string().check(z.maxLength(CALL_LIMITS.candidateLength)),
  sdpMid: z._default(z.nullable(z.string().check(z.maxLength(64))), null),
  sdpMLineIndex: z._default(z.nullable(z.number().check(z.int(), z.gte(0), z.lte(64))), null),
  usernameFragment: z._default(z.nullable(z.string().check(z.maxLength(256))), null),
});
/** `activeMedia`: which media the sender shows, so that the other side can show a placeholder. */
const negotiation = {
  description: z.optional(description),
  candidate: z.optional(candidate),
  activeMedia: z.optional(z.object({ audio: z.boolean(), video: z.boolean() })),
};
/** This event is not in the specification. */
export const callSignalled = event({
  name: 'CALL_SIGNAL',
  audience: 'user',
  payload: z.object({ ...callRef, to: z.string(), ...negotiation }),
});

const senderFields = { ...callRef, token: z.string().check(z.maxLength(2_000)), device };
/** The server ignores it unless user and device take part in an answered call. */
export const signalCall = signal({ signal: 'CALL_SIGNAL', payload: z.object({ ...senderFields, ...negotiation }) });
/** Sent every {@link CALL_LIMITS.heartbeatMs} until the answer. Without it the call is given up. */
export const fanCalling = signal({ signal: 'FAN_CALLING', payload: z.object(senderFields) });
/**
 * Sent every {@link CALL_LIMITS.heartbeatMs} and on every change: whether media from the other side arrives. Metering runs
 * while both sides report it. A client whose metering is paused sends no media.
 */
export const callHeartbeat = signal({
  signal: 'CALL_HEARTBEAT',
  payload: z.object({ ...senderFields, isConnected: z.boolean() }),
});

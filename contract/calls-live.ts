/**
 * Calls over the socket (rows F1, F2, E10): what the server tells both sides, and what their devices signal to each other through it.
 * What changes a call goes by HTTP (calls.ts); the socket carries up what is fleeting, and each signal bears the session's token.
 */
import * as z from 'zod/mini';
import { event, signal } from './atoms/event.ts';
import { callId, instant, userId } from './atoms/ids.ts';
import { usd } from './atoms/money.ts';
import { CALL } from './atoms/room-limits.ts';
import { callClock, callKind, callReason, callSession, callStatus, device } from './calls.ts';

const onCall = { callLogId: callId };

/** To every device of the creator: somebody calls (row F2's creator state). It rings until one answers, or until END_CALL. */
export const callOffer = event({
  name: 'CALL_OFFER',
  audience: 'user',
  payload: z.object({
    ...onCall,
    customerId: userId,
    contentType: callKind,
    username: z.string(),
    name: z.string(),
    picture: z.nullable(z.string()),
    status: z.literal('ringing'),
    session: callSession,
    /** Milliseconds until it rings no longer. */
    ringLeftMs: z.number(),
  }),
});
/** To every device of the fan: the call was offered. `device` is the one that takes part. */
export const callOfferFan = event({
  name: 'CALL_OFFER_FAN',
  audience: 'user',
  payload: z.object({ ...onCall, creatorId: userId, type: callKind, status: callStatus, device: z.string() }),
});
/** To the fan: a device of the creator rings. */
export const callRinging = event({ name: 'CALL_RINGING', audience: 'user', payload: z.object(onCall) });
/** To both: it was answered. Other devices fall silent; those named ask for `/call/connect` and find each other. */
export const beginCall = event({
  name: 'BEGIN_CALL',
  audience: 'user',
  payload: z.object({ ...onCall, device: z.string(), otherDevice: z.string() }),
});
/** To both: both are connected for the first time, and the clock runs. */
export const callStarted = event({
  name: 'CALL_STARTED',
  audience: 'user',
  payload: z.object({ ...onCall, callStartTime: instant }),
});
/** To both: it is over. Nothing is charged while `amount` is 0. To the creator `amount` is what of it is theirs. */
export const callEnded = event({
  name: 'END_CALL',
  audience: 'user',
  payload: z.object({
    ...onCall,
    status: callStatus,
    reason: z.nullable(callReason),
    durationSeconds: z.number(),
    amount: usd,
  }),
});
/** Beside the specification's: the clock began to run or stands, more was set aside, or the fan is warned (`warnSeconds`). */
export const callClockChanged = event({
  name: 'CALL_CLOCK',
  audience: 'user',
  payload: z.object({ ...onCall, clock: callClock, warnSeconds: z.nullable(z.number()) }),
});
/** Beside the specification's: another device of the same person takes part from now on; this one lets go. */
export const callTakenOver = event({
  name: 'CALL_TAKEN_OVER',
  audience: 'user',
  payload: z.object({ ...onCall, userId, device: z.string() }),
});
/** Beside the specification's: the creator asks the fan to call again. */
export const callBackAsked = event({
  name: 'CALL_BACK',
  audience: 'user',
  payload: z.object({ ...onCall, creatorId: userId, name: z.string() }),
});

const description = z.object({
  type: z.enum(['offer', 'answer', 'pranswer', 'rollback']),
  sdp: z._default(z.string().check(z.maxLength(CALL.descriptionLength)), ''),
});
const candidate = z.object({
  candidate: z.string().check(z.maxLength(CALL.candidateLength)),
  sdpMid: z._default(z.nullable(z.string().check(z.maxLength(64))), null),
  sdpMLineIndex: z._default(z.nullable(z.number().check(z.int(), z.gte(0), z.lte(64))), null),
  usernameFragment: z._default(z.nullable(z.string().check(z.maxLength(256))), null),
});
/** One of the two, or what of the picture the sender shows: the other side holds its place. */
const negotiation = {
  description: z.optional(description),
  candidate: z.optional(candidate),
  shown: z.optional(z.object({ audio: z.boolean(), video: z.boolean() })),
};
/** Beside the specification's: what the other side's device said to find the way. */
export const callSignalled = event({
  name: 'CALL_SIGNAL',
  audience: 'user',
  payload: z.object({ ...onCall, to: z.string(), ...negotiation }),
});

const bearing = { ...onCall, token: z.string().check(z.maxLength(2_000)), device };
/** To the other side's device. What is not of a call that was answered, and of this person and device, goes nowhere. */
export const signalCall = signal({ signal: 'CALL_SIGNAL', payload: z.object({ ...bearing, ...negotiation }) });
/** The fan is still calling: every {@link CALL.heartbeatMs}. Who falls silent has given up. */
export const fanCalling = signal({ signal: 'FAN_CALLING', payload: z.object(bearing) });
/**
 * In a call, every {@link CALL.heartbeatMs} and whenever it changes: whether the other side is heard. The clock runs while both say
 * so; a client whose clock stands sends no picture and no sound.
 */
export const callHeard = signal({
  signal: 'CALL_HEARD',
  payload: z.object({ ...bearing, isConnected: z.boolean() }),
});

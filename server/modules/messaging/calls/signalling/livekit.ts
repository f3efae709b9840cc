/** LiveKit as an optional SFU (CALLS_PROVIDER=livekit), with its HTTP API (Twirp) and signed webhooks. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import { type CallSide, SIDES } from '../call/sides.ts';
import type { CallProvider } from './provider.ts';

type Keys = { apiKey: string; apiSecret: string };

const TIMEOUT_MS = 3_000;
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const sign = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest();

export function signToken({ apiKey, apiSecret }: Keys, claims: object, at: Date, until: Date): string {
  const [nbf, exp] = [at, until].map((instant) => Math.floor(instant.getTime() / 1000));
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iss: apiKey, nbf, exp, ...claims })}`;
  return `${text}.${sign(apiSecret, text).toString('base64url')}`;
}

const claims = z.looseObject({ iss: z.string(), exp: z.number() });

function decodeJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

export function readToken({ apiKey, apiSecret }: Keys, token: string, at: Date): Record<string, unknown> | undefined {
  const [header = '', body = '', mac = '', ...rest] = token.split('.');
  const expected = sign(apiSecret, `${header}.${body}`);
  const receivedMac = Buffer.from(mac, 'base64url');
  if (rest.length > 0 || receivedMac.length !== expected.length || !timingSafeEqual(receivedMac, expected))
    return undefined;
  const parsed = z.safeParse(claims, decodeJson(body));
  if (!parsed.success || parsed.data.iss !== apiKey) return undefined;
  return parsed.data.exp * 1000 > at.getTime() ? parsed.data : undefined;
}

const passClaims = z.object({ sub: z.string(), metadata: z.enum(SIDES), video: z.object({ room: z.string() }) });

export type LiveKitEvent = { event: string; callId: string; userId: string | undefined };
const webhook = z.object({
  event: z.string(),
  room: z.optional(z.object({ name: z.string() })),
  participant: z.optional(z.object({ identity: z.string() })),
});

/** Returns undefined unless the token and the body hash are valid, and `none` when the event concerns no call. */
export function readWebhook(
  keys: Keys,
  body: string,
  authorization: string,
  at: Date,
): LiveKitEvent | 'none' | undefined {
  const token = readToken(keys, authorization.replace(/^Bearer /, ''), at);
  if (token?.sha256 !== createHash('sha256').update(body).digest('base64')) return undefined;
  const parsed = z.safeParse(webhook, decodeJson(Buffer.from(body).toString('base64url')));
  const callId = parsed.data?.room?.name ?? '';
  if (!parsed.success || !isId(callId)) return 'none';
  return { event: parsed.data.event, callId, userId: parsed.data.participant?.identity };
}

export function createLiveKit({ config, log, clock }: Pick<Context, 'config' | 'log' | 'clock'>): CallProvider {
  const { url, ...keys } = config.calls.livekit;
  const address = url.replace(/^ws/, 'http');

  async function callApi(method: string, room: string, request: object): Promise<void> {
    const at = clock.now();
    const admin = { video: { roomCreate: true, roomAdmin: true, room } };
    const token = signToken(keys, admin, at, new Date(at.getTime() + 60_000));
    const response = await fetch(`${address}/twirp/livekit.RoomService/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ room, ...request }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // LiveKit responds with 404 for a room that no one has joined.
    if (!response.ok && response.status !== 404) throw new Error(`${method} answered ${response.status}`);
  }
  const logFailure = (work: Promise<void>) =>
    work.catch((error: unknown) => log.warn({ err: error }, 'LiveKit could not be notified that a call has ended'));

  return {
    session: ({ callId, side, userId }, at) => {
      const video = { roomJoin: true, room: callId, canPublish: true, canSubscribe: true, canPublishData: false };
      const until = new Date(at.getTime() + CALL_LIMITS.credentialSeconds * 1000);
      return signToken(keys, { sub: userId, metadata: side, video }, at, until);
    },
    read: (token, at) => {
      const { data } = z.safeParse(passClaims, readToken(keys, token, at));
      if (!data) return undefined;
      const side: CallSide = data.metadata;
      return { callId: data.video.room, side, userId: data.sub };
    },
    // Both sides connect to the SFU only and do not learn each other's address.
    credentials: () => ({ provider: 'livekit', url, iceServers: [], iceTransportPolicy: 'all' }),
    end: (callId) => logFailure(callApi('DeleteRoom', callId, {})),
    remove: (callId, userId) => logFailure(callApi('RemoveParticipant', callId, { identity: userId })),
  };
}

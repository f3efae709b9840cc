/** One push on its way to a service (RFC 8030), encrypted for the device alone (RFC 8291). */
import webPush from 'web-push';
import { wayOf } from './ways.ts';

const TIMEOUT_MS = 5_000;
/** The failures of a connection by which nothing can have arrived. */
const NEVER_LEFT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

export type Device = { endpoint: string; p256dh: string; auth: string };
/** `later`: it was not taken, and may be after `afterMs` if the service says so. `unknown`: whether it was taken is not to be known. */
export type Answer =
  | { is: 'sent' | 'gone' | 'tooLarge' | 'unknown' }
  | { is: 'refused'; status: number }
  | { is: 'later'; afterMs: number | undefined };

function pauseOf(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) ? ms : undefined;
}

function answerOf({ status, headers }: Response, now: Date): Answer {
  if (status >= 200 && status < 300) return { is: 'sent' };
  if (status === 404 || status === 410) return { is: 'gone' };
  if (status === 413) return { is: 'tooLarge' };
  if (status === 429 || status >= 500) return { is: 'later', afterMs: pauseOf(headers.get('retry-after'), now) };
  return { is: 'refused', status };
}

function failureOf(error: unknown): Answer {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  const code = cause && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return NEVER_LEFT.has(code) ? { is: 'later', afterMs: undefined } : { is: 'unknown' };
}

/** Sends it once; follows no redirect, waits some seconds. `tag` is what it may take the place of. */
export async function post(
  { endpoint, p256dh, auth }: Device,
  {
    payload,
    kind,
    tag,
    authorization,
    now,
  }: { payload: string; kind: string; tag: string; authorization: string; now: Date },
): Promise<Answer> {
  const { ttlSeconds, urgency } = wayOf(kind);
  const { cipherText } = webPush.encrypt(p256dh, auth, payload, 'aes128gcm');
  try {
    const answer = await fetch(endpoint, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        authorization,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(ttlSeconds),
        urgency,
        topic: topicOf(tag),
      },
      body: new Uint8Array(cipherText),
    });
    await answer.body?.cancel();
    return answerOf(answer, now);
  } catch (error) {
    return failureOf(error);
  }
}

/** At most 32 characters of base64url: of an id, its digits. */
export function topicOf(tag: string): string {
  return tag
    .replace(/^chat-/, '')
    .replaceAll('-', '')
    .slice(0, 32);
}

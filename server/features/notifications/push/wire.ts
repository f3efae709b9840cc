import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { wayOf } from './ways.ts';

export type Device = { endpoint: string; p256dh: string; auth: string };
/**
 * `later`: it was not accepted and may be after `afterMs`, if given. `unknown`: it may have been accepted. `unfit`:
 * nothing was sent, because it does not apply to this device. `isSilent`: no response came within the timeout.
 */
export type Answer = (
  | { is: 'sent' | 'gone' | 'tooLarge' | 'unfit' }
  | { is: 'refused'; status: number }
  | { is: 'unknown'; status?: undefined }
  | { is: 'later'; afterMs: number | undefined; status?: number }
) & { isSilent?: boolean };

function pauseOf(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) ? ms : undefined;
}

export function answerOf(status: number, retryAfter: string | undefined, now: Date): Answer {
  if (status >= 200 && status < 300) return { is: 'sent' };
  if (status === 404 || status === 410) return { is: 'gone' };
  if (status === 413) return { is: 'tooLarge' };
  if (status === 429 || status >= 500) return { is: 'later', afterMs: pauseOf(retryAfter, now), status };
  return { is: 'refused', status };
}

/**
 * Sends one request with node:http, because it must know whether there was a connection. Without one nothing can have
 * arrived.
 */
function ask(
  endpoint: string,
  headers: Record<string, string>,
  body: Buffer,
  { now, timeoutMs }: { now: Date; timeoutMs: number },
): Promise<Answer> {
  const url = new URL(endpoint);
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve) => {
    let isThere = false;
    let isSilent = false;
    const request = (isSecure ? https : http).request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
    });
    const timer = setTimeout(() => {
      isSilent = true;
      request.destroy();
    }, timeoutMs);
    const end = (answer: Answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    request.on('socket', (socket) => {
      if (!socket.connecting) isThere = true;
      else socket.once(isSecure ? 'secureConnect' : 'connect', () => (isThere = true));
    });
    request.on('response', (response) => {
      response.resume();
      end(answerOf(response.statusCode ?? 0, response.headers['retry-after'], now));
    });
    request.on('error', () => undefined);
    request.on('close', () =>
      end(isThere ? { is: 'unknown', isSilent } : { is: 'later', afterMs: undefined, isSilent }),
    );
    request.end(body);
  });
}

/** Sends once, without redirects and with a timeout. `tag` names the push that it may replace. */
export async function post(
  { endpoint, p256dh, auth }: Device,
  {
    payload,
    kind,
    tag,
    authorization,
    now,
    timeoutMs,
  }: { payload: string; kind: string; tag: string; authorization: string; now: Date; timeoutMs: number },
): Promise<Answer> {
  const { ttlSeconds, urgency } = wayOf(kind);
  const { default: webPush } = await import('web-push');
  const { cipherText } = webPush.encrypt(p256dh, auth, payload, 'aes128gcm');
  const headers = {
    authorization,
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(ttlSeconds),
    urgency,
    topic: topicOf(tag),
  };
  return ask(endpoint, headers, Buffer.from(cipherText), { now, timeoutMs });
}

/** At most 32 characters of base64url. The hash is unique for a tag and does not reveal it. */
export const topicOf = (tag: string): string => createHash('sha256').update(tag).digest('base64url').slice(0, 32);

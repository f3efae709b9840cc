import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { getDeliveryPolicy } from './delivery-policy.ts';

export type PushTarget = { endpoint: string; p256dh: string; auth: string };
/**
 * `later`: it was not accepted and may be after `afterMs`, if given. `unknown`: it may have been accepted. `unfit`:
 * nothing was sent, because it does not apply to this device. `isSilent`: no response came within the timeout.
 */
export type PushResult = (
  | { outcome: 'sent' | 'gone' | 'tooLarge' | 'unfit' }
  | { outcome: 'refused'; status: number }
  | { outcome: 'unknown'; status?: undefined }
  | { outcome: 'later'; afterMs: number | undefined; status?: number }
) & { isSilent?: boolean };

function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) ? ms : undefined;
}

export function toPushResult(status: number, retryAfter: string | undefined, now: Date): PushResult {
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  if (status === 413) return { outcome: 'tooLarge' };
  if (status === 429 || status >= 500) return { outcome: 'later', afterMs: parseRetryAfter(retryAfter, now), status };
  return { outcome: 'refused', status };
}

/**
 * Sends one request with node:http, because it must know whether there was a connection. Without one nothing can have
 * arrived.
 */
function sendRequest(
  endpoint: string,
  headers: Record<string, string>,
  body: Buffer,
  { now, timeoutMs }: { now: Date; timeoutMs: number },
): Promise<PushResult> {
  const url = new URL(endpoint);
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve) => {
    let isConnected = false;
    let isSilent = false;
    const request = (isSecure ? https : http).request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
    });
    const timer = setTimeout(() => {
      isSilent = true;
      request.destroy();
    }, timeoutMs);
    const finish = (result: PushResult) => {
      clearTimeout(timer);
      resolve(result);
    };
    request.on('socket', (socket) => {
      if (!socket.connecting) isConnected = true;
      else socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true));
    });
    request.on('response', (response) => {
      response.resume();
      finish(toPushResult(response.statusCode ?? 0, response.headers['retry-after'], now));
    });
    request.on('error', () => undefined);
    request.on('close', () =>
      finish(isConnected ? { outcome: 'unknown', isSilent } : { outcome: 'later', afterMs: undefined, isSilent }),
    );
    request.end(body);
  });
}

/** Sends once, without redirects and with a timeout. `tag` names the push that it may replace. */
export async function sendWebPush(
  { endpoint, p256dh, auth }: PushTarget,
  {
    payload,
    kind,
    tag,
    authorization,
    now,
    timeoutMs,
  }: { payload: string; kind: string; tag: string; authorization: string; now: Date; timeoutMs: number },
): Promise<PushResult> {
  const { ttlSeconds, urgency } = getDeliveryPolicy(kind);
  const { default: webPush } = await import('web-push');
  const { cipherText } = webPush.encrypt(p256dh, auth, payload, 'aes128gcm');
  const headers = {
    authorization,
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(ttlSeconds),
    urgency,
    topic: toTopic(tag),
  };
  return sendRequest(endpoint, headers, Buffer.from(cipherText), { now, timeoutMs });
}

/** At most 32 characters of base64url. The hash is unique for a tag and does not reveal it. */
export const toTopic = (tag: string): string => createHash('sha256').update(tag).digest('base64url').slice(0, 32);

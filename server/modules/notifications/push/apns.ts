/**
 * Sends a push to Apple for Safari's legacy website push: HTTP/2 with the operator's client certificate and an
 * unencrypted payload (Apple's “Sending notification requests to APNs”).
 */
import http2, { type ClientHttp2Session } from 'node:http2';
import type { PushMessage } from '@stagedoor/contract/notifications/push.ts';
import * as z from 'zod/mini';
import type { Config } from '../../../platform/config.ts';
import { getDeliveryPolicy } from './delivery-policy.ts';
import { type PushResult, toPushResult, toTopic } from './web-push.ts';

const IDLE_MS = 10 * 60_000;
/** Reasons that mean a lost token. Apple sends them with a status that may also mean a mistake of ours. */
const LOST_TOKEN = ['BadDeviceToken', 'DeviceTokenNotForTopic', 'Unregistered'];
const refusal = z.object({ reason: z.string() });

type Safari = NonNullable<Config['push']['safari']>;
type ApnsPush = { endpoint: string; message: PushMessage; kind: string; tag: string; now: Date };
export type ApnsClient = { send(push: ApnsPush): Promise<PushResult>; close(): void };

const TOKEN = /^(?:[0-9a-f]{2}){32,100}$/i;

export function toApnsEndpoint({ apns }: Pick<Safari, 'apns'>, deviceToken: string): string | undefined {
  return TOKEN.test(deviceToken) ? `${apns}/3/device/${deviceToken.toLowerCase()}` : undefined;
}

/** The payload as Safari shows it. The path fills the placeholder of the package's `urlFormatString`. */
function toApnsPayload({ notification }: PushMessage): string {
  const { title, body = '', navigate } = notification;
  const { pathname, search, hash } = new URL(navigate);
  const alert = { title, body, action: 'View' };
  return JSON.stringify({ aps: { alert, 'url-args': [`${pathname.slice(1)}${search}${hash}`] } });
}

function parseReason(text: string): string {
  try {
    return z.parse(refusal, JSON.parse(text)).reason;
  } catch {
    return '';
  }
}

/**
 * Sends one request. A request that was not started can be repeated. A started one without a response may have arrived.
 */
function sendRequest(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body: string,
  { now, timeoutMs }: { now: Date; timeoutMs: number },
): Promise<PushResult> {
  return new Promise((resolve) => {
    let isSilent = false;
    let text = '';
    let response: { status: number; retryAfter: string | undefined } | undefined;
    const stream = session.request(headers);
    stream.setTimeout(timeoutMs, () => {
      isSilent = true;
      stream.close(http2.constants.NGHTTP2_CANCEL);
    });
    stream.on('response', (head) => {
      const after = head['retry-after'];
      response = { status: Number(head[':status']), retryAfter: typeof after === 'string' ? after : undefined };
    });
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      text = (text + chunk).slice(0, 1_000);
    });
    stream.on('error', () => undefined);
    stream.on('close', () => {
      if (!response) {
        const isUnprocessed = stream.rstCode === http2.constants.NGHTTP2_REFUSED_STREAM;
        return resolve(
          isUnprocessed ? { outcome: 'later', afterMs: undefined, isSilent } : { outcome: 'unknown', isSilent },
        );
      }
      const isLost = response.status === 400 && LOST_TOKEN.includes(parseReason(text));
      resolve(isLost ? { outcome: 'gone' } : toPushResult(response.status, response.retryAfter, now));
    });
    stream.end(body);
  });
}

function connect(
  { apns, certificates, key }: Safari,
  timeoutMs: number,
  onClosed: () => void,
): Promise<ClientHttp2Session | undefined> {
  const session = http2.connect(apns, { cert: certificates, key });
  session.on('error', onClosed);
  session.on('goaway', onClosed);
  session.setTimeout(IDLE_MS, () => session.close());
  return new Promise((resolve) => {
    const timer = setTimeout(() => session.destroy(), timeoutMs);
    session.once('connect', () => {
      clearTimeout(timer);
      session.unref();
      resolve(session);
    });
    session.once('close', () => {
      clearTimeout(timer);
      onClosed();
      resolve(undefined);
    });
  });
}

export function createApns(safari: Safari, timeoutMs: number): ApnsClient {
  let session: Promise<ClientHttp2Session | undefined> | undefined;
  function getSession(): Promise<ClientHttp2Session | undefined> {
    if (session) return session;
    const connecting = connect(safari, timeoutMs, () => {
      if (session === connecting) session = undefined;
    });
    session = connecting;
    return connecting;
  }

  return {
    send: async ({ endpoint, message, kind, tag, now }) => {
      const to = await getSession();
      if (!to) return { outcome: 'later', afterMs: undefined, isSilent: true };
      const { ttlSeconds, urgency } = getDeliveryPolicy(kind);
      const headers = {
        ':method': 'POST',
        ':path': new URL(endpoint).pathname,
        'apns-topic': safari.id,
        'apns-expiration': String(Math.floor(now.getTime() / 1000) + ttlSeconds),
        'apns-priority': urgency === 'high' ? '10' : '5',
        'apns-collapse-id': toTopic(tag),
      };
      return sendRequest(to, headers, toApnsPayload(message), { now, timeoutMs });
    },
    close: () => void session?.then((session) => session?.close()),
  };
}

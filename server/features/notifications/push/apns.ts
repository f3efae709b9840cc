/**
 * Sends a push to Apple for Safari's legacy website push: HTTP/2 with the operator's client certificate and an
 * unencrypted payload (Apple's “Sending notification requests to APNs”).
 */
import http2, { type ClientHttp2Session } from 'node:http2';
import type { PushMessage } from '@stagedoor/contract/push.ts';
import * as z from 'zod/mini';
import type { Config } from '../../../kernel/config.ts';
import { wayOf } from './ways.ts';
import { type Answer, answerOf, topicOf } from './wire.ts';

const IDLE_MS = 10 * 60_000;
/** Reasons that mean a lost token. Apple sends them with a status that may also mean a mistake of ours. */
const LOST_TOKEN = ['BadDeviceToken', 'DeviceTokenNotForTopic', 'Unregistered'];
const refusal = z.object({ reason: z.string() });

type Safari = NonNullable<Config['push']['safari']>;
type Sent = { endpoint: string; message: PushMessage; kind: string; tag: string; now: Date };
export type Apns = { send(sent: Sent): Promise<Answer>; close(): void };

const TOKEN = /^(?:[0-9a-f]{2}){32,100}$/i;

export function endpointOf({ apns }: Pick<Safari, 'apns'>, deviceToken: string): string | undefined {
  return TOKEN.test(deviceToken) ? `${apns}/3/device/${deviceToken.toLowerCase()}` : undefined;
}

/** The payload as Safari shows it. The path fills the placeholder of the package's `urlFormatString`. */
function payloadOf({ notification }: PushMessage): string {
  const { title, body = '', navigate } = notification;
  const { pathname, search, hash } = new URL(navigate);
  const alert = { title, body, action: 'View' };
  return JSON.stringify({ aps: { alert, 'url-args': [`${pathname.slice(1)}${search}${hash}`] } });
}

function reasonOf(text: string): string {
  try {
    return z.parse(refusal, JSON.parse(text)).reason;
  } catch {
    return '';
  }
}

/**
 * Sends one request. A request that was not started can be repeated. A started one without a response may have arrived.
 */
function ask(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body: string,
  { now, timeoutMs }: { now: Date; timeoutMs: number },
): Promise<Answer> {
  return new Promise((resolve) => {
    let isSilent = false;
    let text = '';
    let answered: { status: number; retryAfter: string | undefined } | undefined;
    const stream = session.request(headers);
    stream.setTimeout(timeoutMs, () => {
      isSilent = true;
      stream.close(http2.constants.NGHTTP2_CANCEL);
    });
    stream.on('response', (head) => {
      const after = head['retry-after'];
      answered = { status: Number(head[':status']), retryAfter: typeof after === 'string' ? after : undefined };
    });
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      text = (text + chunk).slice(0, 1_000);
    });
    stream.on('error', () => undefined);
    stream.on('close', () => {
      if (!answered) {
        const isUntouched = stream.rstCode === http2.constants.NGHTTP2_REFUSED_STREAM;
        return resolve(isUntouched ? { is: 'later', afterMs: undefined, isSilent } : { is: 'unknown', isSilent });
      }
      const isLost = answered.status === 400 && LOST_TOKEN.includes(reasonOf(text));
      resolve(isLost ? { is: 'gone' } : answerOf(answered.status, answered.retryAfter, now));
    });
    stream.end(body);
  });
}

function connect(
  { apns, certificates, key }: Safari,
  timeoutMs: number,
  forget: () => void,
): Promise<ClientHttp2Session | undefined> {
  const session = http2.connect(apns, { cert: certificates, key });
  session.on('error', forget);
  session.on('goaway', forget);
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
      forget();
      resolve(undefined);
    });
  });
}

export function createApns(safari: Safari, timeoutMs: number): Apns {
  let connected: Promise<ClientHttp2Session | undefined> | undefined;
  function reach(): Promise<ClientHttp2Session | undefined> {
    if (connected) return connected;
    const made = connect(safari, timeoutMs, () => {
      if (connected === made) connected = undefined;
    });
    connected = made;
    return made;
  }

  return {
    send: async ({ endpoint, message, kind, tag, now }) => {
      const to = await reach();
      if (!to) return { is: 'later', afterMs: undefined, isSilent: true };
      const { ttlSeconds, urgency } = wayOf(kind);
      const headers = {
        ':method': 'POST',
        ':path': new URL(endpoint).pathname,
        'apns-topic': safari.id,
        'apns-expiration': String(Math.floor(now.getTime() / 1000) + ttlSeconds),
        'apns-priority': urgency === 'high' ? '10' : '5',
        'apns-collapse-id': topicOf(tag),
      };
      return ask(to, headers, payloadOf(message), { now, timeoutMs });
    },
    close: () => void connected?.then((session) => session?.close()),
  };
}

/**
 * Which subscriptions are accepted: only those of known push services with valid keys. The server sends no push to any
 * other address.
 */
import { ECDH } from 'node:crypto';

const HOSTS = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'];
const APNS_HOST = 'api.push.apple.com';
const DOMAINS = ['.push.services.mozilla.com', '.push.apple.com', '.notify.windows.com'];
const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;
const POINT_BYTES = 65;
const AUTH_LENGTH = { min: 16, max: 64 };

export function isPushService(endpoint: string, extraOrigins: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password, origin } = new URL(endpoint);
  if (username !== '' || password !== '') return false;
  if (extraOrigins.includes(origin)) return true;
  if (hostname === APNS_HOST) return false;
  const isKnown = HOSTS.includes(hostname) || DOMAINS.some((domain) => hostname.endsWith(domain));
  return isKnown && protocol === 'https:' && port === '';
}

function isPoint(bytes: Buffer): boolean {
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return bytes.length === POINT_BYTES;
  } catch {
    return false;
  }
}

/** Whether a browser could have made these keys (RFC 8291): an uncompressed point on P-256 and a secret. */
export function areValidKeys({ p256dh, auth }: { p256dh: string; auth: string }): boolean {
  if (!BASE64URL.test(p256dh) || !BASE64URL.test(auth)) return false;
  const { length } = Buffer.from(auth, 'base64url');
  return isPoint(Buffer.from(p256dh, 'base64url')) && length >= AUTH_LENGTH.min && length <= AUTH_LENGTH.max;
}

const SERVICE_NAMES: readonly [RegExp, string][] = [
  [/^fcm\.googleapis\.com$/, 'Google'],
  [/\.push\.services\.mozilla\.com$/, 'Mozilla'],
  [/\.push\.apple\.com$/, 'Apple'],
  [/\.notify\.windows\.com$/, 'Microsoft'],
];

/** The name of an endpoint's service, because a service fails as a whole. */
export function getServiceName({ endpoint, p256dh }: { endpoint: string; p256dh: string | null }): string {
  if (p256dh === null) return 'Apple (older Safari)';
  const { hostname } = new URL(endpoint);
  return SERVICE_NAMES.find(([pattern]) => pattern.test(hostname))?.[1] ?? hostname;
}

import { createECDH } from 'node:crypto';
import type { Config } from '../../../platform/config.ts';
import type { Context } from '../../../platform/context.ts';

const CACHE_TTL_MS = 6 * 60 * 60_000;

export function getPublicKey({ push }: Pick<Config, 'push'>): string {
  const key = createECDH('prime256v1');
  key.setPrivateKey(push.privateKey, 'base64url');
  return key.getPublicKey('base64url');
}

/**
 * Creates the `Authorization` header for a service's origin. The subject is the address of our mails, because Apple
 * refuses one on localhost.
 */
export function createVapidSigner({
  config,
  clock,
}: Pick<Context, 'config' | 'clock'>): (origin: string) => Promise<string> {
  const publicKey = getPublicKey(config);
  const subject = `mailto:${/<([^>]+)>/.exec(config.mailFrom)?.[1] ?? config.mailFrom}`;
  const cache = new Map<string, { header: string; until: number }>();
  return async (origin) => {
    const cached = cache.get(origin);
    const now = clock.now().getTime();
    if (cached && cached.until > now) return cached.header;
    const { privateKey } = config.push;
    const { default: webPush } = await import('web-push');
    const { Authorization } = webPush.getVapidHeaders(origin, subject, publicKey, privateKey, 'aes128gcm');
    cache.set(origin, { header: Authorization, until: now + CACHE_TTL_MS });
    return Authorization;
  };
}

/** Our key, by which push services know that it is always us (VAPID, RFC 8292). */
import { createECDH } from 'node:crypto';
import type { Config } from '../../../kernel/config.ts';
import type { Context } from '../../../kernel/context.ts';

/** A header is good for twelve hours, and made anew well before. */
const KEPT_MS = 6 * 60 * 60_000;

/** The point of it, base64url: what subscriptions are made with. */
export function publicKeyOf({ push }: Pick<Config, 'push'>): string {
  const key = createECDH('prime256v1');
  key.setPrivateKey(push.privateKey, 'base64url');
  return key.getPublicKey('base64url');
}

/** Makes the `Authorization` for a service's origin. Apple refuses a subject on localhost: it is the address of our mails. */
export function createVapid({ config, clock }: Pick<Context, 'config' | 'clock'>): (origin: string) => Promise<string> {
  const publicKey = publicKeyOf(config);
  const subject = `mailto:${/<([^>]+)>/.exec(config.mailFrom)?.[1] ?? config.mailFrom}`;
  const kept = new Map<string, { header: string; until: number }>();
  return async (origin) => {
    const known = kept.get(origin);
    const now = clock.now().getTime();
    if (known && known.until > now) return known.header;
    const { privateKey } = config.push;
    const { default: webPush } = await import('web-push');
    const { Authorization } = webPush.getVapidHeaders(origin, subject, publicKey, privateKey, 'aes128gcm');
    kept.set(origin, { header: Authorization, until: now + KEPT_MS });
    return Authorization;
  };
}

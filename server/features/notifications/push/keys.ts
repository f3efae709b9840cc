import { createECDH } from 'node:crypto';
import type { Config } from '../../../kernel/config.ts';
import type { Context } from '../../../kernel/context.ts';

const KEPT_MS = 6 * 60 * 60_000;

export function publicKeyOf({ push }: Pick<Config, 'push'>): string {
  const key = createECDH('prime256v1');
  key.setPrivateKey(push.privateKey, 'base64url');
  return key.getPublicKey('base64url');
}

/**
 * Creates the `Authorization` header for a service's origin. The subject is the address of our mails, because Apple
 * refuses one on localhost.
 */
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

/** Seals what must not be readable where it is kept, by AES-256-GCM under a key of the configuration. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Answers iv, tag and sealed content. It opens only under the same key (32 bytes) and for the same `belongsTo`. */
export function seal(key: Buffer, belongsTo: string, content: string | Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(belongsTo));
  const sealed = Buffer.concat([cipher.update(Buffer.from(content)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Opens a text that {@link seal} sealed. Throws if it was changed, moved or sealed under another key. */
export function unseal(key: Buffer, belongsTo: string, sealed: Buffer): string {
  return unsealBytes(key, belongsTo, sealed).toString('utf8');
}

/** As {@link unseal}, for what is no text. */
export function unsealBytes(key: Buffer, belongsTo: string, sealed: Buffer): Buffer {
  const iv = sealed.subarray(0, IV_BYTES);
  const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(belongsTo)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Returns iv, tag and ciphertext. It opens only with the same key (32 bytes) and the same `context`. */
export function encryptContent(key: Buffer, context: string, content: string | Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(Buffer.from(content)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts a text. Throws if it was changed, moved or encrypted with another key. */
export function decryptText(key: Buffer, context: string, encrypted: Buffer): string {
  return decryptBytes(key, context, encrypted).toString('utf8');
}

export function decryptBytes(key: Buffer, context: string, encrypted: Buffer): Buffer {
  const iv = encrypted.subarray(0, IV_BYTES);
  const tag = encrypted.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
  return Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

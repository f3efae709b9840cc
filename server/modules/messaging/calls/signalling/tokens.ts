import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { SIDES } from '../call/sides.ts';
import type { CallPass } from './provider.ts';

const sign = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();

export function signPass(key: Buffer, { callId, side, userId }: CallPass, until: Date): string {
  const text = `${callId}.${side}.${userId}.${until.getTime()}`;
  return `${text}.${sign(key, text).toString('base64url')}`;
}

/** Returns undefined for a forged or expired token. */
export function verifyPass(key: Buffer, token: string, at: Date): CallPass | undefined {
  const [callId = '', sideText = '', userId = '', until = '', mac = '', ...rest] = token.split('.');
  const side = SIDES.find((known) => known === sideText);
  if (!side || !isId(callId) || !isId(userId) || rest.length > 0) return undefined;
  const expected = sign(key, `${callId}.${side}.${userId}.${until}`);
  const receivedMac = Buffer.from(mac, 'base64url');
  if (receivedMac.length !== expected.length || !timingSafeEqual(receivedMac, expected)) return undefined;
  return Number(until) > at.getTime() ? { callId, side, userId } : undefined;
}

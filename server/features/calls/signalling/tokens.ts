import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { SIDES } from '../call/sides.ts';
import type { Pass } from './provider.ts';

const seal = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();

export function sealPass(key: Buffer, { callId, side, userId }: Pass, until: Date): string {
  const text = `${callId}.${side}.${userId}.${until.getTime()}`;
  return `${text}.${seal(key, text).toString('base64url')}`;
}

/** Returns undefined for a forged or expired token. */
export function openPass(key: Buffer, token: string, at: Date): Pass | undefined {
  const [callId = '', ofSide = '', userId = '', until = '', mac = '', ...more] = token.split('.');
  const side = SIDES.find((known) => known === ofSide);
  if (!side || !isId(callId) || !isId(userId) || more.length > 0) return undefined;
  const expected = seal(key, `${callId}.${side}.${userId}.${until}`);
  const given = Buffer.from(mac, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return Number(until) > at.getTime() ? { callId, side, userId } : undefined;
}

/** UUIDv7 for rows whose id must be known before the insert (RFC 9562, 5.7). */
import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

type Last = { ms: number; counter: number };
const lastByClock = new WeakMap<Clock, Last>();

/** Ids of one clock ascend, even within a millisecond. */
export function createId(clock: Clock): string {
  const now = clock.now().getTime();
  const last = lastByClock.get(clock) ?? { ms: now, counter: -1 };
  lastByClock.set(clock, last);
  if (now > last.ms) {
    last.ms = now;
    last.counter = 0;
  } else if (last.counter >= 0xfff) {
    last.ms += 1;
    last.counter = 0;
  } else {
    last.counter += 1;
  }
  const bytes = randomBytes(16);
  bytes.writeUIntBE(last.ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | last.counter, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function createLeastId(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

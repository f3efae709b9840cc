/** UUIDv7 made here when a row's id must be known before it is written (RFC 9562, 5.7). */
import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

let lastMs = 0;
let counter = 0;

/** A new UUIDv7; ids made by one process ascend, also within a millisecond. */
export function newId(clock: Clock): string {
  const ms = Math.max(clock.now().getTime(), lastMs);
  counter = ms === lastMs ? counter + 1 : 0;
  lastMs = counter > 0xfff ? ms + 1 : ms;
  if (counter > 0xfff) counter = 0;
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

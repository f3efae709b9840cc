import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 8_192;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Returns up to some hundreds of unused bytes. Not for keys or tokens, because used bytes stay in memory for a while.
 */
export function createRandomText(size: number, encoding: 'hex' | 'base64'): string {
  if (used + size > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += size;
  return pool.toString(encoding, used - size, used);
}

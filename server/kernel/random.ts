/** Random bytes for what every request needs: the system is asked once for many, as asking takes longer than all else that they are for. */
import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 8_192;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/** `size` bytes that nobody has had, at most some hundreds. Not for keys or tokens: what was handed out lies in memory for a while. */
export function randomOf(size: number, encoding: 'hex' | 'base64'): string {
  if (used + size > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += size;
  return pool.toString(encoding, used - size, used);
}

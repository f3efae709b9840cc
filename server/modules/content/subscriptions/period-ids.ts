import { createHash } from 'node:crypto';

/**
 * The id of a period is its sale's subject and operation id. It follows from the subscription and the number, so that two
 * processes cannot charge one period twice. UUIDv8 (RFC 9562, 5.8) of a SHA-256 hash.
 */
export function toPeriodId(subscriptionId: string, number: number): string {
  const bytes = createHash('sha256').update(`subscription-period ${subscriptionId} ${number}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Decides whether the other side is connected: ICE/DTLS is up, heartbeats arrive and, while the clock runs, media
 * arrives.
 */

const SILENT_MS = 3_500;
/** Both sides start sending when the clock starts. The first packets may take this long. */
const FIRST_MEDIA_MS = 4_000;

export type Heard = {
  isConnected: boolean;
  signAt: number | undefined;
  mediaAt: number | undefined;
  /** Since when both sides may send media. Undefined while the clock is stopped. */
  flowsSince: number | undefined;
};

/** All times are milliseconds of the same clock. */
export function isHeard({ isConnected, signAt, mediaAt, flowsSince }: Heard, now: number): boolean {
  if (!isConnected || signAt === undefined || now - signAt > SILENT_MS) return false;
  if (flowsSince === undefined || now - flowsSince < FIRST_MEDIA_MS) return true;
  return mediaAt !== undefined && now - mediaAt <= SILENT_MS;
}

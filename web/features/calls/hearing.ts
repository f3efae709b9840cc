/** Whether the other side is heard, from what has arrived: the way is open, it answers, and while the clock runs sound or picture come. */

/** Nothing for so long: it is not heard. */
const SILENT_MS = 3_500;
/** Both begin to send when they are told that the clock runs; the first packets may take so long. */
const FIRST_MEDIA_MS = 4_000;

export type Heard = {
  /** The way between both: ICE and DTLS. */
  isConnected: boolean;
  /** When the other side's last sign of life came; undefined before the first. */
  signAt: number | undefined;
  /** When more packets of its sound or picture were counted last. */
  mediaAt: number | undefined;
  /** Since when both may send; undefined while the clock stands. */
  flowsSince: number | undefined;
};

/** All instants by one clock, in milliseconds. */
export function isHeard({ isConnected, signAt, mediaAt, flowsSince }: Heard, now: number): boolean {
  if (!isConnected || signAt === undefined || now - signAt > SILENT_MS) return false;
  if (flowsSince === undefined || now - flowsSince < FIRST_MEDIA_MS) return true;
  return mediaAt !== undefined && now - mediaAt <= SILENT_MS;
}

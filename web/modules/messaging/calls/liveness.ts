/**
 * Decides whether the other side is connected: ICE/DTLS is up, heartbeats arrive and, while the clock runs, media
 * arrives.
 */

const SILENCE_TIMEOUT_MS = 3_500;
/** Both sides start sending when the clock starts. The first packets may take this long. */
const FIRST_MEDIA_MS = 4_000;

export type ConnectionSignals = {
  isConnected: boolean;
  lastHeartbeatAt: number | undefined;
  lastMediaAt: number | undefined;
  /** Since when both sides may send media. Undefined while the clock is stopped. */
  mediaSince: number | undefined;
};

/** All times are milliseconds of the same clock. */
export function isOtherSideAlive(
  { isConnected, lastHeartbeatAt, lastMediaAt, mediaSince }: ConnectionSignals,
  now: number,
): boolean {
  if (!isConnected || lastHeartbeatAt === undefined || now - lastHeartbeatAt > SILENCE_TIMEOUT_MS) return false;
  if (mediaSince === undefined || now - mediaSince < FIRST_MEDIA_MS) return true;
  return lastMediaAt !== undefined && now - lastMediaAt <= SILENCE_TIMEOUT_MS;
}

/**
 * Measures upload speed over the last seconds, so that it follows the connection without jumping, and formats the
 * remaining time.
 */

const WINDOW_MS = 8_000;
const SETTLE_MS = 1_500;

export interface Pace {
  /**
   * Records the bytes transferred at a time in milliseconds. Returns bytes per second, or undefined while it cannot be
   * measured.
   */
  note(bytes: number, atMs: number): number | undefined;
}

export function createPace(): Pace {
  let seen: { bytes: number; atMs: number }[] = [];
  return {
    note: (bytes, atMs) => {
      // The upload restarted, because lost bytes are sent again.
      if (seen.some((sample) => sample.bytes > bytes)) seen = [];
      seen.push({ bytes, atMs });
      seen = seen.filter((sample) => atMs - sample.atMs <= WINDOW_MS);
      const first = seen[0];
      if (!first || atMs - first.atMs < SETTLE_MS || bytes === first.bytes) return undefined;
      return ((bytes - first.bytes) * 1_000) / (atMs - first.atMs);
    },
  };
}

/** Formats "about 3 minutes left", in steps that do not flicker. */
export function formatRemaining(seconds: number): string {
  if (seconds < 5) return 'a few seconds left';
  if (seconds < 55) return `about ${Math.ceil(seconds / 10) * 10} seconds left`;
  const minutes = Math.round(seconds / 60);
  if (minutes <= 1) return 'about a minute left';
  if (minutes < 60) return `about ${minutes} minutes left`;
  const hours = Math.round(minutes / 30) / 2;
  return hours === 1 ? 'about an hour left' : `about ${hours} hours left`;
}

/** How fast bytes go, and how long the rest will take: over the last seconds, so that it follows the connection but does not jump. */

const WINDOW_MS = 8_000;
/** Before that, a guess would be wild. */
const SETTLE_MS = 1_500;

export interface Pace {
  /** Notes how many bytes are there at a time in milliseconds; answers bytes a second, or undefined while it cannot be told. */
  note(bytes: number, atMs: number): number | undefined;
}

export function createPace(): Pace {
  let seen: { bytes: number; atMs: number }[] = [];
  return {
    note: (bytes, atMs) => {
      // Begun anew: what was sent and lost is sent again.
      if (seen.some((sample) => sample.bytes > bytes)) seen = [];
      seen.push({ bytes, atMs });
      seen = seen.filter((sample) => atMs - sample.atMs <= WINDOW_MS);
      const first = seen[0];
      if (!first || atMs - first.atMs < SETTLE_MS || bytes === first.bytes) return undefined;
      return ((bytes - first.bytes) * 1_000) / (atMs - first.atMs);
    },
  };
}

/** "about 3 minutes left", in steps that do not flicker. */
export function formatRemaining(seconds: number): string {
  if (seconds < 5) return 'a few seconds left';
  if (seconds < 55) return `about ${Math.ceil(seconds / 10) * 10} seconds left`;
  const minutes = Math.round(seconds / 60);
  if (minutes <= 1) return 'about a minute left';
  if (minutes < 60) return `about ${minutes} minutes left`;
  const hours = Math.round(minutes / 30) / 2;
  return hours === 1 ? 'about an hour left' : `about ${hours} hours left`;
}

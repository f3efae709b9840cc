import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import * as texts from './texts.ts';

/**
 * Measures upload speed over the last seconds, so that it follows the connection without jumping, and formats the
 * remaining time.
 */

const WINDOW_MS = 8_000;
const MIN_WINDOW_MS = 1_500;

export interface UploadPace {
  /**
   * Records the bytes transferred at a time in milliseconds. Returns bytes per second, or undefined while it cannot be
   * measured.
   */
  record(bytes: number, atMs: number): number | undefined;
}

export function createPace(): UploadPace {
  let samples: { bytes: number; atMs: number }[] = [];
  return {
    record: (bytes, atMs) => {
      // The upload restarted, because lost bytes are sent again.
      if (samples.some((sample) => sample.bytes > bytes)) samples = [];
      samples.push({ bytes, atMs });
      samples = samples.filter((sample) => atMs - sample.atMs <= WINDOW_MS);
      const first = samples[0];
      if (!first || atMs - first.atMs < MIN_WINDOW_MS || bytes === first.bytes) return undefined;
      return ((bytes - first.bytes) * 1_000) / (atMs - first.atMs);
    },
  };
}

/** Formats "about 3 minutes left", in steps that do not flicker. */
export function formatRemaining(seconds: number): string {
  if (seconds < 5) return texts.fewSecondsLeft;
  if (seconds < 55) return formatText(texts.secondsLeft, { seconds: Math.ceil(seconds / 10) * 10 });
  const minutes = Math.round(seconds / 60);
  if (minutes <= 1) return texts.aboutAMinuteLeft;
  if (minutes < 60) return formatText(texts.minutesLeft, { minutes });
  const hours = Math.round(minutes / 30) / 2;
  return hours === 1 ? texts.aboutAnHourLeft : formatText(texts.hoursLeft, { hours });
}

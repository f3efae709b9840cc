/**
 * The range of a teaser while it is edited: at least one second, at most the limit of the contract, within the video.
 */
import { VIDEO } from '@stagedoor/contract/atoms/limits.ts';

export type Range = { start: number; end: number };

const LEAST_SECONDS = 1;

/**
 * Moves the other end along when the range would become too short or too long. `duration` is that of the whole video in
 * seconds.
 */
export function moveRange(range: Range, change: Partial<Range>, duration: number): Range {
  const least = Math.min(LEAST_SECONDS, duration);
  if (change.start !== undefined) {
    const start = Math.min(Math.max(0, change.start), duration - least);
    const end = Math.min(Math.max(range.end, start + least), start + VIDEO.teaserSeconds, duration);
    return { start, end };
  }
  const end = Math.min(Math.max(change.end ?? range.end, least), duration);
  const start = Math.max(Math.min(range.start, end - least), end - VIDEO.teaserSeconds, 0);
  return { start, end };
}

export function firstRange(duration: number): Range {
  return { start: 0, end: Math.min(VIDEO.teaserSeconds, Math.max(LEAST_SECONDS, Math.floor(duration / 3))) };
}

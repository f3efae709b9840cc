/**
 * The range of a teaser while it is edited: at least one second, at most the limit of the contract, within the video.
 */
import { VIDEO_LIMITS } from '@stagedoor/contract/shared/limits.ts';

export type TeaserRange = { start: number; end: number };

const MIN_SECONDS = 1;

/**
 * Moves the other end along when the range would become too short or too long. `duration` is that of the whole video in
 * seconds.
 */
export function moveRange(range: TeaserRange, change: Partial<TeaserRange>, duration: number): TeaserRange {
  const min = Math.min(MIN_SECONDS, duration);
  if (change.start !== undefined) {
    const start = Math.min(Math.max(0, change.start), duration - min);
    const end = Math.min(Math.max(range.end, start + min), start + VIDEO_LIMITS.teaserSeconds, duration);
    return { start, end };
  }
  const end = Math.min(Math.max(change.end ?? range.end, min), duration);
  const start = Math.max(Math.min(range.start, end - min), end - VIDEO_LIMITS.teaserSeconds, 0);
  return { start, end };
}

export function createInitialRange(duration: number): TeaserRange {
  return { start: 0, end: Math.min(VIDEO_LIMITS.teaserSeconds, Math.max(MIN_SECONDS, Math.floor(duration / 3))) };
}

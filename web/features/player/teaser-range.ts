/** The range of a teaser while it is moved: at least a second, at most what the contract allows, within the whole. */
import { VIDEO } from '@stagedoor/contract/atoms/limits.ts';

export type Range = { start: number; end: number };

const LEAST_SECONDS = 1;

/** Pulls the other end along when one is moved too near or too far. `duration` in seconds, of the whole. */
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

/** What is proposed first: the beginning, as long as it may be, and never the whole. */
export function firstRange(duration: number): Range {
  return { start: 0, end: Math.min(VIDEO.teaserSeconds, Math.max(LEAST_SECONDS, Math.floor(duration / 3))) };
}

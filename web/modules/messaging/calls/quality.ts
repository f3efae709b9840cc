/**
 * Chooses the picture quality that is sent. It steps down before the picture freezes and up again later. Audio is never
 * dropped.
 */

export type QualityStep = { maxBitrate: number; scaleResolutionDownBy: number };
/** Best first. Below the last step no picture is sent. */
export const QUALITY_STEPS: readonly QualityStep[] = [
  { maxBitrate: 1_800_000, scaleResolutionDownBy: 1 },
  { maxBitrate: 700_000, scaleResolutionDownBy: 1.5 },
  { maxBitrate: 300_000, scaleResolutionDownBy: 2 },
  { maxBitrate: 120_000, scaleResolutionDownBy: 4 },
];

export type ConnectionSample = {
  /** Fraction of packets that the other side missed, 0 to 1. */
  loss: number;
  /** Available bandwidth in bits per second, if it is known. */
  available: number | undefined;
};
export type QualityState = {
  /** Index into {@link QUALITY_STEPS}. Its length means that no picture is sent. */
  level: number;
  /** Consecutive bad and good seconds. */
  bad: number;
  good: number;
};

export const BEST_QUALITY: QualityState = { level: 0, bad: 0, good: 0 };
const HIGH_LOSS = 0.08;
const LOW_LOSS = 0.02;
const BAD_SECONDS = 2;
const GOOD_SECONDS = 8;
const AUDIO_BITRATE = 60_000;

function isBad({ loss, available }: ConnectionSample, level: number): boolean {
  const step = QUALITY_STEPS[level];
  if (loss > HIGH_LOSS) return true;
  // Half of a step's bitrate still gives an acceptable picture.
  return step !== undefined && available !== undefined && available < step.maxBitrate / 2 + AUDIO_BITRATE;
}

function isGoodFor({ loss, available }: ConnectionSample, level: number): boolean {
  const step = QUALITY_STEPS[level];
  if (!step || loss > LOW_LOSS) return false;
  return available === undefined || available > step.maxBitrate / 2 + AUDIO_BITRATE;
}

export function toNextQuality({ level, bad, good }: QualityState, sample: ConnectionSample): QualityState {
  if (isBad(sample, level)) {
    if (bad + 1 < BAD_SECONDS || level >= QUALITY_STEPS.length) return { level, bad: bad + 1, good: 0 };
    return { level: level + 1, bad: 0, good: 0 };
  }
  if (!isGoodFor(sample, level - 1)) return { level, bad: 0, good: 0 };
  return good + 1 < GOOD_SECONDS ? { level, bad: 0, good: good + 1 } : { level: level - 1, bad: 0, good: 0 };
}

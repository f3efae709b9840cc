/** The user's volume, mute, speed and captions, stored on this device where storage is available. */
import type { Store } from '../../kernel/storage.ts';

export type Habits = {
  /** 0 to 1. */
  volume: number;
  isMuted: boolean;
  rate: number;
  /** The language of the last captions. Empty means off. */
  captions: string;
};

const KEY = 'player';
const USUAL: Habits = { volume: 1, isMuted: false, rate: 1, captions: '' };
export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

/** Clamps a volume to 0 to 1 (row C10). */
export function clampVolume(volume: number): number {
  return Number.isFinite(volume) ? Math.min(1, Math.max(0, volume)) : USUAL.volume;
}

export function nextRate(rate: number, step: 1 | -1): number {
  const sorted = step === 1 ? RATES : RATES.toReversed();
  return sorted.find((each) => (step === 1 ? each > rate + 0.001 : each < rate - 0.001)) ?? rate;
}

function isKept(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function readHabits(store: Pick<Store, 'getItem'>): Habits {
  try {
    const kept: unknown = JSON.parse(store.getItem(KEY) ?? '{}');
    if (!isKept(kept)) return USUAL;
    const { volume, isMuted, rate, captions } = kept;
    return {
      volume: typeof volume === 'number' ? clampVolume(volume) : USUAL.volume,
      isMuted: isMuted === true,
      rate: RATES.find((each) => each === rate) ?? USUAL.rate,
      captions: typeof captions === 'string' ? captions : USUAL.captions,
    };
  } catch {
    return USUAL;
  }
}

export function keepHabits(store: Pick<Store, 'getItem' | 'setItem'>, change: Partial<Habits>): void {
  try {
    store.setItem(KEY, JSON.stringify({ ...readHabits(store), ...change }));
  } catch {
    // Storage may be full or blocked. Playback does not depend on it.
  }
}

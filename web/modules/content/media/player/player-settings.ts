/** The user's volume, mute, speed and captions, stored on this device. */
import type { KeyValueStore } from '../../../../platform/browser-storage.ts';

export type PlayerSettings = {
  /** 0 to 1. */
  volume: number;
  isMuted: boolean;
  rate: number;
  /** The language of the last captions. Empty means off. */
  captions: string;
};

const STORAGE_KEY = 'player';
const DEFAULT_SETTINGS: PlayerSettings = { volume: 1, isMuted: false, rate: 1, captions: '' };
export const PLAYBACK_RATES = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

/** Clamps a volume to 0 to 1 (row C10). */
export function clampVolume(volume: number): number {
  return Number.isFinite(volume) ? Math.min(1, Math.max(0, volume)) : DEFAULT_SETTINGS.volume;
}

export function getNextRate(rate: number, step: 1 | -1): number {
  const sorted = step === 1 ? PLAYBACK_RATES : PLAYBACK_RATES.toReversed();
  return sorted.find((each) => (step === 1 ? each > rate + 0.001 : each < rate - 0.001)) ?? rate;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function readPlayerSettings(store: Pick<KeyValueStore, 'getItem'>): PlayerSettings {
  try {
    const stored: unknown = JSON.parse(store.getItem(STORAGE_KEY) ?? '{}');
    if (!isRecord(stored)) return DEFAULT_SETTINGS;
    const { volume, isMuted, rate, captions } = stored;
    return {
      volume: typeof volume === 'number' ? clampVolume(volume) : DEFAULT_SETTINGS.volume,
      isMuted: isMuted === true,
      rate: PLAYBACK_RATES.find((each) => each === rate) ?? DEFAULT_SETTINGS.rate,
      captions: typeof captions === 'string' ? captions : DEFAULT_SETTINGS.captions,
    };
  } catch {
    return DEFAULT_SETTINGS;
  }
}

export function savePlayerSettings(
  store: Pick<KeyValueStore, 'getItem' | 'setItem'>,
  change: Partial<PlayerSettings>,
): void {
  store.setItem(STORAGE_KEY, JSON.stringify({ ...readPlayerSettings(store), ...change }));
}

/**
 * Attaches a stream to a media element: natively where the browser plays HLS well (WebKit), otherwise with hls.js,
 * which is loaded on first playback, or as a plain file without a playlist. Chromium also plays HLS natively, but
 * offers no control over quality and buffering (row C10).
 */

import type { Stream } from '@stagedoor/contract/content/pictures.ts';
import { VIDEO_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import type Hls from 'hls.js';

/**
 * `network`: no connection or no response. `refused`: this viewer has no access (any more). `media`: the format cannot
 * be played.
 */
export type StreamFailure = 'network' | 'refused' | 'media';

export type EngineEvents = {
  /** Available renditions by their shorter side, tallest first. */
  onQualities: (heights: number[]) => void;
  onQuality: (height: number) => void;
  onFailure: (failure: StreamFailure) => void;
};

export type Engine = {
  setQuality: (height: number | null) => void;
  destroy: () => void;
};

type PlayableStream = Pick<Stream, 'hls' | 'file' | 'isLoop'>;

const HLS_TYPE = 'application/vnd.apple.mpegurl';
/** Shorter than a frame. With 0 no seek would happen. */
const STEP_SECONDS = 0.001;
const REFUSED_STATUSES: readonly number[] = [401, 403, 404, 410];
const ASSUMED_BITS_PER_SECOND = 2_500_000;
const SAVING_HEIGHT = 480;

function hasMediaSource(): boolean {
  return 'MediaSource' in window || 'ManagedMediaSource' in window;
}

/** WebKit has supported HLS for many years. Its proprietary presentation mode identifies it. */
function hasNativeHls(element: HTMLMediaElement): boolean {
  return 'webkitSetPresentationMode' in element && element.canPlayType(HLS_TYPE) !== '';
}

export function isSavingData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : undefined;
  return typeof connection === 'object' && connection !== null && 'saveData' in connection && !!connection.saveData;
}

type Size = { width: number; height: number };

/**
 * The index of the largest level that automatic quality may use, smallest first. Undefined unless the user saves data.
 */
export function findLevelCap(levels: readonly Size[]): number | undefined {
  if (!isSavingData()) return undefined;
  return Math.max(
    0,
    levels.findLastIndex((level) => getShorterSide(level) <= SAVING_HEIGHT),
  );
}

/** A rendition is named by its shorter side, so that a portrait 720p counts as 720p. */
const getShorterSide = ({ width, height }: Size) => Math.min(width, height);

function toHeights(sizes: readonly Size[]): number[] {
  return [...new Set(sizes.map(getShorterSide))].sort((a, b) => b - a);
}

export function parseHeights(playlist: string): number[] {
  const sizes = [...playlist.matchAll(/RESOLUTION=(\d+)x(\d+)/g)];
  return toHeights(sizes.map(([, width, height]) => ({ width: Number(width), height: Number(height) })));
}

async function diagnoseFailure(address: string): Promise<StreamFailure> {
  try {
    const { ok, status } = await fetch(address, { headers: { range: 'bytes=0-0' } });
    if (ok) return 'media';
    return REFUSED_STATUSES.includes(status) ? 'refused' : 'network';
  } catch {
    return 'network';
  }
}

function attachFile(element: HTMLMediaElement, address: string, startAt: number, events: EngineEvents): Engine {
  const reportFailure = () => void diagnoseFailure(address).then((failure) => events.onFailure(failure));
  const seekToStart = () => {
    if (startAt > 0) element.currentTime = startAt;
  };
  element.addEventListener('error', reportFailure);
  element.addEventListener('loadedmetadata', seekToStart, { once: true });
  element.src = address;
  return {
    setQuality: () => undefined,
    destroy: () => {
      element.removeEventListener('error', reportFailure);
      element.removeEventListener('loadedmetadata', seekToStart);
      element.removeAttribute('src');
      element.load();
    },
  };
}

function subscribeToHls(hls: Hls, Events: (typeof Hls)['Events'], events: EngineEvents): void {
  let hasRecovered = false;
  let isRefused = false;
  hls.on(Events.MANIFEST_PARSED, (_, { levels }) => {
    events.onQualities(toHeights(levels));
    const cap = findLevelCap(levels);
    if (cap !== undefined) hls.autoLevelCapping = cap;
  });
  hls.on(Events.LEVEL_SWITCHED, (_, { level }) => {
    const size = hls.levels[level];
    if (size) events.onQuality(getShorterSide(size));
    // Decodes the current position again, because a paused video would keep showing the old rendition.
    const { media } = hls;
    if (media?.paused && !media.seeking) media.currentTime = media.currentTime + STEP_SECONDS;
  });
  hls.on(Events.ERROR, (_, { fatal, type, response }) => {
    if (type === 'networkError' && REFUSED_STATUSES.includes(response?.code ?? 0)) {
      // hls.js would repeat a refused request for half a minute before the error becomes fatal.
      hls.stopLoad();
      if (!isRefused) events.onFailure('refused');
      isRefused = true;
      return;
    }
    if (!fatal) return;
    if (type === 'networkError') events.onFailure('network');
    else if (type === 'mediaError' && !hasRecovered) {
      hasRecovered = true;
      hls.recoverMediaError();
    } else events.onFailure('media');
  });
}

async function attachHlsJs(
  element: HTMLMediaElement,
  address: string,
  startAt: number,
  events: EngineEvents,
): Promise<Engine> {
  const { default: Hls } = await import('hls.js/light');
  const hls = new Hls({
    // fMP4 segments need no remuxing, so a worker would only load a second copy of the library.
    enableWorker: false,
    maxBufferLength: VIDEO_LIMITS.bufferSeconds,
    maxMaxBufferLength: VIDEO_LIMITS.bufferSeconds,
    backBufferLength: 2 * VIDEO_LIMITS.bufferSeconds,
    capLevelToPlayerSize: true,
    abrEwmaDefaultEstimate: ASSUMED_BITS_PER_SECOND,
    ...(startAt > 0 && { startPosition: startAt }),
  });
  subscribeToHls(hls, Hls.Events, events);
  hls.loadSource(address);
  hls.attachMedia(element);
  return {
    setQuality: (height) => {
      // Switches immediately so that the change is also visible while paused.
      hls.currentLevel = height === null ? -1 : hls.levels.findIndex((level) => getShorterSide(level) === height);
    },
    destroy: () => hls.destroy(),
  };
}

/** Uses native HLS. Once a fixed quality is chosen, hls.js takes over. */
async function attachWebKit(
  element: HTMLMediaElement,
  address: string,
  startAt: number,
  events: EngineEvents,
): Promise<Engine> {
  let inner = attachFile(element, address, startAt, events);
  let usesHlsJs = false;
  let isDestroyed = false;
  if (hasMediaSource()) {
    fetch(address)
      .then((response) => (response.ok ? response.text() : ''))
      .then((playlist) => events.onQualities(parseHeights(playlist)))
      .catch(() => undefined);
  }
  return {
    setQuality: (height) => {
      if (usesHlsJs || height === null) {
        inner.setQuality(height);
        return;
      }
      usesHlsJs = true;
      const { currentTime, paused } = element;
      inner.destroy();
      const applyQuality = (heights: number[]) => {
        events.onQualities(heights);
        inner.setQuality(height);
      };
      void attachHlsJs(element, address, currentTime, { ...events, onQualities: applyQuality }).then((next) => {
        if (isDestroyed) return next.destroy();
        inner = next;
        if (!paused) void element.play().catch(() => undefined);
      });
    },
    destroy: () => {
      isDestroyed = true;
      inner.destroy();
    },
  };
}

/**
 * @param startAt Seconds.
 * Throws when hls.js cannot be loaded or nothing is playable.
 */
export async function attachStream(
  element: HTMLMediaElement,
  { hls, file, isLoop }: PlayableStream,
  startAt: number,
  events: EngineEvents,
): Promise<Engine> {
  // A loop is so short that a single file loads faster than a playlist and repeats without a gap.
  if (isLoop && file) return attachFile(element, file, startAt, events);
  if (hls && hasNativeHls(element)) return attachWebKit(element, hls, startAt, events);
  if (hls && hasMediaSource()) return attachHlsJs(element, hls, startAt, events);
  const address = file ?? (element.canPlayType(HLS_TYPE) === '' ? null : hls);
  if (!address) throw new TypeError('The stream has no address this browser can play');
  return attachFile(element, address, startAt, events);
}

/**
 * Attaches a stream to a media element: natively where the browser plays HLS well (WebKit), otherwise with hls.js,
 * which is loaded on first playback, or as a plain file without a playlist. Chromium also plays HLS natively, but
 * offers no control over quality and buffering (row C10).
 */
import { VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import type { Stream } from '@stagedoor/contract/pictures.ts';
import type Hls from 'hls.js';

/**
 * `network`: no connection or no response. `refused`: this viewer has no access (any more). `media`: the format cannot
 * be played.
 */
export type Failure = 'network' | 'refused' | 'media';

export type EngineEvents = {
  /** Available renditions by their shorter side, tallest first. */
  onQualities: (rungs: number[]) => void;
  onQuality: (height: number) => void;
  onFailure: (failure: Failure) => void;
};

export type Engine = {
  setQuality: (height: number | null) => void;
  destroy: () => void;
};

type Playable = Pick<Stream, 'hls' | 'file' | 'isLoop'>;

const HLS_TYPE = 'application/vnd.apple.mpegurl';
/** Shorter than a frame. With 0 no seek would happen. */
const STEP_SECONDS = 0.001;
const REFUSALS: readonly number[] = [401, 403, 404, 410];
const ASSUMED_BITS_PER_SECOND = 2_500_000;
const SAVING_HEIGHT = 480;

function hasMediaSource(): boolean {
  return 'MediaSource' in window || 'ManagedMediaSource' in window;
}

/** WebKit has supported HLS for many years. Its proprietary presentation mode identifies it. */
function readsHlsWell(element: HTMLMediaElement): boolean {
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
export function levelCapOf(levels: readonly Size[]): number | undefined {
  if (!isSavingData()) return undefined;
  return Math.max(
    0,
    levels.findLastIndex((level) => shortOf(level) <= SAVING_HEIGHT),
  );
}

/** A rendition is named by its shorter side, so that a portrait 720p counts as 720p. */
const shortOf = ({ width, height }: Size) => Math.min(width, height);

function rungsOf(sizes: readonly Size[]): number[] {
  return [...new Set(sizes.map(shortOf))].sort((a, b) => b - a);
}

export function rungsIn(playlist: string): number[] {
  const sizes = [...playlist.matchAll(/RESOLUTION=(\d+)x(\d+)/g)];
  return rungsOf(sizes.map(([, width, height]) => ({ width: Number(width), height: Number(height) })));
}

async function failureOf(address: string): Promise<Failure> {
  try {
    const { ok, status } = await fetch(address, { headers: { range: 'bytes=0-0' } });
    if (ok) return 'media';
    return REFUSALS.includes(status) ? 'refused' : 'network';
  } catch {
    return 'network';
  }
}

function attachPlain(element: HTMLMediaElement, address: string, startAt: number, events: EngineEvents): Engine {
  const fail = () => void failureOf(address).then((failure) => events.onFailure(failure));
  const begin = () => {
    if (startAt > 0) element.currentTime = startAt;
  };
  element.addEventListener('error', fail);
  element.addEventListener('loadedmetadata', begin, { once: true });
  element.src = address;
  return {
    setQuality: () => undefined,
    destroy: () => {
      element.removeEventListener('error', fail);
      element.removeEventListener('loadedmetadata', begin);
      element.removeAttribute('src');
      element.load();
    },
  };
}

function listen(hls: Hls, Events: (typeof Hls)['Events'], events: EngineEvents): void {
  let hasRecovered = false;
  let isRefused = false;
  hls.on(Events.MANIFEST_PARSED, (_, { levels }) => {
    events.onQualities(rungsOf(levels));
    const cap = levelCapOf(levels);
    if (cap !== undefined) hls.autoLevelCapping = cap;
  });
  hls.on(Events.LEVEL_SWITCHED, (_, { level }) => {
    const size = hls.levels[level];
    if (size) events.onQuality(shortOf(size));
    // Decodes the current position again, because a paused video would keep showing the old rendition.
    const { media } = hls;
    if (media?.paused && !media.seeking) media.currentTime = media.currentTime + STEP_SECONDS;
  });
  hls.on(Events.ERROR, (_, { fatal, type, response }) => {
    if (type === 'networkError' && REFUSALS.includes(response?.code ?? 0)) {
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

async function attachByScript(
  element: HTMLMediaElement,
  address: string,
  startAt: number,
  events: EngineEvents,
): Promise<Engine> {
  const { default: Hls } = await import('hls.js/light');
  const hls = new Hls({
    // fMP4 segments need no remuxing, so a worker would only load a second copy of the library.
    enableWorker: false,
    maxBufferLength: VIDEO.bufferSeconds,
    maxMaxBufferLength: VIDEO.bufferSeconds,
    backBufferLength: 2 * VIDEO.bufferSeconds,
    capLevelToPlayerSize: true,
    abrEwmaDefaultEstimate: ASSUMED_BITS_PER_SECOND,
    ...(startAt > 0 && { startPosition: startAt }),
  });
  listen(hls, Hls.Events, events);
  hls.loadSource(address);
  hls.attachMedia(element);
  return {
    setQuality: (height) => {
      // Switches immediately so that the change is also visible while paused.
      hls.currentLevel = height === null ? -1 : hls.levels.findIndex((level) => shortOf(level) === height);
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
  let inner = attachPlain(element, address, startAt, events);
  let isScript = false;
  let isGone = false;
  if (hasMediaSource()) {
    fetch(address)
      .then((response) => (response.ok ? response.text() : ''))
      .then((playlist) => events.onQualities(rungsIn(playlist)))
      .catch(() => undefined);
  }
  return {
    setQuality: (height) => {
      if (isScript || height === null) {
        inner.setQuality(height);
        return;
      }
      isScript = true;
      const { currentTime, paused } = element;
      inner.destroy();
      const wanted = (heights: number[]) => {
        events.onQualities(heights);
        inner.setQuality(height);
      };
      void attachByScript(element, address, currentTime, { ...events, onQualities: wanted }).then((next) => {
        if (isGone) return next.destroy();
        inner = next;
        if (!paused) void element.play().catch(() => undefined);
      });
    },
    destroy: () => {
      isGone = true;
      inner.destroy();
    },
  };
}

/**
 * @param startAt Seconds.
 * Throws when hls.js cannot be loaded or nothing is playable.
 */
export async function attach(
  element: HTMLMediaElement,
  { hls, file, isLoop }: Playable,
  startAt: number,
  events: EngineEvents,
): Promise<Engine> {
  // A loop is so short that a single file loads faster than a playlist and repeats without a gap.
  if (isLoop && file) return attachPlain(element, file, startAt, events);
  if (hls && readsHlsWell(element)) return attachWebKit(element, hls, startAt, events);
  if (hls && hasMediaSource()) return attachByScript(element, hls, startAt, events);
  const address = file ?? (element.canPlayType(HLS_TYPE) === '' ? null : hls);
  if (!address) throw new TypeError('The stream has no address this browser can play');
  return attachPlain(element, address, startAt, events);
}

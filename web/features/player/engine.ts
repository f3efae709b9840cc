/**
 * Brings a stream into a media element (row C10): by the browser itself where it plays HLS well, which is WebKit; else by
 * hls.js, fetched when something is played; a plain file where there is no playlist. Chromium reads HLS too by now, but lets
 * nobody choose a quality or say how far to read ahead.
 */
import { VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import type { Stream } from '@stagedoor/contract/pictures.ts';
import type Hls from 'hls.js';

/** `network`: no connection, or no answer. `refused`: the address does not answer this viewer (any more). `media`: it cannot be played. */
export type Failure = 'network' | 'refused' | 'media';

export type EngineEvents = {
  /** The rungs on offer, tallest first, each by its shorter side. */
  onQualities: (rungs: number[]) => void;
  /** The height being played, when known. */
  onQuality: (height: number) => void;
  onFailure: (failure: Failure) => void;
};

export type Engine = {
  /** A height on offer, or null for: as the connection allows. */
  setQuality: (height: number | null) => void;
  destroy: () => void;
};

type Playable = Pick<Stream, 'hls' | 'file' | 'isLoop'>;

const HLS_TYPE = 'application/vnd.apple.mpegurl';
/** Less than a frame, and not nothing: no seek at all would follow. */
const STEP_SECONDS = 0.001;
const REFUSALS: readonly number[] = [401, 403, 404, 410];
/** What a connection is taken to carry until it has been measured. */
const ASSUMED_BITS_PER_SECOND = 2_500_000;
/** What somebody who saves data gets at most. */
const SAVING_HEIGHT = 480;

function hasMediaSource(): boolean {
  return 'MediaSource' in window || 'ManagedMediaSource' in window;
}

/** WebKit has read HLS itself for many years; its own way of showing video tells it apart. */
function readsHlsWell(element: HTMLMediaElement): boolean {
  return 'webkitSetPresentationMode' in element && element.canPlayType(HLS_TYPE) !== '';
}

export function isSavingData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : undefined;
  return typeof connection === 'object' && connection !== null && 'saveData' in connection && !!connection.saveData;
}

type Size = { width: number; height: number };

/** Which of the levels, smallest first, is the largest that may be chosen by itself; nothing sets a limit to who does not save data. */
export function levelCapOf(levels: readonly Size[]): number | undefined {
  if (!isSavingData()) return undefined;
  return Math.max(
    0,
    levels.findLastIndex((level) => shortOf(level) <= SAVING_HEIGHT),
  );
}

/** A rung is named by its shorter side, so that an upright 720p is one as well. */
const shortOf = ({ width, height }: Size) => Math.min(width, height);

function rungsOf(sizes: readonly Size[]): number[] {
  return [...new Set(sizes.map(shortOf))].sort((a, b) => b - a);
}

/** The rungs of a master playlist, tallest first. */
export function rungsIn(playlist: string): number[] {
  const sizes = [...playlist.matchAll(/RESOLUTION=(\d+)x(\d+)/g)];
  return rungsOf(sizes.map(([, width, height]) => ({ width: Number(width), height: Number(height) })));
}

/** Why an address could not be played, by asking it again for its first byte. */
async function failureOf(address: string): Promise<Failure> {
  try {
    const { ok, status } = await fetch(address, { headers: { range: 'bytes=0-0' } });
    if (ok) return 'media';
    return REFUSALS.includes(status) ? 'refused' : 'network';
  } catch {
    return 'network';
  }
}

/** The element reads the address by itself. */
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
  hls.on(Events.MANIFEST_PARSED, (_, { levels }) => {
    events.onQualities(rungsOf(levels));
    const cap = levelCapOf(levels);
    if (cap !== undefined) hls.autoLevelCapping = cap;
  });
  hls.on(Events.LEVEL_SWITCHED, (_, { level }) => {
    const size = hls.levels[level];
    if (size) events.onQuality(shortOf(size));
    // Standing still, the old picture would stay until it plays: the same second is decoded anew.
    const { media } = hls;
    if (media?.paused && !media.seeking) media.currentTime = media.currentTime + STEP_SECONDS;
  });
  hls.on(Events.ERROR, (_, { fatal, type, response }) => {
    if (!fatal) return;
    if (type === 'networkError') events.onFailure(REFUSALS.includes(response?.code ?? 0) ? 'refused' : 'network');
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
    // Segments of fMP4 need no repacking, so a worker would only cost a second copy of the library.
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
      // At once: who chooses wants to see it, also while it stands still.
      hls.currentLevel = height === null ? -1 : hls.levels.findIndex((level) => shortOf(level) === height);
    },
    destroy: () => hls.destroy(),
  };
}

/** The browser reads the playlist; whoever wants one quality only is served by script from there on. */
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

/** `startAt` in seconds. Throws when the player's script cannot be fetched, or there is nothing to play. */
export async function attach(
  element: HTMLMediaElement,
  { hls, file, isLoop }: Playable,
  startAt: number,
  events: EngineEvents,
): Promise<Engine> {
  // So short that one file comes sooner than a playlist, and goes round without a gap.
  if (isLoop && file) return attachPlain(element, file, startAt, events);
  if (hls && readsHlsWell(element)) return attachWebKit(element, hls, startAt, events);
  if (hls && hasMediaSource()) return attachByScript(element, hls, startAt, events);
  const address = file ?? (element.canPlayType(HLS_TYPE) === '' ? null : hls);
  if (!address) throw new TypeError('The stream has no address this browser can play');
  return attachPlain(element, address, startAt, events);
}

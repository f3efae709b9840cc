/** Saves the playback position on pause, every 15 s and when the page is left. Only for media longer than a minute. */

import { getPlaybackPosition, savePlaybackPosition } from '@stagedoor/contract/content/media.ts';
import { useEffect } from 'react';
import { sessionStore } from '../../../../platform/browser-storage.ts';
import { api } from '../../../../platform/mutation.ts';

const SAVE_MS = 15_000;
const MIN_DURATION_SECONDS = 60;
/** A position this close to the start or end is not resumed. */
const MARGIN_SECONDS = 5;

export function canSavePosition(durationSeconds: number | null): boolean {
  return (durationSeconds ?? 0) > MIN_DURATION_SECONDS;
}

/** How long the last save of one page may still be in transit when the next page reads the position. */
const TRANSIT_MS = 10_000;
const lastPositionKey = (id: string) => `left:${id}`;

function findLastPosition(id: string): number | undefined {
  const [seconds, at] = (sessionStore.getItem(lastPositionKey(id)) ?? '').split(' ').map(Number);
  return seconds !== undefined && at !== undefined && Date.now() - at < TRANSIT_MS ? seconds : undefined;
}

function storeLastPosition(id: string, seconds: number): void {
  sessionStore.setItem(lastPositionKey(id), `${seconds} ${Date.now()}`);
}

/** The position to resume in seconds. 0 is the start, also when it is unknown. */
export async function loadPosition(id: string, durationSeconds: number | null): Promise<number> {
  try {
    const lastPosition = findLastPosition(id);
    const { seconds } =
      lastPosition !== undefined
        ? { seconds: lastPosition }
        : await api(getPlaybackPosition, { params: { id } }, { showErrorMessage: false });
    return seconds > MARGIN_SECONDS && seconds < (durationSeconds ?? 0) - MARGIN_SECONDS ? seconds : 0;
  } catch {
    return 0;
  }
}

export function useSavedPosition(element: HTMLMediaElement | null, id: string | undefined): void {
  useEffect(() => {
    if (!element || id === undefined) return;
    let savedSeconds = -1;
    const save = (keepalive = false) => {
      const { currentTime, readyState, ended, duration } = element;
      const seconds = Math.floor(ended ? duration : currentTime);
      if (readyState === HTMLMediaElement.HAVE_NOTHING || seconds === savedSeconds || !Number.isFinite(seconds)) return;
      savedSeconds = seconds;
      storeLastPosition(id, ended ? 0 : seconds);
      const options = { showErrorMessage: false, keepalive };
      api(savePlaybackPosition, { params: { id }, body: { seconds } }, options).catch(() => undefined);
    };
    const saveNow = () => save();
    const saveOnLeave = () => save(true);
    const timer = setInterval(() => !element.paused && save(), SAVE_MS);
    element.addEventListener('pause', saveNow);
    element.addEventListener('ended', saveNow);
    window.addEventListener('pagehide', saveOnLeave);
    return () => {
      clearInterval(timer);
      element.removeEventListener('pause', saveNow);
      element.removeEventListener('ended', saveNow);
      window.removeEventListener('pagehide', saveOnLeave);
      saveOnLeave();
    };
  }, [element, id]);
}

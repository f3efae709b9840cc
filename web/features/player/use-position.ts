/** Saves the playback position on pause, every 15 s and when the page is left. Only for media longer than a minute. */
import { getPosition, savePosition } from '@stagedoor/contract/media.ts';
import { useEffect } from 'react';
import { api } from '../../kernel/mutation.ts';

const SAVE_MS = 15_000;
const LONG_SECONDS = 60;
/** A position this close to the start or end is not resumed. */
const MARGIN_SECONDS = 5;

export function isRemembered(durationSeconds: number | null): boolean {
  return (durationSeconds ?? 0) > LONG_SECONDS;
}

/** How long the last save of one page may still be in transit when the next page reads the position. */
const LEAVING_MS = 10_000;
const leftKey = (id: string) => `left:${id}`;

function leftAt(id: string): number | undefined {
  try {
    const [seconds, at] = (sessionStorage.getItem(leftKey(id)) ?? '').split(' ').map(Number);
    return seconds !== undefined && at !== undefined && Date.now() - at < LEAVING_MS ? seconds : undefined;
  } catch {
    return undefined;
  }
}

function noteLeft(id: string, seconds: number): void {
  try {
    sessionStorage.setItem(leftKey(id), `${seconds} ${Date.now()}`);
  } catch {
    // Without storage the server's position is used, which may be slightly outdated.
  }
}

/** The position to resume in seconds. 0 is the start, also when it is unknown. */
export async function loadPosition(id: string, durationSeconds: number | null): Promise<number> {
  try {
    const left = leftAt(id);
    const { seconds } =
      left !== undefined ? { seconds: left } : await api(getPosition, { params: { id } }, { showErrorMessage: false });
    return seconds > MARGIN_SECONDS && seconds < (durationSeconds ?? 0) - MARGIN_SECONDS ? seconds : 0;
  } catch {
    return 0;
  }
}

export function useSavedPosition(element: HTMLMediaElement | null, id: string | undefined): void {
  useEffect(() => {
    if (!element || id === undefined) return;
    let saved = -1;
    const save = (keepalive = false) => {
      const { currentTime, readyState, ended, duration } = element;
      const seconds = Math.floor(ended ? duration : currentTime);
      if (readyState === HTMLMediaElement.HAVE_NOTHING || seconds === saved || !Number.isFinite(seconds)) return;
      saved = seconds;
      noteLeft(id, ended ? 0 : seconds);
      const options = { showErrorMessage: false, keepalive };
      api(savePosition, { params: { id }, body: { seconds } }, options).catch(() => undefined);
    };
    const pause = () => save();
    const leave = () => save(true);
    const timer = setInterval(() => !element.paused && save(), SAVE_MS);
    element.addEventListener('pause', pause);
    element.addEventListener('ended', pause);
    window.addEventListener('pagehide', leave);
    return () => {
      clearInterval(timer);
      element.removeEventListener('pause', pause);
      element.removeEventListener('ended', pause);
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [element, id]);
}

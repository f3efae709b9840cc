import { useEffect, useState } from 'react';

export type Playback = {
  isPaused: boolean;
  /** Should play but is buffering. */
  isWaiting: boolean;
  isEnded: boolean;
  hasFrame: boolean;
  time: number;
  /** 0 while unknown. */
  duration: number;
  /** Start and end in seconds. */
  buffered: readonly (readonly [number, number])[];
  volume: number;
  isMuted: boolean;
  rate: number;
};

const INITIAL_PLAYBACK: Playback = {
  isPaused: true,
  isWaiting: false,
  isEnded: false,
  hasFrame: false,
  time: 0,
  duration: 0,
  buffered: [],
  volume: 1,
  isMuted: false,
  rate: 1,
};

const EVENTS = [
  'play',
  'pause',
  'playing',
  'waiting',
  'stalled',
  'seeking',
  'seeked',
  'timeupdate',
  'durationchange',
  'progress',
  'loadeddata',
  'canplay',
  'volumechange',
  'ratechange',
  'ended',
  'emptied',
  'error',
] as const;

function readPlayback(element: HTMLMediaElement, before: Playback): Playback {
  const { paused, ended, currentTime, duration, buffered, volume, muted, playbackRate, readyState } = element;
  const isEmpty = readyState < HTMLMediaElement.HAVE_CURRENT_DATA;
  return {
    isPaused: paused,
    isWaiting: !paused && !ended && readyState < HTMLMediaElement.HAVE_FUTURE_DATA,
    isEnded: ended,
    hasFrame: before.hasFrame || !isEmpty,
    // While the element reloads it reports 0, so the last time is used.
    time: isEmpty && currentTime === 0 && !paused ? before.time : currentTime,
    duration: Number.isFinite(duration) ? duration : before.duration,
    buffered: Array.from(
      { length: buffered.length },
      (_, index) => [buffered.start(index), buffered.end(index)] as const,
    ),
    volume,
    isMuted: muted || volume === 0,
    rate: playbackRate,
  };
}

export function usePlayback(element: HTMLMediaElement | null): Playback {
  const [playback, setPlayback] = useState(INITIAL_PLAYBACK);
  useEffect(() => {
    if (!element) return;
    const update = () => setPlayback((before) => readPlayback(element, before));
    for (const event of EVENTS) element.addEventListener(event, update);
    return () => {
      for (const event of EVENTS) element.removeEventListener(event, update);
    };
  }, [element]);
  return playback;
}
